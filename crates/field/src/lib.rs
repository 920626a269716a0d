//! Prime fields for short Weierstrass curves: one element, or one a lane.
//!
//! [`ops`] states the contract that point formulas rely on; a backend (one prime, one representation, one CPU feature set) is
//! one file below the prime's module.
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(not(feature = "ifma"), forbid(unsafe_code))]

pub mod backends;
pub mod batch_inverse;
pub mod interleaved;
pub mod ops;
pub mod ops_verify;
pub mod order;
pub mod secp256k1;
pub mod secret;
pub mod words;

pub use backends::{Backends, OneLane};
pub use interleaved::Interleaved;
pub use ops::{ByteArray, Column, FieldOps, Mask, Prime, Row, Task};
pub use order::Scalar;
pub use secret::{Choice, SecretInversion, SecretScalar};
pub use words::WordsField;
