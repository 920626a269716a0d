//! Strict and lax DER: BIP66, bitcoinjs, Bitcoin Core's canonical and script tests.

use crate::{bytes32, parse_any};
use testkit::vectors::{self, Fields as _, hex, hex_array};
use windlass::{LowS, ParseError, PublicKey, ecdsa};

/// r or s as DER holds it, in 32 bytes.
fn number(der: &[u8]) -> [u8; 32] {
    let significant = der.iter().position(|&byte| byte != 0).map_or(&[][..], |from| &der[from..]);
    let mut out = [0; 32];
    out[32 - significant.len()..].copy_from_slice(significant);
    out
}

/// 30 length 02 length r 02 length s.
fn encode(r: &[u8], s: &[u8]) -> Vec<u8> {
    let length = |part: &[u8]| u8::try_from(part.len()).unwrap();
    let body = [&[2, length(r)], r, &[2, length(s)], s].concat();
    [&[0x30, length(&body)], body.as_slice()].concat()
}

#[test]
fn bip66() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/bip66-der.json") else { return };
    let valid = file.list("valid");
    for case in valid {
        let (der, r, s) = (case.bytes("DER"), case.bytes("r"), case.bytes("s"));
        let parsed = ecdsa::Signature::from_der(&der);
        if r == [0] {
            assert_eq!(parsed, Err(ParseError::OutOfRange), "well-formed, but 0 is no half of a signature");
            continue;
        }
        let signature = parsed.unwrap();
        assert_eq!(signature.to_compact(), [number(&r), number(&s)].concat().as_slice());
        assert_eq!(*signature.to_der(), *der);
        assert_eq!(encode(&r, &s), der);
    }
    let (decode, encoded) = (file["invalid"].list("decode"), file["invalid"].list("encode"));
    for case in decode {
        assert!(ecdsa::Signature::from_der(&case.bytes("DER")).is_err(), "{case}");
    }
    for case in encoded {
        assert!(ecdsa::Signature::from_der(&encode(&case.bytes("r"), &case.bytes("s"))).is_err(), "{case}");
    }
    assert_eq!((valid.len(), decode.len(), encoded.len()), (9, 15, 8));
}

#[test]
fn bitcoinjs_signature() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/bitcoinjs-signature.json") else { return };
    let without_hash_type = |bytes: Vec<u8>| bytes[..bytes.len() - 1].to_vec();
    let (valid, invalid) = (file.list("valid"), file.list("invalid"));
    for case in valid.iter().chain(invalid) {
        let der = without_hash_type(case.bytes("hex"));
        let parsed = ecdsa::Signature::from_der(&der);
        let Some(raw) = case.get("raw") else {
            assert!(parsed.is_err(), "{case}");
            continue;
        };
        // Two of the invalid cases are so by their hash type alone, which is no part of the signature.
        let signature = parsed.unwrap();
        let compact = [raw.bytes("r"), raw.bytes("s")].concat();
        assert_eq!(signature.to_compact(), compact.as_slice());
        assert_eq!(*signature.to_der(), *der);
        assert_eq!(ecdsa::Signature::from_compact(&compact.try_into().unwrap()), Ok(signature));
    }
    assert_eq!((valid.len(), invalid.len()), (7, 17));
}

#[test]
fn core_canonical_signatures() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/core-sig-canonical.json") else { return };
    let canonical = file.list("canonical");
    for case in canonical {
        let bytes = hex(case.as_str().unwrap());
        let der = &bytes[..bytes.len() - 1];
        match ecdsa::Signature::from_der(der) {
            Ok(signature) => assert_eq!(*signature.to_der(), *der),
            Err(error) => {
                assert_eq!((error, der), (ParseError::OutOfRange, &hex("3006020100020100")[..]), "r = s = 0")
            }
        }
    }
    let texts: Vec<&str> = file.list("noncanonical").iter().map(|text| text.as_str().unwrap()).collect();
    let mut refused = 0;
    for pair in texts.windows(2) {
        // A label, then what it says of.
        let (Some(bytes), None) = (vectors::try_hex(pair[1]), vectors::try_hex(pair[0])) else { continue };
        let parsed = ecdsa::Signature::from_der(&bytes[..bytes.len() - 1]);
        assert_eq!(parsed.is_ok(), pair[0] == "hashtype:", "{pair:?}");
        refused += usize::from(parsed.is_err());
    }
    assert_eq!((canonical.len(), refused), (5, 14));
}

#[test]
fn core_script_tests() {
    let Some(cases) = vectors::json_lines(testkit::test_name!(), "secp256k1/core-script-der.jsonl") else { return };
    for case in &cases {
        let (der, digest) = (case.bytes("sig_der"), bytes32(case.bytes("sighash")));
        assert_eq!(ecdsa::Signature::from_der(&der).is_ok(), case["strict_der"] == true, "{case}");
        let lax = ecdsa::Signature::from_der_lax(&der).unwrap();
        let halves: Vec<[u8; 32]> = case.list("lax_rs").iter().map(|half| hex_array(half.as_str().unwrap())).collect();
        assert_eq!(lax.to_compact(), halves.concat().as_slice());
        let key = case.bytes("pubkey");
        let is_hybrid = key[0] == 6 || key[0] == 7;
        assert_eq!(PublicKey::parse(&key) == Err(ParseError::Prefix), is_hybrid, "{case}");
        let verifies =
            parse_any(&key).is_some_and(|key| ecdsa::verify_digest(&digest, &lax, &key, LowS::Accepted).is_ok());
        assert_eq!(verifies, case["lax_verifies"] == true, "{case}");
    }
    assert_eq!(cases.len(), 34);
}
