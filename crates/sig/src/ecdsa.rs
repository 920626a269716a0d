//! ECDSA: s = k⁻¹(z + r·d) with r = x(k·G) mod n. One file a step.
//!
//! - [`signature`]: the pair (r, s), compact form and the half that s is in;
//! - [`der`]: strict and lax DER;
//! - [`rfc6979`]: nonces from the key and the digest;
//! - [`mod@sign`], [`mod@verify`], [`mod@recover`].
//!
//! Source: SEC 1 v2.0, section 4.1; FIPS 186-5, section 6.

pub mod der;
pub mod recover;
pub mod rfc6979;
pub mod sign;
pub mod signature;
pub mod verify;

pub use der::DerSignature;
pub use recover::{
    RecoverRow, RecoverableRow, RecoveryId, recover, recover_each, recover_from_point, verify_batch_recoverable,
};
pub use sign::{sign_digest, sign_digest_checked, sign_with_nonce};
pub use signature::{LowS, Signature};
pub use verify::{
    VerifyRow, verify_digest, verify_digest_prepared, verify_each, verify_integer, verify_integer_prepared,
};
