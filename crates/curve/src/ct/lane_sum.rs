//! The sum of all lanes' points: halves of the lanes are added to each other in lanes, the last ones with one element.
//!
//! Every addition is complete, so the points may be any, infinity included. Constant time.
//!
//! Cost for eight lanes: two additions in lanes, one of one element (measured: OPTIMIZATIONS.md, "k·G for secrets").

use crate::formulas::complete::add_complete_to;
use crate::params::{CurveParams, LANES};
use crate::point::Projective;
use arith::Words;
use field::FieldOps;
use field::ops::WordsOf;
use zeroize::Zeroize;

/// So many points are added up with one element.
const LAST: usize = 2;

/// The sum of the points in the lanes of p, in every lane of `g`. Inside a task of `f`.
#[inline(always)]
pub fn lane_sum<C, F, G>(f: F, g: G, p: &Projective<F>) -> Projective<G>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
    G: FieldOps<Prime = C::Field>,
{
    debug_assert_eq!(F::LANES, LANES as usize);
    let mut places = [*p, Projective::infinity(f)];
    let [p, spare] = &mut places;
    let (mut p, mut spare) = (p, spare);
    let mut lanes = F::LANES;
    while lanes > LAST {
        lanes /= 2;
        let turned = Projective { x: f.rotate(&p.x, lanes), y: f.rotate(&p.y, lanes), z: f.rotate(&p.z, lanes) };
        add_complete_to::<C, F>(f, spare, p, &turned);
        core::mem::swap(&mut p, &mut spare);
    }
    let mut words = [[<WordsOf<C::Field>>::ZERO; LANES as usize]; 3];
    let [x, y, z] = &mut words;
    f.store_all(&p.x, x);
    f.store_all(&p.y, y);
    f.store_all(&p.z, z);
    let point = |lane: usize| Projective { x: g.constant(&x[lane]), y: g.constant(&y[lane]), z: g.constant(&z[lane]) };
    let mut sum = point(0);
    for lane in 1..lanes {
        let mut r = Projective::infinity(g);
        add_complete_to::<C, G>(g, &mut r, &sum, &point(lane));
        sum = r;
    }
    places.zeroize();
    words.as_flattened_mut().iter_mut().for_each(Zeroize::zeroize);
    sum
}
