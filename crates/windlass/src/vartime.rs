//! Plain multiplications on public numbers, for protocols and measurements. Variable time: never for a secret.
//! [`known_nonces`] signs test data.
//!
//! Scalars are 32 bytes big-endian and are reduced mod n; `None` is the point at infinity.

pub mod known_nonces;

use crate::PublicKey;
use crate::engine::with_engine;
use crate::{Point, PublicInteger};
use curve::Secp256k1;
use curve::vartime::{self, to_affine};

fn scalar(bytes: &[u8; 32]) -> PublicInteger {
    PublicInteger::from_be_bytes_reduced(bytes)
}

fn key(point: Option<Point>) -> Option<PublicKey> {
    point.map(PublicKey)
}

/// k·G.
pub fn mul_base(k: &[u8; 32]) -> Option<PublicKey> {
    key(with_engine!(f => to_affine(f, &vartime::mul_base::<Secp256k1, _>(f, &scalar(k)))))
}

/// k·P.
pub fn mul(k: &[u8; 32], p: &PublicKey) -> Option<PublicKey> {
    key(with_engine!(f => to_affine(f, &vartime::mul(f, &p.0, &scalar(k)))))
}

/// a·G + b·P.
pub fn mul_add(a: &[u8; 32], b: &[u8; 32], p: &PublicKey) -> Option<PublicKey> {
    key(with_engine!(f => to_affine(f, &vartime::mul_double_base(f, &scalar(a), &p.0, &scalar(b)))))
}
