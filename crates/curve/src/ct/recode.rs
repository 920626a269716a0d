//! Signed odd digits of secret scalars: k = Σ dᵢ·2^(w i), every dᵢ odd and |dᵢ| < 2^w, the same number of digits for every k.
//!
//! For l = w·m bits, 2e − (2^l − 1) = Σ (2vᵢ − (2^w − 1))·2^(w i), where vᵢ are the windows of e in 0..2^l: so the digits of k
//! are read off e = (k + 2^l − 1)/2, and none is 0. Modulo an odd n every k has such an e below n.
//! - k·G: e = k/2 + (2^l − 1)/2 mod n.
//! - k·P by halves: s = k/2 + ((2^l − 1)/2 − 2^h)(1 + λ) mod n is split into s₁ + s₂λ, |sⱼ| < 2^h, and eⱼ = sⱼ + 2^h lies in
//!   0..2^l where l > h. Then Σⱼ (2eⱼ − (2^l − 1))·λʲ⁻¹ = 2s + (2^(h+1) − 2^l + 1)(1 + λ) = k.
//!
//! Sources: M. Joye, M. Tunstall, "Exponent recoding and regular exponentiation algorithms", AFRICACRYPT 2009, section 3.2
//! (odd signed digits); M. Hedabou, P. Pinel, L. Bénéteau, "Countermeasures for preventing comb method against SCA attacks",
//! ISPEC 2005 (the comb with them); the halving and the offsets mod n follow P. Wuille's remarks in libsecp256k1
//! (`ecmult_gen_impl.h`, `ecmult_const_impl.h`).

use crate::params::{Glv, LANES, Windows, base_split};
use arith::kernel::barrier;
use arith::limbs::{add_carry, sub_borrow};
use field::{Choice, FieldOps, Mask, Prime, SecretScalar};

/// Constants mod n of the recodings.
#[derive(Clone, Copy, Debug)]
pub struct Offsets<W> {
    /// 1/2.
    pub half: W,
    /// (2^l − 1)/2 for k·G.
    pub base: W,
    /// (2^l − 1)/2 for k·G in lanes.
    pub lanes: W,
    /// ((2^l − 1)/2 − 2^h)(1 + λ) for k·P.
    pub point: W,
    /// The same for a prepared P's windows.
    pub prepared: W,
    /// (2^l − 1)/2·(1 + 2^s) for k·G by the halves of e: [`odd_windows`](crate::vartime::odd_windows).
    pub base_halves: W,
}

impl<const N: usize> Offsets<[u64; N]> {
    /// The offsets for the order n.
    pub const fn new(n: &[u64; N], order_bits: u32, glv: &Glv<[u64; N]>, windows: &Windows) -> Self {
        let mut one = [0; N];
        one[0] = 1;
        // (n + 1)/2, without the carry of n + 1: (n − 1)/2 + 1.
        let (mut half, mut i) = ([0; N], 0);
        while i < N {
            half[i] = n[i] >> 1 | if i + 1 < N { n[i + 1] << 63 } else { 0 };
            i += 1;
        }
        let half = add_mod(&half, &one, n);
        let base = all_ones_halved(windows.ct_base * windows.count_ct_base(order_bits), &half, n);
        assert!(LANES * windows.lane_bits() >= order_bits, "the lanes hold every scalar");
        let lanes = all_ones_halved(LANES * windows.lane_bits(), &half, n);
        let point = of_halves(windows.ct_point * windows.count_ct_point(glv.half_bits), glv, &half, n);
        let prepared = of_halves(windows.prepared * windows.count_prepared(glv.half_bits), glv, &half, n);
        let digits = all_ones_halved(windows.odd_base(order_bits) * windows.count_odd_base(order_bits), &half, n);
        let base_halves = mul_mod(&digits, &add_mod(&power_of_2(base_split(order_bits), n), &one, n), n);
        Self { half, base, lanes, point, prepared, base_halves }
    }
}

/// a + b mod n.
const fn add_mod<const N: usize>(a: &[u64; N], b: &[u64; N], n: &[u64; N]) -> [u64; N] {
    let (mut sum, mut less) = ([0; N], [0; N]);
    let (mut carry, mut borrow, mut i) = (0, 0, 0);
    while i < N {
        (sum[i], carry) = add_carry(a[i], b[i], carry);
        (less[i], borrow) = sub_borrow(sum[i], n[i], borrow);
        i += 1;
    }
    if carry == 1 || borrow == 0 { less } else { sum }
}

/// a − b mod n.
const fn sub_mod<const N: usize>(a: &[u64; N], b: &[u64; N], n: &[u64; N]) -> [u64; N] {
    let (mut minus, mut borrow, mut i) = ([0; N], 0, 0);
    while i < N {
        (minus[i], borrow) = sub_borrow(n[i], b[i], borrow);
        i += 1;
    }
    add_mod(a, &minus, n)
}

/// 2^e mod n.
const fn power_of_2<const N: usize>(e: u32, n: &[u64; N]) -> [u64; N] {
    let (mut r, mut i) = ([0; N], 0);
    r[0] = 1;
    while i < e {
        r = add_mod(&r, &r, n);
        i += 1;
    }
    r
}

/// (2^l − 1)/2 = 2^(l − 1) − 1/2 mod n.
const fn all_ones_halved<const N: usize>(l: u32, half: &[u64; N], n: &[u64; N]) -> [u64; N] {
    sub_mod(&power_of_2(l - 1, n), half, n)
}

/// ((2^l − 1)/2 − 2^h)(1 + λ) mod n.
const fn of_halves<const N: usize>(l: u32, glv: &Glv<[u64; N]>, half: &[u64; N], n: &[u64; N]) -> [u64; N] {
    let offset = sub_mod(&all_ones_halved(l, half, n), &power_of_2(glv.half_bits, n), n);
    let mut one = [0; N];
    one[0] = 1;
    mul_mod(&offset, &add_mod(&glv.lambda, &one, n), n)
}

/// a·b mod n, by doublings.
const fn mul_mod<const N: usize>(a: &[u64; N], b: &[u64; N], n: &[u64; N]) -> [u64; N] {
    let (mut r, mut i) = ([0; N], 64 * N);
    while i > 0 {
        i -= 1;
        r = add_mod(&r, &r, n);
        if b[i / 64] >> (i % 64) & 1 == 1 {
            r = add_mod(&r, a, n);
        }
    }
    r
}

/// A digit as a row's number and a sign, both secret: of the window v, whose digit is 2v − (2^w − 1), the row of |digit|·P among
/// P, 3P, 5P …, and the lanes (all or none) in which it is negative.
#[inline(always)]
pub(crate) fn row_and_sign<F: FieldOps>(_f: F, v: u64, window: u32) -> (u32, Mask) {
    let negative = Choice::from_bit(v >> (window - 1) ^ 1);
    let row = (v ^ negative.mask()) & ((1 << (window - 1)) - 1);
    (row as u32, negative.lanes().and(Mask::all(F::LANES)))
}

/// The same for eight windows at once, that of lane l at bit `offset` + `stride`·l of e: the rows' numbers and the lanes with
/// negative digits.
#[inline(always)]
pub(crate) fn lane_rows_and_signs<Q: Prime>(
    e: &SecretScalar<Q>,
    offset: u32,
    stride: u32,
    window: u32,
) -> ([u32; LANES as usize], Mask) {
    let (mut rows, mut negative) = ([0; LANES as usize], 0);
    for (lane, row) in (0..LANES).zip(&mut rows) {
        let v = e.secret_bits(offset + stride * lane, window) as u32;
        let sign = v >> (window - 1) ^ 1;
        // All ones, by arithmetic: a subtraction from 0 of a bit.
        *row = (v ^ barrier(u64::from(sign).wrapping_neg()) as u32) & ((1 << (window - 1)) - 1);
        negative |= sign << lane;
    }
    (rows, Mask(negative))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::small_order::{Order7, Order13, Order199};
    use crate::params::{CurveParams, Secp256k1};
    use field::secp256k1::Portable5x52;
    use field::{Prime, Scalar, SecretScalar};

    /// Σ dᵢ·2^(w i) of the windows of k/2 + offset, from the rows and signs.
    fn sum_of_digits<C: CurveParams>(k: Scalar<C::Order>) -> Scalar<C::Order> {
        let window = C::WINDOWS.ct_base;
        let constant = |words| SecretScalar::from(Scalar::<C::Order>::from_words_reduced(words));
        let e = SecretScalar::from(k).mul(&constant(&C::OFFSETS.half)).add(&constant(&C::OFFSETS.base));
        (0..C::WINDOWS.count_ct_base(C::Order::BITS)).rev().fold(Scalar::ZERO, |sum, i| {
            let (row, negative) = row_and_sign(Portable5x52, e.secret_bits(window * i, window), window);
            assert!(row < 1 << (window - 1));
            let digit = Scalar::from_u64(2 * u64::from(row) + 1);
            let digit = if negative == Mask(1) { digit.neg() } else { digit };
            (0..window).fold(sum, |sum, _| sum.add(&sum)).add(&digit)
        })
    }

    #[test]
    fn odd_digits_sum_up() {
        (0..7).map(Scalar::from_u64).for_each(|k| assert_eq!(sum_of_digits::<Order7>(k), k));
        (0..13).map(Scalar::from_u64).for_each(|k| assert_eq!(sum_of_digits::<Order13>(k), k));
        (0..199).map(Scalar::from_u64).for_each(|k| assert_eq!(sum_of_digits::<Order199>(k), k));
        for k in (0..100).map(Scalar::from_u64) {
            assert_eq!(sum_of_digits::<Secp256k1>(k), k);
            assert_eq!(sum_of_digits::<Secp256k1>(k.neg()), k.neg());
        }
    }

    #[test]
    fn offsets_are_what_they_say() {
        type S = Scalar<<Secp256k1 as CurveParams>::Order>;
        let s = |words: &[u64; 4]| S::from_words_reduced(words);
        let power = |e: u32| (0..e).fold(S::ONE, |p, _| p.add(&p));
        let Offsets { half, base, lanes, point, prepared, base_halves } = Secp256k1::OFFSETS;
        let half = s(&half);
        assert_eq!(half.add(&half), S::ONE);
        assert_eq!(s(&base), power(258).sub(&S::ONE).mul(&half));
        assert_eq!(s(&lanes), power(256).sub(&S::ONE).mul(&half));
        let lambda = s(&Secp256k1::GLV.lambda);
        let digits = power(130).sub(&S::ONE).mul(&half).sub(&power(128));
        assert_eq!(s(&point), digits.mul(&S::ONE.add(&lambda)));
        let digits = power(133).sub(&S::ONE).mul(&half).sub(&power(128));
        assert_eq!(s(&prepared), digits.mul(&S::ONE.add(&lambda)));
        let digits = power(130).sub(&S::ONE).mul(&half);
        assert_eq!(s(&base_halves), digits.mul(&power(128).add(&S::ONE)));
    }
}
