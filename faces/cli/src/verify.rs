//! `windlass verify`: every row of some files, with its verdict.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use windlass::{LowS, engine};

use crate::chunks::{Chunks, Grammar, Header};
use crate::csv::{ColumnName, Columns, CsvCheck, Encoding, HybridKeys, Rules, Scheme};
use crate::detect::{Format, detect};
use crate::ethereum::EthereumCheck;
use crate::failure::Failure;
use crate::input::{Input, Source};
use crate::nostr::{NostrCheck, Windlass};
use crate::pipeline::{self, ChunkReport, Counts, Fault, Options, Stopped};
use crate::progress::Progress;
use crate::report::{RowFormat, Summary};
use crate::row::RowCheck;
use crate::{exit, threads};

/// Verify every row of some files
#[derive(Debug, clap::Args)]
#[command(after_long_help = HELP)]
pub struct Args {
    /// Files to verify, gzip or not; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// What the rows are; detected from the first rows when left out
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// How many threads check rows [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads::parse)]
    threads: Option<NonZeroUsize>,

    /// Write one JSON line a row to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,

    /// Write the summary as JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Accept s in the upper half (ethereum, csv with ECDSA)
    #[arg(long)]
    allow_high_s: bool,

    /// csv: the column that holds pubkey, signature, digest or message has this header
    #[arg(long, value_name = "NAME=HEADER")]
    column: Vec<ColumnName>,

    /// csv: what the signatures are [default: ecdsa-secp256k1]
    #[arg(long, value_enum)]
    scheme: Option<Scheme>,

    /// csv: how signatures are written [default: der for ECDSA, compact (64 bytes) for Schnorr]
    #[arg(long, value_enum)]
    encoding: Option<Encoding>,

    /// csv: accept hybrid public keys (prefix 06 or 07)
    #[arg(long)]
    allow_hybrid: bool,
}

const HELP: &str = "\
Rows are counted from 1 in each file; blank lines and the header of a csv file are not rows. A row that can't be
read (not the format's syntax, a field missing or of the wrong length, more than 16 MiB) is malformed; one that can
be read and does not hold is invalid. Neither stops the run.

--rows writes {\"row\",\"verdict\",\"reason\"} for each row, in order: \"reason\" is null for a valid row; \"sender\" is there
where one was recovered, and \"file\" where several files are given.
--json writes {\"rows\",\"valid\",\"invalid\",\"malformed\",\"seconds\",\"rows_per_second\",\"engine\",\"threads\"}.

Exit code: 0 all rows valid (an empty file has none), 1 some row not valid, 2 unreadable input or bad usage,
130 interrupted.

Examples:
  windlass verify events.jsonl
  zcat events.jsonl.gz | windlass verify - --format nostr --json summary.json
  windlass verify transactions.jsonl.gz --rows verdicts.jsonl
  windlass verify signatures.csv --column signature=sig_der --column digest=sighash --allow-high-s
  windlass verify schnorr.csv --scheme schnorr-secp256k1";

/// Most rows that the summary lists.
const LISTED_FAULTS: usize = 10;

/// Runs it. `interrupted` is raised by Ctrl-C. The exit code.
pub fn run(args: &Args, interrupted: &AtomicBool) -> Result<u8, Failure> {
    let sources: Vec<Source> = args.files.iter().map(|path| Source::from_argument(path)).collect();
    check_usage(args, &sources)?;
    let threads = args.threads.unwrap_or_else(threads::one_a_core);
    let position = Arc::new(AtomicU64::new(0));
    let total = sources.iter().map(Source::size).try_fold(0u64, |sum, size| Some(sum + size?));
    // What can't be read as asked is told before an output is written over. Of pipes, which give what they hold once, only the
    // first can be looked at: another may not even be opened before the first is read.
    let mut plans = Vec::new();
    for (i, source) in sources.iter().enumerate() {
        let can_look = i == 0 || source.size().is_some();
        plans.push(if can_look { Some(Plan::of(args, source, &position)?) } else { None });
    }
    // Both before the first row: a run of hours that can't say what it found is no use.
    let rows = args.rows.as_deref().map(open_output).transpose()?;
    let json = args.json.as_deref().map(open_output).transpose()?;
    let mut run = Run {
        args,
        threads,
        interrupted,
        rows,
        counts: Counts::default(),
        faults: Vec::new(),
        progress: Progress::new(total, Arc::clone(&position)),
        several: sources.len() > 1,
    };
    let start = Instant::now();
    let mut end = Ok(());
    for (source, plan) in sources.iter().zip(plans) {
        end = run.file(source, plan, &position);
        if end.is_err() {
            break;
        }
    }
    run.progress.finish();
    let interrupted = match end {
        Err(Ended::Failed(failure)) => return Err(failure),
        Err(Ended::Interrupted) => true,
        Ok(()) => false,
    };
    if let Some(rows) = &mut run.rows {
        rows.flush().map_err(|e| Failure::writing("the rows", &e))?;
    }
    let summary = Summary::new(run.counts, start.elapsed(), engine::name(), threads.get());
    if interrupted {
        let mut err = io::stderr().lock();
        let _ = writeln!(err, "windlass: interrupted; so far:");
        let _ = summary.write_text(&run.faults, &mut err);
        return Ok(exit::INTERRUPTED);
    }
    write_summary(args, json, &summary, &run.faults)?;
    Ok(if summary.valid == summary.rows { exit::ALL_VALID } else { exit::SOME_NOT_VALID })
}

fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn open_output(path: &Path) -> Result<Box<dyn Write>, Failure> {
    if is_stdout(path) {
        return Ok(Box::new(BufWriter::new(io::stdout())));
    }
    let file = File::create(path).map_err(|e| Failure::writing(&path.display().to_string(), &e))?;
    Ok(Box::new(BufWriter::new(file)))
}

fn write_summary(
    args: &Args,
    json: Option<Box<dyn Write>>,
    summary: &Summary,
    faults: &[(Option<String>, Fault)],
) -> Result<(), Failure> {
    let stdout_taken = [&args.rows, &args.json].into_iter().flatten().any(|path| is_stdout(path));
    if stdout_taken {
        // Nobody to tell if standard error is closed.
        let _ = summary.write_text(faults, &mut io::stderr().lock());
    } else {
        summary.write_text(faults, &mut io::stdout().lock()).map_err(|e| Failure::writing("the summary", &e))?;
    }
    if let (Some(path), Some(mut out)) = (&args.json, json) {
        let what = format!("the summary to {}", path.display());
        summary.write_json(&mut out).map_err(|e| Failure::writing(&what, &e))?;
    }
    Ok(())
}

/// Are the two one file, whatever they are called? Files that are not there yet are told apart by directory and name.
fn is_same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (std::fs::metadata(a), std::fs::metadata(b)) {
        use std::os::unix::fs::MetadataExt as _;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    resolved(a).is_some_and(|a| Some(a) == resolved(b))
}

/// The path without links and dots; its last part need not exist.
fn resolved(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(directory.canonicalize().ok()?.join(path.file_name()?))
    })
}

/// What can be said before anything is read or written over.
fn check_usage(args: &Args, sources: &[Source]) -> Result<(), Failure> {
    if sources.iter().filter(|source| **source == Source::Stdin).count() > 1 {
        return Err(Failure::new("standard input (`-`) is given twice"));
    }
    for source in sources {
        source.probe()?;
    }
    for (flag, path) in [("--rows", &args.rows), ("--json", &args.json)] {
        // Only what exists can be an input too; a device may be both.
        let Some(path) = path.as_ref().filter(|path| !is_stdout(path) && path.is_file()) else { continue };
        if sources.iter().any(|source| is_same_file(source.place(), path)) {
            return Err(Failure::new(format!("{flag} would overwrite the input {}", path.display())));
        }
    }
    let one =
        |rows: &Path, json: &Path| rows == json || (!is_stdout(rows) && !is_stdout(json) && is_same_file(rows, json));
    if args.rows.as_deref().zip(args.json.as_deref()).is_some_and(|(rows, json)| one(rows, json)) {
        return Err(Failure::new("--rows and --json name the same output"));
    }
    match args.format {
        Some(format) => check_flags(args, format),
        None => Ok(()),
    }
}

/// Flags that mean nothing for this format: the user expects something of them that would not happen.
fn check_flags(args: &Args, format: Format) -> Result<(), Failure> {
    let csv_only = [
        ("--column", !args.column.is_empty()),
        ("--scheme", args.scheme.is_some()),
        ("--encoding", args.encoding.is_some()),
        ("--allow-hybrid", args.allow_hybrid),
    ];
    let schnorr = args.scheme == Some(Scheme::SchnorrSecp256k1);
    let named = format.name();
    if let (true, Some((flag, _))) = (format != Format::Csv, csv_only.iter().find(|(_, given)| *given)) {
        return Err(Failure::new(format!("{flag} is for csv, and the rows are {named}")));
    }
    if args.allow_high_s && (format == Format::Nostr || schnorr) {
        return Err(Failure::new("--allow-high-s is for ECDSA: Schnorr signatures have no second s"));
    }
    if schnorr && matches!(args.encoding, Some(Encoding::Der | Encoding::DerLax)) {
        return Err(Failure::new("Schnorr signatures are 64 bytes: --encoding compact, or leave it out"));
    }
    if schnorr && args.allow_hybrid {
        return Err(Failure::new("--allow-hybrid is for ECDSA: Schnorr keys are x-only"));
    }
    Ok(())
}

/// Why a file was not read to its end.
enum Ended {
    Failed(Failure),
    Interrupted,
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Ended::Failed(failure)
    }
}

/// One run over all files.
struct Run<'a> {
    args: &'a Args,
    threads: NonZeroUsize,
    interrupted: &'a AtomicBool,
    rows: Option<Box<dyn Write>>,
    counts: Counts,
    faults: Vec<(Option<String>, Fault)>,
    progress: Progress,
    several: bool,
}

/// How a file is read.
struct Plan {
    /// `None` for a file without rows.
    format: Option<Format>,
    /// Those of a csv file that has a header.
    columns: Option<Columns>,
    /// Its rows, where it can't be opened again.
    chunks: Option<Chunks<Input>>,
}

impl Plan {
    /// Opens a file and looks at its beginning: its format, whether the flags are for that, its header.
    fn of(args: &Args, source: &Source, position: &Arc<AtomicU64>) -> Result<Self, Failure> {
        let can_open_again = source.size().is_some();
        let mut input = if can_open_again { source.open(&Arc::default())? } else { source.open(position)? };
        let format = match args.format {
            Some(format) => Some(format),
            None => detect(&mut input, source)?,
        };
        if let (Some(format), None) = (format, args.format) {
            check_flags(args, format)?;
        }
        let (chunks, header) = chunks(source, input, format)?;
        let columns = if header.is_empty() { None } else { Some(Columns::from_header(&header, &args.column)) };
        let columns = columns.transpose().map_err(|e| Failure::new(format!("{}: {e}", source.name())))?;
        Ok(Self { format, columns, chunks: (!can_open_again).then_some(chunks) })
    }
}

/// The rows of an opened file, and the header that was taken off: empty where there is none.
fn chunks(source: &Source, input: Input, format: Option<Format>) -> Result<(Chunks<Input>, Vec<u8>), Failure> {
    let supply = input.supply();
    if format != Some(Format::Csv) {
        return Ok((Chunks::new(input, Grammar::Lines).supplied(supply), Vec::new()));
    }
    let mut chunks = Chunks::new(input, Grammar::Csv).supplied(supply);
    match chunks.header().map_err(|e| source.failure(&e))? {
        Header::Text(header) => Ok((chunks, header)),
        Header::Missing => Ok((chunks, Vec::new())),
        Header::Unreadable => Err(Failure::new(format!("{}: the header can't be read", source.name()))),
    }
}

impl Run<'_> {
    fn file(&mut self, source: &Source, plan: Option<Plan>, position: &Arc<AtomicU64>) -> Result<(), Ended> {
        let plan = match plan {
            Some(plan) => plan,
            None => Plan::of(self.args, source, position)?,
        };
        let chunks = match plan.chunks {
            Some(chunks) => chunks,
            None => chunks(source, source.open(position)?, plan.format)?.0,
        };
        let rows_before = self.counts.rows();
        let low_s = if self.args.allow_high_s { LowS::Accepted } else { LowS::Required };
        match (plan.format, plan.columns) {
            (Some(Format::Nostr), _) => self.check(source, chunks, NostrCheck::new(Windlass))?,
            (Some(Format::Ethereum), _) => self.check(source, chunks, EthereumCheck::new(Windlass, low_s))?,
            (Some(Format::Csv), Some(columns)) => {
                self.check(source, chunks, CsvCheck::new(columns, self.csv_rules(low_s)))?;
            }
            (Some(Format::Csv), None) | (None, _) => {}
        }
        if self.counts.rows() == rows_before {
            self.note_empty(source);
        }
        Ok(())
    }

    fn csv_rules(&self, low_s: LowS) -> Rules {
        match self.args.scheme.unwrap_or_default() {
            Scheme::SchnorrSecp256k1 => Rules::Schnorr,
            Scheme::EcdsaSecp256k1 => Rules::Ecdsa {
                encoding: self.args.encoding.unwrap_or(Encoding::Der),
                low_s,
                hybrid: if self.args.allow_hybrid { HybridKeys::Accepted } else { HybridKeys::Refused },
            },
        }
    }

    fn note_empty(&self, source: &Source) {
        self.progress.note(&format!("{}: no rows", source.name()));
    }

    fn check<C>(&mut self, source: &Source, chunks: Chunks<Input>, check: C) -> Result<(), Ended>
    where
        C: RowCheck + Send + Sync + 'static,
    {
        let rows_before = self.counts.rows();
        let name = self.several.then(|| source.name());
        let format = name.as_deref().map_or_else(RowFormat::default, RowFormat::with_file);
        let options =
            Options { threads: self.threads, rows: self.rows.is_some().then_some(format), faults: LISTED_FAULTS };
        let sink = |report: &ChunkReport| -> io::Result<()> {
            self.counts.add(report.counts);
            let room = LISTED_FAULTS - self.faults.len();
            self.faults.extend(report.faults.iter().take(room).map(|fault| (name.clone(), fault.clone())));
            if let Some(rows) = &mut self.rows {
                rows.write_all(&report.rows)?;
            }
            self.progress.rows(self.counts.rows());
            Ok(())
        };
        let end = pipeline::run(chunks, &Arc::new(check), &options, self.interrupted, sink);
        match end {
            Ok(_) => Ok(()),
            Err(Stopped::Read(e)) => {
                let rows = self.counts.rows() - rows_before;
                Err(Failure::new(format!("{} (after {rows} rows)", source.failure(&e))).into())
            }
            Err(Stopped::Sink(e)) => Err(Failure::writing("the rows", &e).into()),
            Err(Stopped::Threads(e)) => Err(Failure::new(format!("cannot start a thread: {e}")).into()),
            Err(Stopped::WorkerDied) => Err(Failure::new("a worker died: this is a fault of windlass").into()),
            Err(Stopped::Interrupted) => Err(Ended::Interrupted),
        }
    }
}
