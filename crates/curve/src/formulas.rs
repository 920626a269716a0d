//! Point addition and doubling, one file a family. Generic over the backend; a lane holds an independent point.

pub mod a_zero;
pub mod affine;
pub mod complete;
pub mod xyzz;
