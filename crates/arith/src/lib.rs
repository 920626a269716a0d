//! Limbs and kernels: widths only, no primes.
//!
//! Glossary, used by every crate of the workspace:
//! - *word*: a full 64-bit digit; *words*: a little-endian array of them, canonical unless said otherwise;
//! - *limb*: a digit of a representation that leaves room (5 × 52 bits);
//! - *lane*: one of the independent elements that a vector backend holds;
//! - *token*: a zero-sized value whose possession proves that the CPU has a feature;
//! - *vartime*: running time depends on the operands; everything unmarked does not.
#![no_std]
#![deny(unsafe_code)]

pub mod cpu;
pub mod ct_check;
pub mod inverse;
pub mod kernel;
pub mod limbs;
pub mod montgomery;
pub mod row;

pub use limbs::Words;
pub use montgomery::Modulus;
pub use row::{Column, Row};
