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

use anyhow::Result;
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
        Verb::Report(choice) => report::run(&choice),
        Verb::Compare { before, after } => compare::run(&before, &after),
    }
}
