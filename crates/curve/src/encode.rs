//! Points as bytes: SEC 1 v2.0, sections 2.3.3 and 2.3.4, and x alone (BIP340).
//!
//! | form | bytes |
//! |---|---|
//! | compressed | 02 or 03 (the parity of y), x |
//! | uncompressed | 04, x, y |
//! | hybrid | 06 or 07 (the parity of y), x, y |
//!
//! Coordinates are big-endian, of the field's length. Strict: every form has its own function, a coordinate that is not below p
//! is refused, as is infinity (a single byte 00, or zeros). The hybrid form is read by its own name only and never written.
//! Vartime in the encoded point, which is public.

use crate::params::CurveParams;
use crate::point::{AffinePoint, right_side};
use arith::limbs;
use core::fmt;
use field::ops::WordsOf;
use field::{ByteArray, FieldOps, Mask, Prime, Row};

/// Why bytes are no point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// The number of bytes is not that of the form.
    Length,
    /// The first byte is not one of the form.
    Prefix,
    /// A coordinate is not below p.
    OutOfRange,
    /// No point has these coordinates.
    NotOnCurve,
    /// The encoding of infinity.
    Infinity,
    /// The prefix and y disagree about y's parity (hybrid).
    Parity,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "wrong number of bytes for this form of a point",
            Self::Prefix => "wrong first byte for this form of a point",
            Self::OutOfRange => "a coordinate is not below the field's prime",
            Self::NotOnCurve => "no point of the curve has these coordinates",
            Self::Infinity => "the point at infinity",
            Self::Parity => "the parity of y is not the one that the first byte states",
        })
    }
}
impl core::error::Error for DecodeError {}

/// y mod 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parity {
    /// 0.
    Even,
    /// 1.
    Odd,
}

impl Parity {
    /// The parity of a number whose lowest bit is `odd`.
    #[inline(always)]
    pub fn from_is_odd(odd: bool) -> Self {
        if odd { Self::Odd } else { Self::Even }
    }
}

/// Bytes of a coordinate.
const fn coordinate_bytes<C: CurveParams>() -> usize {
    <<C::Field as Prime>::Bytes as ByteArray>::LEN
}

/// A coordinate of exactly the field's length, below p.
#[inline]
fn coordinate<C: CurveParams>(bytes: &[u8]) -> Result<WordsOf<C::Field>, DecodeError> {
    if bytes.len() != coordinate_bytes::<C>() {
        return Err(DecodeError::Length);
    }
    let words = limbs::from_be_bytes(bytes).ok_or(DecodeError::Length)?;
    if limbs::less_than(&words, &C::Field::MODULUS.m) { Ok(words) } else { Err(DecodeError::OutOfRange) }
}

/// The prefix and what follows it.
#[inline]
fn split(bytes: &[u8]) -> Result<(u8, &[u8]), DecodeError> {
    match bytes {
        [] => Err(DecodeError::Length),
        [0] => Err(DecodeError::Infinity),
        [prefix, rest @ ..] => Ok((*prefix, rest)),
    }
}

/// The point with this x and a y of this parity. One square root.
///
/// # Errors
/// [`DecodeError::OutOfRange`] unless x < p, [`DecodeError::NotOnCurve`] if no point has it.
#[inline]
pub fn lift_x<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    x: &WordsOf<C::Field>,
    parity: Parity,
) -> Result<AffinePoint<C>, DecodeError> {
    if !limbs::less_than(x, &C::Field::MODULUS.m) {
        return Err(DecodeError::OutOfRange);
    }
    let (y, is_square) = C::sqrt(f, &right_side::<C, F>(f, &f.constant(x)));
    if is_square.and(Mask(1)) == Mask(0) {
        return Err(DecodeError::NotOnCurve);
    }
    let point = AffinePoint::from_computed(Row { x: *x, y: f.store(&y, 0) });
    Ok(if point.y_parity() == parity as u64 { point } else { point.negate() })
}

/// The point of an x-only key: that with an even y (BIP340).
///
/// # Errors
/// [`DecodeError::Length`], [`DecodeError::OutOfRange`], [`DecodeError::NotOnCurve`].
#[inline]
pub fn parse_x_only<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    bytes: &[u8],
) -> Result<AffinePoint<C>, DecodeError> {
    lift_x(f, &coordinate::<C>(bytes)?, Parity::Even)
}

/// The point of a compressed encoding.
///
/// # Errors
/// [`DecodeError`], not `Parity`.
#[inline]
pub fn parse_compressed<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    bytes: &[u8],
) -> Result<AffinePoint<C>, DecodeError> {
    let (prefix, x) = split(bytes)?;
    if x.len() != coordinate_bytes::<C>() {
        return Err(DecodeError::Length);
    }
    let parity = match prefix {
        2 => Parity::Even,
        3 => Parity::Odd,
        _ => return Err(DecodeError::Prefix),
    };
    lift_x(f, &coordinate::<C>(x)?, parity)
}

/// The point of two coordinates behind a prefix.
#[inline]
fn parse_both<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    bytes: &[u8],
    prefixes: &[u8],
) -> Result<(u8, AffinePoint<C>), DecodeError> {
    let (prefix, coordinates) = split(bytes)?;
    if coordinates.len() != 2 * coordinate_bytes::<C>() {
        return Err(DecodeError::Length);
    }
    if !prefixes.contains(&prefix) {
        return Err(DecodeError::Prefix);
    }
    let (x, y) = coordinates.split_at(coordinate_bytes::<C>());
    Ok((prefix, AffinePoint::from_coordinates(f, &coordinate::<C>(x)?, &coordinate::<C>(y)?)?))
}

/// The point of an uncompressed encoding.
///
/// # Errors
/// [`DecodeError`], not `Parity`.
#[inline]
pub fn parse_uncompressed<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    bytes: &[u8],
) -> Result<AffinePoint<C>, DecodeError> {
    parse_both(f, bytes, &[4]).map(|(_, point)| point)
}

/// The point of a hybrid encoding, whose prefix states y's parity.
///
/// # Errors
/// [`DecodeError`]; `Parity` where the prefix is wrong about y.
#[inline]
pub fn parse_hybrid<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    bytes: &[u8],
) -> Result<AffinePoint<C>, DecodeError> {
    let (prefix, point) = parse_both(f, bytes, &[6, 7])?;
    if u64::from(prefix & 1) == point.y_parity() { Ok(point) } else { Err(DecodeError::Parity) }
}

/// x, big-endian.
#[inline]
pub fn x_bytes<C: CurveParams>(point: &AffinePoint<C>) -> <C::Field as Prime>::Bytes {
    let mut bytes = <C::Field as Prime>::Bytes::ZERO;
    limbs::to_be_bytes(point.x_words(), bytes.as_mut());
    bytes
}

/// The compressed encoding over a field of 32 bytes. Constant time.
#[inline]
pub fn to_compressed<C: CurveParams<Field: Prime<Bytes = [u8; 32]>>>(point: &AffinePoint<C>) -> [u8; 33] {
    let mut out = [0; 33];
    out[0] = 2 | point.y_parity() as u8;
    limbs::to_be_bytes(point.x_words(), &mut out[1..]);
    out
}

/// The uncompressed encoding over a field of 32 bytes. Constant time.
#[inline]
pub fn to_uncompressed<C: CurveParams<Field: Prime<Bytes = [u8; 32]>>>(point: &AffinePoint<C>) -> [u8; 65] {
    let mut out = [4; 65];
    limbs::to_be_bytes(point.x_words(), &mut out[1..33]);
    limbs::to_be_bytes(point.y_words(), &mut out[33..]);
    out
}

#[cfg(test)]
mod tests;
