//! Eight words in a zmm register, and their transposition.
//!
//! Every method is `#[inline(always)]` and compiles to its instruction inside a function that has the features; elsewhere it is
//! a call, right and slow.

use arith::cpu::Ifma;
use arith::{Column, Row};
use core::arch::x86_64::*;
use core::ops::{Add, BitAnd, BitOr, BitXor, Sub};
use zeroize::Zeroize;

/// Eight words, one a lane. A vector comes from a constructor that takes the token, or from other vectors: having one proves the
/// CPU's features.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct V(__m512i);

macro_rules! operators {
    ($($operator:ident, $method:ident: $intrinsic:ident;)*) => { $(
        impl $operator for V {
            type Output = V;
            #[inline(always)]
            fn $method(self, other: V) -> V {
                // SAFETY: a vector proves AVX-512F.
                V(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )* };
}

operators! {
    Add, add: _mm512_add_epi64;
    Sub, sub: _mm512_sub_epi64;
    BitAnd, bitand: _mm512_and_si512;
    BitOr, bitor: _mm512_or_si512;
    BitXor, bitxor: _mm512_xor_si512;
}

impl V {
    /// The word in every lane.
    #[inline(always)]
    pub(super) fn all(_: Ifma, word: u64) -> Self {
        // SAFETY: the token proves AVX-512F.
        V(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }

    /// A word a lane.
    #[inline(always)]
    pub(super) fn new(_: Ifma, words: &[u64; 8]) -> Self {
        // SAFETY: the token proves AVX-512F; 64 bytes are read from the array.
        V(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    /// A number a lane.
    #[inline(always)]
    pub(super) fn from_u32(_: Ifma, numbers: &[u32; 8]) -> Self {
        // SAFETY: the token proves AVX-512F; 32 bytes are read from the array.
        V(unsafe { _mm512_cvtepu32_epi64(_mm256_loadu_si256(numbers.as_ptr().cast())) })
    }

    /// The words of a row, x first.
    #[inline(always)]
    pub(super) fn row(_: Ifma, row: &Row<[u64; 4]>) -> Self {
        const { assert!(size_of::<Row<[u64; 4]>>() == 64 && core::mem::offset_of!(Row<[u64; 4]>, y) == 32) }
        // SAFETY: the token proves AVX-512F; 64 bytes are read from the row.
        V(unsafe { _mm512_loadu_si512(core::ptr::from_ref(row).cast()) })
    }

    /// Writes a word a lane.
    #[inline(always)]
    pub(super) fn store(self, words: &mut [u64; 8]) {
        // SAFETY: a vector proves AVX-512F; 64 bytes are written to the array.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }

    /// Writes the words of a row, x first.
    #[inline(always)]
    pub(super) fn to_row(self, row: &mut Row<[u64; 4]>) {
        // SAFETY: a vector proves AVX-512F; a row's 64 bytes, whose places `row` asserts, are written.
        unsafe { _mm512_storeu_si512(core::ptr::from_mut(row).cast(), self.0) }
    }

    /// A word a lane.
    #[inline(always)]
    pub(super) const fn words(self) -> [u64; 8] {
        // SAFETY: both are 64 bytes without padding, and every pattern is valid.
        unsafe { core::mem::transmute(self.0) }
    }

    /// Each word shifted right.
    #[inline(always)]
    pub(super) fn shr<const BITS: u32>(self) -> Self {
        // SAFETY: a vector proves AVX-512F.
        V(unsafe { _mm512_srli_epi64::<BITS>(self.0) })
    }

    /// Each word shifted left.
    #[inline(always)]
    pub(super) fn shl<const BITS: u32>(self) -> Self {
        // SAFETY: a vector proves AVX-512F.
        V(unsafe { _mm512_slli_epi64::<BITS>(self.0) })
    }

    /// K times each word, mod 2^64.
    #[inline(always)]
    pub(super) fn times<const K: u32>(self, token: Ifma) -> Self {
        match K {
            1 => self,
            2 => self + self,
            3 => self + self + self,
            4 => self.shl::<2>(),
            8 => self.shl::<3>(),
            _ => self.times_words(Self::all(token, K as u64)),
        }
    }

    /// Each word times the other, mod 2^64.
    #[inline(always)]
    pub(super) fn times_words(self, other: V) -> Self {
        // SAFETY: a vector proves AVX-512DQ.
        V(unsafe { _mm512_mullo_epi64(self.0, other.0) })
    }

    /// Each word plus the low 52 bits of the product of a's and b's low 52 bits.
    #[inline(always)]
    pub(super) fn add_low(self, a: V, b: V) -> Self {
        // SAFETY: a vector proves IFMA.
        V(unsafe { _mm512_madd52lo_epu64(self.0, a.0, b.0) })
    }

    /// Each word plus the high 52 bits of the product of a's and b's low 52 bits.
    #[inline(always)]
    pub(super) fn add_high(self, a: V, b: V) -> Self {
        // SAFETY: a vector proves IFMA.
        V(unsafe { _mm512_madd52hi_epu64(self.0, a.0, b.0) })
    }

    /// Itself in the lanes of `keep`, `other` elsewhere.
    #[inline(always)]
    pub(super) fn select(self, keep: u8, other: V) -> Self {
        // SAFETY: a vector proves AVX-512F.
        V(unsafe { _mm512_mask_mov_epi64(other.0, keep, self.0) })
    }

    /// `word` in the lanes of `mask`, itself elsewhere.
    #[inline(always)]
    pub(super) fn set(self, mask: u8, word: u64) -> Self {
        // SAFETY: a vector proves AVX-512F.
        V(unsafe { _mm512_mask_set1_epi64(self.0, mask, word.cast_signed()) })
    }

    /// The column's words in the lanes of `mask`, itself elsewhere. The whole cache line is read.
    #[inline(always)]
    pub(super) fn set_from(self, mask: u8, column: &Column) -> Self {
        // SAFETY: a vector proves AVX-512F; the column is 64 bytes, aligned to 64.
        V(unsafe { _mm512_mask_load_epi64(self.0, mask, column.0.as_ptr().cast()) })
    }

    /// The lanes in which it has a bit of `other`.
    #[inline(always)]
    pub(super) fn has(self, other: V) -> u8 {
        // SAFETY: a vector proves AVX-512F.
        unsafe { _mm512_test_epi64_mask(self.0, other.0) }
    }

    /// The lanes in which it is 0.
    #[inline(always)]
    pub(super) fn is_zero(self) -> u8 {
        // SAFETY: a vector proves AVX-512F.
        unsafe { _mm512_testn_epi64_mask(self.0, self.0) }
    }

    /// The lanes in which both are the same.
    #[inline(always)]
    pub(super) fn is(self, other: V) -> u8 {
        // SAFETY: a vector proves AVX-512F.
        unsafe { _mm512_cmpeq_epi64_mask(self.0, other.0) }
    }

    /// Word l is word `at[l] mod 8` of `a` where bit 3 of `at[l]` is 0, of `b` where it is 1.
    #[inline(always)]
    pub(super) fn pick(at: V, a: V, b: V) -> Self {
        // SAFETY: a vector proves AVX-512F.
        V(unsafe { _mm512_permutex2var_epi64(a.0, at.0, b.0) })
    }
}

impl Zeroize for V {
    /// One store inside a task.
    #[inline(always)]
    fn zeroize(&mut self) {
        // SAFETY: the place is a reference's; all zeros are a vector.
        unsafe { core::ptr::from_mut(&mut self.0).write_volatile(core::mem::zeroed()) };
        core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
    }
}

/// Eight vectors of eight words, rows for columns.
#[inline(always)]
pub(super) fn transpose(rows: [V; 8]) -> [V; 8] {
    let mut pairs = rows;
    let mut fours = rows;
    let mut columns = rows;
    for i in 0..4 {
        let (a, b) = (rows[2 * i].0, rows[2 * i + 1].0);
        // SAFETY: a vector proves AVX-512F.
        (pairs[2 * i], pairs[2 * i + 1]) = unsafe { (V(_mm512_unpacklo_epi64(a, b)), V(_mm512_unpackhi_epi64(a, b))) };
    }
    for half in 0..2 {
        for j in 0..2 {
            let (a, b) = (pairs[4 * half + j], pairs[4 * half + 2 + j]);
            (fours[4 * half + j], fours[4 * half + 2 + j]) = even_and_odd_quarters(a, b);
        }
    }
    for j in 0..4 {
        (columns[j], columns[4 + j]) = even_and_odd_quarters(fours[j], fours[4 + j]);
    }
    columns
}

/// Quarters 0 and 2 of a and of b; quarters 1 and 3 of a and of b.
#[inline(always)]
fn even_and_odd_quarters(a: V, b: V) -> (V, V) {
    // SAFETY: a vector proves AVX-512F.
    unsafe { (V(_mm512_shuffle_i64x2::<0x88>(a.0, b.0)), V(_mm512_shuffle_i64x2::<0xDD>(a.0, b.0))) }
}

/// Two quarters of a and two of b: the lower ones; the upper ones.
#[inline(always)]
fn lower_and_upper_halves(a: V, b: V) -> (V, V) {
    // SAFETY: a vector proves AVX-512F.
    unsafe { (V(_mm512_shuffle_i64x2::<0x44>(a.0, b.0)), V(_mm512_shuffle_i64x2::<0xEE>(a.0, b.0))) }
}

/// Words 0 and 4 of a and b, then words 1 and 5; words 2 and 6 of a and b, then words 3 and 7.
#[inline(always)]
fn deal(token: Ifma, a: V, b: V) -> (V, V) {
    let low = V::new(token, &[0, 4, 8, 12, 1, 5, 9, 13]);
    (V::pick(low, a, b), V::pick(low + V::all(token, 2), a, b))
}

/// Eight rows of four words, two a vector, for four columns of eight.
#[inline(always)]
pub(super) fn columns_of_rows(token: Ifma, rows: [V; 4]) -> [V; 4] {
    let [(a01, a23), (b01, b23)] = [deal(token, rows[0], rows[1]), deal(token, rows[2], rows[3])];
    let [(c0, c1), (c2, c3)] = [lower_and_upper_halves(a01, b01), lower_and_upper_halves(a23, b23)];
    [c0, c1, c2, c3]
}

/// The other way: four columns of eight words for eight rows of four, two a vector.
#[inline(always)]
pub(super) fn rows_of_columns(token: Ifma, columns: [V; 4]) -> [V; 4] {
    let [c0, c1, c2, c3] = columns;
    let [(a01, b01), (a23, b23)] = [lower_and_upper_halves(c0, c1), lower_and_upper_halves(c2, c3)];
    let [(r0, r1), (r2, r3)] = [deal(token, a01, a23), deal(token, b01, b23)];
    [r0, r1, r2, r3]
}
