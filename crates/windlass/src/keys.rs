//! Keys: secret, public, x-only, and both halves together.

use crate::engine::{with_backends, with_engine};
use crate::{Invalid, ParseError, Point, SecretInteger, TweakError, XOnly};
use core::fmt;
use curve::encode::{self, Parity};
use sig::keys;
use zeroize::Zeroizing;

fn parity(point: &Point) -> Parity {
    Parity::from_is_odd(point.y_is_odd())
}

/// A secret key: an integer d in 1..n.
///
/// It is wiped when dropped. It does not print, compare or copy itself; [`Clone`] is there and is explicit. Everything that is
/// done with it takes the same time for every key.
///
/// ```compile_fail,E0277
/// let key = windlass::SecretKey::from_bytes(&[1; 32])?;
/// println!("{key:?}"); // a secret does not print
/// # Ok::<(), windlass::ParseError>(())
/// ```
/// ```compile_fail,E0369
/// let key = windlass::SecretKey::from_bytes(&[1; 32])?;
/// key == key.clone(); // nor compare
/// # Ok::<(), windlass::ParseError>(())
/// ```
#[derive(Clone)]
pub struct SecretKey(pub(crate) SecretInteger);

impl SecretKey {
    /// The key with these 32 bytes, big-endian. Whether a random key is a good one is decided by who draws it: take bytes of the
    /// operating system's generator.
    ///
    /// # Errors
    /// [`ParseError::OutOfRange`] for 0 and for n and above: nothing is reduced.
    ///
    /// ```
    /// use windlass::{ParseError, SecretKey};
    /// assert!(SecretKey::from_bytes(&[0x5a; 32]).is_ok());
    /// assert_eq!(SecretKey::from_bytes(&[0; 32]).err(), Some(ParseError::OutOfRange));
    /// assert_eq!(SecretKey::from_bytes(&[0xff; 32]).err(), Some(ParseError::OutOfRange));
    /// ```
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, ParseError> {
        keys::parse_secret(bytes).map(Self)
    }

    /// The 32 bytes, big-endian, with leading zeros; wiped when dropped.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        self.0.to_be_bytes()
    }

    /// n − d, whose public key is the negated one.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self(self.0.negate())
    }

    /// d + t mod n for the tweak t, 32 bytes big-endian, which is treated as a secret too.
    ///
    /// # Errors
    /// [`TweakError`] if t ≥ n or the sum is 0. A tweak of 0 is allowed.
    pub fn tweak_add(&self, tweak: &[u8; 32]) -> Result<Self, TweakError> {
        keys::secret_tweak_add(&self.0, tweak).map(Self)
    }

    /// t·d mod n for the tweak t, 32 bytes big-endian, which is treated as a secret too.
    ///
    /// # Errors
    /// [`TweakError`] if t is 0 or t ≥ n.
    pub fn tweak_mul(&self, tweak: &[u8; 32]) -> Result<Self, TweakError> {
        keys::secret_tweak_mul(&self.0, tweak).map(Self)
    }

    /// The public key d·G.
    ///
    /// ```
    /// use windlass::SecretKey;
    /// let mut one = [0; 32];
    /// one[31] = 1;
    /// let generator = SecretKey::from_bytes(&one)?.public_key();
    /// assert_eq!(generator.to_compressed()[..4], [0x02, 0x79, 0xbe, 0x66]);
    /// # Ok::<(), windlass::ParseError>(())
    /// ```
    pub fn public_key(&self) -> PublicKey {
        with_backends!(b => PublicKey(keys::public_key(b, &self.0)))
    }
}

/// A public key: a point of secp256k1, never infinity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(pub(crate) Point);

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PublicKey(")?;
        hex(f, &self.to_compressed())?;
        f.write_str(")")
    }
}

pub(crate) fn hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl PublicKey {
    /// The key of a SEC 1 encoding: 33 bytes, `02` or `03` and x, or 65 bytes, `04`, x and y; coordinates big-endian.
    ///
    /// Hybrid encodings (`06`, `07`) are refused here: see [`parse_hybrid`](Self::parse_hybrid).
    ///
    /// # Errors
    /// [`ParseError::Length`], [`ParseError::Prefix`], [`ParseError::OutOfRange`] for a coordinate of p or above,
    /// [`ParseError::NotOnCurve`], and [`ParseError::Infinity`] for the single byte `00`.
    ///
    /// ```
    /// use windlass::{ParseError, PublicKey, SecretKey};
    /// let key = SecretKey::from_bytes(&[7; 32])?.public_key();
    /// assert_eq!(PublicKey::parse(&key.to_compressed())?, key);
    /// assert_eq!(PublicKey::parse(&key.to_uncompressed())?, key);
    /// assert_eq!(PublicKey::parse(&[0]), Err(ParseError::Infinity));
    /// # Ok::<(), ParseError>(())
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        with_engine!(f => keys::parse_public(f, bytes).map(Self))
    }

    /// The key of a hybrid encoding: 65 bytes, `06` if y is even and `07` if it is odd, x and y. Bitcoin's consensus takes it;
    /// nothing writes it.
    ///
    /// # Errors
    /// As [`parse`](Self::parse); [`ParseError::Prefix`] if the prefix does not agree with y or is none of the two.
    pub fn parse_hybrid(bytes: &[u8]) -> Result<Self, ParseError> {
        with_engine!(f => Ok(Self(encode::parse_hybrid(f, bytes)?)))
    }

    /// 33 bytes: `02` or `03`, then x, big-endian.
    pub fn to_compressed(&self) -> [u8; 33] {
        encode::to_compressed(&self.0)
    }

    /// 65 bytes: `04`, then x and y, big-endian.
    pub fn to_uncompressed(&self) -> [u8; 65] {
        encode::to_uncompressed(&self.0)
    }

    /// The x-only key of BIP340 and the parity of y that it leaves out.
    pub fn x_only(&self) -> (XOnlyPublicKey, Parity) {
        (XOnlyPublicKey(XOnly::of(&self.0)), parity(&self.0))
    }

    /// −P, the key of n − d.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self(self.0.negate())
    }

    /// P + Q.
    ///
    /// # Errors
    /// [`TweakError`] if the sum is infinite, that is, if one is the other negated.
    pub fn add(&self, other: &PublicKey) -> Result<Self, TweakError> {
        Self::combine(&[*self, *other])
    }

    /// The sum of all keys.
    ///
    /// # Errors
    /// [`TweakError`] if the sum is infinite, as it is for no key at all. Sums on the way there may be infinite.
    pub fn combine(keys: &[PublicKey]) -> Result<Self, TweakError> {
        with_engine!(f => keys::combine(f, keys.iter().map(|key| &key.0)).map(Self))
    }

    /// P + t·G for the tweak t, 32 bytes big-endian: the key of d + t. Variable time.
    ///
    /// # Errors
    /// [`TweakError`] if t ≥ n or the sum is infinite. A tweak of 0 is allowed.
    ///
    /// ```
    /// use windlass::SecretKey;
    /// let (key, tweak) = (SecretKey::from_bytes(&[3; 32])?, [0x11; 32]);
    /// let tweaked = key.tweak_add(&tweak).map(|key| key.public_key());
    /// assert_eq!(key.public_key().tweak_add(&tweak), tweaked);
    /// # Ok::<(), windlass::ParseError>(())
    /// ```
    pub fn tweak_add(&self, tweak: &[u8; 32]) -> Result<Self, TweakError> {
        with_backends!(b => keys::tweak_add(b, &self.0, tweak).map(Self))
    }

    /// t·P for the tweak t, 32 bytes big-endian: the key of t·d. Variable time.
    ///
    /// # Errors
    /// [`TweakError`] if t is 0 or t ≥ n.
    pub fn tweak_mul(&self, tweak: &[u8; 32]) -> Result<Self, TweakError> {
        with_engine!(f => keys::tweak_mul(f, &self.0, tweak).map(Self))
    }
}

/// A public key of BIP340: the point with this x and an even y.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct XOnlyPublicKey(pub(crate) XOnly);

impl fmt::Debug for XOnlyPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("XOnlyPublicKey(")?;
        hex(f, &self.to_bytes())?;
        f.write_str(")")
    }
}

impl XOnlyPublicKey {
    /// The key with this x, 32 bytes big-endian: a square root.
    ///
    /// # Errors
    /// [`ParseError::OutOfRange`] if x ≥ p, [`ParseError::NotOnCurve`] if no point has this x.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, ParseError> {
        with_engine!(f => XOnly::parse(f, bytes).map(Self))
    }

    /// x, 32 bytes big-endian.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// The point with this x and the given parity of y.
    pub fn with_parity(&self, parity: Parity) -> PublicKey {
        let even = *self.0.point();
        PublicKey(if parity == Parity::Even { even } else { even.negate() })
    }

    /// P + t·G as an x-only key, and the parity of y that it leaves out. The tweak t is 32 bytes big-endian. Variable time.
    ///
    /// # Errors
    /// [`TweakError`] if t ≥ n or the sum is infinite.
    pub fn tweak_add(&self, tweak: &[u8; 32]) -> Result<(Self, Parity), TweakError> {
        Ok(PublicKey(*self.0.point()).tweak_add(tweak)?.x_only())
    }

    /// Has P + t·G this x, 32 bytes big-endian, and this parity of y? What a taproot script path must prove.
    ///
    /// # Errors
    /// [`Invalid`] if not, also if t ≥ n or the sum is infinite.
    pub fn tweak_add_check(&self, tweak: &[u8; 32], output: &[u8; 32], parity: Parity) -> Result<(), Invalid> {
        match self.tweak_add(tweak) {
            Ok((tweaked, odd)) if tweaked.to_bytes() == *output && odd == parity => Ok(()),
            _ => Err(Invalid),
        }
    }
}

/// A secret key with its public key: what BIP340 signs with, as both halves go into a signature.
#[derive(Clone)]
pub struct Keypair {
    secret: SecretKey,
    public: PublicKey,
}

impl Keypair {
    /// The pair of this secret key: a multiplication of G.
    pub fn from_secret(secret: &SecretKey) -> Self {
        Self { secret: secret.clone(), public: secret.public_key() }
    }

    /// The secret half.
    pub fn secret(&self) -> &SecretKey {
        &self.secret
    }

    /// The public half.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The public half as BIP340 has it, and the parity of y that it leaves out.
    pub fn x_only(&self) -> (XOnlyPublicKey, Parity) {
        self.public.x_only()
    }

    /// BIP341's tweak of both halves: ±d + t and ±P + t·G, with the sign that makes y even. The tweak t, 32 bytes big-endian, is
    /// public.
    ///
    /// # Errors
    /// [`TweakError`] if t ≥ n or the result is 0.
    pub fn x_only_tweak_add(&self, tweak: &[u8; 32]) -> Result<Self, TweakError> {
        let (even, parity) = self.x_only();
        let secret = if parity == Parity::Odd { self.secret.negate() } else { self.secret.clone() };
        let (tweaked, parity) = even.tweak_add(tweak)?;
        Ok(Self { secret: secret.tweak_add(tweak)?, public: tweaked.with_parity(parity) })
    }
}
