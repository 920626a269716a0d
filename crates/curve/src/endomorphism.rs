//! k = k₁ + k₂·λ mod n with halves of half the length, so that k·P = k₁·P + k₂·(βx, y) takes half the doublings.
//!
//! v₁ = (a, −b) and v₂ = (a + b, a) are short vectors of the lattice {(u, v): u + vλ = 0 mod n}, of determinant
//! a² + ab + b² = n. The point (k, 0) is (a/n)k·v₁ + (b/n)k·v₂:
//! 1. c₁ = ⌊a k/n⌉, c₂ = ⌊b k/n⌉, by products with 2^s·a/n and 2^s·b/n, rounded once beforehand;
//! 2. (k₁, k₂) = (k, 0) − c₁·v₁ − c₂·v₂ = (k − (c₁ + c₂)·a − c₂·b, c₁·b − c₂·a), computed modulo 2^192 since it is short.
//!
//! The halves are exact whatever the rounding: (k₁, k₂) differs from (k, 0) by lattice vectors. Their length: with
//! s ≥ 128 + log₂ n the quotient before rounding is off by at most k/2^(s+1) < 2^−129, so that (k₁, k₂) = ε₁·v₁ + ε₂·v₂ with
//! |εᵢ| ≤ 1/2 + 2^−129, and then |k₁| ≤ (1/2 + 2^−129)(2a + b), |k₂| ≤ (1/2 + 2^−129)(a + b). With 2a + b < 2^129 that is less
//! than 1 above (2a + b)/2 and (a + b)/2: for secp256k1 |k₁| < 0xA2A8918C…·2^96 < 2^127.4 and |k₂| < 2^127.2.
//!
//! Cost: two products of LEN × LEN words and four of 2 × 2. Constant time; the same steps for public and for secret scalars.
//! Source: R. Gallant, R. Lambert, S. Vanstone, "Faster point multiplication on elliptic curves with efficient endomorphisms",
//! CRYPTO 2001, section 4; quotients by precomputed reciprocals as in J. Bos, C. Costello, H. Hisil, K. Lauter, "High-performance
//! scalar multiplication using 8-dimensional GLV/GLS decomposition", CHES 2013, section 4.

use crate::params::Glv;
use arith::limbs::{self, Words, add_carry, mul_add_carry};
use field::{Choice, Prime, Scalar, SecretScalar};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A public half of a scalar: ±magnitude.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Half {
    /// Is it below 0?
    pub negative: bool,
    /// Its absolute value.
    pub magnitude: u128,
}

/// A secret half of a scalar: ±magnitude, wiped when dropped.
pub struct SecretHalf {
    negative: Choice,
    magnitude: u128,
}

impl SecretHalf {
    /// Is it below 0?
    #[inline(always)]
    pub fn is_negative(&self) -> Choice {
        self.negative
    }

    /// Is its absolute value odd?
    #[inline(always)]
    pub fn is_odd(&self) -> Choice {
        Choice::from_bit(self.magnitude as u64 & 1)
    }

    /// Its absolute value, for constant-time code that takes digits: as secret as the half.
    #[inline(always)]
    pub fn secret_magnitude(&self) -> u128 {
        self.magnitude
    }
}

impl Zeroize for SecretHalf {
    fn zeroize(&mut self) {
        self.negative = Choice::NO;
        self.magnitude.zeroize();
    }
}
impl Drop for SecretHalf {
    fn drop(&mut self) {
        self.zeroize();
    }
}
impl ZeroizeOnDrop for SecretHalf {}

impl<W: Words> Glv<W> {
    /// k₁ and k₂ with k = k₁ + k₂·λ mod n, each below 2^`half_bits`.
    #[inline(always)]
    pub fn split<Q: Prime<Words = W>>(&self, k: &Scalar<Q>) -> [Half; 2] {
        let halves = self.halves(k.words());
        halves.map(|(negative, magnitude)| Half { negative: negative == 1, magnitude })
    }

    /// k₁ and k₂ with k = k₁ + k₂·λ mod n, each below 2^`half_bits`; nothing about k shows.
    #[inline(always)]
    pub fn split_secret<Q: Prime<Words = W>>(&self, k: &SecretScalar<Q>) -> [SecretHalf; 2] {
        let halves = self.halves(k.secret_words());
        halves.map(|(negative, magnitude)| SecretHalf { negative: Choice::from_bit(negative), magnitude })
    }

    /// The halves of k: the sign (1 below zero) and the absolute value.
    #[inline(always)]
    fn halves(&self, k: &W) -> [(u64, u128); 2] {
        const { assert!(W::LEN <= 4, "halves have 128 bits") }
        let (a, b) = (first_words(&self.a), first_words(&self.b));
        let c1 = rounded_quotient(k, &self.a_over_n, self.shift);
        let c2 = rounded_quotient(k, &self.b_over_n, self.shift);
        let [c2a, c2b] = [product_192(c2, a), product_192(c2, b)];
        let k1 = limbs::sub(&first_words::<W, 3>(k), &product_192(c1, a)).0;
        let k1 = limbs::sub(&limbs::sub(&k1, &c2a).0, &c2b).0;
        let k2 = limbs::sub(&product_192(c1, b), &c2a).0;
        [k1, k2].map(|k| {
            let negative = k[2] >> 63;
            let [low, high, _] = limbs::select(negative.wrapping_neg(), &k, &limbs::sub(&[0; 3], &k).0);
            (negative, u128::from(high) << 64 | u128::from(low))
        })
    }
}

/// The lowest `M` words, zeros where there are fewer.
#[inline(always)]
fn first_words<W: Words, const M: usize>(a: &W) -> [u64; M] {
    let mut r = [0; M];
    for (r, &a) in r.iter_mut().zip(a.as_ref()) {
        *r = a;
    }
    r
}

/// ⌊k·g/2^shift⌉ below 2^128, for a shift of at least one and at most six whole words.
#[inline(always)]
fn rounded_quotient<W: Words>(k: &W, g: &W, shift: u32) -> [u64; 2] {
    debug_assert!(shift % 64 == 0 && (64..=384).contains(&shift));
    let mut product = [0; 8];
    for (i, &k) in k.as_ref().iter().enumerate() {
        let mut carry = 0;
        for (j, &g) in g.as_ref().iter().enumerate() {
            (product[i + j], carry) = mul_add_carry(product[i + j], k, g, carry);
        }
        product[i + W::LEN] = carry;
    }
    let at = (shift / 64) as usize;
    let (low, carry) = add_carry(product[at], product[at - 1] >> 63, 0);
    [low, product[at + 1].wrapping_add(carry)]
}

/// x·y mod 2^192.
#[inline(always)]
fn product_192(x: [u64; 2], y: [u64; 2]) -> [u64; 3] {
    let (r0, carry) = mul_add_carry(0, x[0], y[0], 0);
    let (r1, r2) = mul_add_carry(carry, x[0], y[1], 0);
    let (r1, carry) = mul_add_carry(r1, x[1], y[0], 0);
    [r0, r1, x[1].wrapping_mul(y[1]).wrapping_add(r2).wrapping_add(carry)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::CurveParams;
    use crate::params::Secp256k1;
    use crate::params::small_order::{Order7, Order13, Order199};

    /// k₁ + k₂·λ = k, the halves are short, and a secret splits as a public scalar does.
    fn check<C: CurveParams>(k: Scalar<C::Order>) {
        let halves = C::GLV.split(&k);
        let [k1, k2] = halves.map(|half| {
            assert!(half.magnitude.checked_shr(C::GLV.half_bits).unwrap_or(0) == 0, "{k:?}");
            let magnitude = Scalar::<C::Order>::from_be_bytes_reduced(&half.magnitude.to_be_bytes());
            if half.negative { magnitude.neg() } else { magnitude }
        });
        let lambda = Scalar::from_words_reduced(&C::GLV.lambda);
        assert_eq!(k1.add(&k2.mul(&lambda)), k);
        let secret = C::GLV.split_secret(&SecretScalar::from(k));
        assert_eq!(
            secret.map(|half| (half.negative.declassify("test"), half.magnitude)),
            halves.map(|h| (h.negative, h.magnitude))
        );
    }

    #[test]
    fn every_scalar_of_the_small_orders() {
        (0..7).for_each(|k| check::<Order7>(Scalar::from_u64(k)));
        (0..13).for_each(|k| check::<Order13>(Scalar::from_u64(k)));
        (0..199).for_each(|k| check::<Order199>(Scalar::from_u64(k)));
    }

    #[test]
    fn edges_and_random_scalars() {
        type S = Scalar<<Secp256k1 as CurveParams>::Order>;
        let lambda = S::from_words_reduced(&Secp256k1::GLV.lambda);
        let [a, b] = [Secp256k1::GLV.a, Secp256k1::GLV.b].map(|w| S::from_words_reduced(&w));
        let half = S::from_u64(2).invert_vartime();
        let around = |centre: S| {
            for k in 0..20 {
                check::<Secp256k1>(centre.add(&S::from_u64(k)));
                check::<Secp256k1>(centre.sub(&S::from_u64(k)));
                check::<Secp256k1>(centre.neg().sub(&S::from_u64(k)));
            }
        };
        // Multiples of λ, the corners of the lattice's cell, powers of two.
        [S::ZERO, lambda, lambda.mul(&lambda), half, half.mul(&lambda)].into_iter().for_each(around);
        for (u, v) in [(a, b.neg()), (a.add(&b), a), (a.add(&a).add(&b), a.sub(&b)), (b, a.add(&b))] {
            [u, v, u.mul(&half), v.mul(&half), u.add(&v.mul(&lambda)).mul(&half)].into_iter().for_each(around);
        }
        (0..256).fold(S::ONE, |power, _| {
            around(power);
            power.add(&power)
        });
        let mut state = 1u64;
        for _ in 0..100_000 {
            let words = core::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state ^ state >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            });
            check::<Secp256k1>(S::from_words_reduced(&words));
        }
    }

    #[test]
    fn halves_reach_their_bounds() {
        // The corner (v₁ + v₂)/2 of the cell: k₁ = ±(2a + b ± 1)/2 for the k nearest to it.
        type S = Scalar<<Secp256k1 as CurveParams>::Order>;
        let bound = 0xA2A8_918C_A85B_AFE2_2016_D0B9_17E4_DD76_u128; // (2a + b)/2, rounded down
        let lambda = S::from_words_reduced(&Secp256k1::GLV.lambda);
        let mut largest = 0;
        let [a, b] = [Secp256k1::GLV.a, Secp256k1::GLV.b].map(|w| u128::from(w[1]) << 64 | u128::from(w[0]));
        for u in 0..4u128 {
            for v in 0..4u128 {
                let [u, v] = [bound - u, (b - a) / 2 - v].map(|m| S::from_be_bytes_reduced(&m.to_be_bytes()));
                for k in [u.sub(&v.mul(&lambda)), u.add(&v.mul(&lambda))] {
                    largest = largest.max(Secp256k1::GLV.split(&k)[0].magnitude);
                }
            }
        }
        assert_eq!(largest, bound);
    }
}
