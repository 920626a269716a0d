//! The sum of all lanes' points: four additions at once, one a lane; then two, and then one, with their products spread over lanes.
//!
//! Every addition is complete, so the points may be any, infinity included. Constant time.
//!
//! Cost for eight lanes: an addition in lanes and twice [`add_complete_across`] (measured: OPTIMIZATIONS.md, "The sum of lanes").

use crate::formulas::complete::{add_complete_across, add_complete_to, everywhere};
use crate::params::{CurveParams, LANES};
use crate::point::Projective;
use field::FieldOps;
use zeroize::{Zeroize, Zeroizing};

/// The sum of the points in the lanes of p, in every lane of `g`. Inside a task of `f`.
#[inline(always)]
pub fn lane_sum<C, F, G>(f: F, g: G, p: &Projective<F>) -> Projective<G>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
    G: FieldOps<Prime = C::Field>,
{
    debug_assert_eq!(F::LANES, LANES as usize);
    let mut places = [Projective::infinity(f); 2];
    let [sum, turned] = &mut places;
    add_complete_to::<C, F>(f, sum, p, &p.rotate(f, 4));
    // Lanes l and l + 4 are equal from here on, and l and l + 2 after the next.
    *turned = sum.rotate(f, 2);
    let [x, y, z] = everywhere(f, &add_complete_across::<C, F>(f, sum, turned));
    *sum = Projective { x, y, z };
    *turned = sum.rotate(f, 1);
    let mut last = add_complete_across::<C, F>(f, sum, turned);
    let (x, y, z) = (f.store(&last, 0), f.store(&last, 2), f.store(&last, 4));
    let [x, y, z] = [x, y, z].map(Zeroizing::new);
    let sum = Projective { x: g.constant(&x), y: g.constant(&y), z: g.constant(&z) };
    last.zeroize();
    places.zeroize();
    sum
}
