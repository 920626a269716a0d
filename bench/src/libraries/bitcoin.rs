//! The crate `bitcoin`: BIP32 and taproot keys over libsecp256k1 of its own (crate `secp256k1`), the taproot tag's
//! midstate kept.

use bitcoin::bip32::{ChainCode, ChildNumber, Fingerprint, Xpriv, Xpub};
use bitcoin::key::{Parity, TapTweak};
use bitcoin::secp256k1::{PublicKey, Secp256k1, SecretKey, XOnlyPublicKey};
use bitcoin::taproot::TapNodeHash;
use bitcoin::{NetworkKind, hashes::Hash};

use crate::library::{Job, Library, job};
use crate::suites::secp256k1::{Case, Row};

pub(crate) struct Bitcoin;

/// An extended public key of depth 0 in base58.
pub(crate) fn xpub(key: &[u8; 33], chain_code: &[u8; 32]) -> String {
    let public_key = PublicKey::from_slice(key);
    let encode = |public_key| Xpub {
        network: NetworkKind::Main,
        depth: 0,
        parent_fingerprint: Fingerprint::default(),
        child_number: ChildNumber::Normal { index: 0 },
        public_key,
        chain_code: ChainCode::from(*chain_code),
    };
    public_key.map(|key| encode(key).to_string()).unwrap_or_default()
}

/// An extended private key of depth 0 in base58.
pub(crate) fn xprv(secret: &[u8; 32], chain_code: &[u8; 32]) -> String {
    let encode = |private_key| Xpriv {
        network: NetworkKind::Main,
        depth: 0,
        parent_fingerprint: Fingerprint::default(),
        child_number: ChildNumber::Normal { index: 0 },
        private_key,
        chain_code: ChainCode::from(*chain_code),
    };
    SecretKey::from_slice(secret).map(|key| encode(key).to_string()).unwrap_or_default()
}

impl Library for Bitcoin {
    fn name(&self) -> &'static str {
        "bitcoin"
    }

    fn package(&self) -> &'static str {
        "bitcoin"
    }

    fn built(&self) -> String {
        "over its own secp256k1 0.29 (C, as libsecp256k1 below is built), one context of each kind".to_owned()
    }

    fn job(&self, row: Row, cases: &[Case]) -> Option<Box<dyn Job>> {
        let context = Secp256k1::verification_only();
        match row {
            Row::Bip32Depth5 => job(
                cases,
                |case| Some((case.xpub.parse::<Xpub>().ok()?, case.path.map(ChildNumber::from))),
                move |(key, path)| key.derive_pub(&context, path).ok(),
                |key| key.to_string().into_bytes(),
            ),
            Row::Bip32PrivateDepth5 => {
                let context = Secp256k1::signing_only();
                job(
                    cases,
                    |case| Some((case.xprv.parse::<Xpriv>().ok()?, case.path.map(ChildNumber::from))),
                    move |(key, path)| key.derive_priv(&context, path).ok(),
                    |key| key.to_string().into_bytes(),
                )
            }
            Row::TaprootOutputKey => job(
                cases,
                |case| {
                    let root = case.merkle_root.map(TapNodeHash::from_byte_array);
                    Some((XOnlyPublicKey::from_slice(&case.x_only_key).ok()?, root))
                },
                move |(key, root)| Some(key.tap_tweak(&context, *root)),
                |(key, parity)| [&key.serialize()[..], &[u8::from(*parity == Parity::Odd)]].concat(),
            ),
            _ => None,
        }
    }
}
