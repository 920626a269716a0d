//! Plain multiplications on public numbers, for protocols and measurements. Variable time: never for a secret.
//! [`known_nonces`] signs test data.
//!
//! Scalars are 32 bytes big-endian and are reduced mod n; `None` is the point at infinity.

pub mod known_nonces;

use crate::PublicKey;
use crate::engine::{with_backends, with_engine};
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

/// The memory that [`msm()`] uses at most, about: 64 MiB.
pub const MSM_MEMORY_BYTES: usize = ::msm::vartime::DEFAULT_MEMORY_BYTES;

/// Σ kᵢ·Pᵢ of any number of terms, by Pippenger's method where there are many. Points may repeat. Allocates, at most about
/// [`MSM_MEMORY_BYTES`].
///
/// ```
/// use windlass::{SecretKey, vartime};
/// let (p, q) = (SecretKey::from_bytes(&[3; 32])?.public_key(), SecretKey::from_bytes(&[4; 32])?.public_key());
/// let sum = vartime::mul(&[5; 32], &p).zip(vartime::mul(&[6; 32], &q)).and_then(|(p, q)| p.add(&q).ok());
/// assert_eq!(vartime::msm(&[([5; 32], p), ([6; 32], q)]), sum);
/// # Ok::<(), windlass::ParseError>(())
/// ```
pub fn msm(terms: &[([u8; 32], PublicKey)]) -> Option<PublicKey> {
    msm_within(terms, MSM_MEMORY_BYTES)
}

/// [`msm()`] within about `memory_bytes`: more terms than fit are summed in parts. Less than some 200 kB counts as that.
pub fn msm_within(terms: &[([u8; 32], PublicKey)], memory_bytes: usize) -> Option<PublicKey> {
    let terms = terms.iter().map(|(k, p)| (p.0, scalar(k)));
    key(with_backends!(b => ::msm::vartime::msm_within(b, terms, memory_bytes)))
}
