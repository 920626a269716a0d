//! RFC 6979's sequence of nonces on secp256k1 with SHA-256: candidates 0, 1 and 15 of the published vectors.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, and vectors are as their files say")]

use field::secp256k1::GroupOrder;
use field::{Scalar, SecretScalar};
use hmac::Hmac;
use sha2::{Digest as _, Sha256};
use sig::ecdsa::rfc6979::NonceSource;
use testkit::vectors::{self, Fields as _};

#[test]
fn published_nonces() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/rfc6979-nonces.json") else { return };
    let cases = file.as_array().unwrap();
    for case in cases {
        let d = SecretScalar::<GroupOrder>::from_be_bytes(&case.bytes("d")).unwrap();
        let z = Scalar::from_digest(&Sha256::digest(case.string("message")));
        let mut source = NonceSource::<Hmac<Sha256>>::new(&d, &z, None);
        let nonces: Vec<[u8; 32]> = (0..16).map(|_| *source.next_nonce::<GroupOrder>().to_be_bytes()).collect();
        for (name, at) in [("k0", 0), ("k1", 1), ("k15", 15)] {
            assert_eq!(nonces[at].as_slice(), case.bytes(name), "{name}");
        }
    }
    assert_eq!(cases.len(), 10);
}
