//! The verification loop: one thread reads chunks of rows, workers check them, the caller gets the reports in
//! the order of the input.
//!
//! Memory is bounded whatever the input: there are four chunks a worker, which are used again, and at most
//! 32 MiB of text between the reader and the caller (one chunk may be larger alone). With one
//! thread the caller's own does everything.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use crate::chunks::{Chunk, Chunks, ROW_BYTES, Row};
use crate::report;
use crate::row::{Outcome, RowCheck, Verdict};

const BYTES_IN_FLIGHT: usize = 32 << 20;
const CHUNKS_A_WORKER: usize = 4;

/// How many rows of each verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Rows that hold.
    pub valid: u64,
    /// Rows that could be read and don't hold.
    pub invalid: u64,
    /// Rows that could not be read.
    pub malformed: u64,
}

impl Counts {
    /// All rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.valid + self.invalid + self.malformed
    }

    fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Valid => self.valid += 1,
            Verdict::Invalid => self.invalid += 1,
            Verdict::Malformed => self.malformed += 1,
        }
    }

    /// Adds those of another part.
    pub fn add(&mut self, other: Counts) {
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.malformed += other.malformed;
    }
}

/// A row that is not valid, for the summary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The row's number, from 1.
    pub row: u64,
    /// Invalid or malformed.
    pub verdict: Verdict,
    /// Why.
    pub reason: Cow<'static, str>,
}

/// What became of one chunk.
#[derive(Debug, Default)]
pub struct ChunkReport {
    /// The verdicts counted.
    pub counts: Counts,
    /// The first rows that are not valid, at most [`Options::faults`] of them.
    pub faults: Vec<Fault>,
    /// One JSON line a row, where [`Options::rows`] asks for them.
    pub rows: Vec<u8>,
    chunk: Chunk,
}

/// How the loop runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many threads check rows.
    pub threads: NonZeroUsize,
    /// Write a JSON line for each row?
    pub rows: Option<report::RowFormat>,
    /// How many faults to name per chunk.
    pub faults: usize,
}

impl Options {
    /// With this many threads, counting only.
    #[must_use]
    pub fn counting(threads: NonZeroUsize) -> Self {
        Self { threads, rows: None, faults: 0 }
    }
}

/// Why the loop ended early.
#[derive(Debug)]
pub enum Stopped<E> {
    /// Reading failed.
    Read(io::Error),
    /// The caller's sink failed.
    Sink(E),
    /// The system gave no thread.
    Threads(io::Error),
    /// The flag was raised (Ctrl-C).
    Interrupted,
    /// A worker died: a fault of this program.
    WorkerDied,
}

/// Checks every row and gives the reports to `sink` in order. Stops when `stop` is raised.
pub fn run<R, C, E>(
    mut chunks: Chunks<R>,
    check: &Arc<C>,
    options: &Options,
    stop: &AtomicBool,
    mut sink: impl FnMut(&ChunkReport) -> Result<(), E>,
) -> Result<Counts, Stopped<E>>
where
    R: Read + Send + 'static,
    C: RowCheck + Send + Sync + 'static,
{
    if options.threads.get() > 1 {
        return run_threads(chunks, check, options, stop, sink);
    }
    let mut counts = Counts::default();
    let mut scratch = C::Scratch::default();
    let mut report = ChunkReport::default();
    while chunks.fill(&mut report.chunk).map_err(Stopped::Read)? {
        check_chunk(check.as_ref(), &mut scratch, &mut report, options);
        counts.add(report.counts);
        sink(&report).map_err(Stopped::Sink)?;
        if stop.load(Ordering::Relaxed) {
            return Err(Stopped::Interrupted);
        }
    }
    Ok(counts)
}

enum Message {
    Report(Box<ChunkReport>),
    /// The reader is through: so many chunks, and why it stopped if not at the end.
    End(u64, Option<io::Error>),
    WorkerDied,
}

fn run_threads<R, C, E>(
    chunks: Chunks<R>,
    check: &Arc<C>,
    options: &Options,
    stop: &AtomicBool,
    mut sink: impl FnMut(&ChunkReport) -> Result<(), E>,
) -> Result<Counts, Stopped<E>>
where
    R: Read + Send + 'static,
    C: RowCheck + Send + Sync + 'static,
{
    let in_flight = options.threads.get() * CHUNKS_A_WORKER;
    let (give_back, free) = unbounded::<Box<ChunkReport>>();
    let (to_workers, work) = bounded::<Box<ChunkReport>>(in_flight);
    let (to_caller, results) = unbounded::<Message>();
    for _ in 0..in_flight {
        // The receiver lives: nothing can fail here.
        let _ = give_back.send(Box::default());
    }
    let budget = Arc::new(Budget::default());
    // Threads are detached, so that an interrupt needn't wait for a read that blocks.
    for _ in 0..options.threads.get() {
        let (check, options) = (Arc::clone(check), options.clone());
        let (work, to_caller) = (work.clone(), to_caller.clone());
        let thread = thread::Builder::new().name("verify".to_owned());
        thread.spawn(move || worker(check.as_ref(), &options, &work, &to_caller)).map_err(Stopped::Threads)?;
    }
    {
        let budget = Arc::clone(&budget);
        let read = move || {
            let (count, error) = reader(chunks, &free, &to_workers, &budget);
            let _ = to_caller.send(Message::End(count, error));
        };
        thread::Builder::new().name("read".to_owned()).spawn(read).map_err(Stopped::Threads)?;
    }
    let mut counts = Counts::default();
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut end: Option<(u64, Option<io::Error>)> = None;
    loop {
        while let Some(report) = waiting.remove(&next) {
            let report: Box<ChunkReport> = report;
            next += 1;
            counts.add(report.counts);
            sink(&report).map_err(Stopped::Sink)?;
            budget.release(report.chunk.bytes.len());
            let _ = give_back.send(report);
        }
        match end {
            // What was read before an error has been reported by now.
            Some((count, error)) if count == next => return error.map_or(Ok(counts), |e| Err(Stopped::Read(e))),
            other => end = other,
        }
        if stop.load(Ordering::Relaxed) {
            return Err(Stopped::Interrupted);
        }
        match results.recv_timeout(Duration::from_millis(100)) {
            Ok(Message::Report(report)) => {
                waiting.insert(report.chunk.number, report);
            }
            Ok(Message::End(count, error)) => end = Some((count, error)),
            Err(RecvTimeoutError::Timeout) => {}
            Ok(Message::WorkerDied) | Err(RecvTimeoutError::Disconnected) => return Err(Stopped::WorkerDied),
        }
    }
}

/// Reads chunks until the end or an error; how many, and the error.
fn reader<R: Read>(
    mut chunks: Chunks<R>,
    free: &Receiver<Box<ChunkReport>>,
    to_workers: &Sender<Box<ChunkReport>>,
    budget: &Budget,
) -> (u64, Option<io::Error>) {
    let mut count = 0;
    // Without a receiver or a sender on the other side the caller has stopped: the number is not asked for.
    while let Ok(mut report) = free.recv() {
        match chunks.fill(&mut report.chunk) {
            Ok(true) => {}
            Ok(false) => break,
            Err(e) => return (count, Some(e)),
        }
        count += 1;
        budget.acquire(report.chunk.bytes.len());
        if to_workers.send(report).is_err() {
            break;
        }
    }
    (count, None)
}

fn worker<C: RowCheck>(check: &C, options: &Options, work: &Receiver<Box<ChunkReport>>, to_caller: &Sender<Message>) {
    /// Tells the caller if this thread unwinds, which would otherwise leave it waiting for a chunk.
    struct Alarm<'a>(&'a Sender<Message>);
    impl Drop for Alarm<'_> {
        fn drop(&mut self) {
            if thread::panicking() {
                let _ = self.0.send(Message::WorkerDied);
            }
        }
    }
    let alarm = Alarm(to_caller);
    let mut scratch = C::Scratch::default();
    for mut report in work {
        check_chunk(check, &mut scratch, &mut report, options);
        if alarm.0.send(Message::Report(report)).is_err() {
            break;
        }
    }
}

/// Checks the rows of one chunk.
fn check_chunk<C: RowCheck>(check: &C, scratch: &mut C::Scratch, report: &mut ChunkReport, options: &Options) {
    let ChunkReport { counts, faults, rows, chunk } = report;
    *counts = Counts::default();
    faults.clear();
    rows.clear();
    for (number, row) in (chunk.first_row..).zip(&chunk.rows) {
        let outcome = match row {
            Row::Text(range) => check.check(chunk.text(range), scratch),
            Row::TooLong => Outcome::malformed(format!("longer than {} MiB", ROW_BYTES >> 20)),
            Row::OpenQuote => Outcome::malformed("a quote is opened and never closed"),
        };
        counts.count(outcome.verdict);
        if let Some(format) = &options.rows {
            format.write(number, &outcome, rows);
        }
        if let (Some(reason), true) = (outcome.reason, faults.len() < options.faults) {
            faults.push(Fault { row: number, verdict: outcome.verdict, reason });
        }
    }
}

/// Bytes of text between the reader and the caller.
#[derive(Default)]
struct Budget {
    used: Mutex<usize>,
    freed: Condvar,
}

impl Budget {
    fn acquire(&self, bytes: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while *used != 0 && *used + bytes > BYTES_IN_FLIGHT {
            used = self.freed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        *used += bytes;
    }

    fn release(&self, bytes: usize) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) -= bytes;
        self.freed.notify_one();
    }
}
