//! Marks for a dynamic check of constant time: memory declared undefined to valgrind's memcheck makes it report every branch
//! and every address that depends on it.
//!
//! Under `--cfg windlass_ct_check` on x86-64 each function is a client request: an instruction sequence that does nothing
//! on a CPU and that valgrind recognises. In every other build they are empty.
//! Source: valgrind manual, "The Client Request mechanism" and memcheck's requests; the method is A. Langley's ctgrind (2010).

#[cfg(all(windlass_ct_check, target_arch = "x86_64"))]
mod request {
    /// `VG_USERREQ_TOOL_BASE('M', 'C')`: where memcheck's requests begin.
    const MEMCHECK: u64 = (b'M' as u64) << 24 | (b'C' as u64) << 16;
    pub(super) const MAKE_MEM_UNDEFINED: u64 = MEMCHECK + 1;
    pub(super) const MAKE_MEM_DEFINED: u64 = MEMCHECK + 2;
    pub(super) const RUNNING_ON_VALGRIND: u64 = 0x1001;
    pub(super) const COUNT_ERRORS: u64 = 0x1201;

    /// What valgrind answers to a request; 0 on a CPU.
    #[allow(unsafe_code, reason = "valgrind's client request is an instruction sequence")]
    #[inline(never)]
    pub(super) fn send(code: u64, address: u64, length: u64) -> u64 {
        let arguments = [code, address, length, 0, 0, 0];
        let mut answer = 0u64;
        // SAFETY: four rotations of rdi by 128 bits in all and an exchange of rbx with itself: no register and no memory
        // changes but rdx, which valgrind sets. The memory that `arguments` names is only marked, never read or written;
        // the asm may touch memory as far as the compiler knows, so marks stay in order with the code around them.
        unsafe {
            core::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                inout("rdx") answer,
                in("rax") arguments.as_ptr(),
                out("rdi") _,
            );
        }
        answer
    }
}

/// Declares `value` secret: from now on branches and addresses that depend on it are reported.
#[inline(always)]
pub fn poison<T: ?Sized>(value: &mut T) {
    #[cfg(all(windlass_ct_check, target_arch = "x86_64"))]
    request::send(
        request::MAKE_MEM_UNDEFINED,
        core::ptr::from_mut(value).cast::<u8>() as u64,
        core::mem::size_of_val(value) as u64,
    );
    let _ = value;
}

/// Declares `value` public: it no longer counts as secret.
#[inline(always)]
pub fn declassify<T: ?Sized>(value: &mut T) {
    #[cfg(all(windlass_ct_check, target_arch = "x86_64"))]
    request::send(
        request::MAKE_MEM_DEFINED,
        core::ptr::from_mut(value).cast::<u8>() as u64,
        core::mem::size_of_val(value) as u64,
    );
    let _ = value;
}

/// Does valgrind run this process, in a build with the check? Otherwise no mark has any effect.
#[inline(always)]
pub fn is_active() -> bool {
    #[cfg(all(windlass_ct_check, target_arch = "x86_64"))]
    return request::send(request::RUNNING_ON_VALGRIND, 0, 0) != 0;
    #[cfg(not(all(windlass_ct_check, target_arch = "x86_64")))]
    false
}

/// How many errors valgrind has reported so far; 0 without the check.
#[inline(always)]
pub fn reports() -> u64 {
    #[cfg(all(windlass_ct_check, target_arch = "x86_64"))]
    return request::send(request::COUNT_ERRORS, 0, 0);
    #[cfg(not(all(windlass_ct_check, target_arch = "x86_64")))]
    0
}
