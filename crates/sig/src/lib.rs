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

pub mod ecdsa;
pub mod error;
pub mod tagged_hash;

pub use error::{Invalid, ParseError, TweakError};
