//! a·b, a², a·b mod 2^(64 n), x − q·d and Montgomery's reduction on 8 i words.
//!
//! Eight words of one operand stay in front of a window of eight words of the sum in r8…r15; each word of the other operand is a row:
//! eight products, the low halves on the carry flag, the high halves and the word of the sum that comes in on the overflow flag;
//! the lowest word of the window is finished and leaves, and its register takes the top one. So a row loads and stores one
//! word of the sum, not eight. A window begins
//! - at zero: a product;
//! - behind the triangle of the products aᵢ·aⱼ, i < j, of eight words: a square, which is doubled at the end and gets the aᵢ²;
//! - behind eight rows that make their own quotients: a reduction.
//!
//! Preconditions are asserted: lengths. Cost a product: 1.1 cycles. Source: E. Ozturk et al., "New instructions supporting
//! large integer arithmetic on Intel architecture processors" (2012).

use crate::cpu::Adx;
use core::arch::asm;

/// A row: (w₀, …, w₇) += aⱼ·word of b, and the sum's word; w₀ leaves to it. rsi points to the eight words, rcx to the
/// other operand, rdi to the sum.
macro_rules! row_8 {
    ($j:literal, $w0:literal, $w1:literal, $w2:literal, $w3:literal, $w4:literal, $w5:literal, $w6:literal, $w7:literal) => {
        concat!(
            concat!("mov rdx, [rcx + 8*", $j, "]\n xor eax, eax\n"),
            concat!("mulx rbx, rax, [rsi]\n adox ", $w0, ", [rdi + 8*", $j, "]\n adcx ", $w0, ", rax\n"),
            concat!("mov [rdi + 8*", $j, "], ", $w0, "\n adox ", $w1, ", rbx\n"),
            concat!("mulx rbx, rax, [rsi + 8]\n adcx ", $w1, ", rax\n adox ", $w2, ", rbx\n"),
            concat!("mulx rbx, rax, [rsi + 16]\n adcx ", $w2, ", rax\n adox ", $w3, ", rbx\n"),
            concat!("mulx rbx, rax, [rsi + 24]\n adcx ", $w3, ", rax\n adox ", $w4, ", rbx\n"),
            concat!("mulx rbx, rax, [rsi + 32]\n adcx ", $w4, ", rax\n adox ", $w5, ", rbx\n"),
            concat!("mulx rbx, rax, [rsi + 40]\n adcx ", $w5, ", rax\n adox ", $w6, ", rbx\n"),
            concat!("mulx rbx, rax, [rsi + 48]\n adcx ", $w6, ", rax\n adox ", $w7, ", rbx\n"),
            concat!("mulx ", $w0, ", rax, [rsi + 56]\n adcx ", $w7, ", rax\n"),
            concat!("mov eax, 0\n adcx ", $w0, ", rax\n adox ", $w0, ", rax\n"),
        )
    };
}

/// Eight rows a turn, as many turns as rbp says, none included. The window ends where it began, in r8…r15; rdi points behind
/// the words that left.
macro_rules! rows {
    () => {
        concat!(
            "test rbp, rbp\n jz 3f\n 2:\n",
            row_8!(0, "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"),
            row_8!(1, "r9", "r10", "r11", "r12", "r13", "r14", "r15", "r8"),
            row_8!(2, "r10", "r11", "r12", "r13", "r14", "r15", "r8", "r9"),
            row_8!(3, "r11", "r12", "r13", "r14", "r15", "r8", "r9", "r10"),
            row_8!(4, "r12", "r13", "r14", "r15", "r8", "r9", "r10", "r11"),
            row_8!(5, "r13", "r14", "r15", "r8", "r9", "r10", "r11", "r12"),
            row_8!(6, "r14", "r15", "r8", "r9", "r10", "r11", "r12", "r13"),
            row_8!(7, "r15", "r8", "r9", "r10", "r11", "r12", "r13", "r14"),
            "add rcx, 64\n add rdi, 64\n dec rbp\n jnz 2b\n 3:\n",
        )
    };
}

/// A row of the reduction: (w₀, …, w₇) = ((w₀, …, w₇) + q·m)/2^64 with q = k·w₀, which goes where w₀ was. rcx points to
/// the modulus, rbp is k.
macro_rules! quotient_row_8 {
    ($j:literal, $w0:literal, $w1:literal, $w2:literal, $w3:literal, $w4:literal, $w5:literal, $w6:literal, $w7:literal) => {
        concat!(
            concat!("mov rdx, ", $w0, "\n imul rdx, rbp\n xor eax, eax\n"),
            concat!("mulx rbx, rax, [rcx]\n adcx ", $w0, ", rax\n adox ", $w1, ", rbx\n"),
            concat!("mov [rdi + 8*", $j, "], rdx\n"),
            concat!("mulx rbx, rax, [rcx + 8]\n adcx ", $w1, ", rax\n adox ", $w2, ", rbx\n"),
            concat!("mulx rbx, rax, [rcx + 16]\n adcx ", $w2, ", rax\n adox ", $w3, ", rbx\n"),
            concat!("mulx rbx, rax, [rcx + 24]\n adcx ", $w3, ", rax\n adox ", $w4, ", rbx\n"),
            concat!("mulx rbx, rax, [rcx + 32]\n adcx ", $w4, ", rax\n adox ", $w5, ", rbx\n"),
            concat!("mulx rbx, rax, [rcx + 40]\n adcx ", $w5, ", rax\n adox ", $w6, ", rbx\n"),
            concat!("mulx rbx, rax, [rcx + 48]\n adcx ", $w6, ", rax\n adox ", $w7, ", rbx\n"),
            concat!("mulx ", $w0, ", rax, [rcx + 56]\n adcx ", $w7, ", rax\n"),
            concat!("mov eax, 0\n adcx ", $w0, ", rax\n adox ", $w0, ", rax\n"),
        )
    };
}

/// (x, y) = (x, y) + rdx·word of the operand at rsi: the lower half on the carry flag, the upper one on the overflow flag.
macro_rules! step {
    ($at:literal, $x:literal, $y:literal) => {
        concat!("mulx rbx, rax, [rsi + 8*", $at, "]\n adcx ", $x, ", rax\n adox ", $y, ", rbx\n")
    };
}

/// The top of a triangle's row: y is new.
macro_rules! top {
    ($at:literal, $x:literal, $y:literal) => {
        concat!(
            concat!("mulx ", $y, ", rax, [rsi + 8*", $at, "]\n adcx ", $x, ", rax\n"),
            concat!("mov eax, 0\n adcx ", $y, ", rax\n adox ", $y, ", rax\n"),
        )
    };
}

/// The word of a triangle's row.
macro_rules! by {
    ($at:literal) => {
        concat!("mov rdx, [rsi + 8*", $at, "]\n xor eax, eax\n")
    };
}

/// Words 1 to 7 of the sum at rdi get Σ_{i<j} aᵢ aⱼ 2^(64 (i + j)), a the eight words at rsi; words 8 to 15 of that stay in
/// r8…r15. Word p of the sum is in register 8 + p mod 8.
macro_rules! triangle {
    () => {
        concat!(
            "mov r9, [rdi + 8]\n mov r10, [rdi + 16]\n mov r11, [rdi + 24]\n mov r12, [rdi + 32]\n",
            "mov r13, [rdi + 40]\n mov r14, [rdi + 48]\n mov r15, [rdi + 56]\n",
            by!(0),
            step!(1, "r9", "r10"),
            step!(2, "r10", "r11"),
            step!(3, "r11", "r12"),
            step!(4, "r12", "r13"),
            step!(5, "r13", "r14"),
            step!(6, "r14", "r15"),
            top!(7, "r15", "r8"),
            "mov [rdi + 8], r9\n mov [rdi + 16], r10\n",
            by!(1),
            step!(2, "r11", "r12"),
            step!(3, "r12", "r13"),
            step!(4, "r13", "r14"),
            step!(5, "r14", "r15"),
            step!(6, "r15", "r8"),
            top!(7, "r8", "r9"),
            "mov [rdi + 24], r11\n mov [rdi + 32], r12\n",
            by!(2),
            step!(3, "r13", "r14"),
            step!(4, "r14", "r15"),
            step!(5, "r15", "r8"),
            step!(6, "r8", "r9"),
            top!(7, "r9", "r10"),
            "mov [rdi + 40], r13\n mov [rdi + 48], r14\n",
            by!(3),
            step!(4, "r15", "r8"),
            step!(5, "r8", "r9"),
            step!(6, "r9", "r10"),
            top!(7, "r10", "r11"),
            "mov [rdi + 56], r15\n",
            by!(4),
            step!(5, "r9", "r10"),
            step!(6, "r10", "r11"),
            top!(7, "r11", "r12"),
            by!(5),
            step!(6, "r11", "r12"),
            top!(7, "r12", "r13"),
            by!(6),
            top!(7, "r13", "r14"),
            "xor r15d, r15d\n",
        )
    };
}

/// t += a·b on the words of b, where a are eight words; the eight words above. t has at least as many words as b, which has 8 i.
#[inline(always)]
fn add_block(_: Adx, t: &mut [u64], a: &[u64; 8], b: &[u64]) -> [u64; 8] {
    assert!(b.len() % 8 == 0 && t.len() >= b.len(), "rows of eight within the sum");
    let mut w = [0; 8];
    // SAFETY: the token proves BMI2 and ADX. Read are a, b and as many words of t, which are written; what is pushed is popped.
    unsafe {
        asm!(
            "push rbx", "push rbp", "mov rbp, rax",
            "xor r8d, r8d", "xor r9d, r9d", "xor r10d, r10d", "xor r11d, r11d",
            "xor r12d, r12d", "xor r13d, r13d", "xor r14d, r14d", "xor r15d, r15d",
            rows!(),
            "pop rbp", "pop rbx",
            inout("rdi") t.as_mut_ptr() => _, in("rsi") a, inout("rcx") b.as_ptr() => _, inout("rax") b.len() / 8 => _,
            out("r8") w[0], out("r9") w[1], out("r10") w[2], out("r11") w[3],
            out("r12") w[4], out("r13") w[5], out("r14") w[6], out("r15") w[7], out("rdx") _,
        );
    }
    w
}

/// t = a·b; a and b have 8 i words, t as many as both.
#[inline(never)]
pub fn mul_words_adx(token: Adx, t: &mut [u64], a: &[u64], b: &[u64]) {
    assert!(a.len() % 8 == 0 && t.len() == a.len() + b.len(), "blocks of eight, and room for all");
    let (low, _) = t.split_at_mut(b.len());
    low.fill(0);
    for (i, block) in a.chunks_exact(8).enumerate() {
        if let Some(block) = block.first_chunk() {
            let w = add_block(token, &mut t[8 * i..], block, b);
            t[8 * i + b.len()..8 * i + b.len() + 8].copy_from_slice(&w);
        }
    }
}

/// t = a·b mod 2^(64 n), n the words of t, of a and of b: 8 i.
#[inline(never)]
pub fn mul_low_words_adx(token: Adx, t: &mut [u64], a: &[u64], b: &[u64]) {
    assert!(a.len() == t.len() && b.len() == t.len() && t.len() % 8 == 0, "blocks of eight, all alike");
    t.fill(0);
    for (i, block) in a.chunks_exact(8).enumerate() {
        if let Some(block) = block.first_chunk() {
            add_block(token, &mut t[8 * i..], block, &b[..b.len() - 8 * i]);
        }
    }
}

/// t = a²; a has 8 i words, t twice as many.
#[inline(never)]
pub fn sqr_words_adx(token: Adx, t: &mut [u64], a: &[u64]) {
    assert!(t.len() == 2 * a.len(), "room for all");
    square(token, t, a);
}

/// t = a² mod 2^(64 n), n the words of t and of a: 16 i.
#[inline(never)]
pub fn sqr_low_words_adx(token: Adx, t: &mut [u64], a: &[u64]) {
    assert!(t.len() == a.len(), "as many words");
    square(token, t, a);
}

/// t = a² as far as t goes, at most twice as far as a: a has 8 i words, t 16 j.
#[inline(always)]
fn square(_: Adx, t: &mut [u64], a: &[u64]) {
    let blocks = t.len() / 16;
    assert!(a.len() % 8 == 0 && t.len() % 16 == 0 && blocks > 0 && 8 * blocks <= a.len(), "whole blocks");
    t.fill(0);
    for i in (0..8 * blocks).step_by(8) {
        let w = &mut t[2 * i..];
        let (at, rest) = (&a[i..], (a.len() - i - 8).min(w.len() - 8));
        let mut top = [0; 8];
        // SAFETY: the token proves BMI2 and ADX. Read are eight words of a and the rest behind them; read and written as many words
        // of t from 2 i on. What is pushed is popped.
        unsafe {
            asm!(
                "push rbx", "push rbp", "mov rbp, rcx",
                triangle!(),
                "lea rcx, [rsi + 64]", "add rdi, 64",
                rows!(),
                "pop rbp", "pop rbx",
                inout("rdi") w.as_mut_ptr() => _, in("rsi") at.as_ptr(), inout("rcx") rest / 8 => _,
                out("r8") top[0], out("r9") top[1], out("r10") top[2], out("r11") top[3],
                out("r12") top[4], out("r13") top[5], out("r14") top[6], out("r15") top[7],
                out("rax") _, out("rdx") _,
            );
        }
        if let Some(above) = w.get_mut(8 + rest..16 + rest) {
            above.copy_from_slice(&top);
        }
    }
    // SAFETY: the token proves BMI2 and ADX. Read are words of a, read and written those of t, eight and sixteen a turn, blocks turns.
    unsafe {
        asm!(
            "push rbx",
            "xor r8d, r8d", "xor r9d, r9d", "mov r10, -1",
            "2:",
            "xor eax, eax", "adcx r8, r10", "adox r9, r10", // the carries of the turn before
            ".irp i, 0, 1, 2, 3, 4, 5, 6, 7",
            "mov rdx, [rsi + 8*\\i]",
            "mulx rbx, rax, rdx",
            "mov r8, [rdi + 16*\\i]", "mov r9, [rdi + 16*\\i + 8]",
            "adcx r8, r8", "adox r8, rax", "adcx r9, r9", "adox r9, rbx",
            "mov [rdi + 16*\\i], r8", "mov [rdi + 16*\\i + 8], r9",
            ".endr",
            "setc r8b", "seto r9b", "movzx r8d, r8b", "movzx r9d, r9b",
            "add rsi, 64", "add rdi, 128", "dec rcx", "jnz 2b",
            "pop rbx",
            inout("rdi") t.as_mut_ptr() => _, inout("rsi") a.as_ptr() => _, inout("rcx") blocks => _,
            out("r8") _, out("r9") _, out("r10") _, out("rax") _, out("rdx") _,
        );
    }
}

/// The upper half of t becomes (t + Q·m)/2^(64 n) without its carry, which is returned; see the portable twin. m has 8 i words, t
/// twice as many.
#[inline(never)]
pub fn redc_words_adx(_: Adx, t: &mut [u64], m: &[u64], k: u64) -> u64 {
    assert!(m.len() % 8 == 0 && t.len() == 2 * m.len() && !m.is_empty(), "blocks of eight, and room for all");
    let mut carry = 0u64;
    for i in (0..m.len()).step_by(8) {
        // SAFETY: the token proves BMI2 and ADX. Read are the words of m, read and written as many of t from i on and eight
        // behind them. What is pushed is popped.
        unsafe {
            asm!(
                "push rbx", "push rbp", "push rax", "push rsi", "mov rbp, rdx",
                "mov r8, [rdi]", "mov r9, [rdi + 8]", "mov r10, [rdi + 16]", "mov r11, [rdi + 24]",
                "mov r12, [rdi + 32]", "mov r13, [rdi + 40]", "mov r14, [rdi + 48]", "mov r15, [rdi + 56]",
                quotient_row_8!(0, "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"),
                quotient_row_8!(1, "r9", "r10", "r11", "r12", "r13", "r14", "r15", "r8"),
                quotient_row_8!(2, "r10", "r11", "r12", "r13", "r14", "r15", "r8", "r9"),
                quotient_row_8!(3, "r11", "r12", "r13", "r14", "r15", "r8", "r9", "r10"),
                quotient_row_8!(4, "r12", "r13", "r14", "r15", "r8", "r9", "r10", "r11"),
                quotient_row_8!(5, "r13", "r14", "r15", "r8", "r9", "r10", "r11", "r12"),
                quotient_row_8!(6, "r14", "r15", "r8", "r9", "r10", "r11", "r12", "r13"),
                quotient_row_8!(7, "r15", "r8", "r9", "r10", "r11", "r12", "r13", "r14"),
                // the eight quotients times what is left of m
                "mov rsi, rdi", "add rcx, 64", "add rdi, 64", "pop rbp",
                rows!(),
                "pop rax", "add rax, -1",
                "adc r8, [rdi]", "adc r9, [rdi + 8]", "adc r10, [rdi + 16]", "adc r11, [rdi + 24]",
                "adc r12, [rdi + 32]", "adc r13, [rdi + 40]", "adc r14, [rdi + 48]", "adc r15, [rdi + 56]",
                "mov [rdi], r8", "mov [rdi + 8], r9", "mov [rdi + 16], r10", "mov [rdi + 24], r11",
                "mov [rdi + 32], r12", "mov [rdi + 40], r13", "mov [rdi + 48], r14", "mov [rdi + 56], r15",
                "setc al", "movzx eax, al",
                "pop rbp", "pop rbx",
                inout("rdi") t[i..].as_mut_ptr() => _, inout("rcx") m.as_ptr() => _,
                inout("rsi") m.len() / 8 - 1 => _, inout("rax") carry, inout("rdx") k => _,
                out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            );
        }
    }
    carry
}

/// x −= q·d on as many words as d has, x as many at least; what is missing above. By its complement, x − q·d = ¬(¬x + q·d), so that the
/// low halves go on the carry flag and the high ones on the overflow flag; `lea` and `jrcxz` count without touching either.
#[inline]
pub fn sub_mul_words_adx(_: Adx, x: &mut [u64], d: &[u64], q: u64) -> u64 {
    assert!(x.len() >= d.len(), "as many words");
    let above: u64;
    // SAFETY: the token proves BMI2 and ADX. Read are the words of d, read and written as many of x. The word above does not
    // overflow: it is at most q.
    unsafe {
        asm!(
            "xor eax, eax",
            "jmp 6f",
            "2:",
            ".irp i, 0, 16, 32, 48",
            "mulx r11, r8, [rsi + \\i]",
            "mov r9, [rdi + \\i]", "not r9",
            "adcx r9, r8", "adox r9, rax",
            "not r9", "mov [rdi + \\i], r9",
            "mulx rax, r8, [rsi + \\i + 8]",
            "mov r9, [rdi + \\i + 8]", "not r9",
            "adcx r9, r8", "adox r9, r11",
            "not r9", "mov [rdi + \\i + 8], r9",
            ".endr",
            "lea rsi, [rsi + 64]", "lea rdi, [rdi + 64]", "lea rcx, [rcx - 1]",
            "6:",
            "jrcxz 3f",
            "jmp 2b",
            "3:",
            "mov rcx, r10",
            "jrcxz 5f",
            "4:",
            "mulx r11, r8, [rsi]",
            "mov r9, [rdi]", "not r9",
            "adcx r9, r8", "adox r9, rax",
            "not r9", "mov [rdi], r9",
            "mov rax, r11",
            "lea rsi, [rsi + 8]", "lea rdi, [rdi + 8]", "lea rcx, [rcx - 1]",
            "jrcxz 5f",
            "jmp 4b",
            "5:",
            "mov r8d, 0", "adcx rax, r8", "adox rax, r8",
            inout("rdi") x.as_mut_ptr() => _, inout("rsi") d.as_ptr() => _, inout("rcx") d.len() / 8 => _,
            in("r10") d.len() % 8, out("rax") above, in("rdx") q, out("r8") _, out("r9") _, out("r11") _,
            options(nostack),
        );
    }
    above
}
