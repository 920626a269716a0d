//! BIP32's texts and paths: what is taken is written back as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;
use windlass::bip32::{DerivationPath, ExtendedPrivateKey, ExtendedPublicKey};

fuzz_target!(|text: &str| {
    if let Ok(key) = ExtendedPrivateKey::from_base58(text) {
        assert_eq!(key.to_base58().as_str(), text);
    }
    if let Ok(key) = ExtendedPublicKey::from_base58(text) {
        assert_eq!(key.to_base58(), text);
    }
    let _ = text.parse::<DerivationPath>();
});
