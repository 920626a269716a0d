//! x^e mod m for an odd m of up to four words, in registers.
//!
//! Steps as in `odd`; here the division keeps the remainder in registers and takes in a word a step, and one word has a method of
//! its own: from the lowest bit of e, where the square and the product of a step do not wait for each other.

use crate::division::Divisor;
use crate::domain::Domain;
use crate::odd::ends_with_base;
use crate::words::{less, load, shift_left, shift_right, store, subtract};
use crate::{Exponent, Kernels, choose, window};
use arith::kernel::portable::{Mont, mul_mont_portable, mul_words_portable, neg_inverse, sqr_times_mont_portable};

/// out = x^e mod m for an odd m above 1 of up to 32 bytes and e > 0; out has room for them.
#[inline]
pub(crate) fn pow_bytes<K: Kernels>(k: K, x: &[u8], e: Exponent<'_>, m: &[u8], out: &mut [u8]) {
    match m.len() {
        0..=8 => store(out, &pow_loaded::<K, 1, One>(k, x, e, m)),
        9..=16 => store(out, &pow_loaded::<K, 2, Two<K>>(k, x, e, m)),
        17..=24 => store(out, &pow_loaded::<K, 3, Three>(k, x, e, m)),
        _ => store(out, &pow_loaded::<K, 4, Four<K>>(k, x, e, m)),
    }
}

/// The same for a modulus in words, the highest not zero.
#[inline]
pub(crate) fn pow_words<K: Kernels>(k: K, x: &[u8], e: Exponent<'_>, m: &[u64], out: &mut [u64]) {
    match *m {
        [a] => out.copy_from_slice(&pow::<K, 1, One>(k, x, e, &[a])),
        [a, b] => out.copy_from_slice(&pow::<K, 2, Two<K>>(k, x, e, &[a, b])),
        [a, b, c] => out.copy_from_slice(&pow::<K, 3, Three>(k, x, e, &[a, b, c])),
        [a, b, c, d] => out.copy_from_slice(&pow::<K, 4, Four<K>>(k, x, e, &[a, b, c, d])),
        _ => {}
    }
}

#[inline(always)]
fn pow_loaded<K: Kernels, const N: usize, R: Ring<K, N>>(k: K, x: &[u8], e: Exponent<'_>, m: &[u8]) -> [u64; N] {
    let mut words = [0; N];
    load(&mut words, m);
    pow::<K, N, R>(k, x, e, &words)
}

/// The powers modulo a given m.
trait Ring<K, const N: usize> {
    /// x^e for e > 3, from x and x·2^(64 N) mod m, both below m.
    fn pow(k: K, m: &[u64; N], x: &[u64; N], montgomery: &[u64; N], e: Exponent<'_>) -> [u64; N];
}

/// x^e mod m.
#[inline(never)]
fn pow<K: Kernels, const N: usize, R: Ring<K, N>>(k: K, x: &[u8], e: Exponent<'_>, m: &[u64; N]) -> [u64; N] {
    let shift = m[N - 1].leading_zeros();
    let mut d = *m;
    shift_left(&mut d, shift);
    let divisor = Divisor::new(&d);
    let plain = reduced(&divisor, &d, shift, m, x);
    let product = |a: &[u64; N], b: &[u64; N]| {
        let mut t = [0; 8];
        mul_words_portable(&mut t[..2 * N], a, b);
        let mut r = [0; N];
        let top = shift_left(&mut t[..2 * N], shift);
        r[..N - 1].copy_from_slice(&t[N + 1..2 * N]);
        r[N - 1] = top;
        for i in (0..=N).rev() {
            divisor.step(&d, &mut r, t[i]);
        }
        shift_right(&mut r, shift);
        r
    };
    match e.small() {
        Some(1) => return plain,
        Some(2) => return product(&plain, &plain),
        Some(3) => return product(&product(&plain, &plain), &plain),
        _ => {}
    }
    let mut montgomery = plain;
    shift_left(&mut montgomery, shift);
    for _ in 0..N {
        divisor.step(&d, &mut montgomery, 0);
    }
    shift_right(&mut montgomery, shift);
    R::pow(k, m, &plain, &montgomery, e)
}

/// x mod m.
#[inline(always)]
fn reduced<const N: usize>(divisor: &Divisor<'_>, d: &[u64; N], shift: u32, m: &[u64; N], x: &[u8]) -> [u64; N] {
    let mut r = [0; N];
    let words = x.len().div_ceil(8);
    if words <= N {
        load(&mut r, x);
        if less(&r, m) {
            return r;
        }
    }
    let at = |i: usize| {
        let mut word = [0];
        load(&mut word, x.get(..x.len() - 8 * i).unwrap_or_default());
        word[0]
    };
    // word i of x·2^shift
    let shifted = |i: usize| {
        let high = if i < words { at(i) } else { 0 };
        let low = if i > 0 { at(i - 1) } else { 0 };
        if shift == 0 { high } else { high << shift | low >> (64 - shift) }
    };
    // The word above x, and N − 1 words: less than d, whose top bit is set.
    for (i, r) in r.iter_mut().enumerate() {
        *r = shifted(words + 1 + i - N);
    }
    for i in (0..=words - N).rev() {
        divisor.step(d, &mut r, shifted(i));
    }
    shift_right(&mut r, shift);
    r
}

/// x^e by windows in a domain, whose elements are in Montgomery's form.
#[inline(always)]
fn by_windows<D: Domain, const N: usize>(
    mut domain: D,
    m: &[u64; N],
    x: &[u64; N],
    montgomery: &[u64; N],
    e: Exponent<'_>,
) -> [u64; N] {
    let mut power = *montgomery;
    if let Some(below) = ends_with_base(e) {
        let mut table = *montgomery;
        window::pow(&mut domain, &mut power, Exponent::new(&below.to_be_bytes()), 1, &mut table);
        domain.mul(&mut power, x);
    } else {
        let mut table = [[0; N]; 32];
        table[0] = *montgomery;
        window::pow(&mut domain, &mut power, e, choose::window_bits(e.bits()), table.as_flattened_mut());
        domain.mul(&mut power, &core::array::from_fn::<_, N, _>(|i| u64::from(i == 0)));
    }
    while !less(&power, m) {
        subtract(&mut power, m);
    }
    power
}

/// One word.
struct One;

impl<K> Ring<K, 1> for One {
    #[inline(always)]
    fn pow(_: K, m: &[u64; 1], _: &[u64; 1], montgomery: &[u64; 1], e: Exponent<'_>) -> [u64; 1] {
        let m = m[0];
        let inverse = neg_inverse(m).wrapping_neg();
        // a·b/2^64 mod m, below m if a·b is below 2^64 m: the upper half less that of q·m, their lower halves being equal
        let mul = |a: u64, b: u64| {
            let t = u128::from(a) * u128::from(b);
            let q = (t as u64).wrapping_mul(inverse);
            let (r, below_zero) = ((t >> 64) as u64).overflowing_sub(((u128::from(q) * u128::from(m)) >> 64) as u64);
            if below_zero { r.wrapping_add(m) } else { r }
        };
        let (mut power, mut square) = (1, montgomery[0]);
        let mut done = 0;
        while done < e.bits() {
            let count = (e.bits() - done).min(64);
            let mut bits = e.below(done + count) >> (64 - count);
            for _ in 0..count {
                let next = mul(power, square);
                power = if bits & 1 == 1 { next } else { power };
                square = mul(square, square);
                bits >>= 1;
            }
            done += count;
        }
        [power]
    }
}

/// Two words, for which engines have kernels.
struct Two<K>(K, Mont<2>);

impl<K: Kernels> Ring<K, 2> for Two<K> {
    #[inline(always)]
    fn pow(k: K, m: &[u64; 2], x: &[u64; 2], montgomery: &[u64; 2], e: Exponent<'_>) -> [u64; 2] {
        by_windows(Self(k, Mont::new(*m)), m, x, montgomery, e)
    }
}

impl<K: Kernels> Domain for Two<K> {
    #[inline(always)]
    fn width(&self) -> usize {
        2
    }
    #[inline(always)]
    fn sqr_times(&mut self, x: &mut [u64], times: u64) {
        if let Some(x) = x.first_chunk_mut() {
            for _ in 0..times {
                *x = self.0.mul_mont_2(x, x, &self.1);
            }
        }
    }
    #[inline(always)]
    fn mul(&mut self, x: &mut [u64], y: &[u64]) {
        if let (Some(x), Some(y)) = (x.first_chunk_mut(), y.first_chunk()) {
            *x = self.0.mul_mont_2(x, y, &self.1);
        }
    }
}

/// Three words.
struct Three(Mont<3>);

impl<K> Ring<K, 3> for Three {
    #[inline(always)]
    fn pow(_: K, m: &[u64; 3], x: &[u64; 3], montgomery: &[u64; 3], e: Exponent<'_>) -> [u64; 3] {
        by_windows(Self(Mont::new(*m)), m, x, montgomery, e)
    }
}

impl Domain for Three {
    #[inline(always)]
    fn width(&self) -> usize {
        3
    }
    #[inline(always)]
    fn sqr_times(&mut self, x: &mut [u64], times: u64) {
        if let Some(x) = x.first_chunk_mut() {
            *x = sqr_times_mont_portable(x, times, &self.0);
        }
    }
    #[inline(always)]
    fn mul(&mut self, x: &mut [u64], y: &[u64]) {
        if let (Some(x), Some(y)) = (x.first_chunk_mut(), y.first_chunk()) {
            *x = mul_mont_portable(x, y, &self.0);
        }
    }
}

/// Four words, for which engines have kernels.
struct Four<K>(K, Mont<4>);

impl<K: Kernels> Ring<K, 4> for Four<K> {
    #[inline(always)]
    fn pow(k: K, m: &[u64; 4], x: &[u64; 4], montgomery: &[u64; 4], e: Exponent<'_>) -> [u64; 4] {
        by_windows(Self(k, Mont::new(*m)), m, x, montgomery, e)
    }
}

impl<K: Kernels> Domain for Four<K> {
    #[inline(always)]
    fn width(&self) -> usize {
        4
    }
    #[inline(always)]
    fn sqr_times(&mut self, x: &mut [u64], times: u64) {
        if let Some(x) = x.first_chunk_mut() {
            *x = self.0.sqr_times_mont_4(x, times, &self.1);
        }
    }
    #[inline(always)]
    fn mul(&mut self, x: &mut [u64], y: &[u64]) {
        if let (Some(x), Some(y)) = (x.first_chunk_mut(), y.first_chunk()) {
            *x = self.0.mul_mont_4(x, y, &self.1);
        }
    }
}
