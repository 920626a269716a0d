//! Real events, transactions and signatures, from the folder that `WINDLASS_VECTORS` names.

use std::path::Path;

use serde_json::Value;
use testkit::skip::{Missing, skip};
use testkit::vectors::FOLDER_VARIABLE;
use windlass::LowS;
use windlass_cli::ethereum::{EthereumCheck, Windlass};
use windlass_cli::row::{RowCheck, Verdict};

use crate::process::{Folder, run, verdicts};

/// The summary and the rows of a vector file; `None` after recording that `test` is skipped.
fn verified(test: &str, file: &str, args: &[&str]) -> Option<(Value, Vec<Value>)> {
    let Some(folder) = std::env::var_os(FOLDER_VARIABLE) else {
        skip(test, Missing::Vectors(file));
        return None;
    };
    let path = Path::new(&folder).join(file);
    let out = Folder::new();
    let (rows, json) = (out.path("rows"), out.path("json"));
    let all = [&["verify", path.to_str().unwrap(), "--rows", &rows, "--json", &json], args].concat();
    let run = run(&all, b"");
    let summary: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(run.code, i32::from(summary["valid"] != summary["rows"]), "{run:?}");
    let rows = std::fs::read_to_string(rows).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    Some((summary, rows))
}

fn lines(test: &str, file: &str) -> Vec<Value> {
    testkit::vectors::json_lines(test, file).unwrap()
}

#[test]
fn real_nostr_events() {
    let test = "real_nostr_events";
    let Some((summary, _)) = verified(test, "data/nostr-events.jsonl", &[]) else { return };
    assert_eq!((&summary["rows"], &summary["valid"]), (&943.into(), &943.into()));
}

#[test]
fn nostr_events_that_do_not_hold_say_why() {
    let test = "nostr_events_that_do_not_hold_say_why";
    let Some((summary, rows)) = verified(test, "data/nostr-invalid-plain.jsonl", &[]) else { return };
    assert_eq!((&summary["rows"], &summary["valid"]), (&67.into(), &0.into()));
    let labels = lines(test, "data/nostr-invalid-events.jsonl");
    assert_eq!(labels.len(), 67);
    for ((_, reason), label) in verdicts(&rows).into_iter().zip(&labels) {
        assert_eq!(
            reason.contains("id does not match content"),
            label["id_matches_content"] == false,
            "{label} {reason}"
        );
        let signature = reason.contains("signature does not verify") || reason.contains("public key not on curve");
        assert_eq!(signature, label["sig_valid_for_stated_id"] != true, "{label} {reason}");
    }
}

#[test]
fn real_ethereum_transactions() {
    let test = "real_ethereum_transactions";
    let Some((summary, rows)) = verified(test, "data/ethereum-mainnet-txs.jsonl.gz", &[]) else { return };
    assert_eq!((&summary["rows"], &summary["valid"]), (&928.into(), &928.into()));
    for (row, stated) in rows.iter().zip(lines(test, "data/ethereum-mainnet-recover.jsonl")) {
        assert_eq!(row["sender"], stated["from"]);
    }
}

#[test]
fn ethereum_transaction_tests() {
    let test = "ethereum_transaction_tests";
    let Some(cases) = testkit::vectors::json_lines(test, "evm/ethereum-tests-transactions.jsonl") else { return };
    let (mut senders, mut exceptions) = (0, 0);
    for case in &cases {
        let forks = case["result"].as_object().unwrap();
        let accepted: Vec<&str> = forks.values().filter_map(|fork| fork["sender"].as_str()).collect();
        let newest = forks.get("Cancun").unwrap_or_else(|| &forks["London"]);
        // s in the upper half was accepted on Frontier.
        for low_s in [LowS::Required, LowS::Accepted] {
            let outcome = EthereumCheck::new(Windlass, low_s)
                .check(case["raw"].as_str().unwrap().as_bytes(), &mut Default::default());
            let sender = outcome.sender.map(|sender| testkit::vectors::to_hex(&sender.address));
            if outcome.verdict == Verdict::Valid && !accepted.is_empty() {
                assert_eq!(sender.as_deref(), Some(accepted[0]), "{}", case["name"]);
            }
            if newest["sender"].is_string() {
                assert_eq!(outcome.verdict, Verdict::Valid, "{} {outcome:?}", case["name"]);
                senders += 1;
                continue;
            }
            exceptions += 1;
            let exception = newest["exception"].as_str().unwrap().trim_start_matches("TransactionException.");
            // What concerns gas, fees and the chain's number is no matter of the signature; all else is refused.
            let others = [
                "INTRINSIC_GAS",
                "GASLIMIT",
                "GASPRICE",
                "NONCE_TOO_BIG",
                "INVALID_CHAINID",
                "PRIORITY",
                "VALUE_OVERFLOW",
            ];
            let upper_half_accepted = low_s == LowS::Accepted && !accepted.is_empty();
            if !upper_half_accepted && !others.iter().any(|other| exception.starts_with(other)) {
                assert_ne!(outcome.verdict, Verdict::Valid, "{} {exception}", case["name"]);
            }
        }
    }
    assert_eq!((senders, exceptions), (2 * 49, 2 * 159));
}

#[test]
fn real_bitcoin_signatures() {
    let test = "real_bitcoin_signatures";
    let columns = ["--column", "signature=sig_der", "--column", "digest=sighash"];
    let high_s = [columns.as_slice(), &["--allow-high-s"]].concat();
    for (file, args, valid, invalid) in [
        ("data/bitcoin-mainnet-ecdsa.csv", columns.as_slice(), 6169, 0),
        ("data/bitcoin-mainnet-ecdsa-mismatch.csv", &columns, 0, 842),
        ("data/bitcoin-early-ecdsa.csv", &high_s, 739, 0),
        ("data/bitcoin-early-ecdsa.csv", &columns, 371, 368),
    ] {
        let Some((summary, _)) = verified(test, file, args) else { return };
        assert_eq!((&summary["valid"], &summary["invalid"]), (&valid.into(), &invalid.into()), "{file} {summary}");
    }
}
