//! RFC 6979 with secp256k1 and SHA-256: r of a signature is that of the published first nonce.

use sha2::{Digest as _, Sha256};
use testkit::vectors::{self, Fields as _};
use windlass::{ecdsa, vartime};

#[test]
fn first_nonces() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/rfc6979-nonces.json") else { return };
    let cases = file.as_array().unwrap();
    for case in cases {
        let key = crate::secret(&case.bytes("d")).unwrap();
        let message = case.string("message").as_bytes();
        let signature = ecdsa::sign_digest(&Sha256::digest(message).into(), &key);
        assert_eq!(signature, ecdsa::sign_message(message, &key));
        let nonce_point = vartime::mul_base(&crate::bytes32(case.bytes("k0"))).unwrap();
        assert_eq!(signature.to_compact()[..32], nonce_point.to_compressed()[1..]);
    }
    assert_eq!(cases.len(), 10);
}
