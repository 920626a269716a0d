//! Many signatures at once: every row's verdict is the one that it has alone, whatever the other rows are, how many, and in what
//! order, and however little memory there is. On the engine in use; `cargo xtask test` runs it on each.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod crossovers;
mod exceptional;
mod forgeries;
mod memory;
mod planted;
mod recover;

use testkit::effort;
use testkit::many_suite::{Case, Rows};

/// The sizes of calls that are tried with every fault at every index: one to four groups of eight, one of 24, and ragged ones.
const SMALL_SIZES: std::ops::RangeInclusive<usize> = 1..=33;

/// Counts the combinations of a test, of which an emulated CPU tries a part.
#[derive(Default)]
struct Effort {
    seen: usize,
}

impl Effort {
    /// Is the next combination to be tried? The part is spread over what the loops inside one another go through.
    fn takes_next(&mut self) -> bool {
        self.seen += 1;
        self.seen.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20 & 0xFFFF < 0x10000 / effort::one_in()
    }
}

/// `size` of these rows, from one of them on and round.
fn some<'a>(cases: &'a [Case], from: usize, size: usize) -> Rows<'a> {
    Rows::new(cases.iter().cycle().skip(from % cases.len()).take(size))
}
