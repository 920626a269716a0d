//! The verification loop: one thread reads chunks of rows, workers check them, the caller gets the reports in
//! the order of the input. The signatures of a chunk are checked together.
//!
//! Memory is bounded whatever the input: there are four chunks a worker, which are used again, and two
//! chunks of usual length a worker, but at least 32 MiB, of text between the reader and the caller (one chunk may be
//! larger alone). With one thread and a file the caller's own does everything.
//!
//! A chunk is filled up: the more signatures are checked together, the less each costs. Where rows come slower than they are
//! checked (a terminal, a pipe), a worker without work gets what is there.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use crate::chunks::{CHUNK_BYTES, Chunk, Chunks, ROW_BYTES, Row, Supply};
use crate::report;
use crate::row::{Outcome, RowCheck, Verdict};

const LEAST_BYTES_IN_FLIGHT: usize = 32 << 20;
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
    // A live reader is read beside the checks, so that rows gather while others are checked.
    if options.threads.get() > 1 || chunks.supply() == Supply::Live {
        return run_threads(chunks, check, options, stop, sink);
    }
    let mut counts = Counts::default();
    let mut worker = Worker::new(check.as_ref(), options);
    let mut report = ChunkReport::default();
    while chunks.fill(&mut report.chunk, || true).map_err(Stopped::Read)? {
        worker.check_chunk(&mut report);
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
    let budget = Arc::new(Budget::of(LEAST_BYTES_IN_FLIGHT.max(2 * CHUNK_BYTES * options.threads.get())));
    // Threads are detached, so that an interrupt needn't wait for a read that blocks.
    for _ in 0..options.threads.get() {
        let (check, options) = (Arc::clone(check), options.clone());
        let (work, to_caller) = (work.clone(), to_caller.clone());
        let thread = thread::Builder::new().name("verify".to_owned());
        thread.spawn(move || work_off(check.as_ref(), &options, &work, &to_caller)).map_err(Stopped::Threads)?;
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
        match chunks.fill(&mut report.chunk, || to_workers.is_empty()) {
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

fn work_off<C: RowCheck>(check: &C, options: &Options, work: &Receiver<Box<ChunkReport>>, to_caller: &Sender<Message>) {
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
    let mut worker = Worker::new(check, options);
    for mut report in work {
        worker.check_chunk(&mut report);
        if alarm.0.send(Message::Report(report)).is_err() {
            break;
        }
    }
}

/// What checks chunks, on one thread.
struct Worker<'a, C: RowCheck> {
    check: &'a C,
    options: &'a Options,
    scratch: C::Scratch,
    rows: Vec<Result<C::Open, Outcome>>,
}

impl<'a, C: RowCheck> Worker<'a, C> {
    fn new(check: &'a C, options: &'a Options) -> Self {
        Self { check, options, scratch: C::Scratch::default(), rows: Vec::new() }
    }

    /// Reads the rows of one chunk, checks their signatures, reports in order.
    fn check_chunk(&mut self, report: &mut ChunkReport) {
        let ChunkReport { counts, faults, rows, chunk } = report;
        *counts = Counts::default();
        faults.clear();
        rows.clear();
        for row in &chunk.rows {
            self.rows.push(match row {
                Row::Text(range) => self.check.read(chunk.text(range), &mut self.scratch),
                Row::TooLong => Err(Outcome::malformed(format!("longer than {} MiB", ROW_BYTES >> 20))),
                Row::OpenQuote => Err(Outcome::malformed("a quote is opened and never closed")),
            });
        }
        self.check.verify(&mut self.scratch);
        let mut opened = 0;
        for (number, row) in (chunk.first_row..).zip(self.rows.drain(..)) {
            let outcome = row.map_or_else(
                |outcome| outcome,
                |open| {
                    opened += 1;
                    self.check.close(open, opened - 1, &self.scratch)
                },
            );
            counts.count(outcome.verdict);
            if let Some(format) = &self.options.rows {
                format.write(number, &outcome, rows);
            }
            if let (Some(reason), true) = (outcome.reason, faults.len() < self.options.faults) {
                faults.push(Fault { row: number, verdict: outcome.verdict, reason });
            }
        }
    }
}

/// Bytes of text between the reader and the caller.
struct Budget {
    most: usize,
    used: Mutex<usize>,
    freed: Condvar,
}

impl Budget {
    fn of(most: usize) -> Self {
        Self { most, used: Mutex::default(), freed: Condvar::default() }
    }

    fn acquire(&self, bytes: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while *used != 0 && *used + bytes > self.most {
            used = self.freed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        *used += bytes;
    }

    fn release(&self, bytes: usize) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) -= bytes;
        self.freed.notify_one();
    }
}
