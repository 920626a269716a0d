//! x mod d by schoolbook division: a quotient word a step, estimated from three words of x and two of d.
//!
//! Cost: n word products a step and one or two for the estimate. Source: D. Knuth, "The Art of Computer Programming" volume 2,
//! algorithm 4.3.1 D; N. Möller, T. Granlund, "Improved division by invariant integers", IEEE Trans. Computers 60 (2011),
//! algorithms 4 (2/1) and 5, 6 (3/2).

use crate::Kernels;
use crate::words::add;
use arith::kernel;

/// The reciprocal ⌊(2^128 − 1)/d⌋ − 2^64 of a d with the top bit set.
#[inline(always)]
fn reciprocal_2_by_1(d: u64) -> u64 {
    kernel::div_2_by_1(!d, u64::MAX, d).0
}

/// The reciprocal ⌊(2^192 − 1)/(2^64 d1 + d0)⌋ − 2^64, d1 with the top bit set.
#[inline(always)]
fn reciprocal_3_by_2(d1: u64, d0: u64) -> u64 {
    let mut v = reciprocal_2_by_1(d1);
    let (mut p, carry) = d1.wrapping_mul(v).overflowing_add(d0);
    if carry {
        v = v.wrapping_sub(1);
        if p >= d1 {
            v = v.wrapping_sub(1);
            p = p.wrapping_sub(d1);
        }
        p = p.wrapping_sub(d1);
    }
    let t = u128::from(v) * u128::from(d0);
    let (p, carry) = p.overflowing_add((t >> 64) as u64);
    if carry {
        v = v.wrapping_sub(1);
        if u128::from(p) << 64 | u128::from(t as u64) >= u128::from(d1) << 64 | u128::from(d0) {
            v = v.wrapping_sub(1);
        }
    }
    v
}

/// A divisor: its words with the top bit set, and the reciprocal of the upper ones.
#[derive(Clone, Copy)]
pub(crate) struct Divisor<'a> {
    d: &'a [u64],
    reciprocal: u64,
}

impl<'a> Divisor<'a> {
    /// The words of d, one at least, the top bit set.
    #[inline(always)]
    pub(crate) fn new(d: &'a [u64]) -> Self {
        debug_assert!(d.last().is_some_and(|top| top >> 63 == 1));
        let reciprocal = match *d {
            [.., d0, d1] => reciprocal_3_by_2(d1, d0),
            [d0] => reciprocal_2_by_1(d0),
            [] => 0,
        };
        Self { d, reciprocal }
    }

    /// How many words d has.
    #[inline(always)]
    pub(crate) fn words(&self) -> usize {
        self.d.len()
    }

    /// The same divisor, its words given as an array so that their number is known where it is used.
    #[inline(always)]
    fn with<'b, const N: usize>(&self, d: &'b [u64; N]) -> Divisor<'b> {
        Divisor { d, reciprocal: self.reciprocal }
    }

    /// x becomes x mod d, in its lower words; the upper ones become zero. x has at least as many words as d, and its upper ones, as
    /// many, are a number below d.
    #[inline(always)]
    pub(crate) fn reduce<K: Kernels>(&self, k: K, x: &mut [u64]) {
        let n = self.d.len();
        for at in (0..x.len() - n).rev() {
            let window = &mut x[at..=at + n];
            match *self.d {
                [d] => {
                    let r = self.remainder_2_by_1(window[1], window[0], d);
                    window.copy_from_slice(&[r, 0]);
                }
                [.., d0, d1] => {
                    let q = self.quotient_3_by_2(window[n], window[n - 1], window[n - 2], d1, d0);
                    if q != 0 {
                        let missing = k.sub_mul(&mut window[..n], self.d, q);
                        let (mut top, mut below_zero) = window[n].overflowing_sub(missing);
                        // The estimate is one too large for a fraction 2^−64 of all inputs.
                        while below_zero {
                            let carry = add(&mut window[..n], self.d);
                            let carried;
                            (top, carried) = top.overflowing_add(carry);
                            below_zero = !carried;
                        }
                        debug_assert_eq!(top, 0);
                        window[n] = 0;
                    }
                }
                [] => {}
            }
        }
    }

    /// (2^64 u1 + u0) mod d for u1 below d.
    #[inline(always)]
    fn remainder_2_by_1(&self, u1: u64, u0: u64, d: u64) -> u64 {
        let q = u128::from(self.reciprocal) * u128::from(u1) + (u128::from(u1) << 64 | u128::from(u0));
        let (q1, q0) = (((q >> 64) as u64).wrapping_add(1), q as u64);
        let mut r = u0.wrapping_sub(q1.wrapping_mul(d));
        if r > q0 {
            r = r.wrapping_add(d);
        }
        if r >= d { r - d } else { r }
    }

    /// A quotient of (u2, u1, u0, …) by (d1, d0, …), exact for the words that are given: so exact or one too large; 2^64 − 1 where it
    /// would not fit into a word.
    #[inline(always)]
    fn quotient_3_by_2(&self, u2: u64, u1: u64, u0: u64, d1: u64, d0: u64) -> u64 {
        self.divide_3_by_2(u2, u1, u0, d1, d0).map_or(u64::MAX, |(q, _)| q)
    }

    /// (u2, u1, u0) by (d1, d0): quotient and remainder, unless (u2, u1) is not below (d1, d0).
    #[inline(always)]
    fn divide_3_by_2(&self, u2: u64, u1: u64, u0: u64, d1: u64, d0: u64) -> Option<(u64, u128)> {
        let d = u128::from(d1) << 64 | u128::from(d0);
        let u = u128::from(u2) << 64 | u128::from(u1);
        if u >= d {
            return None;
        }
        let q = (u128::from(self.reciprocal) * u128::from(u2)).wrapping_add(u);
        let (mut q1, q0) = ((q >> 64) as u64, q as u64);
        let r1 = u1.wrapping_sub(q1.wrapping_mul(d1));
        let t = u128::from(q1) * u128::from(d0);
        let mut r = (u128::from(r1) << 64 | u128::from(u0)).wrapping_sub(t).wrapping_sub(d);
        q1 = q1.wrapping_add(1);
        if (r >> 64) as u64 >= q0 {
            q1 = q1.wrapping_sub(1);
            r = r.wrapping_add(d);
        }
        if r >= d {
            q1 = q1.wrapping_add(1);
            r = r.wrapping_sub(d);
        }
        Some((q1, r))
    }

    /// r = (2^64 r + low) mod d for r below d, d's words given as an array. The two upper words of the remainder come out of the
    /// estimate.
    #[inline(always)]
    pub(crate) fn step<const N: usize>(&self, d: &[u64; N], r: &mut [u64; N], low: u64) {
        if N == 1 {
            r[0] = self.remainder_2_by_1(r[0], low, d[0]);
            return;
        }
        let next = if N > 2 { r[N - 3] } else { low };
        let Some((q, top)) = self.divide_3_by_2(r[N - 1], r[N - 2], next, d[N - 1], d[N - 2]) else {
            return self.step_with_equal_tops(d, r, low);
        };
        // the words below, less q times those of d
        let (mut above, mut borrow, mut word) = (0, 0, low);
        for i in 0..N - 2 {
            let product = u128::from(q) * u128::from(d[i]) + u128::from(above);
            above = (product >> 64) as u64;
            let (difference, b0) = word.overflowing_sub(product as u64);
            let (difference, b1) = difference.overflowing_sub(borrow);
            borrow = u64::from(b0 | b1);
            word = r[i];
            r[i] = difference;
        }
        let (top, b0) = top.overflowing_sub(u128::from(above));
        let (top, b1) = top.overflowing_sub(u128::from(borrow));
        (r[N - 2], r[N - 1]) = (top as u64, (top >> 64) as u64);
        if b0 | b1 {
            add(r, d);
        }
    }

    /// The step where the quotient would not fit into a word.
    #[cold]
    fn step_with_equal_tops<const N: usize>(&self, d: &[u64; N], r: &mut [u64; N], low: u64) {
        let mut window = [0; 5];
        window[0] = low;
        window[1..=N].copy_from_slice(r);
        self.with(d).reduce(crate::Portable, &mut window[..=N]);
        r.copy_from_slice(&window[..N]);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    extern crate std;
    use super::*;
    use crate::Portable;
    use num_bigint::BigUint;
    use std::vec::Vec;
    use testkit::random::Random;

    fn big(words: &[u64]) -> BigUint {
        words.iter().rev().fold(BigUint::from(0u32), |sum, &word| (sum << 64) + word)
    }

    /// Words that make estimates miss: all ones, zeros and powers of two among the random ones.
    fn words(random: &mut Random, count: usize) -> Vec<u64> {
        let word = |random: &mut Random| match random.below(8) {
            0 => 0,
            1 | 2 => u64::MAX,
            3 => 1 << random.below(64),
            4 => u64::MAX - 1,
            _ => random.word(),
        };
        (0..count).map(|_| word(random)).collect()
    }

    #[test]
    fn the_remainder_of_planted_words() {
        let mut random = Random::new(1);
        for _ in 0..testkit::effort::cases(20_000) {
            let n = 1 + random.below(5);
            let mut d = words(&mut random, n);
            d[n - 1] |= 1 << 63;
            let length = n + random.below(5);
            let mut x = words(&mut random, length);
            if random.below(4) == 0 {
                // the upper words equal to the divisor's: the quotient that does not fit
                x[length - n..].copy_from_slice(&d);
            }
            let top = length - n;
            let upper = big(&x[top..]) % big(&d);
            let mut digits = upper.to_u64_digits();
            digits.resize(n, 0);
            x[top..].copy_from_slice(&digits);
            if n > 1 && random.below(3) == 0 && length > n {
                // just below d: (d1, d0) stand at the top again
                x[top..].copy_from_slice(&d);
                x[top] = x[top].saturating_sub(1);
                if big(&x[top..]) >= big(&d) {
                    continue;
                }
            }
            let expected = big(&x) % big(&d);
            let given = x.clone();
            Divisor::new(&d).reduce(Portable, &mut x);
            assert_eq!(big(&x), expected, "{d:x?}");
            match n {
                1 => assert_eq!(big(&by_steps::<1>(&d, &given)), expected, "{d:x?}"),
                2 => assert_eq!(big(&by_steps::<2>(&d, &given)), expected, "{d:x?}"),
                3 => assert_eq!(big(&by_steps::<3>(&d, &given)), expected, "{d:x?}"),
                4 => assert_eq!(big(&by_steps::<4>(&d, &given)), expected, "{d:x?}"),
                _ => {}
            }
        }
    }

    fn by_steps<const N: usize>(d: &[u64], x: &[u64]) -> [u64; N] {
        let (low, top) = x.split_at(x.len() - N);
        let (d, mut r): (&[u64; N], [u64; N]) = (d.first_chunk().unwrap(), top.try_into().unwrap());
        for &word in low.iter().rev() {
            Divisor::new(d).step(d, &mut r, word);
        }
        r
    }
}
