//! Which form of an operation serves which engine.
//!
//! Engines differ in [`Backends::Spread`], the lanes over which one operation spreads its parts: 8 on `ifma`, elsewhere one. Cycles
//! on Zen 4, a·G + b·P of 256-bit scalars:
//!
//! | engine | four scalars in one chain of doublings | in lanes beside a chain |
//! |---|---|---|
//! | `adx` | 61,900 | |
//! | `ifma` | 61,900 (on `adx`'s element) | 45,200 |

use crate::params::CurveParams;
use crate::point::{AffinePoint, Jacobian};
use crate::vartime;
use field::{Backends, FieldOps, Scalar};

/// a·G + k·P. Vartime.
#[inline]
pub fn mul_double_base<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    a: &Scalar<C::Order>,
    p: &AffinePoint<C>,
    k: &Scalar<C::Order>,
) -> Jacobian<B::One> {
    if B::Spread::LANES > 1 {
        vartime::mul_double_base_spread(b, a, p, k)
    } else {
        vartime::mul_double_base(b.one(), a, p, k)
    }
}
