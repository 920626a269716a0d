//! a·b/R mod m, almost, for eight moduli, a number a lane: N digits of 52 bits, R = 2^(52 N). Shapes and bounds as in the portable twin.
//!
//! Steps, for each digit of b: add its products with a; q makes the lowest digit 0 mod 2^52; add q·m and go down a digit. Sums of
//! 4 N halves stay below 2^58. At the end carries run through the digits once.
//! Cost: 4 N² + N `vpmadd52` for eight products. Source: as for `almost_blocks`.
#![allow(clippy::incompatible_msrv, reason = "the cargo feature `ifma` asks for Rust 1.89")]

use crate::cpu::Ifma;
use crate::kernel::portable::{LaneDigits, Lanes};
use core::arch::x86_64::*;

type V = __m512i;

/// x = x·y/R mod m, almost, in each lane.
#[inline(never)]
pub fn mul_almost_lanes_ifma<const N: usize>(_: Ifma, x: &mut LaneDigits<N>, y: &LaneDigits<N>, c: &Lanes<N>) {
    // SAFETY: the token proves the features.
    unsafe { mul(x, y, c) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
fn load(x: &[u64; 8]) -> V {
    // SAFETY: eight words are read.
    unsafe { _mm512_loadu_si512(x.as_ptr().cast()) }
}

/// # Safety
/// The features are there.
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
unsafe fn mul<const N: usize>(x: &mut LaneDigits<N>, y: &LaneDigits<N>, c: &Lanes<N>) {
    let o = _mm512_setzero_si512();
    let (m, k) = (c.m(), load(c.k()));
    let mut t = [o; N];
    for b in y {
        let b = load(b);
        let low = _mm512_madd52lo_epu64(t[0], load(&x[0]), b);
        let q = _mm512_madd52lo_epu64(o, low, k);
        let carry = _mm512_srli_epi64::<52>(_mm512_madd52lo_epu64(low, load(&m[0]), q));
        for j in 1..N {
            let mut sum = _mm512_madd52lo_epu64(t[j], load(&x[j]), b);
            sum = _mm512_madd52hi_epu64(sum, load(&x[j - 1]), b);
            sum = _mm512_madd52lo_epu64(sum, load(&m[j]), q);
            t[j - 1] = _mm512_madd52hi_epu64(sum, load(&m[j - 1]), q);
        }
        t[N - 1] = _mm512_madd52hi_epu64(_mm512_madd52hi_epu64(o, load(&x[N - 1]), b), load(&m[N - 1]), q);
        t[0] = _mm512_add_epi64(t[0], carry);
    }
    let (mask, mut carry) = (_mm512_set1_epi64((1 << 52) - 1), o);
    for (x, t) in x.iter_mut().zip(t) {
        let sum = _mm512_add_epi64(t, carry);
        carry = _mm512_srli_epi64::<52>(sum);
        // SAFETY: eight words are written.
        unsafe { _mm512_storeu_si512(x.as_mut_ptr().cast(), _mm512_and_si512(sum, mask)) }
    }
}
