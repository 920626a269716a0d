//! `report`: what a record says, as Markdown tables or as README's figures.

mod markdown;
mod readme;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::record::{Record, directory};

#[derive(Args)]
pub(crate) struct Choice {
    /// Write the figures of the repository's README instead
    #[arg(long)]
    readme: bool,
    /// With --readme: change nothing, fail where the README differs
    #[arg(long, requires = "readme")]
    check: bool,
    /// This record instead of the newest one in `records`
    #[arg(long)]
    record: Option<PathBuf>,
}

pub(crate) fn run(choice: &Choice) -> Result<()> {
    let record = choice.record.as_ref().map_or_else(|| Record::newest(&directory()), |path| Record::read(path))?;
    if choice.readme {
        return readme::run(&record, choice.check);
    }
    print!("{}", markdown::tables(&record));
    Ok(())
}
