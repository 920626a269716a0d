//! What `verify` writes: a JSON line a row, the summary as JSON, and the summary for people.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::pipeline::{Counts, Fault};
use crate::row::Outcome;

/// How a row is written: one JSON object a line, `{"row":1,"verdict":"valid","reason":null}`, with `sender`
/// where one was recovered and `file` where there are several files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RowFormat {
    /// The file's name as a JSON string.
    file: Option<String>,
}

impl RowFormat {
    /// Rows of a file that is named in each.
    #[must_use]
    pub fn with_file(name: &str) -> Self {
        Self { file: serde_json::to_string(name).ok() }
    }

    /// Appends the line for one row.
    pub fn write(&self, number: u64, outcome: &Outcome, out: &mut Vec<u8>) {
        // Writing to a Vec doesn't fail.
        let _ = self.try_write(number, outcome, out);
    }

    fn try_write(&self, number: u64, outcome: &Outcome, out: &mut Vec<u8>) -> io::Result<()> {
        out.push(b'{');
        if let Some(file) = &self.file {
            write!(out, "\"file\":{file},")?;
        }
        write!(out, "\"row\":{number},\"verdict\":\"{}\",\"reason\":", outcome.verdict.name())?;
        serde_json::to_writer(&mut *out, &outcome.reason)?;
        if let Some(sender) = outcome.sender {
            let prefix = if sender.prefixed { "0x" } else { "" };
            write!(out, ",\"sender\":\"{prefix}{}\"", const_hex::encode(sender.address))?;
        }
        out.extend_from_slice(b"}\n");
        Ok(())
    }
}

/// The summary.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// All rows.
    pub rows: u64,
    /// Rows that hold.
    pub valid: u64,
    /// Rows that could be read and don't hold.
    pub invalid: u64,
    /// Rows that could not be read.
    pub malformed: u64,
    /// Wall-clock time, reading included.
    pub seconds: f64,
    /// Rows by seconds.
    pub rows_per_second: f64,
    /// The engine in use.
    pub engine: &'static str,
    /// Threads that checked rows.
    pub threads: usize,
}

impl Summary {
    /// Of these counts.
    #[must_use]
    pub fn new(counts: Counts, elapsed: Duration, engine: &'static str, threads: usize) -> Self {
        let seconds = elapsed.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a rate for people; rows are far below 2^52")]
        let rate = if seconds > 0.0 { counts.rows() as f64 / seconds } else { 0.0 };
        Self {
            rows: counts.rows(),
            valid: counts.valid,
            invalid: counts.invalid,
            malformed: counts.malformed,
            seconds: (seconds * 1e6).round() / 1e6,
            rows_per_second: (rate * 10.0).round() / 10.0,
            engine,
            threads,
        }
    }

    /// One JSON object and a line break.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// The summary for people: first the rows that are not valid, as far as they are listed.
    pub fn write_text(&self, faults: &[(Option<String>, Fault)], out: &mut impl Write) -> io::Result<()> {
        for (file, fault) in faults {
            let file = file.as_ref().map_or(String::new(), |name| format!("{name}: "));
            writeln!(out, "{file}row {}: {}: {}", fault.row, fault.verdict.name(), fault.reason)?;
        }
        let unlisted = (self.invalid + self.malformed).saturating_sub(faults.len() as u64);
        if unlisted > 0 {
            writeln!(out, "… and {} more (--rows FILE writes every row)", grouped(unlisted))?;
        }
        let Self { rows, valid, invalid, malformed, seconds, rows_per_second, engine, threads } = self;
        let rows = grouped(*rows);
        let (valid, invalid, malformed) = (grouped(*valid), grouped(*invalid), grouped(*malformed));
        writeln!(out, "{rows} rows: {valid} valid, {invalid} invalid, {malformed} malformed")?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate, rounded, at least 0")]
        let rate = grouped(rows_per_second.round() as u64);
        let s = if *threads == 1 { "" } else { "s" };
        writeln!(out, "{seconds:.2} s, {rate} rows a second, engine {engine}, {threads} thread{s}")?;
        out.flush()
    }
}

/// Digits in groups of three.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::row::Sender;

    #[test]
    fn rows_are_json_whatever_the_reason() {
        let mut out = Vec::new();
        RowFormat::default().write(1, &Outcome::valid(), &mut out);
        let sender = Some(Sender { address: [0xab; 20], prefixed: true });
        let outcome = Outcome { sender, ..Outcome::malformed("a \"quote\"\n\u{1}") };
        RowFormat::with_file("a\\b").write(2, &outcome, &mut out);
        let lines: Vec<serde_json::Value> =
            out.split(|&b| b == b'\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_slice(l).unwrap()).collect();
        assert_eq!(lines[0], serde_json::json!({"row": 1, "verdict": "valid", "reason": null}));
        assert_eq!(lines[1]["file"], "a\\b");
        assert_eq!(lines[1]["reason"], "a \"quote\"\n\u{1}");
        assert_eq!(lines[1]["sender"], format!("0x{}", "ab".repeat(20)));
    }

    #[test]
    fn numbers_are_grouped() {
        let numbers = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
    }
}
