//! a·b/2^128 mod m for an odd m of two words that is given.
//!
//! Operands and results: any numbers below 2^128, congruent mod m. Both words of the quotient at once, as in the portable twin.
//! Cost: 9 mulx, 2 imul. Source: as for the portable twin.

use crate::cpu::Adx;
use crate::kernel::portable::Mont;
use core::arch::asm;
use core::mem::offset_of;

/// a·b/2^128 mod m.
#[inline(always)]
#[must_use]
pub fn mul_mont_2_adx(_: Adx, a: &[u64; 2], b: &[u64; 2], c: &Mont<2>) -> [u64; 2] {
    let (r0, r1);
    // SAFETY: the token proves BMI2; only c is read.
    unsafe {
        asm!(
            // t = a·b
            "mov rdx, {a0}",
            "mulx {t1}, {t0}, {b0}",
            "mulx {t2}, {x}, {b1}",
            "add {t1}, {x}", "adc {t2}, 0",
            "mov rdx, {a1}",
            "mulx {b0}, {x}, {b0}",
            "mulx {t3}, {b1}, {b1}",
            "add {t1}, {x}", "adc {t2}, {b0}", "adc {t3}, 0",
            "add {t2}, {b1}", "adc {t3}, 0",
            // (x, y) = (t0, t1)·(−1/m) mod 2^128, y in the place of b0
            "mov rdx, {t0}",
            "mulx {b0}, {x}, [{c} + {k}]",
            "imul rdx, [{c} + {k1}]", "add {b0}, rdx",
            "mov rdx, {t1}", "imul rdx, [{c} + {k}]", "add {b0}, rdx",
            "or {t0}, {t1}",
            // words 1 to 3 of (x, y)·m: b1, t1, a0
            "mov rdx, {x}",
            "mulx {b1}, {t1}, [{c} + {m}]",
            "mulx {t1}, {x}, [{c} + {m} + 8]",
            "add {b1}, {x}", "adc {t1}, 0",
            "mov rdx, {b0}",
            "mulx {x}, {b0}, [{c} + {m}]",
            "mulx {a0}, rdx, [{c} + {m} + 8]",
            "add {b1}, {b0}", "adc {t1}, {x}", "adc {a0}, 0",
            "add {t1}, rdx", "adc {a0}, 0",
            // the lower half vanishes and carries, unless t's is 0 already
            "neg {t0}", "adc {t2}, {t1}", "adc {t3}, {a0}", "mov {t0:e}, 0", "adc {t0}, 0",
            "mov {x}, {t2}", "mov {b0}, {t3}",
            "sub {x}, [{c} + {m}]", "sbb {b0}, [{c} + {m} + 8]", "sbb {t0}, 0",
            "cmovc {x}, {t2}", "cmovc {b0}, {t3}",
            m = const offset_of!(Mont<2>, m), k = const offset_of!(Mont<2>, k), k1 = const offset_of!(Mont<2>, k1),
            a0 = inout(reg) a[0] => _, a1 = in(reg) a[1], b0 = inout(reg) b[0] => r1, b1 = inout(reg) b[1] => _,
            c = in(reg) c, t0 = out(reg) _, t1 = out(reg) _, t2 = out(reg) _, t3 = out(reg) _, x = out(reg) r0,
            out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1]
}
