//! Straight-line pieces of fixed width, one name on every instruction set.
//!
//! Unsafe code and assembly of this crate live here and in [`crate::cpu`] alone.
//!
//! A kernel is named op_form_limbs_isa. Forms: `fold` works mod 2^256 − c with 2^256 = c; `jacobian_fold` is a whole point
//! operation on that; `packed` puts several numbers into a word. Every kernel has a portable twin of the same signature and is tested against it and the Montgomery oracle.
#![allow(unsafe_code, reason = "assembly; each block states what makes it sound")]

pub mod portable;
#[cfg(target_arch = "x86_64")]
pub mod x86_64;

/// What the kernels of the form `fold` ask of c.
const fn check_c(c: u64) {
    assert!(c & 1 == 1 && c >> 62 == 0, "c is odd and below 2^62");
}

/// Hides a value from the optimiser, so that what is computed from it stays arithmetic: for masks that depend on secrets.
///
/// Stronger in practice than a promise (the compiler owes constant time to nobody): the generated code is checked by running
/// it on poisoned secrets.
#[inline(always)]
#[must_use]
pub fn barrier(mask: u64) -> u64 {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let mut mask = mask;
        // SAFETY: no instruction; the register keeps its value.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags));
        }
        mask
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    {
        core::hint::black_box(mask)
    }
}

/// Asks for the cache line of `place` ahead of its use: a hint, which changes no result. The address is public.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: SSE is part of every x86-64 CPU; a prefetch never faults, and the place is a live reference anyway.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(place).cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

/// The quotient and the remainder of 2^64·high + low by d; all ones both unless high is below d. Vartime.
#[inline(always)]
#[must_use]
pub fn div_2_by_1(high: u64, low: u64, d: u64) -> (u64, u64) {
    if high >= d {
        return (u64::MAX, u64::MAX);
    }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let (quotient, remainder);
        // SAFETY: div faults for a quotient of more than 64 bits alone; high is below d.
        unsafe {
            core::arch::asm!(
                "div {d}",
                d = in(reg) d,
                inout("rax") low => quotient,
                inout("rdx") high => remainder,
                options(pure, nomem, nostack),
            );
        }
        (quotient, remainder)
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        let (dividend, d) = (u128::from(high) << 64 | u128::from(low), u128::from(d));
        ((dividend / d) as u64, (dividend % d) as u64)
    }
}

#[cfg(test)]
mod tests;
