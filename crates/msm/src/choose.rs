//! Which method, and how many windows: what was measured.
//!
//! What decides is the number of 64-bit words that the entries have, and how many a window has on average: more windows mean more
//! additions, wider ones more buckets.

use crate::vartime::Entry;

/// What there is to sum.
pub(crate) struct Load {
    /// The words of all entries.
    words: usize,
    /// Words of the longest.
    longest: usize,
}

impl Load {
    /// The entries' load.
    pub(crate) fn of(entries: &[Entry]) -> Self {
        let mut load = Self { words: 0, longest: 0 };
        for entry in entries {
            let words = (u128::BITS - entry.magnitude.leading_zeros()).div_ceil(u64::BITS) as usize;
            load.words += words;
            load.longest = load.longest.max(words);
        }
        load
    }
}

/// What was measured of an engine: AMD EPYC (Zen 4), minima of repeated sums of BIP340 batches and of plain multiples; the
/// figures are in OPTIMIZATIONS.md, "sums of many multiples". One width to either side costs 1 to 4 %.
struct Measured {
    /// The most words for which Straus is faster.
    straus: usize,
    /// Windows of 64 bits, for up to so many entries a window.
    windows: &'static [(usize, usize)],
}

/// `portable` and `adx`, which cross at the same places.
const ONE_LANE: Measured = Measured {
    straus: 84,
    windows: &[(36, 16), (170, 11), (230, 10), (480, 9), (1100, 8), (5000, 7), (100_000, 6), (usize::MAX, 5)],
};

/// `ifma`, 16 lanes.
const LANES: Measured =
    Measured { straus: 14, windows: &[(96, 16), (250, 11), (1700, 8), (5000, 7), (100_000, 6), (usize::MAX, 5)] };

/// What was measured of an engine with so many lanes.
const fn measured(lanes: usize) -> &'static Measured {
    if lanes == 1 { &ONE_LANE } else { &LANES }
}

/// Are they so few that Straus' method is faster, on an engine with so many lanes?
pub(crate) fn is_few(lanes: usize, load: &Load) -> bool {
    load.words <= measured(lanes).straus
}

/// How entries of so many words, the longest of so many, are summed: the windows of a word, 0 by Straus' method. Tests look
/// closer at where it changes.
#[doc(hidden)]
#[must_use]
pub fn method(lanes: usize, words: usize, longest: usize) -> usize {
    let load = Load { words, longest };
    if is_few(lanes, &load) { 0 } else { windows_per_word(lanes, &load) }
}

/// Windows of 64 bits.
pub(crate) fn windows_per_word(lanes: usize, load: &Load) -> usize {
    let per_window = load.words / load.longest.max(1);
    let windows = measured(lanes).windows.iter().find(|(entries, _)| per_window <= *entries);
    windows.map_or(5, |(_, windows)| *windows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::straus::MAX_ENTRIES;
    use crate::windows::Windows;

    #[test]
    fn more_entries_have_fewer_windows() {
        for lanes in [1, 16] {
            let Measured { straus, windows } = measured(lanes);
            assert!(*straus <= MAX_ENTRIES, "an entry has a word at least");
            assert!(windows.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1));
            for (_, per_word) in *windows {
                assert_eq!(Windows::new(*per_word).start(*per_word), 64, "windows are not clamped");
            }
        }
    }

    #[test]
    fn the_load_of_short_and_long_entries() {
        let entry = |magnitude| Entry { row: 0, negative: false, magnitude };
        let load = Load::of(&[entry(0), entry(1), entry(1 << 63), entry(1 << 64)]);
        assert_eq!((load.words, load.longest), (4, 2));
        assert!(is_few(1, &load) && is_few(16, &load));
        assert_eq!(windows_per_word(1, &Load::of(&[])), 16);
    }
}
