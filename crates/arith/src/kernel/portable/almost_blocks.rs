//! a·b/R mod m, almost: with R = 2^(416 z) on z blocks of eight digits of 52 bits, below 2m for a, b < 2m and m < R/4.
//!
//! An element is z blocks with a block of zeros before and behind them, so that a window of eight digits may begin anywhere.
//! This is the twin of the kernels whose digits are lanes. Source: S. Gueron, "Efficient software implementations of modular
//! exponentiation", J. Cryptographic Engineering 2 (2012) (almost Montgomery).

/// Bits of a digit.
const BITS: u32 = 52;
const MASK: u64 = (1 << BITS) - 1;

/// The words of an element of z blocks.
#[must_use]
pub const fn block_words(z: usize) -> usize {
    8 * (z + 2)
}

/// An odd modulus in blocks and what its reduction needs.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    m: &'a [u64],
    neg_inverse: &'a [u64],
}

impl<'a> Blocks<'a> {
    /// m and −1/m mod R as elements of equally many blocks, at most [`MAX_BLOCKS`]; `None` if they are none.
    #[must_use]
    pub fn new(m: &'a [u64], neg_inverse: &'a [u64]) -> Option<Self> {
        let z = m.len().checked_div(8)?.checked_sub(2)?;
        let fits = (1..=MAX_BLOCKS).contains(&z) && m.len() == block_words(z) && neg_inverse.len() == m.len();
        fits.then_some(Self { m, neg_inverse })
    }

    /// m.
    #[inline]
    #[must_use]
    pub fn m(&self) -> &'a [u64] {
        self.m
    }

    /// −1/m mod R.
    #[inline]
    #[must_use]
    pub fn neg_inverse(&self) -> &'a [u64] {
        self.neg_inverse
    }

    /// z.
    #[inline]
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.m.len() / 8 - 2
    }
}

/// The most blocks that a kernel takes: 8320 bits.
pub const MAX_BLOCKS: usize = 20;

/// The digits of an element.
fn digits(x: &[u64]) -> &[u64] {
    &x[8..x.len() - 8]
}

/// x = x²/R mod m, almost. x has as many words as m, digits below 2^52.
pub fn sqr_almost_blocks_portable(x: &mut [u64], c: &Blocks<'_>) {
    let mut y = [0; block_words(MAX_BLOCKS)];
    let y = &mut y[..x.len()];
    y.copy_from_slice(x);
    mul_almost_blocks_portable(x, y, c);
}

/// x = x·y/R mod m, almost. x and y have as many words as m, digits below 2^52.
pub fn mul_almost_blocks_portable(x: &mut [u64], y: &[u64], c: &Blocks<'_>) {
    assert!(x.len() == c.m.len() && y.len() == c.m.len(), "elements of the modulus' blocks");
    let mut t = [0u128; 8 * MAX_BLOCKS + 1];
    let (m, k) = (digits(c.m), digits(c.neg_inverse)[0]);
    let n = m.len();
    for &a in digits(x) {
        for (t, &b) in t.iter_mut().zip(digits(y)) {
            *t += u128::from(a) * u128::from(b);
        }
        let q = (t[0] as u64).wrapping_mul(k) & MASK;
        for (t, &m) in t.iter_mut().zip(m) {
            *t += u128::from(q) * u128::from(m);
        }
        let carry = t[0] >> BITS;
        t.copy_within(1..=n, 0);
        t[n] = 0;
        t[0] += carry;
        // each digit keeps room for the sums to come
        let mut carry = 0;
        for t in &mut t[..n] {
            *t += carry;
            carry = *t >> BITS;
            *t &= u128::from(MASK);
        }
        t[n - 1] += carry << BITS;
    }
    for (x, t) in x[8..].iter_mut().zip(&t[..n]) {
        *x = *t as u64;
    }
}
