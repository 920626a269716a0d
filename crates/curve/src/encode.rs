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

use crate::lanes::LANE_NUMBERS;
use crate::params::CurveParams;
use crate::point::{Affine, AffinePoint, right_side};
use arith::limbs;
use core::fmt;
use field::ops::{MAX_LANES, WordsOf};
use field::{ByteArray, FieldOps, Mask, Prime, Row, Task};

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

/// A point as an encoding names it: every coordinate is below p, the curve's equation is not checked yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoded<C: CurveParams> {
    /// A point of the curve already.
    Point(AffinePoint<C>),
    /// x and the parity of y.
    Lift(WordsOf<C::Field>, Parity),
    /// Both coordinates.
    Check(Row<WordsOf<C::Field>>),
}

impl<C: CurveParams> Encoded<C> {
    /// x of an x-only key, whose y is even (BIP340).
    ///
    /// # Errors
    /// [`DecodeError::Length`], [`DecodeError::OutOfRange`].
    #[inline]
    pub fn from_x_only(bytes: &[u8]) -> Result<Self, DecodeError> {
        Ok(Self::Lift(coordinate::<C>(bytes)?, Parity::Even))
    }

    /// The coordinate and the parity of a compressed encoding.
    ///
    /// # Errors
    /// [`DecodeError`], not `NotOnCurve` or `Parity`.
    #[inline]
    pub fn from_compressed(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (prefix, x) = split(bytes)?;
        if x.len() != coordinate_bytes::<C>() {
            return Err(DecodeError::Length);
        }
        let parity = match prefix {
            2 => Parity::Even,
            3 => Parity::Odd,
            _ => return Err(DecodeError::Prefix),
        };
        Ok(Self::Lift(coordinate::<C>(x)?, parity))
    }

    /// The coordinates of an uncompressed encoding.
    ///
    /// # Errors
    /// [`DecodeError`], not `NotOnCurve` or `Parity`.
    #[inline]
    pub fn from_uncompressed(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::from_both(bytes, &[4]).map(|(_, encoded)| encoded)
    }

    /// Two coordinates behind a prefix.
    #[inline]
    fn from_both(bytes: &[u8], prefixes: &[u8]) -> Result<(u8, Self), DecodeError> {
        let (prefix, coordinates) = split(bytes)?;
        if coordinates.len() != 2 * coordinate_bytes::<C>() {
            return Err(DecodeError::Length);
        }
        if !prefixes.contains(&prefix) {
            return Err(DecodeError::Prefix);
        }
        let (x, y) = coordinates.split_at(coordinate_bytes::<C>());
        Ok((prefix, Self::Check(Row { x: coordinate::<C>(x)?, y: coordinate::<C>(y)? })))
    }

    /// x, little-endian words.
    #[inline]
    pub fn x_words(&self) -> &WordsOf<C::Field> {
        match self {
            Self::Point(point) => point.x_words(),
            Self::Lift(x, _) => x,
            Self::Check(row) => &row.x,
        }
    }

    /// The point. A square root where there is only x.
    ///
    /// # Errors
    /// [`DecodeError::NotOnCurve`] if no point has these coordinates, [`DecodeError::OutOfRange`] if one is not below p after all.
    #[inline]
    pub fn decode<F: FieldOps<Prime = C::Field>>(&self, f: F) -> Result<AffinePoint<C>, DecodeError> {
        match self {
            Self::Point(point) => Ok(*point),
            Self::Lift(x, parity) => lift_x(f, x, *parity),
            Self::Check(row) => AffinePoint::from_coordinates(f, &row.x, &row.y),
        }
    }

    /// The points in lanes, and the lanes in which there is one; in the others, missing ones among them, stands G. `encoded` has
    /// at most LANES elements. One square root in lanes if a lane needs one.
    #[inline]
    pub fn decode_each<F: FieldOps<Prime = C::Field>>(f: F, encoded: &[Self]) -> (Affine<F>, Mask) {
        f.outline(DecodeEach { f, encoded })
    }
}

struct DecodeEach<'a, C: CurveParams, F> {
    f: F,
    encoded: &'a [Encoded<C>],
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for DecodeEach<'_, C, F> {
    type Out = (Affine<F>, Mask);

    #[inline(always)]
    fn run(self) -> Self::Out {
        let Self { f, encoded } = self;
        let mut rows = [C::GENERATOR; MAX_LANES];
        let (mut lift, mut check, mut odd, mut good) = (0, 0, 0, 0);
        for (lane, (row, encoded)) in rows[..F::LANES].iter_mut().zip(encoded).enumerate() {
            let below_p = |words| u32::from(limbs::less_than(words, &C::Field::MODULUS.m)) << lane;
            match encoded {
                Encoded::Point(point) => {
                    *row = *point.row();
                    good |= 1 << lane;
                }
                Encoded::Lift(x, parity) => {
                    row.x = *x;
                    lift |= 1 << lane;
                    odd |= (*parity as u32) << lane;
                    good |= below_p(x);
                }
                Encoded::Check(both) => {
                    *row = *both;
                    check |= 1 << lane;
                    good |= below_p(&both.x) & below_p(&both.y);
                }
            }
        }
        let mut point = Affine::place(f);
        f.load_to(&mut point.x, &mut point.y, &rows, &LANE_NUMBERS[..F::LANES]);
        if lift != 0 {
            let (y, lifted) = lift_to::<C, F>(f, &right_side::<C, F>(f, &point.x), Mask(odd));
            f.select_to(&mut point.y, Mask(!lift), &y);
            good &= lifted.0 | !lift;
        }
        if check != 0 {
            let difference: F::El<3> = f.sub(&f.sqr(&point.y), &right_side::<C, F>(f, &point.x));
            good &= f.is_zero(&f.carry(&difference)).0 | !check;
        }
        if Mask(good) != Mask::all(F::LANES) {
            point.select(f, Mask(good), &AffinePoint::<C>::GENERATOR.load(f));
        }
        (point, Mask(good))
    }
}

/// The square root of `square` that is odd in the lanes of `odd` and even in the others, and the lanes that have one.
#[inline(always)]
fn lift_to<C: CurveParams, F: FieldOps<Prime = C::Field>>(f: F, square: &F::El<1>, odd: Mask) -> (F::El<1>, Mask) {
    let (mut y, is_square) = C::sqrt(f, square);
    let other = Mask(f.is_odd(&y).0 ^ odd.0);
    f.negate_in(&mut y, other);
    (y, is_square)
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
    let (y, is_square) = lift_to::<C, F>(f, &right_side::<C, F>(f, &f.constant(x)), Mask(parity as u32));
    match is_square.and(Mask(1)) {
        Mask(0) => Err(DecodeError::NotOnCurve),
        _ => Ok(AffinePoint::from_computed(Row { x: *x, y: f.store(&y, 0) })),
    }
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
    Encoded::from_x_only(bytes)?.decode(f)
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
    Encoded::from_compressed(bytes)?.decode(f)
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
    Encoded::from_uncompressed(bytes)?.decode(f)
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
    let (prefix, encoded) = Encoded::from_both(bytes, &[6, 7])?;
    let point = encoded.decode(f)?;
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
