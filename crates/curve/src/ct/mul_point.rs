//! k·P for a secret k and any P: by windows of two halves in one chain of doublings; [`windows`] with one element, [`lanes`] with
//! eight.

pub mod lanes;
pub mod windows;
