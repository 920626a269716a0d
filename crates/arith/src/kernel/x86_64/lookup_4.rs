//! Selections that read everything: a table row by a secret index, one of two elements by a secret bit.

use crate::Row;
use crate::cpu::Adx;
use core::arch::asm;

/// `rows[at]`, every row read whatever `at` says; zero where `at` is outside.
///
/// Equation: Σᵢ rows[i] & (i = at ? −1 : 0). Registers: ymm0 and ymm1 the row, ymm2 the running index, ymm3 `at` and ymm4 one in
/// every 64-bit lane, ymm5 the comparison. On Zen 4 about 1.7 cycles a row.
#[inline(always)]
#[must_use]
pub fn lookup_row_4_avx2(_: Adx, rows: &[Row<[u64; 4]>], at: u32) -> Row<[u64; 4]> {
    const { assert!(size_of::<Row<[u64; 4]>>() == 64 && core::mem::offset_of!(Row<[u64; 4]>, y) == 32) }
    let mut row = Row { x: [0; 4], y: [0; 4] };
    if rows.is_empty() {
        return row; // the length is public
    }
    let range = rows.as_ptr_range();
    // SAFETY: the token proves AVX2; exactly the bytes of `rows` are read (at least one row), 64 bytes are written to `row`.
    unsafe {
        asm!(
            "vpxor xmm0, xmm0, xmm0", "vpxor xmm1, xmm1, xmm1", "vpxor xmm2, xmm2, xmm2",
            "vmovq xmm3, {at}", "vpbroadcastq ymm3, xmm3",
            "vpcmpeqd ymm4, ymm4, ymm4", "vpsrlq ymm4, ymm4, 63",
            "2:",
            "vpcmpeqq ymm5, ymm2, ymm3", "vpaddq ymm2, ymm2, ymm4",
            "vpand ymm6, ymm5, [{row}]", "vpand ymm5, ymm5, [{row}+32]",
            "vpor ymm0, ymm0, ymm6", "vpor ymm1, ymm1, ymm5",
            "add {row}, 64", "cmp {row}, {end}", "jne 2b",
            "vmovdqu [{out}], ymm0", "vmovdqu [{out}+32], ymm1", "vzeroupper",
            row = inout(reg) range.start => _, end = in(reg) range.end, at = in(reg) u64::from(at), out = in(reg) &raw mut row,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _, out("ymm4") _, out("ymm5") _, out("ymm6") _,
            options(nostack)
        );
    }
    row
}

/// `a` where `keep` is not zero, `b` where it is, by conditional moves.
#[inline(always)]
#[must_use]
pub fn select_4_adx(_: Adx, keep: u64, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let [mut r0, mut r1, mut r2, mut r3] = *a;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "test {keep}, {keep}",
            "cmovz {r0}, {b0}", "cmovz {r1}, {b1}", "cmovz {r2}, {b2}", "cmovz {r3}, {b3}",
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            b0 = in(reg) b[0], b1 = in(reg) b[1], b2 = in(reg) b[2], b3 = in(reg) b[3], keep = in(reg) keep,
            options(pure, nomem, nostack)
        );
    }
    [r0, r1, r2, r3]
}
