//! How a line may state a transaction.

use windlass::LowS;
use windlass_cli::ethereum::{EthereumCheck, Windlass};
use windlass_cli::row::{Outcome, RowCheck, Verdict};

use crate::process::sample;

fn check(row: &str) -> Outcome {
    EthereumCheck::new(Windlass, LowS::Required).check(row.as_bytes(), &mut Default::default())
}

#[test]
fn the_sender_is_written_as_the_line_writes_addresses() {
    for line in sample(&["ethereum", "-n", "30"]).lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let from = row["from"].as_str().unwrap().trim_start_matches("0x");
        let raw = row["raw"].as_str().unwrap().trim_start_matches("0x");
        let lines = [
            (raw.to_owned(), false),
            (format!("0x{raw}"), true),
            (format!("  {}\t", raw.to_uppercase()), false),
            (format!("{{\"raw\":\"0x{raw}\"}}"), true),
            (format!("{{\"raw\":\"{raw}\",\"from\":null}}"), false),
            (format!("{{\"raw\":\"0x{raw}\",\"from\":\"{from}\"}}"), false),
            (format!("{{\"raw\":\"0x{raw}\",\"from\":\"0x{}\"}}", mixed_case(from)), true),
            (format!("{{\"x\":[{{}}],\"from\":\"0x{}\",\"raw\":\"{raw}\"}}", from.to_uppercase()), true),
        ];
        for (line, prefixed) in lines {
            let outcome = check(&line);
            assert_eq!(outcome.verdict, Verdict::Valid, "{line}: {outcome:?}");
            let sender = outcome.sender.unwrap();
            assert_eq!(
                (testkit::vectors::to_hex(&sender.address).as_str(), sender.prefixed),
                (from, prefixed),
                "{line}"
            );
        }
    }
}

/// Every other letter in the upper case.
fn mixed_case(hex: &str) -> String {
    hex.chars().enumerate().map(|(i, c)| if i % 2 == 0 { c.to_ascii_uppercase() } else { c }).collect()
}

/// Written with EIP-55's checksum; with other digits in the place of its capitals it is another.
#[test]
fn a_checksummed_sender_is_the_same_sender() {
    for line in sample(&["ethereum", "-n", "10"]).lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let from: alloy_primitives::Address = row["from"].as_str().unwrap().parse().unwrap();
        let checksummed = from.to_checksum(None);
        assert_ne!(checksummed, row["from"]);
        let flipped = checksummed.replace(|c: char| c.is_ascii_uppercase(), "0");
        assert_eq!(check(&format!("{{\"raw\":{},\"from\":\"{checksummed}\"}}", row["raw"])).verdict, Verdict::Valid);
        let outcome = check(&format!("{{\"raw\":{},\"from\":\"{flipped}\"}}", row["raw"]));
        assert_eq!(outcome.reason.as_deref(), Some("recovered sender is not the stated `from`"));
    }
}

#[test]
fn what_is_no_row_is_malformed() {
    let line = sample(&["ethereum", "-n", "1"]);
    let row: serde_json::Value = serde_json::from_str(&line).unwrap();
    let (from, raw) = (row["from"].as_str().unwrap(), row["raw"].as_str().unwrap());
    for line in [
        "{}".to_owned(),
        format!("{{\"raw\":\"{raw}\",\"raw\":\"{raw}\"}}"),
        format!("{{\"raw\":\"{raw}\",\"from\":\"{from}\",\"from\":\"{from}\"}}"),
        format!("{{\"raw\":\"{raw}\",\"from\":\"{}\"}}", &from[..40]),
        format!("{{\"raw\":\"{raw}\",\"from\":\"0x{from}\"}}"),
        format!("{{\"raw\":\"{raw}\",\"from\":7}}"),
        format!("{{\"raw\":\"0x{raw}\"}}"),
        format!("{{\"raw\":\"{raw}\"}} {{}}"),
        "0x".to_owned(),
        "0x0x".to_owned(),
        format!("0x0{}", &raw[2..]),
        format!("{raw} {raw}"),
        format!("\"{raw}\""),
        "{\"raw\":\"\"}".to_owned(),
    ] {
        let outcome = check(&line);
        assert_eq!(outcome.verdict, Verdict::Malformed, "{line}: {outcome:?}");
    }
}

#[test]
fn another_sender_is_told() {
    let line = sample(&["ethereum", "-n", "1"]);
    let row: serde_json::Value = serde_json::from_str(&line).unwrap();
    let outcome = check(&format!("{{\"raw\":{},\"from\":\"0x{}\"}}", row["raw"], "00".repeat(20)));
    assert_eq!(outcome.verdict, Verdict::Invalid);
    assert_eq!(outcome.reason.as_deref(), Some("recovered sender is not the stated `from`"));
    assert!(outcome.sender.is_some());
}
