//! BIP340's own vectors, and the signature checks of Bitcoin Core's taproot corpus.

use crate::{bytes32, verify_schnorr};
use testkit::vectors::{self, Fields as _, hex, hex_array};
use windlass::{Keypair, XOnlyPublicKey, schnorr};

#[test]
fn bip340_vectors() {
    let Some(rows) = vectors::csv(testkit::test_name!(), "bips/bip340-test-vectors.csv") else { return };
    let mut signed = 0;
    for row in &rows {
        let [_, d, key, aux, message, signature, verdict, comment] = row.as_slice() else {
            panic!("eight columns: {row:?}");
        };
        let (key, message, signature) = (hex_array(key), hex(message), hex_array(signature));
        let verified = verify_schnorr(&message, &signature, &key);
        assert_eq!(verified.is_ok(), verdict == "TRUE", "{comment}");
        if let Ok(key) = XOnlyPublicKey::from_bytes(&key) {
            assert_eq!(schnorr::verify(&message, &schnorr::Signature(signature), &key), verified);
        }
        if !d.is_empty() {
            let pair = Keypair::from_secret(&crate::secret(&hex(d)).unwrap());
            assert_eq!(pair.x_only().0.to_bytes(), key);
            assert_eq!(schnorr::sign(&message, &pair, &hex_array(aux)).0, signature);
            signed += 1;
        }
    }
    assert_eq!((rows.len(), signed), (19, 8));
}

#[test]
fn taproot_corpus() {
    let Some(cases) = vectors::json_lines(testkit::test_name!(), "bitcoin/taproot-ref-schnorr.jsonl") else { return };
    let mut valid = 0;
    for case in &cases {
        let signature = case.bytes("sig").try_into().unwrap();
        let verdict = verify_schnorr(&case.bytes("sighash"), &signature, &bytes32(case.bytes("pubkey")));
        assert_eq!(verdict.is_ok(), case["valid"] == true, "{case}");
        valid += usize::from(verdict.is_ok());
    }
    assert_eq!((cases.len(), valid), (186, 168));
}
