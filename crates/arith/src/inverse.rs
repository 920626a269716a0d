//! 1/a mod m for odd m, and 0 for a = 0: division steps (safegcd), in constant and in variable time.
//!
//! 1. (f, g) = (m, a), (d, e) = (0, 1), ζ = −1; always f = a·d and g = a·e mod m.
//! 2. A *division step* keeps f odd and makes g smaller: odd(g) and ζ < 0: (f, g, ζ) ← (g, (g − f)/2, −ζ − 2); odd(g):
//!    (f, (g + f)/2, ζ − 1); else (f, g/2, ζ − 1). It asks only for g's lowest bit and for ζ, so that the lowest 62 bits of f
//!    and g decide a batch of steps, whose product is a matrix of small integers over 2^62.
//! 3. A batch: its matrix t from the low words; (f, g) ← t·(f, g)/2^62, exact; (d, e) ← t·(d, e)/2^62 mod m.
//! 4. When g = 0, f = ± gcd(m, a) = ±1, so that 1/a = ±d.
//!
//! Constant time: ⌈steps/59⌉ batches of 59 steps each, as 20 + 20 + 19. Of 20 steps f, u and v fit one word (and g, q, r another):
//! f + 2^21·u + 2^42·v, so that a step is one addition and one shift for all of them; the three matrices are multiplied.
//! Variable time: the same batches, but it stops at g = 0 (nine batches of ten for most numbers of 256 bits) and drops digits of f
//! and g as they empty. Rejected: steps that shift out g's zeros together and cancel up to six bits of g at once; their branches are
//! mispredicted so often that they are slower (3,950 and 4,020 cycles against 3,890 and 3,840 mod p and n, Zen 4, fresh numbers).
//!
//! Numbers are signed digits of 62 bits, Σ aᵢ·2^(62 i), the top one unbounded; all but the top one are in 0..2^62 after a batch.
//!
//! How many steps: for 0 ≤ a < m < 2^256 590 reach g = 0, found by convex hulls of the reachable (f, g) and proved in Coq;
//! for m < 2^b, b ≥ 46, ⌊(45907 b + 26313)/19929⌋. No loop runs longer, whatever the input.
//!
//! Sources: D. Bernstein, B.-Y. Yang, "Fast constant-time gcd computation and modular inversion", CHES 2019 (packed
//! words as in their code for 2^255 − 19); P. Wuille, G. Maxwell, R. O'Connor, "Bounds on divsteps iterations in
//! safegcd" (2021) for δ = 1/2, which ζ = −(δ + 1/2) encodes; T. Pornin, "Optimized binary GCD for modular inversion" (2020) for
//! batches on low words.

use crate::kernel::barrier;
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
use crate::kernel::portable::divsteps_packed_portable as divsteps_packed;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::kernel::x86_64::divsteps_packed_x86_64 as divsteps_packed;
use crate::limbs::Words;
use crate::montgomery::Modulus;

/// Signed digits of 62 bits, as many as the widest modulus needs; loops run over the first [`limbs_for`] of them.
pub(crate) type Signed62 = [i64; MAX_LIMBS];

/// Limbs for 9 words, the width of P-521.
const MAX_LIMBS: usize = 10;

/// The 62 bits of a digit.
const DIGIT: u64 = u64::MAX >> 2;

/// How many digits hold the words, a sign and one bit more: f, g, d, e stay within ±2m.
const fn limbs_for(words: usize) -> usize {
    let limbs = 64 * words / 62 + 1;
    assert!(limbs <= MAX_LIMBS, "at most nine words");
    limbs
}

/// How many batches of 59 steps lead to g = 0 for every a < m < 2^(64 words).
const fn batches_for(words: usize) -> usize {
    let bits = 64 * words;
    let steps = if bits <= 256 { 590 } else { (45907 * bits + 26313) / 19929 };
    steps.div_ceil(59)
}

/// m in digits between −2^61 and 2^61, which are zero where m has runs of ones.
pub(crate) const fn balanced_62<const N: usize>(m: &[u64; N]) -> Signed62 {
    let (mut r, mut carry, mut i) = ([0; MAX_LIMBS], 0, 0);
    while i < limbs_for(N) {
        let digit = digit_62(m, i) as i64 + carry;
        carry = (digit >= 1 << 61 && i + 1 < limbs_for(N)) as i64;
        r[i] = digit - (carry << 62);
        i += 1;
    }
    r
}

/// Bits 62 i .. 62 i + 62 of the words.
#[inline(always)]
const fn digit_62(words: &[u64], i: usize) -> u64 {
    let (word, shift) = (62 * i / 64, (62 * i % 64) as u32);
    let low = if word < words.len() { words[word] >> shift } else { 0 };
    let high = if word + 1 < words.len() { words[word + 1] << 1 << (63 - shift) } else { 0 };
    (low | high) & DIGIT
}

/// The words of a number whose digits are all in 0..2^62.
#[inline(always)]
fn to_words<W: Words>(a: &Signed62) -> W {
    let mut r = W::ZERO;
    for (i, word) in r.as_mut().iter_mut().enumerate() {
        let (digit, shift) = (64 * i / 62, (64 * i % 62) as u32);
        *word = a[digit] as u64 >> shift | (a[digit + 1] as u64) << (62 - shift);
    }
    r
}

/// What a batch of steps does: (f, g) ← (u f + v g, q f + r g) / 2^62. |u| + |v| and |q| + |r| are at most 2^62.
#[derive(Clone, Copy)]
struct Transition {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

impl Transition {
    /// The matrix that packed words hold after division steps.
    ///
    /// The word is f + 2^21·u + 2^42·v with |f| < 2^20 and −2^20 ≤ u, v < 2^20: adding 2^20, and 2^41 for v, makes the parts below
    /// a field nonnegative, and then shifts cut it out.
    #[inline(always)]
    fn unpack(f: u64, g: u64) -> Self {
        let low = |word: u64| (word.wrapping_add(1 << 20) << 22) as i64 >> 43;
        let high = |word: u64| word.wrapping_add(1 << 41 | 1 << 20) as i64 >> 42;
        Self { u: low(f), v: high(f), q: low(g), r: high(g) }
    }

    /// (u f + v g, q f + r g) / 2^20 of the low words; the top 20 bits of the result mean nothing.
    #[inline(always)]
    fn apply_20(&self, f: u64, g: u64) -> (u64, u64) {
        let row = |a: i64, b: i64| (a as u64).wrapping_mul(f).wrapping_add((b as u64).wrapping_mul(g)) >> 20;
        (row(self.u, self.v), row(self.q, self.r))
    }

    /// The steps of `first`, then these.
    #[inline(always)]
    fn after(&self, first: &Self) -> Self {
        Self {
            u: self.u * first.u + self.v * first.q,
            v: self.u * first.v + self.v * first.r,
            q: self.q * first.u + self.r * first.q,
            r: self.q * first.v + self.r * first.r,
        }
    }
}

/// The matrix of 59 division steps on the low 62 bits of f and g, times 2^62. Constant time.
#[inline(always)]
fn divsteps_59(zeta: &mut i64, f: i64, g: i64) -> Transition {
    // The identity matrix is negated: fields go from −2^20 to below 2^20, and −1 of the first step's scale 2^20 fits.
    // Halving g's word halves q and r with it, so a packed matrix is −2^20 times what it does, whatever the number of steps.
    const LOW: u64 = (1 << 20) - 1;
    const U: u64 = (1u64 << 41).wrapping_neg();
    const V: u64 = (1u64 << 62).wrapping_neg();
    #[inline(always)]
    fn packed<const STEPS: usize>(zeta: &mut i64, f: u64, g: u64) -> Transition {
        let (next, f, g) = divsteps_packed::<STEPS>(*zeta, (f & LOW).wrapping_add(U), (g & LOW).wrapping_add(V));
        *zeta = next;
        Transition::unpack(f, g)
    }
    // Each matrix negates, so f and g change sign after the first twenty steps, which a division step does not mind:
    // both rows change together, and the next matrix changes them back.
    let (f, g) = (f as u64, g as u64);
    let first = packed::<20>(zeta, f, g);
    let (f, g) = first.apply_20(f, g);
    let second = packed::<20>(zeta, f, g);
    let (f, g) = second.apply_20(f, g);
    let forty = second.after(&first); // in the shadow of the last steps
    let third = packed::<19>(zeta, f, g);
    let t = third.after(&forty);
    // −2^60 times what the steps do; made 2^62 times.
    Transition { u: -(t.u << 2), v: -(t.v << 2), q: -(t.q << 2), r: -(t.r << 2) }
}

/// a·b.
#[inline(always)]
fn wide(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// ⌊c/2^62⌋. The barrier keeps the two words' shifts apart: joined in one double shift they take six times as long on AMD's CPUs.
#[inline(always)]
fn carry_62(c: i128) -> i128 {
    let (low, high) = (barrier(c as u64 >> 62), (c >> 64) as i64);
    i128::from(high >> 62) << 64 | i128::from((high << 2) as u64 | low)
}

/// (f, g) ← t·(f, g)/2^62 over the first `len` digits; exact, since the batch cleared the lowest ones. One row after the other:
/// both at once need more registers than there are.
#[inline(always)]
fn update_fg(f: &mut Signed62, g: &mut Signed62, t: &Transition, len: usize) {
    let mut r = [0; MAX_LIMBS]; // f's digits, which g's row still needs as they were
    let mut c = carry_62(wide(t.u, f[0]) + wide(t.v, g[0]));
    for i in 1..len {
        c += wide(t.u, f[i]) + wide(t.v, g[i]);
        r[i - 1] = (c as u64 & DIGIT) as i64;
        c = carry_62(c);
    }
    r[len - 1] = c as i64;
    let mut c = carry_62(wide(t.q, f[0]) + wide(t.r, g[0]));
    for i in 1..len {
        c += wide(t.q, f[i]) + wide(t.r, g[i]);
        g[i - 1] = (c as u64 & DIGIT) as i64;
        f[i - 1] = r[i - 1];
        c = carry_62(c);
    }
    g[len - 1] = c as i64;
    f[len - 1] = r[len - 1];
}

impl<W: Words> Modulus<W> {
    /// 1/a mod m for a below m with gcd(a, m) = 1, and 0 for 0. Constant time in a.
    #[inline(always)]
    pub fn invert(&self, a: &W) -> W {
        let len = const { limbs_for(W::LEN) };
        let (mut f, mut g) = (self.m_signed_62, to_digits(a));
        let (mut d, mut e) = ([0; MAX_LIMBS], [0; MAX_LIMBS]);
        e[0] = 1;
        let mut zeta = -1;
        for _ in 0..const { batches_for(W::LEN) } {
            let t = divsteps_59(&mut zeta, f[0], g[0]);
            self.update_de(&mut d, &mut e, &t);
            update_fg(&mut f, &mut g, &t, len);
        }
        debug_assert!(cfg!(windlass_ct_check) || g[..len].iter().all(|&g| g == 0), "the steps suffice");
        self.canonical(&d, f[len - 1])
    }

    /// 1/a mod m for a below m with gcd(a, m) = 1, and 0 for 0. Vartime.
    #[inline(always)]
    pub fn invert_vartime(&self, a: &W) -> W {
        let mut len = const { limbs_for(W::LEN) };
        let (mut f, mut g) = (self.m_signed_62, to_digits(a));
        let (mut d, mut e) = ([0; MAX_LIMBS], [0; MAX_LIMBS]);
        e[0] = 1;
        let mut zeta = -1;
        for _ in 0..const { batches_for(W::LEN) } {
            let t = divsteps_59(&mut zeta, f[0], g[0]);
            self.update_de(&mut d, &mut e, &t);
            update_fg(&mut f, &mut g, &t, len);
            if g[..len].iter().all(|&g| g == 0) {
                break;
            }
            // Top digits that only repeat the sign move it into the digits below.
            let (top_f, top_g) = (f[len - 1], g[len - 1]);
            if len > 1 && top_f == top_f >> 63 && top_g == top_g >> 63 {
                len -= 1;
                f[len - 1] |= top_f << 62;
                g[len - 1] |= top_g << 62;
            }
        }
        debug_assert!(g[..len].iter().all(|&g| g == 0), "the steps suffice");
        self.canonical(&d, f[len - 1])
    }

    /// (d, e) ← t·(d, e)/2^62 mod m, both between −2m and m before and after.
    #[inline(always)]
    fn update_de(&self, d: &mut Signed62, e: &mut Signed62, t: &Transition) {
        let len = const { limbs_for(W::LEN) };
        let (m, inverse) = (&self.m_signed_62, self.neg_inverse);
        // Negative d and e count as d + m and e + m, which are between −m and m; the sums of a row are then between −2^62 m and
        // 2^62 m, and a multiple of m between −2^62 m and 0 makes them divisible.
        let (sign_d, sign_e) = (barrier((d[len - 1] >> 63) as u64) as i64, barrier((e[len - 1] >> 63) as u64) as i64);
        let mut kd = (t.u & sign_d) + (t.v & sign_e);
        let mut ke = (t.q & sign_d) + (t.r & sign_e);
        let mut cd = wide(t.u, d[0]) + wide(t.v, e[0]);
        let mut ce = wide(t.q, d[0]) + wide(t.r, e[0]);
        // k = k − ((c/m + k) mod 2^62), so that c + k m = 0 mod 2^62.
        kd -= ((kd as u64).wrapping_sub(inverse.wrapping_mul(cd as u64)) & DIGIT) as i64;
        ke -= ((ke as u64).wrapping_sub(inverse.wrapping_mul(ce as u64)) & DIGIT) as i64;
        cd = carry_62(cd + wide(m[0], kd));
        ce = carry_62(ce + wide(m[0], ke));
        for i in 1..len {
            cd += wide(t.u, d[i]) + wide(t.v, e[i]);
            ce += wide(t.q, d[i]) + wide(t.r, e[i]);
            if m[i] != 0 {
                cd += wide(m[i], kd);
                ce += wide(m[i], ke);
            }
            d[i - 1] = (cd as u64 & DIGIT) as i64;
            e[i - 1] = (ce as u64 & DIGIT) as i64;
            cd = carry_62(cd);
            ce = carry_62(ce);
        }
        d[len - 1] = cd as i64;
        e[len - 1] = ce as i64;
    }

    /// The words of ±a mod m, the sign that of `sign`, for a between −2m and m.
    #[inline(always)]
    fn canonical(&self, a: &Signed62, sign: i64) -> W {
        let (len, mut a) = (const { limbs_for(W::LEN) }, *a);
        self.add_if_negative(&mut a); // between −m and m
        let negative = barrier((sign >> 63) as u64) as i64;
        for a in &mut a[..len] {
            *a = (*a ^ negative) - negative;
        }
        carry(&mut a, len);
        self.add_if_negative(&mut a);
        carry(&mut a, len);
        to_words(&a)
    }

    /// a + m if a is negative, digit by digit.
    #[inline(always)]
    fn add_if_negative(&self, a: &mut Signed62) {
        let len = const { limbs_for(W::LEN) };
        let negative = barrier((a[len - 1] >> 63) as u64) as i64;
        for (a, m) in a[..len].iter_mut().zip(&self.m_signed_62) {
            *a += m & negative;
        }
    }
}

/// The digits of a number given in words.
#[inline(always)]
fn to_digits<W: Words>(a: &W) -> Signed62 {
    let mut r = [0; MAX_LIMBS];
    for (i, r) in r[..const { limbs_for(W::LEN) }].iter_mut().enumerate() {
        *r = digit_62(a.as_ref(), i) as i64;
    }
    r
}

/// Carries: all digits but the top one into 0..2^62.
#[inline(always)]
fn carry(a: &mut Signed62, len: usize) {
    for i in 1..len {
        a[i] += a[i - 1] >> 62;
        a[i - 1] &= DIGIT as i64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limbs;

    const P: Modulus<[u64; 4]> =
        Modulus::new(limbs::from_hex("FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFE FFFFFC2F"));
    const N: Modulus<[u64; 4]> =
        Modulus::new(limbs::from_hex("FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFE BAAEDCE6 AF48A03B BFD25E8C D0364141"));

    /// A generator of test numbers: xorshift64*.
    struct Random(u64);
    impl Random {
        fn word(&mut self) -> u64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
        }
        fn words<const N: usize>(&mut self) -> [u64; N] {
            core::array::from_fn(|_| self.word())
        }
    }

    /// Both inversions of `a` mod m: canonical, and a product of 1 with a (0 for 0).
    fn check<const L: usize>(modulus: &Modulus<[u64; L]>, a: &[u64; L]) {
        let a = modulus.reduce(a);
        let inverse = modulus.invert(&a);
        assert!(limbs::less_than(&inverse, &modulus.m), "{a:x?}");
        let product = if a == [0; L] { [0; L] } else { Words::ONE };
        assert_eq!(modulus.mul(&a, &inverse), product, "{a:x?}");
        if a == [0; L] {
            assert_eq!(inverse, [0; L]);
        }
        assert_eq!(modulus.invert_vartime(&a), inverse, "{a:x?}");
    }

    /// Numbers of few runs of equal bits, and their neighbours.
    fn edges<const L: usize>(modulus: &Modulus<[u64; L]>) {
        let bits = 64 * L;
        for i in 0..bits {
            let power: [u64; L] = core::array::from_fn(|w| if i / 64 == w { 1 << (i % 64) } else { 0 });
            let ones = limbs::sub(&power, &Words::ONE).0;
            let from: [u64; L] = ones.map(|w| !w);
            for a in [power, ones, from] {
                for small in 0..4u64 {
                    let mut d = [0; L];
                    d[0] = small;
                    check(modulus, &limbs::add(&a, &d).0);
                    check(modulus, &limbs::sub(&a, &d).0);
                    check(modulus, &limbs::sub(&modulus.m, &limbs::add(&a, &d).0).0);
                }
            }
        }
    }

    #[test]
    fn edges_of_four_words() {
        edges(&P);
        edges(&N);
    }

    #[test]
    fn random_elements_agree_with_fermat() {
        let mut random = Random(0x1234_5678_9ABC_DEF1);
        for modulus in [P, N] {
            for i in 0..100_000 {
                let a = random.words();
                check(&modulus, &a);
                if i % 1000 == 0 {
                    let exponent = limbs::sub(&modulus.m, &[2, 0, 0, 0]).0;
                    let a = modulus.reduce(&a);
                    assert_eq!(modulus.invert(&a), modulus.pow_vartime(&a, &exponent));
                }
            }
        }
    }

    /// How many division steps lead from (m, a) to g = 0, one by one in five words of two's complement.
    fn division_steps(m: &[u64; 4], a: &[u64; 4]) -> u32 {
        let [mut f, mut g] = [m, a].map(|w| [w[0], w[1], w[2], w[3], 0]);
        let (mut zeta, mut steps) = (-1, 0);
        while g != [0; 5] {
            zeta = if g[0] & 1 == 1 && zeta < 0 {
                (f, g) = (g, limbs::sub(&g, &f).0);
                -zeta - 2
            } else {
                g = if g[0] & 1 == 1 { limbs::add(&g, &f).0 } else { g };
                zeta - 1
            };
            g = core::array::from_fn(|i| if i < 4 { g[i] >> 1 | g[i + 1] << 63 } else { (g[4] as i64 >> 1) as u64 });
            steps += 1;
        }
        steps
    }

    #[test]
    fn a_modulus_that_needs_all_590_steps() {
        // Published with libsecp256k1's tests of modular inversion, found by P. Wuille.
        let m = limbs::from_hex("FDF82DA5 3895D305 0FB6D3BE 0AC64B60 9CC03DBC 521DB2D9 48AD4AD1 4F756983");
        let a = limbs::from_hex("FB7E453A 3CC0FD05 FE977637 538AB6D4 5B3A9323 D9072A23 30AB53D7 B6409118");
        assert_eq!(division_steps(&m, &a), 590);
        check(&Modulus::new(m), &a);
    }

    #[test]
    fn secp256k1s_moduli_need_fewer_steps_than_are_done() {
        let mut random = Random(3);
        for modulus in [P, N] {
            let most = (0..2000).map(|_| division_steps(&modulus.m, &modulus.reduce(&random.words()))).max();
            assert!(most.is_some_and(|most| (500..=590).contains(&most)), "{most:?}");
        }
    }

    #[test]
    fn every_residue_of_small_moduli() {
        for m in [3, 7, 13, 199, 251, 65537] {
            let (one, four) = (Modulus::new([m]), Modulus::new([m, 0, 0, 0]));
            for a in 0..m.min(1000) {
                check(&one, &[a]);
                check(&four, &[a, 0, 0, 0]);
            }
        }
    }

    #[test]
    fn moduli_of_all_widths() {
        // 2^521 − 1; 2^384 − 2^128 − 2^96 + 2^32 − 1; 2^127 − 1; 2^255 − 19.
        let mut m521 = [u64::MAX; 9];
        m521[8] = 0x1FF;
        let m384 = limbs::from_hex(
            "FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFE FFFFFFFF 00000000 00000000 FFFFFFFF",
        );
        let (m521, m384) = (Modulus::new(m521), Modulus::<[u64; 6]>::new(m384));
        let m127 = Modulus::new([u64::MAX, u64::MAX >> 1]);
        let m255 = Modulus::new([u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1]);
        edges(&m521);
        edges(&m384);
        edges(&m127);
        edges(&m255);
        let mut random = Random(77);
        for _ in 0..2000 {
            check(&m521, &random.words());
            check(&m384, &random.words());
            check(&m127, &random.words());
            check(&m255, &random.words());
        }
    }

    #[test]
    fn balanced_digits_give_the_modulus_back() {
        let value = P.m_signed_62;
        assert_eq!(value[..5], [-0x1_0000_03D1, 0, 0, 0, 256]);
        let mut normal = N.m_signed_62;
        carry(&mut normal, 5);
        assert_eq!(to_words::<[u64; 4]>(&normal), N.m);
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[test]
    fn packed_steps_agree_with_the_portable_twin() {
        use crate::kernel::{portable, x86_64};
        let mut random = Random(5);
        for i in 0..100_000 {
            let zeta = if i % 7 == 0 { -1 } else { random.word() as i64 % 600 };
            let (f, g) = (random.word() | 1, random.word());
            assert_eq!(
                x86_64::divsteps_packed_x86_64::<20>(zeta, f, g),
                portable::divsteps_packed_portable::<20>(zeta, f, g)
            );
            assert_eq!(
                x86_64::divsteps_packed_x86_64::<19>(zeta, f, g),
                portable::divsteps_packed_portable::<19>(zeta, f, g)
            );
        }
    }
}
