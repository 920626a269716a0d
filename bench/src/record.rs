//! What a run leaves: rows of figures, and the directory of a record with the head that says where they come from.
//!
//! A record is a directory `DATE-COMMIT` with `rows.json` (an array of [`Row`]), `table.md` (as printed: head lines `Name: value`,
//! libraries `- name: …`, the table) and `machine.txt` (the command, the compiler, the CPU).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// One row of `--json`. Times are nanoseconds an operation; the ratio is peer ÷ windlass, above 1 where windlass is
/// faster; `low` and `high` bound 95 % intervals. A row without a peer has neither a peer's name and figures nor a ratio.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(crate) struct Row {
    pub(crate) suite: String,
    pub(crate) row: String,
    pub(crate) engine: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_version: Option<String>,
    /// Distinct inputs; every round runs all of them.
    pub(crate) n: usize,
    /// Rounds, of all links together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rounds: Option<usize>,
    pub(crate) ours_ns: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ours_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ours_high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio_high: Option<f64>,
}

pub(crate) const TABLE_HEAD: &str = "\
| suite | row | engine | windlass µs | peer | peer µs | ratio | 95 % interval | rounds |
|---|---|---|---:|---|---:|---:|---|---:|";

/// Nanoseconds as microseconds.
pub(crate) fn micro(ns: f64) -> String {
    format!("{:.2}", ns / 1000.0)
}

impl Row {
    pub(crate) fn markdown(&self) -> String {
        let ours = format!("| {} | {} | {} | {} |", self.suite, self.row, self.engine, micro(self.ours_ns));
        let rounds = self.rounds.map_or_else(|| "–".to_owned(), |rounds| rounds.to_string());
        match (&self.peer, self.peer_ns, self.ratio, self.ratio_low, self.ratio_high) {
            (Some(peer), Some(ns), Some(ratio), Some(low), Some(high)) => {
                format!("{ours} {peer} | {} | {ratio:.2} | {low:.2} – {high:.2} | {rounds} |", micro(ns))
            }
            _ => format!("{ours} – | – | – | – | {rounds} |"),
        }
    }

    /// What the row is of: suite, row, engine and peer.
    pub(crate) fn key(&self) -> (&str, &str, &str, Option<&str>) {
        (&self.suite, &self.row, &self.engine, self.peer.as_deref())
    }
}

/// A run as it stands in its directory.
pub(crate) struct Record {
    /// The directory's name, or the file's.
    pub(crate) name: String,
    /// The lines `Name: value` over the table.
    pub(crate) head: BTreeMap<String, String>,
    /// The libraries of the head, each with its version and how it was built.
    pub(crate) libraries: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

/// Where the records of this repository are.
pub(crate) fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("records")
}

impl Record {
    /// A record's directory, or a file of rows alone.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let (rows, table) =
            if path.is_dir() { (path.join("rows.json"), path.join("table.md")) } else { (path.into(), PathBuf::new()) };
        let text = fs::read_to_string(&rows).with_context(|| format!("reading {}", rows.display()))?;
        let rows = serde_json::from_str(&text).with_context(|| format!("{}", rows.display()))?;
        let table = fs::read_to_string(table).unwrap_or_default();
        let lines = || table.lines().take_while(|line| !line.starts_with('|'));
        let named = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
        Ok(Self {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            head: lines().filter(|line| !line.starts_with("- ")).filter_map(named).collect(),
            libraries: lines().filter_map(|line| line.strip_prefix("- ")).map(str::to_owned).collect(),
            rows,
        })
    }

    /// All records of a directory, the oldest first.
    pub(crate) fn all(directory: &Path) -> Result<Vec<Self>> {
        let entries = fs::read_dir(directory).with_context(|| format!("reading {}", directory.display()))?;
        let paths: std::io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
        let mut records =
            paths?.iter().filter(|path| path.is_dir()).map(|path| Self::read(path)).collect::<Result<Vec<_>>>()?;
        records.sort_by_key(|record| (record.named("Date").to_owned(), record.name.clone()));
        Ok(records)
    }

    /// The last record of a directory.
    pub(crate) fn newest(directory: &Path) -> Result<Self> {
        Self::all(directory)?.pop().with_context(|| format!("no record in {}", directory.display()))
    }

    /// A line of the head, empty where there is none.
    pub(crate) fn named(&self, name: &str) -> &str {
        self.head.get(name).map_or("", String::as_str)
    }

    /// The row of these names.
    pub(crate) fn find(&self, suite: &str, row: &str, engine: &str, peer: &str) -> Option<&Row> {
        self.rows.iter().find(|found| found.key() == (suite, row, engine, Some(peer)))
    }

    /// The names of a kind that rows of a suite have, in their order.
    pub(crate) fn names<'a>(&'a self, suite: &str, name: impl Fn(&'a Row) -> Option<&'a str>) -> Vec<&'a str> {
        let mut names = Vec::new();
        for found in self.rows.iter().filter(|row| row.suite == suite).filter_map(name) {
            if !names.contains(&found) {
                names.push(found);
            }
        }
        names
    }
}

/// Writes a record into a new directory below `directory` and returns its path.
pub(crate) fn write(directory: &Path, name: &str, table: &str, rows: &[Row], machine: &str) -> Result<PathBuf> {
    let path = directory.join(name);
    ensure!(!path.exists(), "{} is there already", path.display());
    let write = |file: &str, text: &str| {
        fs::write(path.join(file), text).with_context(|| format!("writing {}", path.join(file).display()))
    };
    fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
    write("table.md", table)?;
    write("rows.json", &(serde_json::to_string_pretty(rows)? + "\n"))?;
    write("machine.txt", machine)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first thing that is not as expected")]
    use super::*;

    #[test]
    fn the_records_of_the_repository_can_be_read() {
        let record = Record::newest(&directory()).unwrap();
        assert!(record.named("Machine").contains("CPUs") && record.named("Compiler").starts_with("rustc"));
        assert!(record.libraries.iter().any(|line| line.starts_with("libsecp256k1: ")));
        assert!(record.find("secp256k1", "ecdsa_verify", "portable", "libsecp256k1").unwrap().ratio.unwrap() > 0.0);
    }

    #[test]
    fn what_is_written_is_read_back_and_never_overwritten() {
        let directory = std::env::temp_dir().join(format!("windlass-bench-records-{}", std::process::id()));
        let row: Row = serde_json::from_str(
            r#"{"suite": "s", "row": "r", "engine": "e", "n": 3, "ours_ns": 1.5, "peer": "p", "peer_version": "1",
                "peer_ns": 3.0, "ratio": 2.0, "ratio_low": 1.9, "ratio_high": 2.1}"#,
        )
        .unwrap();
        let table =
            format!("Machine: one\nDate: 2026-12-01\n\n- p: package 1; built\n\n{TABLE_HEAD}\n{}\n", row.markdown());
        write(&directory, "old", &table.replace("2026", "2025"), &[], "").unwrap();
        write(&directory, "new", &table, &[row], "text").unwrap();
        assert!(write(&directory, "new", "", &[], "").is_err());
        let record = Record::newest(&directory).unwrap();
        assert_eq!((record.name.as_str(), record.named("Machine")), ("new", "one"));
        assert_eq!(record.libraries, ["p: package 1; built"]);
        assert_eq!(record.find("s", "r", "e", "p").unwrap().ratio, Some(2.0));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
