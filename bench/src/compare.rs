//! `compare A B`: windlass' times and the ratios of two records, row by row.
//!
//! A row counts as changed where the intervals of the ratio don't meet: the ratio, as a machine that is busy or clocked lower
//! slows both sides. Rows without a peer are held against each other by time, with their own intervals.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::record::{Record, Row, micro};

/// Do two intervals have no figure in common? False where one isn't known.
fn apart(a: [Option<f64>; 2], b: [Option<f64>; 2]) -> bool {
    match (a, b) {
        ([Some(a_low), Some(a_high)], [Some(b_low), Some(b_high)]) => a_high < b_low || b_high < a_low,
        _ => false,
    }
}

fn changed(before: &Row, after: &Row) -> bool {
    let interval = |row: &Row| {
        if row.ratio.is_some() { [row.ratio_low, row.ratio_high] } else { [row.ours_low, row.ours_high] }
    };
    apart(interval(before), interval(after))
}

fn ratio(row: &Row) -> String {
    match (row.ratio, row.ratio_low, row.ratio_high) {
        (Some(ratio), Some(low), Some(high)) => format!("{ratio:.2} ({low:.2}–{high:.2})"),
        _ => "–".to_owned(),
    }
}

fn line(before: &Row, after: &Row) -> String {
    let change = 100.0 * (after.ours_ns / before.ours_ns - 1.0);
    let verdict = match changed(before, after) {
        false => "",
        // The peer's time stands above the ratio's line, windlass' below; without a peer there is only windlass' own.
        true if after.ratio.zip(before.ratio).map_or(change < 0.0, |(after, before)| after > before) => "faster",
        true => "slower",
    };
    format!(
        "| {} | {} | {} | {} | {} | {change:+.1} % | {} | {} | {} | {verdict} |",
        before.suite,
        before.row,
        before.engine,
        micro(before.ours_ns),
        micro(after.ours_ns),
        before.peer.as_deref().unwrap_or("–"),
        ratio(before),
        ratio(after),
    )
}

/// The comparison as Markdown.
pub(crate) fn markdown(before: &Record, after: &Record) -> String {
    let pairs: Vec<(&Row, &Row)> = before
        .rows
        .iter()
        .filter_map(|row| Some((row, after.rows.iter().find(|other| other.key() == row.key())?)))
        .collect();
    let mut text = format!("before: {}, {}\n", before.name, before.named("Machine"));
    text += &format!("after: {}, {}\n\n", after.name, after.named("Machine"));
    text += "| suite | row | engine | before µs | after µs | change | peer | ratio before | ratio after | |\n";
    text += "|---|---|---|---:|---:|---:|---|---:|---:|---|\n";
    for (before, after) in &pairs {
        text += &line(before, after);
        text += "\n";
    }
    let count = pairs.iter().filter(|(before, after)| changed(before, after)).count();
    text + &format!(
        "\n{} rows in both, {count} changed by more than their intervals; {} only before, {} only after.\n",
        pairs.len(),
        before.rows.len() - pairs.len(),
        after.rows.len() - pairs.len()
    )
}

pub(crate) fn run(before: &Path, after: &Path) -> Result<()> {
    let (before, after) = (Record::read(before)?, Record::read(after)?);
    ensure!(!before.rows.is_empty() && !after.rows.is_empty(), "a record without rows");
    print!("{}", markdown(&before, &after));
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first thing that is not as expected")]
    use super::*;

    fn record(rows: &str) -> Record {
        let rows = serde_json::from_str(rows).unwrap();
        Record { name: "one".to_owned(), head: Default::default(), libraries: Vec::new(), rows }
    }

    #[test]
    fn only_intervals_apart_are_a_change() {
        let row = |name: &str, ours: f64, ratio: f64| {
            format!(
                r#"{{"suite": "s", "row": "{name}", "engine": "adx", "peer": "p", "n": 1, "ours_ns": {ours}, "peer_ns": 1,
                    "ratio": {ratio}, "ratio_low": {}, "ratio_high": {}}}"#,
                ratio - 0.1,
                ratio + 0.1
            )
        };
        let before =
            record(&format!("[{}, {}, {}]", row("a", 2000.0, 2.0), row("b", 2000.0, 2.0), row("gone", 1.0, 1.0)));
        let after = record(&format!("[{}, {}]", row("a", 1000.0, 4.0), row("b", 1900.0, 2.1)));
        let text = markdown(&before, &after);
        assert!(
            text.contains("| s | a | adx | 2.00 | 1.00 | -50.0 % | p | 2.00 (1.90–2.10) | 4.00 (3.90–4.10) | faster |")
        );
        assert!(text.contains("| 2.00 (1.90–2.10) | 2.10 (2.00–2.20) |  |"));
        assert!(
            text.ends_with("2 rows in both, 1 changed by more than their intervals; 1 only before, 0 only after.\n")
        );
    }
}
