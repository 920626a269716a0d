//! Σ d·bucket_d, d = 1 … m, for many series of buckets: running sums, a lane for each series.
//!
//! 1. For d = m … 1: run += bucket_d, total += run. In the end total = Σ d·bucket_d.
//! 2. run begins at a fixed point Q and total at −m·Q, so that neither is ever infinite and no addition is a doubling, except in
//!    sums that somebody made to meet these points, and in the last step of a lane without points. What such an addition leaves
//!    is ZZ = 0, and every later sum keeps it: that does **not** mean that the sum is infinite. Therefore, if a lane that had a
//!    point ends with ZZ = 0, its vector runs again with complete formulas.
//!
//! Cost: 20M + 4S a bucket. Vartime.
//! Source: the second half of Pippenger's method, see [`crate::pippenger`]; coordinates: [`curve::formulas::xyzz`].

use crate::batched_affine::Sums;
use alloc::vec::Vec;
use arith::Words;
use core::marker::PhantomData;
use core::mem::swap;
use curve::CurveParams;
use curve::formulas::a_zero::{Add, AddMixed};
use curve::formulas::xyzz::{add_mixed_xyzz_to, add_xyzz_to};
use curve::point::{Affine, AffinePoint, Jacobian, Xyzz};
use curve::vartime::{mul, to_affine};
use field::ops::{MAX_LANES, WordsOf};
use field::{FieldOps, Mask, Prime, Row, Scalar, Task};

/// A lane's buckets: d stands at `first + d`, d = 1 … `count`. Their sum counts 2^`bit` times.
#[derive(Clone, Copy)]
pub(crate) struct Series {
    pub(crate) bit: u32,
    pub(crate) first: usize,
    pub(crate) count: usize,
}

/// What the method keeps in memory.
pub(crate) struct Aggregate<W> {
    /// What is to be summed.
    pub(crate) series: Vec<Series>,
    /// The sums' weights and Jacobian coordinates.
    pub(crate) sums: Vec<(u32, [W; 3])>,
    /// The curve, m and −m·Q, for the m that have been used.
    starts: Vec<(&'static str, usize, Row<W>)>,
}

impl<W: Words> Aggregate<W> {
    pub(crate) const fn new() -> Self {
        Self { series: Vec::new(), sums: Vec::new(), starts: Vec::new() }
    }

    /// Sums all series, into [`Self::sums`].
    pub(crate) fn run<C: CurveParams, G: FieldOps<Prime = C::Field>, F: FieldOps<Prime = C::Field>>(
        &mut self,
        one: G,
        f: F,
        buckets: &Sums<W>,
    ) where
        C::Field: Prime<Words = W>,
    {
        // Series of one length side by side.
        self.series.sort_unstable_by_key(|series| core::cmp::Reverse(series.count));
        self.sums.clear();
        for at in (0..self.series.len()).step_by(F::LANES) {
            let end = self.series.len().min(at + F::LANES);
            let from = self.start::<C, G>(one, self.series[at].count);
            let lanes = Lanes { f, series: &self.series[at..end], buckets, from };
            let mut sums = [[W::ZERO; MAX_LANES]; 3];
            if from.is_none() || !f.outline(Walk::<F, Xyzz<F>> { lanes, sums: &mut sums, coordinates: PhantomData }) {
                f.outline(Walk::<F, Jacobian<F>> { lanes, sums: &mut sums, coordinates: PhantomData });
            }
            let [x, y, z] = &sums;
            self.sums.extend((at..end).map(|i| (self.series[i].bit, [x[i - at], y[i - at], z[i - at]])));
        }
    }

    /// Q and −m·Q, unless that is infinite.
    fn start<C: CurveParams, G: FieldOps<Prime = C::Field>>(&mut self, one: G, m: usize) -> Option<[Row<W>; 2]>
    where
        C::Field: Prime<Words = W>,
    {
        // Some multiple of G that nobody uses.
        let rows = C::TABLES.windows;
        let q = *rows.get(rows.len() / 2 + rows.len() / 5)?;
        if let Some((.., start)) = self.starts.iter().find(|(curve, count, _)| *curve == C::NAME && *count == m) {
            return Some([q, *start]);
        }
        let point = AffinePoint::<C>::from_coordinates(one, &q.x, &q.y).ok()?;
        let start = *to_affine::<C, G>(one, &mul(one, &point, &Scalar::from_u64(m as u64).neg()))?.row();
        self.starts.push((C::NAME, m, start));
        Some([q, start])
    }
}

/// A series for each lane, the longest first.
struct Lanes<'a, F: FieldOps> {
    f: F,
    series: &'a [Series],
    buckets: &'a Sums<WordsOf<F::Prime>>,
    /// Q and −m·Q.
    from: Option<[Row<WordsOf<F::Prime>>; 2]>,
}

impl<F: FieldOps> Clone for Lanes<'_, F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: FieldOps> Copy for Lanes<'_, F> {}

/// Coordinates of running sums, and how they are added.
trait Running<F: FieldOps>: Copy {
    /// run or total before the first step.
    fn start(f: F, from: &Row<WordsOf<F::Prime>>) -> Self;
    /// r = p + q in the lanes of `only`, p elsewhere.
    fn add_bucket(f: F, r: &mut Self, p: &Self, q: &Affine<F>, only: Mask);
    /// r = p + q.
    fn add(f: F, r: &mut Self, p: &Self, q: &Self);
    /// The total, infinite in the lanes that had no point, if all additions held in those of `any`.
    fn finish(f: F, total: &Self, any: Mask) -> Option<Jacobian<F>>;
}

/// Incomplete, from Q on.
impl<F: FieldOps> Running<F> for Xyzz<F> {
    #[inline(always)]
    fn start(f: F, from: &Row<WordsOf<F::Prime>>) -> Self {
        let one = f.constant(&WordsOf::<F::Prime>::ONE);
        Self { x: f.constant(&from.x), y: f.constant(&from.y), zz: one, zzz: one }
    }
    #[inline(always)]
    fn add_bucket(f: F, r: &mut Self, p: &Self, q: &Affine<F>, only: Mask) {
        f.outline(AddBucket { f, r, p, q, only });
    }
    #[inline(always)]
    fn add(f: F, r: &mut Self, p: &Self, q: &Self) {
        f.outline(AddXyzz { f, r, p, q });
    }
    #[inline(always)]
    fn finish(f: F, total: &Self, any: Mask) -> Option<Jacobian<F>> {
        if f.is_zero(&total.zz).and(any).any() {
            return None;
        }
        let mut total = total.to_jacobian(f);
        total.select(f, any, &Jacobian::infinity(f));
        Some(total)
    }
}

/// Complete, from infinity on.
impl<F: FieldOps> Running<F> for Jacobian<F> {
    #[inline(always)]
    fn start(f: F, _from: &Row<WordsOf<F::Prime>>) -> Self {
        Self::infinity(f)
    }
    #[inline(always)]
    fn add_bucket(f: F, r: &mut Self, p: &Self, q: &Affine<F>, only: Mask) {
        f.outline(AddMixed { f, r, p, q, only });
    }
    #[inline(always)]
    fn add(f: F, r: &mut Self, p: &Self, q: &Self) {
        f.outline(Add { f, r, p, q });
    }
    #[inline(always)]
    fn finish(_f: F, total: &Self, _any: Mask) -> Option<Jacobian<F>> {
        Some(*total)
    }
}

/// The running sums; `sums` gets the coordinates by lane. Answers false if the formulas did not hold.
struct Walk<'a, F: FieldOps, R> {
    lanes: Lanes<'a, F>,
    sums: &'a mut [[WordsOf<F::Prime>; MAX_LANES]; 3],
    coordinates: PhantomData<R>,
}

impl<F: FieldOps, R: Running<F>> Task for Walk<'_, F, R> {
    type Out = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Lanes { f, series, buckets, from } = self.lanes;
        let zero = WordsOf::<F::Prime>::ZERO;
        let [q, start] = from.unwrap_or([Row { x: zero, y: zero }; 2]);
        let (mut runs, mut totals) = ([R::start(f, &q); 2], [R::start(f, &start); 2]);
        let ([run, next_run], [total, next_total]) = (&mut runs, &mut totals);
        let (mut run, mut next_run, mut total, mut next_total) = (run, next_run, total, next_total);
        let (mut q, mut any) = (Affine::<F>::place(f), Mask(0));
        let steps = series.first().map_or(0, |series| series.count);
        for d in (1..=steps).rev() {
            let (mut at, mut only) = ([0; MAX_LANES], 0);
            for (lane, series) in series.iter().enumerate().take_while(|(_, series)| d <= series.count) {
                at[lane] = (series.first + d) as u32;
                only |= u32::from(buckets.full[series.first + d]) << lane;
            }
            any = any.or(Mask(only));
            f.load_to(&mut q.x, &mut q.y, &buckets.rows, &at[..F::LANES]);
            R::add_bucket(f, next_run, run, &q, Mask(only));
            R::add(f, next_total, total, next_run);
            swap(&mut run, &mut next_run);
            swap(&mut total, &mut next_total);
        }
        let Some(total) = R::finish(f, total, any) else { return false };
        let [x, y, z] = self.sums;
        f.store_all(&total.x, x);
        f.store_all(&total.y, y);
        f.store_all(&total.z, z);
        true
    }
}

struct AddBucket<'a, F: FieldOps> {
    f: F,
    r: &'a mut Xyzz<F>,
    p: &'a Xyzz<F>,
    q: &'a Affine<F>,
    only: Mask,
}

impl<F: FieldOps> Task for AddBucket<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, p, q, only } = self;
        add_mixed_xyzz_to(f, r, p, q);
        if only != Mask::all(F::LANES) {
            r.select(f, only, p);
        }
    }
}

struct AddXyzz<'a, F: FieldOps> {
    f: F,
    r: &'a mut Xyzz<F>,
    p: &'a Xyzz<F>,
    q: &'a Xyzz<F>,
}

impl<F: FieldOps> Task for AddXyzz<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, p, q } = self;
        add_xyzz_to(f, r, p, q);
    }
}
