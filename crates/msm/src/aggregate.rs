//! Σ d·bucket_d for every window: running sums, a lane for each chunk of a window's buckets.
//!
//! 1. A lane has `chunk` buckets of one window, d = first + s, s = chunk … 1. Downwards, run += bucket and total += run: total
//!    becomes Σ s·bucket and run Σ bucket.
//! 2. run begins at a fixed point Q and total at −chunk·Q, so that neither is ever infinite and no addition is a doubling, except
//!    in sums that somebody made to meet these points, and in the last step of a lane without points. What such an addition
//!    leaves is ZZ = 0, and every later sum keeps it: that does **not** mean that the sum is infinite. Therefore lanes that had a
//!    point and end with ZZ = 0 run again, with complete formulas.
//! 3. With several chunks j to a window: Σⱼ totalⱼ + chunk·Σⱼ j·(runⱼ − Q), a lane for each window.
//!
//! Cost: 20M + 4S a bucket. Vartime.
//! Source: running sums as in D. Bernstein, J. Doumen, T. Lange, J. Oosterwijk, "Faster batch forgery identification",
//! INDOCRYPT 2012, section 4.

use crate::batched_affine::Sums;
use crate::windows::Windows;
use alloc::vec::Vec;
use arith::Words;
use core::mem::swap;
use curve::CurveParams;
use curve::formulas::a_zero::{Add, AddMixed, Double};
use curve::formulas::xyzz::{add_mixed_xyzz_to, add_xyzz_to};
use curve::point::{Affine, AffinePoint, Jacobian, Xyzz};
use curve::vartime::{mul, to_affine};
use field::ops::WordsOf;
use field::{FieldOps, Mask, Row, Scalar, Task};

/// Lanes of the widest backend.
const MAX_LANES: usize = 32;

/// What the method keeps in memory.
pub(crate) struct Aggregate<W> {
    /// The chunks: lane after lane.
    chunks: Vec<Chunk>,
    /// Sums of the chunks, Jacobian: total and run.
    sums: Vec<[[W; 3]; 2]>,
    /// The windows' sums, Jacobian.
    pub(crate) windows: Vec<[W; 3]>,
    /// The curve, s and −s·Q, for the s that have been used.
    starts: Vec<(&'static str, usize, Row<W>)>,
}

/// A lane's buckets: `first + 1 ..= first + count`.
#[derive(Clone, Copy)]
struct Chunk {
    first: usize,
    count: usize,
}

impl<W: Words> Aggregate<W> {
    pub(crate) const fn new() -> Self {
        Self { chunks: Vec::new(), sums: Vec::new(), windows: Vec::new(), starts: Vec::new() }
    }

    /// The sums of the first `count` windows, left in [`Self::windows`]. The buckets of window w and digit d stand at w·stride + d;
    /// `chunk` is a power of two.
    pub(crate) fn run<C: CurveParams, F: FieldOps<Prime = C::Field>, G: FieldOps<Prime = C::Field>>(
        &mut self,
        one: G,
        f: F,
        windows: &Windows,
        count: usize,
        stride: usize,
        chunk: usize,
        buckets: &Sums<W>,
    ) where
        C::Field: field::Prime<Words = W>,
    {
        // Chunk after chunk, each for all windows that have it.
        self.chunks.clear();
        let most = (0..count).map(|w| windows.buckets(w).div_ceil(chunk)).max().unwrap_or(0);
        for j in 0..most {
            for w in (0..count).filter(|&w| j * chunk < windows.buckets(w)) {
                let left = windows.buckets(w) - j * chunk;
                self.chunks.push(Chunk { first: w * stride + j * chunk, count: left.min(chunk) });
            }
        }
        self.sums.clear();
        for at in (0..self.chunks.len()).step_by(F::LANES) {
            let end = self.chunks.len().min(at + F::LANES);
            let steps = self.chunks[at..end].iter().map(|chunk| chunk.count).max().unwrap_or(0);
            let start = self.start::<C, G>(one, steps);
            let lanes = Lanes { f, chunks: &self.chunks[at..end], steps, buckets };
            let fixed = fixed_point::<C, G>(one).zip(start);
            let [run, total] = fixed.and_then(|fixed| lanes.offset(&fixed)).unwrap_or_else(|| lanes.complete());
            let (run, total) = (words(f, &run), words(f, &total));
            self.sums.extend(run.iter().zip(&total).take(end - at).map(|(run, total)| [*run, *total]));
        }
        self.windows.clear();
        if most <= 1 {
            self.windows.extend(self.sums.iter().map(|[_, total]| total));
            return;
        }
        for from in (0..count).step_by(F::LANES) {
            let end = count.min(from + F::LANES);
            let sum = self.combine(f, windows, from..end, most, chunk, count);
            self.windows.extend(words(f, &sum).iter().take(end - from));
        }
    }

    /// −s·Q, unless it is infinite.
    fn start<C: CurveParams, G: FieldOps<Prime = C::Field>>(&mut self, one: G, s: usize) -> Option<Row<W>>
    where
        C::Field: field::Prime<Words = W>,
    {
        if let Some((.., row)) = self.starts.iter().find(|(curve, steps, _)| *curve == C::NAME && *steps == s) {
            return Some(*row);
        }
        let q = fixed_point::<C, G>(one)?;
        let row = *to_affine::<C, G>(one, &mul(one, &q, &Scalar::from_u64(s as u64).neg()))?.row();
        self.starts.push((C::NAME, s, row));
        Some(row)
    }

    /// Σⱼ totalⱼ + chunk·Σⱼ j·runⱼ for each window of the range.
    fn combine<F: FieldOps>(
        &self,
        f: F,
        windows: &Windows,
        range: core::ops::Range<usize>,
        most: usize,
        chunk: usize,
        count: usize,
    ) -> Jacobian<F>
    where
        F::Prime: field::Prime<Words = W>,
    {
        let infinity = [W::ONE, W::ONE, W::ZERO];
        let has = |w: usize, j: usize| j * chunk < windows.buckets(w);
        let mut spare = Jacobian::infinity(f);
        let [mut suffix, mut weighted, mut total] = [spare; 3];
        for j in (0..most).rev() {
            let before = (0..j).map(|j| (0..count).filter(|&w| has(w, j)).count()).sum::<usize>();
            let place = |w: usize| before + (0..w).filter(|&w| has(w, j)).count();
            let mut lanes = [[infinity; 2]; MAX_LANES];
            for (lane, w) in lanes.iter_mut().zip(range.clone()).filter(|(_, w)| has(*w, j)) {
                *lane = self.sums[place(w)];
            }
            let [run, sum] = [0, 1].map(|i| load(f, |lane| lanes[lane][i]));
            let mut add = |r: &mut Jacobian<F>, q: &Jacobian<F>| {
                f.outline(Add { f, r: &mut spare, p: r, q });
                swap(r, &mut spare);
            };
            add(&mut total, &sum);
            if j > 0 {
                add(&mut suffix, &run);
                add(&mut weighted, &suffix);
            }
        }
        for _ in 0..chunk.trailing_zeros() {
            f.outline(Double { f, r: &mut spare, p: &weighted });
            swap(&mut weighted, &mut spare);
        }
        f.outline(Add { f, r: &mut spare, p: &total, q: &weighted });
        spare
    }
}

/// Q: some multiple of G that nobody uses.
fn fixed_point<C: CurveParams, G: FieldOps<Prime = C::Field>>(one: G) -> Option<AffinePoint<C>> {
    let rows = C::TABLES.windows;
    let row = rows.get(rows.len() / 2 + rows.len() / 5)?;
    AffinePoint::from_coordinates(one, &row.x, &row.y).ok()
}

/// Canonical coordinates, by lane.
fn words<F: FieldOps>(f: F, p: &Jacobian<F>) -> [[WordsOf<F::Prime>; 3]; MAX_LANES] {
    let mut coordinates = [[WordsOf::<F::Prime>::ZERO; MAX_LANES]; 3];
    f.outline(StoreAll { f, p, out: &mut coordinates });
    let [x, y, z] = coordinates;
    core::array::from_fn(|lane| [x[lane], y[lane], z[lane]])
}

/// Points by lane.
fn load<F: FieldOps>(f: F, lanes: impl Fn(usize) -> [WordsOf<F::Prime>; 3]) -> Jacobian<F> {
    let coordinate = |i: usize| {
        let words: [_; MAX_LANES] =
            core::array::from_fn(|lane| if lane < F::LANES { lanes(lane)[i] } else { lanes(0)[i] });
        f.load(&words[..F::LANES])
    };
    Jacobian { x: coordinate(0), y: coordinate(1), z: coordinate(2) }
}

struct StoreAll<'a, F: FieldOps> {
    f: F,
    p: &'a Jacobian<F>,
    out: &'a mut [[WordsOf<F::Prime>; MAX_LANES]; 3],
}

impl<F: FieldOps> Task for StoreAll<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let [x, y, z] = self.out;
        self.f.store_all(&self.p.x, x);
        self.f.store_all(&self.p.y, y);
        self.f.store_all(&self.p.z, z);
    }
}

/// A chunk for each lane.
struct Lanes<'a, F: FieldOps> {
    f: F,
    chunks: &'a [Chunk],
    /// The longest chunk's buckets.
    steps: usize,
    buckets: &'a Sums<WordsOf<F::Prime>>,
}

/// Coordinates of running sums, and how they are added.
trait Running<F: FieldOps>: Copy {
    /// r = p + q in the lanes of `only`, p elsewhere.
    fn add_bucket(f: F, r: &mut Self, p: &Self, q: &Affine<F>, only: Mask);
    /// r = p + q.
    fn add(f: F, r: &mut Self, p: &Self, q: &Self);
}

/// Incomplete: ZZ = 0 where an addition was exceptional, and from there on.
impl<F: FieldOps> Running<F> for Xyzz<F> {
    #[inline(always)]
    fn add_bucket(f: F, r: &mut Self, p: &Self, q: &Affine<F>, only: Mask) {
        f.outline(AddBucket { f, r, p, q, only });
    }
    #[inline(always)]
    fn add(f: F, r: &mut Self, p: &Self, q: &Self) {
        f.outline(AddXyzz { f, r, p, q });
    }
}

/// Complete.
impl<F: FieldOps> Running<F> for Jacobian<F> {
    #[inline(always)]
    fn add_bucket(f: F, r: &mut Self, p: &Self, q: &Affine<F>, only: Mask) {
        f.outline(AddMixed { f, r, p, q, only });
    }
    #[inline(always)]
    fn add(f: F, r: &mut Self, p: &Self, q: &Self) {
        f.outline(Add { f, r, p, q });
    }
}

impl<F: FieldOps> Lanes<'_, F> {
    /// The running sums [run, total] from where they stand, and the lanes that had a point.
    fn walk<R: Running<F>>(&self, run: R, total: R) -> ([R; 2], Mask) {
        let Self { f, chunks, steps, buckets } = *self;
        let (mut runs, mut totals) = ([run; 2], [total; 2]);
        let ([run, next_run], [total, next_total]) = (&mut runs, &mut totals);
        let (mut run, mut next_run, mut total, mut next_total) = (run, next_run, total, next_total);
        let (mut q, mut any) = (Affine::<F>::place(f), Mask(0));
        for s in (1..=steps).rev() {
            let (mut at, mut only) = ([0; MAX_LANES], 0);
            for (lane, chunk) in chunks.iter().enumerate() {
                let bucket = chunk.first + s;
                if s <= chunk.count && buckets.full[bucket] {
                    at[lane] = bucket as u32;
                    only |= 1 << lane;
                }
            }
            any = any.or(Mask(only));
            f.outline(LoadRows { f, q: &mut q, rows: &buckets.rows, at: &at[..F::LANES] });
            R::add_bucket(f, next_run, run, &q, Mask(only));
            R::add(f, next_total, total, next_run);
            swap(&mut run, &mut next_run);
            swap(&mut total, &mut next_total);
        }
        ([*run, *total], any)
    }

    /// [run, total] with incomplete formulas from Q and −steps·Q on, or `None` if these did not hold.
    fn offset<C: CurveParams<Field = F::Prime>>(
        &self,
        (q, start): &(AffinePoint<C>, Row<WordsOf<F::Prime>>),
    ) -> Option<[Jacobian<F>; 2]> {
        let f = self.f;
        let one = f.constant(&WordsOf::<F::Prime>::ONE);
        let at = |row: &Row<_>| Xyzz { x: f.constant(&row.x), y: f.constant(&row.y), zz: one, zzz: one };
        let ([run, total], any) = self.walk(at(q.row()), at(start));
        if f.is_zero(&total.zz).and(any).any() {
            return None;
        }
        let [with_q, mut total] = [run.to_jacobian(f), total.to_jacobian(f)];
        total.select(f, any, &Jacobian::infinity(f));
        let mut run = with_q;
        let minus_q = q.negate().load(f);
        f.outline(AddMixed { f, r: &mut run, p: &with_q, q: &minus_q, only: Mask::all(F::LANES) });
        Some([run, total])
    }

    /// [run, total] with complete formulas.
    fn complete(&self) -> [Jacobian<F>; 2] {
        self.walk(Jacobian::infinity(self.f), Jacobian::infinity(self.f)).0
    }
}

struct LoadRows<'a, F: FieldOps> {
    f: F,
    q: &'a mut Affine<F>,
    rows: &'a [Row<WordsOf<F::Prime>>],
    at: &'a [u32],
}

impl<F: FieldOps> Task for LoadRows<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        self.f.load_to(&mut self.q.x, &mut self.q.y, self.rows, self.at);
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
