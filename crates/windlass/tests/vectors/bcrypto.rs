//! Operations of bcrypto's suite: creation, tweaks, ECDH points, verification from compact and lax DER, low s.

use crate::{bytes32, optional_bytes, parse_any, secret};
use serde_json::Value;
use testkit::vectors::{self, Fields as _};
use windlass::{LowS, ecdh, ecdsa};

/// The whole of a file; answers how many cases each operation has.
fn check(file: &Value) -> [usize; 9] {
    [
        each(file, "public_key_create", |case| {
            let key = secret(&case.bytes("key")).map(|key| key.public_key().to_compressed().to_vec());
            assert_eq!(key, optional_bytes(&case["result"]));
        }),
        each(file, "public_key_tweak_add", |case| {
            let key = parse_any(&case.bytes("key")).unwrap();
            let sum = key.tweak_add(&bytes32(case.bytes("tweak"))).ok();
            assert_eq!(sum.map(|sum| sum.to_compressed().to_vec()), optional_bytes(&case["result"]));
        }),
        each(file, "private_key_tweak_add", |case| {
            let sum = secret(&case.bytes("key")).unwrap().tweak_add(&bytes32(case.bytes("tweak"))).ok();
            assert_eq!(sum.map(|sum| sum.to_bytes().to_vec()), optional_bytes(&case["result"]));
        }),
        each(file, "derive", |case| {
            let (peer, own) = (parse_any(&case.bytes("pub")).unwrap(), case.bytes("priv"));
            let expected = case.bytes("result");
            assert_eq!(ecdh::shared_x(&secret(&own).unwrap(), &peer).as_slice(), &expected[1..]);
            assert_eq!(peer.tweak_mul(&bytes32(own)).unwrap().to_compressed().as_slice(), expected);
        }),
        each(file, "public_key_verify", |case| {
            assert_eq!(parse_any(&case.bytes("key")).is_some(), case["result"] == true);
        }),
        each(file, "private_key_verify", |case| {
            assert_eq!(secret(&case.bytes("key")).is_some(), case["result"] == true);
        }),
        each(file, "verify", |case| {
            let signature = case.bytes("sig").as_slice().try_into().ok().map(ecdsa::Signature::from_compact);
            assert_eq!(verifies(case, signature.and_then(Result::ok)), case["result"] == true);
        }),
        each(file, "verify_der", |case| {
            let signature = ecdsa::Signature::from_der_lax(&case.bytes("sig"));
            assert_eq!(verifies(case, signature.ok()), case["result"] == true);
        }),
        each(file, "is_low_s", |case| {
            let signature = case.bytes("sig").as_slice().try_into().map(ecdsa::Signature::from_compact).unwrap();
            assert_eq!(signature.is_ok_and(|signature| signature.is_low_s()), case["result"] == true);
        }) + each(file, "is_low_der", |case| {
            let signature = ecdsa::Signature::from_der_lax(&case.bytes("sig"));
            assert_eq!(signature.is_ok_and(|signature| signature.is_low_s()), case["result"] == true);
        }),
    ]
}

fn each(file: &Value, operation: &str, check: impl Fn(&Value)) -> usize {
    file.list(operation).iter().inspect(|case| check(case)).count()
}

fn verifies(case: &Value, signature: Option<ecdsa::Signature>) -> bool {
    let (Some(key), Some(signature)) = (parse_any(&case.bytes("key")), signature) else {
        return false;
    };
    crate::verify_ecdsa(&bytes32(case.bytes("msg")), &signature, &key, LowS::Accepted).is_ok()
}

#[test]
fn bcrypto_2() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/bcrypto-2.json") else { return };
    assert_eq!(check(&file), [100, 100, 100, 6, 100, 100, 101, 0, 100]);
}

#[test]
fn bcrypto_3() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/bcrypto-3.json") else { return };
    assert_eq!(check(&file), [0, 0, 0, 0, 0, 0, 198, 220, 4]);
}
