//! ECDSA over secp256k1.
//!
//! A *digest* is the 32 bytes that are signed as they stand; a *message* is hashed with SHA-256 first. Nonces are those of
//! RFC 6979, and signatures have the lower s, byte for byte as libsecp256k1 makes them.
//!
//! ```
//! use windlass::{LowS, SecretKey, ecdsa};
//!
//! let key = SecretKey::from_bytes(&[0x42; 32])?;
//! let signature = ecdsa::sign_message(b"a message", &key);
//! let public = key.public_key();
//! assert!(ecdsa::verify_message(b"a message", &signature, &public, LowS::Required).is_ok());
//! assert!(ecdsa::verify_message(b"another", &signature, &public, LowS::Required).is_err());
//!
//! let der = signature.to_der();
//! assert_eq!(ecdsa::Signature::from_der(&der)?, signature);
//! # Ok::<(), windlass::ParseError>(())
//! ```

use crate::engine::with_backends;
use crate::keys::hex;
use crate::{Invalid, Keypair, ParseError, PublicKey, SecretKey, SelfCheck, SigningFault};
use core::fmt;
use core::ops::Deref;
use curve::Secp256k1;
use field::secp256k1::GroupOrder;
use sig::sha256;

pub use sig::ecdsa::{LowS, RecoveryId};

/// A signature: r and s, both in 1..n.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature(pub(crate) sig::ecdsa::Signature<GroupOrder>);

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signature(")?;
        hex(f, &self.to_compact())?;
        f.write_str(")")
    }
}

impl Signature {
    /// The signature r ‖ s, 32 bytes each, big-endian.
    ///
    /// # Errors
    /// [`ParseError::OutOfRange`] unless both are in 1..n: nothing is reduced.
    pub fn from_compact(bytes: &[u8; 64]) -> Result<Self, ParseError> {
        sig::ecdsa::Signature::from_compact(bytes).map(Self)
    }

    /// r ‖ s, 32 bytes each, big-endian.
    pub fn to_compact(&self) -> [u8; 64] {
        let (r, s) = self.0.to_compact();
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&r);
        bytes[32..].copy_from_slice(&s);
        bytes
    }

    /// The signature of a strict DER encoding: BIP66 without the byte for the hash type.
    ///
    /// # Errors
    /// [`ParseError::Der`] with the offset of the first byte that breaks a rule; [`ParseError::OutOfRange`] if the encoding is
    /// right but r or s is not in 1..n.
    pub fn from_der(bytes: &[u8]) -> Result<Self, ParseError> {
        sig::ecdsa::Signature::from_der(bytes).map(Self)
    }

    /// The signature of an encoding that Bitcoin took before BIP66: lengths of the sequence that do not fit, long forms, padded
    /// and negative-looking integers, bytes after the end. Old blocks hold such; nothing else should.
    ///
    /// # Errors
    /// As [`from_der`](Self::from_der). libsecp256k1's parser of this kind makes a number out of range a signature that never
    /// verifies; here it is an error.
    pub fn from_der_lax(bytes: &[u8]) -> Result<Self, ParseError> {
        sig::ecdsa::Signature::from_der_lax(bytes).map(Self)
    }

    /// The DER encoding, at most 72 bytes.
    pub fn to_der(&self) -> DerSignature {
        DerSignature(self.0.to_der())
    }

    /// Is s at most (n − 1)/2?
    pub fn is_low_s(&self) -> bool {
        self.0.is_low_s()
    }

    /// The signature with the lower of s and n − s. What it is a signature of does not change.
    #[must_use]
    pub fn normalize_s(&self) -> Self {
        Self(self.0.normalize_s())
    }
}

/// The DER encoding of a [`Signature`], on the stack: it is a `[u8]` of at most 72 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DerSignature(sig::ecdsa::DerSignature);

impl Deref for DerSignature {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for DerSignature {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Signs a digest; the nonce is RFC 6979's with SHA-256, s is the lower one.
pub fn sign_digest(digest: &[u8; 32], key: &SecretKey) -> Signature {
    sign(digest, key, None).0
}

/// [`sign_digest`] with 32 further bytes for the nonce: RFC 6979, section 3.6, and what libsecp256k1 calls `ndata`. The
/// signature is as good as without; with fresh random bytes it differs each time, which protects against faults.
pub fn sign_digest_with_entropy(digest: &[u8; 32], key: &SecretKey, entropy: &[u8; 32]) -> Signature {
    sign(digest, key, Some(entropy)).0
}

/// [`sign_digest`] and the id by which [`recover`] finds the public key.
pub fn sign_digest_recoverable(digest: &[u8; 32], key: &SecretKey) -> (Signature, RecoveryId) {
    sign(digest, key, None)
}

/// [`sign_digest_recoverable`], verified under the pair's public key before it is handed out where `self_check` is
/// [`SelfCheck::On`]: against faults in the computation, which can give the key away. `entropy` is that of
/// [`sign_digest_with_entropy`].
///
/// # Errors
/// [`SigningFault`] if the signature does not verify.
///
/// ```
/// use windlass::{Keypair, SecretKey, SelfCheck, ecdsa};
/// let key = Keypair::from_secret(&SecretKey::from_bytes(&[9; 32])?);
/// let signed = ecdsa::sign_digest_checked(&[0x33; 32], &key, None, SelfCheck::On);
/// assert_eq!(signed, Ok(ecdsa::sign_digest_recoverable(&[0x33; 32], key.secret())));
/// # Ok::<(), windlass::ParseError>(())
/// ```
pub fn sign_digest_checked(
    digest: &[u8; 32],
    key: &Keypair,
    entropy: Option<&[u8; 32]>,
    self_check: SelfCheck,
) -> Result<(Signature, RecoveryId), SigningFault> {
    let extra = entropy.map(|bytes| bytes.as_slice());
    let (secret, public) = (&key.secret().0, &key.public().0);
    with_backends!(b => sig::ecdsa::sign_digest_checked::<Secp256k1, _, sig::HmacSha256>(
        b, digest, secret, public, extra, self_check
    ))
    .map(|(signature, id)| (Signature(signature), id))
}

/// Signs the SHA-256 of a message.
pub fn sign_message(message: &[u8], key: &SecretKey) -> Signature {
    sign_digest(&sha256(message), key)
}

fn sign(digest: &[u8; 32], key: &SecretKey, entropy: Option<&[u8; 32]>) -> (Signature, RecoveryId) {
    let extra = entropy.map(|bytes| bytes.as_slice());
    let (signature, id) =
        with_backends!(b => sig::ecdsa::sign_digest::<Secp256k1, _, sig::HmacSha256>(b, digest, &key.0, extra));
    (Signature(signature), id)
}

/// Does the signature of this digest verify under the key?
///
/// # Errors
/// [`Invalid`] if it does not, or if s is in the upper half and `low_s` is [`LowS::Required`].
pub fn verify_digest(digest: &[u8; 32], signature: &Signature, key: &PublicKey, low_s: LowS) -> Result<(), Invalid> {
    with_backends!(b => sig::ecdsa::verify_digest(b, digest, &signature.0, &key.0, low_s))
}

/// Does the signature of this message, hashed with SHA-256, verify under the key?
///
/// # Errors
/// As [`verify_digest`].
pub fn verify_message(message: &[u8], signature: &Signature, key: &PublicKey, low_s: LowS) -> Result<(), Invalid> {
    verify_digest(&sha256(message), signature, key, low_s)
}

/// The public key under which the signature of this digest verifies, found by the recovery id. Both halves of s are taken:
/// where only the lower one counts, ask [`Signature::is_low_s`].
///
/// # Errors
/// [`Invalid`] if there is no such key.
///
/// ```
/// use windlass::{SecretKey, ecdsa};
/// let (key, digest) = (SecretKey::from_bytes(&[9; 32])?, [0x33; 32]);
/// let (signature, id) = ecdsa::sign_digest_recoverable(&digest, &key);
/// assert_eq!(ecdsa::recover(&digest, &signature, id), Ok(key.public_key()));
/// # Ok::<(), windlass::ParseError>(())
/// ```
pub fn recover(digest: &[u8; 32], signature: &Signature, id: RecoveryId) -> Result<PublicKey, Invalid> {
    with_backends!(b => sig::ecdsa::recover(b, digest, &signature.0, id).map(PublicKey))
}
