//! BIP341's wallet vectors: script trees to output keys, tweaked secrets, signatures of key paths.

use crate::{bytes32, optional_bytes};
use serde_json::Value;
use testkit::vectors::{self, Fields as _};
use windlass::{Keypair, XOnlyPublicKey, schnorr, taproot};

/// The hash of a script tree, its leaves' hashes in order. BIP341, "Constructing and spending Taproot outputs".
fn tree_hash(tree: &Value, leaves: &mut Vec<[u8; 32]>) -> [u8; 32] {
    if let Some(branches) = tree.as_array() {
        let mut hashes = [tree_hash(&branches[0], leaves), tree_hash(&branches[1], leaves)];
        hashes.sort();
        return taproot::tagged_hash(b"TapBranch", &[&hashes[0], &hashes[1]]);
    }
    let script = tree.bytes("script");
    let version = tree["leafVersion"].as_u64().unwrap() as u8;
    let length = u8::try_from(script.len()).ok().filter(|&length| length < 253).expect("a short script");
    let hash = taproot::TaggedHash::new(b"TapLeaf").hash(&[&[version, length], &script]);
    leaves.push(hash);
    hash
}

#[test]
fn output_keys() {
    let Some(file) = vectors::json(testkit::test_name!(), "bips/bip341-wallet-test-vectors.json") else { return };
    let cases = file.list("scriptPubKey");
    for case in cases {
        let (given, intermediary) = (&case["given"], &case["intermediary"]);
        let internal = XOnlyPublicKey::from_bytes(&bytes32(given.bytes("internalPubkey"))).unwrap();
        let root = optional_bytes(&intermediary["merkleRoot"]).map(bytes32);
        let mut leaves = Vec::new();
        let tree = (!given["scriptTree"].is_null()).then(|| tree_hash(&given["scriptTree"], &mut leaves));
        assert_eq!(tree, root);
        let stated: Vec<[u8; 32]> = intermediary["leafHashes"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|hash| vectors::hex_array(hash.as_str().unwrap()))
            .collect();
        assert_eq!(leaves, stated);
        assert_eq!(taproot::tweak_hash(&internal, root.as_ref()), bytes32(intermediary.bytes("tweak")));
        let (output, parity) = taproot::output_key(&internal, root.as_ref()).unwrap();
        assert_eq!(output.to_bytes(), bytes32(intermediary.bytes("tweakedPubkey")));
        assert_eq!(case["expected"].bytes("scriptPubKey")[2..], output.to_bytes());
        for block in case["expected"]["scriptPathControlBlocks"].as_array().into_iter().flatten() {
            // A control block begins with the leaf version, its lowest bit the parity of the output key.
            let first = vectors::hex(block.as_str().unwrap())[0];
            assert_eq!(first & 1 == 1, parity == windlass::Parity::Odd);
        }
    }
    assert_eq!(cases.len(), 7);
}

#[test]
fn key_path_spending() {
    let Some(file) = vectors::json(testkit::test_name!(), "bips/bip341-wallet-test-vectors.json") else { return };
    let cases = file.list("keyPathSpending")[0].list("inputSpending");
    for case in cases {
        let (given, intermediary) = (&case["given"], &case["intermediary"]);
        let internal = Keypair::from_secret(&crate::secret(&given.bytes("internalPrivkey")).unwrap());
        assert_eq!(internal.x_only().0.to_bytes(), bytes32(intermediary.bytes("internalPubkey")));
        let root = optional_bytes(&given["merkleRoot"]).map(bytes32);
        let tweaked = taproot::tweak_keypair(&internal, root.as_ref()).unwrap();
        assert_eq!(tweaked.secret().to_bytes().as_slice(), intermediary.bytes("tweakedPrivkey"));
        assert_eq!(tweaked.public(), &tweaked.secret().public_key());
        let tweak = bytes32(intermediary.bytes("tweak"));
        assert_eq!(internal.x_only_tweak_add(&tweak).unwrap().public(), tweaked.public());
        let witness = vectors::hex(case["expected"].list("witness")[0].as_str().unwrap());
        let digest = intermediary.bytes("sigHash");
        let signature = schnorr::sign(&digest, &tweaked, &[0; 32]);
        assert_eq!(signature.0, witness[..64]);
        assert_eq!(schnorr::verify(&digest, &signature, &tweaked.x_only().0), Ok(()));
    }
    assert_eq!(cases.len(), 7);
}
