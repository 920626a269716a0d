//! Σ d·bucket_d by the two digits of d = 2^h·i + j, −2^(h−1) ≤ j < 2^(h−1): 2^h·Σ i·R_i + Σ |j|·C_|j|.
//!
//! R_i is the sum of the buckets whose upper digit is i, C_|j| that of those whose lower digit is ±j, with its sign. Each bucket is
//! added twice in affine coordinates, for 10M + 2S, and of 2^(c−1) buckets only about 2·2^(c/2) are left for running sums, which
//! take 20M + 4S each: it is the method of [`crate::pippenger`] once more, for the numbers of the buckets.

use crate::aggregate::{Aggregate, Series};
use crate::batched_affine::{BatchedAffine, Sums};
use crate::sort::Signed;
use alloc::vec::Vec;
use arith::Words;
use field::{FieldOps, Prime};

/// Fewer buckets than that are not worth it.
const LEAST_BUCKETS: usize = 16;

/// What the method keeps in memory.
pub(crate) struct Split<W> {
    /// The series that are split.
    whole: Vec<Series>,
    /// The buckets of each sum, with signs.
    signed: Vec<Signed>,
    /// How many there are.
    count: usize,
    /// R and C.
    pub(crate) sums: Sums<W>,
}

impl<W: Words> Split<W> {
    pub(crate) const fn new() -> Self {
        Self { whole: Vec::new(), signed: Vec::new(), count: 0, sums: Sums::new() }
    }

    /// Splits each series in two, whose buckets are then [`Self::sums`]; `false` if they are too short to gain by it.
    pub(crate) fn run<F: FieldOps>(
        &mut self,
        f: F,
        batched_affine: &mut BatchedAffine<F>,
        aggregate: &mut Aggregate<W>,
        buckets: &Sums<W>,
    ) -> bool
    where
        F::Prime: Prime<Words = W>,
    {
        if aggregate.series.iter().all(|series| series.count < LEAST_BUCKETS) {
            return false;
        }
        let mut place = 0;
        let mut whole = core::mem::take(&mut self.whole);
        core::mem::swap(&mut whole, &mut aggregate.series);
        aggregate.series.clear();
        for Series { bit, first: _, count } in &whole {
            // 2^h is about √(2·count), so that both digits have about as many values.
            let h = count.ilog2().div_ceil(2).max(1);
            let half = 1 << h >> 1;
            let upper = Series { bit: bit + h, first: place, count: (count + half) >> h };
            let lower = Series { bit: *bit, first: place + upper.count, count: half };
            place = lower.first + lower.count;
            aggregate.series.extend([upper, lower]);
        }
        self.sums.reset(place + 1);
        // Each bucket is in two lists.
        self.signed.resize(2 * buckets.rows.len() + 1, 0);
        self.count = 0;
        batched_affine.clear(place + 1);
        for (Series { first, count, .. }, parts) in whole.iter().zip(aggregate.series.chunks_exact(2)) {
            let (first, count, [upper, lower]) = (*first, *count, [parts[0], parts[1]]);
            let (half, base) = (lower.count, 2 * lower.count);
            for i in 1..=upper.count {
                let numbers = (base * i - half..base * i + half).take_while(|&d| d <= count);
                self.list(batched_affine, buckets, upper.first + i, numbers.map(|d| (first + d, false)));
            }
            for j in 1..=half {
                let plus = (0..).map(|i| base * i + j).take_while(|&d| j < half && d <= count);
                let minus = (1..).map(|i| base * i - j).take_while(|&d| d <= count);
                let numbers = plus.map(|d| (first + d, false)).chain(minus.map(|d| (first + d, true)));
                self.list(batched_affine, buckets, lower.first + j, numbers);
            }
        }
        self.whole = whole;
        batched_affine.sum(f, &buckets.rows, &self.signed[..self.count], &mut self.sums);
        true
    }

    /// A list of those of the buckets that are points; its sum goes to `to`.
    #[inline(always)]
    fn list<F: FieldOps>(
        &mut self,
        batched_affine: &mut BatchedAffine<F>,
        buckets: &Sums<W>,
        to: usize,
        numbers: impl Iterator<Item = (usize, bool)>,
    ) {
        let start = self.count;
        for (bucket, negative) in numbers {
            // Without a branch: what is none is overwritten by the next.
            self.signed[self.count] = (bucket as Signed) << 1 | Signed::from(negative);
            self.count += usize::from(buckets.full[bucket]);
        }
        let count = self.count - start;
        if count != 0 {
            batched_affine.push(start as u32, count as u32, to as u32);
        }
    }
}
