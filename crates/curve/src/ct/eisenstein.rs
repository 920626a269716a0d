//! z = k₁ + k₂·ω = Σ dᵢ·4^i for a secret z of Z[ω], ω² + ω + 1 = 0, spread over [`LANES`]: lane l has the digits of bits
//! 2D·l … 2D·(l + 1) − 1 of both halves and one digit above, so that every lane has D + 1 of them, whatever z is.
//!
//! λ satisfies ω's equation, so z·P = k₁·P + k₂·λP. A digit is 0 or ±ω^j·{1, 1 − ω, 2}: 16 digits, one for each z mod 4.
//!
//! | a mod 4, b mod 4 of z = a + b·ω | digit |
//! |---|---|
//! | both even | 0, 2, 2ω, 2ω² = −2 − 2ω |
//! | one odd and the other 0, or both odd and equal | ±1, ±ω, ±ω² |
//! | one odd and the other 2, or both odd and opposite | ±(1 − ω), ±ω(1 − ω) = ±(1 + 2ω), ±ω²(1 − ω) = ∓(2 + ω) |
//!
//! So a coordinate of a digit is the residue or 4 less, and what goes over to the next one is a bit for each: 1 for a = 3, and for
//! a = 2 where b ≥ 2, likewise for b. Bits of the same place stand side by side, one a lane, so that a digit of all lanes is a
//! few operations on masks.
//!
//! The digit above is enough. Lanes 0 … 6 have z with coordinates in 0 … 4^D − 1: |z| < 4^D, as a² − ab + b² is convex and at most 1
//! in the corners of the square. Lane 7 has the signs: its coordinates are below c·4^D + 1 in absolute value for halves below c·2^(16 D).
//! With c = 0.636 and 0.575 (secp256k1, D = 8: see [`endomorphism`](crate::endomorphism)) |z| < 1.049·4^D + 2. D digits, each at most 2
//! in absolute value, leave less than |z|/4^D + 2/3, so less than √3: 0 or a unit, which is a digit. (Small orders have halves of a
//! few bits: coordinates 0 and −1 in lane 7.)
//!
//! Constant time. Source: the radix-4 digits follow from the residues; for multiplication by them see
//! [`mul_point::lanes`](crate::ct::mul_point::lanes).

use crate::endomorphism::SecretHalf;
use crate::params::LANES;
use arith::limbs;
use zeroize::{Zeroize, Zeroizing};

/// The most digits of a lane, for halves of 128 bits.
pub const MAX_DIGITS: usize = 9;

/// How many digits a lane has for halves below 2^`half_bits`: D + 1.
pub const fn lane_digits(half_bits: u32) -> u32 {
    half_bits.div_ceil(2 * LANES) + 1
}

/// A digit in every lane, by the lanes in which something holds: as secret as the scalar.
#[derive(Clone, Copy, Default)]
pub struct LaneDigit {
    /// It is not 0.
    pub nonzero: u32,
    /// It is 2 times a unit.
    pub two: u32,
    /// It is 1 − ω times a unit.
    pub one_minus_omega: u32,
    /// The unit is ±ω.
    pub omega: u32,
    /// The unit is ±ω².
    pub omega_squared: u32,
    /// The unit has a minus.
    pub negative: u32,
}

impl Zeroize for LaneDigit {
    fn zeroize(&mut self) {
        let Self { nonzero, two, one_minus_omega, omega, omega_squared, negative } = self;
        for mask in [nonzero, two, one_minus_omega, omega, omega_squared, negative] {
            mask.zeroize();
        }
    }
}

/// A residue mod 4 in every lane: its low bits, its high bits.
type Residue = [u32; 2];

impl LaneDigit {
    /// The digit of z = a + b·ω mod 4, and what its coordinates leave over for the next: (z − d)/4 is larger by these.
    #[inline(always)]
    fn of([a0, a1]: Residue, [b0, b1]: Residue) -> (Self, [u32; 2]) {
        let odd = a0 | b0;
        let one_minus_omega = a0 & b1 ^ b0 & a1;
        // Is a, is b what counts: the odd ones, or if both are even those that are 2.
        let p = a0 | a1 & !odd;
        let q = b0 | b1 & !odd;
        // Units and doubles: (1, 0), (0, 1), (1, 1) for 1, ω, ω²; times 1 − ω: (1, 1), (1, 0), (0, 1).
        let omega_squared = q & (p ^ one_minus_omega);
        let digit = Self {
            nonzero: p | q,
            two: (p | q) & !odd,
            one_minus_omega,
            omega: (p ^ q) & (q ^ one_minus_omega),
            omega_squared,
            // An odd coordinate is 3 for −1; ω² and ω²(1 − ω) have −1 there themselves.
            negative: odd & ((a0 & a1 | !a0 & b1) ^ omega_squared),
        };
        (digit, [a1 & (a0 | b1), b1 & (b0 | a1)])
    }

    /// Twice the digit, where it is 0 or a unit in every lane.
    #[inline(always)]
    pub fn doubled(&self) -> Self {
        debug_assert!(cfg!(windlass_ct_check) || self.two | self.one_minus_omega == 0);
        Self { two: self.nonzero, ..*self }
    }
}

/// The 8 × 8 bits of a, bit j of byte i becoming bit i of byte j: by halves of 1, 2 and 4 bits.
/// Source: H. Warren, "Hacker's Delight", section 7-3.
#[inline(always)]
fn transposed(a: u64) -> u64 {
    [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)].iter().fold(
        a,
        |a, &(by, mask): &(u32, u64)| {
            let other = (a ^ a >> by) & mask;
            a ^ other ^ other << by
        },
    )
}

/// Byte i: bit i of every lane, lane l having the 16 or fewer bits of e from `width`·l on.
#[inline(always)]
fn bits_of_lanes(e: u128, width: u32) -> [u64; 2] {
    let mut bytes = [0; 2];
    for lane in 0..LANES {
        let piece = (e >> (width * lane)) as u64;
        bytes[0] |= (piece & 0xFF) << (8 * lane);
        bytes[1] |= (piece >> 8 & 0xFF) << (8 * lane);
    }
    bytes.map(transposed)
}

/// residue + carry mod 4, and what goes over.
#[inline(always)]
fn plus([low, high]: Residue, carry: u32) -> (Residue, u32) {
    let both = low & carry;
    ([low ^ carry, high ^ both], high & both)
}

/// The digits of every lane, lowest first, as many as [`lane_digits`] says.
#[inline(always)]
pub fn digits_in_lanes(halves: &[SecretHalf; 2], half_bits: u32) -> Zeroizing<[LaneDigit; MAX_DIGITS]> {
    debug_assert!(half_bits <= 128);
    let last = lane_digits(half_bits) - 1;
    // Two's complement; what is above the last lane's bits is its sign.
    let e = Zeroizing::new([&halves[0], &halves[1]].map(|half| {
        let minus = half.is_negative().mask();
        let [low, high] = [half.secret_magnitude() as u64, (half.secret_magnitude() >> 64) as u64];
        let [low, high] = limbs::select(minus, &[low, high], &limbs::sub(&[0; 2], &[low, high]).0);
        u128::from(high) << 64 | u128::from(low)
    }));
    let planes = Zeroizing::new(e.map(|e| bits_of_lanes(e, 2 * last)));
    let signs = [&halves[0], &halves[1]].map(|half| half.is_negative().mask() as u32 & 1 << (LANES - 1));
    let mut digits = Zeroizing::new([LaneDigit::default(); MAX_DIGITS]);
    let mut carries = [0; 2];
    for (i, digit) in (0..=last).zip(digits.iter_mut()) {
        let residue = |j: usize| {
            let pair = (planes[j][(i / 4 % 2) as usize] >> (i % 4 * 16)) as u32;
            if i == last { [signs[j]; 2] } else { [pair & 0xFF, pair >> 8 & 0xFF] }
        };
        let (a, over_a) = plus(residue(0), carries[0]);
        let (b, over_b) = plus(residue(1), carries[1]);
        let (next, [more_a, more_b]) = LaneDigit::of(a, b);
        *digit = next;
        carries = [over_a | more_a, over_b | more_b];
    }
    debug_assert!(cfg!(windlass_ct_check) || carries == signs, "a digit above is enough");
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::small_order::{Order7, Order13, Order199};
    use crate::params::{CurveParams, Secp256k1};
    use field::{Scalar, SecretScalar};

    /// a and b of a lane's digit a + b·ω.
    fn coordinates(digit: &LaneDigit, lane: u32) -> [i64; 2] {
        let has = |mask: u32| mask >> lane & 1 == 1;
        if !has(digit.nonzero) {
            return [0; 2];
        }
        let [a, b] = match (has(digit.two), has(digit.one_minus_omega)) {
            (true, _) => [2, 0],
            (_, true) => [1, -1],
            _ => [1, 0],
        };
        // (a + b·ω)·ω = −b + (a − b)·ω
        let turns = u32::from(has(digit.omega)) + 2 * u32::from(has(digit.omega_squared));
        let [a, b] = (0..turns).fold([a, b], |[a, b], _| [-b, a - b]);
        if has(digit.negative) { [-a, -b] } else { [a, b] }
    }

    #[test]
    fn every_residue_has_its_digit() {
        for z in 0..16u32 {
            let [a, b] = [[z & 1, z >> 1 & 1], [z >> 2 & 1, z >> 3]];
            let (digit, over) = LaneDigit::of(a, b);
            let sum = [0, 1].map(|j| coordinates(&digit, 0)[j] + 4 * i64::from(over[j] & 1));
            assert_eq!(sum, [i64::from(z & 3), i64::from(z >> 2)]);
        }
    }

    fn check<C: CurveParams>(k: Scalar<C::Order>) {
        type S<C> = Scalar<<C as CurveParams>::Order>;
        let digits = digits_in_lanes(&C::GLV.split_secret(&SecretScalar::from(k)), C::GLV.half_bits);
        let count = lane_digits(C::GLV.half_bits) as usize;
        let lambda = S::<C>::from_words_reduced(&C::GLV.lambda);
        let signed = |a: i64| {
            let magnitude = S::<C>::from_u64(a.unsigned_abs());
            if a < 0 { magnitude.neg() } else { magnitude }
        };
        let times4 = |s: S<C>| (0..2).fold(s, |s, _| s.add(&s));
        let sum = (0..LANES).rev().fold(S::<C>::ZERO, |sum, lane| {
            let piece = digits[..count].iter().rev().fold(S::<C>::ZERO, |piece, digit| {
                let [a, b] = coordinates(digit, lane);
                times4(piece).add(&signed(a)).add(&signed(b).mul(&lambda))
            });
            (1..count).fold(sum, |sum, _| times4(sum)).add(&piece)
        });
        assert_eq!(sum, k);
    }

    #[test]
    fn digits_sum_up() {
        (0..7).for_each(|k| check::<Order7>(Scalar::from_u64(k)));
        (0..13).for_each(|k| check::<Order13>(Scalar::from_u64(k)));
        (0..199).for_each(|k| check::<Order199>(Scalar::from_u64(k)));
        type S = Scalar<<Secp256k1 as CurveParams>::Order>;
        let of = |words: &[u64; 4]| S::from_words_reduced(words);
        let (lambda, half) = (of(&Secp256k1::GLV.lambda), of(&Secp256k1::OFFSETS.half));
        // The corners of the lattice's cell, where the halves are largest, and their conjugates.
        let [a, b] = [of(&Secp256k1::GLV.a), of(&Secp256k1::GLV.b)];
        let corners = [(a, b.neg()), (a.add(&b), a), (a.add(&a).add(&b), a.sub(&b)), (b, a.add(&b))]
            .map(|(u, v)| u.add(&v.mul(&lambda)).mul(&half));
        for centre in corners.into_iter().chain([S::ZERO, lambda, lambda.mul(&lambda), half]) {
            for k in (0..100).map(S::from_u64) {
                check::<Secp256k1>(centre.add(&k));
                check::<Secp256k1>(centre.sub(&k));
                check::<Secp256k1>(centre.sub(&k).neg());
                check::<Secp256k1>(centre.add(&k.mul(&lambda)));
            }
        }
        (0..20_000).fold(lambda, |k, _| {
            check::<Secp256k1>(k);
            k.mul(&k).add(&lambda)
        });
    }
}
