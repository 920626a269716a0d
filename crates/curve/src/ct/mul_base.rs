//! k·G for a secret k: Σ dᵢ·(2^(w i)·G) over table rows, no doublings; [`windows`] with one element, [`lanes`] with eight.

pub mod lanes;
pub mod windows;
