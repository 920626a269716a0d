//! tiny-secp256k1's suite: signatures with recovery ids and extra entropy, point operations, an older BIP340 set, x-only tweaks.

use crate::{bytes32, optional_bytes, secret};
use serde_json::Value;
use testkit::vectors::{self, Fields as _};
use windlass::{Keypair, LowS, Parity, PublicKey, TweakError, XOnlyPublicKey, ecdsa, schnorr};

/// r ‖ s, if both are in 1..n.
fn signature(case: &Value, name: &str) -> Option<ecdsa::Signature> {
    ecdsa::Signature::from_compact(&case.bytes(name).try_into().ok()?).ok()
}

#[test]
fn ecdsa_valid() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/tiny-secp256k1-ecdsa.json") else { return };
    for case in file.list("valid") {
        let (key, digest) = (secret(&case.bytes("d")).unwrap(), bytes32(case.bytes("m")));
        let expected = signature(case, "signature").unwrap();
        let (signed, id) = ecdsa::sign_digest_recoverable(&digest, &key);
        assert_eq!((signed, u64::from(id.to_u8())), (expected, case["recoveryId"].as_u64().unwrap()));
        assert_eq!(ecdsa::sign_digest(&digest, &key), expected);
        assert_eq!(ecdsa::verify_digest(&digest, &expected, &key.public_key(), LowS::Required), Ok(()));
        assert_eq!(ecdsa::recover(&digest, &expected, id), Ok(key.public_key()));
    }
    assert_eq!(file.list("valid").len(), 2020);
}

#[test]
fn ecdsa_extra_entropy() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/tiny-secp256k1-ecdsa.json") else { return };
    let mut one = [0; 32];
    one[31] = 1;
    let entropies = [
        ("extraEntropy0", [0; 32]),
        ("extraEntropy1", one),
        ("extraEntropyRand", vectors::hex_array("6e723d3fd94ed5d2b6bdd4f123364b0f3ca52af829988a63f8afe91d29db1c33")),
        ("extraEntropyN", vectors::hex_array("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")),
        ("extraEntropyMax", [0xFF; 32]),
    ];
    for case in file.list("extraEntropy") {
        let (key, digest) = (secret(&case.bytes("d")).unwrap(), bytes32(case.bytes("m")));
        for (name, entropy) in &entropies {
            let signed = ecdsa::sign_digest_with_entropy(&digest, &key, entropy);
            assert_eq!(Some(signed), signature(case, name), "{name}");
        }
        assert_eq!(Some(ecdsa::sign_digest(&digest, &key)), signature(case, "signature"));
    }
    assert_eq!(file.list("extraEntropy").len(), 5);
}

#[test]
fn ecdsa_invalid() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/tiny-secp256k1-ecdsa.json") else { return };
    let invalid = &file["invalid"];
    for case in invalid.list("sign") {
        assert!(secret(&case.bytes("d")).is_none(), "{case}");
    }
    for case in invalid.list("verify") {
        let low_s = if case["strict"] == true { LowS::Required } else { LowS::Accepted };
        let verifies = match (PublicKey::parse(&case.bytes("Q")), signature(case, "signature")) {
            (Ok(key), Some(signature)) => {
                ecdsa::verify_digest(&bytes32(case.bytes("m")), &signature, &key, low_s).is_ok()
            }
            _ => false,
        };
        assert!(!verifies, "{case}");
    }
    for case in invalid.list("recover") {
        let id = ecdsa::RecoveryId::from_u8(case["recoveryId"].as_u64().unwrap_or(0) as u8).unwrap();
        let recovered = match (<[u8; 32]>::try_from(case.bytes("m")), signature(case, "signature")) {
            (Ok(digest), Some(signature)) => ecdsa::recover(&digest, &signature, id).ok(),
            _ => None,
        };
        assert_eq!(recovered, None, "{case}");
    }
    let counts = ["sign", "verify", "recover"].map(|name| invalid.list(name).len());
    assert_eq!(counts, [4, 25, 8]);
}

#[test]
fn points_valid() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/tiny-secp256k1-points.json") else { return };
    let valid = &file["valid"];
    let point = |case: &Value, name: &str| PublicKey::parse(&case.bytes(name)).unwrap();
    // In the length of the answer: the suite states compressed and uncompressed ones.
    let assert_point = |case: &Value, result: Option<PublicKey>| {
        let expected = optional_bytes(&case["expected"]);
        let is_short = expected.as_ref().is_none_or(|bytes| bytes.len() == 33);
        let bytes =
            result.map(|key| if is_short { key.to_compressed().to_vec() } else { key.to_uncompressed().to_vec() });
        assert_eq!(bytes, expected, "{case}");
    };
    for case in valid.list("isPoint") {
        assert_eq!(PublicKey::parse(&case.bytes("P")).is_ok(), case["expected"] == true, "{case}");
    }
    for case in valid.list("pointAdd") {
        let (p, q) = (point(case, "P"), point(case, "Q"));
        assert_point(case, p.add(&q).ok());
        assert_eq!(PublicKey::combine(&[p, q]), p.add(&q));
    }
    for case in valid.list("pointAddScalar") {
        assert_point(case, point(case, "P").tweak_add(&bytes32(case.bytes("d"))).ok());
    }
    for case in valid.list("pointCompress") {
        assert_point(case, Some(point(case, "P")));
    }
    for case in valid.list("pointFromScalar") {
        assert_point(case, secret(&case.bytes("d")).map(|key| key.public_key()));
    }
    for case in valid.list("pointMultiply") {
        assert_point(case, point(case, "P").tweak_mul(&bytes32(case.bytes("d"))).ok());
    }
    for case in valid.list("pointNegate") {
        let key = secret(&case.bytes("d")).unwrap();
        assert_eq!(key.negate().to_bytes().as_slice(), case.bytes("expected"));
        assert_eq!(key.negate().public_key(), key.public_key().negate());
    }
    let names =
        ["isPoint", "pointAdd", "pointAddScalar", "pointCompress", "pointFromScalar", "pointMultiply", "pointNegate"];
    assert_eq!(names.map(|name| valid.list(name).len()), [2029, 118, 27, 242, 16, 7, 16]);
}

#[test]
fn points_invalid() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/tiny-secp256k1-points.json") else { return };
    let invalid = &file["invalid"];
    let point = |case: &Value, name: &str| PublicKey::parse(&case.bytes(name)).ok();
    let tweak = |case: &Value| bytes32(case.bytes("d"));
    let mut cases = 0;
    for case in invalid.list("pointAdd") {
        assert!(point(case, "P").is_none() || point(case, "Q").is_none(), "{case}");
        cases += 1;
    }
    for case in invalid.list("pointAddScalar") {
        assert!(point(case, "P").is_none_or(|p| p.tweak_add(&tweak(case)) == Err(TweakError)), "{case}");
        cases += 1;
    }
    for case in invalid.list("pointMultiply") {
        assert!(point(case, "P").is_none_or(|p| p.tweak_mul(&tweak(case)) == Err(TweakError)), "{case}");
        cases += 1;
    }
    for case in invalid.list("pointCompress") {
        assert!(point(case, "P").is_none(), "{case}");
        cases += 1;
    }
    for case in invalid.list("pointFromScalar") {
        assert!(secret(&case.bytes("d")).is_none(), "{case}");
        cases += 1;
    }
    assert_eq!(cases, 38 + 22 + 22 + 19 + 4);
}

#[test]
fn schnorr_and_x_only_tweaks() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/tiny-secp256k1-schnorr.json") else { return };
    for case in file.list("bip340testvectors") {
        let (key, message) = (bytes32(case.bytes("Q")), case.bytes("m"));
        let expected = case.bytes("s").try_into().unwrap();
        let verdict = schnorr::verify_bytes(&message, &expected, &key);
        assert_eq!(verdict.is_ok(), case["v"] == true, "{case}");
        if let Some(d) = optional_bytes(&case["d"]) {
            let pair = Keypair::from_secret(&secret(&d).unwrap());
            assert_eq!(pair.x_only().0.to_bytes(), key);
            assert_eq!(schnorr::sign(&message, &pair, &bytes32(case.bytes("e"))).0, expected);
        }
    }
    for case in file.list("tweakaddvectors") {
        let key = XOnlyPublicKey::from_bytes(&bytes32(case.bytes("pubkey"))).unwrap();
        let tweak = bytes32(case.bytes("tweak"));
        let sum = key.tweak_add(&tweak);
        let Some(result) = optional_bytes(&case["result"]) else {
            assert_eq!(sum, Err(TweakError), "{case}");
            continue;
        };
        let parity = if case["parity"] == 1 { Parity::Odd } else { Parity::Even };
        let result = bytes32(result);
        assert_eq!(sum.map(|(key, parity)| (key.to_bytes(), parity)), Ok((result, parity)), "{case}");
        assert!(key.tweak_add_check(&tweak, &result, parity).is_ok());
        let other = if parity == Parity::Odd { Parity::Even } else { Parity::Odd };
        assert!(key.tweak_add_check(&tweak, &result, other).is_err());
    }
    assert_eq!((file.list("bip340testvectors").len(), file.list("tweakaddvectors").len()), (15, 72));
}
