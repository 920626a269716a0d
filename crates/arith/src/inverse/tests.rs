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

/// All inversions of `a` mod m: canonical, and a product of 1 with a (0 for 0).
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
    let mut pieces = Inversion::new(modulus, &a);
    (0..a[0] % 64).for_each(|_| pieces.step(modulus));
    assert_eq!(pieces.finish(modulus), inverse, "{a:x?}");
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
