//! aₗ·G + bₗ·Pₗ for public scalars, in every lane l its own point and scalars: one ladder for LANES sums.
//!
//! 1. The odd multiples of every P, affine: of few points by one inversion for all of them ([`odd_multiples`](super::odd_multiples)),
//!    of many by five (`affine_multiples`).
//! 2. The halves of b and of a in windows of odd digits ([`odd_windows`](super::odd_windows)): the same steps in every lane. The
//!    two halves of a scalar share positions, so that their points are added in pairs first, all pairs of all groups with one
//!    inversion (`pair_sums`); those of λ·P are (βx, y).
//! 3. [`Straus`] over the pairs' sums. A group of lanes that has a pair without a sum, of equal or opposite points, adds all its
//!    points one by one: a third more work, and no more than that, whatever the points and scalars are.
//!
//! Cost for 256 bits, windows of 5 and 13 bits, a lane: 125 doublings, 35 mixed additions, 36 sums of pairs and 26M for β, 16 rows
//! of 9M + 3S. With one lane the sums are those of [`mul_double_base`](super::mul_double_base), row by row. Vartime.
//!
//! Sources: as there.

use super::affine_multiples::{affine_multiples_to, places, products};
use super::mul_double_base::mul_double_base_of;
use super::odd_multiples::{chain_to, rescale};
use super::odd_windows::{Lanes, Picks, of_base, of_point};
use super::pair_sums::{Pair, backward, forward};
use super::straus::{Step, Straus};
use crate::params::CurveParams;
use crate::point::{Affine, Jacobian, zero};
use alloc::vec::Vec;
use arith::Words;
use arith::kernel::prefetch;
use field::batch_inverse::batch_invert_vartime;
use field::ops::{MAX_LANES, WordsOf};
use field::{FieldOps, Prime, Row, Scalar, Task};

/// What the sums are computed in: it grows to what the largest call needs, and a later call finds it there.
pub struct Workspace<F: FieldOps> {
    multiples: Vec<Affine<F>>,
    ratios: Vec<F::El<1>>,
    pairs: Vec<Pair<F>>,
    products: Vec<F::El<1>>,
    last: Vec<F::El<1>>,
    inverses: Vec<F::El<1>>,
    rows: Vec<Row<WordsOf<F::Prime>>>,
}

impl<F: FieldOps> Workspace<F> {
    /// Nothing as yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            multiples: Vec::new(),
            ratios: Vec::new(),
            pairs: Vec::new(),
            products: Vec::new(),
            last: Vec::new(),
            inverses: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn grow(&mut self, f: F, shape: &Shape, groups: usize) {
        let together = groups.min(shape.groups_together::<F>());
        grow(&mut self.multiples, places(shape.multiples) * groups, Affine::place(f));
        grow(&mut self.ratios, shape.ratios::<F>(groups) * groups, zero(f));
        grow(&mut self.pairs, shape.pairs * together, [Affine::place(f); 2]);
        grow(&mut self.products, shape.pairs * together, zero(f));
        self.rows.resize(shape.multiples * F::LANES, Row { x: Words::ZERO, y: Words::ZERO });
    }

    /// 1/`last`, in every lane.
    fn invert_last(&mut self, f: F) {
        self.inverses.clone_from(&self.last);
        batch_invert_vartime(f, &self.last, &mut self.inverses);
    }
}

/// What is there already stays: it is overwritten before it is read.
fn grow<T: Clone>(places: &mut Vec<T>, count: usize, fill: T) {
    if places.len() < count {
        places.resize(count, fill);
    }
}

impl<F: FieldOps> Default for Workspace<F> {
    fn default() -> Self {
        Self::new()
    }
}

/// `sums[g]`, lane l = a·G + b·P with P = lane l of `points[g]` and a, b number g·LANES + l of theirs, 1 where they end: so no lane
/// that is not wanted is exceptional. For as many groups g as both `points` and `sums` have; memory grows with their number.
/// Vartime.
pub fn mul_double_base_each<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    workspace: &mut Workspace<F>,
    a: &[Scalar<C::Order>],
    points: &[Affine<F>],
    b: &[Scalar<C::Order>],
    sums: &mut [Jacobian<F>],
) {
    if F::LANES == 1 {
        for (i, (p, sum)) in points.iter().zip(sums).enumerate() {
            *sum = mul_double_base_of::<C, F>(f, &at::<C>(a, i), p, &at::<C>(b, i));
        }
        return;
    }
    let shape = &const { Shape::of::<C>() };
    let groups = points.len().min(sums.len());
    workspace.grow(f, shape, groups);
    f.outline(Multiples { f, points: &points[..groups], shape, workspace });

    let steps = [1, 2].map(steps::<C>);
    let together = shape.groups_together::<F>();
    for (number, sums) in sums[..groups].chunks_mut(together).enumerate() {
        let Workspace { multiples, pairs, products, last, rows, .. } = &mut *workspace;
        let multiples = multiples.chunks_exact(places(shape.multiples)).skip(number * together);
        let lists = pairs.chunks_exact_mut(shape.pairs).zip(products.chunks_exact_mut(shape.pairs));
        last.clear();
        for (g, (multiples, (pairs, products))) in multiples.zip(lists).take(sums.len()).enumerate() {
            let first = (number * together + g) * F::LANES;
            let [a, b] = [a, b].map(|scalars| scalars.get(first..).unwrap_or(&[]));
            last.push(f.outline(Pairs::<C, F> { f, a, b, multiples, rows, pairs, products }));
        }
        workspace.invert_last(f);
        let Workspace { pairs, products, inverses, .. } = &mut *workspace;
        let lists = pairs.chunks_exact_mut(shape.pairs).zip(products.chunks_exact(shape.pairs));
        for (((pairs, products), inverse), sum) in lists.zip(inverses).zip(sums) {
            *sum = f.outline(Sum { f, pairs, products, inverse, steps: &steps });
        }
    }
}

/// Scalar i, 1 where they end.
#[inline(always)]
fn at<C: CurveParams>(scalars: &[Scalar<C::Order>], i: usize) -> Scalar<C::Order> {
    scalars.get(i).copied().unwrap_or(Scalar::ONE)
}

/// How many of what.
struct Shape {
    /// Odd multiples of P.
    multiples: usize,
    /// Windows of each half of b, and their bits.
    of_point: usize,
    point_bits: u32,
    /// Windows of each half of a, and their bits.
    of_base: usize,
    base_bits: u32,
    /// Pairs of points: those of b's windows, then those of a's.
    pairs: usize,
}

impl Shape {
    const fn of<C: CurveParams>() -> Self {
        let (windows, bits) = (C::WINDOWS, C::Order::BITS);
        let of_point = windows.count_ct_point(C::GLV.half_bits) as usize;
        let of_base = windows.count_odd_base(bits) as usize;
        Self {
            multiples: 1 << (windows.ct_point - 1),
            of_point,
            point_bits: windows.ct_point,
            of_base,
            base_bits: windows.odd_base(bits),
            pairs: of_point + of_base,
        }
    }

    /// Are there so many rows that an inversion a level is worth it?
    const fn is_affine<F: FieldOps>(groups: usize) -> bool {
        groups * F::LANES >= AFFINE_FROM
    }

    /// Elements that a group's multiples need beside them.
    const fn ratios<F: FieldOps>(&self, groups: usize) -> usize {
        if Self::is_affine::<F>(groups) { products(self.multiples) } else { self.multiples }
    }

    /// How many groups of lanes share the pairs' inversion.
    const fn groups_together<F: FieldOps>(&self) -> usize {
        PAIRED_TOGETHER.div_ceil(F::LANES)
    }
}

/// Rows whose pairs share an inversion: few enough for the second-level cache to hold the pairs.
const PAIRED_TOGETHER: usize = 64;

/// From so many rows on, 1 + log₂ m inversions cost less than what they save.
const AFFINE_FROM: usize = 64;

/// The numbers of rows from which on something is done in another way than for fewer. Tests look closer there.
#[doc(hidden)]
pub const CROSSOVERS: [usize; 2] = [AFFINE_FROM, PAIRED_TOGETHER + 1];

/// Step 1.
struct Multiples<'a, F: FieldOps> {
    f: F,
    points: &'a [Affine<F>],
    shape: &'a Shape,
    workspace: &'a mut Workspace<F>,
}

impl<F: FieldOps> Task for Multiples<'_, F> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Self { f, points, shape: Shape { multiples: count, .. }, workspace } = self;
        let Workspace { multiples, ratios, last, .. } = workspace;
        if Shape::is_affine::<F>(points.len()) {
            let multiples = &mut multiples[..places(*count) * points.len()];
            affine_multiples_to(f, points, *count, multiples, ratios);
            return;
        }
        last.clear();
        let groups = multiples.chunks_exact_mut(places(*count)).zip(ratios.chunks_exact_mut(*count));
        for (p, (multiples, ratios)) in points.iter().zip(groups) {
            chain_to(f, &mut multiples[..*count], ratios, p);
            let mut z = ratios[0];
            for ratio in &ratios[1..] {
                z = f.mul(&z, ratio);
            }
            last.push(z);
        }
        workspace.invert_last(f);
        let Workspace { multiples, ratios, inverses, .. } = workspace;
        let groups = multiples.chunks_exact_mut(places(*count)).zip(ratios.chunks_exact(*count));
        for ((multiples, ratios), inverse) in groups.zip(inverses) {
            rescale(f, &mut multiples[..*count], ratios, Some(inverse));
        }
    }
}

/// Step 2 up to the products: a group's digits, the points that they pick, in pairs, and the products of their differences.
struct Pairs<'a, C: CurveParams, F: FieldOps<Prime = C::Field>> {
    f: F,
    a: &'a [Scalar<C::Order>],
    b: &'a [Scalar<C::Order>],
    multiples: &'a [Affine<F>],
    /// The multiples lane by lane.
    rows: &'a mut [Row<WordsOf<C::Field>>],
    pairs: &'a mut [Pair<F>],
    products: &'a mut [F::El<1>],
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for Pairs<'_, C, F> {
    type Out = F::El<1>;

    #[inline(always)]
    fn run(self) -> F::El<1> {
        let Self { f, a, b, multiples, rows, pairs, products } = self;
        let Shape { multiples: count, of_point: windows_of_point, point_bits, .. } = &const { Shape::of::<C>() };
        for (i, multiple) in multiples.iter().take(*count).enumerate() {
            let mut at = [0; MAX_LANES];
            at.iter_mut().zip(0..).for_each(|(at, l)| *at = l * *count as u32 + i as u32);
            f.store_rows(&multiple.x, &multiple.y, rows, &at[..F::LANES]);
        }

        let mut halves_b = [Lanes::ZERO, Lanes::ZERO];
        let mut halves_a = [Lanes::ZERO, Lanes::ZERO];
        for l in 0..F::LANES {
            halves_b.iter_mut().zip(of_point::<C>(&at::<C>(b, l))).for_each(|(half, e)| half.set(l, &e));
            halves_a.iter_mut().zip(of_base::<C>(&at::<C>(a, l))).for_each(|(half, e)| half.set(l, &e));
        }

        let beta = f.constant(&C::GLV.beta);
        let mut before: Option<&F::El<1>> = None;
        let (pairs_b, pairs_a) = pairs.split_at_mut(*windows_of_point);
        let (products_b, products_a) = products.split_at_mut(*windows_of_point);
        for (i, (pair, product)) in (0..).zip(pairs_b.iter_mut().zip(products_b)) {
            for (point, half) in pair.iter_mut().zip(&halves_b) {
                let mut picks = half.picks(f, i * point_bits, *point_bits);
                picks.rows[..F::LANES].iter_mut().zip(0..).for_each(|(row, l)| *row += l * *count as u32);
                load(f, point, rows, &picks);
            }
            pair[1].x = f.mul(&pair[1].x, &beta);
            *product = forward(f, pair, before);
            before = Some(product);
        }
        // The tables of G are larger than the caches near the core: their rows are asked for a pair ahead.
        let mut ahead = Self::picks_of_base(f, &halves_a, 0);
        for (i, (pair, product)) in (0..).zip(pairs_a.iter_mut().zip(products_a)) {
            let picks = core::mem::replace(&mut ahead, Self::picks_of_base(f, &halves_a, i + 1));
            for ((point, picks), table) in pair.iter_mut().zip(&picks).zip(C::TABLES.odd_multiples) {
                load(f, point, table, picks);
            }
            *product = forward(f, pair, before);
            before = Some(product);
        }
        before.copied().unwrap_or(zero(f))
    }
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Pairs<'_, C, F> {
    /// What window i of the halves of a picks; its rows are on their way. Beyond the last window: nothing that is used.
    #[inline(always)]
    fn picks_of_base(f: F, halves: &[Lanes; 2], i: u32) -> [Picks; 2] {
        let Shape { base_bits, .. } = const { Shape::of::<C>() };
        let mut picks = [halves[0].picks(f, i * base_bits, base_bits), halves[1].picks(f, i * base_bits, base_bits)];
        for (picks, table) in picks.iter_mut().zip(C::TABLES.odd_multiples) {
            for row in &picks.rows[..F::LANES] {
                table.get(*row as usize).map(prefetch);
            }
        }
        picks
    }
}

/// Loads the points that are picked.
#[inline(always)]
fn load<F: FieldOps>(f: F, point: &mut Affine<F>, rows: &[Row<WordsOf<F::Prime>>], picks: &Picks) {
    f.load_to(&mut point.x, &mut point.y, rows, &picks.rows[..F::LANES]);
    f.negate_in(&mut point.y, picks.negative);
}

/// The rest of step 2, and step 3, for a group.
struct Sum<'a, F: FieldOps> {
    f: F,
    pairs: &'a mut [Pair<F>],
    products: &'a [F::El<1>],
    inverse: &'a F::El<1>,
    /// Those that add a pair's sum, and those that add its points.
    steps: &'a [Vec<Step>; 2],
}

impl<F: FieldOps> Task for Sum<'_, F> {
    type Out = Jacobian<F>;

    #[inline(always)]
    fn run(self) -> Jacobian<F> {
        let Self { f, pairs, products, inverse, steps: [steps, steps_apart] } = self;
        let apart = f.is_zero(inverse).any();
        if !apart {
            backward(f, pairs, products, inverse);
        }
        let steps = if apart { steps_apart } else { steps };
        Straus { f, summands: pairs.as_flattened(), steps, last_doublings: 0 }.run()
    }
}

/// The steps from the highest window down to bit 0; each adds the first `points` points of a pair, one by one.
fn steps<C: CurveParams>(points: u16) -> Vec<Step> {
    let Shape { of_point, point_bits, of_base, base_bits, pairs, .. } = const { Shape::of::<C>() };
    let mut steps = Vec::with_capacity(pairs * usize::from(points));
    let mut last = 0;
    let all = [(0, of_point, point_bits as usize), (of_point, of_base, base_bits as usize)];
    for position in (0..MAX_POSITIONS).rev() {
        for (first, count, bits) in all {
            if position % bits == 0 && position / bits < count {
                for point in 0..points {
                    let doublings = if steps.is_empty() { 0 } else { last - position };
                    last = position;
                    let at = 2 * (first + position / bits) as u16 + point;
                    steps.push(Step { doublings: doublings as u16, term: 0, at });
                }
            }
        }
    }
    steps
}

/// Positions of windows' lowest bits are below this: a half has at most 129 bits.
const MAX_POSITIONS: usize = 130;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AffinePoint;
    use crate::params::small_order::{Order7, Order13, Order199};
    use crate::vartime::{mul, mul_double_base, to_affine};
    use field::secp256k1::{FieldPrime, Portable4x64};
    use testkit::array8::{Array8, LANES};

    /// All a, b and P of a small group (a part of them where it is larger), `count` at once: exceptional pairs and sums in every
    /// lane, multiples by one inversion and by several.
    fn check<C: CurveParams<Field = FieldPrime>>(count: usize, step: usize) {
        let (one, f) = (Portable4x64::new(), Array8(Portable4x64::new()));
        let n = C::Order::MODULUS.m.as_ref().first().copied().unwrap_or(0);
        let scalar = Scalar::<C::Order>::from_u64;
        let triples = (0..n).flat_map(|a| (0..n).flat_map(move |b| (1..n).map(move |k| (a, b, k))));
        let triples: Vec<_> = triples.step_by(step).collect();
        let mut workspace = Workspace::new();
        for triples in triples.chunks(count) {
            let a: Vec<_> = triples.iter().map(|(a, ..)| scalar(*a)).collect();
            let b: Vec<_> = triples.iter().map(|(_, b, _)| scalar(*b)).collect();
            let points: Vec<_> = triples
                .iter()
                .filter_map(|(.., k)| to_affine::<C, _>(one, &mul(one, &AffinePoint::<C>::GENERATOR, &scalar(*k))))
                .collect();
            let lanes: Vec<_> = points.iter().map(|p| crate::Encoded::Point(*p)).collect();
            let lanes: Vec<_> = lanes.chunks(LANES).map(|p| crate::Encoded::decode_each(f, p).0).collect();
            let mut sums = alloc::vec![Jacobian::infinity(f); lanes.len()];
            mul_double_base_each::<C, _>(f, &mut workspace, &a, &lanes, &b, &mut sums);
            let mut affine = alloc::vec![None; points.len()];
            crate::vartime::to_affine_batch::<C, _>(f, &sums, &mut affine);
            for (i, sum) in affine.iter().enumerate() {
                let expected = to_affine::<C, _>(one, &mul_double_base(one, &a[i], &points[i], &b[i]));
                assert_eq!(*sum, expected, "{:?}", triples[i]);
            }
        }
    }

    #[test]
    fn all_sums_of_small_groups() {
        for count in [5, 8, 21, AFFINE_FROM, 2 * AFFINE_FROM + 3] {
            check::<Order7>(count, 1);
            check::<Order13>(count, 1);
        }
        check::<Order199>(1000, 997);
        check::<Order199>(40, 1999);
    }
}
