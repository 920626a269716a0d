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
use field::{FieldOps, Prime, Row};

/// Fewer buckets than that are not worth it.
const LEAST_BUCKETS: usize = 16;

/// What the method keeps in memory.
pub(crate) struct Split<W> {
    /// The buckets of each sum, with signs.
    signed: Vec<Signed>,
    /// R and C.
    pub(crate) sums: Sums<W>,
}

impl<W: Words> Split<W> {
    pub(crate) const fn new() -> Self {
        Self { signed: Vec::new(), sums: Sums { rows: Vec::new(), full: Vec::new() } }
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
        self.signed.clear();
        batched_affine.clear();
        let whole = core::mem::take(&mut aggregate.series);
        let mut place = 0;
        for series in &whole {
            let Series { bit, first, count } = *series;
            // 2^h is about √(2·count), so that both digits have about as many values.
            let h = ((count.ilog2() + 1) / 2).max(1);
            let (base, half) = (1 << h, 1 << h >> 1);
            let upper = Series { bit: bit + h, first: place, count: (count + half) >> h };
            let lower = Series { bit, first: place + upper.count, count: half };
            place = lower.first + lower.count;
            aggregate.series.extend([upper, lower]);
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
        self.sums.rows.clear();
        self.sums.rows.resize(place + 1, Row { x: W::ZERO, y: W::ZERO });
        self.sums.full.clear();
        self.sums.full.resize(place + 1, false);
        batched_affine.sum(f, &buckets.rows, &self.signed, &mut self.sums);
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
        let start = self.signed.len();
        let points = numbers.filter(|&(bucket, _)| buckets.full[bucket]);
        self.signed.extend(points.map(|(bucket, negative)| (bucket as Signed) << 1 | Signed::from(negative)));
        let count = self.signed.len() - start;
        if count != 0 {
            batched_affine.push(start as u32, count as u32, to as u32);
        }
    }
}
