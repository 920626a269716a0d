//! d·Q = q·P: the point that the owners of two keys share.
//!
//! What is made of it differs between protocols: libsecp256k1 hashes the compressed point, ECIES and Nostr take x as it
//! stands. A peer is a point of the curve, which has no small subgroup, so the shared point is never infinite; points off the
//! curve end in the parser.
//!
//! Cost: a multiplication, an inversion mod p. Constant time in the key and in what is shared.
//! Source: SEC 1 v2.0, section 3.3.1; libsecp256k1's `secp256k1_ecdh.h`.

use curve::encode::x_bytes;
use curve::{AffinePoint, CurveParams, choose, ct};
use field::{Backends, Prime, SecretScalar};
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

/// SHA-256 of the compressed shared point.
pub fn shared_secret<C, B>(b: B, key: &SecretScalar<C::Order>, peer: &AffinePoint<C>) -> Zeroizing<[u8; 32]>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    let shared = shared_point(b, key, peer);
    let x = Zeroizing::new(x_bytes(&*shared));
    // The hash wipes what it holds.
    let hash = Sha256::new().chain_update([2 | shared.y_parity() as u8]).chain_update((*x).as_ref()).finalize();
    Zeroizing::new(hash.into())
}

/// x of the shared point, big-endian.
pub fn shared_x<C, B>(
    b: B,
    key: &SecretScalar<C::Order>,
    peer: &AffinePoint<C>,
) -> Zeroizing<<C::Field as Prime>::Bytes>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    Zeroizing::new(x_bytes(&*shared_point(b, key, peer)))
}

fn shared_point<C, B>(b: B, key: &SecretScalar<C::Order>, peer: &AffinePoint<C>) -> Zeroizing<AffinePoint<C>>
where
    C: CurveParams,
    B: Backends<C::Field, C::Order>,
{
    let mut shared = choose::mul_point::<C, B>(b, key, peer);
    let affine = Zeroizing::new(ct::to_affine(b.one(), &shared));
    shared.zeroize();
    affine
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys;
    use curve::{Secp256k1, encode};
    use field::OneLane;
    use field::secp256k1::{GroupOrder, Portable5x52};

    /// 2·(3·G) = 3·(2·G) = 6·G, in both forms.
    #[test]
    fn both_owners_share_one_point() {
        let b = OneLane(Portable5x52);
        let secret = |d| SecretScalar::<GroupOrder>::from_u64(d);
        let key = |d| keys::public_key::<Secp256k1, _>(b, &secret(d));
        let six = encode::to_compressed(&key(6));
        for (own, other) in [(2, 3), (3, 2), (1, 6), (6, 1)] {
            assert_eq!((*shared_x(b, &secret(own), &key(other))).as_slice(), &six[1..]);
            assert_eq!(*shared_secret(b, &secret(own), &key(other)), crate::sha256(&six));
        }
    }
}
