//! BIP340: s·G = R + e·P with e = H(x(R) ‖ x(P) ‖ m), R and P being the points of even y.
//!
//! Sign, for the key pair (d, P):
//! 1. d = n − d if y(P) is odd.
//! 2. t = d ⊕ H_aux(a), k = H_nonce(t ‖ x(P) ‖ m) mod n, R = k·G; k = n − k if y(R) is odd.
//! 3. e = H_challenge(x(R) ‖ x(P) ‖ m) mod n, s = k + e·d.
//!
//! Verify (r, s): r < p and s < n, R = s·G − e·P is not infinite, x(R) = r, y(R) is even. The last check is not optional: it is
//! what makes all implementations agree.
//!
//! Cost: to sign, a multiplication of G, an inversion mod p, some six compressions; to verify, a double multiplication and an
//! inversion mod p for the parity of y. Messages are of any length.
//! Constant time to sign, variable time to verify.
//! Source: BIP340.

use crate::SelfCheck;
use crate::batch::Batch;
use crate::each::{self, ROWS_AT_ONCE};
use crate::error::{Invalid, ParseError, SigningFault};
use crate::keys::{self, XOnlyKey};
use crate::many::Verdict;
use crate::sha256_lanes;
use crate::tagged_hash::TaggedHash;
use alloc::vec;
use alloc::vec::Vec;
use arith::{Words, ct_check, limbs};
use curve::encode::x_bytes;
use curve::{AffinePoint, CurveParams, Encoded, Jacobian, PreparedPoint, choose, vartime};
use field::ops::WordsOf;
use field::{Backends, Choice, FieldOps, Prime, Scalar, SecretScalar, Task};
use zeroize::{Zeroize, Zeroizing};

/// A BIP340 signature as its bytes stand: x(R), then s, big-endian. Ranges are checked when it is verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature(pub [u8; 64]);

/// Signs a message of any length with the secret key and its public key. `aux` is 32 bytes of fresh randomness, or zeros to sign without: the signature is good
/// either way, randomness protects against faults and power analysis.
///
/// Where BIP340 fails, for a nonce of 0 (probability 2^-256), another nonce is drawn.
///
/// The two keys belong together: a signature with the secret of one pair and the point of another gives the secret away.
pub fn sign<C, B>(
    b: B,
    message: &[u8],
    secret: &SecretScalar<C::Order>,
    public: &AffinePoint<C>,
    aux: &[u8; 32],
) -> Signature
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    let x = x_bytes(public);
    let mut masked = even_secret(secret, public).to_be_bytes();
    let mut mask = TaggedHash::BIP340_AUX.hash_secret(&[aux]);
    loop {
        masked.iter_mut().zip(&mask).for_each(|(byte, mask)| *byte ^= mask);
        let hash = Zeroizing::new(TaggedHash::BIP340_NONCE.hash_secret(&[&*masked, &x, message]));
        let k = SecretScalar::<C::Order>::from_be_bytes_reduced(&*hash);
        if let Some(signature) = sign_with_nonce::<C, B>(b, message, secret, public, &k) {
            mask.zeroize();
            return signature;
        }
        mask = *hash;
    }
}

/// [`sign`] with a [`SelfCheck`].
///
/// # Errors
/// [`SigningFault`] if the check is on and fails.
pub fn sign_checked<C, B>(
    b: B,
    message: &[u8],
    secret: &SecretScalar<C::Order>,
    public: &AffinePoint<C>,
    aux: &[u8; 32],
    self_check: SelfCheck,
) -> Result<Signature, SigningFault>
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    let signed = sign::<C, B>(b, message, secret, public, aux);
    self_check.pass(signed, |signature| verify(b, message, signature, &XOnlyKey::of(public)))
}

/// Signs with the nonce k; `None` if k = 0.
///
/// A nonce that is used twice, is known to anyone or is biased gives the key away: this is for nonces that BIP340 derives and
/// for tests.
pub fn sign_with_nonce<C, B>(
    b: B,
    message: &[u8],
    secret: &SecretScalar<C::Order>,
    public: &AffinePoint<C>,
    k: &SecretScalar<C::Order>,
) -> Option<Signature>
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    if k.is_zero().declassify("a zero nonce makes no signature") {
        return None;
    }
    Some(sign_with_nonce_point(message, secret, public, k, &keys::secret_multiple::<C, B>(b, k)))
}

/// Steps 2 and 3 for k and R = k·G.
pub(crate) fn sign_with_nonce_point<C: CurveParams<Field: Prime<Bytes = [u8; 32]>>>(
    message: &[u8],
    secret: &SecretScalar<C::Order>,
    public: &AffinePoint<C>,
    k: &SecretScalar<C::Order>,
    nonce_point: &AffinePoint<C>,
) -> Signature {
    let k = k.conditional_negate(Choice::from_bit(u64::from(nonce_point.y_is_odd())));
    let mut r = x_bytes(nonce_point);
    ct_check::declassify(&mut r); // half of the signature; the sign of y stays secret
    let e = challenge::<C>(&r, &x_bytes(public), message);
    let s = SecretScalar::from(e).mul(&even_secret(secret, public)).add(&k).declassify("half of the signature");
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&r);
    bytes[32..].copy_from_slice(&s.to_be_bytes());
    Signature(bytes)
}

/// d with d·G of even y.
fn even_secret<C: CurveParams>(secret: &SecretScalar<C::Order>, public: &AffinePoint<C>) -> SecretScalar<C::Order> {
    secret.conditional_negate(Choice::from_bit(u64::from(public.y_is_odd())))
}

/// Does the signature of this message verify under the key?
///
/// # Errors
/// [`Invalid`] if it does not, whatever the reason.
pub fn verify<C, B>(b: B, message: &[u8], signature: &Signature, key: &XOnlyKey<C>) -> Result<(), Invalid>
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    verify_by::<C, B>(b, message, signature, &key.to_bytes(), |s, e| {
        choose::mul_double_base(b, s, key.point(), &e.neg())
    })
}

/// [`verify`] under the x-only key of a prepared one.
///
/// # Errors
/// As there.
pub fn verify_prepared<C, B>(b: B, message: &[u8], signature: &Signature, key: &PreparedPoint<C>) -> Result<(), Invalid>
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    let is_odd = key.point().y_is_odd();
    verify_by::<C, B>(b, message, signature, &x_bytes(key.point()), |s, e| {
        // BIP340's point is the one of even y: where y is odd, −e·(−Q) = e·Q.
        vartime::mul_double_base_prepared(b, s, key, &if is_odd { *e } else { e.neg() })
    })
}

/// [`verify`] for the bytes of x(P), given s·G − e·P as a function of s and e.
fn verify_by<C, B>(
    b: B,
    message: &[u8],
    signature: &Signature,
    key: &[u8; 32],
    sum: impl FnOnce(&Scalar<C::Order>, &Scalar<C::Order>) -> Jacobian<B::One>,
) -> Result<(), Invalid>
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    let (r, s) = parse::<C>(&signature.0).ok_or(Invalid)?;
    let e = challenge::<C>(&signature.0[..32], key, message);
    let point = sum(&s, &e);
    match vartime::to_affine::<C, _>(b.one(), &point) {
        Some(point) if *point.x_words() == r && !point.y_is_odd() => Ok(()),
        _ => Err(Invalid),
    }
}

/// A row of [`verify_each`].
#[derive(Clone, Copy)]
pub struct VerifyRow<'a, C: CurveParams> {
    /// The message that was signed, of any length.
    pub message: &'a [u8],
    /// The signature: x(R), then s.
    pub signature: &'a [u8; 64],
    /// The signer's key, of even y, as it came.
    pub key: Encoded<C>,
}

/// [`verify`] of every row, in lanes: `verdicts[i]` is that of `rows[i]`, for as many as both have.
pub fn verify_each<C, B>(b: B, rows: &[VerifyRow<'_, C>], verdicts: &mut [Verdict])
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    let (rows, few) = rows.split_at(each::wide_rows::<C, B>(b, rows.len()));
    let (verdicts, verdicts_of_few) = verdicts.split_at_mut(rows.len().min(verdicts.len()));
    if !few.is_empty() {
        verify_each::<C, _>(b.few(), few, verdicts_of_few);
    }
    let f = b.lanes();
    let mut workspace = vartime::EachWorkspace::new();
    for (rows, verdicts) in rows.chunks(ROWS_AT_ONCE).zip(verdicts.chunks_mut(ROWS_AT_ONCE)) {
        let keys: Vec<_> = rows.iter().map(|row| row.key).collect();
        let (points, is_key) = each::decode::<C, _>(f, &keys);
        let parsed: Vec<_> = rows.iter().map(|row| parse::<C>(row.signature)).collect();
        let s: Vec<_> = parsed.iter().map(|parsed| parsed.map_or(Scalar::ZERO, |(_, s)| s)).collect();
        let e: Vec<_> = challenges::<C, _>(f, rows).iter().map(Scalar::neg).collect();
        let mut sums = vec![Jacobian::infinity(f); points.len()];
        vartime::mul_double_base_each::<C, _>(f, &mut workspace, &s, &points, &e, &mut sums);
        let mut nonce_points = vec![None; rows.len()];
        vartime::to_affine_batch::<C, _>(f, &sums, &mut nonce_points);
        for (i, ((parsed, point), verdict)) in parsed.iter().zip(&nonce_points).zip(verdicts).enumerate() {
            *verdict = if each::is_set(f, &is_key, i) {
                match (parsed, point) {
                    (Some((r, _)), Some(point)) if point.x_words() == r && !point.y_is_odd() => Verdict::Valid,
                    _ => Verdict::Invalid,
                }
            } else {
                Verdict::Malformed(ParseError::NotOnCurve)
            };
        }
    }
}

/// [`verify`] of every row by a random linear combination: `verdicts[i]` is that of `rows[i]`, for as many as both have.
///
/// `entropy`: 32 bytes of the operating system's generator, for this call alone. Whoever can foretell them can make wrong
/// signatures that are taken for right ones.
pub fn verify_batch<C, B>(b: B, rows: &[VerifyRow<'_, C>], entropy: &[u8; 32], verdicts: &mut [Verdict])
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    let at: Vec<u32> = (0..).take(rows.len()).collect();
    let mut batch = Batch::new(b, Batch::<C, B>::DEFAULT_WORKSPACE_BYTES);
    batch.start(rows.len(), Some(entropy), 0);
    batch.push_schnorr(&at, rows, verdicts);
    batch.settle(verdicts);
}

/// x(R) and s.
type Parsed<C> = (WordsOf<<C as CurveParams>::Field>, Scalar<<C as CurveParams>::Order>);

/// r below p and s below n.
pub(crate) fn parse<C: CurveParams>(signature: &[u8; 64]) -> Option<Parsed<C>> {
    let (r, s) = signature.split_at(32);
    let r = limbs::from_be_bytes(r).filter(|r| limbs::less_than(r, &C::Field::MODULUS.m))?;
    Some((r, Scalar::from_be_bytes(s)?))
}

/// e = H_challenge(x(R) ‖ x(P) ‖ m) mod n.
fn challenge<C: CurveParams>(r: &[u8], key: &[u8], message: &[u8]) -> Scalar<C::Order> {
    Scalar::from_be_bytes_reduced(&TaggedHash::BIP340_CHALLENGE.hash(&[r, key, message]))
}

/// e of every row; side by side where the backend has lanes and the messages have 32 bytes.
pub(crate) fn challenges<C, F>(f: F, rows: &[VerifyRow<'_, C>]) -> Vec<Scalar<C::Order>>
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    F: FieldOps<Prime = C::Field>,
{
    let mut e = Vec::with_capacity(rows.len());
    for rows in rows.chunks(sha256_lanes::LANES) {
        let in_lanes = F::LANES > 1 && rows.len() == sha256_lanes::LANES;
        if in_lanes && rows.iter().all(|row| row.message.len() == 32) {
            f.outline(Challenges { rows, e: &mut e });
        } else {
            e.extend(rows.iter().map(|row| challenge::<C>(&row.signature[..32], &x_of(row), row.message)));
        }
    }
    e
}

/// x of a row's key, big-endian.
#[inline(always)]
fn x_of<C: CurveParams>(row: &VerifyRow<'_, C>) -> [u8; 32] {
    let mut x = [0; 32];
    limbs::to_be_bytes(row.key.x_words(), &mut x);
    x
}

/// e of as many rows as SHA-256 has lanes, with messages of 32 bytes.
struct Challenges<'a, 'b, C: CurveParams> {
    rows: &'a [VerifyRow<'b, C>],
    e: &'a mut Vec<Scalar<C::Order>>,
}

impl<C: CurveParams> Task for Challenges<'_, '_, C> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        /// Bits of the tag's block, r, x and the message.
        const BITS: u32 = 8 * (64 + 96);
        let (mut first, mut second) = (sha256_lanes::EMPTY, sha256_lanes::EMPTY);
        for (lane, row) in self.rows.iter().enumerate().take(sha256_lanes::LANES) {
            let (r, message) = (row.signature.first_chunk(), row.message.first_chunk());
            if let (Some(r), Some(message)) = (r, message) {
                sha256_lanes::put(&mut first, lane, 0, r);
                sha256_lanes::put(&mut first, lane, 8, &x_of(row));
                sha256_lanes::put(&mut second, lane, 0, message);
            }
        }
        sha256_lanes::put_all(&mut second, 8, 1 << 31);
        sha256_lanes::put_all(&mut second, 15, BITS);
        let mut states = sha256_lanes::States::all(TaggedHash::BIP340_CHALLENGE.midstate());
        states.compress(&mut first);
        states.compress(&mut second);
        for lane in 0..self.rows.len() {
            let mut words = <WordsOf<C::Order>>::ZERO;
            states.number(lane, words.as_mut());
            self.e.push(Scalar::from_words_reduced(&words));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::test_bytes::hex;
    use curve::Secp256k1;
    use field::OneLane;
    use field::secp256k1::{GroupOrder, Portable5x52};

    /// BIP340's vectors 0 and 1, each also with the other key of the same x: one of the two has an odd y.
    #[test]
    fn published_signatures() {
        let f = Portable5x52;
        for (secret, aux, message, signature) in [
            (
                "0000000000000000000000000000000000000000000000000000000000000003",
                "0000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000000",
                "E907831F80848D1069A5371B402410364BDF1C5F8307B0084C55F1CE2DCA821525F66A4A85EA8B71E482A74F382D2CE5EBEEE8FDB2172F477DF4900D310536C0",
            ),
            (
                "B7E151628AED2A6ABF7158809CF4F3C762E7160F38B4DA56A784D9045190CFEF",
                "0000000000000000000000000000000000000000000000000000000000000001",
                "243F6A8885A308D313198A2E03707344A4093822299F31D0082EFA98EC4E6C89",
                "6896BD60EEAE296DB48A229FF71DFE071BDE413E6D43F917DC8DCF8C78DE33418906D11AC976ABCCB20B091292BFF4EA897EFCB639EA871CFA95F6DE339E4B0A",
            ),
        ] {
            let secret = keys::parse_secret::<GroupOrder>(&hex::<32>(secret)).unwrap();
            let public = keys::public_key::<Secp256k1, _>(OneLane(f), &secret);
            let message = hex::<32>(message);
            for (secret, public) in [(secret.clone(), public), (secret.negate(), public.negate())] {
                let signed = sign(OneLane(f), &message, &secret, &public, &hex(aux));
                assert_eq!(signed.0, hex(signature));
                assert_eq!(verify(OneLane(f), &message, &signed, &XOnlyKey::of(&public)), Ok(()));
            }
        }
    }

    /// The check passes what `sign` makes, and refuses what keys of two pairs make.
    #[test]
    fn self_check() {
        let b = OneLane(Portable5x52);
        let secret = SecretScalar::<GroupOrder>::from_u64(5);
        let public = keys::public_key::<Secp256k1, _>(b, &secret);
        let other = keys::public_key::<Secp256k1, _>(b, &SecretScalar::from_u64(6));
        let aux = [3; 32];
        for (public, self_check, passes) in
            [(public, SelfCheck::On, true), (other, SelfCheck::On, false), (other, SelfCheck::Off, true)]
        {
            let signed = sign(b, b"m", &secret, &public, &aux);
            let expected = if passes { Ok(signed) } else { Err(SigningFault) };
            assert_eq!(sign_checked(b, b"m", &secret, &public, &aux, self_check), expected);
        }
    }

    /// s·G − e·P = −R has the right x: the parity of y alone tells it from a signature.
    #[test]
    fn odd_nonce_points() {
        let f = Portable5x52;
        for (d, k) in [(5, 1), (5, 2), (5, 3), (6, 4), (6, 5), (6, 6)] {
            let (secret, k) = (SecretScalar::<GroupOrder>::from_u64(d), SecretScalar::from_u64(k));
            let public = keys::public_key::<Secp256k1, _>(OneLane(f), &secret);
            let mut signature = sign_with_nonce(OneLane(f), b"message", &secret, &public, &k).unwrap();
            assert_eq!(verify(OneLane(f), b"message", &signature, &XOnlyKey::of(&public)), Ok(()));
            let even = k.conditional_negate(Choice::from_bit(u64::from(
                keys::public_key::<Secp256k1, _>(OneLane(f), &k).y_is_odd(),
            )));
            let s = SecretScalar::<GroupOrder>::from_be_bytes(&signature.0[32..]).unwrap();
            signature.0[32..].copy_from_slice(&*s.sub(&even).sub(&even).to_be_bytes());
            assert_eq!(verify(OneLane(f), b"message", &signature, &XOnlyKey::of(&public)), Err(Invalid));
        }
    }

    /// Challenges side by side are those of each message alone.
    #[test]
    fn challenges_in_lanes() {
        let f = Portable5x52;
        let signatures: Vec<[u8; 64]> = (0..16).map(|i| [i; 64]).collect();
        let messages: Vec<[u8; 32]> = (0..16).map(|i| [0xA5 ^ i; 32]).collect();
        let keys = (0..16).map(|i| Encoded::<Secp256k1>::Lift([i, 1, 2, 3 << i], curve::Parity::Even));
        let rows: Vec<_> = signatures.iter().zip(&messages).zip(keys).collect();
        let rows: Vec<_> =
            rows.into_iter().map(|((signature, message), key)| VerifyRow { message, signature, key }).collect();
        let mut e = Vec::new();
        f.outline(Challenges { rows: &rows, e: &mut e });
        assert_eq!(e, challenges(f, &rows));
    }

    /// Each bit of a signature counts, and s = n is refused.
    #[test]
    fn changed_signatures() {
        let f = Portable5x52;
        let secret = SecretScalar::<GroupOrder>::from_u64(5);
        let public = keys::public_key::<Secp256k1, _>(OneLane(f), &secret);
        let key = XOnlyKey::of(&public);
        let signed = sign(OneLane(f), b"message", &secret, &public, &[0; 32]);
        for bit in (0..512).step_by(7) {
            let mut changed = signed;
            changed.0[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(verify(OneLane(f), b"message", &changed, &key), Err(Invalid));
        }
        assert_eq!(verify(OneLane(f), b"messag", &signed, &key), Err(Invalid));
        let order = Signature({
            let mut bytes = signed.0;
            limbs::to_be_bytes(&GroupOrder::MODULUS.m, &mut bytes[32..]);
            bytes
        });
        assert_eq!(verify(OneLane(f), b"message", &order, &key), Err(Invalid));
    }
}
