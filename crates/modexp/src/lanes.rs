//! x^e mod m for up to eight odd m, each in its lane: Montgomery's form on N digits of 52 bits, R = 2^(52 N).
//!
//! Steps: R and x·R mod m by division, a lane after the other; the table x^0 … x^(2^w − 1); for each window of w bits, from the
//! longest exponent's top, w squares and one product, each lane with its own entry; out of the form by the product with 1.
//! Elements are below 2m, so m has two bits less than R. Cost for b bits: b + 2^w + b/w products for eight powers.

use crate::digits::{self, DIGIT_BITS, digit, put_digit};
use crate::division::Divisor;
use crate::many::Power;
use crate::odd::Odd;
use crate::words::{less, load, shift_left, significant, store, subtract, with_words};
use crate::{Exponent, Kernels, choose};
use arith::kernel::portable::{LaneDigits, Lanes, neg_inverse};

/// The largest table, 2^5 entries.
const TABLE: usize = 32;
/// The words of a modulus, at most.
const WORDS: usize = 8;

/// The window of `width` bits of e that begins with bit `low`.
fn window(e: Exponent<'_>, low: u64, width: u64) -> usize {
    let end = e.bits().min(low + width);
    if end <= low { 0 } else { (e.below(end) >> (64 - (end - low))) as usize }
}

/// Writes the number's digits into a lane.
fn set_lane<const N: usize>(element: &mut LaneDigits<N>, lane: usize, words: &[u64]) {
    for (i, row) in element.iter_mut().enumerate() {
        row[lane] = digit(words, i);
    }
}

/// Computes these rows, at most eight: odd moduli above 1 of at most 52 N − 2 bits, nothing trivial, outputs long enough.
#[inline(never)]
pub(crate) fn pow<K: Kernels, const N: usize>(
    k: K,
    powers: &mut [Power<'_>],
    rows: impl Iterator<Item = usize> + Clone,
) {
    let o = [[0; 8]; N];
    let (mut m, mut one, mut table) = (o, o, [o; TABLE]);
    let mut most_bits = 0;
    for (lane, row) in rows.clone().enumerate() {
        let power = &powers[row];
        most_bits = power.exponent.bits().max(most_bits);
        enter::<K, N>(k, power, |modulus, r, x_r| {
            set_lane(&mut m, lane, modulus);
            set_lane(&mut table[0], lane, r);
            set_lane(&mut table[1], lane, x_r);
        });
        one[0][lane] = 1;
    }
    // Lanes without a row: modulo 1, below which is only 0.
    for lane in rows.clone().count()..8 {
        m[0][lane] = 1;
    }
    let c = Lanes::new(&m);
    let width = choose::fixed_window_bits(most_bits);
    for i in 2..1 << width {
        let (done, next) = table.split_at_mut(i);
        next[0] = done[i - 1];
        k.mul_lanes(&mut next[0], &done[1], &c);
    }
    let (mut acc, mut entry) = (table[0], o);
    for at in (0..most_bits.div_ceil(width)).rev() {
        for (lane, row) in rows.clone().enumerate() {
            let from = &table[window(powers[row].exponent, width * at, width)];
            for (to, from) in entry.iter_mut().zip(from) {
                to[lane] = from[lane];
            }
        }
        if at + 1 == most_bits.div_ceil(width) {
            acc = entry;
            continue;
        }
        for _ in 0..width {
            let same = acc;
            k.mul_lanes(&mut acc, &same, &c);
        }
        k.mul_lanes(&mut acc, &entry, &c);
    }
    k.mul_lanes(&mut acc, &one, &c);
    for (lane, row) in rows.enumerate() {
        let (mut result, mut modulus) = ([0; WORDS + 1], [0; WORDS + 1]);
        for (i, (digits, m)) in acc.iter().zip(c.m()).enumerate() {
            put_digit(&mut result, i, digits[lane]);
            put_digit(&mut modulus, i, m[lane]);
        }
        if !less(&result, &modulus) {
            subtract(&mut result, &modulus);
        }
        store(powers[row].out, &result);
    }
}

/// Hands m, R mod m and x·R mod m to `then`, in words.
fn enter<K: Kernels, const N: usize>(k: K, power: &Power<'_>, then: impl FnOnce(&[u64], &[u64], &[u64])) {
    let bytes = significant(power.modulus);
    let n = bytes.len().div_ceil(8).min(WORDS);
    let r_bits = DIGIT_BITS * N;
    let mut m = [0; WORDS];
    load(&mut m[..n], bytes);
    let shift = m[n - 1].leading_zeros();
    let mut normal = m;
    shift_left(&mut normal[..n], shift);
    let odd = Odd { padded: &m[..n], divisor: Divisor::new(&normal[..n]), shift, k: neg_inverse(m[0]) };
    let base = significant(power.base);
    let mut then = Some(then);
    with_words(digits::scratch_words(n, base.len(), r_bits), &mut |scratch| {
        let (mut reduced, mut r) = ([0; WORDS], [0; WORDS]);
        digits::reduced(k, &odd, &[1], scratch, &mut reduced[..n]);
        r[..n].copy_from_slice(digits::entered(k, &odd, &reduced[..n], r_bits, scratch));
        digits::reduced(k, &odd, base, scratch, &mut reduced[..n]);
        let x_r = digits::entered(k, &odd, &reduced[..n], r_bits, scratch);
        if let Some(then) = then.take() {
            then(&m[..n], &r[..n], x_r);
        }
    });
}
