//! x^e by sliding windows over the bits of e, from the top.
//!
//! Steps: the odd powers x, x³, …, x^(2^w − 1); then for each window, which ends with a one: as many squares as it has bits and
//! zeros stand before it, and one product. Cost for b bits: b S + (2^(w − 1) + b/(w + 1)) M.
//! Source: "Handbook of Applied Cryptography", algorithm 14.85.

use crate::Exponent;
use crate::domain::Domain;

/// acc = x^e for e > 0, x the first element of `table`, which has room for 2^(`window_bits` − 1) of them.
#[inline(always)]
pub(crate) fn pow<D: Domain>(d: &mut D, acc: &mut [u64], e: Exponent<'_>, window_bits: u32, table: &mut [u64]) {
    let width = d.width();
    if window_bits > 1 {
        acc.copy_from_slice(&table[..width]);
        d.sqr_times(acc, 1);
        for i in 1..1 << (window_bits - 1) {
            let (done, next) = table.split_at_mut(i * width);
            next[..width].copy_from_slice(&done[(i - 1) * width..]);
            d.mul(&mut next[..width], acc);
        }
    }
    let (mut end, mut squares, mut started) = (e.bits(), 0, false);
    while end > 0 {
        let bits = e.below(end);
        let zeros = u64::from(bits.leading_zeros()).min(end);
        if zeros > 0 {
            squares += zeros;
            end -= zeros;
            continue;
        }
        let longest = u64::from(window_bits).min(end);
        let digit = bits >> (64 - longest);
        let length = longest - u64::from(digit.trailing_zeros());
        let at = (digit >> digit.trailing_zeros() >> 1) as usize * width;
        let power = &table[at..at + width];
        if started {
            d.sqr_times(acc, squares + length);
            d.mul(acc, power);
        } else {
            acc.copy_from_slice(power);
            started = true;
        }
        squares = 0;
        end -= length;
    }
    d.sqr_times(acc, squares);
}
