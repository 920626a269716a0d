//! The rows of every bucket of a pass side by side, by counting sort.
//!
//! 1. Entries are ordered by how many windows they have, most first, so that window j concerns the first few, and those for which
//!    it is the top one are the last of these.
//! 2. For the windows of a pass: how often each digit occurs, and from that where each bucket begins.
//! 3. Each digit's row goes to its bucket's next place. The bucket 0 is sorted like the others and never read.
//!
//! Digits are read twice instead of kept: that takes a shift and a mask. Where a top digit counts as two, both go through the loops.

use crate::vartime::Entry;
use crate::windows::{Biased, MAX_WINDOWS, Windows};
use alloc::vec::Vec;

/// A row's number and, in the lowest bit, whether it is subtracted.
pub(crate) type Signed = u32;

/// Entries in order and the buckets of a pass.
pub(crate) struct Sorted {
    /// Biased magnitudes by word, top digits and rows of the entries with most windows first.
    words: [Vec<u64>; 2],
    tops: Vec<u32>,
    entries: Vec<Signed>,
    /// How many entries have a digit in window j.
    active: Vec<u32>,
    /// Where each bucket ends while rows are placed; in the end each bucket's first place, and one more.
    bounds: Vec<u32>,
    /// The rows, bucket after bucket.
    rows: Vec<Signed>,
}

impl Sorted {
    pub(crate) const fn new() -> Self {
        Self {
            words: [const { Vec::new() }; 2],
            tops: Vec::new(),
            entries: Vec::new(),
            active: Vec::new(),
            bounds: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Orders the entries. Answers how many windows there are.
    pub(crate) fn order(&mut self, windows: &Windows, entries: &[Entry]) -> usize {
        let mut counts = [0u32; MAX_WINDOWS + 2];
        for entry in entries {
            counts[windows.count(entry.magnitude)] += 1;
        }
        // counts[w] becomes the number of entries with more than w windows: where those with w begin.
        let mut above = 0;
        for count in counts.iter_mut().rev() {
            (*count, above) = (above, above + *count);
        }
        self.active.clear();
        self.active.extend(counts.iter().take(MAX_WINDOWS).take_while(|&&count| count != 0));
        for words in &mut self.words {
            words.resize(entries.len(), 0);
        }
        self.tops.resize(entries.len(), 0);
        self.entries.resize(entries.len(), 0);
        for entry in entries {
            let Biased { words, windows, top } = windows.biased(entry.magnitude);
            let place = counts[windows] as usize;
            counts[windows] += 1;
            self.words[0][place] = words[0];
            self.words[1][place] = words[1];
            self.tops[place] = top;
            self.entries[place] = entry.row << 1 | u32::from(entry.negative);
        }
        self.active.len()
    }

    /// How many entries have a digit in window j.
    pub(crate) fn active(&self, j: usize) -> usize {
        self.active.get(j).map_or(0, |&count| count as usize)
    }

    /// Sorts the digits of the windows `from .. to`, for each of which there are `stride` buckets, 0 included.
    pub(crate) fn pass(&mut self, windows: &Windows, from: usize, to: usize, stride: usize) {
        let mut bounds = core::mem::take(&mut self.bounds);
        bounds.clear();
        bounds.resize((to - from) * stride + 1, 0);
        for (j, bounds) in (from..to).zip(bounds.chunks_exact_mut(stride)) {
            self.each_digit(windows, j, |d, _| bounds[d as usize] += 1);
        }
        let mut sum = 0;
        for bound in &mut bounds {
            sum += *bound;
            *bound = sum;
        }
        let mut rows = core::mem::take(&mut self.rows);
        rows.resize(sum as usize, 0);
        for (j, bounds) in (from..to).zip(bounds.chunks_exact_mut(stride)) {
            self.each_digit(windows, j, |d, row| {
                let bound = &mut bounds[d as usize];
                *bound -= 1;
                rows[*bound as usize] = row;
            });
        }
        (self.bounds, self.rows) = (bounds, rows);
    }

    /// Gives every digit of window j, and its row with the digit's sign, to `digit`.
    #[inline(always)]
    fn each_digit(&self, windows: &Windows, j: usize, mut digit: impl FnMut(u32, Signed)) {
        let (active, below_top, reader) = (self.active(j), self.active(j + 1), windows.reader(j));
        for (&word, &row) in self.words[reader.word][..below_top].iter().zip(&self.entries) {
            let (d, negative) = reader.digit(word);
            digit(d, row ^ negative);
        }
        for (&top, &row) in self.tops[below_top..active].iter().zip(&self.entries[below_top..active]) {
            let first = top.min(reader.half);
            digit(first, row);
            if top != first {
                digit(top - first, row);
            }
        }
    }

    /// Where the rows of each bucket of the pass are: those of its window w and digit d from [w·stride + d] to the next.
    pub(crate) fn bounds(&self) -> &[u32] {
        &self.bounds
    }

    /// The rows of all buckets.
    pub(crate) fn rows(&self) -> &[Signed] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the passes are: what the buckets say of a row, digit times weight with the sign, sums up to its multiple.
    #[test]
    fn buckets_give_the_multiples() {
        let magnitudes = [0, 1, 5, 1 << 63, u128::from(u64::MAX), 1 << 64, u128::MAX, 0xDEAD_BEEF << 77, 1 << 127];
        let entries: Vec<Entry> = (0..)
            .zip(magnitudes)
            .flat_map(|(row, magnitude)| {
                [false, true].map(|negative| Entry { row: 2 * row + u32::from(negative), negative, magnitude })
            })
            .collect();
        for (per_word, at_once) in [(5, 3), (7, 20), (16, 1), (32, 64)] {
            let (windows, mut sorted) = (Windows::new(per_word), Sorted::new());
            let count = sorted.order(&windows, &entries);
            assert_eq!(count, 2 * per_word);
            let [most, _] = windows.most_and_least_buckets();
            let mut sums = [0u128; 18];
            for from in (0..count).step_by(at_once) {
                let to = count.min(from + at_once);
                sorted.pass(&windows, from, to, most + 1);
                for (j, bounds) in (from..to).zip(sorted.bounds().windows(most + 2).step_by(most + 1)) {
                    for d in 1..=most {
                        for row in &sorted.rows()[bounds[d] as usize..bounds[d + 1] as usize] {
                            let term = (d as u128) << windows.start(j);
                            let sum = &mut sums[(row >> 1) as usize];
                            *sum = if row & 1 == 1 { sum.wrapping_sub(term) } else { sum.wrapping_add(term) };
                        }
                    }
                }
            }
            for entry in &entries {
                let sum = sums[entry.row as usize];
                assert_eq!(if entry.negative { sum.wrapping_neg() } else { sum }, entry.magnitude);
            }
        }
    }
}
