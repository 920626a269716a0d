//! a·b/R and a²/R mod m, almost, with the digits of one number in the lanes of vectors: R = 2^(416 z), z blocks of eight digits of
//! 52 bits. Shapes and bounds as in the portable twin.
//!
//! A *window* d of a is the nine vectors that begin 0, 1, …, 8 digits before block d; with the eight digits of block j of b it
//! gives its part of column d + j by sixteen `vpmadd52`, the digits of b in all lanes. Steps:
//! 1. T = a·b in 2 z columns. A square takes the blocks above the diagonal, doubles, and adds the diagonal.
//! 2. Q = (T mod R)·(−1/m) mod R: the columns below z.
//! 3. T + Q·m from column z − 1 on. All below is 0 mod R, so what it carries into column z is what the last digit of block z − 1
//!    carries, and one more where that digit is not 0 yet.
//! 4. Digits: two passes that hand on carries to the next lane. They leave a digit of 2^52 about once in 2^41; then, and there alone,
//!    carries ripple, in `ripple`.
//!
//! Cost: 16 (z (z + 1) + (z² + 3 z)) `vpmadd52` a product, some 16 z²/2 fewer a square. Sums of up to 2 · 160 products of 52 bits
//! stay below 2^61. Source: as for the portable twin; the windows are those of schoolbook products on vectors.
#![allow(clippy::incompatible_msrv, reason = "the cargo feature `ifma` asks for Rust 1.89")]

use crate::cpu::Ifma;
use crate::kernel::portable::{Blocks, MAX_BLOCKS};
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

type V = __m512i;
const MASK: i64 = (1 << 52) - 1;
/// Room for the columns of a product, of which only those in use are written: clearing all would cost as much as a small product.
type Columns = MaybeUninit<[V; 2 * MAX_BLOCKS]>;
/// Room for as many digits.
type Digits = MaybeUninit<[u64; 8 * MAX_BLOCKS]>;

/// x = x·y/R mod m, almost.
#[inline(never)]
pub fn mul_almost_blocks_ifma(_: Ifma, x: &mut [u64], y: &[u64], c: &Blocks<'_>) {
    let z = c.blocks();
    assert!(x.len() == c.m().len() && y.len() == c.m().len(), "elements of the modulus' blocks");
    // SAFETY: the token proves the features; the lengths are those of z blocks between blocks of zeros, z at most MAX_BLOCKS.
    unsafe { mul(x.as_mut_ptr(), y.as_ptr(), c.m().as_ptr(), c.neg_inverse().as_ptr(), z) }
}

/// x = x²/R mod m, almost.
#[inline(never)]
pub fn sqr_almost_blocks_ifma(_: Ifma, x: &mut [u64], c: &Blocks<'_>) {
    let z = c.blocks();
    assert!(x.len() == c.m().len(), "an element of the modulus' blocks");
    // SAFETY: as above.
    unsafe { sqr(x.as_mut_ptr(), c.m().as_ptr(), c.neg_inverse().as_ptr(), z) }
}

/// # Safety
/// The features are there; the pointers are to z blocks between two blocks of zeros; 1 ≤ z ≤ MAX_BLOCKS.
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
unsafe fn mul(x: *mut u64, y: *const u64, m: *const u64, neg_inverse: *const u64, z: usize) {
    let mut t = Columns::uninit();
    let t = t.as_mut_ptr().cast::<V>();
    // SAFETY: columns are d + j ≤ 2 z − 1, as d ≤ z and j ≤ z − 1; all of them are cleared first. Reads are within the elements: see
    // `window`.
    unsafe {
        clear(t, 2 * z);
        for d in 0..=z {
            let w = window(x, d);
            for j in 0..z {
                add_column(t.add(d + j), &w, y.add(8 + 8 * j));
            }
        }
        reduce(x, t, m, neg_inverse, z);
    }
}

/// # Safety
/// As [`mul`].
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
unsafe fn sqr(x: *mut u64, m: *const u64, neg_inverse: *const u64, z: usize) {
    let mut t = Columns::uninit();
    let t = t.as_mut_ptr().cast::<V>();
    // SAFETY: as in `mul`.
    unsafe {
        clear(t, 2 * z);
        // Above the diagonal: block i times block j < i, of which window i has the lower part and window i + 1 the rest.
        for d in 1..=z {
            let w = window(x, d);
            for j in 0..d - 1 {
                add_column(t.add(d + j), &w, x.add(8 + 8 * j));
            }
            if d < z {
                // window d without block d − 1, which is on the diagonal
                let w = lower(load(x, d));
                add_column(t.add(2 * d - 1), &w, x.add(8 * d));
            }
        }
        for i in 1..2 * z - 1 {
            *t.add(i) = _mm512_add_epi64(*t.add(i), *t.add(i));
        }
        for j in 0..z {
            let block = load(x, j);
            add_column(t.add(2 * j), &lower(block), x.add(8 + 8 * j));
            add_column(t.add(2 * j + 1), &upper(block), x.add(8 + 8 * j));
        }
        reduce(x, t, m, neg_inverse, z);
    }
}

/// x = T/R mod m, almost.
///
/// # Safety
/// As [`mul`]; x may be written; t are 2 z columns.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
unsafe fn reduce(x: *mut u64, t: *mut V, m: *const u64, neg_inverse: *const u64, z: usize) {
    let (mut low, mut q, mut h) = (Digits::uninit(), Digits::uninit(), Columns::uninit());
    let (low, q) = (low.as_mut_ptr().cast::<u64>(), q.as_mut_ptr().cast::<u64>());
    let h = h.as_mut_ptr().cast::<V>();
    // SAFETY: `low` and `q` have room for z blocks, which are written before they are read; the windows and columns are those of `mul`.
    unsafe {
        clear(h, z);
        let carry = normalise(t, z, low);
        for d in 0..z {
            let w = window(neg_inverse, d);
            for j in 0..z - d {
                add_column(h.add(d + j), &w, low.add(8 * j));
            }
        }
        normalise(h, z, q);
        // T from column z − 1 on
        *t.add(z - 1) = _mm512_loadu_si512(low.add(8 * (z - 1)).cast());
        for d in 0..=z {
            let w = window(m, d);
            for j in (z - 1).saturating_sub(d)..z {
                add_column(t.add(d + j), &w, q.add(8 * j));
            }
        }
        // What column z − 1 carries: the last digit is 0 mod 2^52 once the digits before it have handed on theirs.
        let s = *t.add(z - 1);
        let carries = _mm512_srli_epi64::<52>(s);
        let digits = _mm512_add_epi64(_mm512_and_si512(s, mask()), shifted_in(carries, _mm512_setzero_si512()));
        let not_yet = _mm512_test_epi64_mask(digits, digits);
        let carries = _mm512_mask_add_epi64(carries, not_yet, carries, _mm512_set1_epi64(1));
        let carry = _mm512_add_epi64(carry, last_to_first(carries));
        *t.add(z) = _mm512_add_epi64(*t.add(z), carry);
        normalise(t.add(z), z, x.add(8));
    }
}

/// The vectors that begin 0, 1, …, 8 digits before block d.
///
/// # Safety
/// `x` is an element of z blocks and d ≤ z: the first read begins at word 8 d ≥ 0, the last ends at word 8 d + 16.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
unsafe fn window(x: *const u64, d: usize) -> [V; 9] {
    // SAFETY: said above.
    unsafe {
        let at = |s: usize| _mm512_loadu_si512(x.add(8 + 8 * d - s).cast());
        [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8)]
    }
}

/// Block d.
///
/// # Safety
/// As [`window`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
unsafe fn load(x: *const u64, d: usize) -> V {
    // SAFETY: said above.
    unsafe { _mm512_loadu_si512(x.add(8 + 8 * d).cast()) }
}

/// The window at a block with zeros before it.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
fn lower(x: V) -> [V; 9] {
    let o = _mm512_setzero_si512();
    [
        x,
        _mm512_alignr_epi64::<7>(x, o),
        _mm512_alignr_epi64::<6>(x, o),
        _mm512_alignr_epi64::<5>(x, o),
        _mm512_alignr_epi64::<4>(x, o),
        _mm512_alignr_epi64::<3>(x, o),
        _mm512_alignr_epi64::<2>(x, o),
        _mm512_alignr_epi64::<1>(x, o),
        o,
    ]
}

/// The window behind a block, with zeros there.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
fn upper(x: V) -> [V; 9] {
    let o = _mm512_setzero_si512();
    [
        o,
        _mm512_alignr_epi64::<7>(o, x),
        _mm512_alignr_epi64::<6>(o, x),
        _mm512_alignr_epi64::<5>(o, x),
        _mm512_alignr_epi64::<4>(o, x),
        _mm512_alignr_epi64::<3>(o, x),
        _mm512_alignr_epi64::<2>(o, x),
        _mm512_alignr_epi64::<1>(o, x),
        x,
    ]
}

/// column += Σ_s (lower half of w[s]·b_s + upper half of w[s + 1]·b_s): an upper half counts one digit further.
///
/// # Safety
/// Eight words at `b` may be read, the column read and written.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
unsafe fn add_column(column: *mut V, w: &[V; 9], b: *const u64) {
    let o = _mm512_setzero_si512();
    // four chains, for a latency of four
    let (mut high_0, mut low_1, mut high_1) = (o, o, o);
    // SAFETY: said above.
    unsafe {
        let mut low_0 = *column;
        let digit = |s: usize| _mm512_set1_epi64((*b.add(s)).cast_signed());
        let (b0, b1) = (digit(0), digit(1));
        low_0 = _mm512_madd52lo_epu64(low_0, w[0], b0);
        high_0 = _mm512_madd52hi_epu64(high_0, w[1], b0);
        low_1 = _mm512_madd52lo_epu64(low_1, w[1], b1);
        high_1 = _mm512_madd52hi_epu64(high_1, w[2], b1);
        let (b2, b3) = (digit(2), digit(3));
        low_0 = _mm512_madd52lo_epu64(low_0, w[2], b2);
        high_0 = _mm512_madd52hi_epu64(high_0, w[3], b2);
        low_1 = _mm512_madd52lo_epu64(low_1, w[3], b3);
        high_1 = _mm512_madd52hi_epu64(high_1, w[4], b3);
        let (b4, b5) = (digit(4), digit(5));
        low_0 = _mm512_madd52lo_epu64(low_0, w[4], b4);
        high_0 = _mm512_madd52hi_epu64(high_0, w[5], b4);
        low_1 = _mm512_madd52lo_epu64(low_1, w[5], b5);
        high_1 = _mm512_madd52hi_epu64(high_1, w[6], b5);
        let (b6, b7) = (digit(6), digit(7));
        low_0 = _mm512_madd52lo_epu64(low_0, w[6], b6);
        high_0 = _mm512_madd52hi_epu64(high_0, w[7], b6);
        low_1 = _mm512_madd52lo_epu64(low_1, w[7], b7);
        high_1 = _mm512_madd52hi_epu64(high_1, w[8], b7);
        *column = _mm512_add_epi64(_mm512_add_epi64(low_0, high_0), _mm512_add_epi64(low_1, high_1));
    }
}

/// # Safety
/// So many columns may be written.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
unsafe fn clear(columns: *mut V, count: usize) {
    for i in 0..count {
        // SAFETY: said above.
        unsafe { columns.add(i).write(_mm512_setzero_si512()) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
fn mask() -> V {
    _mm512_set1_epi64(MASK)
}

/// A lane up, the last lane of `before` comes in.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
fn shifted_in(x: V, before: V) -> V {
    _mm512_alignr_epi64::<7>(x, before)
}

/// The last lane in the first one, zeros above.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
fn last_to_first(x: V) -> V {
    _mm512_alignr_epi64::<7>(_mm512_setzero_si512(), x)
}

/// The columns as digits below 2^52 at `out`; what they carry, in the first lane.
///
/// # Safety
/// So many columns may be read, as many blocks at `out` written.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
unsafe fn normalise(columns: *const V, blocks: usize, out: *mut u64) -> V {
    let (mut first, mut second) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    let (mut above, mask) = (0u8, mask());
    for i in 0..blocks {
        // SAFETY: column i of as many.
        let column = unsafe { *columns.add(i) };
        let carries = _mm512_srli_epi64::<52>(column);
        let x = _mm512_add_epi64(_mm512_and_si512(column, mask), shifted_in(carries, first));
        first = carries;
        let carries = _mm512_srli_epi64::<52>(x);
        let y = _mm512_add_epi64(_mm512_and_si512(x, mask), shifted_in(carries, second));
        second = carries;
        above |= _mm512_cmpgt_epu64_mask(y, mask);
        // SAFETY: block i of as many.
        unsafe { _mm512_storeu_si512(out.add(8 * i).cast(), y) }
    }
    let mut carry = last_to_first(_mm512_add_epi64(first, second));
    if above != 0 {
        // SAFETY: the blocks that were written.
        let more = ripple(unsafe { core::slice::from_raw_parts_mut(out, 8 * blocks) });
        carry = _mm512_add_epi64(carry, _mm512_maskz_set1_epi64(1, more.cast_signed()));
    }
    carry
}

/// Digits of up to 2^52 become digits below, the carry goes on as far as it goes; what leaves.
#[cold]
#[inline(never)]
fn ripple(digits: &mut [u64]) -> u64 {
    #[cfg(test)]
    RIPPLES.fetch_add(1, core::sync::atomic::Ordering::Relaxed);
    let mut carry = 0;
    for digit in digits {
        let sum = *digit + carry;
        (*digit, carry) = (sum & MASK.cast_unsigned(), sum >> 52);
    }
    carry
}

/// How often carries rippled.
#[cfg(test)]
pub(crate) static RIPPLES: core::sync::atomic::AtomicUsize = core::sync::atomic::AtomicUsize::new(0);
