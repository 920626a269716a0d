//! What takes time that depends on its operands: public points and public scalars only.

pub mod mul_base;
pub mod mul_double_base;
pub mod odd_multiples;
pub mod recode;
pub mod straus;

use crate::params::CurveParams;
use crate::point::{AffinePoint, Jacobian};
use alloc::vec::Vec;
use arith::limbs;
use field::batch_inverse::batch_invert_vartime;
use field::ops::WordsOf;
use field::{FieldOps, Prime, Row, Scalar};

pub use mul_base::mul_base;
pub use mul_double_base::{mul, mul_double_base};

/// The affine point of lane 0, or `None` for infinity. One inversion.
#[inline]
pub fn to_affine<C: CurveParams, F: FieldOps<Prime = C::Field>>(f: F, p: &Jacobian<F>) -> Option<AffinePoint<C>> {
    let z = f.store(&p.z, 0);
    if limbs::is_zero_mask(&z) != 0 {
        return None;
    }
    Some(AffinePoint::from_computed(scaled(f, p, &C::Field::invert_vartime(&z))))
}

/// The affine points of lane 0, `None` for infinity, for as many as both slices have. One inversion for all.
pub fn to_affine_batch<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    points: &[Jacobian<F>],
    out: &mut [Option<AffinePoint<C>>],
) {
    let z: Vec<_> = points.iter().map(|p| p.z).collect();
    let mut inverses = z.clone();
    batch_invert_vartime(f, &z, &mut inverses);
    for ((p, inverse), out) in points.iter().zip(&inverses).zip(out) {
        let inverse = f.store(inverse, 0);
        let finite = limbs::is_zero_mask(&inverse) == 0;
        *out = finite.then(|| AffinePoint::from_computed(scaled(f, p, &inverse)));
    }
}

/// (X/Z², Y/Z³) of lane 0, given 1/Z. 3M + 1S.
#[inline(always)]
pub(crate) fn scaled<F: FieldOps>(f: F, p: &Jacobian<F>, inverse: &WordsOf<F::Prime>) -> Row<WordsOf<F::Prime>> {
    let inverse = f.constant(inverse);
    let square = f.sqr(&inverse);
    let x = f.mul(&p.x, &square);
    let y = f.mul(&p.y, &f.mul(&square, &inverse));
    Row { x: f.store(&x, 0), y: f.store(&y, 0) }
}

/// Is x(P) = r mod n, without an inversion? Infinity has no x: no. Lane 0.
///
/// x(P) is one of the r + k·n below p. Where n < p < 2n these are r and, if r < p − n, r + n: each is compared as X = x·Z².
/// Where p is more than twice n they are too many: the affine x is reduced.
#[inline]
pub fn x_equals_order_residue<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    p: &Jacobian<F>,
    r: &Scalar<C::Order>,
) -> bool {
    if !C::FIELD_BELOW_TWICE_ORDER {
        return to_affine::<C, F>(f, p).is_some_and(|p| Scalar::from_words_reduced(p.x_words()) == *r);
    }
    let lane_0 = |mask: field::Mask| mask.0 & 1 == 1;
    if lane_0(p.is_infinite(f)) {
        return false;
    }
    let zz = f.sqr(&p.z);
    let is_x = |x: &WordsOf<C::Field>| lane_0(f.is_zero(&f.mul_sub(&f.constant(x), &zz, &p.x)));
    let (field, order) = (&C::Field::MODULUS.m, &C::Order::MODULUS.m);
    // r + n < p exactly if r < p − n.
    is_x(r.words()) || limbs::less_than(r.words(), &limbs::sub(field, order).0) && is_x(&limbs::add(r.words(), order).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secp256k1;
    use field::secp256k1::Portable5x52;

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
