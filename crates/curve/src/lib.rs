//! Short Weierstrass curves: parameters, points, formulas, encodings and multiplication.
//!
//! Everything is generic over a curve [`CurveParams`] and a field backend [`field::FieldOps`], for one lane and for many.
//! What takes time that depends on its operands is below [`vartime`]; everything else does not, as far as its text does not
//! say otherwise.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod choose;
pub mod ct;
pub mod encode;
pub mod endomorphism;
pub mod formulas;
mod lanes;
pub mod params;
pub mod point;
pub mod registry;
pub mod tables;
pub mod vartime;

pub use encode::{DecodeError, Encoded, Parity};
pub use params::{CoefficientA, CurveParams, Glv, Secp256k1, Windows};
pub use point::{Affine, AffinePoint, Jacobian, Projective, Xyzz};
pub use vartime::PreparedPoint;
