//! What the tests of every layer share. Not published, and no library crate depends on it except for its tests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test's helper reports a broken assumption by failing the test"
)]

pub mod array8;
pub mod counted;
pub mod counting;
pub mod curve_suite;
#[cfg(feature = "libsecp256k1")]
pub mod differential;
pub mod each_suite;
pub mod edges;
pub mod effort;
pub mod field_suite;
#[cfg(feature = "libsecp256k1")]
pub mod libsecp256k1;
#[cfg(feature = "facade")]
pub mod many_suite;
pub mod msm_suite;
pub mod oracle;
pub mod random;
pub mod scheme_suite;
pub mod skip;
pub mod vectors;
