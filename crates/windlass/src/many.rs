//! Many signatures at once: one call, and a verdict for each row.
//!
//! A row's verdict is what the functions for one signature answer, whatever the other rows are, however many there are and
//! however little memory there is. Rows of all kinds may be mixed.
//!
//! ```
//! use windlass::many::{Row, Verdict, verify_many};
//! use windlass::{Keypair, LowS, SecretKey, ecdsa, schnorr};
//!
//! let pair = Keypair::from_secret(&SecretKey::from_bytes(&[0x42; 32])?);
//! let (digest, key) = ([0x17; 32], pair.public().to_compressed());
//! let signed = ecdsa::sign_digest(&digest, pair.secret());
//! let event = schnorr::sign(b"an event", &pair, &[0x99; 32]);
//! let author = pair.x_only().0.to_bytes();
//!
//! let verdicts = verify_many(&[
//!     Row::Ecdsa { digest: &digest, signature: (&signed).into(), key: key[..].into(), low_s: LowS::Required },
//!     Row::Schnorr { message: b"an event", signature: &event.0, key: (&author).into() },
//!     Row::Schnorr { message: b"another", signature: &event.0, key: (&author).into() },
//! ]);
//! assert!(!verdicts.all_valid());
//! assert_eq!(verdicts.as_slice(), [Verdict::Valid, Verdict::Valid, Verdict::Invalid]);
//! # Ok::<(), windlass::ParseError>(())
//! ```
//!
//! Variable time: signatures, messages and keys are public. No thread is started; a caller with several cores gives each a part
//! of its rows.

use crate::engine::{with_backends, with_engine};
use crate::{Invalid, LowS, Parity, ParseError, PublicInteger, PublicKey, XOnlyPublicKey, ecdsa};
use alloc::vec;
use alloc::vec::Vec;
use curve::Secp256k1;
use field::secp256k1::GroupOrder;

pub use sig::many::Verdict;

/// A key whose point is not looked for yet.
type Encoded = curve::encode::Encoded<Secp256k1>;

/// The memory that [`verify_many`] works in at most, beside rows and verdicts: 16 MiB. More is hardly faster.
pub const DEFAULT_MEMORY_BYTES: usize = 16 << 20;

/// Keys that are recovered together: the most memory that it takes.
#[doc(hidden)]
pub const RECOVERED_TOGETHER: usize = 1024;

/// A public key, parsed or as its SEC 1 encoding stands.
#[derive(Clone, Copy, Debug)]
pub enum Key<'a> {
    /// A key that is parsed.
    Parsed(&'a PublicKey),
    /// 33 bytes compressed or 65 uncompressed, as [`PublicKey::parse`] takes them.
    Sec1(&'a [u8]),
}

impl<'a> From<&'a PublicKey> for Key<'a> {
    fn from(key: &'a PublicKey) -> Self {
        Self::Parsed(key)
    }
}

impl<'a> From<&'a [u8]> for Key<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Sec1(bytes)
    }
}

impl Key<'_> {
    #[inline(always)]
    fn encoded(self) -> Result<Encoded, ParseError> {
        match self {
            Self::Parsed(key) => Ok(Encoded::Point(key.0)),
            Self::Sec1(bytes) => sig::keys::encoded_public(bytes),
        }
    }
}

/// A key of BIP340, parsed or as its 32 bytes stand.
#[derive(Clone, Copy, Debug)]
pub enum XOnlyKey<'a> {
    /// A key that is parsed.
    Parsed(&'a XOnlyPublicKey),
    /// x, big-endian.
    Bytes(&'a [u8; 32]),
}

impl<'a> From<&'a XOnlyPublicKey> for XOnlyKey<'a> {
    fn from(key: &'a XOnlyPublicKey) -> Self {
        Self::Parsed(key)
    }
}

impl<'a> From<&'a [u8; 32]> for XOnlyKey<'a> {
    fn from(bytes: &'a [u8; 32]) -> Self {
        Self::Bytes(bytes)
    }
}

impl XOnlyKey<'_> {
    #[inline(always)]
    fn encoded(self) -> Result<Encoded, ParseError> {
        match self {
            Self::Parsed(key) => Ok(Encoded::Point(*key.0.point())),
            Self::Bytes(bytes) => Ok(Encoded::from_x_only(bytes)?),
        }
    }
}

/// An ECDSA signature, parsed or as its bytes stand.
#[derive(Clone, Copy, Debug)]
pub enum EcdsaSignature<'a> {
    /// A signature that is parsed.
    Parsed(&'a ecdsa::Signature),
    /// r ‖ s, big-endian, as [`ecdsa::Signature::from_compact`] takes them.
    Compact(&'a [u8; 64]),
    /// Strict DER, as [`ecdsa::Signature::from_der`] takes it.
    Der(&'a [u8]),
}

impl<'a> From<&'a ecdsa::Signature> for EcdsaSignature<'a> {
    fn from(signature: &'a ecdsa::Signature) -> Self {
        Self::Parsed(signature)
    }
}

impl EcdsaSignature<'_> {
    fn parse(self) -> Result<ecdsa::Signature, ParseError> {
        match self {
            Self::Parsed(signature) => Ok(*signature),
            Self::Compact(bytes) => ecdsa::Signature::from_compact(bytes),
            Self::Der(bytes) => ecdsa::Signature::from_der(bytes),
        }
    }
}

/// What is to be verified. A row only borrows; it is cheap to copy.
#[derive(Clone, Copy, Debug)]
pub enum Row<'a> {
    /// What [`ecdsa::verify_digest`] verifies.
    Ecdsa {
        /// The digest that was signed.
        digest: &'a [u8; 32],
        /// The signature.
        signature: EcdsaSignature<'a>,
        /// The signer's key.
        key: Key<'a>,
        /// Is s of the upper half refused?
        low_s: LowS,
    },
    /// ECDSA where the id of [`ecdsa::recover`] is known beside the key: valid if the key is the one that is recovered. Faster
    /// than [`Row::Ecdsa`] where there are many. An id that is not the signature's makes the row invalid.
    EcdsaRecoverable {
        /// The digest that was signed.
        digest: &'a [u8; 32],
        /// The signature.
        signature: EcdsaSignature<'a>,
        /// Which point the nonce gave.
        id: ecdsa::RecoveryId,
        /// The signer's key.
        key: Key<'a>,
        /// Is s of the upper half refused?
        low_s: LowS,
    },
    /// What [`schnorr::verify`](crate::schnorr::verify) verifies.
    Schnorr {
        /// The message that was signed, of any length.
        message: &'a [u8],
        /// The signature: x(R), then s.
        signature: &'a [u8; 64],
        /// The signer's key.
        key: XOnlyKey<'a>,
    },
    /// What BIP341 wants of a taproot output: its key is the internal key tweaked by the script tree's root, as
    /// [`taproot::output_key`](crate::taproot::output_key) does it.
    TaprootTweak {
        /// The internal key P.
        internal: XOnlyKey<'a>,
        /// The root of the script tree, if there is one.
        merkle_root: Option<&'a [u8; 32]>,
        /// x of the output key.
        output: &'a [u8; 32],
        /// The parity of the output key's y, as the control block has it.
        parity: Parity,
    },
}

/// The verdicts of some rows, in the rows' order.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "a verdict that nobody looks at verifies nothing"]
pub struct Verdicts(Vec<Verdict>);

impl Verdicts {
    /// Does every row verify? True for no rows.
    #[must_use]
    pub fn all_valid(&self) -> bool {
        self.0.iter().all(|verdict| verdict.is_valid())
    }

    /// The verdict of a row, `None` behind the last.
    #[must_use]
    pub fn get(&self, row: usize) -> Option<Verdict> {
        self.0.get(row).copied()
    }

    /// All verdicts, one a row.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Verdict> + DoubleEndedIterator + '_ {
        self.0.iter().copied()
    }

    /// All verdicts, one a row.
    #[must_use]
    pub fn as_slice(&self) -> &[Verdict] {
        &self.0
    }

    /// How many rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Are there no rows?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Verifies all rows.
pub fn verify_many(rows: &[Row<'_>]) -> Verdicts {
    verify_many_within(rows, DEFAULT_MEMORY_BYTES)
}

/// Verifies all rows in at most as much memory as given, beside the rows and the verdicts. Less than 2 MiB counts as that; the
/// verdicts are the same.
pub fn verify_many_within(rows: &[Row<'_>], memory_bytes: usize) -> Verdicts {
    let mut verdicts = vec![Verdict::Invalid; rows.len()];
    let entropy = if rows.len() < sig::many::SUMMED_FROM { None } else { entropy() };
    with_backends!(b => sig::many::verify(b, rows, |row| view(row), entropy.as_ref(), memory_bytes, &mut verdicts));
    Verdicts(verdicts)
}

/// Random bytes of the operating system, if it has some.
#[cfg(feature = "std")]
fn entropy() -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok().map(|()| bytes)
}

#[cfg(not(feature = "std"))]
fn entropy() -> Option<[u8; 32]> {
    None
}

/// What a row is, or its verdict if that is plain.
#[inline(always)]
fn view<'a>(row: &'a Row<'_>) -> Result<sig::many::Row<'a, Secp256k1>, Verdict> {
    let malformed = Verdict::Malformed;
    Ok(match *row {
        Row::Ecdsa { digest, signature, key, low_s } => {
            let (key, signature) = key_and_signature(key, signature)?;
            sig::many::Row::Ecdsa { digest, signature, key, low_s }
        }
        Row::EcdsaRecoverable { digest, signature, id, key, low_s } => {
            let (key, signature) = key_and_signature(key, signature)?;
            sig::many::Row::EcdsaRecoverable(sig::ecdsa::RecoverableRow { digest, signature, id, key, low_s })
        }
        Row::Schnorr { message, signature, key } => {
            sig::many::Row::Schnorr { message, signature, key: key.encoded().map_err(malformed)? }
        }
        Row::TaprootTweak { internal, merkle_root, output, parity } => {
            let internal = internal.encoded().map_err(malformed)?;
            sig::many::Row::TaprootTweak { internal, merkle_root, output, parity }
        }
    })
}

/// Both, or the error of the key, or else of the signature.
fn key_and_signature(
    key: Key<'_>,
    signature: EcdsaSignature<'_>,
) -> Result<(Encoded, sig::ecdsa::Signature<GroupOrder>), Verdict> {
    let key = key.encoded().map_err(Verdict::Malformed)?;
    match signature.parse() {
        Ok(signature) => Ok((key, signature.0)),
        // Whether the key is a point is only asked here.
        Err(error) => match with_engine!(f => key.decode(f)) {
            Ok(_) => Err(Verdict::Malformed(error)),
            Err(no_key) => Err(Verdict::Malformed(no_key.into())),
        },
    }
}

/// A signature whose key is to be recovered.
#[derive(Clone, Copy, Debug)]
pub struct RecoverRow<'a> {
    /// The digest that was signed.
    pub digest: &'a [u8; 32],
    /// The signature.
    pub signature: &'a ecdsa::Signature,
    /// Which point the nonce gave.
    pub id: ecdsa::RecoveryId,
}

/// The keys under which some signatures verify, each as [`ecdsa::recover`] finds it, in the rows' order.
///
/// ```
/// use windlass::many::{RecoverRow, recover_many};
/// use windlass::{SecretKey, ecdsa};
/// let (key, digest) = (SecretKey::from_bytes(&[9; 32])?, [0x33; 32]);
/// let (signature, id) = ecdsa::sign_digest_recoverable(&digest, &key);
/// let keys = recover_many(&[RecoverRow { digest: &digest, signature: &signature, id }; 3]);
/// assert_eq!(keys, [Ok(key.public_key()); 3]);
/// # Ok::<(), windlass::ParseError>(())
/// ```
pub fn recover_many(rows: &[RecoverRow<'_>]) -> Vec<Result<PublicKey, Invalid>> {
    let mut keys = Vec::with_capacity(rows.len());
    let mut chunk = Vec::with_capacity(rows.len().min(RECOVERED_TOGETHER));
    let mut points = vec![Err(Invalid); rows.len().min(RECOVERED_TOGETHER)];
    for rows in rows.chunks(RECOVERED_TOGETHER) {
        chunk.clear();
        chunk.extend(rows.iter().map(|row| sig::ecdsa::RecoverRow {
            z: PublicInteger::from_digest(row.digest),
            signature: row.signature.0,
            id: row.id,
        }));
        with_backends!(b => sig::ecdsa::recover_each::<Secp256k1, _>(b, &chunk, &mut points));
        keys.extend(points.iter().take(rows.len()).map(|point| point.map(PublicKey)));
    }
    keys
}

/// The numbers of rows, in ascending order, from which on the engine in use does something in another way than for one less.
#[doc(hidden)]
#[must_use]
pub fn crossovers() -> Vec<usize> {
    with_backends!(b => sig::many::crossovers::<Secp256k1, _>(b, DEFAULT_MEMORY_BYTES))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::{Keypair, SecretKey, schnorr, taproot};

    /// Every kind of row, each also with a fault, each with the verdict of its single function.
    #[test]
    fn kinds_and_faults() {
        let pair = Keypair::from_secret(&SecretKey::from_bytes(&[7; 32]).unwrap());
        let (public, digest, other) = (*pair.public(), [0x55; 32], [0x56; 32]);
        let (signature, id) = ecdsa::sign_digest_recoverable(&digest, pair.secret());
        let (compact, der) = (signature.to_compact(), signature.to_der());
        let (low_s, key) = (LowS::Required, Key::Parsed(&public));
        let wrong_id = ecdsa::RecoveryId::from_u8(id.to_u8() ^ 1).unwrap();
        let schnorr = schnorr::sign_no_aux(&digest, &pair);
        let internal = pair.x_only().0;
        let (output, parity) = taproot::output_key(&internal, None).unwrap();
        let output = output.to_bytes();
        let zero = [0; 64];
        let verify = |row| verify_many(&[row]).get(0);
        for (row, verdict) in [
            (Row::Ecdsa { digest: &digest, signature: EcdsaSignature::Compact(&compact), key, low_s }, Verdict::Valid),
            (Row::Ecdsa { digest: &digest, signature: EcdsaSignature::Der(&der), key, low_s }, Verdict::Valid),
            (Row::Ecdsa { digest: &other, signature: (&signature).into(), key, low_s }, Verdict::Invalid),
            (
                Row::Ecdsa { digest: &digest, signature: EcdsaSignature::Compact(&zero), key, low_s },
                Verdict::Malformed(ParseError::OutOfRange),
            ),
            (
                Row::Ecdsa { digest: &digest, signature: (&signature).into(), key: [0][..].into(), low_s },
                Verdict::Malformed(ParseError::Infinity),
            ),
            (Row::EcdsaRecoverable { digest: &digest, signature: (&signature).into(), id, key, low_s }, Verdict::Valid),
            (
                Row::EcdsaRecoverable { digest: &digest, signature: (&signature).into(), id: wrong_id, key, low_s },
                Verdict::Invalid,
            ),
            (Row::Schnorr { message: &digest, signature: &schnorr.0, key: (&internal).into() }, Verdict::Valid),
            (Row::Schnorr { message: &other, signature: &schnorr.0, key: (&internal).into() }, Verdict::Invalid),
            (
                Row::Schnorr { message: &digest, signature: &schnorr.0, key: (&[0xFF; 32]).into() },
                Verdict::Malformed(ParseError::OutOfRange),
            ),
            (
                Row::TaprootTweak { internal: (&internal).into(), merkle_root: None, output: &output, parity },
                Verdict::Valid,
            ),
            (
                Row::TaprootTweak { internal: (&internal).into(), merkle_root: Some(&other), output: &output, parity },
                Verdict::Invalid,
            ),
        ] {
            assert_eq!(verify(row), Some(verdict), "{row:?}");
        }
    }

    /// Each call draws its own randomness, so one batch has other weights each time: `sig` tests what depends on it.
    #[cfg(feature = "std")]
    #[test]
    fn randomness_is_drawn_anew() {
        let drawn: Vec<[u8; 32]> = (0..100).filter_map(|_| entropy()).collect();
        let (mut distinct, all) = (drawn.clone(), drawn.len());
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!((distinct.len(), all), (100, 100));
    }

    #[test]
    fn no_rows() {
        let none = verify_many(&[]);
        assert!(none.all_valid() && none.is_empty() && none.get(0).is_none());
        assert!(recover_many(&[]).is_empty());
    }
}
