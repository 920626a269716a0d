//! Diffie-Hellman: the point d·Q = q·P that the owners of two keys share.
//!
//! Protocols differ in what they take of it; each function says who does. Constant time; the result is wiped when dropped.
//!
//! ```
//! use windlass::{SecretKey, ecdh};
//! let (a, b) = (SecretKey::from_bytes(&[1; 32])?, SecretKey::from_bytes(&[2; 32])?);
//! assert_eq!(ecdh::shared_secret(&a, &b.public_key()), ecdh::shared_secret(&b, &a.public_key()));
//! # Ok::<(), windlass::ParseError>(())
//! ```

use crate::engine::with_backends;
use crate::{ParseError, PublicKey, SecretKey, XOnlyPublicKey};
use zeroize::Zeroizing;

/// SHA-256 of the shared point in compressed form, as libsecp256k1's default.
pub fn shared_secret(key: &SecretKey, peer: &PublicKey) -> Zeroizing<[u8; 32]> {
    with_backends!(b => sig::ecdh::shared_secret(b, &key.0, &peer.0))
}

/// x of the shared point as it stands, 32 bytes big-endian: SEC 1's ECDH primitive.
pub fn shared_x(key: &SecretKey, peer: &PublicKey) -> Zeroizing<[u8; 32]> {
    with_backends!(b => sig::ecdh::shared_x(b, &key.0, &peer.0))
}

/// x of the shared point with a peer known by x alone, as Nostr has it (NIP-04, NIP-44): both points of this x give the same.
///
/// # Errors
/// [`ParseError`] as for [`XOnlyPublicKey::from_bytes`].
pub fn shared_x_with_x_only(key: &SecretKey, peer: &[u8; 32]) -> Result<Zeroizing<[u8; 32]>, ParseError> {
    let peer = XOnlyPublicKey::from_bytes(peer)?;
    Ok(with_backends!(b => sig::ecdh::shared_x(b, &key.0, peer.0.point())))
}
