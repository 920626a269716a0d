//! Which way to sum, by what was measured.

/// Windows of 64 bits.
pub(crate) fn windows_per_word(lanes: usize, entries: usize) -> usize {
    let _ = lanes;
    match entries {
        0..=100 => 12,
        101..=500 => 11,
        501..=1500 => 9,
        1501..=6000 => 8,
        _ => 7,
    }
}
