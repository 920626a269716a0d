//! ECDSA: s = k⁻¹(z + r·d) with r = x(k·G) mod n. One file a step.
//!
//! - [`signature`]: the pair (r, s), compact form and the half that s is in;
//! - [`der`]: strict and lax DER;
//! - [`rfc6979`]: nonces from the key and the digest.
//!
//! Source: SEC 1 v2.0, section 4.1; FIPS 186-5, section 6.

pub mod der;
pub mod rfc6979;
pub mod signature;

pub use der::DerSignature;
pub use signature::{LowS, Signature};
