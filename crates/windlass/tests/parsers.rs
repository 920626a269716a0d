//! Every parser on truncations, zeros, ones, flipped bits and random bytes: an error or a value, never a panic, and what is
//! taken is written back as it was.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use testkit::effort;
use testkit::random::Random;
use windlass::bip32::{DerivationPath, ExtendedPrivateKey, ExtendedPublicKey, Network};
use windlass::{Keypair, PublicKey, SecretKey, XOnlyPublicKey, ecdh, ecdsa, schnorr};

/// All parsers of bytes. Those of fixed length get what fits.
fn parse_bytes(bytes: &[u8]) {
    if let Ok(key) = PublicKey::parse(bytes) {
        assert!(key.to_compressed() == bytes || key.to_uncompressed() == bytes);
    }
    if let Ok(key) = PublicKey::parse_hybrid(bytes) {
        assert_eq!(key.to_uncompressed()[1..], bytes[1..]);
    }
    if let Ok(signature) = ecdsa::Signature::from_der(bytes) {
        assert_eq!(*signature.to_der(), *bytes);
        assert_eq!(ecdsa::Signature::from_der_lax(bytes), Ok(signature));
    }
    if let Ok(signature) = ecdsa::Signature::from_der_lax(bytes) {
        assert_eq!(ecdsa::Signature::from_der(&signature.to_der()), Ok(signature));
    }
    let _ = ExtendedPrivateKey::from_seed(bytes, Network::Testnet);
    let own = SecretKey::from_bytes(&[5; 32]).unwrap();
    if let Ok(bytes) = <&[u8; 32]>::try_from(bytes) {
        if let Ok(key) = SecretKey::from_bytes(bytes) {
            assert_eq!(*key.to_bytes(), *bytes);
        }
        if let Ok(key) = XOnlyPublicKey::from_bytes(bytes) {
            assert_eq!(key.to_bytes(), *bytes);
            let _ = (key.tweak_add(bytes), key.tweak_add_check(bytes, bytes, windlass::Parity::Odd));
        }
        let _ = ecdh::shared_x_with_x_only(&own, bytes);
        let _ = (own.tweak_add(bytes).is_ok(), own.tweak_mul(bytes).is_ok());
        let _ = (own.public_key().tweak_add(bytes), own.public_key().tweak_mul(bytes));
        let _ = Keypair::from_secret(&own).x_only_tweak_add(bytes).is_ok();
    }
    if let Ok(bytes) = <&[u8; 64]>::try_from(bytes) {
        if let Ok(signature) = ecdsa::Signature::from_compact(bytes) {
            assert_eq!(signature.to_compact(), *bytes);
            let _ = ecdsa::verify_digest(&[1; 32], &signature, &own.public_key(), windlass::LowS::Accepted);
            for id in 0..4 {
                let _ = ecdsa::recover(&[1; 32], &signature, ecdsa::RecoveryId::from_u8(id).unwrap());
            }
        }
        let key = own.public_key().x_only().0;
        assert!(schnorr::verify(b"another message", &schnorr::Signature(*bytes), &key).is_err());
        let _ = schnorr::verify_bytes(bytes, bytes, &key.to_bytes());
    }
}

/// All parsers of text.
fn parse_text(text: &str) {
    if let Ok(key) = ExtendedPrivateKey::from_base58(text) {
        assert_eq!(key.to_base58().as_str(), text);
    }
    if let Ok(key) = ExtendedPublicKey::from_base58(text) {
        assert_eq!(key.to_base58(), text);
    }
    let _ = text.parse::<DerivationPath>();
}

/// A good value for every parser of bytes.
fn good_bytes() -> Vec<Vec<u8>> {
    let secret = SecretKey::from_bytes(&[0x5A; 32]).unwrap();
    let key = secret.public_key();
    let signature = ecdsa::sign_digest(&[3; 32], &secret);
    let mut hybrid = key.to_uncompressed();
    hybrid[0] = 6 | hybrid[64] & 1;
    vec![
        secret.to_bytes().to_vec(),
        key.to_compressed().to_vec(),
        key.to_uncompressed().to_vec(),
        hybrid.to_vec(),
        key.x_only().0.to_bytes().to_vec(),
        signature.to_compact().to_vec(),
        signature.to_der().to_vec(),
        schnorr::sign(b"message", &Keypair::from_secret(&secret), &[0; 32]).0.to_vec(),
    ]
}

/// A good value for every parser of text.
fn good_texts() -> Vec<String> {
    let master = ExtendedPrivateKey::from_seed(&[7; 32], Network::Mainnet).unwrap();
    let test = ExtendedPrivateKey::from_seed(&[8; 64], Network::Testnet).unwrap();
    vec![
        master.to_base58().to_string(),
        master.to_public().to_base58(),
        test.to_base58().to_string(),
        test.to_public().to_base58(),
        "m/44'/0'/2147483647'/0/2147483647".to_owned(),
    ]
}

#[test]
fn truncations_at_every_byte() {
    for good in good_bytes() {
        parse_bytes(&good);
        for length in 0..good.len() {
            let cut = &good[..length];
            parse_bytes(cut);
            assert!(PublicKey::parse(cut).is_err() || length == 33, "{length} of {} bytes", good.len());
            assert!(ecdsa::Signature::from_der(cut).is_err(), "{length} of {} bytes", good.len());
        }
    }
    for good in good_texts() {
        parse_text(&good);
        for length in 0..good.len() {
            let cut = &good[..length];
            parse_text(cut);
            assert!(ExtendedPrivateKey::from_base58(cut).is_err() && ExtendedPublicKey::from_base58(cut).is_err());
        }
    }
}

#[test]
fn zeros_ones_and_lengths() {
    for length in 0..300 {
        for byte in [0, 1, 2, 3, 4, 6, 7, 0x30, 0x7F, 0x80, 0xFF] {
            parse_bytes(&vec![byte; length]);
            parse_text(&String::from_utf8_lossy(&vec![byte; length]));
        }
        for text in ["1", "z", "m", "/", "'", "9", "h", "-", "é", "\0"] {
            parse_text(&text.repeat(length));
        }
    }
    parse_bytes(&vec![0x30; 10 << 20]);
    parse_text(&"1".repeat(10_000));
    parse_text(&"m/0".repeat(100_000));
}

#[test]
fn every_flipped_bit() {
    for good in good_bytes() {
        for bit in 0..8 * good.len() {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            parse_bytes(&bytes);
        }
    }
    for good in good_texts() {
        for at in 0..good.len() {
            for replacement in ["0", "1", "x", "l", "'", " ", "ß"] {
                parse_text(&format!("{}{replacement}{}", &good[..at], &good[at + 1..]));
            }
        }
    }
}

#[test]
fn random_bytes_and_edits() {
    let mut random = Random::new(60);
    let (goods, texts) = (good_bytes(), good_texts());
    for _ in 0..effort::cases(20_000) {
        let mut bytes = vec![0; random.below(140)];
        random.fill(&mut bytes);
        parse_bytes(&bytes);
        parse_text(&String::from_utf8_lossy(&bytes));
        let mut edited = random.choose(&goods).clone();
        let mut text = random.choose(&texts).clone().into_bytes();
        for _ in 0..=random.below(3) {
            edit(&mut random, &mut edited);
            edit(&mut random, &mut text);
        }
        parse_bytes(&edited);
        parse_text(&String::from_utf8_lossy(&text));
    }
}

/// Replaces, removes, inserts or repeats.
fn edit(random: &mut Random, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(4) {
        0 => bytes[at] = random.word() as u8,
        1 => {
            bytes.remove(at);
        }
        2 => bytes.insert(at, random.word() as u8),
        _ => bytes.extend_from_within(at..),
    }
}
