//! The modulus taken apart, once for many powers or on the stack for one.

use crate::division::Divisor;
use crate::odd::{self, Odd};
use crate::power_of_two::{self, padded};
use crate::words::{load, shift_left, significant, store, take, with_words};
use crate::{Exponent, Kernels, even, small};
use alloc::vec;
use alloc::vec::Vec;
use arith::kernel::portable::neg_inverse;
use core::fmt;

/// The output has fewer bytes than the modulus without its leading zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputTooShort;

impl fmt::Display for OutputTooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the output is shorter than the modulus")
    }
}

impl core::error::Error for OutputTooShort {}

/// `out` = `base`^`exponent` mod `modulus`, all big-endian, zeros in front of what is longer than the result.
///
/// By definition 0 for a modulus of 0 (no bytes included) or 1, else 1 for an exponent of 0. Inputs may have any length, none included,
/// and may be the same memory; nothing is allocated up to 1024 bytes each. Vartime.
///
/// # Errors
/// [`OutputTooShort`]; then `out` is as it was.
pub fn modexp<K: Kernels>(
    k: K,
    base: &[u8],
    exponent: Exponent<'_>,
    modulus: &[u8],
    out: &mut [u8],
) -> Result<(), OutputTooShort> {
    let modulus = significant(modulus);
    if out.len() < modulus.len() {
        return Err(OutputTooShort);
    }
    if is_trivial(base, exponent, modulus, out) {
    } else if modulus.len() <= 32 && modulus.last().is_some_and(|last| last & 1 == 1) {
        small::pow_bytes(k, significant(base), exponent, modulus, out);
    } else {
        let shape = Shape::new::<K>(modulus);
        with_words(shape.words(), &mut |words| {
            shape.fill(k, modulus, words);
            shape.pow(k, words, base, exponent, out);
        });
    }
    Ok(())
}

/// Writes the result and says so where it needs no arithmetic.
pub(crate) fn is_trivial(base: &[u8], exponent: Exponent<'_>, modulus: &[u8], out: &mut [u8]) -> bool {
    let result = match (modulus, exponent.bits(), significant(base)) {
        ([] | [1], _, _) => 0,
        (_, 0, _) | (_, _, [1]) => 1,
        (_, _, []) => 0,
        _ => return false,
    };
    out.fill(0);
    if let Some(last) = out.last_mut() {
        *last = result;
    }
    true
}

/// A modulus for many powers. Making one allocates, taking powers does not up to 1024 bytes.
#[derive(Clone)]
pub struct Modulus<K> {
    k: K,
    /// Without leading zeros.
    bytes: Vec<u8>,
    shape: Shape,
    words: Vec<u64>,
}

impl<K: Kernels> Modulus<K> {
    /// The modulus with these big-endian bytes.
    #[must_use]
    pub fn new(k: K, modulus: &[u8]) -> Self {
        let bytes = significant(modulus).to_vec();
        let shape = Shape::new::<K>(&bytes);
        let mut words = vec![0; shape.words()];
        shape.fill(k, &bytes, &mut words);
        Self { k, bytes, shape, words }
    }

    /// The modulus, big-endian, without leading zeros.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// As [`modexp`].
    ///
    /// # Errors
    /// [`OutputTooShort`]; then `out` is as it was.
    pub fn pow(&self, base: &[u8], exponent: Exponent<'_>, out: &mut [u8]) -> Result<(), OutputTooShort> {
        if out.len() < self.bytes.len() {
            return Err(OutputTooShort);
        }
        if !is_trivial(base, exponent, &self.bytes, out) {
            self.shape.pow(self.k, &self.words, base, exponent, out);
        }
        Ok(())
    }
}

/// How the modulus q·2^k lies in its words: q padded, q·2^shift, 1/q mod 2^k padded. Numbers of words.
#[derive(Clone, Copy)]
struct Shape {
    all: usize,
    odd: usize,
    odd_padded: usize,
    low_padded: usize,
    /// k.
    twos: u64,
    /// That q·2^shift has its top bit set.
    shift: u32,
    /// The bits of q.
    odd_bits: u64,
}

impl Shape {
    /// Of a modulus without leading zeros; 0 is taken for 1.
    fn new<K: Kernels>(modulus: &[u8]) -> Self {
        let bits = modulus.first().map_or(1, |first| 8 * modulus.len() as u64 - u64::from(first.leading_zeros()));
        let zero_bytes = modulus.iter().rev().take_while(|&&byte| byte == 0).count();
        let last = modulus.iter().rev().nth(zero_bytes).copied().unwrap_or(1);
        let twos = 8 * zero_bytes as u64 + u64::from(last.trailing_zeros());
        let odd_bits = bits - twos;
        let odd = odd_bits.div_ceil(64) as usize;
        Self {
            all: bits.div_ceil(64) as usize,
            odd,
            odd_padded: padded::<K>(odd),
            low_padded: padded::<K>(twos.div_ceil(64) as usize),
            twos,
            shift: (odd_bits.wrapping_neg() % 64) as u32,
            odd_bits,
        }
    }

    /// The words of all that `fill` writes.
    fn words(&self) -> usize {
        self.odd_padded + self.odd + self.low_padded
    }

    /// Writes the modulus taken apart.
    fn fill<K: Kernels>(&self, k: K, modulus: &[u8], words: &mut [u64]) {
        let mut rest = words;
        let (q, normal, inverse) =
            (take(&mut rest, self.odd_padded), take(&mut rest, self.odd), take(&mut rest, self.low_padded));
        if self.twos == 0 {
            load(q, modulus);
        } else {
            shift_into(q, modulus, self.twos);
        }
        normal.copy_from_slice(&q[..self.odd]);
        shift_left(normal, self.shift);
        if self.twos > 0 && self.odd_bits > 1 {
            power_of_two::inverse(k, q, inverse);
        }
    }

    /// Writes x^e mod the modulus above 1 that is in `words`, for e > 0.
    fn pow<K: Kernels>(&self, k: K, words: &[u64], x: &[u8], e: Exponent<'_>, out: &mut [u8]) {
        let (q, rest) = words.split_at(self.odd_padded);
        let (normal, inverse) = rest.split_at(self.odd);
        with_words(self.all.max(self.low_padded), &mut |result| {
            if self.odd_bits == 1 {
                power_of_two::pow(k, self.twos, x, e, &mut result[..self.low_padded]);
            } else {
                let q = Odd {
                    padded: q,
                    divisor: Divisor::new(normal),
                    shift: self.shift,
                    k: q.first().map_or(0, |&low| neg_inverse(low)),
                };
                if self.twos == 0 {
                    odd::pow(k, &q, x, e, &mut result[..self.odd]);
                } else {
                    even::pow(k, &q, self.twos, inverse, x, e, &mut result[..self.all]);
                }
            }
            store(out, &result[..self.all]);
        });
    }
}

/// q = the bytes' number divided by 2^twos, of which nothing is lost at the top.
fn shift_into(q: &mut [u64], bytes: &[u8], twos: u64) {
    let (whole_words, bits) = ((twos / 64) as usize, (twos % 64) as u32);
    let word = |at: usize| {
        let mut word = [0];
        let end = bytes.len().saturating_sub(8 * at);
        load(&mut word, &bytes[..end]);
        word[0]
    };
    for (at, q) in q.iter_mut().enumerate() {
        let (low, high) = (word(at + whole_words), word(at + whole_words + 1));
        *q = ((u128::from(high) << 64 | u128::from(low)) >> bits) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Portable;

    fn power(base: &[u8], exponent: &[u8], modulus: &[u8]) -> [u8; 4] {
        let mut out = [0xAA; 4];
        modexp(Portable, base, Exponent::new(exponent), modulus, &mut out).unwrap_or_else(|_| out.fill(0xEE));
        out
    }

    #[test]
    fn by_definition() {
        for zero in [&[][..], &[0], &[0, 0, 0]] {
            assert_eq!(power(&[3], &[2], zero), [0; 4], "modulo 0");
            assert_eq!(power(&[3], zero, &[1]), [0; 4], "x^0 modulo 1");
            assert_eq!(power(zero, zero, &[0, 1]), [0; 4], "0^0 modulo 1");
            assert_eq!(power(zero, zero, &[2]), [0, 0, 0, 1], "0^0");
            assert_eq!(power(&[7], zero, &[5]), [0, 0, 0, 1], "x^0");
            assert_eq!(power(zero, &[9], &[5]), [0; 4], "0^e");
        }
        assert_eq!(power(&[3], &[4], &[0, 0, 0, 0, 100]), [0, 0, 0, 81]);
        assert_eq!(power(&[3], &[4], &[1, 0, 0, 0, 0]), [0xEE; 4], "the modulus does not fit");
    }

    #[test]
    fn the_same_memory() {
        let number = [0, 0, 201];
        let modulus = Modulus::new(Portable, &number);
        let mut out = [0; 1];
        assert_eq!(modulus.pow(&number, Exponent::new(&number), &mut out), Ok(()));
        assert_eq!((out, modulus.bytes()), ([0], &[201][..]));
    }
}
