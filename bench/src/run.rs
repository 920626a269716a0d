//! `run`: checks and times the rows that are asked for, prints a Markdown table, and writes what is asked for.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::gates::{self, Findings};
use crate::libraries::{peers, windlass::Windlass};
use crate::library::Library;
use crate::record::{self, Row};
use crate::rig::{self, Plan};
use crate::suites::{lanes, pipeline, secp256k1};
use crate::{clock, machine, statistics};

#[derive(Args)]
pub(crate) struct Choice {
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
    /// Write a record as well: a directory DATE-COMMIT below this one, `records` where none is named
    #[arg(long, num_args = 0..=1, default_missing_value = "")]
    record: Option<PathBuf>,
}

/// Is `name` asked for by an option that may be left out?
fn wanted(name: &str, option: &Option<String>) -> bool {
    option.as_ref().is_none_or(|part| name.contains(part.as_str()))
}

/// What is printed, kept for the record.
#[derive(Default)]
struct Printed(String);

impl Printed {
    fn line(&mut self, text: &str) {
        println!("{text}");
        self.0 += text;
        self.0 += "\n";
    }
}

pub(crate) fn run(choice: &Choice) -> Result<()> {
    let engines: Vec<&'static str> =
        windlass::engine::available().filter(|name| choice.engine.as_ref().is_none_or(|only| only == name)).collect();
    ensure!(!engines.is_empty(), "this machine has no such engine: {:?}", choice.engine);
    let peers = peers();
    let peers: Vec<&dyn Library> =
        peers.iter().map(Box::as_ref).filter(|peer| wanted(peer.name(), &choice.peer)).collect();
    let in_suite = |name: &str| choice.suite.as_ref().is_none_or(|suite| suite == name);
    let mut printed = Printed::default();
    head(&mut printed, &peers);
    let effort = if choice.seconds < 1.0 { gates::SHORT } else { gates::WHOLE };
    let findings = gates::examine(&gates::contestants(&peers, &engines), effort)?;
    let mut failed = 0;
    for name in findings.failed() {
        printed.line(&format!("{name}: FAILED, not timed: {}", findings.fault(name).unwrap_or_default()));
        failed += 1;
    }
    printed.line(&format!("Gates: {}\n", if failed == 0 { "passed by all" } else { "not passed by all" }));
    printed.line(record::TABLE_HEAD);

    let mut rows = Vec::new();
    let mut time = |plan: &Plan| -> Result<()> {
        let (measured, faults) = measure(plan, &findings, choice.seconds)?;
        measured.iter().for_each(|row| printed.line(&row.markdown()));
        for (name, fault) in &faults {
            printed.line(&format!("| {} | {} | {name} | FAILED: {fault} | | | | | |", plan.suite, plan.row));
        }
        rows.extend(measured);
        failed += faults.len();
        Ok(())
    };
    if in_suite(secp256k1::NAME) {
        for row in secp256k1::Row::ALL.iter().filter(|row| wanted(row.name(), &choice.row)) {
            time(&row.plan(&peers, &engines))?;
        }
    }
    if in_suite(lanes::NAME) {
        for plan in lanes::plans(&peers, &engines, |name| wanted(name, &choice.row)) {
            time(&plan)?;
        }
    }
    if in_suite(pipeline::NAME) {
        for row in pipeline::Row::ALL.iter().filter(|row| wanted(row.name(), &choice.row)) {
            time(&row.plan(&peers, &engines)?)?;
        }
    }
    ensure!(!rows.is_empty() || failed > 0, "no such row");
    if let Some(file) = &choice.json {
        let text = serde_json::to_string_pretty(&rows)?;
        std::fs::write(file, text + "\n").with_context(|| format!("writing {}", file.display()))?;
    }
    if let Some(directory) = &choice.record {
        let directory = if directory.as_os_str().is_empty() { record::directory() } else { directory.clone() };
        let path = record::write(&directory, &machine::record_name(), &printed.0, &rows, &machine::description())?;
        eprintln!("record: {}", path.display());
    }
    ensure!(failed == 0, "{failed} failed and were not timed: see the table");
    Ok(())
}

fn head(printed: &mut Printed, peers: &[&dyn Library]) {
    let machine = machine::machine(); // before the pin, which leaves one CPU to be seen
    let pinned =
        clock::pin_to_current_cpu().map_or_else(|| "not pinned".to_owned(), |cpu| format!("pinned to CPU {cpu}"));
    printed.line(&format!("Machine: {machine}; {pinned}"));
    printed.line(&format!("Compiler: {}", machine::compiler()));
    printed.line(&format!("Commit: {}", machine::commit()));
    printed.line(&format!("Date: {}", machine::date()));
    printed.line(&format!("Load: {} before the run", machine::load()));
    printed.line(&format!(
        "Seeds: inputs {:#x}, order {:#x}, resampling {:#x}\n",
        secp256k1::SEED,
        rig::SEED,
        statistics::SEED
    ));
    for library in std::iter::once(&(&Windlass as &dyn Library)).chain(peers) {
        let version = machine::locked_version(library.package());
        printed.line(&format!("- {}: {} {version}; {}", library.name(), library.package(), library.built()));
    }
    printed.line("\nTimes are medians over rounds of this thread's CPU time; ratio is peer ÷ windlass.\n");
}

/// Who failed in a row, with the fault.
type Faults = Vec<(String, String)>;

/// Checks a row and times who passes: the rows, an engine after the other, and who fails with the fault. Who failed a gate takes
/// no part.
fn measure(plan: &Plan, findings: &Findings, seconds: f64) -> Result<(Vec<Row>, Faults)> {
    let Plan { suite, row, inputs, expects, contenders } = plan;
    let faults = rig::faults(contenders, *expects)?;
    let (mut passed, mut failed) = (Vec::new(), Vec::new());
    for (contender, fault) in contenders.iter().zip(faults) {
        match fault {
            _ if findings.fault(&contender.name()).is_some() => {}
            Some(fault) => failed.push((contender.name(), fault)),
            None => passed.push(contender),
        }
    }
    let contenders = &passed;
    let figures = rig::measure(contenders, *inputs, seconds)?;
    let results = || contenders.iter().zip(&figures);

    let mut rows = Vec::new();
    for (engine, ours) in results().filter_map(|(contender, figures)| Some((contender.engine?, figures))) {
        let time = statistics::time(ours);
        let alone = Row {
            suite: (*suite).to_owned(),
            row: row.clone(),
            engine: engine.to_owned(),
            peer: None,
            peer_version: None,
            n: *inputs,
            rounds: Some(ours.len()),
            ours_ns: time.value,
            ours_low: Some(time.low),
            ours_high: Some(time.high),
            peer_ns: None,
            peer_low: None,
            peer_high: None,
            ratio: None,
            ratio_low: None,
            ratio_high: None,
        };
        let mut of_engine: Vec<Row> = results()
            .filter(|(contender, _)| contender.engine.is_none())
            .map(|(peer, theirs)| {
                let (time, ratio) = (statistics::time(theirs), statistics::ratio(ours, theirs));
                Row {
                    peer: Some(peer.library.to_owned()),
                    peer_version: Some(machine::locked_version(peer.package)),
                    peer_ns: Some(time.value),
                    peer_low: Some(time.low),
                    peer_high: Some(time.high),
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
        rows.extend(of_engine);
    }
    Ok((rows, failed))
}
