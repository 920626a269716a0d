//! P, 3P, 5P … (2m − 1)P of many points P, affine, in every lane its own: for m a power of two, one inversion for all points a level.
//!
//! Level 0 makes D₁ = 2P. Level k ≥ 1 has P … (2^k − 1)P and Dₖ = 2^k·P; it adds Dₖ to each of those, which gives as many more,
//! and doubles it for the next level, the last one excepted.
//!
//! Cost: m − 1 additions of 5M + 1S and log₂ m doublings of 5M + 2S a point, and 1 + log₂ m inversions for all of them, where
//! [`odd_multiples`](super::odd_multiples) with its one inversion takes 9M + 3S a multiple. No exception where 2m < n: there
//! i + 2^k is less than 2m. Vartime.
//! Source: P. Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", Math. Comp. 48 (1987),
//! section 10.3.1.

use crate::formulas::affine::{add, double, run, twice_y};
use crate::point::Affine;
use field::FieldOps;
use field::batch_inverse::{invert_vartime, product, reciprocal};

/// Places for each point: its multiples, and one more.
pub(super) const fn places(multiples: usize) -> usize {
    multiples + 1
}

/// Products for each point, of the denominators of a level: at most as many as the last one adds, or adds and doubles.
pub(super) const fn products(multiples: usize) -> usize {
    multiples / 2 + 1
}

/// The multiples of `points[g]` go to the places g·[`places`]`(multiples)` and those behind it. `kept` has [`products`]`(multiples)`
/// places for each point or more.
#[inline(always)]
pub(super) fn affine_multiples_to<F: FieldOps>(
    f: F,
    points: &[Affine<F>],
    multiples: usize,
    all: &mut [Affine<F>],
    kept: &mut [F::El<1>],
) {
    let places = places(multiples);
    for (p, list) in points.iter().zip(all.chunks_exact_mut(places)) {
        (list[0], list[multiples]) = (*p, *p);
    }
    let mut adding = 0;
    while adding < multiples {
        let doubling = adding < multiples / 2 || multiples == 1;
        // Forward: the products of all denominators.
        let mut before: Option<&F::El<1>> = None;
        let mut rest = &mut kept[..];
        for list in all.chunks_exact(places) {
            let (rows, d) = (&list[..adding], &list[multiples]);
            for i in 0..adding + usize::from(doubling) {
                let denominator = if i < adding { run(f, &rows[i], d) } else { twice_y(f, d) };
                let Some((place, behind)) = core::mem::take(&mut rest).split_first_mut() else { return };
                *place = product(f, &denominator, before);
                (before, rest) = (Some(&*place), behind);
            }
        }
        let Some(last) = before else { return };
        let mut inverse = invert_vartime(f, last);
        // Backward: each denominator's reciprocal, and the sum or the double by it.
        let mut next = (adding + usize::from(doubling)) * (all.len() / places);
        for list in all.chunks_exact_mut(places).rev() {
            let (rows, d) = list.split_at_mut(multiples);
            let mut twice = d[0];
            for i in (0..adding + usize::from(doubling)).rev() {
                next -= 1;
                let before = next.checked_sub(1).and_then(|below| kept.get(below));
                if i < adding {
                    let one_over = reciprocal(f, &mut inverse, &run(f, &rows[i], &d[0]), before);
                    rows[adding + i] = add(f, &rows[i], &d[0], &one_over);
                } else {
                    let one_over = reciprocal(f, &mut inverse, &twice_y(f, &d[0]), before);
                    twice = double(f, &d[0], &one_over);
                }
            }
            d[0] = twice;
        }
        adding = if adding == 0 { 1 } else { 2 * adding };
    }
}
