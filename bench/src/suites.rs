//! The suites: which rows there are, and the inputs of each.

pub(crate) mod lanes;
pub(crate) mod pipeline;
pub(crate) mod secp256k1;
