//! Plain multiplications on public numbers, for protocols and measurements. Variable time: never for a secret.
//! [`known_nonces`] signs test data.
//!
//! Scalars are 32 bytes big-endian and are reduced mod n; `None` is the point at infinity.

pub mod known_nonces;

use crate::PublicKey;
use crate::engine::{with_backends, with_engine};
use crate::{Point, PublicInteger};
use alloc::vec::Vec;
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

/// Σ kᵢ·Pᵢ of any number of terms, by Pippenger's method where there are many. Points may repeat. Allocates: copies of the terms,
/// and for the sum at most [`msm::Workspace::DEFAULT_MEMORY_BYTES`](::msm::Workspace::DEFAULT_MEMORY_BYTES).
///
/// ```
/// use windlass::{SecretKey, vartime};
/// let (p, q) = (SecretKey::from_bytes(&[3; 32])?.public_key(), SecretKey::from_bytes(&[4; 32])?.public_key());
/// let sum = vartime::mul(&[5; 32], &p).zip(vartime::mul(&[6; 32], &q)).and_then(|(p, q)| p.add(&q).ok());
/// assert_eq!(vartime::msm(&[([5; 32], p), ([6; 32], q)]), sum);
/// # Ok::<(), windlass::ParseError>(())
/// ```
pub fn msm(terms: &[([u8; 32], PublicKey)]) -> Option<PublicKey> {
    let (scalars, points): (Vec<_>, Vec<_>) = terms.iter().map(|(k, p)| (scalar(k), p.0)).unzip();
    key(with_backends!(b => ::msm::vartime::msm::<Secp256k1, _>(b, &points, &scalars)))
}
