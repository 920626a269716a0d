//! Blocks of rows, made by several threads and written in order.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::random::Random;
use super::{Args, Rows, Way, write_block};

/// Rows of a block. Nonces depend on it: another number makes other signatures.
const BLOCK_ROWS: u64 = 256;
const BLOCKS_A_THREAD: u64 = 4;

/// Some rows that follow each other.
pub(super) struct Block {
    /// Blocks are numbered from 0.
    pub(super) number: u64,
    /// Their numbers, from 0.
    pub(super) rows: Range<u64>,
    /// Which of them are spoiled, in order, and how.
    pub(super) spoiled: Vec<(u64, Way)>,
}

/// The blocks of a sample, in order.
struct Blocks<'a> {
    args: &'a Args,
    choice: Random,
    next: u64,
    spoiled: u64,
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        let Args { rows, bad, .. } = *self.args;
        let first = self.next * BLOCK_ROWS;
        if first >= rows {
            return None;
        }
        let range = first..rows.min(first.saturating_add(BLOCK_ROWS));
        let mut block = Block { number: self.next, rows: range.clone(), spoiled: Vec::new() };
        for index in range {
            // Every set of `bad` rows is as likely as every other: (bad left) / (rows left).
            if self.choice.below(rows - index) < bad - self.spoiled {
                block.spoiled.push((index, self.spoiled));
                self.spoiled += 1;
            }
        }
        self.next += 1;
        Some(block)
    }
}

/// Why the rows are not all written.
pub(super) enum Stopped {
    Write(io::Error),
    Thread(io::Error),
    WorkerDied,
}

/// Makes the rows by so many threads and writes them. `rows` makes what a thread makes them with.
pub(super) fn write<'a>(
    args: &Args,
    threads: NonZeroUsize,
    rows: &(dyn Fn() -> Box<dyn Rows> + 'a),
    out: &mut impl Write,
) -> Result<(), Stopped> {
    let blocks = Blocks { args, choice: Random::new(args.seed, "spoiled rows", 0), next: 0, spoiled: 0 };
    if threads.get() > 1 && args.rows > BLOCK_ROWS {
        return write_by_threads(args, threads, blocks, rows, out);
    }
    let (mut rows, mut text) = (rows(), Vec::new());
    for block in blocks {
        text.clear();
        write_block(args, &block, rows.as_mut(), &mut text);
        out.write_all(&text).map_err(Stopped::Write)?;
    }
    Ok(())
}

fn write_by_threads<'a>(
    args: &Args,
    threads: NonZeroUsize,
    mut blocks: Blocks<'_>,
    rows: &(dyn Fn() -> Box<dyn Rows> + 'a),
    out: &mut impl Write,
) -> Result<(), Stopped> {
    let in_flight = BLOCKS_A_THREAD * threads.get() as u64;
    // Both are dropped when this function returns, early or not, and the threads end with them.
    let (to_workers, work) = unbounded::<(Block, Vec<u8>)>();
    let (to_writer, made) = unbounded::<(u64, Vec<u8>)>();
    thread::scope(|scope| {
        let mut handles = Vec::new();
        for _ in 0..threads.get() {
            let (mut rows, work, to_writer) = (rows(), work.clone(), to_writer.clone());
            let work = move || work_off(args, rows.as_mut(), &work, &to_writer);
            handles.push(thread::Builder::new().spawn_scoped(scope, work).map_err(Stopped::Thread)?);
        }
        drop(to_writer);
        let to_workers = to_workers;
        let mut ready = BTreeMap::new();
        let (mut sent, mut written) = (0, 0);
        let mut spare = Vec::new();
        loop {
            while let Some(text) = ready.remove(&written) {
                let text: Vec<u8> = text;
                out.write_all(&text).map_err(Stopped::Write)?;
                written += 1;
                spare.push(text);
            }
            while sent - written < in_flight {
                let Some(block) = blocks.next() else { break };
                sent += 1;
                let mut text = spare.pop().unwrap_or_default();
                text.clear();
                to_workers.send((block, text)).map_err(|_| Stopped::WorkerDied)?;
            }
            if written == sent {
                return Ok(());
            }
            match made.recv_timeout(Duration::from_millis(200)) {
                Ok((number, text)) => drop(ready.insert(number, text)),
                Err(_) if handles.iter().any(thread::ScopedJoinHandle::is_finished) => return Err(Stopped::WorkerDied),
                Err(_) => {}
            }
        }
    })
}

fn work_off(args: &Args, rows: &mut dyn Rows, work: &Receiver<(Block, Vec<u8>)>, to_writer: &Sender<(u64, Vec<u8>)>) {
    for (block, mut text) in work {
        write_block(args, &block, rows, &mut text);
        if to_writer.send((block.number, text)).is_err() {
            break;
        }
    }
}
