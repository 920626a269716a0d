//! `windlass selftest`: known answers on every engine that this machine has.

use std::io::{self, Write};

use windlass::bip32::{ChildNumber, ExtendedPrivateKey, ExtendedPublicKey, Network};
use windlass::{Keypair, LowS, PublicKey, SecretKey, XOnlyPublicKey, ecdh, ecdsa, engine, schnorr, taproot};

use crate::exit;
use crate::failure::Failure;

/// Compute known answers on every engine
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code 1: an answer was wrong. Do not use this build on this machine then.\n\nExample:\n  windlass selftest"
)]
pub struct Args {}

/// A known answer: does this engine give it? `None` where a value of the test itself can't be read.
type Test = fn() -> Option<bool>;

const TESTS: [(&str, Test); 7] = [
    ("key_create", key_create),
    ("ecdsa", ecdsa_answers),
    ("recover", recover_answer),
    ("schnorr", schnorr_answers),
    ("ecdh", ecdh_answer),
    ("bip32", bip32_answers),
    ("taproot", taproot_answers),
];

/// Runs it. The exit code.
pub fn run(_args: &Args) -> Result<u8, Failure> {
    let writing = |e: io::Error| Failure::writing("the result", &e);
    let mut out = io::stdout().lock();
    let mut all = true;
    let names: Vec<&str> = engine::available().collect();
    for &name in &names {
        engine::select(name).map_err(|e| Failure::new(format!("the engine {name} can't be chosen: {e:?}")))?;
        for (test, run) in TESTS {
            let holds = run() == Some(true);
            all &= holds;
            writeln!(out, "{name:<10} {test:<12} {}", if holds { "ok" } else { "WRONG" }).map_err(writing)?;
        }
    }
    let verdict = if all { "all known answers hold" } else { "a known answer does NOT hold" };
    writeln!(out, "{} engines, {verdict}", names.len()).map_err(writing)?;
    Ok(if all { exit::ALL_VALID } else { exit::SOME_NOT_VALID })
}

fn hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    const_hex::decode_to_array(text).ok()
}

fn secret(text: &str) -> Option<SecretKey> {
    SecretKey::from_bytes(&hex(text)?).ok()
}

const THREE: &str = "0000000000000000000000000000000000000000000000000000000000000003";
const THREE_G: &str = "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9";

fn key_create() -> Option<bool> {
    let key = secret(THREE)?.public_key();
    let parsed = PublicKey::parse(&hex::<33>(THREE_G)?).ok()?;
    Some(key == parsed && key.to_compressed() == hex(THREE_G)? && PublicKey::parse(&key.to_uncompressed()) == Ok(key))
}

const SIGNED: &[u8] = b"Satoshi Nakamoto";
const ONE: &str = "0000000000000000000000000000000000000000000000000000000000000001";
/// RFC 6979 with SHA-256, key 1.
const ECDSA_SIGNATURE: &str = "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8\
                               2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5";

fn ecdsa_answers() -> Option<bool> {
    let key = secret(ONE)?;
    let signature = ecdsa::sign_message(SIGNED, &key);
    let public = key.public_key();
    let holds = ecdsa::verify_message(SIGNED, &signature, &public, LowS::Required).is_ok();
    let other = ecdsa::verify_message(b"Satoshi Nakamoto.", &signature, &public, LowS::Required).is_ok();
    Some(signature.to_compact() == hex(ECDSA_SIGNATURE)? && holds && !other)
}

fn recover_answer() -> Option<bool> {
    let digest = hex("a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e")?;
    let key = secret(ONE)?;
    let (signature, id) = ecdsa::sign_digest_recoverable(&digest, &key);
    let same = signature.to_compact() == hex(ECDSA_SIGNATURE)?;
    Some(same && ecdsa::recover(&digest, &signature, id) == Ok(key.public_key()))
}

/// BIP340's vectors 0 and 1: secret key, randomness, message, signature.
const SCHNORR: [[&str; 4]; 2] = [
    [
        THREE,
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215\
         25f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0",
    ],
    [
        "b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfef",
        "0000000000000000000000000000000000000000000000000000000000000001",
        "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        "6896bd60eeae296db48a229ff71dfe071bde413e6d43f917dc8dcf8c78de3341\
         8906d11ac976abccb20b091292bff4ea897efcb639ea871cfa95f6de339e4b0a",
    ],
];

fn schnorr_answers() -> Option<bool> {
    let mut all = true;
    for [key, aux, message, want] in SCHNORR {
        let keypair = Keypair::from_secret(&secret(key)?);
        let message: [u8; 32] = hex(message)?;
        let mut signature = schnorr::sign(&message, &keypair, &hex(aux)?);
        let x = keypair.x_only().0;
        all &= signature.0 == hex(want)? && schnorr::verify(&message, &signature, &x).is_ok();
        let [.., last] = &mut signature.0;
        *last ^= 1;
        all &= schnorr::verify(&message, &signature, &x).is_err();
    }
    Some(all)
}

fn ecdh_answer() -> Option<bool> {
    let shared = ecdh::shared_secret(&secret(SCHNORR[1][0])?, &PublicKey::parse(&hex::<33>(THREE_G)?).ok()?);
    Some(*shared == hex("5526f2d92f237e817b4dfbfc4a29a7920c712985b90e24e336c7694f2aa0ca19")?)
}

/// BIP32's vector 1.
const SEED: &str = "000102030405060708090a0b0c0d0e0f";
const XPRV_DEPTH_5: &str =
    "xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQjgPie1rFSruoUihUZREPSL39UNdE3BBDu76";
const XPUB_HARDENED_0: &str =
    "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw";
const XPUB_HARDENED_0_1: &str =
    "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ";

fn bip32_answers() -> Option<bool> {
    let master = ExtendedPrivateKey::from_seed(&hex::<16>(SEED)?, Network::Mainnet).ok()?;
    let child = master.derive(&"m/0'/1/2'/2/1000000000".parse().ok()?).ok()?;
    let public = ExtendedPublicKey::from_base58(XPUB_HARDENED_0).ok()?.child(ChildNumber(1)).ok()?;
    Some(*child.to_base58() == XPRV_DEPTH_5 && public.to_base58() == XPUB_HARDENED_0_1)
}

fn taproot_answers() -> Option<bool> {
    // BIP341's wallet vectors: the second script tree, and the first key path spending.
    let internal =
        XOnlyPublicKey::from_bytes(&hex("187791b6f712a8ea41c8ecdd0ee77fab3e85263b37e1ec18a3651926b3a6cf27")?).ok()?;
    let root = hex("5b75adecf53548f3ec6ad7d78383bf84cc57b55a3127c72b9a2481752dd88b21")?;
    let (output, _) = taproot::output_key(&internal, Some(&root)).ok()?;
    let keypair = Keypair::from_secret(&secret("6b973d88838f27366ed61c9ad6367663045cb456e28335c109e30717ae0c6baa")?);
    let tweaked = taproot::tweak_keypair(&keypair, None).ok()?;
    let want_secret: [u8; 32] = hex("2405b971772ad26915c8dcdf10f238753a9b837e5f8e6a86fd7c0cce5b7296d9")?;
    Some(
        output.to_bytes() == hex("147c9c57132f6e7ecddba9800bb0c4449251c92a1e60371ee77557b6620f3ea3")?
            && *tweaked.secret().to_bytes() == want_secret
            && tweaked.x_only().0.to_bytes()
                == hex("53a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343")?,
    )
}
