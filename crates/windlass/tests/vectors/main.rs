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
use windlass::{PublicKey, SecretKey};

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
