//! Rows whose signatures are checked together: each has the outcome that it has alone, whatever the others are and wherever
//! chunks end.

use std::io::Cursor;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use windlass::LowS;
use windlass_cli::chunks::{CHUNK_ROWS, Chunks, Grammar};
use windlass_cli::csv::{Columns, CsvCheck, Encoding, HybridKeys, Rules};
use windlass_cli::detect::Format;
use windlass_cli::ethereum::EthereumCheck;
use windlass_cli::nostr::NostrCheck;
use windlass_cli::pipeline::{self, Options};
use windlass_cli::report::RowFormat;
use windlass_cli::row::RowCheck;
use windlass_cli::sample;
use windlass_cli::signatures::Windlass;

fn csv() -> CsvCheck {
    let columns = Columns::from_header(b"pubkey,signature,digest", &[]).unwrap();
    CsvCheck::new(columns, Rules::Ecdsa { encoding: Encoding::Der, low_s: LowS::Required, hybrid: HybridKeys::Refused })
}

/// The JSON lines that `verify --rows` writes.
fn together<C>(check: &Arc<C>, rows: &[&[u8]], threads: usize) -> String
where
    C: RowCheck + Send + Sync + 'static,
{
    let chunks = Chunks::new(Cursor::new(rows.join(&b'\n')), Grammar::Lines);
    let options = Options { threads: NonZeroUsize::new(threads).unwrap(), rows: Some(RowFormat::default()), faults: 0 };
    let mut out = Vec::new();
    let sink = |report: &pipeline::ChunkReport| {
        out.extend_from_slice(&report.rows);
        Ok::<(), ()>(())
    };
    let counts = pipeline::run(chunks, check, &options, &AtomicBool::new(false), sink).unwrap();
    assert_eq!(counts.rows(), rows.len() as u64);
    String::from_utf8(out).unwrap()
}

/// The same lines of rows that are checked one by one.
fn alone<C: RowCheck>(check: &C, rows: &[&[u8]]) -> String {
    let (mut out, mut scratch) = (Vec::new(), C::Scratch::default());
    for (number, row) in (1..).zip(rows) {
        RowFormat::default().write(number, &check.check(row.trim_ascii(), &mut scratch), &mut out);
    }
    String::from_utf8(out).unwrap()
}

/// From rows and a number of threads, what they are together and what each is alone.
type Check<'a> = &'a dyn Fn(&[&[u8]], usize) -> [String; 2];

/// `of` is called with the check and the sample rows of each format.
fn for_each_format(rows: u64, bad: u64, of: &mut dyn FnMut(Check<'_>, &[&[u8]])) {
    let (nostr, ethereum, csv) =
        (Arc::new(NostrCheck::new(Windlass)), Arc::new(EthereumCheck::new(Windlass, LowS::Required)), Arc::new(csv()));
    let text = |format| {
        let mut text = Vec::new();
        sample::write(&sample::Args { format, rows, seed: 1, bad }, &mut text).unwrap();
        text
    };
    let texts = [text(Format::Nostr), text(Format::Ethereum), text(Format::Csv)];
    let [events, transactions, records] =
        texts.each_ref().map(|text| text.trim_ascii().split(|&b| b == b'\n').collect::<Vec<_>>());
    of(&|rows, threads| [together(&nostr, rows, threads), alone(&*nostr, rows)], &events);
    of(&|rows, threads| [together(&ethereum, rows, threads), alone(&*ethereum, rows)], &transactions);
    of(&|rows, threads| [together(&csv, rows, threads), alone(&*csv, rows)], &records[1..]);
}

#[test]
fn chunks_may_end_anywhere() {
    for_each_format(CHUNK_ROWS as u64 + 1, 60, &mut |check, rows| {
        for count in [1, 2, 7, 8, 9, 255, 1023, 1024, 1025, CHUNK_ROWS - 1, CHUNK_ROWS, CHUNK_ROWS + 1] {
            let [together, alone] = check(&rows[..count], 1 + count % 3);
            for (together, alone) in together.lines().zip(alone.lines()) {
                assert_eq!(together, alone, "of {count} rows");
            }
            assert_eq!(together.len(), alone.len());
        }
    });
}

/// Each kind of bad row at each place among good ones: the others stay valid, and it is named with the reason that it has alone.
#[test]
fn a_bad_row_disturbs_no_other() {
    const ROWS: usize = 10;
    for_each_format(ROWS as u64 + 12, 12, &mut |check, rows| {
        let is_valid = |row: &&&[u8]| check(&[row], 1)[1].contains("\"valid\"");
        let good: Vec<&[u8]> = rows.iter().filter(is_valid).copied().collect();
        let mut bad: Vec<&[u8]> = rows.iter().filter(|row| !is_valid(row)).copied().collect();
        bad.extend(["x", "{}", "\"", "\u{1}", "0x", "\"\"\"\"", ",,"].map(str::as_bytes));
        let long = "y".repeat(70_000);
        bad.push(long.as_bytes());
        assert_eq!(good.len(), ROWS);
        for bad in bad {
            for place in 0..ROWS {
                let mut rows = good.clone();
                rows[place] = bad;
                let [together, alone] = check(&rows, 1);
                assert_eq!(together, alone, "{} at {place}", bad.escape_ascii());
                let not_valid: Vec<usize> = together
                    .lines()
                    .map(|line| serde_json::from_str::<Value>(line).unwrap())
                    .filter(|row| row["verdict"] != "valid")
                    .map(|row| row["row"].as_u64().unwrap() as usize)
                    .collect();
                assert_eq!(not_valid, [place + 1], "{}", bad.escape_ascii());
            }
        }
        let [together, alone] = check(&[rows, rows].concat(), 2);
        assert_eq!(together, alone);
    });
}
