//! Many signatures at once: every row's verdict is the one that it has alone, whatever the other rows are, how many, and in what
//! order, and however little memory there is. On the engine in use; `cargo xtask test` runs it on each.
//!
//! With `WINDLASS_TEST_PERCENT=full` whole products are tried of which a usual run tries a part; `--nocapture` shows how many.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod crossovers;
mod exceptional;
mod memory;
mod planted;
mod recover;

use testkit::effort;
use testkit::many_suite::{Case, Rows};

/// The sizes of calls that are tried with every fault at every index: one to four groups of eight, one of 24, and ragged ones.
const SMALL_SIZES: std::ops::RangeInclusive<usize> = 1..=33;

/// Counts the combinations of a test, of which a usual run, and even more so an emulated CPU, tries a part.
struct Effort {
    one_in: usize,
    seen: usize,
    taken: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self::one_in_of_usual(1)
    }
}

impl Effort {
    /// A usual run tries one in so many.
    fn one_in_of_usual(usual: usize) -> Self {
        Self { one_in: effort::one_in_of_usual(usual), seen: 0, taken: 0 }
    }

    /// From here on a usual run tries one in so many.
    fn set_usual(&mut self, usual: usize) {
        self.one_in = effort::one_in_of_usual(usual);
    }

    /// Is the next combination to be tried? The part is spread over what the loops inside one another go through.
    fn takes_next(&mut self) -> bool {
        self.seen += 1;
        let takes = self.seen.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20 & 0xFFFF_FFFF < 0x1_0000_0000 / self.one_in;
        self.taken += usize::from(takes);
        takes
    }

    /// Says how many.
    fn report(&self, what: &str) {
        println!("{what}: {} of {} combinations", self.taken, self.seen);
    }
}

/// `size` of these rows, from one of them on and round.
fn some<'a>(cases: &'a [Case], from: usize, size: usize) -> Rows<'a> {
    Rows::new(cases.iter().cycle().skip(from % cases.len()).take(size))
}
