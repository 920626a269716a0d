//! The command line of windlass, as a library: the binary `windlass` is a call of [`cli::main`], and the bench
//! runs the same verification loop as `windlass verify` with another library's check of signatures.
//!
//! A row goes through [`input`] (opening, gzip), [`chunks`] (rows of bounded length), a format ([`nostr`],
//! [`ethereum`], [`csv`]: a [`row::RowCheck`] upon [`signatures`]), and [`pipeline`] (threads, order, bounded memory) to [`report`].

pub mod chunks;
pub mod cli;
pub mod csv;
pub mod derive;
pub mod detect;
pub mod ethereum;
pub mod evm;
pub mod exit;
pub mod failure;
pub mod fields;
pub mod hex;
pub mod input;
pub mod keccak;
pub mod key;
pub mod modexp;
pub mod nostr;
pub mod number;
pub mod pipeline;
pub mod progress;
pub mod recover;
pub mod report;
pub mod row;
pub mod sample;
pub mod scan;
pub mod secret;
pub mod selftest;
pub mod sign;
pub mod signatures;
pub mod threads;
pub mod verify;
