//! Four words mod 2^256 − c by mulx, adcx and adox, table rows by AVX2. Doubling and mixed addition are one block each.

use super::C;
use super::fold_4x64::{Fold4x64, Kernels};
use crate::Row;
use arith::cpu::Adx;
use arith::kernel::x86_64 as kernel;

/// secp256k1's field on x86-64 with BMI2, ADX and AVX2: the token inside proves them.
pub type Adx4x64 = Fold4x64<Adx>;

impl Adx4x64 {
    /// The backend on a CPU that has the features.
    #[inline(always)]
    #[must_use]
    pub const fn new(token: Adx) -> Self {
        Self(token)
    }
}

impl Kernels for Adx {
    #[inline(always)]
    fn mul(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        kernel::mul_fold_4_adx::<C>(self, a, b)
    }
    #[inline(always)]
    fn sqr(self, a: &[u64; 4]) -> [u64; 4] {
        kernel::sqr_fold_4_adx::<C>(self, a)
    }
    #[inline(always)]
    fn sqr_times(self, a: &[u64; 4], times: u32) -> [u64; 4] {
        kernel::sqr_times_fold_4_adx::<C>(self, a, times)
    }
    #[inline(always)]
    fn add(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        kernel::add_fold_4_adx::<C>(self, a, b)
    }
    #[inline(always)]
    fn sub(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        kernel::sub_fold_4_adx::<C>(self, a, b)
    }
    #[inline(always)]
    fn times<const K: u32>(self, a: &[u64; 4]) -> [u64; 4] {
        kernel::times_fold_4_adx::<C, K>(self, a)
    }
    #[inline(always)]
    fn select(self, keep: u64, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        kernel::select_4_adx(self, keep, a, b)
    }
    #[inline(always)]
    fn lookup(self, rows: &[Row<[u64; 4]>], at: u32) -> Row<[u64; 4]> {
        kernel::lookup_row_4_avx2(self, rows, at)
    }
    #[inline(always)]
    fn double(self, x: &mut [u64; 4], y: &mut [u64; 4], z: &mut [u64; 4]) {
        kernel::double_jacobian_fold_4_adx::<C>(self, x, y, z);
    }
    #[inline(always)]
    fn add_mixed(self, x: &mut [u64; 4], y: &mut [u64; 4], z: &mut [u64; 4], qx: &[u64; 4], qy: &[u64; 4]) {
        kernel::add_mixed_jacobian_fold_4_adx::<C>(self, x, y, z, qx, qy);
    }
}
