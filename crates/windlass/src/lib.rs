//! secp256k1 at full speed: ECDSA, BIP340 Schnorr signatures, public-key recovery, ECDH, BIP32 and taproot.
//!
//! ```
//! use windlass::{Keypair, LowS, PublicKey, SecretKey, ecdsa, schnorr};
//!
//! // ECDSA, as in a Bitcoin transaction: a digest, a DER signature, a key of 33 bytes.
//! let key = SecretKey::from_bytes(&[0x42; 32])?;
//! let digest = [0x17; 32];
//! let der = ecdsa::sign_digest(&digest, &key).to_der();
//!
//! let public = PublicKey::parse(&key.public_key().to_compressed())?;
//! let signature = ecdsa::Signature::from_der(&der)?;
//! assert!(ecdsa::verify_digest(&digest, &signature, &public, LowS::Required).is_ok());
//!
//! // Schnorr, as in a Nostr event: everything as bytes.
//! let pair = Keypair::from_secret(&key);
//! let signature = schnorr::sign(&digest, &pair, &[0x99; 32]);
//! assert!(schnorr::verify_bytes(&digest, &signature.0, &pair.x_only().0.to_bytes()).is_ok());
//! # Ok::<(), windlass::ParseError>(())
//! ```
//!
//! | for | see |
//! |---|---|
//! | keys, tweaks of keys | [`SecretKey`], [`PublicKey`], [`XOnlyPublicKey`], [`Keypair`] |
//! | ECDSA: sign, verify, recover, DER | [`ecdsa`] |
//! | BIP340 | [`schnorr`] |
//! | many signatures at once | [`many`] |
//! | many signatures of one signer, one at a time | [`PreparedKey`] |
//! | shared secrets | [`ecdh`] |
//! | key trees | [`bip32`] |
//! | output keys, tagged hashes | [`taproot`] |
//! | plain multiplications | [`vartime`] |
//! | powers modulo any number | [`mod@modexp`] |
//! | which code runs on this CPU | [`engine`] |
//!
//! # Conventions
//!
//! - Plain functions: no contexts, no set-up, nothing to share between threads. Tables are part of the program.
//! - Numbers are 32 bytes big-endian, coordinates and scalars alike.
//! - What a stranger sends is parsed first, and parsing answers with a [`ParseError`]; a value that exists is in range, a
//!   [`PublicKey`] is on the curve. What remains is a verdict: `Ok(())` or [`Invalid`]. No input panics.
//! - A verdict is a [`Result`], so one that nobody looks at is a warning, and an error under `#![deny(unused_must_use)]`:
//!   ```compile_fail
//!   #![deny(unused_must_use)]
//!   # use windlass::{LowS, PublicKey, ecdsa};
//!   fn check(digest: &[u8; 32], signature: &ecdsa::Signature, key: &PublicKey) {
//!       ecdsa::verify_digest(digest, signature, key, LowS::Required); // the verdict is lost
//!   }
//!   ```
//! - Digests and messages are told apart by name, high and low s by [`LowS`]: nothing is assumed.
//! - Work on a [`SecretKey`] takes the same time and touches the same addresses whatever the key is. Verification, recovery and
//!   operations on public keys do not, nor does the base58 text of a private key.
//! - No operation on a single signature or key allocates. [`bip32`] does, for texts and paths, and so do [`many`]
//!   and [`PreparedKey::new`].
//!
//! # Features
//!
//! `std` (default): the environment variable `WINDLASS_ENGINE` is read, and [`many`] may combine signatures, for which it draws
//! randomness of the operating system. Without it the crate needs `alloc` alone, and [`many`] works in lanes only.
//!
//! `ifma` (default): the engine `ifma`, which needs Rust 1.89; the rest needs 1.85.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(not(windlass_ct_check), forbid(unsafe_code))]

extern crate alloc;

pub mod bip32;
pub mod ecdh;
pub mod ecdsa;
pub mod engine;
mod keys;
pub mod many;
pub mod modexp;
mod prepared;
pub mod schnorr;
pub mod taproot;
pub mod vartime;

pub use curve::encode::Parity;
pub use ecdsa::LowS;
pub use keys::{Keypair, PublicKey, SecretKey, XOnlyPublicKey};
pub use prepared::PreparedKey;
pub use sig::SelfCheck;
pub use sig::error::{Invalid, ParseError, SigningFault, TweakError};

use curve::Secp256k1;
use field::secp256k1::GroupOrder;

/// A point of secp256k1, not infinity.
type Point = curve::AffinePoint<Secp256k1>;
/// The same with an even y.
type XOnly = sig::keys::XOnlyKey<Secp256k1>;
/// A secret integer mod n.
type SecretInteger = field::SecretScalar<GroupOrder>;
/// A public integer mod n.
type PublicInteger = field::Scalar<GroupOrder>;
