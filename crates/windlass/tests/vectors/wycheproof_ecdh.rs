//! Wycheproof, ECDH on secp256k1: public keys as X.509 structures, and as JSON web keys.

use testkit::vectors::{self, Fields as _};
use windlass::{PublicKey, SecretKey, ecdh};
use wycheproof::TestResult;
use wycheproof::ecdh::{TestName, TestSet};

/// The point of a SubjectPublicKeyInfo that names secp256k1: RFC 5480, section 2. Explicit parameters are refused.
fn point_of_info(der: &[u8]) -> Option<PublicKey> {
    // SEQUENCE of an algorithm { id-ecPublicKey, secp256k1 } and a BIT STRING without unused bits.
    const ALGORITHM: &str = "301006072a8648ce3d020106052b8104000a";
    let (&[0x30, length], body) = der.split_first_chunk()? else { return None };
    let rest = body.strip_prefix(vectors::hex(ALGORITHM).as_slice()).filter(|_| body.len() == usize::from(length))?;
    let (&[0x03, length, 0], point) = rest.split_first_chunk()? else { return None };
    PublicKey::parse(point).ok().filter(|_| point.len() + 1 == usize::from(length))
}

/// A secret written as a big-endian integer of any width.
fn secret_of_integer(bytes: &[u8]) -> Option<SecretKey> {
    let significant = bytes.iter().position(|&byte| byte != 0).map_or(&[][..], |from| &bytes[from..]);
    let mut out = [0; 32];
    out[32usize.checked_sub(significant.len())?..].copy_from_slice(significant);
    SecretKey::from_bytes(&out).ok()
}

#[test]
fn x509_keys() {
    let (mut cases, mut agreed) = (0, 0);
    for group in TestSet::load(TestName::EcdhSecp256k1).unwrap().test_groups {
        for test in group.tests {
            let shared = match (point_of_info(&test.public_key), secret_of_integer(&test.private_key)) {
                (Some(peer), Some(own)) => Some(ecdh::shared_x(&own, &peer)),
                _ => None,
            };
            match (test.result, shared) {
                (TestResult::Invalid, None) | (TestResult::Acceptable, None) => {}
                (TestResult::Valid | TestResult::Acceptable, Some(shared)) => {
                    assert_eq!(shared.as_slice(), test.shared_secret.as_slice(), "{}: {}", test.tc_id, test.comment);
                    agreed += 1;
                }
                (result, shared) => {
                    panic!("{}: {}: {result:?}, taken: {}", test.tc_id, test.comment, shared.is_some())
                }
            }
            cases += 1;
        }
    }
    assert_eq!((cases, agreed), (752, 474));
}

/// A base64url number of RFC 4648, section 5, without padding.
fn base64url(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (mut out, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for byte in text.bytes() {
        let digit = DIGITS.iter().position(|&digit| digit == byte).expect("a base64url digit");
        (bits, held) = (bits << 6 | digit as u32, held + 6);
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

#[test]
fn json_web_keys() {
    let file = "wycheproof/ecdh_secp256k1_webcrypto_test.json";
    let Some(file) = vectors::json(testkit::test_name!(), file) else { return };
    let (mut cases, mut agreed) = (0, 0);
    for case in file.list("testGroups").iter().flat_map(|group| group.list("tests")) {
        let (public, private) = (&case["public"], &case["private"]);
        let peer = (public["crv"] == "P-256K")
            .then(|| [vec![4], base64url(public.string("x")), base64url(public.string("y"))].concat())
            .and_then(|encoding| PublicKey::parse(&encoding).ok());
        let own = secret_of_integer(&base64url(private.string("d")));
        let shared = peer.zip(own).map(|(peer, own)| ecdh::shared_x(&own, &peer).to_vec());
        let expected = (case["result"] == "valid").then(|| case.bytes("shared"));
        assert_eq!(shared, expected, "{case}");
        cases += 1;
        agreed += usize::from(shared.is_some());
    }
    assert_eq!((cases, agreed), (496, 473));
}
