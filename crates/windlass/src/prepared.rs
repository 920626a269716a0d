//! Keys with a kept table, for those who verify many signatures of one signer, one at a time.

use crate::engine::with_backends;
use crate::{Invalid, LowS, PublicKey, XOnlyPublicKey, ecdsa, schnorr};
use core::fmt;
use curve::{PreparedPoint, Secp256k1};
use sig::sha256;

/// A public key with a table of its multiples: verification without a doubling.
///
/// The table takes [`TABLE_BYTES`](Self::TABLE_BYTES) of memory, 76 KiB, never more, and is made once, in about the time of nine
/// verifications (engine `ifma`: six). Then each takes three fifths of its time (engine `ifma`: two fifths), so that it pays
/// from some twenty of them on (engine `ifma`: ten). It serves every engine. Verdicts are those of
/// [`ecdsa::verify_digest`] and [`schnorr::verify`], always. Variable time, as all that is public.
///
/// Nothing is kept behind the caller's back: who has many signers decides which keys are worth their memory. Many signatures
/// that are there at once are faster by [`many`](crate::many), whoever signed them.
///
/// ```
/// use windlass::{Keypair, LowS, PreparedKey, SecretKey, ecdsa, schnorr};
///
/// let pair = Keypair::from_secret(&SecretKey::from_bytes(&[0x42; 32])?);
/// let author = PreparedKey::new(pair.public());
/// for message in [b"first", b"other"] {
///     let signature = schnorr::sign(message, &pair, &[0x17; 32]);
///     assert!(author.verify_schnorr(message, &signature).is_ok());
///     let signature = ecdsa::sign_message(message, pair.secret());
///     assert!(author.verify_ecdsa_message(message, &signature, LowS::Required).is_ok());
///     assert!(author.verify_ecdsa_message(b"third", &signature, LowS::Required).is_err());
/// }
/// # Ok::<(), windlass::ParseError>(())
/// ```
#[derive(Clone)]
pub struct PreparedKey(PreparedPoint<Secp256k1>);

impl fmt::Debug for PreparedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PreparedKey").field(&self.public_key()).finish()
    }
}

impl PreparedKey {
    /// The table's size in memory, the same for every key.
    pub const TABLE_BYTES: usize = PreparedPoint::<Secp256k1>::TABLE_BYTES;

    /// Makes the key's table, on the heap.
    pub fn new(key: &PublicKey) -> Self {
        Self(with_backends!(b => PreparedPoint::new(b, &key.0)))
    }

    /// [`new`](Self::new) for an x-only key: that of even y.
    pub fn from_x_only(key: &XOnlyPublicKey) -> Self {
        Self(with_backends!(b => PreparedPoint::new(b, key.0.point())))
    }

    /// The key.
    pub fn public_key(&self) -> PublicKey {
        PublicKey(*self.0.point())
    }

    /// [`ecdsa::verify_digest`] under this key.
    ///
    /// # Errors
    /// As there.
    pub fn verify_ecdsa_digest(
        &self,
        digest: &[u8; 32],
        signature: &ecdsa::Signature,
        low_s: LowS,
    ) -> Result<(), Invalid> {
        with_backends!(b => sig::ecdsa::verify_digest_prepared(b, digest, &signature.0, &self.0, low_s))
    }

    /// [`ecdsa::verify_message`] under this key.
    ///
    /// # Errors
    /// As there.
    pub fn verify_ecdsa_message(
        &self,
        message: &[u8],
        signature: &ecdsa::Signature,
        low_s: LowS,
    ) -> Result<(), Invalid> {
        self.verify_ecdsa_digest(&sha256(message), signature, low_s)
    }

    /// [`schnorr::verify`] under the x-only key of this one, whatever the parity of its y.
    ///
    /// # Errors
    /// As there.
    pub fn verify_schnorr(&self, message: &[u8], signature: &schnorr::Signature) -> Result<(), Invalid> {
        with_backends!(b => sig::schnorr::verify_prepared(b, message, signature, &self.0))
    }
}
