//! BIP32: the BIP's own vectors 1 to 5, and bitcoinjs' fixtures.

use serde_json::Value;
use testkit::vectors::{self, Fields as _};
use windlass::bip32::{ChildNumber, DerivationPath, DeriveError, ExtendedPrivateKey, ExtendedPublicKey, Network};

const HARDENED: u32 = 1 << 31;

fn master(seed: &Value) -> Option<ExtendedPrivateKey> {
    ExtendedPrivateKey::from_seed(&vectors::hex(seed.as_str()?), Network::Mainnet).ok()
}

fn path(text: &str) -> DerivationPath {
    text.parse().unwrap()
}

/// Both serialisations, forth and back.
fn assert_serialises(key: &ExtendedPrivateKey, private: &str, public: &str) {
    assert_eq!(key.to_base58().as_str(), private);
    assert_eq!(key.to_public().to_base58(), public);
    assert_eq!(ExtendedPrivateKey::from_base58(private).unwrap().to_base58().as_str(), private);
    assert_eq!(ExtendedPublicKey::from_base58(public), Ok(key.to_public()));
}

#[test]
fn official_vectors() {
    let Some(file) = vectors::json(testkit::test_name!(), "bips/bip32-vectors.json") else { return };
    for case in file.list("valid") {
        let text = case.string("path");
        let key = master(&case["seed"]).unwrap().derive(&path(text)).unwrap();
        assert_serialises(&key, case.string("xprv"), case.string("xpub"));
        // A last step that is not hardened can be taken from the public parent, too.
        if let Some((parent, index)) = text.rsplit_once('/') {
            let parent = master(&case["seed"]).unwrap().derive(&path(parent)).unwrap().to_public();
            match index.parse() {
                Ok(index) => assert_eq!(parent.child(ChildNumber(index)), Ok(key.to_public())),
                Err(_) => {
                    let index = index.trim_end_matches('\'').parse::<u32>().unwrap() + HARDENED;
                    assert_eq!(parent.child(ChildNumber(index)), Err(DeriveError::HardenedFromPublic));
                }
            }
        }
    }
    for case in file.list("invalid") {
        assert!(ExtendedPrivateKey::from_base58(case.string("key")).is_err(), "{case}");
        assert!(ExtendedPublicKey::from_base58(case.string("key")).is_err(), "{case}");
    }
    assert_eq!((file.list("valid").len(), file.list("invalid").len()), (17, 16));
}

#[test]
fn bitcoinjs_valid() {
    let Some(file) = vectors::json(testkit::test_name!(), "bips/bip32-bitcoinjs-fixtures.json") else { return };
    let (mut masters, mut children) = (0, 0);
    for case in file.list("valid") {
        let stated = &case["master"];
        let is_bitcoin = case["network"] == "bitcoin";
        // One master states no seed.
        let key = match master(&stated["seed"]) {
            Some(key) => key,
            None => ExtendedPrivateKey::from_base58(stated.string("base58Priv")).unwrap(),
        };
        let assert_key = |key: &ExtendedPrivateKey, stated: &Value| {
            if !stated["privKey"].is_null() {
                assert_eq!(key.secret_key().to_bytes().as_slice(), stated.bytes("privKey"));
                assert_eq!(key.to_public().public_key().to_compressed().as_slice(), stated.bytes("pubKey"));
            }
            if is_bitcoin {
                assert_serialises(key, stated.string("base58Priv"), stated.string("base58"));
            } else {
                assert!(ExtendedPrivateKey::from_base58(stated.string("base58Priv")).is_err(), "another network");
            }
        };
        assert_key(&key, stated);
        masters += 1;
        for child in case.list("children") {
            let derived = key.derive(&path(child.string("path"))).unwrap();
            assert_key(&derived, child);
            children += 1;
        }
    }
    assert_eq!((masters, children), (5, 13));
}

#[test]
fn bitcoinjs_invalid() {
    let Some(file) = vectors::json(testkit::test_name!(), "bips/bip32-bitcoinjs-fixtures.json") else { return };
    let invalid = &file["invalid"];
    for case in invalid.list("fromBase58") {
        assert!(ExtendedPrivateKey::from_base58(case.string("string")).is_err(), "{case}");
        assert!(ExtendedPublicKey::from_base58(case.string("string")).is_err(), "{case}");
    }
    for case in invalid.list("fromSeed") {
        assert!(master(&case["seed"]).is_none(), "{case}");
    }
    let texts: Vec<&str> =
        invalid.list("derivePath").iter().filter_map(|case| case["derivationPath"].as_str()).collect();
    for text in &texts {
        assert!(text.parse::<DerivationPath>().is_err(), "{text}");
    }
    // Indices out of range cannot be said in the types here, only in a path.
    for text in ["m/4294967296", "m/2147483648'", "m/-1", "m/-1'", "m/foo", "m/foo'"] {
        assert!(text.parse::<DerivationPath>().is_err(), "{text}");
    }
    assert_eq!((invalid.list("fromBase58").len(), invalid.list("fromSeed").len(), texts.len()), (13, 2, 5));
}
