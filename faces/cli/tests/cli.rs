//! The program as its users meet it: files in, verdicts, messages and exit codes out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "cli/bad_input.rs"]
mod bad_input;
#[path = "cli/chunks.rs"]
mod chunks;
#[path = "cli/ethereum.rs"]
mod ethereum;
#[path = "cli/evm.rs"]
mod evm;
#[path = "cli/process.rs"]
mod process;
#[path = "cli/sample.rs"]
mod sample;
#[path = "cli/streams.rs"]
mod streams;
#[path = "cli/usage.rs"]
mod usage;
#[path = "cli/values.rs"]
mod values;
#[path = "cli/vectors.rs"]
mod vectors;
