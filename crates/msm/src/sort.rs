//! The rows of every bucket of a pass side by side, by counting sort.
//!
//! 1. Entries are ordered by how many windows they have, most first, so that window j concerns the first few.
//! 2. For the windows of a pass: the digits of every entry, then how often each occurs, then where each bucket begins.
//! 3. Each digit's row goes to its bucket's next place. The bucket 0 is sorted like the others and never read.

use crate::vartime::Entry;
use crate::windows::{MAX_WINDOWS, Windows};
use alloc::vec::Vec;

/// A row's number and, in the lowest bit, whether it is subtracted.
pub(crate) type Signed = u32;

/// Entries in order and the buckets of a pass.
pub(crate) struct Sorted {
    /// Entries with most windows first.
    order: Vec<u32>,
    /// How many entries have a digit in window j.
    active: Vec<u32>,
    /// The digits of the pass: window after window, entry after entry.
    digits: Vec<i16>,
    /// Second digits of top windows.
    second: Vec<(u16, i16, Signed)>,
    /// Where each bucket ends while rows are placed; in the end each bucket's first place, and one more.
    ends: Vec<u32>,
    /// The rows, bucket after bucket.
    rows: Vec<Signed>,
    /// Places of a window in `ends`: one for every digit, 0 included.
    stride: usize,
}

impl Sorted {
    pub(crate) const fn new() -> Self {
        Self {
            order: Vec::new(),
            active: Vec::new(),
            digits: Vec::new(),
            second: Vec::new(),
            ends: Vec::new(),
            rows: Vec::new(),
            stride: 0,
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
        self.order.clear();
        self.order.resize(entries.len(), 0);
        for (i, entry) in entries.iter().enumerate() {
            let place = &mut counts[windows.count(entry.magnitude)];
            self.order[*place as usize] = i as u32;
            *place += 1;
        }
        self.active.len()
    }

    /// How many entries have a digit in window j.
    pub(crate) fn active(&self, j: usize) -> usize {
        self.active.get(j).map_or(0, |&count| count as usize)
    }

    /// Sorts the digits of the windows `from .. to`.
    pub(crate) fn pass(&mut self, windows: &Windows, entries: &[Entry], from: usize, to: usize) {
        let Some(&count) = self.active.get(from) else { return };
        let (count, passed) = (count as usize, to - from);
        let [most, _] = windows.most_and_least_buckets();
        self.stride = most + 1;
        self.digits.clear();
        self.digits.resize(count * passed, 0);
        self.second.clear();
        for (i, &entry) in self.order[..count].iter().enumerate() {
            let entry = &entries[entry as usize];
            let sign = if entry.negative { -1 } else { 1 };
            let (digits, mut top) = (&mut self.digits, 0);
            let second = windows.digits(entry.magnitude, from, to, |j, d| {
                digits[(j - from) * count + i] = d * sign;
                top = j;
            });
            if second != 0 {
                self.second.push(((top - from) as u16, second, entry.row << 1 | u32::from(entry.negative)));
            }
        }
        self.ends.clear();
        self.ends.resize(passed * self.stride + 1, 0);
        for (w, ends) in self.ends.chunks_exact_mut(self.stride).take(passed).enumerate() {
            for &d in &self.digits[w * count..][..self.active[from + w] as usize] {
                ends[usize::from(d.unsigned_abs())] += 1;
            }
        }
        for &(w, d, _) in &self.second {
            self.ends[usize::from(w) * self.stride + d as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut self.ends {
            sum += *end;
            *end = sum;
        }
        self.rows.clear();
        self.rows.resize(sum as usize, 0);
        for w in 0..passed {
            let ends = &mut self.ends[w * self.stride..][..self.stride];
            let active = self.active[from + w] as usize;
            for (&d, &entry) in self.digits[w * count..][..active].iter().zip(&self.order) {
                let end = &mut ends[usize::from(d.unsigned_abs())];
                *end -= 1;
                self.rows[*end as usize] = entries[entry as usize].row << 1 | u32::from(d < 0);
            }
        }
        for &(w, d, row) in &self.second {
            let end = &mut self.ends[usize::from(w) * self.stride + d as usize];
            *end -= 1;
            self.rows[*end as usize] = row;
        }
    }

    /// Where the rows of each bucket of the pass are: those of window w and digit d from [w·stride + d] to the next.
    pub(crate) fn bounds(&self) -> &[u32] {
        &self.ends
    }

    /// The rows of all buckets.
    pub(crate) fn rows(&self) -> &[Signed] {
        &self.rows
    }
}
