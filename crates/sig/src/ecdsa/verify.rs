//! x(R) ≡ r mod n for R = (z/s)·G + (r/s)·Q.
//!
//! 1. z = the digest's leftmost bits, mod n; w = s⁻¹.
//! 2. R = z·w·G + r·w·Q; does not verify if R is infinite.
//! 3. x(R) mod n = r, compared without computing x(R) = X/Z² (see [`vartime::x_equals_order_residue`]).
//!
//! Cost: an inversion mod n, a double multiplication, 1S + 1M, now and then 1M. All variable time.
//! Source: SEC 1 v2.0, section 4.1.4.

use super::{LowS, Signature};
use crate::each::{self, ROWS_AT_ONCE};
use crate::error::{Invalid, ParseError};
use crate::many::Verdict;
use alloc::vec;
use alloc::vec::Vec;
use curve::{AffinePoint, CurveParams, Encoded, Jacobian, PreparedPoint, choose, vartime};
use field::{Backends, FieldOps, Scalar};

/// Does the signature of this digest, of any length, verify under the key?
///
/// # Errors
/// [`Invalid`] if it does not, or if s is in the upper half where `low_s` refuses that.
pub fn verify_digest<C, B>(
    b: B,
    digest: &[u8],
    signature: &Signature<C::Order>,
    key: &AffinePoint<C>,
    low_s: LowS,
) -> Result<(), Invalid>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    verify_integer(b, &Scalar::from_digest(digest), signature, key, low_s)
}

/// [`verify_digest`] from step 2 on, for the integer z.
///
/// # Errors
/// As there.
pub fn verify_integer<C, B>(
    b: B,
    z: &Scalar<C::Order>,
    signature: &Signature<C::Order>,
    key: &AffinePoint<C>,
    low_s: LowS,
) -> Result<(), Invalid>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    verify_by::<C, B>(b, z, signature, low_s, |u1, u2| choose::mul_double_base(b, u1, key, u2))
}

/// [`verify_digest`] under a prepared key.
///
/// # Errors
/// As there.
pub fn verify_digest_prepared<C, B>(
    b: B,
    digest: &[u8],
    signature: &Signature<C::Order>,
    key: &PreparedPoint<C>,
    low_s: LowS,
) -> Result<(), Invalid>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    verify_integer_prepared(b, &Scalar::from_digest(digest), signature, key, low_s)
}

/// [`verify_integer`] under a prepared key.
///
/// # Errors
/// As there.
pub fn verify_integer_prepared<C, B>(
    b: B,
    z: &Scalar<C::Order>,
    signature: &Signature<C::Order>,
    key: &PreparedPoint<C>,
    low_s: LowS,
) -> Result<(), Invalid>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    verify_by::<C, B>(b, z, signature, low_s, |u1, u2| vartime::mul_double_base_prepared(b, u1, key, u2))
}

/// [`verify_integer`], given R = u₁·G + u₂·Q as a function.
fn verify_by<C, B>(
    b: B,
    z: &Scalar<C::Order>,
    signature: &Signature<C::Order>,
    low_s: LowS,
    sum: impl FnOnce(&Scalar<C::Order>, &Scalar<C::Order>) -> Jacobian<B::One>,
) -> Result<(), Invalid>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    if low_s == LowS::Required && !signature.is_low_s() {
        return Err(Invalid);
    }
    let w = signature.s().invert_vartime();
    let point = sum(&z.mul(&w), &signature.r().mul(&w));
    if vartime::x_equals_order_residue::<C, _>(b.one(), &point, signature.r()) { Ok(()) } else { Err(Invalid) }
}

/// A row of [`verify_each`].
#[derive(Clone, Copy)]
pub struct VerifyRow<C: CurveParams> {
    /// The integer that was signed: [`Scalar::from_digest`].
    pub z: Scalar<C::Order>,
    /// The signature.
    pub signature: Signature<C::Order>,
    /// The signer's key, as it came.
    pub key: Encoded<C>,
    /// Is s of the upper half refused?
    pub low_s: LowS,
}

/// [`verify_integer`] of every row, in lanes: `verdicts[i]` is that of `rows[i]`, for as many as both have.
pub fn verify_each<C, B>(b: B, rows: &[VerifyRow<C>], verdicts: &mut [Verdict])
where
    C: CurveParams,
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
        let parts: Vec<_> = rows.iter().map(|row| [*row.signature.s(), row.z, *row.signature.r()]).collect();
        let quotients = each::quotients(b.scalars(), &parts);
        let mut sums = vec![Jacobian::infinity(f); points.len()];
        vartime::mul_double_base_each::<C, _>(f, &mut workspace, &quotients.x, &points, &quotients.y, &mut sums);
        let r: Vec<_> = rows.iter().map(|row| *row.signature.r()).collect();
        let groups = sums.iter().zip(r.chunks(<B::Lanes as FieldOps>::LANES));
        let is_r: Vec<_> = groups.map(|(sum, r)| vartime::x_equals_order_residue_each::<C, _>(f, sum, r)).collect();
        for (i, (row, verdict)) in rows.iter().zip(verdicts).enumerate() {
            *verdict = if !each::is_set(f, &is_key, i) {
                Verdict::Malformed(ParseError::NotOnCurve)
            } else if (row.low_s == LowS::Accepted || row.signature.is_low_s()) && each::is_set(f, &is_r, i) {
                Verdict::Valid
            } else {
                Verdict::Invalid
            };
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::ecdsa::sign_with_nonce;
    use crate::keys;
    use curve::Secp256k1;
    use field::OneLane;
    use field::SecretScalar;
    use field::secp256k1::Portable5x52;

    type N = Scalar<<Secp256k1 as CurveParams>::Order>;

    /// A digest longer than n counts by its first 32 bytes, zero or not; a shorter one as a number. Where libraries went by
    /// the number's size, leading zeros shifted it: indutny/elliptic#321, CVE-2024-48948.
    #[test]
    fn digests_of_every_length() {
        let f = Portable5x52;
        let (d, k) = (SecretScalar::from_u64(11), SecretScalar::from_u64(13));
        let key = keys::public_key::<Secp256k1, _>(OneLane(f), &d);
        let mut long = [0; 64];
        (long[31], long[32], long[63]) = (5, 0xAA, 0xBB);
        for (digest, z) in [(&long[..], N::from_u64(5)), (&[0, 0, 0, 5], N::from_u64(5)), (&[], N::ZERO)] {
            let (signature, _) = sign_with_nonce::<Secp256k1, _>(OneLane(f), &z, &d, &k).unwrap();
            assert_eq!(verify_digest(OneLane(f), digest, &signature, &key, LowS::Required), Ok(()));
            assert_eq!(verify_digest(OneLane(f), &[1; 64], &signature, &key, LowS::Required), Err(Invalid));
        }
    }
}
