//! a·b, a², a + b, a − b, K·a, a/2 mod p = 2^256 − c on four words, reduced by 2^256 = c.
//!
//! Operands and results: any number below 2^256, so congruent mod p, not canonical. c is odd and below 2^62.
//! Cost: product 16 + 5 mulx, square 10 + 5. On Zen 4: 48 cycles latency and 35 throughput, 38 and 26.
//! Source: mulx, adcx, adox in two carry chains: E. Ozturk et al., "New instructions supporting large integer arithmetic on
//! Intel architecture processors" (2012); the fold is that of R. Crandall, US patent 5159632 (expired).

use crate::cpu::Adx;
use crate::kernel::check_c;
use core::arch::asm;

/// a·b mod 2^256 − C.
///
/// Registers: rdi and rsi point to a and b; r8…r15 product, result in r8…r11; rax, rcx, rdx scratch.
#[inline(always)]
#[must_use]
pub fn mul_fold_4_adx<const C: u64>(_: Adx, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let (r0, r1, r2, r3);
    // SAFETY: the token proves BMI2 and ADX; only the eight words of a and b are read, nothing is written.
    unsafe {
        asm!(
            mul!("rdi", "rsi"),
            c = const C,
            in("rdi") a, inout("rsi") b => _,
            out("r8") r0, out("r9") r1, out("r10") r2, out("r11") r3,
            out("r12") _, out("r13") _, out("r14") _, out("r15") _, out("rax") _, out("rcx") _, out("rdx") _,
            options(pure, readonly, nostack)
        );
    }
    [r0, r1, r2, r3]
}

/// a² mod 2^256 − C.
///
/// Registers: rdi points to a; the rest as for the product.
#[inline(always)]
#[must_use]
pub fn sqr_fold_4_adx<const C: u64>(_: Adx, a: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let (r0, r1, r2, r3);
    // SAFETY: the token proves BMI2 and ADX; only the four words of a are read, nothing is written.
    unsafe {
        asm!(
            sqr!("rdi"),
            c = const C,
            in("rdi") a, out("rsi") _,
            out("r8") r0, out("r9") r1, out("r10") r2, out("r11") r3,
            out("r12") _, out("r13") _, out("r14") _, out("r15") _, out("rax") _, out("rcx") _, out("rdx") _,
            options(pure, readonly, nostack)
        );
    }
    [r0, r1, r2, r3]
}

/// a^(2^times) mod 2^256 − C, in registers from square to square.
///
/// Registers: r8…r11 from one square to the next, rdi, rbx, rbp, rsi its operand; the count on the stack. Vartime in `times`.
#[inline(always)]
#[must_use]
pub fn sqr_times_fold_4_adx<const C: u64>(_: Adx, a: &[u64; 4], times: u32) -> [u64; 4] {
    const { check_c(C) }
    let [mut r0, mut r1, mut r2, mut r3] = *a;
    if times == 0 {
        return *a;
    }
    // SAFETY: the token proves BMI2 and ADX; what is pushed is popped, and rbx and rbp are themselves again.
    unsafe {
        asm!(
            "push rbx", "push rbp", "push rcx",
            "2:",
            "mov rdi, r8", "mov rbx, r9", "mov rbp, r10", "mov rsi, r11",
            square_words!("rdi", "rbx", "rbp", "rsi"),
            fold!(plus 0),
            "dec qword ptr [rsp]",
            "jnz 2b",
            "pop rcx", "pop rbp", "pop rbx",
            c = const C,
            inout("r8") r0, inout("r9") r1, inout("r10") r2, inout("r11") r3, inout("rcx") u64::from(times) => _,
            out("r12") _, out("r13") _, out("r14") _, out("r15") _, out("rax") _, out("rdx") _, out("rsi") _, out("rdi") _,
        );
    }
    [r0, r1, r2, r3]
}

/// a + b mod 2^256 − C.
#[inline(always)]
#[must_use]
pub fn add_fold_4_adx<const C: u64>(_: Adx, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let [mut r0, mut r1, mut r2, mut r3] = *a;
    // SAFETY: plain additions of registers.
    unsafe {
        asm!(
            "add {r0}, {b0}", "adc {r1}, {b1}", "adc {r2}, {b2}", "adc {r3}, {b3}",
            "sbb {t}, {t}", "and {t}, {c}",
            "add {r0}, {t}", "adc {r1}, 0", "adc {r2}, 0", "adc {r3}, 0",
            // after a second carry the sum is below c
            "sbb {t}, {t}", "and {t}, {c}", "add {r0}, {t}",
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            b0 = in(reg) b[0], b1 = in(reg) b[1], b2 = in(reg) b[2], b3 = in(reg) b[3],
            t = out(reg) _, c = in(reg) C,
            options(pure, nomem, nostack)
        );
    }
    [r0, r1, r2, r3]
}

/// a − b mod 2^256 − C.
#[inline(always)]
#[must_use]
pub fn sub_fold_4_adx<const C: u64>(_: Adx, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let [mut r0, mut r1, mut r2, mut r3] = *a;
    // SAFETY: plain subtractions of registers.
    unsafe {
        asm!(
            "sub {r0}, {b0}", "sbb {r1}, {b1}", "sbb {r2}, {b2}", "sbb {r3}, {b3}",
            "sbb {t}, {t}", "and {t}, {c}",
            "sub {r0}, {t}", "sbb {r1}, 0", "sbb {r2}, 0", "sbb {r3}, 0",
            // after a second borrow the difference is at least 2^256 − c
            "sbb {t}, {t}", "and {t}, {c}", "sub {r0}, {t}",
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            b0 = in(reg) b[0], b1 = in(reg) b[1], b2 = in(reg) b[2], b3 = in(reg) b[3],
            t = out(reg) _, c = in(reg) C,
            options(pure, nomem, nostack)
        );
    }
    [r0, r1, r2, r3]
}

/// K·a mod 2^256 − C, K·C below 2^63.
#[inline(always)]
#[must_use]
pub fn times_fold_4_adx<const C: u64, const K: u32>(_: Adx, a: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    const { assert!((K as u128 * C as u128) >> 63 == 0, "the fifth word times c is one word") }
    let [mut r0, mut r1, mut r2, mut r3] = *a;
    // SAFETY: the token proves BMI2; registers only.
    unsafe {
        asm!(
            "mov edx, {k}",
            "mulx {h0}, {r0}, {r0}", "mulx {h1}, {r1}, {r1}", "mulx {h2}, {r2}, {r2}", "mulx {h3}, {r3}, {r3}",
            "add {r1}, {h0}", "adc {r2}, {h1}", "adc {r3}, {h2}", "adc {h3}, 0",
            "imul {h3}, {c}",
            "add {r0}, {h3}", "adc {r1}, 0", "adc {r2}, 0", "adc {r3}, 0",
            // after a carry the sum is below K·c
            "sbb {h3}, {h3}", "and {h3}, {c}", "add {r0}, {h3}",
            r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
            h0 = out(reg) _, h1 = out(reg) _, h2 = out(reg) _, h3 = out(reg) _,
            k = const K, c = in(reg) C, out("rdx") _,
            options(pure, nomem, nostack)
        );
    }
    [r0, r1, r2, r3]
}

/// a/2 mod 2^256 − C.
///
/// Registers: a in r8…r11, the result in r12…r15.
#[inline(always)]
#[must_use]
pub fn half_fold_4_adx<const C: u64>(_: Adx, a: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let (r0, r1, r2, r3);
    // SAFETY: registers only.
    unsafe {
        asm!(
            "mov rdx, {c}",
            half!(),
            c = const C,
            in("r8") a[0], in("r9") a[1], in("r10") a[2], in("r11") a[3],
            out("r12") r0, out("r13") r1, out("r14") r2, out("r15") r3, out("rax") _, out("rcx") _, out("rdx") _,
            options(pure, nomem, nostack)
        );
    }
    [r0, r1, r2, r3]
}
