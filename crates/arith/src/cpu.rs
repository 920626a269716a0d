//! Tokens: zero-sized values whose possession proves that the CPU has a feature. Asked once, kept in an atomic.
//!
//! `cpuid` takes some 50 ns and traps in virtual machines (then 20 to 70 µs), so the answer is kept. No `std` is needed.
#![allow(unsafe_code, reason = "the CPU's identification registers")]

#[cfg(target_arch = "x86_64")]
pub use x86_64::{Adx, Ifma};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use core::arch::x86_64::{__cpuid, __cpuid_count};
    use core::sync::atomic::{AtomicU8, Ordering};

    /// Proof of BMI2 (mulx), ADX (adcx, adox) and AVX2, the operating system's part included.
    #[derive(Clone, Copy, Debug)]
    pub struct Adx(());

    /// Proof of AVX-512 F, DQ, BW, VL and IFMA (vpmadd52), of what the compiler takes AVX-512 to include (FMA, F16C), and of all
    /// that [`Adx`] proves, the operating system's part included.
    #[derive(Clone, Copy, Debug)]
    pub struct Ifma(());

    const UNKNOWN: u8 = 0;
    const ABSENT: u8 = 1;
    const PRESENT: u8 = 2;
    static ADX: AtomicU8 = AtomicU8::new(UNKNOWN);
    static IFMA: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// The kept answer, or the CPU's.
    #[inline]
    fn kept(answer: &AtomicU8, ask: fn() -> bool) -> bool {
        match answer.load(Ordering::Relaxed) {
            PRESENT => true,
            ABSENT => false,
            // Threads that meet here ask the CPU once each and find the same.
            _ => {
                let present = ask();
                answer.store(if present { PRESENT } else { ABSENT }, Ordering::Relaxed);
                present
            }
        }
    }

    impl Adx {
        /// The token, if this CPU has the features.
        #[inline]
        #[must_use]
        pub fn detect() -> Option<Self> {
            kept(&ADX, has_adx).then_some(Self(()))
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

    impl Ifma {
        /// The token, if this CPU has the features.
        #[inline]
        #[must_use]
        pub fn detect() -> Option<Self> {
            kept(&IFMA, has_ifma).then_some(Self(()))
        }

        /// The token of the features that are proved too.
        #[inline(always)]
        #[must_use]
        pub const fn adx(self) -> Adx {
            Adx(())
        }
    }

    #[cold]
    fn has_adx() -> bool {
        const AVX: u32 = 1 << 28; // leaf 1, ecx
        const AVX2: u32 = 1 << 5; // leaf 7, ebx
        const BMI2: u32 = 1 << 8;
        const ADX: u32 = 1 << 19;
        // The operating system keeps the xmm and ymm halves.
        has(AVX, AVX2 | BMI2 | ADX, 0b110)
    }

    #[cold]
    fn has_ifma() -> bool {
        const FMA: u32 = 1 << 12; // leaf 1, ecx
        const F16C: u32 = 1 << 29;
        const AVX512F: u32 = 1 << 16; // leaf 7, ebx
        const AVX512DQ: u32 = 1 << 17;
        const AVX512IFMA: u32 = 1 << 21;
        const AVX512BW: u32 = 1 << 30;
        const AVX512VL: u32 = 1 << 31;
        // The operating system keeps the masks, the upper halves of zmm0 to zmm15, and zmm16 to zmm31 as well.
        has_adx() && has(FMA | F16C, AVX512F | AVX512DQ | AVX512IFMA | AVX512BW | AVX512VL, 0b1110_0110)
    }

    /// Are all these bits set: in leaf 1's ecx, in leaf 7's ebx, and in the state that the operating system keeps?
    fn has(leaf_1_ecx: u32, leaf_7_ebx: u32, kept_state: u32) -> bool {
        const OSXSAVE: u32 = 1 << 27;
        #[allow(unused_unsafe, reason = "safe functions in newer compilers")]
        // SAFETY: every x86-64 CPU has cpuid; leaf 7 is asked only where leaf 0 announces it.
        let (leaf_1, leaf_7) = unsafe {
            if __cpuid(0).eax < 7 {
                return false;
            }
            (__cpuid(1), __cpuid_count(7, 0))
        };
        let leaf_1_ecx = leaf_1_ecx | OSXSAVE;
        if leaf_1.ecx & leaf_1_ecx != leaf_1_ecx || leaf_7.ebx & leaf_7_ebx != leaf_7_ebx {
            return false;
        }
        let (xcr0_low, _xcr0_high): (u32, u32);
        // SAFETY: OSXSAVE says that xgetbv is enabled; register 0 exists.
        unsafe {
            core::arch::asm!("xgetbv", in("ecx") 0, out("eax") xcr0_low, out("edx") _xcr0_high, options(nomem, nostack, preserves_flags));
        }
        xcr0_low & kept_state == kept_state
    }

    #[cfg(test)]
    mod tests {
        extern crate std;
        use super::*;

        #[test]
        fn agrees_with_std() {
            let adx = std::is_x86_feature_detected!("bmi2")
                && std::is_x86_feature_detected!("adx")
                && std::is_x86_feature_detected!("avx2");
            let ifma = std::is_x86_feature_detected!("avx512f")
                && std::is_x86_feature_detected!("avx512dq")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("avx512vl")
                && std::is_x86_feature_detected!("avx512ifma")
                && std::is_x86_feature_detected!("fma")
                && std::is_x86_feature_detected!("f16c");
            for what in ["the CPU's answer", "the kept answer"] {
                assert_eq!(Adx::detect().is_some(), adx, "{what}");
                assert_eq!(Ifma::detect().is_some(), adx && ifma, "{what}");
            }
        }
    }
}
