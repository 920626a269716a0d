//! Short Weierstrass curves: parameters, points, formulas, encodings and multiplication.
//!
//! Everything is generic over a curve [`CurveParams`] and a field backend [`field::FieldOps`], for one lane and for many.
//! What takes time that depends on its operands is below [`vartime`]; everything else does not, as far as its text does not
//! say otherwise.
#![no_std]
#![forbid(unsafe_code)]

pub mod endomorphism;
pub mod params;
pub mod registry;

pub use params::{CoefficientA, CurveParams, Glv, Windows};
