//! Samples: the same for the same seed, spoiled where they say so, and equal to the files in `examples/`.

use crate::process::{run, sample, verdicts, verify};

#[test]
fn samples_are_deterministic_and_hold() {
    for format in ["nostr", "ethereum", "csv"] {
        let rows = sample(&[format, "-n", "300", "--seed", "5"]);
        assert_eq!(rows, sample(&[format, "-n", "300", "--seed", "5"]));
        assert_ne!(rows, sample(&[format, "-n", "300", "--seed", "6"]));
        let (summary, _, code) = verify(&[], rows.as_bytes());
        assert_eq!((code, summary["valid"].as_u64()), (0, Some(300)));
    }
}

/// Around the edges of a block too, which has 256 rows.
#[test]
fn the_rows_are_the_same_whatever_the_threads() {
    for format in ["nostr", "ethereum", "csv"] {
        for rows in ["1", "255", "256", "257", "3000"] {
            let args = [format, "-n", rows, "--bad", "1", "--threads"];
            let one = sample(&[&args[..], &["1"]].concat());
            for threads in ["2", "3", "16"] {
                assert!(one == sample(&[&args[..], &[threads]].concat()), "{format} {rows} {threads}");
            }
            let (header, rows): (usize, usize) = ((format == "csv").into(), rows.parse().unwrap());
            assert_eq!(one.lines().count(), header + rows);
        }
        assert_eq!(sample(&[format, "-n", "0"]).lines().count(), usize::from(format == "csv"));
        let (more, fewer) = (sample(&[format, "-n", "600"]), sample(&[format, "-n", "300"]));
        assert!(more.starts_with(&fewer), "{format}");
    }
}

#[test]
fn as_many_rows_are_spoiled_as_asked_for_and_in_the_ways_that_the_help_tells() {
    let ways = [
        (
            "nostr",
            &[
                ("invalid", "id does not match content"),
                ("invalid", "signature does not verify"),
                ("invalid", "public key not on curve"),
                ("malformed", "not JSON"),
                ("malformed", "no `sig`"),
            ][..],
        ),
        (
            "ethereum",
            &[
                ("invalid", "recovered sender"),
                ("invalid", "upper half"),
                ("invalid", "recovered sender"),
                ("invalid", "out of range"),
                ("malformed", "not a transaction"),
            ],
        ),
        (
            "csv",
            &[
                ("invalid", "does not verify"),
                ("invalid", "upper half"),
                ("invalid", "does not verify"),
                ("malformed", "DER"),
                ("invalid", "not on the curve"),
                ("malformed", "2 columns"),
            ],
        ),
    ];
    for (format, ways) in ways {
        let rows = sample(&[format, "-n", "100", "--bad", "30"]);
        let (_, rows, code) = verify(&[], rows.as_bytes());
        assert_eq!((rows.len(), code), (100, 1));
        let verdicts = verdicts(&rows);
        let bad: Vec<_> = verdicts.iter().filter(|(verdict, _)| *verdict != "valid").collect();
        assert_eq!(bad.len(), 30, "{format}");
        for (i, (verdict, reason)) in bad.iter().enumerate() {
            let (want, says) = ways[i % ways.len()];
            assert_eq!(*verdict, want, "{format} {reason}");
            assert!(reason.contains(says), "{format} {reason}, not {says}");
        }
    }
    let (summary, _, _) = verify(&[], sample(&["csv", "-n", "5", "--bad", "5"]).as_bytes());
    assert_eq!(summary["valid"], 0);
    assert_eq!(run(&["sample", "csv", "-n", "5", "--bad", "6"], b"").code, 2);
}

#[test]
fn the_examples_are_samples() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
    for (format, file) in
        [("nostr", "nostr-events.jsonl"), ("ethereum", "ethereum-transactions.jsonl"), ("csv", "signatures.csv")]
    {
        let committed = std::fs::read_to_string(format!("{folder}{file}")).unwrap();
        assert!(committed == sample(&[format, "-n", "1000", "--bad", "6"]), "{file} is not what `sample` makes");
    }
}
