//! `run`: times windlass beside its peers and prints a Markdown table; see README.md for the method.

mod clock;
mod libraries;
mod library;
mod machine;
mod random;
mod report;
mod rig;
mod statistics;
mod suites;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser, Subcommand};

use crate::libraries::{peers, windlass::Windlass};
use crate::library::Library;
use crate::report::Row;
use crate::rig::Contender;
use crate::suites::secp256k1 as single;

/// Damaged inputs each library has to refuse before it is timed.
const SPOILED: usize = 16;

#[derive(Parser)]
#[command(about = "windlass beside its peers")]
struct Arguments {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Measure, and print a Markdown table
    Run(Choice),
}

#[derive(Args)]
struct Choice {
    /// Only this suite: secp256k1
    #[arg(long)]
    suite: Option<String>,
    /// Only rows whose name contains this
    #[arg(long)]
    row: Option<String>,
    /// Only peers whose name contains this
    #[arg(long)]
    peer: Option<String>,
    /// Only this engine; all that the machine can run when left out
    #[arg(long)]
    engine: Option<String>,
    /// Time for each row, all engines and peers together
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Write the rows here as well, as one JSON array
    #[arg(long)]
    json: Option<PathBuf>,
}

fn main() -> Result<()> {
    let Verb::Run(choice) = Arguments::parse().command;
    run(&choice)
}

/// Is `name` asked for by an option that may be left out?
fn wanted(name: &str, option: &Option<String>) -> bool {
    option.as_ref().is_none_or(|part| name.contains(part.as_str()))
}

fn run(choice: &Choice) -> Result<()> {
    let engines: Vec<&'static str> =
        windlass::engine::available().filter(|name| choice.engine.as_ref().is_none_or(|only| only == name)).collect();
    ensure!(!engines.is_empty(), "this machine has no such engine: {:?}", choice.engine);
    let peers: Vec<_> = peers().into_iter().filter(|peer| wanted(peer.name(), &choice.peer)).collect();
    head(&peers);

    let mut rows = Vec::new();
    if choice.suite.as_ref().is_none_or(|suite| suite == "secp256k1") {
        for &row in single::Row::ALL.iter().filter(|row| wanted(row.name(), &choice.row)) {
            rows.extend(secp256k1_row(row, &engines, &peers, choice.seconds)?);
        }
    }
    ensure!(!rows.is_empty(), "no such row");
    if let Some(file) = &choice.json {
        let text = serde_json::to_string_pretty(&rows)?;
        std::fs::write(file, text + "\n").with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

fn head(peers: &[Box<dyn Library>]) {
    let machine = machine::machine();
    let pinned =
        clock::pin_to_current_cpu().map_or_else(|| "not pinned".to_owned(), |cpu| format!("pinned to CPU {cpu}"));
    println!("Machine: {machine}; {pinned}\nCompiler: {}", machine::compiler());
    println!("Commit: {}\nDate: {}\n", machine::commit(), machine::date());
    for library in std::iter::once(&(Box::new(Windlass) as Box<dyn Library>)).chain(peers) {
        let version = machine::locked_version(library.package());
        println!("- {}: {} {version}; {}", library.name(), library.package(), library.built());
    }
    println!("\nTimes are medians over rounds of this thread's CPU time; ratio is peer ÷ windlass.\n");
    println!("{}", report::TABLE_HEAD);
}

fn secp256k1_row(
    row: single::Row,
    engines: &[&'static str],
    peers: &[Box<dyn Library>],
    seconds: f64,
) -> Result<Vec<Row>> {
    let cases = row.cases();
    let spoiled: Vec<_> = cases.iter().take(SPOILED).enumerate().map(|(i, case)| row.spoil(case, i)).collect();
    let contender = |library: &dyn Library, engine: Option<&'static str>| {
        let name = engine.map_or_else(|| library.name().to_owned(), |engine| format!("{} ({engine})", library.name()));
        Some(Contender { name, engine, job: library.job(row, &cases)?, spoiled: library.job(row, &spoiled)? })
    };
    let runs = |library: &&dyn Library| library.job(row, &[]).is_some();
    let peers: Vec<&dyn Library> = peers.iter().map(Box::as_ref).filter(runs).collect();
    // Peers first: their answers are what windlass is held against.
    let theirs = peers.iter().filter_map(|peer| contender(*peer, None));
    let contenders: Vec<_> =
        theirs.chain(engines.iter().filter_map(|engine| contender(&Windlass, Some(engine)))).collect();
    rig::check(&contenders, row.refuses()).with_context(|| format!("row {}", row.name()))?;
    let figures = rig::measure(&contenders, cases.len(), seconds)?;

    let mut rows = Vec::new();
    for (engine, ours) in engines.iter().zip(&figures[peers.len()..]) {
        let alone = Row {
            suite: "secp256k1",
            row: row.name(),
            engine,
            peer: None,
            peer_version: None,
            n: cases.len(),
            ours_ns: statistics::median(ours),
            peer_ns: None,
            ratio: None,
            ratio_low: None,
            ratio_high: None,
        };
        let beside = |(peer, theirs): (&&dyn Library, &Vec<f64>)| {
            let ratio = statistics::ratio(ours, theirs);
            Row {
                peer: Some(peer.name()),
                peer_version: Some(machine::locked_version(peer.package())),
                peer_ns: Some(statistics::median(theirs)),
                ratio: Some(ratio.value),
                ratio_low: Some(ratio.low),
                ratio_high: Some(ratio.high),
                ..alone.clone()
            }
        };
        let of_engine: Vec<Row> = peers.iter().zip(&figures).map(beside).collect();
        let of_engine = if of_engine.is_empty() { vec![alone.clone()] } else { of_engine };
        of_engine.iter().for_each(|row| println!("{}", row.markdown(ours.len())));
        rows.extend(of_engine);
    }
    Ok(rows)
}
