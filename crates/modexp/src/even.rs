//! x^e mod q·2^k for an odd q > 1 and k > 0: x^e = a + q·((b − a)/q mod 2^k) with a = x^e mod q and b = x^e mod 2^k.
//!
//! Source: H. Garner's form of the Chinese remainder theorem, "Handbook of Applied Cryptography", algorithm 14.71; for even moduli
//! Ç. Koç, "Montgomery reduction with even modulus", IEE Proc. Computers and Digital Techniques 141 (1994).

use crate::odd::{self, Odd};
use crate::power_of_two::{self, keep_bits, padded};
use crate::words::{add, subtract, take, with_words};
use crate::{Exponent, Kernels};

/// out = x^e mod q·2^bits for e > 0; `inverse` is 1/q in the padded words for so many bits. out has the words of the modulus.
pub(crate) fn pow<K: Kernels>(
    k: K,
    q: &Odd<'_>,
    bits: u64,
    inverse: &[u64],
    x: &[u8],
    e: Exponent<'_>,
    out: &mut [u64],
) {
    let (odd_words, low_words) = (q.padded.len(), inverse.len());
    let product_words = odd_words + low_words;
    with_words(odd_words + 2 * low_words + product_words, &mut |mut rest| {
        let (a, b) = (take(&mut rest, odd_words), take(&mut rest, low_words));
        let (h, product) = (take(&mut rest, low_words), take(&mut rest, product_words));
        odd::pow(k, q, x, e, &mut a[..q.divisor.words()]);
        power_of_two::pow(k, bits, x, e, b);
        subtract_short(b, a);
        k.mul_low(h, b, inverse);
        keep_bits(h, bits);
        k.mul(product, q.padded, h);
        add_short(product, a);
        let words = out.len();
        out.copy_from_slice(&product[..words]);
    });
    debug_assert_eq!(padded::<K>(bits.div_ceil(64) as usize), low_words);
}

/// x = x − y mod 2^(64 n), n the words of x.
fn subtract_short(x: &mut [u64], y: &[u64]) {
    let common = y.len().min(x.len());
    let (low, high) = x.split_at_mut(common);
    let mut borrow = subtract(low, &y[..common]);
    for word in high {
        let borrowed;
        (*word, borrowed) = word.overflowing_sub(borrow);
        borrow = u64::from(borrowed);
    }
}

/// x = x + y mod 2^(64 n), n the words of x, which has at least those of y.
fn add_short(x: &mut [u64], y: &[u64]) {
    let (low, high) = x.split_at_mut(y.len());
    let mut carry = add(low, y);
    for word in high {
        let carried;
        (*word, carried) = word.overflowing_add(carry);
        carry = u64::from(carried);
    }
}
