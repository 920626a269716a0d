//! n, the order of secp256k1's group. SEC 2 v2.0, section 2.4.1.

use crate::ops::Prime;
use arith::{Modulus, limbs};

/// The order of secp256k1's group, a prime of 256 bits: 2^256 − n < 2^129.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupOrder;

impl Prime for GroupOrder {
    type Words = [u64; 4];
    type Bytes = [u8; 32];
    const MODULUS: Modulus<[u64; 4]> =
        Modulus::new(limbs::from_hex("FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFE BAAEDCE6 AF48A03B BFD25E8C D0364141"));
    const BITS: u32 = 256;
}
