//! BIP32: trees of keys, private and public.
//!
//! ```
//! use windlass::bip32::{ChildNumber, DerivationPath, ExtendedPrivateKey, Network};
//!
//! let master = ExtendedPrivateKey::from_seed(&[0x5e; 32], Network::Mainnet)?;
//! let account: DerivationPath = "m/84'/0'/0'".parse()?;
//! let account = master.derive(&account).expect("a key");
//!
//! // A watching wallet knows the public half alone and finds the same keys.
//! let receive: DerivationPath = "0/7".parse()?;
//! let watched = account.to_public().derive(&receive).expect("a key");
//! assert_eq!(watched, account.derive(&receive).expect("a key").to_public());
//! # Ok::<(), windlass::ParseError>(())
//! ```

use crate::engine::{with_backends, with_engine};
use crate::{ParseError, PublicKey, SecretKey};
use alloc::string::String;
use zeroize::Zeroizing;

pub use sig::bip32::{ChildNumber, DerivationPath, DeriveError, Network, Position};

/// A private key with its chain code and its place in the tree. Wiped when dropped; it does not print or compare.
#[derive(Clone)]
pub struct ExtendedPrivateKey {
    extended: sig::bip32::ExtendedPrivateKey,
    key: SecretKey,
}

impl From<sig::bip32::ExtendedPrivateKey> for ExtendedPrivateKey {
    fn from(extended: sig::bip32::ExtendedPrivateKey) -> Self {
        let key = SecretKey(extended.secret_key().clone());
        Self { extended, key }
    }
}

impl ExtendedPrivateKey {
    /// The master key of a seed of 16 to 64 bytes.
    ///
    /// # Errors
    /// [`ParseError::Length`]; [`ParseError::OutOfRange`] if the seed gives no key (probability 2^-127).
    pub fn from_seed(seed: &[u8], network: Network) -> Result<Self, ParseError> {
        sig::bip32::ExtendedPrivateKey::from_seed(seed, network).map(Self::from)
    }

    /// The key of its text, `xprv…` or `tprv…`.
    ///
    /// # Errors
    /// [`ParseError::Base58`] for everything around the key (alphabet, checksum, length, version, a master key with a parent),
    /// [`ParseError::Prefix`] and [`ParseError::OutOfRange`] for the key itself.
    pub fn from_base58(s: &str) -> Result<Self, ParseError> {
        sig::bip32::ExtendedPrivateKey::from_base58(s).map(Self::from)
    }

    /// The text, `xprv…` or `tprv…`, wiped when dropped. Writing it is not constant time.
    pub fn to_base58(&self) -> Zeroizing<String> {
        self.extended.to_base58()
    }

    /// The child of this index.
    ///
    /// # Errors
    /// [`DeriveError::DepthExceeded`] below 255 levels; [`DeriveError::Unusable`] if the index gives no key (probability 2^-127).
    pub fn child(&self, index: ChildNumber) -> Result<Self, DeriveError> {
        with_backends!(b => self.extended.child(b, index).map(Self::from))
    }

    /// The key at the end of a path that begins here.
    ///
    /// # Errors
    /// As [`child`](Self::child).
    pub fn derive(&self, path: &DerivationPath) -> Result<Self, DeriveError> {
        with_backends!(b => self.extended.derive(b, path).map(Self::from))
    }

    /// The public half, which derives the children that are not hardened.
    pub fn to_public(&self) -> ExtendedPublicKey {
        with_backends!(b => self.extended.to_public(b).into())
    }

    /// The key itself.
    pub fn secret_key(&self) -> &SecretKey {
        &self.key
    }

    /// Where it stands in its tree: network, depth, parent's fingerprint, index.
    pub fn position(&self) -> &Position {
        self.extended.position()
    }

    /// The chain code, which with the public key gives every child that is not hardened.
    pub fn chain_code(&self) -> &[u8; 32] {
        self.extended.chain_code()
    }
}

/// A public key with its chain code and its place in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExtendedPublicKey {
    extended: sig::bip32::ExtendedPublicKey,
    key: PublicKey,
}

impl From<sig::bip32::ExtendedPublicKey> for ExtendedPublicKey {
    fn from(extended: sig::bip32::ExtendedPublicKey) -> Self {
        Self { extended, key: PublicKey(*extended.public_key()) }
    }
}

impl ExtendedPublicKey {
    /// The key of its text, `xpub…` or `tpub…`.
    ///
    /// # Errors
    /// [`ParseError::Base58`] for everything around the key (alphabet, checksum, length, version, a master key with a parent),
    /// and the errors of [`PublicKey::parse`] for the key itself.
    pub fn from_base58(s: &str) -> Result<Self, ParseError> {
        with_engine!(f => sig::bip32::ExtendedPublicKey::from_base58(f, s).map(Self::from))
    }

    /// The text, `xpub…` or `tpub…`.
    pub fn to_base58(&self) -> String {
        self.extended.to_base58()
    }

    /// The child of this index, which is not hardened. Variable time.
    ///
    /// # Errors
    /// [`DeriveError::HardenedFromPublic`] from index 2^31 on; [`DeriveError::DepthExceeded`] below 255 levels;
    /// [`DeriveError::Unusable`] if the index gives no key (probability 2^-127).
    pub fn child(&self, index: ChildNumber) -> Result<Self, DeriveError> {
        with_backends!(b => self.extended.child(b, index).map(Self::from))
    }

    /// The key at the end of a path that begins here. Variable time.
    ///
    /// # Errors
    /// As [`child`](Self::child).
    pub fn derive(&self, path: &DerivationPath) -> Result<Self, DeriveError> {
        with_backends!(b => self.extended.derive(b, path).map(Self::from))
    }

    /// The key itself.
    pub fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// Where it stands in its tree: network, depth, parent's fingerprint, index.
    pub fn position(&self) -> &Position {
        self.extended.position()
    }

    /// The chain code, which with the public key gives every child that is not hardened.
    pub fn chain_code(&self) -> &[u8; 32] {
        self.extended.chain_code()
    }
}
