//! Text of the assembly kernels: macros that expand to strings, so that a product alone and a whole point operation share it.
//!
//! Registers, fixed: r8…r15 hold up to eight words of a result, low word first; rdx is the multiplier or c; rax, rcx and rsi
//! are scratch (rsi is the fifth word of a fold, so a base only until the fold). An operand is named by its base: `"rdi"`,
//! `"rsp+32"`. Every piece leaves its result in r8…r11. The asm block binds `{c}` to the constant c of p = 2^256 − c.
//!
//! Elements are any number below 2^256. No piece branches or takes an address from data.
//!
//! A carry goes by adcx or adox with a register of zero where one is free, even where one chain would do: on Zen 4 an add or adc
//! of registers takes a slot of the multiplier's port a quarter of the time, adcx and adox do not.

/// Word `i` of the operand at `base`.
macro_rules! word {
    ($base:expr, $i:literal) => {
        concat!("qword ptr [", $base, "+8*", $i, "]")
    };
}

/// r8…r12 = a·b₀.
macro_rules! row_0 {
    ($a:expr, $b:expr) => {
        concat!(
            concat!("mov rdx, ", word!($b, 0), "\n xor ecx, ecx\n"),
            concat!("mulx r9, r8, ", word!($a, 0), "\n"),
            concat!("mulx r10, rax, ", word!($a, 1), "\n adcx r9, rax\n"),
            concat!("mulx r11, rax, ", word!($a, 2), "\n adcx r10, rax\n"),
            concat!("mulx r12, rax, ", word!($a, 3), "\n adcx r11, rax\n"),
            "adcx r12, rcx\n",
        )
    };
}

/// (t₀, …, t₄) = (t₀, …, t₃) + a·bᵢ: low halves on the carry flag, high halves on the overflow flag. `last` adds the last
/// carry to t₄; r15 is zero until it is a t₄ itself.
macro_rules! row {
    ($a:expr, $b:expr, $i:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $last:literal) => {
        concat!(
            concat!("mov rdx, ", word!($b, $i), "\n xor r15d, r15d\n xor ", $t4, "d, ", $t4, "d\n"),
            concat!("mulx rcx, rax, ", word!($a, 0), "\n adcx ", $t0, ", rax\n adox ", $t1, ", rcx\n"),
            concat!("mulx rcx, rax, ", word!($a, 1), "\n adcx ", $t1, ", rax\n adox ", $t2, ", rcx\n"),
            concat!("mulx rcx, rax, ", word!($a, 2), "\n adcx ", $t2, ", rax\n adox ", $t3, ", rcx\n"),
            concat!("mulx rcx, rax, ", word!($a, 3), "\n adcx ", $t3, ", rax\n adox ", $t4, ", rcx\n"),
            concat!($last, "\n"),
        )
    };
}

/// r8…r15 = r8…r12 + 2^64 a·(b₁ + 2^64 b₂ + 2^128 b₃), after `row_0`.
macro_rules! rows_1_to_3 {
    ($a:expr, $b:expr) => {
        concat!(
            row!($a, $b, 1, "r9", "r10", "r11", "r12", "r13", "adcx r13, r15"),
            row!($a, $b, 2, "r10", "r11", "r12", "r13", "r14", "adcx r14, r15"),
            row!($a, $b, 3, "r11", "r12", "r13", "r14", "r15", "adc r15, 0"),
        )
    };
}

/// r8…r15 = a², a given by the names of its four words: memory, or registers that are no part of the result and not scratch.
macro_rules! square_words {
    ($a0:expr, $a1:expr, $a2:expr, $a3:expr) => {
        concat!(
            // Σ_{i<j} aᵢ aⱼ in r9…r14
            concat!("mov rdx, ", $a0, "\n"),
            concat!("mulx r10, r9, ", $a1, "\n"),
            concat!("mulx r11, rax, ", $a2, "\n xor r13d, r13d\n adcx r10, rax\n"),
            concat!("mulx r12, rax, ", $a3, "\n adcx r11, rax\n adcx r12, r13\n"),
            concat!("mov rdx, ", $a1, "\n"),
            concat!("mulx rcx, rax, ", $a2, "\n adcx r11, rax\n adox r12, rcx\n"),
            concat!("mulx rcx, rax, ", $a3, "\n adcx r12, rax\n adox r13, rcx\n adc r13, 0\n"),
            concat!("mov rdx, ", $a2, "\n"),
            concat!("mulx r14, rax, ", $a3, "\n add r13, rax\n adc r14, 0\n"),
            // twice that on the carry flag, plus the squares aᵢ² on the overflow flag
            concat!("mov rdx, ", $a0, "\n xor r15d, r15d\n"),
            "mulx rcx, r8, rdx\n adcx r9, r9\n adox r9, rcx\n",
            concat!("mov rdx, ", $a1, "\n"),
            "mulx rcx, rax, rdx\n adcx r10, r10\n adox r10, rax\n adcx r11, r11\n adox r11, rcx\n",
            concat!("mov rdx, ", $a2, "\n"),
            "mulx rcx, rax, rdx\n adcx r12, r12\n adox r12, rax\n adcx r13, r13\n adox r13, rcx\n",
            concat!("mov rdx, ", $a3, "\n"),
            "mulx rcx, rax, rdx\n adcx r14, r14\n adox r14, rax\n adcx r15, r15\n adox r15, rcx\n",
        )
    };
}

/// r8…r15 = a².
macro_rules! square {
    ($a:expr) => {
        square_words!(word!($a, 0), word!($a, 1), word!($a, 2), word!($a, 3))
    };
}

/// r8…r11 = r8…r15 + `plus`·c mod p, as 2^256 = c: the upper half times c, then the fifth word times c, then a last carry.
/// After a second carry r8…r11 is below 2^128, so its own addition of c ends in r9.
macro_rules! fold {
    (plus $plus:literal) => {
        concat!(
            "mov rdx, {c}\n xor esi, esi\n",
            "mulx rcx, rax, r12\n adcx r8, rax\n adox r9, rcx\n",
            "mulx rcx, rax, r13\n adcx r9, rax\n adox r10, rcx\n",
            "mulx rcx, rax, r14\n adcx r10, rax\n adox r11, rcx\n",
            "mulx rcx, rax, r15\n adcx r11, rax\n adox rsi, rcx\n",
            concat!("adc rsi, ", $plus, "\n"),
            "mov r12d, 0\n mulx rcx, rax, rsi\n adcx r8, rax\n adcx r9, rcx\n adcx r10, r12\n adcx r11, r12\n",
            "cmovc r12, rdx\n add r8, r12\n adc r9, 0\n",
        )
    };
}

/// r8…r11 = a·b.
macro_rules! mul {
    ($a:expr, $b:expr) => {
        concat!(row_0!($a, $b), rows_1_to_3!($a, $b), fold!(plus 0))
    };
}

/// r8…r11 = a·b + c, the constant of p: see `mul_sub`.
macro_rules! mul_plus_c {
    ($a:expr, $b:expr) => {
        concat!(row_0!($a, $b), rows_1_to_3!($a, $b), fold!(plus 1))
    };
}

/// r8…r11 = a·b − (s − c), s the operand at `$s`: the first row plus 2^256 − s lies between 0 and 2^320, and 2^256 = c.
/// So what is to be subtracted comes with c added to it, which costs nothing, and the bias of 2^256 costs nothing either.
macro_rules! mul_sub {
    ($a:expr, $b:expr, $s:expr) => {
        concat!(
            row_0!($a, $b),
            concat!("sub r8, ", word!($s, 0), "\n sbb r9, ", word!($s, 1), "\n"),
            concat!("sbb r10, ", word!($s, 2), "\n sbb r11, ", word!($s, 3), "\n sbb r12, -1\n"),
            rows_1_to_3!($a, $b),
            fold!(plus 0)
        )
    };
}

/// r8…r11 = a².
macro_rules! sqr {
    ($a:expr) => {
        concat!(square!($a), fold!(plus 0))
    };
}

/// r8…r11 = a² + c.
macro_rules! sqr_plus_c {
    ($a:expr) => {
        concat!(square!($a), fold!(plus 1))
    };
}

/// r8…r11 −= b; the borrow out is the carry flag.
macro_rules! sub_words {
    ($b:expr) => {
        concat!(
            concat!("sub r8, ", word!($b, 0), "\n sbb r9, ", word!($b, 1), "\n"),
            concat!("sbb r10, ", word!($b, 2), "\n sbb r11, ", word!($b, 3), "\n"),
        )
    };
}

/// After a sum: r8…r11 += c for its carry, and once more for the carry of that (then below 2^64, so it ends in r8).
/// rdx = c.
macro_rules! carry_out {
    () => {
        concat!(
            "sbb rax, rax\n and rax, rdx\n add r8, rax\n adc r9, 0\n adc r10, 0\n adc r11, 0\n",
            "sbb rax, rax\n and rax, rdx\n add r8, rax\n"
        )
    };
}

/// After a difference: r8…r11 −= c for its borrow, and once more for the borrow of that (then at least 2^256 − c, so it ends in
/// r8). rdx = c.
macro_rules! borrow_out {
    () => {
        concat!(
            "sbb rax, rax\n and rax, rdx\n sub r8, rax\n sbb r9, 0\n sbb r10, 0\n sbb r11, 0\n",
            "sbb rax, rax\n and rax, rdx\n sub r8, rax\n"
        )
    };
}

/// r8…r11 −= b mod p. rdx = c.
macro_rules! sub {
    ($b:expr) => {
        concat!(sub_words!($b), borrow_out!())
    };
}

/// r12…r15 = r8…r11 / 2 mod p. rdx = c. For an odd a: (a + 2^256 − c)/2 = (a + 2^256 − 1)/2 − (c − 1)/2.
macro_rules! half {
    () => {
        concat!(
            "mov r12, r8\n mov r13, r9\n mov r14, r10\n mov r15, r11\n",
            "mov rax, r8\n and eax, 1\n neg rax\n", // all ones and a carry if a is odd
            "rcr r15, 1\n rcr r14, 1\n rcr r13, 1\n rcr r12, 1\n",
            "mov rcx, rdx\n shr rcx, 1\n and rax, rcx\n",
            "sub r12, rax\n sbb r13, 0\n sbb r14, 0\n sbb r15, 0\n",
        )
    };
}

/// Writes r8…r11.
macro_rules! put {
    ($to:expr) => {
        concat!(
            concat!("mov ", word!($to, 0), ", r8\n mov ", word!($to, 1), ", r9\n"),
            concat!("mov ", word!($to, 2), ", r10\n mov ", word!($to, 3), ", r11\n"),
        )
    };
}

/// Reads r8…r11.
macro_rules! get {
    ($from:expr) => {
        concat!(
            concat!("mov r8, ", word!($from, 0), "\n mov r9, ", word!($from, 1), "\n"),
            concat!("mov r10, ", word!($from, 2), "\n mov r11, ", word!($from, 3), "\n"),
        )
    };
}
