//! secp256k1: y² = x³ + 7 over p = 2^256 − 2^32 − 977 (SEC 2, section 2.4.1), one file a representation.

#[cfg(target_arch = "x86_64")]
pub mod adx_4x64;
pub mod fold_4x64;
mod group_order;
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
pub mod ifma_5x52;
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
mod ifma_backends;
pub mod portable_4x64;
pub mod portable_5x52;
mod sqrt;

use crate::Prime;
use arith::{Modulus, limbs};

#[cfg(target_arch = "x86_64")]
pub use adx_4x64::Adx4x64;
pub use group_order::GroupOrder;
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
pub use ifma_5x52::{Ifma8, Ifma16, Ifma24, IfmaField, IfmaOrder};
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
pub use ifma_backends::{IfmaBackends, IfmaBackends8};
pub use portable_4x64::Portable4x64;
pub use portable_5x52::Portable5x52;
pub use sqrt::sqrt;

/// The field's characteristic p = 2^256 − c, c = 2^32 + 977.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldPrime;

impl Prime for FieldPrime {
    type Words = [u64; 4];
    type Bytes = [u8; 32];
    const MODULUS: Modulus<[u64; 4]> =
        Modulus::new(limbs::from_hex("FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFE FFFFFC2F"));
    const BITS: u32 = 256;
}

/// c = 2^256 − p = 2^256 mod p.
const C: u64 = (1 << 32) + 977;
