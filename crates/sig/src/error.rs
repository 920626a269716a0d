//! What can go wrong, as far as a caller can act on it.

use core::fmt;
use curve::encode::DecodeError;

/// Bytes or a text that are not what they should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseError {
    /// The number of bytes is wrong.
    Length,
    /// A scalar is 0 or at least n where that is not allowed, or a coordinate is at least p.
    OutOfRange,
    /// No point of the curve has this x, or (x, y) is not on the curve.
    NotOnCurve,
    /// The point at infinity, which is no key.
    Infinity,
    /// The prefix byte is unknown, not allowed here, or does not agree with y (hybrid encodings).
    Prefix,
    /// The DER encoding breaks a rule at this offset.
    Der(usize),
    /// The text is not base58 with a right checksum, or its version bytes or fields are not those of an extended key.
    Base58,
    /// The text is no derivation path.
    Path,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => f.write_str("wrong length"),
            Self::OutOfRange => f.write_str("number out of range"),
            Self::NotOnCurve => f.write_str("not a point of the curve"),
            Self::Infinity => f.write_str("the point at infinity"),
            Self::Prefix => f.write_str("unknown or wrong prefix byte"),
            Self::Der(offset) => write!(f, "not DER at byte {offset}"),
            Self::Base58 => f.write_str("not an extended key in base58check"),
            Self::Path => f.write_str("not a derivation path"),
        }
    }
}

impl core::error::Error for ParseError {}

impl From<DecodeError> for ParseError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::Length => Self::Length,
            DecodeError::OutOfRange => Self::OutOfRange,
            DecodeError::NotOnCurve => Self::NotOnCurve,
            DecodeError::Infinity => Self::Infinity,
            DecodeError::Prefix | DecodeError::Parity => Self::Prefix,
        }
    }
}

/// Well-formed, but it does not verify. Zero-sized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invalid;

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("does not verify")
    }
}

impl core::error::Error for Invalid {}

/// A tweak is out of range, or the tweaked key or the sum is zero or the point at infinity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TweakError;

impl fmt::Display for TweakError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tweak is out of range or its result is no key")
    }
}

impl core::error::Error for TweakError {}

/// A signature that was just made does not verify: the computation went wrong, or the two keys do not belong together. It was not
/// handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SigningFault;

impl fmt::Display for SigningFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the new signature does not verify")
    }
}

impl core::error::Error for SigningFault {}
