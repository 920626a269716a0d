//! x^e mod 2^k, and 1/m mod 2^k for an odd m.
//!
//! Truncated products of n = ⌈k/64⌉ words cost n (n + 1)/2 word products. The units mod 2^k have an order that divides 2^(k − 2), so
//! for an odd x the exponent counts mod 2^(k − 2) only; an even x is 0 once e times its factors of two reach k, so its exponent
//! has few bits. Sources: "Modern Computer Arithmetic", section 2.3 and algorithm 1.10 (Hensel's division, Newton's lifting).

use crate::domain::Domain;
use crate::words::{load, take, with_words};
use crate::{Exponent, Kernels, choose, window};
use arith::kernel::portable::neg_inverse;

/// n words as the kernels want them.
pub(crate) fn padded<K: Kernels>(words: usize) -> usize {
    choose::padded(words, K::BLOCK)
}

/// Products mod 2^(64 n).
struct Low<'a, K> {
    k: K,
    t: &'a mut [u64],
}

impl<K: Kernels> Domain for Low<'_, K> {
    #[inline]
    fn width(&self) -> usize {
        self.t.len()
    }
    #[inline]
    fn sqr_times(&mut self, x: &mut [u64], times: u64) {
        for _ in 0..times {
            self.k.sqr_low(self.t, x);
            x.copy_from_slice(self.t);
        }
    }
    #[inline]
    fn mul(&mut self, x: &mut [u64], y: &[u64]) {
        self.k.mul_low(self.t, x, y);
        x.copy_from_slice(self.t);
    }
}

/// out = x^e mod 2^`bits` for e > 0 and bits > 0; out has the words for so many bits, padded.
pub(crate) fn pow<K: Kernels>(k: K, bits: u64, x: &[u8], e: Exponent<'_>, out: &mut [u64]) {
    load(out, x);
    keep_bits(out, bits);
    let Some(zeros) = trailing_zeros(out) else { return };
    let e = if zeros == 0 {
        e.low_bits(bits.saturating_sub(2).max(1))
    } else if e.small().is_none_or(|e| e >= bits.div_ceil(zeros)) {
        return out.fill(0);
    } else {
        e
    };
    if e.bits() == 0 {
        out.fill(0);
        out[0] = 1;
    } else if bits <= 64 {
        out[0] = pow_word(out[0], e);
    } else if let [low, high] = out {
        let power = pow_two_words(u128::from(*low) | u128::from(*high) << 64, e);
        (*low, *high) = (power as u64, (power >> 64) as u64);
    } else {
        let (width, window_bits) = (out.len(), choose::window_bits(e.bits()));
        let table_words = width << (window_bits - 1);
        with_words(width + table_words, &mut |mut rest| {
            let (t, table) = (take(&mut rest, width), take(&mut rest, table_words));
            table[..width].copy_from_slice(out);
            window::pow(&mut Low { k, t }, out, e, window_bits, table);
        });
    }
    keep_bits(out, bits);
}

/// x^e mod 2^64 for an e below 2^64.
fn pow_word(x: u64, e: Exponent<'_>) -> u64 {
    let (mut power, mut end) = (1u64, e.bits());
    let mut bits = e.below(end);
    while end > 0 {
        power = power.wrapping_mul(power);
        if bits >> 63 == 1 {
            power = power.wrapping_mul(x);
        }
        bits <<= 1;
        end -= 1;
    }
    power
}

/// x^e mod 2^128.
fn pow_two_words(x: u128, e: Exponent<'_>) -> u128 {
    let (mut power, mut end) = (1u128, e.bits());
    while end > 0 {
        let (mut bits, count) = (e.below(end), end.min(64));
        for _ in 0..count {
            power = power.wrapping_mul(power);
            if bits >> 63 == 1 {
                power = power.wrapping_mul(x);
            }
            bits <<= 1;
        }
        end -= count;
    }
    power
}

/// x mod 2^bits.
pub(crate) fn keep_bits(x: &mut [u64], bits: u64) {
    let whole = (bits / 64) as usize;
    if let Some((partial, above)) = x.get_mut(whole..).and_then(<[u64]>::split_first_mut) {
        *partial &= (1 << (bits % 64)) - 1;
        above.fill(0);
    }
}

/// How often 2 divides x, unless x = 0.
pub(crate) fn trailing_zeros(x: &[u64]) -> Option<u64> {
    let word = x.iter().position(|&word| word != 0)?;
    Some(64 * word as u64 + u64::from(x[word].trailing_zeros()))
}

/// out = 1/m mod 2^(64 n) for an odd m, n the words of out, padded. Each step doubles the words: x (2 − m x).
pub(crate) fn inverse<K: Kernels>(k: K, m: &[u64], out: &mut [u64]) {
    let Some((&low, n)) = m.first().zip(Some(out.len())) else { return };
    out.fill(0);
    out[0] = neg_inverse(low).wrapping_neg();
    match out {
        [_] => return,
        [low, high] => {
            let (x, m) = (u128::from(*low), m.iter().take(2).rev().fold(0u128, |m, &word| m << 64 | u128::from(word)));
            *high = (x.wrapping_mul(2u128.wrapping_sub(m.wrapping_mul(x))) >> 64) as u64;
            return;
        }
        _ => {}
    }
    with_words(3 * n, &mut |mut rest| {
        let (m_low, product, next) = (take(&mut rest, n), take(&mut rest, n), take(&mut rest, n));
        m_low[..m.len().min(n)].copy_from_slice(&m[..m.len().min(n)]);
        let mut right = 1;
        while right < n {
            right = (2 * right).min(n);
            k.mul_low(&mut product[..right], &m_low[..right], &out[..right]);
            // 2 − m x: the complement of m x, plus 3
            let mut carry = 3;
            for word in &mut product[..right] {
                let (sum, carried) = (!*word).overflowing_add(carry);
                (*word, carry) = (sum, u64::from(carried));
            }
            k.mul_low(&mut next[..right], &out[..right], &product[..right]);
            out[..right].copy_from_slice(&next[..right]);
        }
    });
}
