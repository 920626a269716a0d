//! Four words mod 2^256 − c in plain Rust, for every CPU.
//!
//! On x86-64 without BMI2 as on it: products of 4 × 64 bits take 21 word products where 5 × 52 bits take 30, and carry chains
//! compile to add-with-carry, so that a doubling takes 320 cycles on Zen 4 and a mixed addition 560 (5 × 52: 455 and 730).

use super::C;
use super::fold_4x64::{Fold4x64, Kernels};
use crate::Row;
use arith::kernel::portable as kernel;

/// The kernels in plain Rust.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// secp256k1's field on any CPU.
pub type Portable4x64 = Fold4x64<Portable>;

impl Portable4x64 {
    /// The backend; it needs nothing.
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        Self(Portable)
    }
}

impl Default for Portable4x64 {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl Kernels for Portable {
    #[inline(always)]
    fn mul(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        kernel::mul_fold_4_portable::<C>(a, b)
    }
    #[inline(always)]
    fn sqr(self, a: &[u64; 4]) -> [u64; 4] {
        kernel::sqr_fold_4_portable::<C>(a)
    }
    #[inline(always)]
    fn sqr_times(self, a: &[u64; 4], times: u32) -> [u64; 4] {
        kernel::sqr_times_fold_4_portable::<C>(a, times)
    }
    #[inline(always)]
    fn add(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        kernel::add_fold_4_portable::<C>(a, b)
    }
    #[inline(always)]
    fn sub(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        kernel::sub_fold_4_portable::<C>(a, b)
    }
    #[inline(always)]
    fn times<const K: u32>(self, a: &[u64; 4]) -> [u64; 4] {
        kernel::times_fold_4_portable::<C, K>(a)
    }
    #[inline(always)]
    fn select(self, keep: u64, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        kernel::select_4_portable(keep, a, b)
    }
    #[inline(always)]
    fn lookup(self, rows: &[Row<[u64; 4]>], at: u32) -> Row<[u64; 4]> {
        kernel::lookup_row_4_portable(rows, at)
    }
    #[inline(always)]
    fn double(self, x: &mut [u64; 4], y: &mut [u64; 4], z: &mut [u64; 4]) {
        kernel::double_jacobian_fold_4_portable::<C>(x, y, z);
    }
    #[inline(always)]
    fn add_mixed(self, x: &mut [u64; 4], y: &mut [u64; 4], z: &mut [u64; 4], qx: &[u64; 4], qy: &[u64; 4]) {
        kernel::add_mixed_jacobian_fold_4_portable::<C>(x, y, z, qx, qy);
    }
}
