//! Widths of windows and which form products have, by what was counted and measured.

use crate::{Exponent, Kernels, blocks};

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

/// n words, or whole blocks of them for the assembly where these are faster. With an exponent of eight bits, ns in whole blocks and as
/// they are: nine words 3290 and 2650, ten 3310 and 3140; but 320/320 27.1 µs and 28.7, 640/640 153 and 153, 704/704 168 and 193.
pub(crate) fn padded(words: usize, block: usize) -> usize {
    let whole = words.next_multiple_of(block);
    if words <= 4 || whole * whole >= 3 * words * words { words } else { whole }
}

/// The blocks in which the digits of products stand in lanes, where that is faster than words: for an odd modulus of so many bits.
pub(crate) fn blocks<K: Kernels>(modulus_bits: usize, e: Exponent<'_>) -> Option<usize> {
    // The squares have to pay for −1/m mod R; e = 2 and 3 need no form at all. 1024/65537: 4.04 µs in lanes, 3.70 in words;
    // 2048/65537: 8.4 and 12.9.
    let least_exponent_bits = if modulus_bits < 1400 { 32 } else { 5 };
    if modulus_bits < K::BLOCKS_FROM_BITS || e.bits() < least_exponent_bits {
        return None;
    }
    blocks::count(modulus_bits)
}

/// The width of fixed windows, whose table has 2^w entries: for powers in lanes, which take their steps together.
pub(crate) fn fixed_window_bits(exponent_bits: u64) -> u64 {
    match exponent_bits {
        0..=24 => 2,
        25..=80 => 3,
        81..=320 => 4,
        _ => 5,
    }
}

/// Is a power modulo an odd number of so many bytes faster in a lane, if there are others to fill the rest? One and two words are faster
/// one by one, and short exponents do not pay for the table and for two divisions where one by one takes one.
pub(crate) fn suits_lanes<K: Kernels>(modulus_bytes: usize, e: Exponent<'_>) -> bool {
    K::HAS_LANES && (17..=64).contains(&modulus_bytes) && e.bits() >= 48
}

/// As many powers are faster in lanes of N digits than one by one. On engine ifma, ns each, one by one and in lanes, 3, 4 and 8 of
/// them: 256/64 1425, 1675, 1326, 793; 256/256 5220, 5588, 4370, 2532; 512/512 42.0k, 29.2k, 22.3k, 11.4k.
pub(crate) const fn lanes_from(digits: usize) -> usize {
    if digits <= 5 { 4 } else { 3 }
}
