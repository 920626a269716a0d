//! alloy's own functions with the provider installed, beside what k256 says.
#![cfg(feature = "alloy")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use alloy_consensus::crypto::{CryptoProvider as _, secp256k1};
use alloy_primitives::{Address, B256, Signature};
use windlass::{SecretKey, ecdsa};
use windlass_providers::alloy::{Windlass, install};

#[test]
fn signers() {
    let (key, other) = ([7; 32], [9; 32]);
    let public = SecretKey::from_bytes(&key).unwrap().public_key().to_uncompressed();
    let address = Address::from_raw_public_key(&public[1..]);
    let other = SecretKey::from_bytes(&other).unwrap().public_key().to_uncompressed();
    // By k256, before the provider is there.
    let signed: Vec<(B256, Signature)> = (0..20)
        .map(|byte| (B256::repeat_byte(byte), secp256k1::sign_message(B256::from(key), B256::repeat_byte(byte)).unwrap()))
        .collect();
    assert!(signed.iter().all(|(hash, signature)| secp256k1::recover_signer(signature, *hash).unwrap() == address));
    install().unwrap();
    assert!(install().is_err());
    for (hash, signature) in &signed {
        assert_eq!(secp256k1::recover_signer(signature, *hash).unwrap(), address);
        assert_eq!(secp256k1::verify_and_compute_signer(&public, signature, *hash).unwrap(), address);
        assert!(secp256k1::verify_and_compute_signer(&other, signature, *hash).is_err());
        // The other half of s is the same signature with the other parity.
        let order = alloy_consensus::crypto::SECP256K1N_HALF * alloy_primitives::U256::from(2) + alloy_primitives::U256::ONE;
        let high = Signature::new(signature.r(), order - signature.s(), !signature.v());
        assert!(secp256k1::recover_signer(&high, *hash).is_err());
        assert_eq!(secp256k1::recover_signer_unchecked(&high, *hash).unwrap(), address);
        assert_eq!(secp256k1::verify_and_compute_signer_unchecked(&public, &high, *hash).unwrap(), address);
        let wrong = secp256k1::recover_signer(signature, !*hash);
        assert!(wrong.is_err() || wrong.unwrap() != address);
    }
    // Ids above 3, and keys that are none, are errors.
    let key = SecretKey::from_bytes(&key).unwrap();
    let compact = ecdsa::sign_digest(&[1; 32], &key).to_compact();
    let mut with_id = [0xFF; 65];
    with_id[..64].copy_from_slice(&compact);
    assert!(Windlass.recover_signer_unchecked(&with_id, &[1; 32]).is_err());
    assert!(Windlass.verify_and_compute_signer_unchecked(&[4; 65], &compact, &[1; 32]).is_err());
}
