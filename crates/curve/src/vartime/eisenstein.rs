//! z = z₁ + z₂·ω = Σ uᵢ·2^i with every uᵢ 0 or a unit, ±1, ±ω or ±ω², of the Eisenstein integers Z[ω], ω² + ω + 1 = 0.
//!
//! λ satisfies ω's equation, so the halves of a scalar are such a z, and the scalar's multiple of P is a sum of points ±2^i·P,
//! ±λ·2^i·P and ±λ²·2^i·P: the x of a unit is that of 2^i·P times a power of β.
//!
//! Digits from the lowest up, z becoming (z − u)/2:
//! - z divisible by 2: u = 0. Modulo 2 every other z is one of 1, ω, ω², so two units, u and −u, leave an even number.
//! - If z = ±u mod 4, that one: the next digit is 0.
//! - Else the one whose (z − u)/2 is a unit mod 4, if one is.
//!
//! Five digits of nine are not 0: 71 of 128. The table steps by two digits. Vartime.
//!
//! Length: |z − u|/2 ≤ (|z| + 1)/2, so that after i digits less than |z|/2^i + 1 is left. |z|² ≤ 3·2^(2h) for halves below 2^h: after
//! h + 1 digits |z| < 2, that is |z|² ≤ 3; then |z| ≤ (√3 + 1)/2, so |z|² ≤ 1; then a last digit: h + 3 in all.
//!
//! Source: the joint sparse form of J. Solinas, "Low-weight binary representations for pairs of integers" (CORR 2001-41), with the
//! units of Z[ω] for digits.

use crate::endomorphism::Half;
use arith::limbs;

/// The most digits, for halves of 128 bits; an even number.
pub const MAX_DIGITS: usize = 132;

/// The digits of z, lowest first.
pub type Digits = [Digit; MAX_DIGITS];

/// 0, or 1 + 2j for ω^j and 2 + 2j for −ω^j.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digit(u8);

impl Digit {
    /// 0.
    pub const ZERO: Self = Self(0);
    /// 1.
    pub const ONE: Self = Self(1);
    /// −1.
    pub const MINUS_ONE: Self = Self(2);

    /// Is it 0?
    #[inline(always)]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// j of ±ω^j.
    #[inline(always)]
    pub const fn power(self) -> u32 {
        self.0.saturating_sub(1) as u32 / 2
    }

    /// Is it −ω^j?
    #[inline(always)]
    pub const fn is_negative(self) -> bool {
        self.0 != 0 && self.0 & 1 == 0
    }

    /// a and b of a + b·ω.
    const fn coordinates(self) -> [i8; 2] {
        match self.0 {
            0 => [0, 0],
            1 => [1, 0],
            2 => [-1, 0],
            3 => [0, 1],
            4 => [0, -1],
            5 => [-1, -1], // ω² = −1 − ω
            _ => [1, 1],
        }
    }

    /// The digit of z mod 8.
    const fn of(z: [i8; 2]) -> Self {
        let (mut first, mut u) = (Self::ZERO, 6);
        while u > 0 {
            let digit = Self(u);
            let rest = digit.rest(z);
            if (rest[0] | rest[1]) & 1 == 0 {
                let half = [rest[0] >> 1, rest[1] >> 1];
                if (half[0] | half[1]) & 1 == 0 {
                    return digit;
                }
                if first.is_zero() || is_unit_mod_4(half) {
                    first = digit;
                }
            }
            u -= 1;
        }
        if (z[0] | z[1]) & 1 == 0 { Self::ZERO } else { first }
    }

    /// z − u.
    const fn rest(self, z: [i8; 2]) -> [i8; 2] {
        let [a, b] = self.coordinates();
        [z[0] - a, z[1] - b]
    }
}

const fn is_unit_mod_4(z: [i8; 2]) -> bool {
    let mut u = 1;
    while u <= 6 {
        let [a, b] = Digit(u).rest(z);
        if (a | b) & 3 == 0 {
            return true;
        }
        u += 1;
    }
    false
}

/// Two digits and what they stand for, u₀ + 2u₁.
#[derive(Clone, Copy)]
struct Pair {
    digits: [Digit; 2],
    value: [i8; 2],
}

/// The next two digits of z by z mod 16.
static PAIRS: [Pair; 256] = {
    let mut pairs = [Pair { digits: [Digit::ZERO; 2], value: [0; 2] }; 256];
    let mut i = 0;
    while i < 256 {
        let z = [(i & 15) as i8, (i >> 4) as i8];
        let low = Digit::of(z);
        let rest = low.rest(z);
        let high = Digit::of([rest[0] >> 1, rest[1] >> 1]);
        let ([a, b], [c, d]) = (low.coordinates(), high.coordinates());
        pairs[i] = Pair { digits: [low, high], value: [a + 2 * c, b + 2 * d] };
        i += 1;
    }
    pairs
};

/// The digits of k₁ + k₂·ω. For halves below 2^h all are 0 from h + 3 on.
#[inline(always)]
pub fn digits(halves: &[Half; 2]) -> Digits {
    /// Bits of a chunk of z: with what the digits before leave, it stays within an `i64`.
    const CHUNK: u32 = 62;
    let z = halves.map(|half| {
        let words = [half.magnitude as u64, (half.magnitude >> 64) as u64, 0];
        limbs::select(u64::from(half.negative).wrapping_neg(), &words, &limbs::sub(&[0; 3], &words).0)
    });
    let mut out = [Digit::ZERO; MAX_DIGITS];
    let mut left = [0i64; 2];
    for (number, chunk) in out.chunks_mut(CHUNK as usize).enumerate() {
        let low = (1 << CHUNK) - 1;
        for (left, [z0, z1, z2]) in left.iter_mut().zip(&z) {
            // Two's complement; what is above the last chunk is its sign.
            let bits = match number {
                0 => z0 & low,
                1 => (z0 >> CHUNK | z1 << (64 - CHUNK)) & low,
                _ => z1 >> (2 * CHUNK - 64) | z2 << (128 - 2 * CHUNK),
            };
            *left += bits as i64;
        }
        for pair in chunk.chunks_exact_mut(2) {
            let next = &PAIRS[(left[0] & 15 | (left[1] & 15) << 4) as usize];
            pair.copy_from_slice(&next.digits);
            left = [(left[0] - i64::from(next.value[0])) >> 2, (left[1] - i64::from(next.value[1])) >> 2];
        }
    }
    debug_assert!(left == [0; 2], "h + 3 digits are enough");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::small_order::{Order7, Order13, Order199};
    use crate::params::{CurveParams, Secp256k1};
    use field::Scalar;

    fn check<C: CurveParams>(k: Scalar<C::Order>) -> usize {
        let lambda = Scalar::from_words_reduced(&C::GLV.lambda);
        let digits = digits(&C::GLV.split(&k));
        let sum = digits.iter().rev().fold(Scalar::ZERO, |sum, digit| {
            let power = (0..digit.power()).fold(Scalar::ONE, |power, _| power.mul(&lambda));
            let unit = if digit.is_negative() { power.neg() } else { power };
            sum.add(&sum).add(&if digit.is_zero() { Scalar::ZERO } else { unit })
        });
        assert_eq!(sum, k);
        digits.iter().filter(|digit| !digit.is_zero()).count()
    }

    #[test]
    fn digits_sum_up() {
        type S = Scalar<<Secp256k1 as CurveParams>::Order>;
        assert!((0..7).map(|k| check::<Order7>(Scalar::from_u64(k))).sum::<usize>() > 0);
        assert!((0..13).map(|k| check::<Order13>(Scalar::from_u64(k))).sum::<usize>() > 0);
        assert!((0..199).map(|k| check::<Order199>(Scalar::from_u64(k))).sum::<usize>() > 0);
        let lambda = S::from_words_reduced(&Secp256k1::GLV.lambda);
        let (mut k, mut count) = (S::from_u64(3), 0);
        for i in 0..2000 {
            let small = S::from_u64(i % 40);
            [small, small.neg(), lambda.mul(&small), k.neg(), k.add(&small)].into_iter().for_each(|k| {
                check::<Secp256k1>(k);
            });
            k = k.mul(&k).add(&small);
            count += check::<Secp256k1>(k);
        }
        assert!((70 * 2000..72 * 2000).contains(&count), "{count}");
    }

    /// Halves at their bounds need the most digits.
    #[test]
    fn length() {
        let extremes = [0, 1, u128::MAX, u128::MAX - 1, 1 << 127];
        for a in extremes {
            for b in extremes {
                for signs in 0..4 {
                    let half = |magnitude, bit| Half { negative: signs >> bit & 1 == 1, magnitude };
                    digits(&[half(a, 0), half(b, 1)]);
                }
            }
        }
    }
}
