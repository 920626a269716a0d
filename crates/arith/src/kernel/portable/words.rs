//! a·b, a², a·b mod 2^(64 n), x − q·d and Montgomery's reduction on any number of words, least significant first.
//!
//! Word products: n², n (n + 1)/2, n (n + 1)/2, n, n² + n. Montgomery's reduction stands apart from the product, so that a
//! square saves what a square can save. Source: P. Montgomery, "Modular multiplication without trial division", Math. Comp. 44
//! (1985); Ç. Koç, T. Acar, B. Kaliski, "Analyzing and comparing Montgomery multiplication algorithms", IEEE Micro 16 (1996),
//! SOS. Vartime in the lengths alone.

use crate::limbs::{add_carry, mul_add_carry, sub_borrow};

/// t += a·b on as many words as a has; the word above.
#[inline(always)]
fn add_row(t: &mut [u64], a: &[u64], b: u64) -> u64 {
    let mut carry = 0;
    for (t, &a) in t.iter_mut().zip(a) {
        (*t, carry) = mul_add_carry(*t, a, b, carry);
    }
    carry
}

/// t = a·b; t has as many words as a and b together, else the upper ones are lost or left as they were.
#[inline(always)]
pub fn mul_words_portable(t: &mut [u64], a: &[u64], b: &[u64]) {
    t.fill(0);
    let mut rest = t;
    for &b in b {
        let carry = add_row(rest, a, b);
        if let Some(above) = rest.get_mut(a.len()) {
            *above = carry;
        }
        let Some((_, next)) = rest.split_first_mut() else { return };
        rest = next;
    }
}

/// t = a²; t has twice as many words as a.
#[inline(always)]
pub fn sqr_words_portable(t: &mut [u64], a: &[u64]) {
    t.fill(0);
    // Σ_{i<j} aᵢ aⱼ 2^(64 (i + j))
    for i in 0..a.len() {
        let (upper, at) = (&a[i + 1..], 2 * i + 1);
        let carry = add_row(&mut t[at..], upper, a[i]);
        t[at + upper.len()] = carry;
    }
    // twice that, plus aᵢ² 2^(128 i)
    let (mut shifted_out, mut carry) = (0, 0);
    for (pair, &a) in t.chunks_exact_mut(2).zip(a) {
        let (low, high) = mul_add_carry(0, a, a, 0);
        let doubled = [pair[0] << 1 | shifted_out, pair[1] << 1 | pair[0] >> 63];
        shifted_out = pair[1] >> 63;
        (pair[0], carry) = add_carry(doubled[0], low, carry);
        (pair[1], carry) = add_carry(doubled[1], high, carry);
    }
}

/// t = a·b mod 2^(64 n), n the words of t; a and b have as many.
#[inline(always)]
pub fn mul_low_words_portable(t: &mut [u64], a: &[u64], b: &[u64]) {
    t.fill(0);
    for (i, &b) in b.iter().enumerate().take(t.len()) {
        add_row(&mut t[i..], a, b);
    }
}

/// x −= q·d on as many words as d has; what is missing above.
#[inline(always)]
pub fn sub_mul_words_portable(x: &mut [u64], d: &[u64], q: u64) -> u64 {
    let (mut above, mut borrow) = (0, 0);
    for (x, &d) in x.iter_mut().zip(d) {
        let low;
        (low, above) = mul_add_carry(0, q, d, above);
        (*x, borrow) = sub_borrow(*x, low, borrow);
    }
    above + borrow
}

/// The upper half of t becomes (t + Q·m)/2^(64 n) without its carry, which is returned; Q is what makes that whole, k = −1/m mod
/// 2^64. t has twice as many words as m. The lower half of t is lost. With t below 2^(64 n)·u the result is below u + m.
#[inline(always)]
pub fn redc_words_portable(t: &mut [u64], m: &[u64], k: u64) -> u64 {
    let mut top = 0;
    for i in 0..m.len() {
        let q = t[i].wrapping_mul(k);
        let carry = add_row(&mut t[i..], m, q);
        let above = &mut t[i + m.len()];
        (*above, top) = add_carry(*above, carry, top);
    }
    top
}
