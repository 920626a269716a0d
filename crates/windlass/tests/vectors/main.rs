//! Published test vectors through the facade, on the engine in use. Each test states how many cases its file has.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, and vectors are as their files say"
)]

mod bcrypto;
mod bip32;
mod bip340;
mod bip341;
mod der;
mod many;
mod points;
mod rfc6979;
mod tiny_secp256k1;
mod wycheproof_ecdh;
mod wycheproof_ecdsa;

use serde_json::Value;
use windlass::{Invalid, LowS, PreparedKey, PublicKey, SecretKey, ecdsa, schnorr};

/// A key in any encoding that Bitcoin takes.
fn parse_any(bytes: &[u8]) -> Option<PublicKey> {
    PublicKey::parse(bytes).or_else(|_| PublicKey::parse_hybrid(bytes)).ok()
}

/// A secret key of 32 bytes in 1..n.
fn secret(bytes: &[u8]) -> Option<SecretKey> {
    SecretKey::from_bytes(bytes.try_into().ok()?).ok()
}

/// 32 bytes.
fn bytes32(bytes: Vec<u8>) -> [u8; 32] {
    bytes.try_into().expect("32 bytes")
}

/// The bytes of a hex string, or `None` for null.
fn optional_bytes(value: &Value) -> Option<Vec<u8>> {
    value.as_str().map(testkit::vectors::hex)
}

/// The verdict of [`ecdsa::verify_digest`], which is a prepared key's too.
fn verify_ecdsa(digest: &[u8; 32], signature: &ecdsa::Signature, key: &PublicKey, low_s: LowS) -> Result<(), Invalid> {
    let verdict = ecdsa::verify_digest(digest, signature, key, low_s);
    assert_eq!(PreparedKey::new(key).verify_ecdsa_digest(digest, signature, low_s), verdict);
    verdict
}

/// The verdict of [`schnorr::verify_bytes`], which is that of a prepared key of either parity too.
fn verify_schnorr(message: &[u8], signature: &[u8; 64], key: &[u8; 32]) -> Result<(), Invalid> {
    let verdict = schnorr::verify_bytes(message, signature, key);
    if let Ok(key) = windlass::XOnlyPublicKey::from_bytes(key) {
        let even = PreparedKey::from_x_only(&key);
        let odd = PreparedKey::new(&even.public_key().negate());
        for prepared in [even, odd] {
            assert_eq!(prepared.verify_schnorr(message, &schnorr::Signature(*signature)), verdict);
        }
    }
    verdict
}
