//! Single values: key, sign, recover, derive, and the known answers.

use serde_json::Value;

use crate::process::{Folder, run, verify};

fn json(args: &[&str], stdin: &str) -> Value {
    let run = run(&[args, &["--json"]].concat(), stdin.as_bytes());
    assert_eq!(run.code, 0, "{args:?} {run:?}");
    serde_json::from_str(&run.out).unwrap()
}

const THREE: &str = "0000000000000000000000000000000000000000000000000000000000000003";

#[test]
fn known_answers_hold_on_every_engine() {
    let run = run(&["selftest"], b"");
    assert_eq!(run.code, 0, "{run:?}");
    for engine in windlass::engine::available() {
        assert_eq!(
            run.out.lines().filter(|line| line.starts_with(engine) && line.ends_with("ok")).count(),
            7,
            "{run:?}"
        );
    }
}

#[test]
fn new_keys_differ_and_give_public_keys() {
    let (a, b) = (run(&["key", "new"], b"").out, run(&["key", "new"], b"").out);
    assert_ne!(a, b);
    let key = json(&["key", "public", "--secret", "-"], &a);
    let folder = Folder::new();
    let file = folder.write("secret.hex", a.as_bytes());
    assert_eq!(json(&["key", "public", "--secret", &file], ""), key);
    for form in ["public_key", "uncompressed"] {
        assert_eq!(json(&["key", "inspect", key[form].as_str().unwrap()], ""), key);
    }
    let x_only = json(&["key", "inspect", key["x_only"].as_str().unwrap()], "");
    assert_eq!((&x_only["x_only"], &x_only["parity"]), (&key["x_only"], &"even".into()));
}

#[test]
fn a_public_key_in_all_its_forms() {
    let key = json(&["key", "public", "--secret", "-"], &format!("  0x{THREE}\r\n"));
    assert_eq!(key["public_key"], "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9");
    assert_eq!(key["parity"], "even");
    let one = json(&["key", "public", "--secret", "-"], &THREE.replace('3', "1"));
    assert_eq!(one["ethereum_address"], "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf");
    assert_eq!(run(&["key", "inspect", &format!("02{}", "f".repeat(64))], b"").code, 1);
    assert_eq!(run(&["key", "inspect", "xx"], b"").code, 2);
}

#[test]
fn a_secret_that_is_none_is_refused_and_never_repeated() {
    let n = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    for secret in [
        "",
        "12345678abcdef",
        n,
        &"0".repeat(64),
        &"zz".repeat(32),
        &"1234567a".repeat(2000),
        &format!("0x0x{}", &n[4..]),
    ] {
        let run = run(&["key", "public", "--secret", "-"], secret.as_bytes());
        assert_eq!(run.code, 2);
        assert!(run.out.is_empty());
        assert!(secret.len() < 8 || !run.err.contains(&secret[..8]), "{run:?}");
    }
    assert_eq!(run(&["key", "public", "--secret", "/no/such/file"], b"").code, 2);
    assert_eq!(run(&["key", "public"], b"").code, 2);
}

#[test]
fn what_is_signed_verifies_and_recovers() {
    let digest = "ab".repeat(32);
    let key = json(&["key", "public", "--secret", "-"], THREE);
    let sign = |args: &[&str]| json(&[&["sign", "--secret", "-"], args].concat(), THREE);
    let csv = |signed: &Value, column: &str, value: &str, args: &[&str]| {
        let pubkey = signed["pubkey"].as_str().unwrap();
        let text = format!("pubkey,signature,{column}\n{pubkey},{},{value}\n", signed["signature"].as_str().unwrap());
        verify(args, text.as_bytes()).0["valid"].clone()
    };
    assert_eq!(csv(&sign(&["--digest", &digest]), "digest", &digest, &[]), 1);
    let compact = sign(&["--digest", &digest, "--encoding", "compact"]);
    assert_eq!(csv(&compact, "digest", &digest, &["--encoding", "compact"]), 1);
    assert_eq!(csv(&sign(&["--message", "68656c6c6f"]), "message", "68656c6c6f", &[]), 1);
    let schnorr = ["--scheme", "schnorr-secp256k1"];
    for message in ["", "00", &digest, &"cd".repeat(1000)] {
        assert_eq!(
            csv(&sign(&[&schnorr, ["--message", message].as_slice()].concat()), "message", message, &schnorr),
            1
        );
    }
    assert_eq!(csv(&sign(&[&schnorr, ["--digest", &digest].as_slice()].concat()), "digest", &digest, &schnorr), 1);

    let recoverable = sign(&["--digest", &digest, "--encoding", "recoverable"]);
    let signature = recoverable["signature"].as_str().unwrap();
    assert_eq!(json(&["recover", "--digest", &digest, "--signature", signature], ""), key);
    let (rs, id) = signature.split_at(128);
    let id: u8 = id.parse().unwrap();
    assert_eq!(json(&["recover", "--digest", &digest, "--signature", rs, "--id", &id.to_string()], ""), key);
    assert_eq!(json(&["recover", "--digest", &digest, "--signature", &format!("{rs}{:02x}", 27 + id)], ""), key);
    for (signature, code) in [
        (rs.to_owned(), 2),
        (format!("{rs}04"), 2),
        (format!("{rs}1b00"), 2),
        (format!("{rs}ff"), 2),
        (format!("{}00", "0".repeat(128)), 1),
        (format!("{}00", "f".repeat(128)), 1),
        (format!("{rs}02"), 1),
    ] {
        assert_eq!(run(&["recover", "--digest", &digest, "--signature", &signature], b"").code, code, "{signature}");
    }
}

#[test]
fn messages_come_from_files_too() {
    let folder = Folder::new();
    let (secret, letter) = (folder.write("secret", THREE.as_bytes()), folder.write("letter", b"hello"));
    let sign = |args: &[&str], stdin: &[u8]| run(&[&["sign", "--secret", &secret], args].concat(), stdin).out;
    let want = sign(&["--message", "68656c6c6f"], b"");
    assert!(want.starts_with("30") && want.ends_with('\n') && want.lines().count() == 1);
    assert_eq!(sign(&["--message-file", &letter], b""), want);
    assert_eq!(sign(&["--message-file", "-"], b"hello"), want);
    for args in [
        &["sign", "--secret", "-", "--message-file", "-"][..],
        &["sign", "--secret", "-"],
        &["sign", "--message", ""],
        &["sign", "--secret", "-", "--message", "", "--digest", ""],
        &["sign", "--secret", "-", "--digest", "ab"],
        &["sign", "--secret", "-", "--message", "", "--aux", "00"],
        &["sign", "--secret", "-", "--message", "", "--scheme", "schnorr-secp256k1", "--encoding", "der"],
    ] {
        assert_eq!(run(args, THREE.as_bytes()).code, 2, "{args:?}");
    }
}

#[test]
fn bip32_and_taproot() {
    let seed = "000102030405060708090a0b0c0d0e0f";
    let bip32 = |path: &str, args: &[&str], stdin: &str| json(&[&["derive", "bip32", path], args].concat(), stdin);
    let parent = bip32("m/0'", &["--seed", "-", "--private"], seed);
    let child = bip32("m/0'/1", &["--seed", "-"], seed);
    let xpub = "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ";
    assert_eq!(child["xpub"], xpub);
    assert!(child.get("xprv").is_none() && child.get("secret_key").is_none());
    for extended in ["xpub", "xprv"] {
        assert_eq!(bip32("m/1", &["--key", "-"], parent[extended].as_str().unwrap())["xpub"], xpub);
    }
    let public = parent["xpub"].as_str().unwrap();
    for (path, args, stdin) in [
        ("m/1'", &["--key", "-"][..], public),
        ("m/1", &["--key", "-", "--private"], public),
        ("m/x", &["--seed", "-"], seed),
        ("m/2147483648", &["--seed", "-"], seed),
        ("m/0", &["--seed", "-"], "00"),
        ("m/0", &["--seed", "-"], "xx"),
        ("m/0", &["--key", "-"], "xprv"),
        ("m/0", &["--key", "-", "--testnet"], public),
        ("m/0", &[], ""),
    ] {
        let run = run(&[&["derive", "bip32", path], args].concat(), stdin.as_bytes());
        assert_eq!(run.code, 2, "{path} {args:?} {run:?}");
    }

    let secret = "6b973d88838f27366ed61c9ad6367663045cb456e28335c109e30717ae0c6baa";
    let tweaked = json(&["derive", "taproot", "--secret", "-", "--private"], secret);
    let want = "53a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343";
    assert_eq!(tweaked["output_key"], want);
    assert_eq!(tweaked["secret_key"], "2405b971772ad26915c8dcdf10f238753a9b837e5f8e6a86fd7c0cce5b7296d9");
    let internal = tweaked["internal_key"].as_str().unwrap();
    assert_eq!(json(&["derive", "taproot", "--internal", internal], "")["output_key"], want);
    let root = ["--merkle-root", "5b75adecf53548f3ec6ad7d78383bf84cc57b55a3127c72b9a2481752dd88b21"];
    let internal = "187791b6f712a8ea41c8ecdd0ee77fab3e85263b37e1ec18a3651926b3a6cf27";
    let output = json(&[&["derive", "taproot", "--internal", internal], root.as_slice()].concat(), "");
    assert_eq!(output["output_key"], "147c9c57132f6e7ecddba9800bb0c4449251c92a1e60371ee77557b6620f3ea3");
    for args in
        [&["--internal", internal, "--private"][..], &["--internal", &"f".repeat(64)], &["--internal", "00"], &[]]
    {
        assert_eq!(run(&[&["derive", "taproot"], args].concat(), b"").code, 2, "{args:?}");
    }
}
