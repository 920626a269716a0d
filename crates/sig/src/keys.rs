//! Keys: d·G and what is done to either half.
//!
//! A secret key is a [`SecretScalar`] in 1..n, a public key an [`AffinePoint`]: on the curve, not infinity.
//! Tweaks follow libsecp256k1: a tweak t is a number below n, 0 allowed for sums and not for products; a result that is no key
//! is refused.
//!
//! | operation | secret half | public half | cost of the public half |
//! |---|---|---|---|
//! | add | d + t | P + t·G | a multiplication of G, an addition, an inversion |
//! | multiply | t·d | t·P | a multiplication, an inversion |
//! | x-only add | ±d + t | ±P + t·G, the sign that of an even y | as add |
//!
//! Constant time for the secret half, variable time for the public one.
//! Source: BIP32, BIP341 and libsecp256k1's `secp256k1.h`, `secp256k1_extrakeys.h` for the rules.

use crate::error::{ParseError, TweakError};
use curve::encode::Encoded;
use curve::formulas::a_zero::AddMixed;
use curve::formulas::{Beside, Nothing};
use curve::{AffinePoint, CurveParams, Jacobian, choose, ct, encode, vartime};
use field::{Backends, ByteArray, FieldOps, Mask, Prime, Scalar, SecretScalar};
use zeroize::Zeroize;

/// The public key of BIP340: a point with an even y, which x alone gives.
pub struct XOnlyKey<C: CurveParams>(AffinePoint<C>);

impl<C: CurveParams> Clone for XOnlyKey<C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: CurveParams> Copy for XOnlyKey<C> {}
impl<C: CurveParams> PartialEq for XOnlyKey<C> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<C: CurveParams> Eq for XOnlyKey<C> {}

impl<C: CurveParams> XOnlyKey<C> {
    /// The key of P: P or −P, whichever has an even y.
    pub fn of(point: &AffinePoint<C>) -> Self {
        Self(if point.y_is_odd() { point.negate() } else { *point })
    }

    /// The key with this x, big-endian: a square root.
    ///
    /// # Errors
    /// [`ParseError::Length`]; [`ParseError::OutOfRange`] if x ≥ p; [`ParseError::NotOnCurve`] if no point has this x.
    pub fn parse<F: FieldOps<Prime = C::Field>>(f: F, bytes: &[u8]) -> Result<Self, ParseError> {
        Ok(Self(encode::parse_x_only(f, bytes)?))
    }

    /// The point.
    #[inline(always)]
    pub fn point(&self) -> &AffinePoint<C> {
        &self.0
    }

    /// x, big-endian.
    pub fn to_bytes(&self) -> <C::Field as Prime>::Bytes {
        encode::x_bytes(&self.0)
    }
}

/// The public key of a compressed or an uncompressed encoding, told apart by length.
///
/// # Errors
/// [`ParseError::Length`], [`ParseError::Prefix`], [`ParseError::OutOfRange`], [`ParseError::NotOnCurve`],
/// [`ParseError::Infinity`].
pub fn parse_public<C, F>(f: F, bytes: &[u8]) -> Result<AffinePoint<C>, ParseError>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
{
    Ok(encoded_public(bytes)?.decode(f)?)
}

/// [`parse_public`] up to the question whether there is such a point.
///
/// # Errors
/// As there, not [`ParseError::NotOnCurve`].
#[inline]
pub fn encoded_public<C: CurveParams>(bytes: &[u8]) -> Result<Encoded<C>, ParseError> {
    if bytes.len() <= 1 + <<C::Field as Prime>::Bytes as ByteArray>::LEN {
        Ok(Encoded::from_compressed(bytes)?)
    } else {
        Ok(Encoded::from_uncompressed(bytes)?)
    }
}

/// The secret key with these big-endian bytes.
///
/// # Errors
/// [`ParseError::Length`]; [`ParseError::OutOfRange`] unless the number is in 1..n.
pub fn parse_secret<Q: Prime>(bytes: &[u8]) -> Result<SecretScalar<Q>, ParseError> {
    if bytes.len() != Q::Bytes::LEN {
        return Err(ParseError::Length);
    }
    let key = SecretScalar::from_be_bytes(bytes).ok_or(ParseError::OutOfRange)?;
    refuse_zero(key, "whether a secret key is in range is answered to the caller").ok_or(ParseError::OutOfRange)
}

/// d + t mod n.
///
/// # Errors
/// [`TweakError`] if t ≥ n or the sum is 0.
pub fn secret_tweak_add<Q: Prime>(key: &SecretScalar<Q>, tweak: &[u8]) -> Result<SecretScalar<Q>, TweakError> {
    let tweak = SecretScalar::from_be_bytes(tweak).ok_or(TweakError)?;
    refuse_zero(key.add(&tweak), "whether a tweaked key is a key is answered to the caller").ok_or(TweakError)
}

/// t·d mod n.
///
/// # Errors
/// [`TweakError`] if t is 0 or t ≥ n.
pub fn secret_tweak_mul<Q: Prime>(key: &SecretScalar<Q>, tweak: &[u8]) -> Result<SecretScalar<Q>, TweakError> {
    let tweak = SecretScalar::from_be_bytes(tweak).ok_or(TweakError)?;
    refuse_zero(key.mul(&tweak), "whether a tweaked key is a key is answered to the caller").ok_or(TweakError)
}

fn refuse_zero<Q: Prime>(key: SecretScalar<Q>, why: &'static str) -> Option<SecretScalar<Q>> {
    if key.is_zero().declassify(why) { None } else { Some(key) }
}

/// The public key d·G. Constant time.
pub fn public_key<C, B>(b: B, key: &SecretScalar<C::Order>) -> AffinePoint<C>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    secret_multiple::<C, B>(b, key).declassify("a public key is public")
}

/// k·G for a key or a nonce. The projective point is wiped: its Z tells of k what the affine point does not.
/// Source: D. Naccache, N. Smart, J. Stern, "Projective coordinates leak", EUROCRYPT 2004.
pub(crate) fn secret_multiple<C, B>(b: B, k: &SecretScalar<C::Order>) -> AffinePoint<C>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    secret_multiple_beside(b, k, &mut Nothing)
}

/// [`secret_multiple`] with other work beside.
pub(crate) fn secret_multiple_beside<C, B>(b: B, k: &SecretScalar<C::Order>, other: &mut impl Beside) -> AffinePoint<C>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    let mut point = choose::mul_base::<C, B>(b, k, other);
    let affine = ct::to_affine(b.one(), &point);
    point.zeroize();
    affine
}

/// The sum of all keys. Vartime.
///
/// # Errors
/// [`TweakError`] if the sum is infinite, as it is for no key at all.
pub fn combine<'a, C, F>(f: F, keys: impl IntoIterator<Item = &'a AffinePoint<C>>) -> Result<AffinePoint<C>, TweakError>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
{
    let sum = keys.into_iter().fold(Jacobian::infinity(f), |sum, key| plus(f, &sum, key));
    vartime::to_affine(f, &sum).ok_or(TweakError)
}

/// P + t·G. Vartime.
///
/// # Errors
/// [`TweakError`] if t ≥ n or the sum is infinite.
pub fn tweak_add<C, B>(b: B, key: &AffinePoint<C>, tweak: &[u8]) -> Result<AffinePoint<C>, TweakError>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    let tweak = Scalar::<C::Order>::from_be_bytes(tweak).ok_or(TweakError)?;
    let sum = plus(b.one(), &choose::mul_public_base::<C, B>(b, &tweak), key);
    vartime::to_affine(b.one(), &sum).ok_or(TweakError)
}

/// t·P. Vartime.
///
/// # Errors
/// [`TweakError`] if t is 0 or t ≥ n.
pub fn tweak_mul<C, F>(f: F, key: &AffinePoint<C>, tweak: &[u8]) -> Result<AffinePoint<C>, TweakError>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
{
    let tweak = Scalar::<C::Order>::from_be_bytes(tweak).ok_or(TweakError)?;
    vartime::to_affine(f, &vartime::mul::<C, F>(f, key, &tweak)).ok_or(TweakError)
}

/// The sum of a point and a key, whatever they are. Vartime.
fn plus<C, F>(f: F, p: &Jacobian<F>, key: &AffinePoint<C>) -> Jacobian<F>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
{
    let mut sum = *p;
    f.outline(AddMixed { f, r: &mut sum, p, q: &key.load(f), only: Mask::all(F::LANES) });
    sum
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use curve::Secp256k1;
    use field::OneLane;
    use field::secp256k1::{GroupOrder, Portable5x52};

    type Key = AffinePoint<Secp256k1>;

    fn secret(d: u64) -> SecretScalar<GroupOrder> {
        SecretScalar::from_u64(d)
    }

    fn public(d: u64) -> Key {
        public_key(OneLane(Portable5x52), &secret(d))
    }

    /// What is done to one half is done to the other.
    #[test]
    fn both_halves_of_a_tweak_agree() {
        let f = Portable5x52;
        for d in [1, 2, 3, 1 << 40] {
            for t in [0u64, 1, 2, 3, 1 << 40, u64::MAX] {
                let tweak = Scalar::<GroupOrder>::from_u64(t).to_be_bytes();
                let added = secret_tweak_add(&secret(d), &tweak).unwrap();
                assert_eq!(tweak_add(OneLane(f), &public(d), &tweak), Ok(public_key(OneLane(f), &added)));
                let multiplied =
                    secret_tweak_mul(&secret(d), &tweak).map(|key| public_key::<Secp256k1, _>(OneLane(f), &key));
                assert_eq!(tweak_mul(f, &public(d), &tweak), multiplied);
                assert_eq!(multiplied.is_err(), t == 0);
            }
            let opposite = secret(d).negate().to_be_bytes();
            assert_eq!(secret_tweak_add(&secret(d), &*opposite).err(), Some(TweakError));
            assert_eq!(tweak_add(OneLane(f), &public(d), &*opposite), Err(TweakError));
        }
    }

    #[test]
    fn sums_pass_through_infinity() {
        let f = Portable5x52;
        assert_eq!(combine::<Secp256k1, _>(f, &[]), Err(TweakError));
        assert_eq!(combine(f, &[public(1), public(1), public(2).negate()]), Err(TweakError));
        assert_eq!(combine(f, &[public(1), public(1).negate(), public(9)]), Ok(public(9)));
        assert_eq!(combine(f, &[public(4), public(4)]), Ok(public(8)));
    }
}
