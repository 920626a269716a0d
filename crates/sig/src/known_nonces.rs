//! Signatures with nonces k, k + 1, k + 2, … that everybody knows, for test data: a million in the time of a hundred thousand.
//!
//! 1. Rᵢ = (k + i)·G by additions of G ([`consecutive_multiples`]), 1/(k + i) by one shared inversion.
//! 2. Each signature by the text of the schemes, [`schnorr`] and [`ecdsa`].
//!
//! **Whoever knows a nonce has the key**: d = (s − k)/e, or (s·k − z)/r. Only for keys that are public anyway.
//!
//! Cost a nonce: 13M + 5S and 3 products mod n; a signature adds a product or two mod n and the hash.
//! Variable time in the nonces.

use crate::ecdsa::{self, RecoveryId};
use crate::schnorr;
use alloc::{vec, vec::Vec};
use curve::vartime::consecutive::consecutive_multiples;
use curve::{AffinePoint, CurveParams};
use field::batch_inverse::batch_invert_scalars_vartime;
use field::{FieldOps, Prime, Scalar, SecretScalar};

/// A nonce k, 1/k and k·G: all of them public.
#[derive(Clone, Copy, Debug)]
pub struct KnownNonce<C: CurveParams> {
    k: Scalar<C::Order>,
    inverse: Scalar<C::Order>,
    point: AffinePoint<C>,
}

/// The nonces `first`, `first` + 1, …, at most `count`: 0, which is none, is left out.
pub fn consecutive<C, F>(f: F, first: &Scalar<C::Order>, count: usize) -> Vec<KnownNonce<C>>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
{
    let mut points = vec![None; count];
    consecutive_multiples::<C, F>(f, first, &mut points);
    let mut scalars = vec![*first; count];
    let mut next = *first;
    for k in &mut scalars {
        *k = next;
        next = next.add(&Scalar::ONE);
    }
    let mut inverses = scalars.clone();
    batch_invert_scalars_vartime(&scalars, &mut inverses);
    let nonces = scalars.iter().zip(inverses).zip(points);
    nonces.filter_map(|((&k, inverse), point)| Some(KnownNonce { k, inverse, point: point? })).collect()
}

impl<C: CurveParams> KnownNonce<C> {
    /// [`schnorr::sign_with_nonce`].
    pub fn sign_schnorr(
        &self,
        message: &[u8],
        secret: &SecretScalar<C::Order>,
        public: &AffinePoint<C>,
    ) -> schnorr::Signature
    where
        C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    {
        schnorr::sign_with_nonce_point(message, secret, public, &SecretScalar::from(self.k), &self.point)
    }

    /// [`ecdsa::sign_with_nonce`]; `None` if r or s is 0.
    pub fn sign_ecdsa(
        &self,
        z: &Scalar<C::Order>,
        key: &SecretScalar<C::Order>,
    ) -> Option<(ecdsa::Signature<C::Order>, RecoveryId)> {
        ecdsa::sign::sign_with_nonce_point::<C>(z, key, &SecretScalar::from(self.inverse), &self.point)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::keys;
    use curve::Secp256k1;
    use field::OneLane;
    use field::secp256k1::Portable5x52;

    /// The signatures are those that the same nonce gives one by one.
    #[test]
    fn same_signatures_as_with_secret_nonces() {
        let f = Portable5x52;
        let secret = SecretScalar::from_u64(77);
        let public = keys::public_key::<Secp256k1, _>(OneLane(f), &secret);
        let z = Scalar::from_u64(99);
        for first in [Scalar::from_u64(5), Scalar::from_u64(2).neg()] {
            let mut k = first;
            let nonces = consecutive::<Secp256k1, _>(f, &first, 4);
            assert_eq!(nonces.len(), if first == Scalar::from_u64(5) { 4 } else { 3 });
            for nonce in nonces {
                if k.is_zero() {
                    k = Scalar::ONE;
                }
                let same = SecretScalar::from(k);
                let schnorr =
                    schnorr::sign_with_nonce::<Secp256k1, _>(OneLane(f), b"m", &secret, &public, &same).unwrap();
                assert_eq!(nonce.sign_schnorr(b"m", &secret, &public), schnorr);
                let ecdsa = ecdsa::sign_with_nonce::<Secp256k1, _>(OneLane(f), &z, &secret, &same).unwrap();
                assert_eq!(nonce.sign_ecdsa(&z, &secret), Some(ecdsa));
                k = k.add(&Scalar::ONE);
            }
        }
    }
}
