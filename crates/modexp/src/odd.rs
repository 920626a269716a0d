//! x^e mod m for an odd m, in Montgomery's form x·R, R = 2^(64 n).
//!
//! Steps: x mod m and x·R mod m by one division, whose state half-way is the first; the power; out of the form by one reduction.
//! - e = 2 and 3 need no form: square, divide, multiply, divide.
//! - An odd e below 2^17 ends with the product by x itself, which leaves the form for nothing.
//! - R² mod m is never needed.
//!
//! Elements of the form are any numbers below R, not canonical; only a carry out of R takes m off.

use crate::division::Divisor;
use crate::domain::Domain;
use crate::words::{less, load, shift_left, shift_right, subtract, take, with_words};
use crate::{Exponent, Kernels, blocks, choose, small, window};

/// An odd modulus above 1 and what its arithmetic needs.
#[derive(Clone, Copy)]
pub(crate) struct Odd<'a> {
    /// Words as `Kernels::BLOCK` wants them.
    pub(crate) padded: &'a [u64],
    /// m·2^shift, n words, the highest bit set.
    pub(crate) divisor: Divisor<'a>,
    pub(crate) shift: u32,
    /// −1/m mod 2^64.
    pub(crate) k: u64,
}

/// out = x^e mod m for e > 0; out has n words.
pub(crate) fn pow<K: Kernels>(k: K, m: &Odd<'_>, x: &[u8], e: Exponent<'_>, out: &mut [u64]) {
    match m.divisor.words() {
        n @ 1..=4 => small::pow_words(k, x, e, &m.padded[..n], out),
        n => match choose::blocks::<K>(64 * n - m.shift as usize, e) {
            Some(z) => blocks::pow(k, m, z, x, e, out),
            None => pow_words(k, m, x, e, out),
        },
    }
}

/// Is e odd and so small that windows do not pay, or 2^i + 1? Then e − 1.
pub(crate) fn ends_with_base(e: Exponent<'_>) -> Option<u64> {
    let below = e.small()?.checked_sub(1)?;
    (below > 0 && below & 1 == 0 && (below < 1 << 16 || below.is_power_of_two())).then_some(below)
}

/// Products on n words.
struct Words<'a, K> {
    k: K,
    m: &'a Odd<'a>,
    /// 2n words.
    t: &'a mut [u64],
}

impl<K: Kernels> Words<'_, K> {
    /// x = t/R mod m, below R.
    #[inline]
    fn leave(&mut self, x: &mut [u64]) {
        let carry = self.k.redc(self.t, self.m.padded, self.m.k);
        x.copy_from_slice(&self.t[x.len()..]);
        if carry != 0 {
            subtract(x, self.m.padded);
        }
    }
}

impl<K: Kernels> Domain for Words<'_, K> {
    #[inline]
    fn width(&self) -> usize {
        self.m.padded.len()
    }
    #[inline]
    fn sqr_times(&mut self, x: &mut [u64], times: u64) {
        for _ in 0..times {
            self.k.sqr(self.t, x);
            self.leave(x);
        }
    }
    #[inline]
    fn mul(&mut self, x: &mut [u64], y: &[u64]) {
        self.k.mul(self.t, x, y);
        self.leave(x);
    }
}

#[inline(never)]
fn pow_words<K: Kernels>(k: K, m: &Odd<'_>, x: &[u8], e: Exponent<'_>, out: &mut [u64]) {
    let (n, width) = (m.divisor.words(), m.padded.len());
    let short = ends_with_base(e);
    let window_bits = if short.is_some() { 1 } else { choose::window_bits(e.bits()) };
    let x_words = x.len().div_ceil(8).max(n);
    let table_words = width << (window_bits - 1);
    // x·R with a word above; the power, x, a product with a word above, the table
    with_words(width + x_words + 1 + 4 * width + 1 + table_words, &mut |mut rest| {
        let wide = take(&mut rest, width + x_words + 1);
        let (power, plain) = (take(&mut rest, width), take(&mut rest, width));
        let (t, table) = (take(&mut rest, 2 * width + 1), take(&mut rest, table_words));
        load(&mut wide[width..], x);
        shift_left(&mut wide[width..], m.shift);
        m.divisor.reduce(k, &mut wide[width..]);
        plain[..n].copy_from_slice(&wide[width..width + n]);
        shift_right(plain, m.shift);
        match e.small() {
            Some(1) => return out.copy_from_slice(&plain[..n]),
            Some(small @ 2..=3) => {
                power.copy_from_slice(plain);
                for step in 1..small {
                    if step == 1 {
                        k.sqr(&mut t[..2 * width], plain);
                    } else {
                        k.mul(&mut t[..2 * width], power, plain);
                    }
                    t[2 * width] = 0;
                    shift_left(&mut t[..2 * n + 1], m.shift);
                    m.divisor.reduce(k, &mut t[..2 * n + 1]);
                    shift_right(&mut t[..n], m.shift);
                    power[..n].copy_from_slice(&t[..n]);
                }
                return out.copy_from_slice(&power[..n]);
            }
            _ => {}
        }
        m.divisor.reduce(k, &mut wide[..width + n]);
        table[..n].copy_from_slice(&wide[..n]);
        shift_right(&mut table[..n], m.shift);
        let mut domain = Words { k, m, t: &mut t[..2 * width] };
        if let Some(below) = short {
            window::pow(&mut domain, power, Exponent::new(&below.to_be_bytes()), window_bits, table);
            domain.mul(power, plain);
        } else {
            window::pow(&mut domain, power, e, window_bits, table);
            let (low, high) = domain.t.split_at_mut(width);
            low.copy_from_slice(power);
            high.fill(0);
            domain.leave(power);
        }
        while !less(power, m.padded) {
            subtract(power, m.padded);
        }
        out.copy_from_slice(&power[..n]);
    });
}
