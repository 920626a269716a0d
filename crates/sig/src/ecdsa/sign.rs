//! (r, s): r = x(k·G) mod n, s = k⁻¹(z + r·d) mod n, then the smaller of s and n − s.
//!
//! 1. z = the digest's leftmost bits, mod n.
//! 2. k from RFC 6979; R = k·G; r = x(R) mod n.
//! 3. s = k⁻¹(z + r·d). If r or s is 0: the next k (never seen for an order of 256 bits).
//! 4. s above (n − 1)/2 becomes n − s, which R's sign change undoes: bit 0 of the recovery id flips.
//!
//! Cost: a multiplication of G, two inversions (of R's z mod p and of k mod n), 18 compressions of the hash.
//! Constant time in the key and the nonce; the digest is public.
//! Source: SEC 1 v2.0, section 4.1.3; RFC 6979; BIP62, rule 5 (low s).

use super::{LowS, RecoveryId, Signature, rfc6979::NonceSource, verify_digest};
use crate::error::SigningFault;
use crate::{SelfCheck, keys};
use arith::ct_check;
use curve::{AffinePoint, CurveParams};
use field::{Backends, Choice, Scalar, SecretScalar};
use hmac::{KeyInit, Mac};

/// Signs a digest of any length with a nonce from RFC 6979, `M` being HMAC with the scheme's hash.
///
/// `extra` goes into the nonce (RFC 6979, section 3.6; libsecp256k1's `ndata`). The key is in 1..n.
pub fn sign_digest<C, B, M>(
    b: B,
    digest: &[u8],
    key: &SecretScalar<C::Order>,
    extra: Option<&[u8]>,
) -> (Signature<C::Order>, RecoveryId)
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
    M: Mac + KeyInit + Clone,
{
    let z = Scalar::from_digest(digest);
    let mut nonces = NonceSource::<M>::new(key, &z, extra);
    loop {
        let k = nonces.next_nonce::<C::Order>();
        if let Some(signed) = sign_with_nonce::<C, B>(b, &z, key, &k) {
            return signed;
        }
    }
}

/// [`sign_digest`] with a [`SelfCheck`]; `public` is the key's public half.
///
/// # Errors
/// [`SigningFault`] if the check is on and fails.
pub fn sign_digest_checked<C, B, M>(
    b: B,
    digest: &[u8],
    key: &SecretScalar<C::Order>,
    public: &AffinePoint<C>,
    extra: Option<&[u8]>,
    self_check: SelfCheck,
) -> Result<(Signature<C::Order>, RecoveryId), SigningFault>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
    M: Mac + KeyInit + Clone,
{
    let signed = sign_digest::<C, B, M>(b, digest, key, extra);
    self_check.pass(signed, |(signature, _)| verify_digest(b, digest, signature, public, LowS::Required))
}

/// Signs the integer z with the nonce k in 1..n; `None` if r or s is 0, where another nonce is due.
///
/// A nonce that is used twice, is known to anyone or is biased gives the key away: this is for nonces from RFC 6979 and for
/// tests.
pub fn sign_with_nonce<C, B>(
    b: B,
    z: &Scalar<C::Order>,
    key: &SecretScalar<C::Order>,
    k: &SecretScalar<C::Order>,
) -> Option<(Signature<C::Order>, RecoveryId)>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    let mut inversion = k.inversion();
    let nonce_point = keys::secret_multiple_beside::<C, B>(b, k, &mut inversion);
    sign_with_nonce_point::<C>(z, key, &inversion.finish(), &nonce_point)
}

/// Steps 3 and 4 for 1/k and R = k·G.
pub(crate) fn sign_with_nonce_point<C: CurveParams>(
    z: &Scalar<C::Order>,
    key: &SecretScalar<C::Order>,
    inverse: &SecretScalar<C::Order>,
    nonce_point: &AffinePoint<C>,
) -> Option<(Signature<C::Order>, RecoveryId)> {
    let mut x = *nonce_point.x_words();
    ct_check::declassify(&mut x); // r, and half of the recovery id; the sign of y stays secret
    let r = Scalar::<C::Order>::from_words_reduced(&x);
    let s = SecretScalar::from(*z).add(&SecretScalar::from(r).mul(key)).mul(inverse);
    // Which of s and n − s it was says which of R and −R the nonce gave; neither tells anything about k or d.
    let high = s.is_high();
    let s = s.conditional_negate(high).declassify("half of the signature");
    let odd = Choice::from_bit(u64::from(nonce_point.y_is_odd())).xor(high).declassify("the recovery id is public");
    let signature = Signature::new(r, s).ok()?;
    Some((signature, RecoveryId::new(odd, *r.words() != x)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::HmacSha256;
    use crate::test_bytes::hex;
    use curve::Secp256k1;
    use field::OneLane;
    use field::secp256k1::Portable5x52;

    fn sign(digest: &str, key: &str, extra: Option<&[u8]>) -> ([u8; 64], u8) {
        let key = SecretScalar::from_be_bytes(&hex::<32>(key)).unwrap();
        let digest = hex::<32>(digest);
        let (signature, id) = sign_digest::<Secp256k1, _, HmacSha256>(OneLane(Portable5x52), &digest, &key, extra);
        let (r, s) = signature.to_compact();
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&r);
        bytes[32..].copy_from_slice(&s);
        (bytes, id.to_u8())
    }

    /// Vectors of bitcoinjs/tiny-secp256k1, which libsecp256k1 confirms.
    #[test]
    fn published_signatures() {
        for (key, digest, signature, id) in [
            (
                "0000000000000000000000000000000000000000000000000000000000000001",
                "06ef2b193b83b3d701f765f1db34672ab84897e1252343cc2197829af3a30456",
                "33a69cd2065432a30f3d1ce4eb0d59b8ab58c74f27c41a7fdb5696ad4e6108c96f807982866f785d3f6418d24163ddae117b7db4d5fdf0071de069fa54342262",
                0,
            ),
            (
                "0000000000000000000000000000000000000000000000000000000000000001",
                "d507058c2f1472fe0de2ba3b4efe629505677440ab3a7032a9adeaf0ebda74a2",
                "c0dafec8251f1d5010289d210232220b03202cba34ec11fec58b3e93a85b91d375afdc06b7d6322a590955bf264e7aaa155847f614d80078a90292fe205064d3",
                1,
            ),
            (
                "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140",
                "5e9f0a0d593efdcf78ac923bc3313e4e7d408d574354ee2b3288c0da9fbba6ed",
                "54c4a33c6423d689378f160a7ff8b61330444abb58fb470f96ea16d99d4a2fed07082304410efa6b2943111b6a4e0aaa7b7db55a07e9861d1fb3cb1f421044a5",
                0,
            ),
        ] {
            assert_eq!(sign(digest, key, None), (hex(signature), id));
        }
    }

    /// The check passes what `sign_digest` makes, and refuses what does not verify under the public key.
    #[test]
    fn self_check() {
        let b = OneLane(Portable5x52);
        let key = SecretScalar::from_u64(5);
        let [public, other] = [5, 6].map(|d| keys::public_key::<Secp256k1, _>(b, &SecretScalar::from_u64(d)));
        let digest = [7; 32];
        let signed = sign_digest::<Secp256k1, _, HmacSha256>(b, &digest, &key, None);
        for (public, self_check, expected) in [
            (&public, SelfCheck::On, Ok(signed)),
            (&other, SelfCheck::On, Err(SigningFault)),
            (&other, SelfCheck::Off, Ok(signed)),
        ] {
            let checked = sign_digest_checked::<Secp256k1, _, HmacSha256>(b, &digest, &key, public, None, self_check);
            assert_eq!(checked, expected);
        }
    }

    /// The same with `ndata` of zeros and of ones: present is not absent.
    #[test]
    fn published_signatures_with_extra_entropy() {
        let key = "47df31753e5db1db1a04513c000328d81007cbc9af6d328ae6b6acae02343c69";
        let digest = "235c1d402d5f36619d93b7bf82da697e17a6597af1386dfa2d3e5303603040d4";
        for (extra, signature, id) in [
            (
                None,
                "f98d6053ab566c86d44835234eeb4210ce960c2d1ac0e107faf3c7afba5671767ff983f565623519ee8306455a59633137a471fe3365ff216fb14b1bd3453f2f",
                1,
            ),
            (
                Some([0x00; 32]),
                "614dad2b139387f530170ff7e816c11788586ed1693fbe64c1faf07536ea97d509c338dbf844fbe539cacefb5f49abffc473772d07e414f8d08d3468a133f1f7",
                1,
            ),
            (
                Some([0xFF; 32]),
                "96c0fbc421b02cb7e7ce17d046f7c14617451b816dd128ed04e6d595356a6b6f402cbf988ab6b79725c09a956e3acdb6a2c83d54ae3914c051c5af91dac2eafc",
                0,
            ),
        ] {
            assert_eq!(sign(digest, key, extra.as_ref().map(|bytes| bytes.as_slice())), (hex(signature), id));
        }
    }
}
