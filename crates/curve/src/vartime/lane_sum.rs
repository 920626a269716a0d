//! The sum of all lanes' points: halves of the lanes are added to each other.
//!
//! Cost for eight lanes: three additions of 12M + 2S in lanes. Vartime: exceptional additions are repeated by the cold path.

use crate::formulas::xyzz::{AddAnyXyzz, add_xyzz_to};
use crate::point::Xyzz;
use field::FieldOps;

/// The sum of the points in the lanes of p, in lane 0. Inside a task.
#[inline(always)]
pub(super) fn lane_sum<F: FieldOps>(f: F, p: &Xyzz<F>) -> Xyzz<F> {
    let mut places = [*p; 2];
    let [sum, next] = &mut places;
    let (mut sum, mut next) = (sum, next);
    let mut by = F::LANES / 2;
    while by > 0 {
        let turned = sum.rotate(f, by);
        if add_xyzz_to(f, next, sum, &turned).any() {
            f.outline(AddAnyXyzz { f, r: next, p: sum, q: &turned });
        }
        core::mem::swap(&mut sum, &mut next);
        by /= 2;
    }
    *sum
}
