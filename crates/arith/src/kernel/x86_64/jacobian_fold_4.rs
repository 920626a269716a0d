//! Whole point operations on y² = x³ + b over p = 2^256 − c in Jacobian coordinates (x = X/Z², y = Y/Z³), one block each.
//!
//! Operands and results: numbers below 2^256, in place, congruent mod p. b does not enter. c is odd and below 2^62.
//! What one block saves over a call a product: words stay in registers from a product into the sum that follows it, and the
//! subtraction in Y₃ goes into the product before its reduction (`mul_sub`).
//! The order of the products decides what runs beside what: 346 orders of the doubling differed by up to 18 % on Zen 4, 180 of
//! the addition by up to 16 %; the best ones stand here: 230 cycles and 385 (one product at a time: 300 and 456).
//!
//! Registers: rdi, rbx, rbp point to X, Y, Z (rbx and rbp are saved: an asm block may not name them as operands); rsp points to
//! the block's own slots of four words; the rest as in `pieces`.

use crate::cpu::Adx;
use crate::kernel::check_c;
use core::arch::asm;

/// r8…r11 = (r8…r11) − b₁ − b₂ − b₃ mod p, each operand given by its base: the borrows are counted in rsi, and k borrows are k·c.
/// A borrow of that leaves at least 2^256 − 3c, so its own subtraction of c ends in r8. rdx = c.
macro_rules! sub_several {
    ($first:expr, $($next:expr),*) => {
        concat!(
            sub_words!($first), "sbb rsi, rsi\n",
            $(sub_words!($next), "sbb rsi, 0\n",)*
            "neg rsi\n imul rsi, rdx\n sub r8, rsi\n sbb r9, 0\n sbb r10, 0\n sbb r11, 0\n",
            "sbb rax, rax\n and rax, rdx\n sub r8, rax\n"
        )
    };
}

/// (X, Y, Z) becomes 2·(X, Y, Z). Z = 0 stays 0.
///
/// 3M + 4S, with L = 3X²/2, S = Y², T = X·S: X₃ = L² − 2T, Y₃ = L·(T − X₃) − S², Z₃ = Y·Z.
/// Source: the doubling of Cohen, Miyaji, Ono (ASIACRYPT 1998) for a = 0, scaled by Z₃ → Z₃/2.
#[inline(never)]
pub fn double_jacobian_fold_4_adx<const C: u64>(_: Adx, x: &mut [u64; 4], y: &mut [u64; 4], z: &mut [u64; 4]) {
    const { check_c(C) }
    // SAFETY: the token proves BMI2 and ADX; the pointers come from exclusive references to four words each; the block's own
    // 160 bytes lie below the stack pointer that it restores, as are rbx and rbp.
    unsafe {
        asm!(
            "push rbx", "push rbp", "mov rbx, r8", "mov rbp, r9", "sub rsp, 160",
            sqr!("rdi"), half!(), //                                    X²
            "add r8, r12", "adc r9, r13", "adc r10, r14", "adc r11, r15",
            carry_out!(), put!("rsp"), //                               L = X² + X²/2
            sqr!("rbx"), put!("rsp+32"), //                             S = Y²
            mul!("rdi", "rsp+32"), put!("rsp+64"), //                   T = X·S
            sqr!("rsp"), sub_several!("rsp+64", "rsp+64"), put!("rdi"), // X₃ = L² − 2T
            sqr_plus_c!("rsp+32"), put!("rsp+96"), //                   S² + c
            get!("rsp+64"), sub!("rdi"), put!("rsp+128"), //            T − X₃
            mul!("rbp", "rbx"), put!("rbp"), //                         Z₃ = Y·Z
            mul_sub!("rsp", "rsp+128", "rsp+96"), put!("rbx"), //       Y₃ = L·(T − X₃) − S²
            "add rsp, 160", "pop rbp", "pop rbx",
            c = const C,
            in("rdi") x, inout("r8") y => _, inout("r9") z => _,
            out("r10") _, out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _,
        );
    }
}

/// (X, Y, Z) becomes (X, Y, Z) + (qx, qy), incomplete: Z becomes 0 mod p exactly where Z was 0 or the points have the same x.
///
/// 8M + 3S, with H = qx·Z² − X, R = qy·Z³ − Y, V = X·H²: X₃ = R² − H³ − 2V, Y₃ = R·(V − X₃) − Y·H³, Z₃ = Z·H.
/// Source: the addition of Cohen, Miyaji, Ono (ASIACRYPT 1998) with Z₂ = 1.
#[inline(never)]
pub fn add_mixed_jacobian_fold_4_adx<const C: u64>(
    _: Adx,
    x: &mut [u64; 4],
    y: &mut [u64; 4],
    z: &mut [u64; 4],
    qx: &[u64; 4],
    qy: &[u64; 4],
) {
    const { check_c(C) }
    // SAFETY: the token proves BMI2 and ADX; the pointers come from references to four words each, exclusive for the three that
    // are written; the block's own 176 bytes lie below the stack pointer that it restores, as are rbx and rbp.
    unsafe {
        asm!(
            "push rbx", "push rbp", "mov rbx, r8", "mov rbp, r9", "sub rsp, 176", "mov [rsp+160], rsi", "mov [rsp+168], r10",
            sqr!("rbp"), put!("rsp"), //                                Z²
            mul!("rbp", "rsp"), put!("rsp+32"), //                      Z³
            "mov rsi, [rsp+160]",
            mul!("rsi", "rsp"), sub!("rdi"), put!("rsp"), //            H = qx·Z² − X
            "mov rsi, [rsp+168]",
            mul!("rsi", "rsp+32"), sub!("rbx"), put!("rsp+32"), //      R = qy·Z³ − Y
            sqr!("rsp"), put!("rsp+64"), //                             H²
            mul!("rsp", "rsp+64"), put!("rsp+96"), //                   H³
            mul!("rdi", "rsp+64"), put!("rsp+64"), //                   V = X·H²
            sqr!("rsp+32"), sub_several!("rsp+96", "rsp+64", "rsp+64"), put!("rdi"), // X₃ = R² − H³ − 2V
            mul_plus_c!("rbx", "rsp+96"), put!("rsp+96"), //            Y·H³ + c
            get!("rsp+64"), sub!("rdi"), put!("rsp+128"), //            V − X₃
            mul!("rbp", "rsp"), put!("rbp"), //                         Z₃ = Z·H
            mul_sub!("rsp+32", "rsp+128", "rsp+96"), put!("rbx"), //    Y₃ = R·(V − X₃) − Y·H³
            "add rsp, 176", "pop rbp", "pop rbx",
            c = const C,
            in("rdi") x, inout("r8") y => _, inout("r9") z => _, inout("rsi") qx => _, inout("r10") qy => _,
            out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            out("rax") _, out("rcx") _, out("rdx") _,
        );
    }
}
