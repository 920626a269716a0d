//! What an engine brings: arithmetic on words.

use arith::kernel::portable as plain;
use arith::kernel::portable::{Blocks, LaneDigits, Lanes, Mont};

/// The words' arithmetic of an engine; a value of it proves what the engine needs of the CPU.
///
/// The methods are those of [`arith::kernel`], where they are described.
pub trait Kernels: Copy {
    /// Products of counts of words that are multiples of this are in assembly; see `choose::padded`.
    const BLOCK: usize;
    /// From so many bits of an odd modulus on, digits in lanes are faster.
    const BLOCKS_FROM_BITS: usize = usize::MAX;
    /// Are there kernels for a power a lane?
    const HAS_LANES: bool = false;

    /// t = a·b.
    fn mul(self, t: &mut [u64], a: &[u64], b: &[u64]);
    /// t = a².
    fn sqr(self, t: &mut [u64], a: &[u64]);
    /// The upper half of t becomes t/2^(64 n) mod m up to a multiple of m, less the carry that is returned.
    fn redc(self, t: &mut [u64], m: &[u64], k: u64) -> u64;
    /// t = a·b mod 2^(64 n).
    fn mul_low(self, t: &mut [u64], a: &[u64], b: &[u64]);
    /// t = a² mod 2^(64 n).
    fn sqr_low(self, t: &mut [u64], a: &[u64]) {
        self.mul_low(t, a, a);
    }
    /// x −= q·d; what is missing above.
    fn sub_mul(self, x: &mut [u64], d: &[u64], q: u64) -> u64;
    /// a·b/2^128 mod m.
    fn mul_mont_2(self, a: &[u64; 2], b: &[u64; 2], c: &Mont<2>) -> [u64; 2];
    /// a·b/2^256 mod m.
    fn mul_mont_4(self, a: &[u64; 4], b: &[u64; 4], c: &Mont<4>) -> [u64; 4];
    /// a^(2^times) in Montgomery's form.
    fn sqr_times_mont_4(self, a: &[u64; 4], times: u64, c: &Mont<4>) -> [u64; 4];
    /// x = x·y/R mod m, almost, on blocks of digits. Never used where `BLOCKS_FROM_BITS` is out of reach.
    fn mul_blocks(self, x: &mut [u64], y: &[u64], c: &Blocks<'_>) {
        plain::mul_almost_blocks_portable(x, y, c);
    }
    /// x = x²/R mod m, almost, on blocks of digits.
    fn sqr_blocks(self, x: &mut [u64], c: &Blocks<'_>) {
        plain::sqr_almost_blocks_portable(x, c);
    }
    /// x = x·y/R mod m, almost, for eight moduli.
    fn mul_lanes<const N: usize>(self, x: &mut LaneDigits<N>, y: &LaneDigits<N>, c: &Lanes<N>) {
        plain::mul_almost_lanes_portable(x, y, c);
    }
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
    fn mul_mont_2(self, a: &[u64; 2], b: &[u64; 2], c: &Mont<2>) -> [u64; 2] {
        plain::mul_mont_2_portable(a, b, c)
    }
    #[inline(always)]
    fn mul_mont_4(self, a: &[u64; 4], b: &[u64; 4], c: &Mont<4>) -> [u64; 4] {
        plain::mul_mont_portable(a, b, c)
    }
    #[inline(always)]
    fn sqr_times_mont_4(self, a: &[u64; 4], times: u64, c: &Mont<4>) -> [u64; 4] {
        plain::sqr_times_mont_portable(a, times, c)
    }
}

#[cfg(target_arch = "x86_64")]
mod adx {
    use super::{Kernels, Mont, plain};
    use arith::cpu::Adx;
    use arith::kernel::x86_64 as fast;

    /// Are these whole blocks of the assembly? Few words, and what is multiplied by few words, are not.
    #[inline(always)]
    fn whole(a: &[u64], b: &[u64]) -> bool {
        (a.len() | b.len()) % 8 == 0
    }

    impl Kernels for Adx {
        const BLOCK: usize = 8;

        #[inline]
        fn mul(self, t: &mut [u64], a: &[u64], b: &[u64]) {
            if whole(a, b) { fast::mul_words_adx(self, t, a, b) } else { plain::mul_words_portable(t, a, b) }
        }
        #[inline]
        fn sqr(self, t: &mut [u64], a: &[u64]) {
            if whole(a, a) && !a.is_empty() {
                fast::sqr_words_adx(self, t, a);
            } else {
                plain::sqr_words_portable(t, a);
            }
        }
        #[inline]
        fn redc(self, t: &mut [u64], m: &[u64], k: u64) -> u64 {
            if whole(m, m) && !m.is_empty() {
                fast::redc_words_adx(self, t, m, k)
            } else {
                plain::redc_words_portable(t, m, k)
            }
        }
        #[inline]
        fn mul_low(self, t: &mut [u64], a: &[u64], b: &[u64]) {
            if whole(t, t) { fast::mul_low_words_adx(self, t, a, b) } else { plain::mul_low_words_portable(t, a, b) }
        }
        #[inline]
        fn sqr_low(self, t: &mut [u64], a: &[u64]) {
            if t.len() % 16 == 0 && !t.is_empty() {
                fast::sqr_low_words_adx(self, t, a);
            } else {
                self.mul_low(t, a, a);
            }
        }
        #[inline(always)]
        fn sub_mul(self, x: &mut [u64], d: &[u64], q: u64) -> u64 {
            // Few words are straight-line code where their number is known.
            if d.len() > 4 { fast::sub_mul_words_adx(self, x, d, q) } else { plain::sub_mul_words_portable(x, d, q) }
        }
        #[inline(always)]
        fn mul_mont_2(self, a: &[u64; 2], b: &[u64; 2], c: &Mont<2>) -> [u64; 2] {
            fast::mul_mont_2_adx(self, a, b, c)
        }
        #[inline(always)]
        fn mul_mont_4(self, a: &[u64; 4], b: &[u64; 4], c: &Mont<4>) -> [u64; 4] {
            fast::mul_mont_4_adx(self, a, b, c)
        }
        #[inline(always)]
        fn sqr_times_mont_4(self, a: &[u64; 4], times: u64, c: &Mont<4>) -> [u64; 4] {
            fast::sqr_times_mont_4_adx(self, a, times, c)
        }
    }
}

#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
mod ifma {
    use super::{Blocks, Kernels, LaneDigits, Lanes, Mont};
    use arith::cpu::Ifma;
    use arith::kernel::x86_64 as fast;

    /// The words of `Adx`, and digits in lanes.
    impl Kernels for Ifma {
        const BLOCK: usize = 8;
        // 512/512: 67 µs in lanes, 43 in words; 768/768: 99 and 181, 1024/1024: 191 and 242.
        const BLOCKS_FROM_BITS: usize = 513;
        const HAS_LANES: bool = true;

        #[inline]
        fn mul(self, t: &mut [u64], a: &[u64], b: &[u64]) {
            self.adx().mul(t, a, b);
        }
        #[inline]
        fn sqr(self, t: &mut [u64], a: &[u64]) {
            self.adx().sqr(t, a);
        }
        #[inline]
        fn redc(self, t: &mut [u64], m: &[u64], k: u64) -> u64 {
            self.adx().redc(t, m, k)
        }
        #[inline]
        fn mul_low(self, t: &mut [u64], a: &[u64], b: &[u64]) {
            self.adx().mul_low(t, a, b);
        }
        #[inline]
        fn sqr_low(self, t: &mut [u64], a: &[u64]) {
            self.adx().sqr_low(t, a);
        }
        #[inline(always)]
        fn sub_mul(self, x: &mut [u64], d: &[u64], q: u64) -> u64 {
            self.adx().sub_mul(x, d, q)
        }
        #[inline(always)]
        fn mul_mont_2(self, a: &[u64; 2], b: &[u64; 2], c: &Mont<2>) -> [u64; 2] {
            self.adx().mul_mont_2(a, b, c)
        }
        #[inline(always)]
        fn mul_mont_4(self, a: &[u64; 4], b: &[u64; 4], c: &Mont<4>) -> [u64; 4] {
            self.adx().mul_mont_4(a, b, c)
        }
        #[inline(always)]
        fn sqr_times_mont_4(self, a: &[u64; 4], times: u64, c: &Mont<4>) -> [u64; 4] {
            self.adx().sqr_times_mont_4(a, times, c)
        }
        #[inline]
        fn mul_blocks(self, x: &mut [u64], y: &[u64], c: &Blocks<'_>) {
            fast::mul_almost_blocks_ifma(self, x, y, c);
        }
        #[inline]
        fn sqr_blocks(self, x: &mut [u64], c: &Blocks<'_>) {
            fast::sqr_almost_blocks_ifma(self, x, c);
        }
        #[inline]
        fn mul_lanes<const N: usize>(self, x: &mut LaneDigits<N>, y: &LaneDigits<N>, c: &Lanes<N>) {
            fast::mul_almost_lanes_ifma(self, x, y, c);
        }
    }
}
