//! Q = r⁻¹(s·R − z·G): the key under which (r, s) verifies, from the recovery id that names R.
//!
//! 1. x = r, or r + n if the id says so; refused unless x < p.
//! 2. R = the point with this x and the y that the id says; refused if there is none.
//! 3. Q = (s/r)·R + (−z/r)·G; refused if infinite.
//!
//! Cost: a square root, an inversion mod n, a double multiplication, an inversion mod p. All variable time.
//! Source: SEC 1 v2.0, section 4.1.6.

use super::{LowS, Signature};
use crate::batch::Batch;
use crate::each::{self, ROWS_AT_ONCE};
use crate::error::{Invalid, ParseError};
use crate::many::Verdict;
use alloc::vec;
use alloc::vec::Vec;
use arith::limbs;
use curve::encode::{self, Encoded, Parity};
use curve::{AffinePoint, CurveParams, Jacobian, choose, vartime};
use field::ops::WordsOf;
use field::{Backends, Prime, Scalar};

/// Which of the points R with x(R) ≡ r mod n a signature was made with: bit 0 is set if y(R) is odd, bit 1 if x(R) ≥ n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecoveryId(u8);

impl RecoveryId {
    /// The id of a point R.
    pub(super) fn new(y_is_odd: bool, x_is_reduced: bool) -> Self {
        Self(u8::from(x_is_reduced) << 1 | u8::from(y_is_odd))
    }

    /// The id, 0 to 3.
    ///
    /// # Errors
    /// [`ParseError::OutOfRange`] for every other number: 27 or 35 + 2c, say, are forms of transactions, not of this id.
    pub fn from_u8(id: u8) -> Result<Self, ParseError> {
        if id < 4 { Ok(Self(id)) } else { Err(ParseError::OutOfRange) }
    }

    /// The id as a number, 0 to 3.
    pub fn to_u8(self) -> u8 {
        self.0
    }

    /// Is y(R) odd?
    pub fn y_is_odd(self) -> bool {
        self.0 & 1 == 1
    }

    /// Is x(R) ≥ n?
    pub fn x_is_reduced(self) -> bool {
        self.0 & 2 == 2
    }
}

/// The key under which the signature of this digest verifies, R being the point that `id` names.
///
/// # Errors
/// [`Invalid`] if there is no such R or no such key. A key that is returned verifies the signature (both halves of s).
pub fn recover<C, B>(
    b: B,
    digest: &[u8],
    signature: &Signature<C::Order>,
    id: RecoveryId,
) -> Result<AffinePoint<C>, Invalid>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    let x = nonce_x::<C>(signature, id).ok_or(Invalid)?;
    let nonce_point = encode::lift_x::<C, _>(b.one(), &x, Parity::from_is_odd(id.y_is_odd())).map_err(|_| Invalid)?;
    recover_from_point(b, &Scalar::from_digest(digest), signature, &nonce_point)
}

/// Step 1.
pub(crate) fn nonce_x<C: CurveParams>(signature: &Signature<C::Order>, id: RecoveryId) -> Option<WordsOf<C::Field>> {
    let r = *signature.r().words();
    let (x, carry) = if id.x_is_reduced() { limbs::add(&r, &C::Order::MODULUS.m) } else { (r, 0) };
    (carry == 0 && limbs::less_than(&x, &C::Field::MODULUS.m)).then_some(x)
}

/// Step 3 for a given R and the integer z.
///
/// # Errors
/// [`Invalid`] if Q is infinite.
pub fn recover_from_point<C, B>(
    b: B,
    z: &Scalar<C::Order>,
    signature: &Signature<C::Order>,
    nonce_point: &AffinePoint<C>,
) -> Result<AffinePoint<C>, Invalid>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    let inverse = signature.r().invert_vartime();
    let (of_base, of_point) = (z.mul(&inverse).neg(), signature.s().mul(&inverse));
    let point = choose::mul_double_base::<C, B>(b, &of_base, nonce_point, &of_point);
    vartime::to_affine(b.one(), &point).ok_or(Invalid)
}

/// A row of [`recover_each`].
#[derive(Clone, Copy)]
pub struct RecoverRow<C: CurveParams> {
    /// The integer that was signed: [`Scalar::from_digest`].
    pub z: Scalar<C::Order>,
    /// The signature.
    pub signature: Signature<C::Order>,
    /// Which point the nonce gave.
    pub id: RecoveryId,
}

/// [`recover`] of every row, in lanes: `keys[i]` is that of `rows[i]`, for as many as both have.
pub fn recover_each<C, B>(b: B, rows: &[RecoverRow<C>], keys: &mut [Result<AffinePoint<C>, Invalid>])
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    let (rows, few) = rows.split_at(each::wide_rows::<C, B>(b, rows.len()));
    let (keys, keys_of_few) = keys.split_at_mut(rows.len().min(keys.len()));
    if !few.is_empty() {
        recover_each::<C, _>(b.few(), few, keys_of_few);
    }
    let f = b.lanes();
    let mut workspace = vartime::EachWorkspace::new();
    let no_point = Encoded::Point(AffinePoint::GENERATOR);
    for (rows, keys) in rows.chunks(ROWS_AT_ONCE).zip(keys.chunks_mut(ROWS_AT_ONCE)) {
        let x: Vec<_> = rows.iter().map(|row| nonce_x::<C>(&row.signature, row.id)).collect();
        let encoded: Vec<_> = rows
            .iter()
            .zip(&x)
            .map(|(row, x)| x.map_or(no_point, |x| Encoded::Lift(x, Parity::from_is_odd(row.id.y_is_odd()))))
            .collect();
        let (points, is_point) = each::decode::<C, _>(f, &encoded);
        let parts: Vec<_> = rows.iter().map(|row| [*row.signature.r(), row.z.neg(), *row.signature.s()]).collect();
        let quotients = each::quotients(b.scalars(), &parts);
        let mut sums = vec![Jacobian::infinity(f); points.len()];
        vartime::mul_double_base_each::<C, _>(f, &mut workspace, &quotients.x, &points, &quotients.y, &mut sums);
        let mut finite = vec![None; rows.len()];
        vartime::to_affine_batch::<C, _>(f, &sums, &mut finite);
        for (i, ((key, finite), x)) in keys.iter_mut().zip(finite).zip(x).enumerate() {
            *key = finite.filter(|_| x.is_some() && each::is_set(f, &is_point, i)).ok_or(Invalid);
        }
    }
}

/// A row of [`verify_batch_recoverable`].
#[derive(Clone, Copy)]
pub struct RecoverableRow<'a, C: CurveParams> {
    /// The digest that was signed.
    pub digest: &'a [u8; 32],
    /// The signature.
    pub signature: Signature<C::Order>,
    /// Which point the nonce gave.
    pub id: RecoveryId,
    /// The signer's key, as it came.
    pub key: Encoded<C>,
    /// Is s of the upper half refused?
    pub low_s: LowS,
}

/// Does [`recover`] give this key? Of every row, by a random linear combination: `verdicts[i]` is that of `rows[i]`, for as many as
/// both have.
///
/// `entropy`: 32 bytes of the operating system's generator, for this call alone. Whoever can foretell them can make wrong
/// signatures that are taken for right ones.
pub fn verify_batch_recoverable<C, B>(
    b: B,
    rows: &[RecoverableRow<'_, C>],
    entropy: &[u8; 32],
    verdicts: &mut [Verdict],
) where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    let mut batch = Batch::new(b, Batch::<C, B>::DEFAULT_WORKSPACE_BYTES);
    batch.start(rows.len(), Some(entropy), 0);
    for (at, (row, verdict)) in (0..).zip(rows.iter().zip(&mut *verdicts)) {
        if let Err(error) = batch.push_recoverable(at, row) {
            *verdict = Verdict::Malformed(error);
        }
    }
    batch.settle(verdicts);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::ecdsa::{LowS, sign_with_nonce, verify_digest};
    use crate::keys;
    use curve::Secp256k1;
    use field::secp256k1::Portable5x52;
    use field::{OneLane, SecretScalar};

    /// The right id gives the key back; another one gives another key, under which the signature verifies as well.
    #[test]
    fn every_id() {
        let f = Portable5x52;
        for (d, k) in [(1, 2), (7, 1), (12345, 678)] {
            let d = SecretScalar::from_u64(d);
            let key = keys::public_key::<Secp256k1, _>(OneLane(f), &d);
            let digest = [0x5A; 32];
            let z = Scalar::from_digest(&digest);
            let (signature, right) =
                sign_with_nonce::<Secp256k1, _>(OneLane(f), &z, &d, &SecretScalar::from_u64(k)).unwrap();
            for id in 0..4 {
                let id = RecoveryId::from_u8(id).unwrap();
                match recover::<Secp256k1, _>(OneLane(f), &digest, &signature, id) {
                    Ok(recovered) => {
                        assert_eq!(recovered == key, id == right);
                        assert_eq!(verify_digest(OneLane(f), &digest, &signature, &recovered, LowS::Accepted), Ok(()));
                    }
                    // r + n is beyond p for all but one r in 2^128.
                    Err(Invalid) => assert!(id.x_is_reduced()),
                }
            }
        }
    }
}
