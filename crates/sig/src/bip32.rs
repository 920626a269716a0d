//! BIP32: trees of secp256k1 keys, each with a chain code.
//!
//! With I = HMAC-SHA512(chain code, data ‖ index), I = I_L ‖ I_R: the child of d is d + I_L, that of P is P + I_L·G, and
//! I_R is the child's chain code. The data of a hardened child is 0 ‖ d, of another the compressed P.
//!
//! A key's fingerprint, the first bytes of RIPEMD160(SHA256(P)), is needed by its children only: along a path it is computed
//! once, for the last parent.
//!
//! Cost of a public derivation: 4 compressions of SHA-512, a multiplication of G, an inversion mod p.
//! Constant time for private keys, except their base58 texts; variable time for public ones.
//! Source: BIP32.

mod path;
mod text;

pub use path::{ChildNumber, DerivationPath};
pub use text::{Network, Position};

use crate::error::ParseError;
use crate::keys;
use alloc::string::String;
use core::fmt;
use curve::{AffinePoint, Secp256k1, encode};
use field::secp256k1::{FieldPrime, GroupOrder};
use field::{Backends, FieldOps, SecretScalar};
use hmac::{Hmac, KeyInit, Mac};
use ripemd::Ripemd160;
use sha2::{Digest, Sha256, Sha512};
use text::{Half, MAX_TEXT_BYTES, Serialized};
use zeroize::{Zeroize, Zeroizing};

/// A point of secp256k1.
type Point = AffinePoint<Secp256k1>;
/// A secret integer mod n.
type Secret = SecretScalar<GroupOrder>;

/// Why a child was not derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeriveError {
    /// Hardened children derive from the private key only.
    HardenedFromPublic,
    /// The key is 255 levels down already.
    DepthExceeded,
    /// The index gives no key (probability 2^-127): BIP32 goes on with the next index.
    Unusable,
}

impl fmt::Display for DeriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HardenedFromPublic => "a hardened child derives from the private key only",
            Self::DepthExceeded => "deeper than 255 levels",
            Self::Unusable => "this index gives no key",
        })
    }
}

impl core::error::Error for DeriveError {}

/// A private key with its chain code and its place in the tree. Wiped when dropped.
#[derive(Clone)]
pub struct ExtendedPrivateKey {
    position: Position,
    chain_code: Zeroizing<[u8; 32]>,
    key: Secret,
}

/// A public key with its chain code and its place in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExtendedPublicKey {
    position: Position,
    chain_code: [u8; 32],
    key: Point,
}

/// I_L and I_R, wiped when dropped.
struct Derived {
    left: Zeroizing<[u8; 32]>,
    right: Zeroizing<[u8; 32]>,
}

/// HMAC-SHA512(key, parts…).
fn hmac_sha512(key: &[u8], parts: &[&[u8]]) -> Derived {
    // A key of at most a block is padded with zeros.
    let mut block = hmac::digest::common::Key::<Hmac<Sha512>>::default();
    block.iter_mut().zip(key).for_each(|(byte, key)| *byte = *key);
    let mut mac = Hmac::<Sha512>::new(&block);
    block.zeroize();
    parts.iter().for_each(|part| mac.update(part));
    let mut output = mac.finalize().into_bytes();
    let mut derived = Derived { left: Zeroizing::default(), right: Zeroizing::default() };
    let (left, right) = output.split_at(32);
    derived.left.copy_from_slice(left);
    derived.right.copy_from_slice(right);
    output.zeroize();
    derived
}

/// The first four bytes of RIPEMD160(SHA256(P)).
fn fingerprint(compressed: &[u8; 33]) -> [u8; 4] {
    let hash: [u8; 20] = Ripemd160::digest(Sha256::digest(compressed)).into();
    [hash[0], hash[1], hash[2], hash[3]]
}

impl Position {
    /// The place of a child; its parent's fingerprint is filled in by the caller, for the last parent of a path.
    fn child(&self, index: ChildNumber) -> Result<Self, DeriveError> {
        let depth = self.depth.checked_add(1).ok_or(DeriveError::DepthExceeded)?;
        Ok(Self { network: self.network, depth, parent_fingerprint: [0; 4], child_number: index })
    }
}

fn to_text(position: &Position, serialized: &Serialized, half: Half) -> Zeroizing<String> {
    let mut text = Zeroizing::new([0; MAX_TEXT_BYTES]);
    let length = text::encode(position, serialized, half, &mut text);
    // The alphabet of base58 is ASCII.
    Zeroizing::new(text.iter().take(length).map(|&byte| char::from(byte)).collect())
}

impl ExtendedPrivateKey {
    /// The master key of a seed of 16 to 64 bytes.
    ///
    /// # Errors
    /// [`ParseError::Length`]; [`ParseError::OutOfRange`] if the seed gives no key (probability 2^-127).
    pub fn from_seed(seed: &[u8], network: Network) -> Result<Self, ParseError> {
        if !(16..=64).contains(&seed.len()) {
            return Err(ParseError::Length);
        }
        let Derived { left, right } = hmac_sha512(b"Bitcoin seed", &[seed]);
        let position = Position { network, depth: 0, parent_fingerprint: [0; 4], child_number: ChildNumber(0) };
        Ok(Self { position, chain_code: right, key: keys::parse_secret(&*left)? })
    }

    /// The key of its text, `xprv…` or `tprv…`.
    ///
    /// # Errors
    /// [`ParseError::Base58`] for everything around the key (alphabet, checksum, length, version, a master key with a parent),
    /// [`ParseError::Prefix`] and [`ParseError::OutOfRange`] for the key itself.
    pub fn from_base58(text: &str) -> Result<Self, ParseError> {
        let (position, serialized) = text::decode(text, Half::Private)?;
        let [0, secret @ ..] = &serialized.key else { return Err(ParseError::Prefix) };
        Ok(Self { position, chain_code: Zeroizing::new(serialized.chain_code), key: keys::parse_secret(secret)? })
    }

    /// The text, `xprv…` or `tprv…`.
    pub fn to_base58(&self) -> Zeroizing<String> {
        let mut serialized = Serialized { chain_code: *self.chain_code, key: [0; 33] };
        serialized.key[1..].copy_from_slice(&*self.key.to_be_bytes());
        to_text(&self.position, &serialized, Half::Private)
    }

    /// The child of this index.
    ///
    /// # Errors
    /// [`DeriveError::DepthExceeded`], [`DeriveError::Unusable`].
    pub fn child<B: Backends<FieldPrime, GroupOrder>>(&self, b: B, index: ChildNumber) -> Result<Self, DeriveError> {
        let public = encode::to_compressed(&keys::public_key::<Secp256k1, B>(b, &self.key));
        let mut child = self.child_of(index, Some(&public))?;
        child.position.parent_fingerprint = fingerprint(&public);
        Ok(child)
    }

    /// The key at the end of a path that begins here.
    ///
    /// # Errors
    /// As [`child`](Self::child).
    pub fn derive<B: Backends<FieldPrime, GroupOrder>>(
        &self,
        b: B,
        path: &DerivationPath,
    ) -> Result<Self, DeriveError> {
        let Some((&last, parents)) = path.children().split_last() else { return Ok(self.clone()) };
        let mut parent = self.clone();
        for &index in parents {
            // A hardened child does not need the public key, and nobody needs these children's fingerprints.
            let public = (!index.is_hardened())
                .then(|| encode::to_compressed(&keys::public_key::<Secp256k1, B>(b, &parent.key)));
            parent = parent.child_of(index, public.as_ref())?;
        }
        parent.child(b, last)
    }

    /// The child, without its parent's fingerprint; `public` is this key's public half and is there unless `index` is hardened.
    fn child_of(&self, index: ChildNumber, public: Option<&[u8; 33]>) -> Result<Self, DeriveError> {
        let position = self.position.child(index)?;
        let number = index.0.to_be_bytes();
        let Derived { left, right } = match public {
            Some(public) if !index.is_hardened() => hmac_sha512(&*self.chain_code, &[public, &number]),
            _ => hmac_sha512(&*self.chain_code, &[&[0], &*self.key.to_be_bytes(), &number]),
        };
        let key = keys::secret_tweak_add(&self.key, &*left).map_err(|_| DeriveError::Unusable)?;
        Ok(Self { position, chain_code: right, key })
    }

    /// The public half.
    pub fn to_public<B: Backends<FieldPrime, GroupOrder>>(&self, b: B) -> ExtendedPublicKey {
        ExtendedPublicKey { position: self.position, chain_code: *self.chain_code, key: keys::public_key(b, &self.key) }
    }

    /// The key itself.
    pub fn secret_key(&self) -> &Secret {
        &self.key
    }

    /// Where it stands in its tree.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The chain code, which with the public key gives every child that is not hardened.
    pub fn chain_code(&self) -> &[u8; 32] {
        &self.chain_code
    }
}

impl ExtendedPublicKey {
    /// The key of its text, `xpub…` or `tpub…`.
    ///
    /// # Errors
    /// [`ParseError::Base58`] for everything around the key (alphabet, checksum, length, version, a master key with a parent),
    /// and the errors of a compressed key for the key itself.
    pub fn from_base58<F: FieldOps<Prime = FieldPrime>>(f: F, text: &str) -> Result<Self, ParseError> {
        let (position, serialized) = text::decode(text, Half::Public)?;
        Ok(Self { position, chain_code: serialized.chain_code, key: encode::parse_compressed(f, &serialized.key)? })
    }

    /// The text, `xpub…` or `tpub…`.
    pub fn to_base58(&self) -> String {
        let serialized = Serialized { chain_code: self.chain_code, key: encode::to_compressed(&self.key) };
        core::mem::take(&mut *to_text(&self.position, &serialized, Half::Public))
    }

    /// The child of this index, which is not hardened.
    ///
    /// # Errors
    /// [`DeriveError`].
    pub fn child<B: Backends<FieldPrime, GroupOrder>>(&self, b: B, index: ChildNumber) -> Result<Self, DeriveError> {
        let public = encode::to_compressed(&self.key);
        let mut child = self.child_of(b, index, &public)?;
        child.position.parent_fingerprint = fingerprint(&public);
        Ok(child)
    }

    /// The key at the end of a path that begins here.
    ///
    /// # Errors
    /// As [`child`](Self::child).
    pub fn derive<B: Backends<FieldPrime, GroupOrder>>(
        &self,
        b: B,
        path: &DerivationPath,
    ) -> Result<Self, DeriveError> {
        let Some((&last, parents)) = path.children().split_last() else { return Ok(*self) };
        let mut parent = *self;
        for &index in parents {
            parent = parent.child_of(b, index, &encode::to_compressed(&parent.key))?;
        }
        parent.child(b, last)
    }

    fn child_of<B: Backends<FieldPrime, GroupOrder>>(
        &self,
        b: B,
        index: ChildNumber,
        public: &[u8; 33],
    ) -> Result<Self, DeriveError> {
        if index.is_hardened() {
            return Err(DeriveError::HardenedFromPublic);
        }
        let position = self.position.child(index)?;
        let Derived { left, right } = hmac_sha512(&self.chain_code, &[public, &index.0.to_be_bytes()]);
        let key = keys::tweak_add(b, &self.key, &*left).map_err(|_| DeriveError::Unusable)?;
        Ok(Self { position, chain_code: *right, key })
    }

    /// The key itself.
    pub fn public_key(&self) -> &Point {
        &self.key
    }

    /// Where it stands in its tree.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The chain code, which with the public key gives every child that is not hardened.
    pub fn chain_code(&self) -> &[u8; 32] {
        &self.chain_code
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::test_bytes::hex;
    use field::OneLane;
    use field::secp256k1::Portable5x52;

    /// BIP32, test vector 1: private derivation, and public derivation below the last hardened step.
    #[test]
    fn published_chain() {
        let f = Portable5x52;
        let seed: [u8; 16] = hex("000102030405060708090a0b0c0d0e0f");
        let master = ExtendedPrivateKey::from_seed(&seed, Network::Mainnet).unwrap();
        let path: DerivationPath = "m/0'/1/2'/2/1000000000".parse().unwrap();
        let last = master.derive(OneLane(f), &path).unwrap();
        assert_eq!(
            *last.to_base58(),
            "xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQjgPie1rFSruoUihUZREPSL39UNdE3BBDu76"
        );
        let xpub = "xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy";
        assert_eq!(last.to_public(OneLane(f)).to_base58(), xpub);
        let (hardened, rest) = path.children().split_at(3);
        let account =
            master.derive(OneLane(f), &DerivationPath::new(hardened.iter().copied())).unwrap().to_public(OneLane(f));
        let watched = account.derive(OneLane(f), &DerivationPath::new(rest.iter().copied())).unwrap();
        assert_eq!(watched, ExtendedPublicKey::from_base58(f, xpub).unwrap());
    }

    /// A path and its steps one by one: fingerprints included.
    #[test]
    fn a_path_is_its_steps() {
        let f = Portable5x52;
        let master = ExtendedPrivateKey::from_seed(&[1; 32], Network::Testnet).unwrap();
        let path: DerivationPath = "m/3/4'/5'/6".parse().unwrap();
        let stepwise = path.into_iter().fold(master.clone(), |key, index| key.child(OneLane(f), index).unwrap());
        assert_eq!(master.derive(OneLane(f), &path).unwrap().to_base58(), stepwise.to_base58());
        assert_eq!(master.derive(OneLane(f), &DerivationPath::default()).unwrap().to_base58(), master.to_base58());
        let again = ExtendedPrivateKey::from_base58(&stepwise.to_base58()).unwrap();
        assert_eq!(again.to_base58(), stepwise.to_base58());
    }

    #[test]
    fn what_is_not_derived() {
        let f = Portable5x52;
        assert_eq!(ExtendedPrivateKey::from_seed(&[0; 15], Network::Mainnet).err(), Some(ParseError::Length));
        assert_eq!(ExtendedPrivateKey::from_seed(&[0; 65], Network::Mainnet).err(), Some(ParseError::Length));
        let mut key = ExtendedPrivateKey::from_seed(&[2; 16], Network::Mainnet).unwrap();
        let public = key.to_public(OneLane(f));
        assert_eq!(public.child(OneLane(f), ChildNumber(1 << 31)), Err(DeriveError::HardenedFromPublic));
        for _ in 0..255 {
            key = key.child(OneLane(f), ChildNumber(1 << 31)).unwrap();
        }
        assert_eq!(key.child(OneLane(f), ChildNumber(0)).err(), Some(DeriveError::DepthExceeded));
        assert_eq!(key.to_public(OneLane(f)).child(OneLane(f), ChildNumber(0)), Err(DeriveError::DepthExceeded));
    }
}
