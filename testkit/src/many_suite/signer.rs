//! Rows whose exponents are known: the big-integer oracle does the arithmetic mod n, windlass's plain multiplications the points.

use super::{Case, Input, Key, Signature, XOnly};
use crate::oracle::{Curve, bytes32, from_bytes, tagged_hash};
use crate::random::Random;
use num_bigint::BigUint;
use windlass::ecdsa::{self, RecoveryId};
use windlass::{Keypair, LowS, Parity, PublicKey, SecretKey, schnorr, taproot, vartime};

/// The kinds of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// ECDSA.
    Ecdsa,
    /// ECDSA with the recovery id.
    EcdsaRecoverable,
    /// BIP340.
    Schnorr,
    /// Taproot outputs.
    TaprootTweak,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Ecdsa, Kind::EcdsaRecoverable, Kind::Schnorr, Kind::TaprootTweak];
}

/// Makes rows; the same seed makes the same ones.
#[derive(Clone, Debug)]
pub struct Signer {
    /// The group.
    pub curve: Curve,
    /// Where numbers come from.
    pub random: Random,
}

/// r ‖ s.
pub fn pair(r: &BigUint, s: &BigUint) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&bytes32(r));
    bytes[32..].copy_from_slice(&bytes32(s));
    bytes
}

/// An id from 0 to 3.
pub fn recovery_id(id: u8) -> RecoveryId {
    RecoveryId::from_u8(id).expect("0 to 3")
}

/// x of a key, and whether its y is odd.
pub fn coordinates(key: &PublicKey) -> (BigUint, bool) {
    let bytes = key.to_compressed();
    (from_bytes(&bytes[1..]), bytes[0] == 3)
}

/// An ECDSA signature by its exponents, with all that goes with it. s is as it comes.
#[derive(Clone, Debug)]
pub struct Signed {
    /// The digest's number.
    pub z: BigUint,
    /// x(R) mod n.
    pub r: BigUint,
    /// The other half.
    pub s: BigUint,
    /// Which R.
    pub id: u8,
    /// The signer.
    pub key: PublicKey,
}

impl Signed {
    /// The digest.
    pub fn digest(&self) -> [u8; 32] {
        bytes32(&self.z)
    }

    /// r ‖ s.
    pub fn compact(&self) -> [u8; 64] {
        pair(&self.r, &self.s)
    }

    /// The row, with every s accepted: with the id for [`Kind::EcdsaRecoverable`], without for [`Kind::Ecdsa`].
    pub fn input(&self, kind: Kind) -> Input {
        let (digest, signature, low_s) = (self.digest(), Signature::Compact(self.compact()), LowS::Accepted);
        let key = Key::Sec1(self.key.to_compressed().to_vec());
        match kind {
            Kind::EcdsaRecoverable => {
                Input::EcdsaRecoverable { digest, signature, id: recovery_id(self.id), key, low_s }
            }
            _ => Input::Ecdsa { digest, signature, key, low_s },
        }
    }
}

impl Signer {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self { curve: Curve::secp256k1(), random: Random::new(seed) }
    }

    /// A number in 1..n.
    pub fn scalar(&mut self) -> BigUint {
        from_bytes(&self.random.bytes::<32>()) % (&self.curve.n - 1u32) + 1u32
    }

    /// k·G, which is not infinite.
    pub fn point(&self, k: &BigUint) -> PublicKey {
        vartime::mul_base(&bytes32(&(k % &self.curve.n))).expect("not infinite")
    }

    /// A point of unknown exponent with this x, if there is one; its y is even.
    pub fn lift(&self, x: &BigUint) -> Option<PublicKey> {
        PublicKey::parse(&[&[2], &bytes32(x)[..]].concat()).ok()
    }

    /// u₁·G + u₂·Q.
    pub fn combine(&self, u1: &BigUint, u2: &BigUint, key: &PublicKey) -> Option<PublicKey> {
        vartime::mul_add(&bytes32(&(u1 % &self.curve.n)), &bytes32(&(u2 % &self.curve.n)), key)
    }

    /// The signature by Q whose verification computes u₁·G + u₂·Q: r = x(R), s = r/u₂, z = u₁·s. None if R is infinite.
    pub fn ecdsa(&self, u1: &BigUint, u2: &BigUint, key: &PublicKey) -> Option<Signed> {
        let n = &self.curve.n;
        let nonce_point = self.combine(u1, u2, key)?;
        let (x, y_is_odd) = coordinates(&nonce_point);
        let r = &x % n;
        let s = &r * self.curve.invert_scalar(u2) % n;
        let z = u1 * &s % n;
        let id = u8::from(y_is_odd) | u8::from(x >= *n) << 1;
        Some(Signed { z, r, s, id, key: *key })
    }

    /// The signature whose recovery computes u₁·G + u₂·R: s = u₂·r, z = −u₁·r. None if the key is infinite.
    pub fn recoverable(&self, u1: &BigUint, u2: &BigUint, nonce_point: &PublicKey) -> Option<Signed> {
        let n = &self.curve.n;
        let key = self.combine(u1, u2, nonce_point)?;
        let (x, y_is_odd) = coordinates(nonce_point);
        let r = &x % n;
        let (s, z) = (u2 * &r % n, self.curve.negate_scalar(&(u1 * &r)));
        let id = u8::from(y_is_odd) | u8::from(x >= *n) << 1;
        Some(Signed { z, r, s, id, key })
    }

    /// An ordinary ECDSA signature of a random digest by a random key, s as it comes.
    pub fn any_ecdsa(&mut self) -> Signed {
        let (d, u1, u2) = (self.scalar(), self.scalar(), self.scalar());
        let key = self.point(&d);
        self.ecdsa(&u1, &u2, &key).expect("random numbers do not meet")
    }

    /// BIP340's e for given bytes of R.
    pub fn challenge(&self, r: &[u8; 32], key: &[u8; 32], message: &[u8]) -> BigUint {
        from_bytes(&tagged_hash("BIP0340/challenge", &[r, key, message])) % &self.curve.n
    }

    /// The exponent of the point with the same x and an even y.
    pub fn even(&self, d: &BigUint) -> BigUint {
        if coordinates(&self.point(d)).1 { self.curve.negate_scalar(d) } else { d.clone() }
    }

    /// x(d·G) as bytes.
    pub fn x(&self, d: &BigUint) -> [u8; 32] {
        bytes32(&coordinates(&self.point(d)).0)
    }

    /// s = k + e·d with R = k·G as it is, whatever its y's parity; d is that of the even key.
    pub fn schnorr_raw(&self, d: &BigUint, k: &BigUint, message: &[u8]) -> [u8; 64] {
        let d = self.even(d);
        let (r, key) = (self.x(k), self.x(&d));
        let s = (k + self.challenge(&r, &key, message) * &d) % &self.curve.n;
        pair(&from_bytes(&r), &s)
    }

    /// A row with the BIP340 signature of this key and nonce.
    pub fn schnorr(&self, d: &BigUint, k: &BigUint, message: &[u8]) -> Input {
        let signature = self.schnorr_raw(d, &self.even(k), message);
        Input::Schnorr { message: message.to_vec(), signature, key: XOnly::Bytes(self.x(d)) }
    }

    /// `count` good rows of a kind under as many keys, in all forms that the kind has.
    pub fn good(&mut self, kind: Kind, count: usize) -> Vec<Case> {
        (0..count).map(|i| Case::valid(format!("good {kind:?} {i}"), self.good_input(kind, i))).collect()
    }

    fn good_input(&mut self, kind: Kind, form: usize) -> Input {
        let secret = SecretKey::from_bytes(&bytes32(&self.scalar())).expect("in 1..n");
        let pair = Keypair::from_secret(&secret);
        let public = *pair.public();
        let digest: [u8; 32] = self.random.bytes();
        let key = match form % 3 {
            0 => Key::Sec1(public.to_compressed().to_vec()),
            1 => Key::Parsed(public),
            _ => Key::Sec1(public.to_uncompressed().to_vec()),
        };
        let x_only = || match form % 2 {
            0 => XOnly::Bytes(pair.x_only().0.to_bytes()),
            _ => XOnly::Parsed(pair.x_only().0),
        };
        let (signed, id) = ecdsa::sign_digest_recoverable(&digest, &secret);
        let signature = match form / 2 % 3 {
            0 => Signature::Compact(signed.to_compact()),
            1 => Signature::Der(signed.to_der().to_vec()),
            _ => Signature::Parsed(signed),
        };
        let low_s = if form % 5 == 0 { LowS::Accepted } else { LowS::Required };
        match kind {
            Kind::Ecdsa => Input::Ecdsa { digest, signature, key, low_s },
            Kind::EcdsaRecoverable => Input::EcdsaRecoverable { digest, signature, id, key, low_s },
            Kind::Schnorr => {
                let message = self.message(form);
                let signature = schnorr::sign(&message, &pair, &digest).0;
                Input::Schnorr { message, signature, key: x_only() }
            }
            Kind::TaprootTweak => {
                let merkle_root = (form % 3 != 0).then_some(digest);
                let (output, parity) = taproot::output_key(&pair.x_only().0, merkle_root.as_ref()).expect("a key");
                Input::TaprootTweak { internal: x_only(), merkle_root, output: output.to_bytes(), parity }
            }
        }
    }

    /// A random message: twenty of 32 bytes in a row, which are hashed side by side, then some of other lengths among them.
    fn message(&mut self, form: usize) -> Vec<u8> {
        let length = match form % 7 {
            _ if form % 40 < 20 => 32,
            3 => 0,
            4 => 1 + self.random.below(31),
            5 => 33 + self.random.below(300),
            _ => 32,
        };
        let mut message = vec![0; length];
        self.random.fill(&mut message);
        message
    }
}

/// The other parity.
pub fn other(parity: Parity) -> Parity {
    if parity == Parity::Odd { Parity::Even } else { Parity::Odd }
}
