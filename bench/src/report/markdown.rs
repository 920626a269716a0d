//! A table a suite: an operation a line, the engines' times and those of every peer, how many times faster.

use crate::record::{Record, Row, micro};

/// peer ÷ windlass with its interval.
pub(super) fn ratio(row: &Row) -> String {
    match (row.ratio, row.ratio_low, row.ratio_high) {
        (Some(ratio), Some(low), Some(high)) => format!("{ratio:.2} ({low:.2}–{high:.2})"),
        _ => "–".to_owned(),
    }
}

/// The suites of a record, in their order.
pub(super) fn suites(record: &Record) -> Vec<&str> {
    let mut suites: Vec<&str> = Vec::new();
    for row in &record.rows {
        if !suites.contains(&row.suite.as_str()) {
            suites.push(&row.suite);
        }
    }
    suites
}

/// A line of Markdown's table.
fn line(cells: impl IntoIterator<Item = String>) -> String {
    format!("| {} |\n", cells.into_iter().collect::<Vec<_>>().join(" | "))
}

/// The table of a suite: a line for each row and peer, a column of times and one of ratios for each engine.
pub(super) fn suite(record: &Record, suite: &str) -> String {
    let engines = record.names(suite, |row| Some(&row.engine));
    let mut text = line(
        ["operation".to_owned()]
            .into_iter()
            .chain(engines.iter().map(|engine| format!("{engine}, µs")))
            .chain(["peer".to_owned(), "peer, µs".to_owned()])
            .chain(engines.iter().map(|engine| format!("times faster: {engine}"))),
    );
    let right = |count: usize| "---:|".repeat(count);
    text += &format!("|---|{}---|---:|{}\n", right(engines.len()), right(engines.len()));
    let mut seen: Vec<(&str, Option<&str>)> = Vec::new();
    for row in record.rows.iter().filter(|row| row.suite == suite) {
        let key = (row.row.as_str(), row.peer.as_deref());
        if seen.contains(&key) {
            continue;
        }
        let first = !seen.iter().any(|(name, _)| *name == key.0);
        seen.push(key);
        let of_engine = |engine: &&str| record.rows.iter().find(|found| found.key() == (suite, key.0, *engine, key.1));
        let rows: Vec<Option<&Row>> = engines.iter().map(of_engine).collect();
        let time = |row: &Option<&Row>| match row {
            Some(row) if first => micro(row.ours_ns),
            _ => String::new(),
        };
        text += &line(
            [if first { format!("`{}`", row.row) } else { String::new() }]
                .into_iter()
                .chain(rows.iter().map(time))
                .chain([row.peer.clone().unwrap_or("–".to_owned()), row.peer_ns.map_or("–".to_owned(), micro)])
                .chain(rows.iter().map(|row| row.map_or(String::new(), ratio))),
        );
    }
    text
}

/// Head, libraries and a table for every suite.
pub(super) fn tables(record: &Record) -> String {
    let mut text = format!("# {}\n\n", record.name);
    for name in ["Machine", "Compiler", "Commit", "Date", "Load", "Links"] {
        if !record.named(name).is_empty() {
            text += &format!("- {name}: {}\n", record.named(name));
        }
    }
    text += "\nLibraries:\n\n";
    record.libraries.iter().for_each(|library| text += &format!("- {library}\n"));
    for name in suites(record) {
        text += &format!("\n## {name}\n\n{}", suite(record, name));
    }
    text + "\nMicroseconds of thread CPU time an operation; times faster is peer ÷ windlass with a 95 % interval.\n"
}
