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
use zeroize::Zeroize;

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

/// A part of the 59 division steps of a batch on the low 62 bits of f and g.
#[derive(Clone, Copy)]
struct Steps {
    /// The low words after these steps; what was shifted in from above means nothing.
    f: u64,
    g: u64,
    /// What the steps do, times 2^20 for each part of at most twenty of them, negated for each.
    t: Transition,
}

impl Steps {
    /// The first twenty steps. Constant time.
    #[inline(always)]
    fn first(zeta: &mut i64, f: i64, g: i64) -> Self {
        let (f, g) = (f as u64, g as u64);
        let t = Self::packed::<20>(zeta, f, g);
        // Each matrix negates, so f and g change sign after the first twenty steps, which a division step does not mind:
        // both rows change together, and the next matrix changes them back.
        let (f, g) = t.apply_20(f, g);
        Self { f, g, t }
    }

    /// These steps and so many more. Constant time.
    #[inline(always)]
    fn and<const STEPS: usize>(&self, zeta: &mut i64) -> Self {
        let t = Self::packed::<STEPS>(zeta, self.f, self.g);
        let (f, g) = t.apply_20(self.f, self.g);
        Self { f, g, t: t.after(&self.t) }
    }

    /// The matrix of all 59 steps, times 2^62: −2^60 times what they do is there.
    #[inline(always)]
    fn matrix(&self) -> Transition {
        let Transition { u, v, q, r } = self.t;
        Transition { u: -(u << 2), v: -(v << 2), q: -(q << 2), r: -(r << 2) }
    }

    #[inline(always)]
    fn packed<const STEPS: usize>(zeta: &mut i64, f: u64, g: u64) -> Transition {
        // The identity matrix is negated: fields go from −2^20 to below 2^20, and −1 of the first step's scale 2^20 fits.
        // Halving g's word halves q and r with it, so a packed matrix is −2^20 times what it does, whatever the number of steps.
        const LOW: u64 = (1 << 20) - 1;
        const U: u64 = (1u64 << 41).wrapping_neg();
        const V: u64 = (1u64 << 62).wrapping_neg();
        let (next, f, g) = divsteps_packed::<STEPS>(*zeta, (f & LOW).wrapping_add(U), (g & LOW).wrapping_add(V));
        *zeta = next;
        Transition::unpack(f, g)
    }
}

/// The matrix of 59 division steps on the low 62 bits of f and g, times 2^62. Constant time.
#[inline(always)]
fn divsteps_59(zeta: &mut i64, f: i64, g: i64) -> Transition {
    Steps::first(zeta, f, g).and::<20>(zeta).and::<19>(zeta).matrix()
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

/// f, g, d, e and ζ between two batches.
struct State {
    f: Signed62,
    g: Signed62,
    d: Signed62,
    e: Signed62,
    zeta: i64,
}

impl State {
    #[inline(always)]
    fn new<W: Words>(modulus: &Modulus<W>, a: &W) -> Self {
        let mut e = [0; MAX_LIMBS];
        e[0] = 1;
        Self { f: modulus.m_signed_62, g: to_digits(a), d: [0; MAX_LIMBS], e, zeta: -1 }
    }

    /// What a batch does with its matrix.
    #[inline(always)]
    fn update<W: Words>(&mut self, modulus: &Modulus<W>, t: &Transition) {
        modulus.update_de(&mut self.d, &mut self.e, t);
        update_fg(&mut self.f, &mut self.g, t, const { limbs_for(W::LEN) });
    }

    /// The result after the last batch.
    #[inline(always)]
    fn inverse<W: Words>(&self, modulus: &Modulus<W>) -> W {
        let len = const { limbs_for(W::LEN) };
        debug_assert!(cfg!(windlass_ct_check) || self.g[..len].iter().all(|&g| g == 0), "the steps suffice");
        modulus.canonical(&self.d, self.f[len - 1])
    }
}

/// An inversion in pieces of a hundred cycles or so, for work that runs beside something else. Constant time, and wiped when dropped.
pub struct Inversion {
    state: State,
    steps: Steps,
    /// Pieces done: four a batch.
    done: usize,
}

impl Inversion {
    /// That of a mod m, as [`Modulus::invert`].
    #[inline]
    pub fn new<W: Words>(modulus: &Modulus<W>, a: &W) -> Self {
        let steps = Steps { f: 0, g: 0, t: Transition { u: 0, v: 0, q: 0, r: 0 } };
        Self { state: State::new(modulus, a), steps, done: 0 }
    }

    /// The next piece; nothing once all are done. `modulus` is the one that it began with.
    #[inline(always)]
    pub fn step<W: Words>(&mut self, modulus: &Modulus<W>) {
        if self.is_done::<W>() {
            return;
        }
        let Self { state, steps, done } = self;
        match *done % 4 {
            0 => *steps = Steps::first(&mut state.zeta, state.f[0], state.g[0]),
            1 => *steps = steps.and::<20>(&mut state.zeta),
            2 => *steps = steps.and::<19>(&mut state.zeta),
            _ => state.update(modulus, &steps.matrix()),
        }
        *done += 1;
    }

    #[inline(always)]
    fn is_done<W: Words>(&self) -> bool {
        self.done == const { 4 * batches_for(W::LEN) }
    }

    /// The pieces that are left, and 1/a.
    #[inline(always)]
    pub fn finish<W: Words>(mut self, modulus: &Modulus<W>) -> W {
        while !self.is_done::<W>() {
            self.step(modulus);
        }
        self.state.inverse(modulus)
    }
}

impl Drop for Inversion {
    fn drop(&mut self) {
        let State { f, g, d, e, zeta } = &mut self.state;
        [f, g, d, e].into_iter().for_each(Zeroize::zeroize);
        zeta.zeroize();
        let Steps { f, g, t: Transition { u, v, q, r } } = &mut self.steps;
        [f, g].into_iter().for_each(Zeroize::zeroize);
        [u, v, q, r].into_iter().for_each(Zeroize::zeroize);
    }
}

impl<W: Words> Modulus<W> {
    /// 1/a mod m for a below m with gcd(a, m) = 1, and 0 for 0. Constant time in a.
    #[inline(always)]
    pub fn invert(&self, a: &W) -> W {
        let mut state = State::new(self, a);
        for _ in 0..const { batches_for(W::LEN) } {
            let t = divsteps_59(&mut state.zeta, state.f[0], state.g[0]);
            state.update(self, &t);
        }
        state.inverse(self)
    }

    /// 1/a mod m for a below m with gcd(a, m) = 1, and 0 for 0. Vartime.
    #[inline(always)]
    pub fn invert_vartime(&self, a: &W) -> W {
        let mut len = const { limbs_for(W::LEN) };
        let State { mut f, mut g, mut d, mut e, mut zeta } = State::new(self, a);
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
mod tests;
