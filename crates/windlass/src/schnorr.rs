//! Schnorr signatures of BIP340, for messages of any length.
//!
//! ```
//! use windlass::{Keypair, SecretKey, schnorr};
//!
//! let key = Keypair::from_secret(&SecretKey::from_bytes(&[0x42; 32])?);
//! let fresh = [0x17; 32]; // 32 random bytes
//! let signature = schnorr::sign(b"a message", &key, &fresh);
//! let (public, _) = key.x_only();
//! assert!(schnorr::verify(b"a message", &signature, &public).is_ok());
//! assert!(schnorr::verify(b"another", &signature, &public).is_err());
//! # Ok::<(), windlass::ParseError>(())
//! ```

use crate::engine::with_backends;
use crate::{Invalid, Keypair, SelfCheck, SigningFault, XOnlyPublicKey};
use curve::Secp256k1;

pub use sig::schnorr::Signature;

/// Signs a message with auxiliary randomness: 32 bytes that are fresh for each signature. They protect against faults and
/// power analysis; the signature is secure even if they are not random.
pub fn sign(message: &[u8], key: &Keypair, aux: &[u8; 32]) -> Signature {
    with_backends!(b => sig::schnorr::sign::<Secp256k1, _>(b, message, &key.secret().0, &key.public().0, aux))
}

/// [`sign`], verified before it is handed out where `self_check` is [`SelfCheck::On`], as BIP340 recommends: against faults in the
/// computation, which can give the key away.
///
/// # Errors
/// [`SigningFault`] if the signature does not verify.
///
/// ```
/// use windlass::{Keypair, SecretKey, SelfCheck, schnorr};
/// let key = Keypair::from_secret(&SecretKey::from_bytes(&[9; 32])?);
/// let signed = schnorr::sign_checked(b"a message", &key, &[0x17; 32], SelfCheck::On);
/// assert_eq!(signed, Ok(schnorr::sign(b"a message", &key, &[0x17; 32])));
/// # Ok::<(), windlass::ParseError>(())
/// ```
pub fn sign_checked(
    message: &[u8],
    key: &Keypair,
    aux: &[u8; 32],
    self_check: SelfCheck,
) -> Result<Signature, SigningFault> {
    let (secret, public) = (&key.secret().0, &key.public().0);
    with_backends!(b => sig::schnorr::sign_checked::<Secp256k1, _>(b, message, secret, public, aux, self_check))
}

/// Signs a message without auxiliary randomness: as with 32 zero bytes of it, and as libsecp256k1 does for a null pointer.
/// Equal inputs give equal signatures.
pub fn sign_no_aux(message: &[u8], key: &Keypair) -> Signature {
    sign(message, key, &[0; 32])
}

/// Does the signature of this message verify under the key? All of BIP340's checks are made, the even y of R included.
///
/// # Errors
/// [`Invalid`] if it does not, whatever the reason.
pub fn verify(message: &[u8], signature: &Signature, key: &XOnlyPublicKey) -> Result<(), Invalid> {
    with_backends!(b => sig::schnorr::verify(b, message, signature, &key.0))
}

/// [`verify`] for a key as its 32 bytes stand.
///
/// # Errors
/// [`Invalid`] also if the bytes are no key.
pub fn verify_bytes(message: &[u8], signature: &[u8; 64], key: &[u8; 32]) -> Result<(), Invalid> {
    let key = XOnlyPublicKey::from_bytes(key).map_err(|_| Invalid)?;
    verify(message, &Signature(*signature), &key)
}
