//! Rows out of a stream of bytes, in chunks that bound the memory: blank lines are skipped, a row longer than
//! [`ROW_BYTES`] is reported and its bytes thrown away, and a quoted CSV field may hold line breaks.

use std::io::{self, Read};
use std::ops::Range;

use crate::csv::{OpenUntil, RecordEnd, record_end};
use crate::input::read_retrying;

/// The longest row that is looked at; a longer one is malformed.
pub const ROW_BYTES: usize = 16 << 20;
/// A chunk is full when it has so many rows: what verifies together fastest (OPTIMIZATIONS.md).
pub const CHUNK_ROWS: usize = 4096;
/// A chunk is full when it has so many bytes, which is more than [`CHUNK_ROWS`] rows of usual length; one row may be longer.
pub const CHUNK_BYTES: usize = 4 << 20;
/// How much is read at a time: what a pipe holds, and little enough to be in the cache when it is split.
const READ_BYTES: usize = 64 << 10;

/// Does what is to be read lie ready?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Supply {
    /// Yes, as a file does: chunks are filled.
    #[default]
    Stored,
    /// Perhaps not, as in a pipe: rows that are there do not wait for others.
    Live,
}

/// What ends a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grammar {
    /// A line break.
    Lines,
    /// A line break outside a quoted field.
    Csv,
}

/// One row of a chunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Row {
    /// These bytes of the chunk, without the line break.
    Text(Range<usize>),
    /// A row longer than [`ROW_BYTES`]: its bytes are gone.
    TooLong,
    /// A CSV line that opens a quoted field which nothing closes.
    OpenQuote,
}

/// The first row of a file that has a header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Header {
    /// No row at all.
    Missing,
    /// Too long, or a quote in it is never closed.
    Unreadable,
    /// Its text.
    Text(Vec<u8>),
}

/// Some rows that follow each other.
#[derive(Default, Debug)]
pub struct Chunk {
    /// Chunks are numbered from 0.
    pub number: u64,
    /// The number of the first row, counted from 1.
    pub first_row: u64,
    /// The text that the rows point into.
    pub bytes: Vec<u8>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Chunk {
    /// The text of a row of it.
    #[must_use]
    pub fn text(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }
}

/// The chunks of a reader.
pub struct Chunks<R> {
    reader: R,
    grammar: Grammar,
    supply: Supply,
    /// Bytes read that belong to the next chunk.
    carry: Vec<u8>,
    next_chunk: u64,
    next_row: u64,
    /// Inside a row that is too long: everything up to the next line break is thrown away.
    skipping: bool,
    at_end: bool,
    /// What reading ended with after the rows of the last chunk.
    error: Option<io::Error>,
}

impl<R: Read> Chunks<R> {
    /// The rows of `reader`, which lie ready.
    pub fn new(reader: R, grammar: Grammar) -> Self {
        Self {
            reader,
            grammar,
            supply: Supply::Stored,
            carry: Vec::new(),
            next_chunk: 0,
            next_row: 1,
            skipping: false,
            at_end: false,
            error: None,
        }
    }

    /// The same rows, of a reader of this kind.
    #[must_use]
    pub fn supplied(self, supply: Supply) -> Self {
        Self { supply, ..self }
    }

    /// What kind of reader it is.
    #[must_use]
    pub fn supply(&self) -> Supply {
        self.supply
    }

    /// Takes the first row away (a header); it isn't counted.
    pub fn header(&mut self) -> io::Result<Header> {
        let mut chunk = Chunk::default();
        if !self.fill(&mut chunk, || true)? {
            return Ok(Header::Missing);
        }
        self.next_chunk = 0;
        self.next_row = 1;
        let Some(Row::Text(range)) = chunk.rows.first() else { return Ok(Header::Unreadable) };
        let header = chunk.text(range).to_vec();
        // The rest is split again, with the line break that ended the header: a blank line.
        let mut rest = chunk.bytes.split_off(range.end);
        rest.append(&mut self.carry);
        self.carry = rest;
        Ok(Header::Text(header))
    }

    /// The next chunk, written over `chunk`: full, but at the end, and from a live reader if `wanted` says so as soon as there is
    /// a row. False at the end.
    pub fn fill(&mut self, chunk: &mut Chunk, wanted: impl Fn() -> bool) -> io::Result<bool> {
        if let Some(e) = self.error.take() {
            return Err(e);
        }
        chunk.rows.clear();
        chunk.bytes.clear();
        chunk.bytes.shrink_to(2 * CHUNK_BYTES);
        std::mem::swap(&mut chunk.bytes, &mut self.carry);
        chunk.number = self.next_chunk;
        chunk.first_row = self.next_row;
        // bytes[..start] is split into rows; no line break lies in bytes[start..searched] but inside quotes.
        let mut start = 0;
        let mut searched = 0;
        let mut open = OpenUntil::default();
        loop {
            self.split(chunk, &mut start, &mut searched, &mut open);
            let is_full = chunk.rows.len() >= CHUNK_ROWS || chunk.bytes.len() >= CHUNK_BYTES;
            let is_enough = || self.supply == Supply::Live && wanted();
            if self.at_end || !chunk.rows.is_empty() && (is_full || is_enough()) {
                break;
            }
            if chunk.rows.is_empty() && start > 0 {
                chunk.bytes.drain(..start);
                searched -= start;
                start = 0;
                open = OpenUntil::default();
            }
            match self.read_more(&mut chunk.bytes) {
                Err(e) if chunk.rows.is_empty() => return Err(e),
                // The rows before the fault are told first.
                Err(e) => {
                    self.error = Some(e);
                    break;
                }
                Ok(()) => {}
            }
        }
        self.carry.clear();
        self.carry.extend_from_slice(chunk.bytes.get(start..).unwrap_or_default());
        chunk.bytes.truncate(start);
        if chunk.rows.is_empty() {
            return Ok(false);
        }
        self.next_chunk += 1;
        self.next_row += chunk.rows.len() as u64;
        Ok(true)
    }

    fn read_more(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let filled = bytes.len();
        bytes.resize(filled + READ_BYTES, 0);
        let read = read_retrying(&mut self.reader, bytes.get_mut(filled..).unwrap_or_default());
        bytes.truncate(filled + read.as_ref().map_or(0, |&n| n));
        self.at_end = read? == 0;
        Ok(())
    }

    /// Splits what is there into rows.
    fn split(&mut self, chunk: &mut Chunk, start: &mut usize, searched: &mut usize, open: &mut OpenUntil) {
        while chunk.rows.len() < CHUNK_ROWS {
            let unsearched = chunk.bytes.get(*searched..).unwrap_or_default();
            let (mut end, mut next) = match memchr::memchr(b'\n', unsearched) {
                Some(i) => (*searched + i, *searched + i + 1),
                None if self.at_end => (chunk.bytes.len(), chunk.bytes.len()),
                None => {
                    *searched = chunk.bytes.len();
                    if self.skipping {
                        *start = *searched;
                    } else if *searched - *start > ROW_BYTES {
                        chunk.rows.push(Row::TooLong);
                        self.skipping = true;
                        *start = *searched;
                    }
                    return;
                }
            };
            if self.skipping {
                self.skipping = false;
                (*start, *searched) = (next, next);
                if next >= chunk.bytes.len() && self.at_end {
                    return;
                }
                continue;
            }
            let mut open_quote = false;
            if self.grammar == Grammar::Csv {
                match record_end(&chunk.bytes, *start, end, self.at_end, open) {
                    RecordEnd::At(i) => end = i,
                    RecordEnd::OpenQuote(i) => (end, open_quote) = (i, true),
                    RecordEnd::NotYet => {
                        *searched = chunk.bytes.len();
                        return;
                    }
                }
                next = (end + 1).min(chunk.bytes.len());
            }
            let range = trimmed(&chunk.bytes, *start..end, self.grammar);
            if open_quote {
                chunk.rows.push(Row::OpenQuote);
            } else if range.len() > ROW_BYTES {
                chunk.rows.push(Row::TooLong);
            } else if !range.is_empty() {
                chunk.rows.push(Row::Text(range));
            }
            (*start, *searched) = (next, next);
            if next >= chunk.bytes.len() {
                return;
            }
        }
    }
}

/// The row without blanks around it; in CSV, where blanks may be of a field, without the carriage return.
fn trimmed(bytes: &[u8], range: Range<usize>, grammar: Grammar) -> Range<usize> {
    let row = bytes.get(range.clone()).unwrap_or_default();
    let inner = row.trim_ascii();
    match (inner, grammar, row) {
        ([], _, _) => range.start..range.start,
        (_, Grammar::Csv, [.., b'\r']) => range.start..range.end - 1,
        (_, Grammar::Csv, _) => range,
        (_, Grammar::Lines, _) => {
            let start = range.end - row.trim_ascii_start().len();
            start..start + inner.len()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives at most `step` bytes a read.
    struct Dribble<'a> {
        bytes: &'a [u8],
        step: usize,
    }

    impl Read for Dribble<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = self.step.min(buffer.len());
            let head = self.bytes.get(..n).unwrap_or(self.bytes);
            self.bytes = self.bytes.get(head.len()..).unwrap_or_default();
            if let Some(to) = buffer.get_mut(..head.len()) {
                to.copy_from_slice(head);
            }
            Ok(head.len())
        }
    }

    fn rows(bytes: &[u8], step: usize, grammar: Grammar) -> Vec<String> {
        let [stored, live] = [Supply::Stored, Supply::Live].map(|supply| rows_of(bytes, step, grammar, supply));
        assert!(stored == live, "reads of {step}");
        stored
    }

    fn rows_of(bytes: &[u8], step: usize, grammar: Grammar, supply: Supply) -> Vec<String> {
        let mut chunks = Chunks::new(Dribble { bytes, step }, grammar).supplied(supply);
        let mut chunk = Chunk::default();
        let mut all = Vec::new();
        while matches!(chunks.fill(&mut chunk, || true), Ok(true)) {
            assert_eq!(chunk.first_row, all.len() as u64 + 1);
            assert!(chunk.rows.len() <= CHUNK_ROWS);
            all.extend(chunk.rows.iter().map(|row| match row {
                Row::Text(range) => String::from_utf8_lossy(chunk.text(range)).into_owned(),
                Row::TooLong => "<too long>".to_owned(),
                Row::OpenQuote => "<open quote>".to_owned(),
            }));
        }
        all
    }

    #[test]
    fn lines_of_every_kind_whatever_the_reads() {
        let text = b"one\n\n  two \r\n \t\r\nthree";
        for step in 1..=text.len() {
            assert_eq!(rows(text, step, Grammar::Lines), ["one", "two", "three"], "reads of {step}");
        }
        assert_eq!(rows(b"", 1, Grammar::Lines), [""; 0]);
        assert_eq!(rows(b"\n\r\n\n", 1, Grammar::Lines), [""; 0]);
    }

    /// Chunks of a file are full whatever a read gives; a live reader's rows come at once where they are wanted.
    #[test]
    fn chunks_are_filled_where_nobody_waits() {
        let text = "row\n".repeat(3 * CHUNK_ROWS);
        let long = format!("{}\n", "x".repeat(4999)).repeat(2000);
        let sizes = |text: &str, step, supply, wanted: bool| {
            let mut chunks = Chunks::new(Dribble { bytes: text.as_bytes(), step }, Grammar::Lines).supplied(supply);
            let (mut chunk, mut sizes) = (Chunk::default(), Vec::new());
            while matches!(chunks.fill(&mut chunk, || wanted), Ok(true)) {
                sizes.push(chunk.rows.len());
            }
            sizes
        };
        for (supply, wanted) in [(Supply::Stored, true), (Supply::Stored, false), (Supply::Live, false)] {
            assert_eq!(sizes(&text, 1000, supply, wanted), [CHUNK_ROWS; 3]);
            let sizes = sizes(&long, 1000, supply, wanted);
            assert_eq!((sizes.len(), sizes[0], sizes.iter().sum::<usize>()), (3, 839, 2000), "{sizes:?}");
        }
        assert_eq!(sizes(&text, 1000, Supply::Live, true)[0], 250);
    }

    #[test]
    fn quoted_fields_hold_line_breaks_and_an_open_quote_costs_one_line() {
        let text = b"a,\"b\nc\",d\ne\"f\n\"g\"\"\n\"\n\"open\nh\ni";
        for step in 1..=text.len() {
            let want = ["a,\"b\nc\",d", "e\"f", "\"g\"\"\n\"", "<open quote>", "h", "i"];
            assert_eq!(rows(text, step, Grammar::Csv), want, "reads of {step}");
        }
    }

    #[test]
    fn a_row_over_the_bound_is_one_row_and_its_bytes_are_gone() {
        let mut text = b"before\n".to_vec();
        text.resize(text.len() + ROW_BYTES + 3 * CHUNK_BYTES, b'x');
        text.extend_from_slice(b"\nafter\n");
        for grammar in [Grammar::Lines, Grammar::Csv] {
            assert_eq!(rows(&text, usize::MAX, grammar), ["before", "<too long>", "after"]);
            assert_eq!(rows(text.trim_ascii_end(), 70_000, grammar), ["before", "<too long>", "after"]);
        }
        let mut chunks = Chunks::new(text.as_slice(), Grammar::Lines);
        let mut chunk = Chunk::default();
        while matches!(chunks.fill(&mut chunk, || true), Ok(true)) {
            assert!(chunk.bytes.capacity() <= ROW_BYTES * 2 + 4 * CHUNK_BYTES);
        }
    }
}
