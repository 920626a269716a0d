//! k = Σ dᵢ·2^(w i) with every dᵢ odd and |dᵢ| < 2^w, for public scalars in lanes: the same windows for every scalar, none empty.
//!
//! With l = w·m, 2e − (2^l − 1) = Σ (2vᵢ − (2^w − 1))·2^(w i) for the windows vᵢ of e in 0..2^l, as in
//! [`ct::recode`](crate::ct::recode), which also has the constants and the sources.
//! - b on P and λ·P: s = b/2 + ((2^l − 1)/2 − 2^h)(1 + λ) mod n is split into s₁ + s₂λ; eⱼ = sⱼ + 2^h.
//! - a on G and 2^s·G: e = a/2 + (2^l − 1)/2·(1 + 2^s) mod n is cut at bit s: e = e₁ + 2^s·e₂ gives
//!   (2e₁ − (2^l − 1)) + 2^s(2e₂ − (2^l − 1)) = 2e − (2^l − 1)(1 + 2^s) = a.
//!
//! A digit picks the row of |d|, number (|d| − 1)/2, and the sign of its y.

use crate::params::{CurveParams, base_split};
use arith::limbs;
use field::ops::{MAX_LANES, WordsOf};
use field::{FieldOps, Mask, Prime, Scalar};

/// Words of an e: a bit more than two.
const WORDS: usize = 3;
/// An e.
pub type Windowed = [u64; WORDS];

/// e₁ and e₂ of b, for windows of `ct_point` bits.
#[inline(always)]
pub fn of_point<C: CurveParams>(b: &Scalar<C::Order>) -> [Windowed; 2] {
    of_halves::<C>(b, &C::OFFSETS.point)
}

/// e₁ and e₂ of b, for the windows of this offset.
#[inline(always)]
pub fn of_halves<C: CurveParams>(b: &Scalar<C::Order>, offset: &WordsOf<C::Field>) -> [Windowed; 2] {
    let s = b.half().add(&Scalar::from_words_reduced(offset));
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

/// What the lowest `bits` bits of v, a window of an e, pick: the row's number, and whether the point is subtracted.
#[inline(always)]
pub fn pick(v: u64, bits: u32) -> (usize, bool) {
    let is_negative = v >> (bits - 1) & 1 == 0;
    let row = if is_negative { !v } else { v } & ((1 << (bits - 1)) - 1);
    (row as usize, is_negative)
}

/// The e of every lane, word by word, so that a window of all lanes is read by vector instructions.
pub struct Lanes {
    words: [[u64; MAX_LANES]; WORDS + 1],
}

/// What a window picks in every lane: the row's number, and where the point is subtracted.
pub struct Picks {
    /// Numbers of rows.
    pub rows: [u32; MAX_LANES],
    /// The lanes whose digit is below 0.
    pub negative: Mask,
}

impl Lanes {
    /// All zero.
    pub const ZERO: Self = Self { words: [[0; MAX_LANES]; WORDS + 1] };

    /// Sets the e of a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, e: &Windowed) {
        for (words, e) in self.words.iter_mut().zip(e) {
            words[lane] = *e;
        }
    }

    /// The `bits` bits from `position` on, in every lane.
    #[inline(always)]
    pub fn picks<F: FieldOps>(&self, _f: F, position: u32, bits: u32) -> Picks {
        let (word, shift) = ((position / 64) as usize, position % 64);
        let (low, high) = (&self.words[word][..F::LANES], &self.words[word + 1][..F::LANES]);
        let (mut rows, mut negative) = ([0; MAX_LANES], 0);
        for (l, ((row, low), high)) in rows[..F::LANES].iter_mut().zip(low).zip(high).enumerate() {
            // In two steps, so that a shift of 64 leaves nothing.
            let v = low >> shift | high << 1 << (63 - shift);
            let is_negative = v >> (bits - 1) & 1 ^ 1;
            *row = ((v ^ is_negative.wrapping_neg()) & ((1 << (bits - 1)) - 1)) as u32;
            negative |= (is_negative as u32) << l;
        }
        Picks { rows, negative: Mask(negative) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Secp256k1;
    use crate::params::small_order::{Order7, Order13, Order199};
    use field::secp256k1::Portable5x52;

    type S<C> = Scalar<<C as CurveParams>::Order>;

    /// Σ dᵢ·2^(w i), with every promise about the digits checked.
    fn value<C: CurveParams>(e: &Windowed, window: u32, count: u32) -> S<C> {
        let mut lanes = Lanes::ZERO;
        lanes.set(0, e);
        (0..count).rev().fold(S::<C>::ZERO, |sum, i| {
            let Picks { rows, negative } = lanes.picks(Portable5x52, i * window, window);
            assert!(rows[0] < 1 << (window - 1));
            let odd = S::<C>::from_u64(u64::from(2 * rows[0] + 1));
            (0..window).fold(sum, |sum, _| sum.add(&sum)).add(&if negative == Mask(1) { odd.neg() } else { odd })
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
