//! windlass as the cryptography of revm and alloy: installed once, at the start of a program, for the whole process.
//!
//! | feature | interface | functions |
//! |---|---|---|
//! | `revm` | `Crypto` of `revm-precompile` 43 | ECRECOVER, MODEXP; the others stay revm's own |
//! | `alloy` | `CryptoProvider` of `alloy-consensus` 2 | recovery of signers |
//!
//! ```
//! # #[cfg(feature = "revm")]
//! assert!(revm_precompile::install_crypto(windlass_providers::revm::Windlass));
//! # #[cfg(feature = "alloy")]
//! assert!(windlass_providers::alloy::install().is_ok());
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "alloy")]
pub mod alloy;
#[cfg(feature = "revm")]
pub mod revm;
