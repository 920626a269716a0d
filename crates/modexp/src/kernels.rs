//! What an engine brings: arithmetic on words.

use arith::kernel::portable as plain;
use arith::kernel::portable::Mont;

/// The words' arithmetic of an engine; a value of it proves what the engine needs of the CPU.
///
/// The methods are those of [`arith::kernel`], where they are described.
pub trait Kernels: Copy {
    /// Above four words, the counts of words are multiples of this, the upper ones zero.
    const BLOCK: usize;

    /// t = a·b.
    fn mul(self, t: &mut [u64], a: &[u64], b: &[u64]);
    /// t = a².
    fn sqr(self, t: &mut [u64], a: &[u64]);
    /// The upper half of t becomes t/2^(64 n) mod m up to a multiple of m, less the carry that is returned.
    fn redc(self, t: &mut [u64], m: &[u64], k: u64) -> u64;
    /// t = a·b mod 2^(64 n).
    fn mul_low(self, t: &mut [u64], a: &[u64], b: &[u64]);
    /// x −= q·d; what is missing above.
    fn sub_mul(self, x: &mut [u64], d: &[u64], q: u64) -> u64;
    /// a·b/2^(64 N) mod m, N up to 4.
    fn mul_mont<const N: usize>(self, a: &[u64; N], b: &[u64; N], c: &Mont<N>) -> [u64; N];
    /// a^(2^times) in Montgomery's form, N up to 4.
    fn sqr_times_mont<const N: usize>(self, a: &[u64; N], times: u64, c: &Mont<N>) -> [u64; N];
}

/// For every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Kernels for Portable {
    const BLOCK: usize = 1;

    #[inline]
    fn mul(self, t: &mut [u64], a: &[u64], b: &[u64]) {
        plain::mul_words_portable(t, a, b);
    }
    #[inline]
    fn sqr(self, t: &mut [u64], a: &[u64]) {
        plain::sqr_words_portable(t, a);
    }
    #[inline]
    fn redc(self, t: &mut [u64], m: &[u64], k: u64) -> u64 {
        plain::redc_words_portable(t, m, k)
    }
    #[inline]
    fn mul_low(self, t: &mut [u64], a: &[u64], b: &[u64]) {
        plain::mul_low_words_portable(t, a, b);
    }
    #[inline(always)]
    fn sub_mul(self, x: &mut [u64], d: &[u64], q: u64) -> u64 {
        plain::sub_mul_words_portable(x, d, q)
    }
    #[inline(always)]
    fn mul_mont<const N: usize>(self, a: &[u64; N], b: &[u64; N], c: &Mont<N>) -> [u64; N] {
        plain::mul_mont_portable(a, b, c)
    }
    #[inline(always)]
    fn sqr_times_mont<const N: usize>(self, a: &[u64; N], times: u64, c: &Mont<N>) -> [u64; N] {
        plain::sqr_times_mont_portable(a, times, c)
    }
}
