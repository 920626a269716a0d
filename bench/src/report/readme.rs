//! The figures of the repository's README, made of one record: all that stands between the two markers.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::record::{Record, Row};

use super::markdown::ratio;

const FIRST: &str = "<!-- made by `report --readme` of bench/; do not edit -->\n";
const LAST: &str = "<!-- end of what is made -->\n";

/// Engines in the order of the columns.
const ENGINES: [&str; 3] = ["ifma", "adx", "portable"];

/// The peer of almost every row.
const PEER: &str = "libsecp256k1";

/// Operations, rows of suite `secp256k1`, peers.
const SINGLE: &[(&str, &str, &str)] = &[
    ("ECDSA verify", "ecdsa_verify", PEER),
    ("ECDSA verify, key and signature as bytes", "ecdsa_verify_bytes", PEER),
    ("BIP340 verify, key and signature as bytes", "schnorr_verify_bytes", PEER),
    ("ECDSA verify, prepared key", "prepared_verify", PEER),
    ("BIP340 verify, prepared key", "schnorr_prepared_verify", PEER),
    ("recover a public key", "recover", PEER),
    ("ECDSA sign", "ecdsa_sign", PEER),
    ("BIP340 sign", "schnorr_sign", PEER),
    ("create a key", "key_create", PEER),
    ("ECDH", "ecdh", PEER),
    ("tweak a public key", "tweak_add", PEER),
    ("parse a compressed key", "parse_compressed", PEER),
    ("BIP32, five public levels", "bip32_depth5", "bitcoin"),
    ("BIP32, five private levels", "bip32_private_depth5", "bitcoin"),
    ("taproot output key", "taproot_output_key", PEER),
];

/// Signatures in a call.
const SIZES: [usize; 6] = [8, 24, 64, 256, 1024, 4096];

/// Rows of suite `lanes`.
const MANY: &[(&str, &str)] =
    &[("ECDSA, bytes", "ecdsa_verify_many_bytes"), ("BIP340", "schnorr_verify_many"), ("recover", "recover_many")];

fn one_decimal(ns: f64) -> String {
    format!("{:.1}", ns / 1000.0)
}

/// Of an optional row, a cell; a dash where the record has none.
fn cell(row: Option<&Row>, of: impl Fn(&Row) -> String) -> String {
    row.map_or_else(|| "–".to_owned(), of)
}

fn single(record: &Record) -> String {
    let mut text = "| operation | windlass `ifma`, µs | `adx`, µs | `portable`, µs | libsecp256k1, µs | \
                    times faster: `ifma` | `adx` | `portable` |\n|---|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (name, row, peer) in SINGLE {
        let rows = ENGINES.map(|engine| record.find("secp256k1", row, engine, peer));
        let Some(any) = rows.iter().flatten().next() else { continue };
        let time = |row: Option<&Row>| cell(row, |row| one_decimal(row.ours_ns));
        let short = |row: Option<&Row>| {
            cell(row.filter(|row| row.ratio.is_some()), |row| format!("{:.2}", row.ratio.unwrap_or(0.0)))
        };
        text += &format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} |\n",
            time(rows[0]),
            time(rows[1]),
            time(rows[2]),
            any.peer_ns.map_or("–".to_owned(), one_decimal),
            cell(rows[0], ratio),
            short(rows[1]),
            short(rows[2]),
        );
    }
    text
}

/// Microseconds a signature, and how many times faster.
fn rate(row: &Row) -> String {
    format!("{:.2} ({:.1})", row.ours_ns / 1000.0, row.ratio.unwrap_or(f64::NAN))
}

fn many(record: &Record) -> String {
    let sizes = SIZES.map(|size| size.to_string()).join(" | ");
    let mut text = format!("| signatures in one call | {sizes} |\n|---|{}\n", "---:|".repeat(SIZES.len()));
    for engine in &ENGINES[..2] {
        for (name, row) in MANY {
            let cells = SIZES.map(|size| cell(record.find("lanes", &format!("{row}/{size}"), engine, PEER), rate));
            text += &format!("| {name}, `{engine}` | {} |\n", cells.join(" | "));
        }
    }
    text
}

/// One paragraph on what the tables don't show; a sentence is left out where its rows are missing.
fn sentences(record: &Record) -> String {
    let rate = |row: &Row| format!("{:.2} µs each ({:.1})", row.ours_ns / 1000.0, row.ratio.unwrap_or(f64::NAN));
    let many = |row: &str| record.find("lanes", row, "ifma", PEER).map(rate);
    let mut text = String::new();
    if let (Some(one_key), Some(all_bad)) =
        (many("schnorr_verify_many_one_key/1024"), many("schnorr_verify_many_all_bad/1024"))
    {
        text += &format!(
            "With `ifma` a thousand signatures of one author take {}; a thousand that are all wrong {}.\n",
            one_key, all_bad
        );
    }
    let whole =
        |row: &str| record.find("pipeline", row, "ifma", PEER).and_then(|row| Some((row.ours_ns, row.peer_ns?)));
    if let (Some(nostr), Some(ethereum)) = (whole("nostr"), whole("ethereum")) {
        let two = |ns: f64| format!("{:.2}", ns / 1000.0);
        text += &format!(
            "`windlass verify` on one thread takes {} µs for a Nostr event and {} µs for an Ethereum transaction,\n\
             reading, hashing and checking; with libsecp256k1 in its place {} and {} µs.\n",
            two(nostr.0),
            two(ethereum.0),
            one_decimal(nostr.1),
            one_decimal(ethereum.1)
        );
    }
    text
}

/// All that stands between the markers.
pub(super) fn figures(record: &Record) -> String {
    let version = |peer: &str| {
        let found = record.rows.iter().find(|row| row.peer.as_deref() == Some(peer));
        found.and_then(|row| row.peer_version.clone()).unwrap_or_default()
    };
    let machine = record.named("Machine");
    let machine = machine.find("), ").map_or(machine, |end| &machine[..=end]);
    let date = record.named("Date").split(' ').next().unwrap_or_default();
    format!(
        "One thread of {machine}, {date}. libsecp256k1 is the C library at -O3\n\
         through `secp256k1-sys` {}, called directly; intervals are 95 %. BIP32's peer is the crate `bitcoin` {}, which uses\n\
         the same C library. Everything else stands in [the record](bench/records/{}/table.md).\n\n\
         One operation at a time:\n\n{}\n\
         Many signatures in one call of `verify_many` or `recover_many`, key and signature as bytes: microseconds a signature, and in\n\
         brackets how many times faster than libsecp256k1 verifying the same rows one by one:\n\n{}\n{}",
        version(PEER),
        version("bitcoin"),
        record.name,
        single(record),
        many(record),
        sentences(record)
    )
}

/// `text` with what stands between its markers replaced.
fn replaced(text: &str, figures: &str) -> Option<String> {
    let (before, rest) = text.split_once(FIRST)?;
    let (_, after) = rest.split_once(LAST)?;
    Some(format!("{before}{FIRST}{figures}{LAST}{after}"))
}

pub(super) fn run(record: &Record, check: bool) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let made = replaced(&text, &figures(record)).context("README.md has no markers")?;
    if check {
        ensure!(made == text, "README.md has other figures than {}: run `report --readme`", record.name);
        println!("README.md has the figures of {}", record.name);
        return Ok(());
    }
    std::fs::write(&path, made).with_context(|| format!("writing {}", path.display()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first thing that is not as expected")]
    use super::*;
    use crate::record::directory;

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let text = format!("a\n{FIRST}old\n{LAST}b\n");
        assert_eq!(replaced(&text, "new\n").unwrap(), format!("a\n{FIRST}new\n{LAST}b\n"));
        assert_eq!(replaced("no markers", ""), None);
    }

    #[test]
    fn a_row_that_the_record_lacks_is_left_out() {
        let mut record = Record::newest(&directory()).unwrap();
        assert!(figures(&record).contains("| ECDSA verify | ") && figures(&record).contains("`windlass verify`"));
        record.rows.retain(|row| row.row != "ecdsa_verify" && row.suite != "pipeline" && !row.row.ends_with("/24"));
        let text = figures(&record);
        assert!(!text.contains("| ECDSA verify | ") && !text.contains("`windlass verify`"));
        assert!(text.contains("| – |"));
    }
}
