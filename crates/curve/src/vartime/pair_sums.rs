//! Aᵢ + Bᵢ for many pairs of affine points, in every lane its own, with one inversion.
//!
//! 1. Forward: the products of the differences x(B) − x(A), kept.
//! 2. The caller inverts the last product, for several lists of pairs at once.
//! 3. Backward: 1/(x(B) − x(A)) of each pair, and the sum by it, which takes A's place.
//!
//! Where a pair has equal or opposite points the product is 0, and in that lane no sum is known: the caller adds one by one.
//!
//! Cost: 5M + 1S a pair. Vartime.
//! Source: P. Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", Math. Comp. 48 (1987),
//! section 10.3.1.

use crate::formulas::affine::{add, run};
use crate::point::Affine;
use field::FieldOps;
use field::batch_inverse::{product, reciprocal};

/// Two points in every lane.
pub(super) type Pair<F> = [Affine<F>; 2];

/// Step 1 for one more pair: the product of all differences up to it, `before` being that of the ones before it.
#[inline(always)]
pub(super) fn forward<F: FieldOps>(f: F, [a, b]: &Pair<F>, before: Option<&F::El<1>>) -> F::El<1> {
    product(f, &run(f, a, b), before)
}

/// Step 3: `pairs[i][0]` becomes the sum, given the products of step 1 and the inverse of the last one.
#[inline(always)]
pub(super) fn backward<F: FieldOps>(f: F, pairs: &mut [Pair<F>], products: &[F::El<1>], inverse: &F::El<1>) {
    let mut inverse = *inverse;
    for (i, [a, b]) in pairs.iter_mut().enumerate().rev() {
        let before = i.checked_sub(1).and_then(|below| products.get(below));
        let one_over = reciprocal(f, &mut inverse, &run(f, a, b), before);
        *a = add(f, a, b, &one_over);
    }
}
