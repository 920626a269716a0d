//! a·b/2^(64 N) mod m for an odd m that is given, on a fixed small number of words.
//!
//! Operands: any numbers below 2^(64 N). Results: congruent, below 2^(64 N), below m if a·b is below m·2^(64 N).
//! Source: as for the words in any number (`redc_words`), rows of product and reduction in turn (CIOS).

use crate::limbs::{self, add_carry, mul_add_carry};

/// An odd modulus and what its reduction needs.
#[derive(Clone, Copy, Debug)]
#[repr(C)] // the assembly reads it by offsets
pub struct Mont<const N: usize> {
    /// m.
    pub m: [u64; N],
    /// (M + 1)/2^64 with M = k·m = −1 mod 2^64: adding q·M for a lowest word q clears that word without a product for its sake.
    pub m1: [u64; N],
    /// k = −1/m mod 2^64.
    pub k: u64,
    /// The next word of −1/m mod 2^128.
    pub k1: u64,
}

impl<const N: usize> Mont<N> {
    /// For an odd m; for an even one, results are without meaning.
    #[inline]
    #[must_use]
    pub fn new(m: [u64; N]) -> Self {
        let k = neg_inverse(m[0]);
        let (mut m1, mut carry) = ([0; N], 1);
        let (_, high) = mul_add_carry(0, k, m[0], 0);
        carry += high;
        for i in 1..N {
            (m1[i - 1], carry) = mul_add_carry(0, k, m[i], carry);
        }
        m1[N - 1] = carry;
        // −1/m mod 2^128 = k (2 + m k), of which the upper word
        let m_low = u128::from(m[0]) | if N > 1 { u128::from(m[1]) << 64 } else { 0 };
        let wide = u128::from(k).wrapping_mul(m_low.wrapping_mul(u128::from(k)).wrapping_add(2));
        Self { m, m1, k, k1: (wide >> 64) as u64 }
    }
}

/// −1/m mod 2^64 for an odd m.
#[inline]
#[must_use]
pub const fn neg_inverse(m: u64) -> u64 {
    // 3m xor 2 is right in 5 bits; with y = 1 − m x, x (1 + y)(1 + y²)(1 + y⁴)(1 + y⁸) is right in 80.
    let mut x = m.wrapping_mul(3) ^ 2;
    let mut y = 1u64.wrapping_sub(m.wrapping_mul(x));
    let mut i = 0;
    while i < 4 {
        x = x.wrapping_mul(y.wrapping_add(1));
        y = y.wrapping_mul(y);
        i += 1;
    }
    x.wrapping_neg()
}

/// a·b/2^(64 N) mod m. 2 N² + N word products.
#[inline(always)]
#[must_use]
pub fn mul_mont_portable<const N: usize>(a: &[u64; N], b: &[u64; N], c: &Mont<N>) -> [u64; N] {
    let (mut t, mut top) = ([0; N], 0);
    for i in 0..N {
        let mut carry = 0;
        for j in 0..N {
            (t[j], carry) = mul_add_carry(t[j], a[j], b[i], carry);
        }
        let above;
        (top, above) = add_carry(top, carry, 0);
        let q = t[0].wrapping_mul(c.k);
        (_, carry) = mul_add_carry(t[0], q, c.m[0], 0);
        for j in 1..N {
            (t[j - 1], carry) = mul_add_carry(t[j], q, c.m[j], carry);
        }
        (t[N - 1], carry) = add_carry(top, carry, 0);
        top = above + carry;
    }
    reduce_once(t, top, &c.m)
}

/// a·b/2^128 mod m for two words: both words of the quotient at once, q = T·(−1/m) mod 2^128, and of q·m the upper half alone, since
/// the lower one is what makes T's vanish: it carries unless that is 0 already. 11 word products.
#[inline(always)]
#[must_use]
pub fn mul_mont_2_portable(a: &[u64; 2], b: &[u64; 2], c: &Mont<2>) -> [u64; 2] {
    let (low, high) = mul_2(a, b);
    let k = u128::from(c.k) | u128::from(c.k1) << 64;
    let q = low.wrapping_mul(k);
    let (_, quotient_high) = mul_2(&[q as u64, (q >> 64) as u64], &c.m);
    let (t, carry_0) = high.overflowing_add(quotient_high);
    let (t, carry_1) = t.overflowing_add(u128::from(low != 0));
    reduce_once([t as u64, (t >> 64) as u64], u64::from(carry_0 | carry_1), &c.m)
}

/// a·b: the lower and the upper half.
#[inline(always)]
fn mul_2(a: &[u64; 2], b: &[u64; 2]) -> (u128, u128) {
    let product = |i: usize, j: usize| u128::from(a[i]) * u128::from(b[j]);
    let (p00, p01, p10, p11) = (product(0, 0), product(0, 1), product(1, 0), product(1, 1));
    // below 3·2^64
    let middle = (p00 >> 64) + u128::from(p01 as u64) + u128::from(p10 as u64);
    (middle << 64 | u128::from(p00 as u64), p11 + (p01 >> 64) + (p10 >> 64) + (middle >> 64))
}

/// (t + 2^(64 N)·top) less m where it is not below m.
#[inline(always)]
fn reduce_once<const N: usize>(t: [u64; N], top: u64, m: &[u64; N]) -> [u64; N] {
    let (less, borrow) = limbs::sub(&t, m);
    if top >= borrow { less } else { t }
}

/// a^(2^times) in Montgomery's form. Vartime in `times`.
#[inline(always)]
#[must_use]
pub fn sqr_times_mont_portable<const N: usize>(a: &[u64; N], times: u64, c: &Mont<N>) -> [u64; N] {
    (0..times).fold(*a, |a, _| mul_mont_portable(&a, &a, c))
}
