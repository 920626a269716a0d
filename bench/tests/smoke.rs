//! The rig itself: every row runs on every engine, all answers agree, and the JSON has the fields that its readers use.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first thing that is not as expected")]

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

const ROWS: [&str; 23] = [
    "bip32_depth5",
    "bip32_private_depth5",
    "ecdh",
    "ecdsa_sign",
    "ecdsa_verify",
    "ecdsa_verify_bytes",
    "key_create",
    "mul",
    "mul_57",
    "mul_add",
    "mul_add_57",
    "mul_base",
    "mul_base_57",
    "parse_compressed",
    "prepared_verify",
    "recover",
    "schnorr_prepared_verify",
    "schnorr_sign",
    "schnorr_verify",
    "schnorr_verify_bytes",
    "tagged_hash",
    "taproot_output_key",
    "tweak_add",
];

/// The bench in the least time it accepts, its JSON rows, and what it printed.
fn run(name: &str, arguments: &[&str]) -> (Vec<Value>, String) {
    let json = std::env::temp_dir().join(format!("windlass-bench-{name}-{}.json", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_windlass-bench"))
        .args(["run", "--seconds", "0", "--json", json.to_str().unwrap()])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    std::fs::remove_file(&json).unwrap();
    (rows.as_array().unwrap().clone(), String::from_utf8(output.stdout).unwrap())
}

fn text(row: &Value, field: &str) -> String {
    row[field].as_str().unwrap().to_owned()
}

/// Every row of the suite has a peer, and figures that agree with each other.
fn assert_well_formed(rows: &[Value], suite: &str) {
    for row in rows {
        assert_eq!(row["suite"], suite);
        assert!(row["n"].as_u64().unwrap() >= 512);
        assert!(!text(row, "peer_version").is_empty() && !text(row, "peer").is_empty());
        let number = |field: &str| row[field].as_f64().unwrap();
        let (ratio, expected) = (number("ratio"), number("peer_ns") / number("ours_ns"));
        assert!((ratio / expected - 1.0).abs() < 1e-9, "{row}");
        assert!(number("ratio_low") <= ratio && ratio <= number("ratio_high"), "{row}");
    }
}

#[test]
fn every_row_runs_and_is_well_formed() {
    let (rows, table) = run("all", &["--suite", "secp256k1"]);
    let engines: BTreeSet<_> = rows.iter().map(|row| text(row, "engine")).collect();
    assert!(engines.contains("portable"));
    for engine in &engines {
        let of_engine = rows.iter().filter(|row| row["engine"] == **engine);
        assert_eq!(of_engine.map(|row| text(row, "row")).collect::<BTreeSet<_>>(), ROWS.map(str::to_owned).into());
    }
    assert_well_formed(&rows, "secp256k1");
    for word in ["Machine: ", "Compiler: rustc", "Commit: ", "Date: ", "libsecp256k1", "| ecdsa_verify |"] {
        assert!(table.contains(word), "{word} is missing in\n{table}");
    }
}

/// The smallest groups of suite `lanes`; other sizes differ in nothing but time. Its own tests know the names of all rows.
#[test]
fn many_at_once_run_beside_their_peers() {
    let (rows, _) = run("lanes", &["--suite", "lanes", "--row", "/8"]);
    assert_well_formed(&rows, "lanes");
    let with = |peer: &str| -> BTreeSet<String> {
        rows.iter().filter(|row| row["peer"] == peer).map(|row| text(row, "row")).collect()
    };
    let names = ["ecdsa_verify_many/8", "ecdsa_verify_many_bytes/8", "recover_many/8", "schnorr_verify_many/8"];
    assert_eq!(
        (with("libsecp256k1"), with("k256")),
        (names.map(str::to_owned).into(), names.map(str::to_owned).into())
    );
    assert_eq!(with("k256 lincomb"), ["msm/8", "schnorr_verify_many/8"].map(str::to_owned).into());
}

#[test]
fn the_pipeline_runs_beside_libsecp256k1() {
    let (rows, _) = run("pipeline", &["--suite", "pipeline"]);
    assert_well_formed(&rows, "pipeline");
    assert!(rows.iter().all(|row| row["peer"] == "libsecp256k1"));
    let names: BTreeSet<_> = rows.iter().map(|row| text(row, "row")).collect();
    assert_eq!(names, ["ethereum", "nostr"].map(str::to_owned).into());
}

#[test]
fn a_row_without_a_peer_has_no_peer_fields() {
    let (rows, _) = run("alone", &["--row", "mul_add_57", "--peer", "libsecp256k1", "--engine", "portable"]);
    let [row] = &rows[..] else { panic!("one row expected, not {rows:?}") };
    assert!(row["ours_ns"].as_f64().unwrap() > 0.0);
    for field in ["peer", "peer_version", "peer_ns", "ratio", "ratio_low", "ratio_high"] {
        assert!(row.get(field).is_none(), "{field}");
    }
}

#[test]
fn what_does_not_exist_is_an_error() {
    for arguments in [["--row", "no_such_row"], ["--engine", "no_such_engine"], ["--suite", "no_such_suite"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_windlass-bench")).arg("run").args(arguments).output().unwrap();
        assert!(!output.status.success(), "{arguments:?}");
    }
}
