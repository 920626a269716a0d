//! k = Σ dᵢ·2^(w i) with every dᵢ odd and |dᵢ| < 2^w, for public scalars in lanes: the same windows for every scalar, none empty.
//!
//! With l = w·m, 2e − (2^l − 1) = Σ (2vᵢ − (2^w − 1))·2^(w i) for the windows vᵢ of e in 0..2^l, as in
//! [`ct::recode`](crate::ct::recode), which also has the constants and the sources.
//! - b on P and λ·P: s = b/2 + ((2^l − 1)/2 − 2^h)(1 + λ) mod n is split into s₁ + s₂λ; eⱼ = sⱼ + 2^h.
//! - a on G and 2^s·G: e = a/2 + (2^l − 1)/2·(1 + 2^s) mod n is cut at bit s: e = e₁ + 2^s·e₂ gives
//!   (2e₁ − (2^l − 1)) + 2^s(2e₂ − (2^l − 1)) = 2e − (2^l − 1)(1 + 2^s) = a.
//!
//! A digit is written as the ladder takes it: ±(1 + the row's number), the row of |d| being (|d| − 1)/2.

use super::recode::bits_64;
use crate::params::{CurveParams, base_split};
use arith::limbs;
use field::{Prime, Scalar};

/// Words of an e: a bit more than two.
pub type Windowed = [u64; 3];

/// e₁ and e₂ of b, for windows of `ct_point` bits.
#[inline(always)]
pub fn of_point<C: CurveParams>(b: &Scalar<C::Order>) -> [Windowed; 2] {
    let s = b.half().add(&Scalar::from_words_reduced(&C::OFFSETS.point));
    C::GLV.split(&s).map(|half| {
        let magnitude = [half.magnitude as u64, (half.magnitude >> 64) as u64, 0];
        let mut middle = [0; 3];
        middle[C::GLV.half_bits as usize / 64] = 1 << (C::GLV.half_bits % 64);
        let (below, above) = (limbs::sub(&middle, &magnitude).0, limbs::add(&middle, &magnitude).0);
        limbs::select(u64::from(half.negative).wrapping_neg(), &above, &below)
    })
}

/// e₁ and e₂ of a, for windows of `odd_base` bits.
#[inline(always)]
pub fn of_base<C: CurveParams>(a: &Scalar<C::Order>) -> [Windowed; 2] {
    let e = a.half().add(&Scalar::from_words_reduced(&C::OFFSETS.base_halves));
    let split = const { base_split(C::Order::BITS) };
    [(0, split), (split, C::Order::BITS - split)]
        .map(|(from, bits)| [e.bits(from, bits.min(64)), e.bits(from + 64, bits.saturating_sub(64)), 0])
}

/// Writes the digits of e, lowest window first, `stride` places apart.
#[inline(always)]
pub fn digits_to(digits: &mut [i16], stride: usize, e: &Windowed, window: u32) {
    let rows = 1i16 << (window - 1);
    for (i, digit) in digits.iter_mut().step_by(stride).enumerate() {
        let v = (bits_64(e, i * window as usize) & ((1 << window) - 1)) as i16 - rows;
        *digit = v + i16::from(v >= 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Secp256k1;
    use crate::params::small_order::{Order7, Order13, Order199};

    type S<C> = Scalar<<C as CurveParams>::Order>;

    /// Σ dᵢ·2^(w i), with every promise about the digits checked.
    fn value<C: CurveParams>(e: &Windowed, window: u32, count: u32) -> S<C> {
        let mut digits = [0; 128];
        let digits = &mut digits[..count as usize];
        digits_to(digits, 1, e, window);
        digits.iter().rev().fold(S::<C>::ZERO, |sum, &digit| {
            assert!(digit != 0 && digit.unsigned_abs() <= 1 << (window - 1));
            let odd = S::<C>::from_u64(u64::from(2 * digit.unsigned_abs() - 1));
            (0..window).fold(sum, |sum, _| sum.add(&sum)).add(&if digit < 0 { odd.neg() } else { odd })
        })
    }

    fn check<C: CurveParams>(k: S<C>) {
        let (windows, bits) = (C::WINDOWS, C::Order::BITS);
        let [low, high] =
            of_base::<C>(&k).map(|e| value::<C>(&e, windows.odd_base(bits), windows.count_odd_base(bits)));
        let shifted = (0..base_split(bits)).fold(high, |high, _| high.add(&high));
        assert_eq!(low.add(&shifted), k);
        let [first, second] =
            of_point::<C>(&k).map(|e| value::<C>(&e, windows.ct_point, windows.count_ct_point(C::GLV.half_bits)));
        assert_eq!(first.add(&second.mul(&Scalar::from_words_reduced(&C::GLV.lambda))), k);
    }

    #[test]
    fn digits_sum_up() {
        (0..7).for_each(|k| check::<Order7>(Scalar::from_u64(k)));
        (0..13).for_each(|k| check::<Order13>(Scalar::from_u64(k)));
        (0..199).for_each(|k| check::<Order199>(Scalar::from_u64(k)));
        let mut k = S::<Secp256k1>::ONE;
        for i in 0..2000 {
            let small = S::<Secp256k1>::from_u64(i % 40);
            [small, small.neg(), k, k.neg(), k.add(&small)].into_iter().for_each(check::<Secp256k1>);
            k = if i < 256 { k.add(&k) } else { k.mul(&k).add(&small) };
        }
    }
}
