//! x^e mod m for an odd m of many words, in Montgomery's form on blocks of digits in lanes, R = 2^(416 z).
//!
//! Steps as in `odd`; beside m the products need −1/m mod R, which Newton's lifting gives for less than a product. Elements are
//! below 2m, so m has two bits less than R.

use crate::digits::{self, DIGIT_BITS, DIGIT_MASK, digit, put_digit};
use crate::domain::Domain;
use crate::odd::{Odd, ends_with_base};
use crate::power_of_two::{inverse, padded};
use crate::words::{less, shift_right, subtract, take, with_words};
use crate::{Exponent, Kernels, choose, window};
use arith::kernel::portable::{Blocks, MAX_BLOCKS, block_words};

const BLOCK_BITS: usize = 8 * DIGIT_BITS;

/// The blocks for a modulus of so many bits, if there are kernels for them.
pub(crate) fn count(bits: usize) -> Option<usize> {
    let z = (bits + 2).div_ceil(BLOCK_BITS);
    (z <= MAX_BLOCKS).then_some(z)
}

/// Products of blocks.
struct Ring<'a, K>(K, Blocks<'a>);

impl<K: Kernels> Domain for Ring<'_, K> {
    #[inline]
    fn width(&self) -> usize {
        self.1.m().len()
    }
    #[inline]
    fn sqr_times(&mut self, x: &mut [u64], times: u64) {
        for _ in 0..times {
            self.0.sqr_blocks(x, &self.1);
        }
    }
    #[inline]
    fn mul(&mut self, x: &mut [u64], y: &[u64]) {
        self.0.mul_blocks(x, y, &self.1);
    }
}

/// out = x^e mod m for e > 1, m of z blocks.
#[inline(never)]
pub(crate) fn pow<K: Kernels>(k: K, m: &Odd<'_>, z: usize, x: &[u8], e: Exponent<'_>, out: &mut [u64]) {
    let (n, width) = (m.divisor.words(), block_words(z));
    let short = ends_with_base(e);
    let window_bits = if short.is_some() { 1 } else { choose::window_bits(e.bits()) };
    let table_words = width << (window_bits - 1);
    let r_bits = z * BLOCK_BITS;
    let inverse_words = padded::<K>(r_bits / 64 + 1);
    let scratch = digits::scratch_words(n, x.len(), r_bits).max(inverse_words);
    with_words(4 * width + table_words + scratch + n, &mut |mut rest| {
        let (modulus, neg_inverse) = (take(&mut rest, width), take(&mut rest, width));
        let (power, plain) = (take(&mut rest, width), take(&mut rest, width));
        let (table, scratch) = (take(&mut rest, table_words), take(&mut rest, scratch));
        let reduced = take(&mut rest, n);
        to_digits(modulus, &m.padded[..n]);
        inverse(k, m.padded, &mut scratch[..inverse_words]);
        to_digits(neg_inverse, &scratch[..inverse_words]);
        negate(neg_inverse);
        digits::reduced(k, m, x, scratch, reduced);
        to_digits(&mut table[..width], digits::entered(k, m, reduced, r_bits, scratch));
        let Some(c) = Blocks::new(modulus, neg_inverse) else { return };
        let mut ring = Ring(k, c);
        if let Some(below) = short {
            window::pow(&mut ring, power, Exponent::new(&below.to_be_bytes()), 1, table);
            shift_right(reduced, m.shift);
            to_digits(plain, reduced);
        } else {
            window::pow(&mut ring, power, e, window_bits, table);
            plain[8] = 1;
        }
        ring.mul(power, plain);
        // below 2m
        let wide = &mut scratch[..n + 1];
        from_digits(wide, power);
        if wide[n] != 0 || !less(&wide[..n], &m.padded[..n]) {
            subtract(wide, &m.padded[..n]);
        }
        out.copy_from_slice(&wide[..n]);
    });
}

/// Words as an element's digits; what is beyond is dropped.
fn to_digits(element: &mut [u64], words: &[u64]) {
    let end = element.len() - 8;
    for (i, place) in element[8..end].iter_mut().enumerate() {
        *place = digit(words, i);
    }
}

/// An element's digits as words; what is beyond is dropped.
fn from_digits(words: &mut [u64], element: &[u64]) {
    words.fill(0);
    for (i, &digit) in element[8..element.len() - 8].iter().enumerate() {
        put_digit(words, i, digit);
    }
}

/// −x mod R on digits, x not zero.
fn negate(element: &mut [u64]) {
    let end = element.len() - 8;
    let mut carry = 1;
    for digit in &mut element[8..end] {
        let sum = (*digit ^ DIGIT_MASK) + carry;
        (*digit, carry) = (sum & DIGIT_MASK, sum >> DIGIT_BITS);
    }
}
