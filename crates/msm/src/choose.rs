//! Which method, and how many windows: what was measured.
//!
//! What decides is the number of 64-bit words that the entries have, and how many a window has on average: more windows mean more
//! additions, wider ones more buckets.

use crate::vartime::Entry;

/// What there is to sum.
pub(crate) struct Load {
    /// Entries that are not 0.
    entries: usize,
    /// Their words.
    words: usize,
    /// Words of the longest.
    longest: usize,
}

impl Load {
    /// The entries' load.
    pub(crate) fn of(entries: &[Entry]) -> Self {
        let mut load = Self { entries: 0, words: 0, longest: 0 };
        for entry in entries {
            let words = (u128::BITS - entry.magnitude.leading_zeros()).div_ceil(u64::BITS) as usize;
            load.entries += usize::from(words != 0);
            load.words += words;
            load.longest = load.longest.max(words);
        }
        load
    }
}

/// The most words for which Straus is faster: without lanes, and with.
const STRAUS: [usize; 2] = [84, 14];

/// Are they so few that Straus' method is faster?
pub(crate) fn is_few(without_lanes: bool, load: &Load) -> bool {
    load.words <= if without_lanes { STRAUS[0] } else { STRAUS[1] }
}

/// Windows of 64 bits for up to so many entries a window.
const WINDOWS: &[(usize, usize)] = &[(60, 16), (280, 11), (550, 9), (2200, 8), (8000, 7), (60_000, 6), (usize::MAX, 5)];

/// Windows of 64 bits.
pub(crate) fn windows_per_word(load: &Load) -> usize {
    let per_window = load.words / load.longest.max(1);
    WINDOWS.iter().find(|(entries, _)| per_window <= *entries).map_or(5, |(_, windows)| *windows)
}
