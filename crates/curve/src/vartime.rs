//! What takes time that depends on its operands: public points and public scalars only.

mod affine_multiples;
pub mod consecutive;
pub mod eisenstein;
pub mod fixed_base_windows;
mod lane_sum;
pub mod mul_base;
pub mod mul_double_base;
pub mod mul_double_base_each;
pub mod mul_double_base_spread;
pub mod odd_multiples;
pub mod odd_windows;
mod pair_sums;
pub mod recode;
pub mod straus;

use crate::lanes::LANE_NUMBERS;
use crate::params::CurveParams;
use crate::point::{Affine, AffinePoint, Jacobian};
use alloc::vec::Vec;
use arith::{Words, limbs};
use field::batch_inverse::{batch_invert_vartime, invert_vartime};
use field::ops::{MAX_LANES, WordsOf};
use field::{FieldOps, Mask, Prime, Row, Scalar, Task};

pub use fixed_base_windows::{PreparedPoint, mul_double_base_prepared};
pub use mul_base::mul_base;
pub use mul_double_base::{mul, mul_double_base};
#[doc(hidden)]
pub use mul_double_base_each::CROSSOVERS as EACH_CROSSOVERS;
pub use mul_double_base_each::{Workspace as EachWorkspace, mul_double_base_each};
pub use mul_double_base_spread::mul_double_base_spread;

/// The affine point of lane 0, or `None` for infinity. One inversion.
#[inline]
pub fn to_affine<C: CurveParams, F: FieldOps<Prime = C::Field>>(f: F, p: &Jacobian<F>) -> Option<AffinePoint<C>> {
    let z = f.store(&p.z, 0);
    if limbs::is_zero_mask(&z) != 0 {
        return None;
    }
    let point = scaled(f, p, &f.constant(&C::Field::invert_vartime(&z)));
    Some(AffinePoint::from_computed(Row { x: f.store(&point.x, 0), y: f.store(&point.y, 0) }))
}

/// The affine points of all lanes, `None` for infinity: lane l of `points[i]` is `out[i·LANES + l]`, for as many as both slices
/// have. One inversion for all.
pub fn to_affine_batch<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    points: &[Jacobian<F>],
    out: &mut [Option<AffinePoint<C>>],
) {
    f.outline(ToAffineBatch { f, points, out });
}

struct ToAffineBatch<'a, C: CurveParams, F: FieldOps> {
    f: F,
    points: &'a [Jacobian<F>],
    out: &'a mut [Option<AffinePoint<C>>],
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for ToAffineBatch<'_, C, F> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Self { f, points, out } = self;
        let z: Vec<_> = points.iter().map(|p| p.z).collect();
        let mut inverses = z.clone();
        batch_invert_vartime(f, &z, &mut inverses);
        let mut rows = [C::GENERATOR; MAX_LANES];
        for ((p, inverse), out) in points.iter().zip(&inverses).zip(out.chunks_mut(F::LANES)) {
            let infinite = f.is_zero(inverse);
            let point = scaled(f, p, inverse);
            f.store_rows(&point.x, &point.y, &mut rows, &LANE_NUMBERS[..F::LANES]);
            for (l, (out, row)) in out.iter_mut().zip(&rows).enumerate() {
                *out = (infinite.0 >> l & 1 == 0).then(|| AffinePoint::from_computed(*row));
            }
        }
    }
}

/// (X/Z², Y/Z³), given 1/Z. 3M + 1S.
#[inline(always)]
pub(crate) fn scaled<F: FieldOps>(f: F, p: &Jacobian<F>, inverse: &F::El<1>) -> Affine<F> {
    let square = f.sqr(inverse);
    Affine { x: f.mul(&p.x, &square), y: f.mul(&p.y, &f.mul(&square, inverse)) }
}

/// Is x(P) = r mod n, without an inversion? Infinity has no x: no. Lane 0.
#[inline]
pub fn x_equals_order_residue<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    p: &Jacobian<F>,
    r: &Scalar<C::Order>,
) -> bool {
    x_equals_order_residue_each::<C, F>(f, p, &[*r; MAX_LANES][..F::LANES]).0 & 1 == 1
}

/// The lanes l in which x(P) = `r[l]` mod n, without an inversion. Infinity has no x; lanes that `r` does not have are not set.
///
/// x(P) is one of the r + k·n below p. Where n < p < 2n these are r and, if r < p − n, r + n: each is compared as X = x·Z².
/// Where p is more than twice n they are too many: the affine x is reduced.
#[inline]
pub fn x_equals_order_residue_each<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    p: &Jacobian<F>,
    r: &[Scalar<C::Order>],
) -> Mask {
    f.outline(XEqualsOrderResidue::<C, F> { f, p, r })
}

struct XEqualsOrderResidue<'a, C: CurveParams, F: FieldOps> {
    f: F,
    p: &'a Jacobian<F>,
    r: &'a [Scalar<C::Order>],
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for XEqualsOrderResidue<'_, C, F> {
    type Out = Mask;

    #[inline(always)]
    fn run(self) -> Mask {
        let Self { f, p, r } = self;
        let mut x = [<WordsOf<C::Field>>::ZERO; MAX_LANES];
        let mut present = 0;
        if !C::FIELD_BELOW_TWICE_ORDER {
            let affine = scaled(f, p, &invert_vartime(f, &p.z));
            f.store_all(&affine.x, &mut x);
            for (l, (x, r)) in x[..F::LANES].iter().zip(r).enumerate() {
                present |= u32::from(Scalar::<C::Order>::from_words_reduced(x) == *r) << l;
            }
            return Mask(present & !p.is_infinite(f).0);
        }
        let (field, order) = (&C::Field::MODULUS.m, &C::Order::MODULUS.m);
        let (above_order, _) = limbs::sub(field, order);
        // r + n < p exactly if r < p − n.
        let mut second = 0;
        for (l, (x, r)) in x[..F::LANES].iter_mut().zip(r).enumerate() {
            *x = *r.words();
            present |= 1 << l;
            second |= u32::from(limbs::less_than(x, &above_order)) << l;
        }
        let zz = f.sqr(&p.z);
        let mut equal = is_x(f, &x, &zz, &p.x).0;
        if second != 0 {
            x[..F::LANES].iter_mut().for_each(|x| *x = limbs::add(x, order).0);
            equal |= is_x(f, &x, &zz, &p.x).0 & second;
        }
        Mask(equal & present & !p.is_infinite(f).0)
    }
}

/// The lanes l in which `x[l]`·Z² = X.
#[inline(always)]
fn is_x<F: FieldOps>(f: F, x: &[WordsOf<F::Prime>], zz: &F::El<1>, px: &F::El<1>) -> Mask {
    f.is_zero(&f.mul_sub(&f.load(x), zz, px))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secp256k1;
    use field::secp256k1::Portable5x52;
    use testkit::array8::{Array8, LANES};

    /// Where there is no r, nothing is equal: not even X = 0, which no lane without r may be told from.
    #[test]
    fn lanes_without_r_are_not_set() {
        let f = Array8(Portable5x52);
        for x in [0, 5] {
            let [x, one] = [x, 1].map(|value| f.constant(&[value, 0, 0, 0]));
            let p = Jacobian { x, y: one, z: one };
            for count in 1..=LANES {
                let r = [Scalar::from_u64(5); LANES];
                let equal = x_equals_order_residue_each::<Secp256k1, _>(f, &p, &r[..count]);
                let expected = if f.store(&p.x, 0)[0] == 5 { Mask::all(count) } else { Mask(0) };
                assert_eq!(equal, expected, "{count}");
            }
        }
    }

    /// Infinity has no x, whatever stands in its X.
    #[test]
    fn infinity_has_no_residue() {
        let f = Portable5x52;
        for x in [[0, 0, 0, 0], [1, 0, 0, 0], [7, 0, 0, 0]] {
            let p = Jacobian { x: f.constant(&x), y: f.constant(&[1, 0, 0, 0]), z: f.constant(&[0; 4]) };
            for r in [0, 1, 7] {
                assert!(!x_equals_order_residue::<Secp256k1, _>(f, &p, &Scalar::from_u64(r)));
            }
        }
    }
}
