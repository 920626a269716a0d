//! Σ ±kᵢ·rowᵢ by buckets: the points that a window's digit selects are added first, then weighted all at once.
//!
//! 1. kᵢ = Σⱼ dᵢⱼ·2^(sⱼ) with signed digits ([`crate::windows`]).
//! 2. In passes of as many windows as the memory allows: the rows of each bucket |d| of each window side by side, with the
//!    digits' signs ([`crate::sort`]), and their sums ([`crate::batched_affine`]).
//! 3. Σ d·bucket_d of each window, as two shorter sums ([`crate::split`], [`crate::aggregate`]).
//! 4. These sums, highest first, with the doublings between them.
//!
//! Cost, with m entries and k windows of c bits: m·k additions of 5M + 1S; k·2^(c−1) buckets of 10M + 2S, and 20M + 4S for about
//! 2·2^(c/2) of each window; k·c doublings. Vartime.
//! Source: N. Pippenger, "On the evaluation of powers and related problems", FOCS 1976; D. Bernstein, "Pippenger's exponentiation
//! algorithm", 2002.

use crate::aggregate::Series;
use crate::batched_affine::BatchedAffine;
use crate::choose::{self, Load};
use crate::vartime::Entry;
use crate::windows::Windows;
use crate::workspace::Workspace;
use core::mem::swap;
use curve::CurveParams;
use curve::formulas::a_zero::{Add, double_in};
use curve::point::Jacobian;
use field::ops::WordsOf;
use field::{Backends, FieldOps, Row, Task};

/// What a pass may use even if the workspace has less.
const LEAST_BYTES: usize = 1 << 16;
/// What a pass uses even if the workspace has more: smaller passes need more inversions, larger ones leave the caches.
const MOST_BYTES: usize = 2 << 20;

/// The sum.
pub(crate) fn sum<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    workspace: &mut Workspace<B::Bulk>,
    rows: &[Row<WordsOf<C::Field>>],
    entries: &[Entry],
    load: &Load,
) -> Jacobian<B::One> {
    let f = b.bulk();
    let Workspace { memory_bytes, sorted, batched_affine, buckets, split, aggregate, .. } = workspace;
    let per_word = choose::windows_per_word(B::Lanes::LANES, load);
    let windows = Windows::new(per_word);
    let count = sorted.order(&windows, entries);
    let [most, _] = windows.most_and_least_buckets();
    let stride = most + 1;
    buckets.reset(count * stride);
    let bytes = (*memory_bytes).clamp(LEAST_BYTES, MOST_BYTES);
    let mut from = 0;
    while from < count {
        let bytes_a_window = sorted.active(from) * BatchedAffine::<B::Bulk>::BYTES_A_POINT;
        let to = count.min(from + (bytes / bytes_a_window.max(1)).max(1));
        sorted.pass(&windows, from, to, stride);
        batched_affine.clear(buckets.rows.len());
        for w in from..to {
            let bounds = &sorted.bounds()[(w - from) * stride..][..=stride];
            for d in 1..=windows.buckets(w) {
                let count = bounds[d + 1] - bounds[d];
                if count != 0 {
                    batched_affine.push(bounds[d], count, (w * stride + d) as u32);
                }
            }
        }
        batched_affine.sum(f, rows, sorted.rows(), buckets);
        from = to;
    }
    aggregate.series.clear();
    aggregate.series.extend((0..count).map(|w| Series {
        bit: windows.start(w),
        first: w * stride,
        count: windows.buckets(w),
    }));
    let is_split = split.run(f, batched_affine, aggregate, buckets);
    aggregate.run::<C, _, _>(b.one(), f, if is_split { &split.sums } else { buckets });
    aggregate.sums.sort_unstable_by_key(|(bit, _)| *bit);
    b.one().outline(Horner { f: b.one(), sums: &aggregate.sums })
}

/// Σ 2^bit·point; the bits ascend.
struct Horner<'a, F: FieldOps> {
    f: F,
    sums: &'a [(u32, [WordsOf<F::Prime>; 3])],
}

impl<F: FieldOps> Task for Horner<'_, F> {
    type Out = Jacobian<F>;
    #[inline(always)]
    fn run(self) -> Jacobian<F> {
        let Self { f, sums } = self;
        let mut places = [Jacobian::infinity(f); 2];
        let [p, spare] = &mut places;
        let (mut p, mut spare) = (p, spare);
        for (i, (bit, [x, y, z])) in sums.iter().enumerate().rev() {
            let q = Jacobian { x: f.constant(x), y: f.constant(y), z: f.constant(z) };
            f.outline(Add { f, r: spare, p, q: &q });
            swap(&mut p, &mut spare);
            let below = i.checked_sub(1).and_then(|below| sums.get(below)).map_or(0, |(bit, _)| *bit);
            for _ in below..*bit {
                double_in(f, &mut p, &mut spare);
            }
        }
        *p
    }
}
