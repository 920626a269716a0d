//! k·P for a secret k and any P: [`windows`] of two halves in one chain of doublings with one element.

pub mod windows;
