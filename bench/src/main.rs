//! windlass beside its peers: `run` checks and times, `report` and `compare` show what was measured. See README.md for the method.

mod clock;
mod compare;
mod gates;
mod libraries;
mod library;
mod machine;
mod random;
mod record;
mod report;
mod rig;
mod run;
mod statistics;
mod suites;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "windlass beside its peers")]
struct Arguments {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Check, measure, and print a Markdown table
    Run(run::Choice),
    /// Let every library pass the correctness gates, without a clock
    Gates,
    /// Count operations and instructions: `cargo xtask counts`
    Counts {
        /// Fail where a figure has grown since bench/counts.json was written
        #[arg(long)]
        check: bool,
    },
    /// Print tables of the newest record, or write README's figures
    Report(report::Choice),
    /// Print what differs between two records
    Compare {
        /// A record's directory, or a file of `run --json`
        before: PathBuf,
        /// The same
        after: PathBuf,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Verb::Run(choice) => run::run(&choice),
        Verb::Gates => gates::run(),
        Verb::Counts { check } => counts(check),
        Verb::Report(choice) => report::run(&choice),
        Verb::Compare { before, after } => compare::run(&before, &after),
    }
}

/// The counting program belongs to the library's workspace: it needs a build of its own and none of the peers here.
fn counts(check: bool) -> Result<()> {
    let mut cargo = std::process::Command::new("cargo");
    cargo.args(["xtask", "counts"]).args(check.then_some("--check"));
    let status = cargo.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).status().context("starting cargo")?;
    ensure!(status.success(), "cargo xtask counts: {status}");
    Ok(())
}
