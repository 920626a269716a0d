//! Multiplication by secret scalars: the same instructions and addresses for every scalar, and nothing of it left in memory
//! that this code names.
//!
//! What the compiler keeps in registers and spills is not wiped. That the generated code has no branch and no address that
//! depends on a secret is checked by running it with poisoned scalars (`cargo xtask constant-time`).

pub mod eisenstein;
pub mod lane_sum;
pub mod mul_base;
pub mod mul_point;
pub mod recode;

use crate::params::CurveParams;
use crate::point::{AffinePoint, Projective};
use arith::limbs;
use field::ops::WordsOf;
use field::{FieldOps, Prime, Row};
use zeroize::Zeroizing;

pub use mul_base::lanes::mul_base_lanes;
pub use mul_base::windows::mul_base_windows;
pub use mul_point::lanes::mul_point_lanes;
pub use mul_point::windows::mul_point_windows;

/// The affine point, which must not be infinite: k·P is not for a k other than 0. That of lane 0. One inversion.
///
/// The answer may be as secret as the point was: whoever takes it wipes it. For infinity the answer is G, and debug builds stop.
#[inline]
pub fn to_affine<C: CurveParams, F: FieldOps<Prime = C::Field>>(f: F, p: &Projective<F>) -> AffinePoint<C> {
    let z = Zeroizing::new(f.store(&p.z, 0));
    let inverse = Zeroizing::new(C::Field::invert(&z));
    scaled::<C, F>(f, p, &z, &inverse)
}

/// (X/Z, Y/Z) for the words of Z and of 1/Z.
#[inline(always)]
fn scaled<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    p: &Projective<F>,
    z: &WordsOf<C::Field>,
    inverse: &WordsOf<C::Field>,
) -> AffinePoint<C> {
    let infinite = limbs::is_zero_mask(z);
    debug_assert!(cfg!(windlass_ct_check) || infinite == 0, "the point is finite");
    let inverse = f.constant(inverse);
    let row = Row { x: f.store(&f.mul(&p.x, &inverse), 0), y: f.store(&f.mul(&p.y, &inverse), 0) };
    AffinePoint::from_computed(Row {
        x: limbs::select(infinite, &row.x, &C::GENERATOR.x),
        y: limbs::select(infinite, &row.y, &C::GENERATOR.y),
    })
}
