//! Which way to sum, by what was measured.

/// How a sum by buckets is cut.
pub(crate) struct Shape {
    /// Windows of 64 bits.
    pub(crate) per_word: usize,
    /// Buckets of a lane's running sum.
    pub(crate) chunk: usize,
}

pub(crate) fn shape(lanes: usize, entries: usize) -> Shape {
    let per_word = match entries {
        0..=64 => 16,
        65..=200 => 12,
        201..=500 => 11,
        501..=1000 => 9,
        1001..=3000 => 8,
        3001..=6000 => 7,
        _ => 6,
    };
    let least = 1 << (64 / per_word - 1);
    let most = 1 << (64usize.div_ceil(per_word) - 1);
    Shape { per_word, chunk: if lanes == 1 { most } else { least } }
}
