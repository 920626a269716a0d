//! Signatures for test data, a million a second or so: by keys and with nonces that everybody knows.
//!
//! They verify like all others. **Whoever knows a nonce has the key**, so a key is made for this purpose alone: [`KnownKey`],
//! which no [`SecretKey`] becomes.
//!
//! ```
//! use windlass::vartime::known_nonces::{KnownKey, consecutive};
//! use windlass::schnorr;
//!
//! let key = KnownKey::from_bytes(&[1; 32])?;
//! let (public, _) = key.public().x_only();
//! for nonce in consecutive(&[2; 32], 100) {
//!     let signature = nonce.sign_schnorr(b"a sample", &key);
//!     assert!(schnorr::verify(b"a sample", &signature, &public).is_ok());
//! }
//! # Ok::<(), windlass::ParseError>(())
//! ```

use super::scalar;
use crate::ecdsa::{self, RecoveryId};
use crate::engine::with_engine;
use crate::{Keypair, ParseError, PublicInteger, PublicKey, SecretKey, schnorr};
use alloc::vec::Vec;
use curve::Secp256k1;

/// A key pair whose secret half everybody knows.
pub struct KnownKey(Keypair);

impl KnownKey {
    /// The pair of this secret, 32 bytes big-endian.
    ///
    /// # Errors
    /// [`ParseError::OutOfRange`] for 0 and for n and above.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, ParseError> {
        SecretKey::from_bytes(bytes).map(|key| Self(Keypair::from_secret(&key)))
    }

    /// The public half.
    pub fn public(&self) -> &PublicKey {
        self.0.public()
    }
}

/// A nonce k that everybody knows, with 1/k and k·G.
#[derive(Clone, Copy, Debug)]
pub struct KnownNonce(sig::known_nonces::KnownNonce<Secp256k1>);

/// The nonces `first`, `first` + 1, … mod n, 32 bytes big-endian; `count` of them, or one less where 0 is among them.
pub fn consecutive(first: &[u8; 32], count: usize) -> Vec<KnownNonce> {
    let nonces = with_engine!(f => sig::known_nonces::consecutive::<Secp256k1, _>(f, &scalar(first), count));
    nonces.into_iter().map(KnownNonce).collect()
}

impl KnownNonce {
    /// A BIP340 signature of a message.
    pub fn sign_schnorr(&self, message: &[u8], key: &KnownKey) -> schnorr::Signature {
        self.0.sign_schnorr(message, &key.0.secret().0, &key.0.public().0)
    }

    /// An ECDSA signature of a digest, with the lower s, and the id by which [`ecdsa::recover`] finds the key. `None` if s is 0:
    /// once in 2^256, another digest or nonce is due.
    pub fn sign_digest(&self, digest: &[u8; 32], key: &KnownKey) -> Option<(ecdsa::Signature, RecoveryId)> {
        let z = PublicInteger::from_be_bytes_reduced(digest);
        self.0.sign_ecdsa(&z, &key.0.secret().0).map(|(signature, id)| (ecdsa::Signature(signature), id))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::LowS;

    #[test]
    fn signatures_verify() {
        let key = KnownKey::from_bytes(&[7; 32]).unwrap();
        let nonces = consecutive(&[0xFF; 32], 20);
        assert_eq!(nonces.len(), 20);
        for (i, nonce) in nonces.iter().enumerate() {
            let digest = [i as u8; 32];
            let (signature, id) = nonce.sign_digest(&digest, &key).unwrap();
            assert!(ecdsa::verify_digest(&digest, &signature, key.public(), LowS::Required).is_ok());
            assert_eq!(ecdsa::recover(&digest, &signature, id).unwrap(), *key.public());
            let signature = nonce.sign_schnorr(&digest, &key);
            assert!(schnorr::verify(&digest, &signature, &key.public().x_only().0).is_ok());
        }
    }
}
