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
use crate::rig::Plan;
use crate::suites::{lanes, pipeline, secp256k1};

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
    /// Only this suite: secp256k1, lanes or pipeline
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
    let peers = peers();
    let peers: Vec<&dyn Library> =
        peers.iter().map(Box::as_ref).filter(|peer| wanted(peer.name(), &choice.peer)).collect();
    let in_suite = |name: &str| choice.suite.as_ref().is_none_or(|suite| suite == name);
    head(&peers);

    let mut rows = Vec::new();
    if in_suite(secp256k1::NAME) {
        for row in secp256k1::Row::ALL.iter().filter(|row| wanted(row.name(), &choice.row)) {
            rows.extend(measure(&row.plan(&peers, &engines), choice.seconds)?);
        }
    }
    if in_suite(lanes::NAME) {
        for plan in lanes::plans(&peers, &engines, |name| wanted(name, &choice.row)) {
            rows.extend(measure(&plan, choice.seconds)?);
        }
    }
    if in_suite(pipeline::NAME) {
        for row in pipeline::Row::ALL.iter().filter(|row| wanted(row.name(), &choice.row)) {
            rows.extend(measure(&row.plan(&peers, &engines)?, choice.seconds)?);
        }
    }
    ensure!(!rows.is_empty(), "no such row");
    if let Some(file) = &choice.json {
        let text = serde_json::to_string_pretty(&rows)?;
        std::fs::write(file, text + "\n").with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

fn head(peers: &[&dyn Library]) {
    let machine = machine::machine();
    let pinned =
        clock::pin_to_current_cpu().map_or_else(|| "not pinned".to_owned(), |cpu| format!("pinned to CPU {cpu}"));
    println!("Machine: {machine}; {pinned}\nCompiler: {}", machine::compiler());
    println!("Commit: {}\nDate: {}\n", machine::commit(), machine::date());
    for library in std::iter::once(&(&Windlass as &dyn Library)).chain(peers) {
        let version = machine::locked_version(library.package());
        println!("- {}: {} {version}; {}", library.name(), library.package(), library.built());
    }
    println!("\nTimes are medians over rounds of this thread's CPU time; ratio is peer ÷ windlass.\n");
    println!("{}", report::TABLE_HEAD);
}

/// Checks a row, times it, prints its lines of the table.
fn measure(plan: &Plan, seconds: f64) -> Result<Vec<Row>> {
    let Plan { suite, row, inputs, expects, contenders } = plan;
    rig::check(contenders, *expects).with_context(|| format!("row {row}"))?;
    let figures = rig::measure(contenders, *inputs, seconds)?;
    let results = || contenders.iter().zip(&figures);

    let mut rows = Vec::new();
    for (engine, ours) in results().filter_map(|(contender, figures)| Some((contender.engine?, figures))) {
        let alone = Row {
            suite,
            row: row.clone(),
            engine,
            peer: None,
            peer_version: None,
            n: *inputs,
            ours_ns: statistics::median(ours),
            peer_ns: None,
            ratio: None,
            ratio_low: None,
            ratio_high: None,
        };
        let mut of_engine: Vec<Row> = results()
            .filter(|(contender, _)| contender.engine.is_none())
            .map(|(peer, theirs)| {
                let ratio = statistics::ratio(ours, theirs);
                Row {
                    peer: Some(peer.library),
                    peer_version: Some(machine::locked_version(peer.package)),
                    peer_ns: Some(statistics::median(theirs)),
                    ratio: Some(ratio.value),
                    ratio_low: Some(ratio.low),
                    ratio_high: Some(ratio.high),
                    ..alone.clone()
                }
            })
            .collect();
        if of_engine.is_empty() {
            of_engine.push(alone);
        }
        of_engine.iter().for_each(|row| println!("{}", row.markdown(ours.len())));
        rows.extend(of_engine);
    }
    Ok(rows)
}
