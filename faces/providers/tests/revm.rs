//! revm's precompiles with the provider installed: geth's call data, where it is at hand, and signatures that none gives.
#![cfg(feature = "revm")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use revm_precompile::{Crypto as _, install_crypto, modexp, secp256k1::ec_recover_run};
use serde_json::Value;
use windlass_providers::revm::Windlass;

fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// The rows of a file of `WINDLASS_VECTORS`: call data and output.
fn rows(file: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let Ok(folder) = std::env::var("WINDLASS_VECTORS") else {
        println!("skipped {file}: WINDLASS_VECTORS names no folder");
        return Vec::new();
    };
    let text = std::fs::read_to_string(format!("{folder}/evm/{file}")).unwrap();
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert!(rows.len() >= 5, "{file}");
    rows.iter().map(|row| (hex(row["Input"].as_str().unwrap()), hex(row["Expected"].as_str().unwrap()))).collect()
}

#[test]
fn precompiles_of_revm_give_geths_outputs() {
    install_crypto(Windlass);
    for (input, expected) in rows("geth-ecRecover.json").into_iter().chain(rows("ethereum-tests-ecrecover.json")) {
        assert_eq!(ec_recover_run(&input, 3000).unwrap().bytes, expected);
    }
    for (file, run) in [
        ("geth-modexp.json", modexp::byzantium_run as fn(&[u8], u64) -> _),
        ("geth-modexp_eip2565.json", modexp::berlin_run),
        ("geth-modexp_eip7883.json", modexp::osaka_run),
    ] {
        for (input, expected) in rows(file) {
            let output: revm_precompile::EthPrecompileOutput = run(&input, u64::MAX).unwrap();
            assert_eq!(output.bytes, expected, "{file}");
            let ours = windlass_evm::modexp(&input, u64::MAX, windlass_evm::Fork::Berlin).unwrap();
            assert_eq!(output.bytes, ours.output, "{file}");
        }
    }
}

#[test]
fn agrees_with_the_default() {
    let default = revm_precompile::DefaultCrypto;
    let key = windlass::SecretKey::from_bytes(&[7; 32]).unwrap();
    for byte in 0..40 {
        let digest = [byte; 32];
        let (signature, id) = windlass::ecdsa::sign_digest_recoverable(&digest, &key);
        let mut signature = signature.to_compact();
        for spoiled in 0..3 {
            signature[31 * spoiled] ^= if spoiled == 0 { 0 } else { byte };
            for id in [id.to_u8(), id.to_u8() ^ 1] {
                let ours = Windlass.secp256k1_ecrecover(&signature, id, &digest);
                assert_eq!(ours, default.secp256k1_ecrecover(&signature, id, &digest), "{byte} {spoiled} {id}");
            }
        }
    }
    assert!(Windlass.secp256k1_ecrecover(&[0; 64], 0, &[1; 32]).is_err());
    assert!(Windlass.secp256k1_ecrecover(&[1; 64], 9, &[1; 32]).is_err());
    for (base, exponent, modulus) in
        [(&[3][..], &[5][..], &[0, 100][..]), (&[], &[], &[7]), (&[2], &[9], &[0, 0]), (&[5; 40], &[3; 33], &[8; 70])]
    {
        let mut theirs = default.modexp(base, exponent, modulus).unwrap();
        theirs.splice(..0, vec![0; modulus.len() - theirs.len()]);
        assert_eq!(Windlass.modexp(base, exponent, modulus), Ok(theirs));
    }
}
