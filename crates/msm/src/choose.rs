//! How many windows: what was measured.
//!
//! The number of entries that a window has on average decides: more windows mean more additions, wider ones more buckets.

/// Windows of 64 bits for up to so many entries a window.
const WINDOWS: &[(usize, usize)] = &[(60, 16), (280, 11), (550, 9), (2200, 8), (8000, 7), (60_000, 6), (usize::MAX, 5)];

/// Windows of 64 bits for entries with so many words, of which the longest has `most`.
pub(crate) fn windows_per_word(words: usize, most: usize) -> usize {
    let per_window = words / most.max(1);
    WINDOWS.iter().find(|(entries, _)| per_window <= *entries).map_or(5, |(_, windows)| *windows)
}
