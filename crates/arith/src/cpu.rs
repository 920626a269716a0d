//! Tokens: zero-sized values whose possession proves that the CPU has a feature. Asked once, kept in an atomic.
//!
//! `cpuid` takes some 50 ns and traps in virtual machines (then 20 to 70 µs), so the answer is kept. No `std` is needed.
#![allow(unsafe_code, reason = "the CPU's identification registers")]

#[cfg(target_arch = "x86_64")]
pub use x86_64::Adx;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use core::arch::x86_64::{__cpuid, __cpuid_count};
    use core::sync::atomic::{AtomicU8, Ordering};

    /// Proof of BMI2 (mulx), ADX (adcx, adox) and AVX2, the operating system's part included.
    #[derive(Clone, Copy, Debug)]
    pub struct Adx(());

    const UNKNOWN: u8 = 0;
    const ABSENT: u8 = 1;
    const PRESENT: u8 = 2;
    static ADX: AtomicU8 = AtomicU8::new(UNKNOWN);

    impl Adx {
        /// The token, if this CPU has the features.
        #[inline]
        #[must_use]
        pub fn detect() -> Option<Self> {
            match ADX.load(Ordering::Relaxed) {
                PRESENT => Some(Self(())),
                ABSENT => None,
                // Threads that meet here ask the CPU once each and find the same.
                _ => {
                    let present = ask();
                    ADX.store(if present { PRESENT } else { ABSENT }, Ordering::Relaxed);
                    present.then_some(Self(()))
                }
            }
        }

        /// The token without detection: valgrind executes adcx and adox but does not announce them.
        ///
        /// # Safety
        /// The CPU, or what emulates it, executes BMI2, ADX and AVX2.
        #[cfg(windlass_ct_check)]
        #[must_use]
        pub const unsafe fn assume() -> Self {
            Self(())
        }
    }

    #[cold]
    fn ask() -> bool {
        const OSXSAVE: u32 = 1 << 27;
        const AVX: u32 = 1 << 28;
        const AVX2: u32 = 1 << 5;
        const BMI2: u32 = 1 << 8;
        const ADX: u32 = 1 << 19;
        #[allow(unused_unsafe, reason = "safe functions in newer compilers")]
        // SAFETY: every x86-64 CPU has cpuid; leaf 7 is asked only where leaf 0 announces it.
        let (leaf_1, leaf_7) = unsafe {
            if __cpuid(0).eax < 7 {
                return false;
            }
            (__cpuid(1), __cpuid_count(7, 0))
        };
        if leaf_1.ecx & (OSXSAVE | AVX) != OSXSAVE | AVX || leaf_7.ebx & (AVX2 | BMI2 | ADX) != AVX2 | BMI2 | ADX {
            return false;
        }
        let (xcr0_low, _xcr0_high): (u32, u32);
        // SAFETY: OSXSAVE says that xgetbv is enabled; register 0 exists.
        unsafe {
            core::arch::asm!("xgetbv", in("ecx") 0, out("eax") xcr0_low, out("edx") _xcr0_high, options(nomem, nostack, preserves_flags));
        }
        // The operating system keeps the xmm and ymm halves.
        xcr0_low & 0b110 == 0b110
    }

    #[cfg(test)]
    mod tests {
        extern crate std;
        use super::*;

        #[test]
        fn agrees_with_std() {
            let std = std::is_x86_feature_detected!("bmi2")
                && std::is_x86_feature_detected!("adx")
                && std::is_x86_feature_detected!("avx2");
            assert_eq!(Adx::detect().is_some(), std);
            assert_eq!(Adx::detect().is_some(), std, "the kept answer");
        }
    }
}
