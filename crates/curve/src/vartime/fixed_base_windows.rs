//! a·G + b·P for public scalars without a doubling: all windows from tables, P's being kept with it.
//!
//! Prepared once: 2^(w i)·P for each window i by a chain of doublings, affine by one inversion; of each the odd multiples
//! ([`affine_multiples`](super::affine_multiples)), in as many lanes as there are.
//!
//! 1. b = b₁ + b₂·λ; both halves by odd digits of P's windows, a by those of G's ([`odd_windows`](super::odd_windows)). Each digit is a
//!    row and a sign. The rows are fetched beforehand, so that their ways from memory overlap.
//! 2. In the order b₂'s, b₁'s, a's, each lane sums a part of equal length. Where a lane's points for b₂ end, x is multiplied by
//!    β: (βx, y) is λ·(x, y), once for all of them.
//! 3. The lanes' sums are added ([`lane_sum`](super::lane_sum)).
//!
//! Cost for 256 bits, windows of 7 bits: 81 mixed additions, in eight lanes 11 of 8M + 2S and the three of the lanes' sum. Preparing: 126
//! doublings, 5M + 1S a row and eight inversions. Vartime: an exceptional addition is repeated in all lanes by the cold path, at most once
//! a step.
//!
//! Sources: E. Brickell, D. Gordon, K. McCurley, D. Wilson, "Fast exponentiation with precomputation", EUROCRYPT 1992; for the
//! endomorphism see [`mul_double_base`](super::mul_double_base).

use super::lane_sum::lane_sum;
use super::odd_windows::{Windowed, of_halves, pick};
use super::recode::bits_64;
use super::{affine_multiples, to_affine_batch};
use crate::formulas::a_zero::{add_mixed_any_in, double_in};
use crate::formulas::xyzz::AddMixedXyzz;
use crate::params::CurveParams;
use crate::point::{Affine, AffinePoint, Jacobian, Xyzz, one};
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use arith::Words;
use field::ops::{MAX_LANES, WordsOf};
use field::{Backends, FieldOps, Mask, Prime, Row, Scalar, Task};

/// More points than a multiplication adds.
const MAX_POINTS: usize = 128;

/// A point with its table.
#[derive(Clone)]
pub struct PreparedPoint<C: CurveParams> {
    point: AffinePoint<C>,
    /// (2j + 1)·2^(w i)·P, window i, entry j.
    rows: Box<[Row<WordsOf<C::Field>>]>,
}

impl<C: CurveParams> PreparedPoint<C> {
    const WINDOWS: usize = C::WINDOWS.count_prepared(C::GLV.half_bits) as usize;
    const ENTRIES: usize = 1 << (C::WINDOWS.prepared - 1);
    /// The table's size.
    pub const TABLE_BYTES: usize = Self::WINDOWS * Self::ENTRIES * size_of::<Row<WordsOf<C::Field>>>();

    /// Makes the table: as much work as a few multiplications.
    pub fn new<B: Backends<C::Field, C::Order>>(b: B, point: &AffinePoint<C>) -> Self {
        let lanes = <B::One as FieldOps>::LANES;
        let mut bases = vec![None; Self::WINDOWS * lanes];
        let chain = b.one().outline(WindowBases::<C, _> { f: b.one(), point });
        to_affine_batch(b.one(), &chain, &mut bases);
        // None is infinite: a power of 2 is no multiple of n.
        let bases: Vec<_> = bases.iter().step_by(lanes).map(|base| *base.unwrap_or(*point).row()).collect();
        let mut rows = vec![*point.row(); Self::WINDOWS * Self::ENTRIES].into_boxed_slice();
        b.spread().outline(OddMultiples { f: b.spread(), bases: &bases, rows: &mut rows });
        Self { point: *point, rows }
    }

    /// The point.
    #[inline(always)]
    pub fn point(&self) -> &AffinePoint<C> {
        &self.point
    }
}

/// 2^(w i)·P for each window i.
struct WindowBases<'a, C: CurveParams, F> {
    f: F,
    point: &'a AffinePoint<C>,
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for WindowBases<'_, C, F> {
    type Out = Vec<Jacobian<F>>;
    #[inline(always)]
    fn run(self) -> Self::Out {
        let Self { f, point } = self;
        let mut places = [Jacobian::from((f, &point.load(f))); 2];
        let [p, spare] = &mut places;
        let (mut p, mut spare) = (p, spare);
        let mut bases = vec![*p; PreparedPoint::<C>::WINDOWS];
        for base in bases.iter_mut().skip(1) {
            for _ in 0..C::WINDOWS.prepared {
                double_in(f, &mut p, &mut spare);
            }
            *base = *p;
        }
        bases
    }
}

/// The odd multiples of each base, side by side, in equal numbers.
struct OddMultiples<'a, F: FieldOps> {
    f: F,
    bases: &'a [Row<WordsOf<F::Prime>>],
    rows: &'a mut [Row<WordsOf<F::Prime>>],
}

impl<F: FieldOps> Task for OddMultiples<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, bases, rows } = self;
        let entries = rows.len() / bases.len();
        let groups = bases.len().div_ceil(F::LANES);
        let mut at = [0; MAX_LANES];
        // The last lanes may repeat the last base.
        let base_of = |group: usize, lane: usize| (group * F::LANES + lane).min(bases.len() - 1);
        let mut points = vec![Affine::place(f); groups];
        for (group, point) in points.iter_mut().enumerate() {
            at[..F::LANES].iter_mut().enumerate().for_each(|(l, at)| *at = base_of(group, l) as u32);
            f.load_to(&mut point.x, &mut point.y, bases, &at[..F::LANES]);
        }
        let places = affine_multiples::places(entries);
        let mut all = vec![Affine::place(f); groups * places];
        let mut kept = vec![one(f); groups * affine_multiples::products(entries)];
        affine_multiples::affine_multiples_to(f, &points, entries, &mut all, &mut kept);
        for (group, list) in all.chunks_exact(places).enumerate() {
            for (entry, p) in list[..entries].iter().enumerate() {
                at[..F::LANES]
                    .iter_mut()
                    .enumerate()
                    .for_each(|(l, at)| *at = (base_of(group, l) * entries + entry) as u32);
                f.store_rows(&p.x, &p.y, rows, &at[..F::LANES]);
            }
        }
    }
}

/// a·G + b·P. Vartime.
#[inline]
pub fn mul_double_base_prepared<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    a: &Scalar<C::Order>,
    p: &PreparedPoint<C>,
    k: &Scalar<C::Order>,
) -> Jacobian<B::One> {
    let sum = b.spread().outline(FixedBaseWindows::<C, _> { f: b.spread(), a, p, k });
    let one = b.one();
    let [x, y, z] = sum.map(|words| one.constant(&words));
    Jacobian { x, y, z }
}

/// The sum's X, Y, Z.
struct FixedBaseWindows<'a, C: CurveParams, F: FieldOps<Prime = C::Field>> {
    f: F,
    a: &'a Scalar<C::Order>,
    p: &'a PreparedPoint<C>,
    k: &'a Scalar<C::Order>,
}

/// The mask of the lanes that satisfy `holds`.
#[inline(always)]
fn lanes_where<F: FieldOps>(holds: impl Fn(usize) -> bool) -> u32 {
    (0..F::LANES).fold(0, |mask, l| mask | u32::from(holds(l)) << l)
}

/// Points ± a row.
struct Points<W> {
    rows: [Row<W>; MAX_POINTS],
    negative: [bool; MAX_POINTS],
    len: usize,
}

impl<W: Words> Points<W> {
    /// The points that the windows vᵢ pick, each from its part of the table.
    #[inline(always)]
    fn push(&mut self, table: &[Row<W>], width: u32, windows: impl Iterator<Item = u64>) {
        for (part, v) in table.chunks_exact(1 << (width - 1)).zip(windows) {
            let (row, is_negative) = pick(v, width);
            self.rows[self.len] = part[row];
            self.negative[self.len] = is_negative;
            self.len += 1;
        }
    }
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for FixedBaseWindows<'_, C, F> {
    type Out = [WordsOf<C::Field>; 3];

    #[inline(always)]
    fn run(self) -> Self::Out {
        let Self { f, a, p, k } = self;
        let of_half = PreparedPoint::<C>::WINDOWS;
        let of_base = const { C::WINDOWS.count_ct_base(C::Order::BITS) };
        let count = 2 * of_half + of_base as usize;
        const {
            let of_base = C::WINDOWS.count_ct_base(C::Order::BITS) as usize;
            assert!(2 * PreparedPoint::<C>::WINDOWS + of_base <= MAX_POINTS);
        }

        // 1. Rows and signs.
        let empty = Row { x: <WordsOf<C::Field>>::ZERO, y: <WordsOf<C::Field>>::ZERO };
        let mut points = Points { rows: [empty; MAX_POINTS], negative: [false; MAX_POINTS], len: 0 };
        let w = C::WINDOWS.prepared;
        let [first, second]: [Windowed; 2] = of_halves::<C>(k, &C::OFFSETS.prepared);
        for half in [second, first] {
            points.push(&p.rows, w, (0..).map(|i| bits_64(&half, i * w as usize)));
        }
        let e = a.half().add(&Scalar::from_words_reduced(&C::OFFSETS.base));
        let w = C::WINDOWS.ct_base;
        points.push(C::TABLES.windows, w, (0..of_base).map(|i| e.bits(i * w, w)));

        // 2. Lane l sums the points from l·length on.
        let length = count.div_ceil(F::LANES);
        let beta = f.constant(&C::GLV.beta);
        let (mut places, mut one_sum) = ([Xyzz::infinity(f); 2], [Jacobian::infinity(f); 2]);
        let [sum, next] = &mut places;
        let (mut sum, mut next) = (sum, next);
        let [p1, spare] = &mut one_sum;
        let (mut p1, mut spare) = (p1, spare);
        // One element has kernels for Jacobian coordinates; in lanes the others are cheaper.
        let is_one = F::LANES == 1;
        let mut q = Affine::place(f);
        let mut at = [0; MAX_LANES];
        for step in 0..=length {
            // The lanes whose points of b₂ end before this step.
            let ends = lanes_where::<F>(|l| l * length < of_half && (of_half - l * length).min(length) == step);
            if ends != 0 {
                let sum_x = if is_one { &mut p1.x } else { &mut sum.x };
                let x = f.mul(sum_x, &beta);
                f.select_to(sum_x, Mask(!ends), &x);
            }
            if step == length {
                break;
            }
            at[..F::LANES].iter_mut().enumerate().for_each(|(l, at)| *at = (l * length + step).min(count - 1) as u32);
            let only = Mask(lanes_where::<F>(|l| l * length + step < count));
            f.load_to(&mut q.x, &mut q.y, &points.rows, &at[..F::LANES]);
            f.negate_in(&mut q.y, Mask(lanes_where::<F>(|l| points.negative[at[l] as usize])));
            if is_one && step == 0 {
                *p1 = Jacobian::from((f, &q));
            } else if is_one {
                add_mixed_any_in(f, &mut p1, &mut spare, &q, only);
            } else if step == 0 {
                *sum = Xyzz::from((f, &q));
                sum.select(f, only, &Xyzz::infinity(f));
            } else {
                AddMixedXyzz { f, r: next, p: sum, q: &q, only }.run();
                core::mem::swap(&mut sum, &mut next);
            }
        }

        // 3. The lanes' sums.
        let sum = if is_one { *p1 } else { lane_sum(f, sum).to_jacobian(f) };
        [&sum.x, &sum.y, &sum.z].map(|a| f.store(a, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Secp256k1;
    use crate::params::small_order::{Order7, Order13, Order199};
    use crate::vartime::{mul_base, mul_double_base, to_affine};
    use field::OneLane;
    use field::secp256k1::{FieldPrime, Portable4x64, Portable5x52};
    use testkit::array8::ArrayBackends;

    type S<C> = Scalar<<C as CurveParams>::Order>;

    /// a·G + b·P on one element and over eight lanes, for tables made by either.
    fn check<C: CurveParams<Field = FieldPrime>>(p: &AffinePoint<C>, scalars: &[[S<C>; 2]]) {
        let (one, eight) = (OneLane(Portable4x64::new()), ArrayBackends(Portable5x52));
        let (table, same) = (PreparedPoint::new(one, p), PreparedPoint::new(eight, p));
        assert_eq!((table.point(), &*table.rows), (same.point(), &*same.rows));
        assert_eq!(size_of_val(&*table.rows), PreparedPoint::<C>::TABLE_BYTES);
        for [a, k] in scalars {
            let expected = to_affine::<C, _>(one.0, &mul_double_base(one.0, a, p, k));
            let sum = mul_double_base_prepared(one, a, &table, k);
            assert_eq!(to_affine(one.0, &sum), expected, "{a:?}·G + {k:?}·{p:?}");
            let sum = mul_double_base_prepared(eight, a, &table, k);
            assert_eq!(to_affine(eight.0, &sum), expected, "{a:?}·G + {k:?}·{p:?} in lanes");
        }
    }

    fn multiple<C: CurveParams<Field = FieldPrime>>(k: &Scalar<C::Order>) -> Option<AffinePoint<C>> {
        let f = Portable4x64::new();
        to_affine(f, &mul_base::<C, _>(f, k))
    }

    fn all<C: CurveParams<Field = FieldPrime>>(n: u64, step: usize) {
        let scalar = Scalar::<C::Order>::from_u64;
        let pairs: Vec<_> = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).step_by(step).collect();
        let pairs: Vec<_> = pairs.into_iter().map(|(a, b)| [scalar(a), scalar(b)]).collect();
        (1..n).filter_map(|d| multiple::<C>(&scalar(d))).for_each(|p| check(&p, &pairs));
    }

    /// Every point and both scalars: every exception occurs, infinite sums of lanes included.
    #[test]
    fn small_orders() {
        all::<Order7>(7, 1);
        all::<Order13>(13, 1);
        all::<Order199>(199, 101);
    }

    /// Points among G's multiples, whose windows meet G's, and scalars that make the sum infinite, G or 2G.
    #[test]
    fn points_that_meet_the_generators_rows() {
        type N = S<Secp256k1>;
        let lambda = N::from_words_reduced(&Secp256k1::GLV.lambda);
        let mut factors = vec![lambda, lambda.mul(&lambda), N::from_u64(1 << 54), N::from_words_reduced(&[7, 5, 3, 1])];
        factors.extend((1..8).map(N::from_u64));
        let mut scalars =
            vec![N::ZERO, N::ONE, lambda, N::from_words_reduced(&[0, 0, 1, 0]), N::from_words_reduced(&[9, 8, 7, 6])];
        scalars.extend((2..65).step_by(9).map(N::from_u64));
        scalars.extend(scalars.clone().iter().map(Scalar::neg));
        for d in factors.iter().flat_map(|d| [*d, d.neg()]) {
            let mut pairs = Vec::new();
            for (i, k) in scalars.iter().enumerate() {
                let infinite = k.mul(&d).neg();
                pairs.extend([infinite, infinite.add(&N::ONE), infinite.sub(&N::from_u64(2))].map(|a| [a, *k]));
                pairs.extend(scalars.iter().skip(i % 3).step_by(3).map(|a| [*a, *k]));
            }
            multiple::<Secp256k1>(&d).iter().for_each(|p| check(p, &pairs));
        }
    }
}
