//! Digits of 52 bits, as lanes have them, and the way into Montgomery's form on them.

use crate::Kernels;
use crate::odd::Odd;
use crate::words::{load, shift_left, shift_right};

pub(crate) const DIGIT_BITS: usize = 52;
pub(crate) const DIGIT_MASK: u64 = (1 << DIGIT_BITS) - 1;

/// Digit i of a number in words; zeros above.
#[inline]
pub(crate) fn digit(words: &[u64], i: usize) -> u64 {
    let (at, bits) = (i * DIGIT_BITS / 64, i * DIGIT_BITS % 64);
    let low = words.get(at).copied().unwrap_or(0);
    let high = words.get(at + 1).copied().unwrap_or(0);
    ((u128::from(high) << 64 | u128::from(low)) >> bits) as u64 & DIGIT_MASK
}

/// Puts digit i into words that have zeros there; what is beyond is dropped.
#[inline]
pub(crate) fn put_digit(words: &mut [u64], i: usize, digit: u64) {
    let (at, bits) = (i * DIGIT_BITS / 64, i * DIGIT_BITS % 64);
    let wide = u128::from(digit) << bits;
    for (word, part) in words.iter_mut().skip(at).zip([wide as u64, (wide >> 64) as u64]) {
        *word |= part;
    }
}

/// The words of scratch that [`reduced`] and [`entered`] need: n words of the modulus, R = 2^`r_bits`.
pub(crate) fn scratch_words(n: usize, x_bytes: usize, r_bits: usize) -> usize {
    (x_bytes.div_ceil(8).max(n) + 1).max(r_bits / 64 + n + 1)
}

/// `out` = x mod m, its bits still shifted as the divisor's are.
pub(crate) fn reduced<K: Kernels>(k: K, m: &Odd<'_>, x: &[u8], scratch: &mut [u64], out: &mut [u64]) {
    let n = m.divisor.words();
    let wide = &mut scratch[..x.len().div_ceil(8).max(n) + 1];
    load(wide, x);
    shift_left(wide, m.shift);
    m.divisor.reduce(k, wide);
    out.copy_from_slice(&wide[..n]);
}

/// x·2^`r_bits` mod m from what [`reduced`] left.
pub(crate) fn entered<'a, K: Kernels>(
    k: K,
    m: &Odd<'_>,
    reduced: &[u64],
    r_bits: usize,
    scratch: &'a mut [u64],
) -> &'a [u64] {
    let (n, r_words) = (m.divisor.words(), r_bits / 64);
    let wide = &mut scratch[..r_words + n + 1];
    wide.fill(0);
    wide[r_words..r_words + n].copy_from_slice(reduced);
    shift_left(&mut wide[r_words..], (r_bits % 64) as u32);
    m.divisor.reduce(k, wide);
    shift_right(&mut wide[..n], m.shift);
    &wide[..n]
}
