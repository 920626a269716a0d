//! Σ kᵢ·Pᵢ for many terms at once.
//!
//! Generic over the curve and the backends of an engine ([`field::Backends`]): the bulk runs on the wide one, the final chain of
//! doublings on the one of a single element. Everything is variable time: public points and public scalars only.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod aggregate;
mod batched_affine;
mod choose;
mod pippenger;
mod sort;
mod split;
mod straus;
pub mod vartime;
mod windows;
mod workspace;

pub use workspace::{Method, Workspace};
