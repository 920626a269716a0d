//! Signature schemes and what belongs to them: ECDSA, BIP340 Schnorr, ECDH, keys, BIP32 and taproot.
//!
//! Schemes are generic over the curve `C` and the field backend `F`, whose token `f: F` comes first; where only the group
//! order matters they are generic over that. Everything a stranger sends is parsed into a type whose values are in range, and
//! what remains is a verdict: `Ok(())` or [`error::Invalid`]. Nothing here allocates but the base58 texts of BIP32.
//!
//! Secrets are [`field::SecretScalar`]s and their work is constant time; verification, recovery and tweaks of public keys are
//! variable time, as the paths of what they call say.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod batch;
pub mod bip32;
mod each;
pub mod ecdh;
pub mod ecdsa;
pub mod error;
pub mod keys;
pub mod known_nonces;
pub mod many;
pub mod schnorr;
mod self_check;
mod sha256_lanes;
pub mod tagged_hash;
#[cfg(test)]
mod test_bytes;

pub use error::{Invalid, ParseError, SigningFault, TweakError};
pub use self_check::SelfCheck;

/// HMAC with SHA-256: what RFC 6979 runs on for group orders of 256 bits.
pub type HmacSha256 = hmac::Hmac<sha2::Sha256>;

/// SHA-256.
pub fn sha256(message: &[u8]) -> [u8; 32] {
    use sha2::Digest;
    sha2::Sha256::digest(message).into()
}
