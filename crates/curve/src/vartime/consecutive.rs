//! k·G, (k + 1)·G, (k + 2)·G, …: a multiplication for the first, an addition of G for each further one.
//!
//! Cost a point: a mixed addition (7M + 4S), and by [`to_affine_batch`] 6M + 1S and a share of one inversion. Vartime.

use super::{mul_base, to_affine_batch};
use crate::formulas::a_zero::add_mixed_any_in;
use crate::params::CurveParams;
use crate::point::{AffinePoint, Jacobian};
use alloc::{vec, vec::Vec};
use field::{FieldOps, Mask, Scalar, Task};

/// (k + i)·G for each place i of `out`, `None` for infinity.
pub fn consecutive_multiples<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    k: &Scalar<C::Order>,
    out: &mut [Option<AffinePoint<C>>],
) {
    let first = mul_base::<C, F>(f, k);
    let mut points = vec![first; out.len()];
    f.outline(AddGenerator::<C, F> { f, points: &mut points, generator: AffinePoint::GENERATOR });
    to_affine_batch(f, &points, out);
}

/// pᵢ = pᵢ₋₁ + G from the second point on.
struct AddGenerator<'a, C: CurveParams, F: FieldOps<Prime = C::Field>> {
    f: F,
    points: &'a mut Vec<Jacobian<F>>,
    generator: AffinePoint<C>,
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for AddGenerator<'_, C, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, points, generator } = self;
        let Some(first) = points.first() else { return };
        let generator = generator.load(f);
        let mut places = [*first; 2];
        let [p, spare] = &mut places;
        let (mut p, mut spare) = (p, spare);
        for point in points.iter_mut().skip(1) {
            add_mixed_any_in(f, &mut p, &mut spare, &generator, Mask::all(F::LANES));
            *point = *p;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secp256k1;
    use crate::vartime::to_affine;
    use field::secp256k1::Portable5x52;

    /// Also through the order, where infinity and the doubling of G lie.
    #[test]
    fn each_is_its_multiple() {
        let f = Portable5x52;
        for start in [Scalar::from_u64(12345), Scalar::ZERO, Scalar::ONE, Scalar::from_u64(3).neg()] {
            for count in [0, 1, 2, 7] {
                let mut out = vec![None; count];
                consecutive_multiples::<Secp256k1, _>(f, &start, &mut out);
                let mut k = start;
                for point in out {
                    assert_eq!(point, to_affine(f, &mul_base::<Secp256k1, _>(f, &k)));
                    k = k.add(&Scalar::ONE);
                }
            }
        }
    }
}
