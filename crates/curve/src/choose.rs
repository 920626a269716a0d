//! Which form of an operation serves which engine.
//!
//! Engines differ in [`Backends::Spread`], the lanes over which one operation spreads its parts: 8 on `ifma`, elsewhere one. Cycles
//! on Zen 4, a·G + b·P of 256-bit scalars:
//!
//! | engine | four scalars in one chain of doublings | in lanes beside a chain |
//! |---|---|---|
//! | `adx` | 61,900 | |
//! | `ifma` | 61,900 (on `adx`'s element) | 45,200 |
//!
//! k·G for a secret k of 256 bits:
//!
//! | engine | 43 windows of one element | 8 steps in lanes |
//! |---|---|---|
//! | `adx` | 21,400 | |
//! | `ifma` | 21,400 (on `adx`'s element) | 8,480 |
//!
//! With lanes this is also the form for a public k: alone 18,000 cycles by 43 windows of one element without reading whole tables, and less
//! only for a k of fewer than 128 bits.
//!
//! k·P for a secret k of 256 bits:
//!
//! | engine | windows of two halves in one chain of doublings | a chain, then in lanes |
//! |---|---|---|
//! | `adx` | 65,700 | |
//! | `ifma` | 65,700 (on `adx`'s element) | 43,200 |
//!
//! a·G + b·P with a table of P ([`vartime::PreparedPoint`]) has one form for all engines. The table's size, which is the same for
//! all, was chosen by multiplications with one table, by what it costs to make, and by what an ordinary one costs (`adx` 64,600):
//!
//! | windows | bytes | additions | `ifma` | `adx` | made, `ifma` | made, `adx` |
//! |---|---|---|---|---|---|---|
//! | 4 bits | 16,896 | 109 | 16,800 | 46,200 | 96,000 | 179,000 |
//! | 5 bits | 26,624 | 95 | 15,300 | 40,200 | 112,000 | 239,000 |
//! | 6 bits | 45,056 | 87 | 14,500 | 36,900 | 136,000 | 344,000 |
//! | 7 bits | 77,824 | 81 | 14,700 | 34,300 | 333,000 | 601,000 |
//! | 8 bits | 139,264 | 77 | 13,900 | 32,700 | 329,000 | 878,000 |
//!
//! 7 bits: on `adx`, where each addition counts, a verification is three times as fast as libsecp256k1's, which 6 bits miss; 8 bits
//! gain another 4 % there for almost twice the memory.

use crate::formulas::{Beside, Nothing};
use crate::params::{CurveParams, LANES};
use crate::point::{AffinePoint, Jacobian, Projective};
use crate::{ct, vartime};
use field::{Backends, FieldOps, Scalar, SecretScalar};

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

/// k·G for a secret k, as secret as k. `other` takes steps where the form leaves it time.
#[inline]
pub fn mul_base<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    k: &SecretScalar<C::Order>,
    other: &mut impl Beside,
) -> Projective<B::One> {
    if const { B::Spread::LANES == LANES as usize } {
        ct::mul_base_lanes::<C, _, _, _>(b.spread(), b.one(), k, other)
    } else {
        ct::mul_base_windows::<C, _>(b.one(), k)
    }
}

/// k·G for a public k. Vartime.
#[inline]
pub fn mul_public_base<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    k: &Scalar<C::Order>,
) -> Jacobian<B::One> {
    if const { B::Spread::LANES == LANES as usize } {
        mul_base::<C, B>(b, &SecretScalar::from(*k), &mut Nothing).to_jacobian(b.one())
    } else {
        vartime::mul_base::<C, _>(b.one(), k)
    }
}

/// k·P for a secret k, as secret as k.
#[inline]
pub fn mul_point<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    k: &SecretScalar<C::Order>,
    p: &AffinePoint<C>,
) -> Projective<B::One> {
    if const { B::Spread::LANES == LANES as usize } {
        ct::mul_point_lanes(b, k, p)
    } else {
        ct::mul_point_windows(b.one(), k, p)
    }
}
