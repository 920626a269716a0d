//! a·b/2^256 mod m and a^(2^i) in that form, for an odd m of four words that is given.
//!
//! Operands and results: any numbers below 2^256, congruent mod m. Steps: the product; two rounds with M = k·m = −1 mod 2^64
//! instead of m, whose quotient is the lowest word as it stands (r ← r/2^64 + q·M', M' = (M + 1)/2^64); two rounds with m; the
//! upper half of the product; m off where the sum is not below m. The two last rounds are with m, else the sum would be
//! up to 2^64 m. As it is, it is below 2^256 + m + m/2^64 + 1, so once in a blue moon m comes off twice: that branch is there for
//! planted data.
//! Cost: product 16 + 16 mulx and 2 imul, square 10 + 16. Source: as for the portable twin; M' as in "Montgomery-friendly"
//! moduli, M. Hamburg, "Fast and compact elliptic-curve cryptography", IACR ePrint 2012/309.

use crate::cpu::Adx;
use crate::kernel::portable::Mont;
use core::arch::asm;
use core::mem::offset_of;

/// (x₁, …, x₄, x₀) = (x₀, …, x₄)/2^64 + x₀·M', M' at {m1} from rbx; rsi is zero from here on. `$top` adds the carries of x₄.
macro_rules! round_m1 {
    ($x0:literal, $x1:literal, $x2:literal, $x3:literal, $x4:literal, $top:literal) => {
        concat!(
            concat!("mov rdx, ", $x0, "\n xor esi, esi\n"),
            concat!("mulx rcx, rax, [rbx + {m1}]\n adcx ", $x1, ", rax\n adox ", $x2, ", rcx\n"),
            concat!("mulx rcx, rax, [rbx + {m1} + 8]\n adcx ", $x2, ", rax\n adox ", $x3, ", rcx\n"),
            concat!("mulx rcx, rax, [rbx + {m1} + 16]\n adcx ", $x3, ", rax\n adox ", $x4, ", rcx\n"),
            concat!("mulx ", $x0, ", rax, [rbx + {m1} + 24]\n adcx ", $x4, ", rax\n"),
            concat!("adcx ", $x0, ", rsi\n", $top, "\n"),
        )
    };
}

/// (x₁, …, x₄, x₀) = ((x₀, …, x₄) + q·m)/2^64, m at {m} from rbx, q = k·x₀; x₀ is named by its lower half, too.
macro_rules! round_m {
    ($x0:literal, $x0_low:literal, $x1:literal, $x2:literal, $x3:literal, $x4:literal) => {
        concat!(
            concat!("mov rdx, ", $x0, "\n imul rdx, [rbx + {k}]\n xor esi, esi\n"),
            concat!("mulx rcx, rax, [rbx + {m}]\n adcx ", $x0, ", rax\n adox ", $x1, ", rcx\n"),
            concat!("mulx rcx, rax, [rbx + {m} + 8]\n adcx ", $x1, ", rax\n adox ", $x2, ", rcx\n"),
            concat!("mulx rcx, rax, [rbx + {m} + 16]\n adcx ", $x2, ", rax\n adox ", $x3, ", rcx\n"),
            concat!("mulx rcx, rax, [rbx + {m} + 24]\n adcx ", $x3, ", rax\n adox ", $x4, ", rcx\n"),
            concat!("mov ", $x0_low, ", 0\n adcx ", $x4, ", rsi\n"),
            concat!("adcx ", $x0, ", rsi\n adox ", $x0, ", rsi\n"),
        )
    };
}

/// r12…r15 = r8…r15/2^256 mod m, rbx the modulus; rax, rcx, rdx, rdi and rsi are scratch.
macro_rules! reduce {
    () => {
        concat!(
            "xor edi, edi\n",
            round_m1!("r8", "r9", "r10", "r11", "rdi", "adox r8, rsi"),
            round_m1!("r9", "r10", "r11", "rdi", "r8", "adox r9, rsi"),
            round_m!("r10", "r10d", "r11", "rdi", "r8", "r9"),
            round_m!("r11", "r11d", "rdi", "r8", "r9", "r10"),
            "add rdi, r12\n adc r8, r13\n adc r9, r14\n adc r10, r15\n adc r11, 0\n",
            "mov r12, rdi\n mov r13, r8\n mov r14, r9\n mov r15, r10\n",
            "sub r12, [rbx + {m}]\n sbb r13, [rbx + {m} + 8]\n sbb r14, [rbx + {m} + 16]\n sbb r15, [rbx + {m} + 24]\n",
            "sbb r11, 0\n", // below zero: the sum is below m
            "cmovc r12, rdi\n cmovc r13, r8\n cmovc r14, r9\n cmovc r15, r10\n",
            "jbe 4f\n",
            "3:\n", // still above 2^256
            "sub r12, [rbx + {m}]\n sbb r13, [rbx + {m} + 8]\n sbb r14, [rbx + {m} + 16]\n sbb r15, [rbx + {m} + 24]\n",
            "sbb r11, 0\n jnz 3b\n",
            "4:\n",
        )
    };
}

/// a·b/2^256 mod m.
///
/// Registers: rdi and rsi point to a and b, rbx to the modulus; r8…r15 product, result in r12…r15; the rest scratch.
#[inline]
#[must_use]
pub fn mul_mont_4_adx(_: Adx, a: &[u64; 4], b: &[u64; 4], c: &Mont<4>) -> [u64; 4] {
    let (r0, r1, r2, r3);
    // SAFETY: the token proves BMI2 and ADX; only a, b and c are read; what is pushed is popped.
    unsafe {
        asm!(
            "push rbx", "mov rbx, r8",
            concat!(row_0!("rdi", "rsi"), rows_1_to_3!("rdi", "rsi"), reduce!()),
            "pop rbx",
            m = const offset_of!(Mont<4>, m), m1 = const offset_of!(Mont<4>, m1), k = const offset_of!(Mont<4>, k),
            inout("rdi") a => _, inout("rsi") b => _, inout("r8") c => _,
            out("r9") _, out("r10") _, out("r11") _,
            out("r12") r0, out("r13") r1, out("r14") r2, out("r15") r3,
            out("rax") _, out("rcx") _, out("rdx") _,
            options(readonly),
        );
    }
    [r0, r1, r2, r3]
}

/// a^(2^times) in Montgomery's form, in registers from square to square. Vartime in `times`.
///
/// Registers: r12…r15 from one square to the next, rdi, rbx, rbp, rsi its operand, then rbx the modulus; modulus and count
/// on the stack.
#[inline]
#[must_use]
pub fn sqr_times_mont_4_adx(_: Adx, a: &[u64; 4], times: u64, c: &Mont<4>) -> [u64; 4] {
    let [mut r0, mut r1, mut r2, mut r3] = *a;
    if times == 0 {
        return *a;
    }
    // SAFETY: the token proves BMI2 and ADX; only c is read; what is pushed is popped, and rbx and rbp are themselves again.
    unsafe {
        asm!(
            "push rbx", "push rbp", "push r8", "push rcx",
            "2:",
            "mov rdi, r12", "mov rbx, r13", "mov rbp, r14", "mov rsi, r15",
            square_words!("rdi", "rbx", "rbp", "rsi"),
            "mov rbx, [rsp + 8]",
            reduce!(),
            "dec qword ptr [rsp]",
            "jnz 2b",
            "pop rcx", "pop r8", "pop rbp", "pop rbx",
            m = const offset_of!(Mont<4>, m), m1 = const offset_of!(Mont<4>, m1), k = const offset_of!(Mont<4>, k),
            inout("r8") c => _, inout("rcx") times => _,
            out("r9") _, out("r10") _, out("r11") _,
            inout("r12") r0, inout("r13") r1, inout("r14") r2, inout("r15") r3,
            out("rax") _, out("rdx") _, out("rsi") _, out("rdi") _,
        );
    }
    [r0, r1, r2, r3]
}
