//! CSV: one signature a record, with the columns that hold key, signature and message named by the header.
//!
//! ECDSA takes a `digest` as it stands and hashes a `message` with SHA-256; for Schnorr (BIP340) both are the
//! message. The encoding of a signature is what the options say, never guessed.

mod columns;

use std::borrow::Cow;
use std::ops::Range;

use sha2::{Digest as _, Sha256};
use windlass::{LowS, ParseError, PublicKey, ecdsa, many};

pub use columns::{ColumnName, Columns, Signed};

use crate::row::{Outcome, RowCheck, trim_buffer};

/// Which scheme the signatures are of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Scheme {
    /// ECDSA on secp256k1
    #[default]
    EcdsaSecp256k1,
    /// BIP340 Schnorr signatures on secp256k1, x-only keys
    SchnorrSecp256k1,
}

/// How an ECDSA signature is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Encoding {
    /// strict DER, as BIP66 asks, without a hash type byte
    Der,
    /// what Bitcoin accepted before BIP66
    DerLax,
    /// 64 bytes: r and s, big-endian
    Compact,
}

/// Are hybrid keys (prefix 06 or 07) taken?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HybridKeys {
    /// A hybrid key makes the row invalid.
    Refused,
    /// A hybrid key is taken if its prefix tells y's parity rightly.
    Accepted,
}

/// What counts as a valid row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// ECDSA.
    Ecdsa {
        /// How signatures are written.
        encoding: Encoding,
        /// Must s be in the lower half?
        low_s: LowS,
        /// Are hybrid keys taken?
        hybrid: HybridKeys,
    },
    /// BIP340: a signature is 64 bytes.
    Schnorr,
}

/// Verifies CSV records.
pub struct CsvCheck {
    columns: Columns,
    rules: Rules,
}

/// Buffers kept from row to row, and the signatures of records that have been read.
pub struct Scratch {
    parser: csv_core::Reader,
    text: Vec<u8>,
    ends: Vec<usize>,
    key: Vec<u8>,
    signature: Vec<u8>,
    signed: Vec<u8>,
    read: Batch,
    verdicts: Vec<many::Verdict>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            parser: csv_core::Reader::new(),
            text: Vec::new(),
            ends: Vec::new(),
            key: Vec::new(),
            signature: Vec::new(),
            signed: Vec::new(),
            read: Batch::default(),
            verdicts: Vec::new(),
        }
    }
}

/// Signatures to be checked together. Keys and messages are of any length: they lie one after the other in `bytes`.
#[derive(Default)]
struct Batch {
    signatures: Vec<Signature>,
    bytes: Vec<u8>,
}

enum Signature {
    Ecdsa { digest: [u8; 32], signature: ecdsa::Signature, key: Range<usize> },
    Schnorr { message: Range<usize>, signature: [u8; 64], key: [u8; 32] },
}

impl Batch {
    fn keep(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }

    fn clear(&mut self) {
        self.signatures.clear();
        trim_buffer(&mut self.bytes);
    }

    fn rows(&self, low_s: LowS) -> Vec<many::Row<'_>> {
        let kept = |range: &Range<usize>| self.bytes.get(range.clone()).unwrap_or_default();
        let rows = self.signatures.iter();
        rows.map(|signature| match signature {
            Signature::Ecdsa { digest, signature, key } => {
                many::Row::Ecdsa { digest, signature: signature.into(), key: kept(key).into(), low_s }
            }
            Signature::Schnorr { message, signature, key } => {
                many::Row::Schnorr { message: kept(message), signature, key: key.into() }
            }
        })
        .collect()
    }
}

impl CsvCheck {
    /// Rows with these columns under these rules.
    #[must_use]
    pub fn new(columns: Columns, rules: Rules) -> Self {
        Self { columns, rules }
    }

    fn read_record(&self, record: &[u8], scratch: &mut Scratch) -> Result<(), Outcome> {
        let Scratch { parser, text, ends, key, signature, signed, read, .. } = scratch;
        let fields = split(parser, record, text, ends).map_err(Outcome::malformed)?;
        if fields != self.columns.count() {
            let count = self.columns.count();
            return Err(Outcome::malformed(format!("{fields} columns where the header has {count}")));
        }
        let field = |column: usize| {
            let start = if column == 0 { 0 } else { ends.get(column - 1).copied().unwrap_or(0) };
            ends.get(column).and_then(|&end| text.get(start..end)).unwrap_or_default()
        };
        decode_hex("pubkey", field(self.columns.pubkey()), key)?;
        decode_hex("signature", field(self.columns.signature()), signature)?;
        let (kind, column) = self.columns.signed();
        decode_hex(kind.name(), field(column), signed)?;
        match self.rules {
            Rules::Ecdsa { encoding, low_s, hybrid } => {
                read_ecdsa(key, signature, signed, kind, encoding, low_s, hybrid, read)
            }
            Rules::Schnorr => read_schnorr(key, signature, signed, read),
        }
    }
}

impl RowCheck for CsvCheck {
    type Scratch = Scratch;
    type Open = ();

    fn read(&self, row: &[u8], scratch: &mut Scratch) -> Result<(), Outcome> {
        let read = self.read_record(row, scratch);
        for buffer in [&mut scratch.text, &mut scratch.key, &mut scratch.signature, &mut scratch.signed] {
            trim_buffer(buffer);
        }
        read
    }

    fn verify(&self, scratch: &mut Scratch) {
        let low_s = match self.rules {
            Rules::Ecdsa { low_s, .. } => low_s,
            Rules::Schnorr => LowS::Accepted,
        };
        scratch.verdicts.clear();
        scratch.verdicts.extend(many::verify_many(&scratch.read.rows(low_s)).iter());
        scratch.read.clear();
    }

    fn close(&self, (): (), index: usize, scratch: &Scratch) -> Outcome {
        match scratch.verdicts.get(index) {
            Some(many::Verdict::Valid) => Outcome::valid(),
            // All other parts have been parsed.
            Some(many::Verdict::Malformed(e)) => refused("pubkey", *e),
            Some(many::Verdict::Invalid) | None => Outcome::invalid(SIGNATURE_FAILS),
        }
    }
}

/// What is wrong with a key is told before what is wrong with a signature. The key itself is parsed with all others, but where
/// the signature is refused.
#[expect(clippy::too_many_arguments, reason = "three fields and the rules for them")]
fn read_ecdsa(
    key: &[u8],
    signature: &[u8],
    signed: &[u8],
    kind: Signed,
    encoding: Encoding,
    low_s: LowS,
    hybrid: HybridKeys,
    read: &mut Batch,
) -> Result<(), Outcome> {
    let is_hybrid = matches!(key.first(), Some(6 | 7));
    let hybrid_key = match hybrid {
        HybridKeys::Accepted if is_hybrid => match PublicKey::parse_hybrid(key) {
            Err(ParseError::Prefix) => {
                return Err(Outcome::invalid("pubkey: the hybrid prefix tells the wrong parity"));
            }
            other => Some(other.map_err(|e| refused("pubkey", e))?.to_uncompressed()),
        },
        HybridKeys::Refused if is_hybrid && key.len() == 65 => {
            return Err(Outcome::invalid("hybrid public key (--allow-hybrid accepts it)"));
        }
        _ => None,
    };
    let key = hybrid_key.as_ref().map_or(key, |key| key.as_slice());
    match read_signature(signature, signed, kind, encoding, low_s) {
        Ok((signature, digest)) => {
            let key = read.keep(key);
            read.signatures.push(Signature::Ecdsa { digest, signature, key });
            Ok(())
        }
        Err(outcome) => Err(PublicKey::parse(key).map_or_else(|e| refused("pubkey", e), |_| outcome)),
    }
}

/// Signature and digest of a record of ECDSA.
fn read_signature(
    signature: &[u8],
    signed: &[u8],
    kind: Signed,
    encoding: Encoding,
    low_s: LowS,
) -> Result<(ecdsa::Signature, [u8; 32]), Outcome> {
    let signature = match encoding {
        Encoding::Der => ecdsa::Signature::from_der(signature),
        Encoding::DerLax => ecdsa::Signature::from_der_lax(signature),
        Encoding::Compact => signature
            .try_into()
            .map_err(|_| ParseError::Length)
            .and_then(|bytes: &[u8; 64]| ecdsa::Signature::from_compact(bytes)),
    }
    .map_err(|e| refused("signature", e))?;
    if low_s == LowS::Required && !signature.is_low_s() {
        return Err(Outcome::invalid("s is in the upper half (--allow-high-s accepts it)"));
    }
    let digest = match kind {
        Signed::Message => Sha256::digest(signed).into(),
        Signed::Digest => {
            signed.try_into().map_err(|_| Outcome::malformed(format!("digest: {} bytes, not 32", signed.len())))?
        }
    };
    Ok((signature, digest))
}

fn read_schnorr(key: &[u8], signature: &[u8], message: &[u8], read: &mut Batch) -> Result<(), Outcome> {
    let key: [u8; 32] =
        key.try_into().map_err(|_| Outcome::malformed(format!("pubkey: {} bytes, not 32 (x-only)", key.len())))?;
    let signature: [u8; 64] = signature
        .try_into()
        .map_err(|_| Outcome::malformed(format!("signature: {} bytes, not 64", signature.len())))?;
    let message = read.keep(message);
    read.signatures.push(Signature::Schnorr { message, signature, key });
    Ok(())
}

/// The reason where everything could be read and the equation does not hold.
pub(crate) const SIGNATURE_FAILS: &str = "signature does not verify";

/// Bytes that are no key or no signature: malformed if their shape is wrong, invalid if their values are.
fn refused(what: &str, error: ParseError) -> Outcome {
    match error {
        ParseError::OutOfRange => Outcome::invalid(format!("{what}: value out of range")),
        ParseError::NotOnCurve => Outcome::invalid(format!("{what}: not on the curve")),
        ParseError::Infinity => Outcome::invalid(format!("{what}: point at infinity")),
        ParseError::Length => Outcome::malformed(format!("{what}: wrong length")),
        ParseError::Prefix => Outcome::malformed(format!("{what}: wrong first byte")),
        ParseError::Der(offset) => Outcome::malformed(format!("{what}: not strict DER at byte {offset}")),
        other => Outcome::malformed(format!("{what}: {other}")),
    }
}

/// Hex of any length and either case, with or without 0x, blanks around it allowed.
fn decode_hex(what: &str, text: &[u8], out: &mut Vec<u8>) -> Result<(), Outcome> {
    let text = text.trim_ascii();
    let text = text.strip_prefix(b"0x").unwrap_or(text);
    out.clear();
    out.resize(text.len() / 2, 0);
    const_hex::decode_to_slice(text, out).map_err(|_| Outcome::malformed(format!("{what}: not hex")))
}

/// Splits a record into `text`, the fields one after the other, and `ends`. The number of fields, or why not.
fn split(
    parser: &mut csv_core::Reader,
    record: &[u8],
    text: &mut Vec<u8>,
    ends: &mut Vec<usize>,
) -> Result<usize, Cow<'static, str>> {
    const MAX_COLUMNS: usize = 4096;
    parser.reset();
    text.clear();
    text.resize(record.len() + 1, 0);
    ends.resize(ends.len().max(16), 0);
    let (mut read, mut written, mut fields) = (0, 0, 0);
    loop {
        // Past the end an empty input tells the parser that the record is complete.
        let input = record.get(read..).unwrap_or_default();
        let output = text.get_mut(written..).unwrap_or_default();
        let (result, r, w, n) = parser.read_record(input, output, ends.get_mut(fields..).unwrap_or_default());
        (read, written, fields) = (read + r, written + w, fields + n);
        match result {
            csv_core::ReadRecordResult::InputEmpty => {}
            csv_core::ReadRecordResult::OutputFull => text.resize(text.len() + record.len() + 1, 0),
            csv_core::ReadRecordResult::OutputEndsFull if ends.len() < MAX_COLUMNS => ends.resize(2 * ends.len(), 0),
            csv_core::ReadRecordResult::OutputEndsFull => return Err("too many columns".into()),
            csv_core::ReadRecordResult::Record | csv_core::ReadRecordResult::End => break,
        }
    }
    if !record.get(read..).unwrap_or_default().trim_ascii().is_empty() {
        return Err("carriage return inside a record".into());
    }
    Ok(fields)
}

/// Where a record ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecordEnd {
    /// At this line break (or the end of the input).
    At(usize),
    /// Not within the bytes that are there.
    NotYet,
    /// A quote is opened that nothing closes: the line that opens it ends here.
    OpenQuote(usize),
}

/// How far a quoted field may reach over line breaks. One stray quote then costs one row, not the rest of the file.
const QUOTED_BYTES: usize = 64 << 10;

/// What is known of a quote that nothing closes within [`QUOTED_BYTES`]: a quoted field that is open at a line break before this
/// place is open here too, and no record ends in between.
///
/// A record that begins after such a quote either ends at its first line break or has a quoted field open there, as the first one
/// has. Its search then goes on here, so that every byte is looked at about once, however many quotes are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct OpenUntil {
    place: usize,
    /// How many bytes all searches have looked at.
    #[cfg(test)]
    looked_at: usize,
}

/// The end of the record that begins at `start`. `line_break` is a line break after it (or the end of the
/// input), and all before it have been looked at. The states are those of the crate csv: a quote opens a quoted
/// field only where the field begins. `open` is what earlier records of the same bytes have left.
pub(crate) fn record_end(
    bytes: &[u8],
    start: usize,
    line_break: usize,
    at_end: bool,
    open: &mut OpenUntil,
) -> RecordEnd {
    #[derive(PartialEq)]
    enum State {
        FieldStart,
        Plain,
        Quoted,
        QuoteInQuoted,
    }
    if memchr::memchr(b'"', bytes.get(start..line_break).unwrap_or_default()).is_none() {
        return RecordEnd::At(line_break);
    }
    let mut state = State::FieldStart;
    let mut first_break = None;
    let mut i = start;
    while let Some(&byte) = bytes.get(i) {
        #[cfg(test)]
        (open.looked_at += 1);
        if byte == b'\n' && state != State::Quoted {
            return RecordEnd::At(i);
        }
        if byte == b'\n' {
            first_break = first_break.or(Some(i));
            if i < open.place {
                i = open.place;
                continue;
            }
        }
        if let (State::Quoted, Some(first), true) = (&state, first_break, i - start > QUOTED_BYTES) {
            open.place = i;
            return RecordEnd::OpenQuote(first);
        }
        state = match (state, byte) {
            (State::FieldStart | State::QuoteInQuoted, b'"') => State::Quoted,
            (State::Quoted, b'"') => State::QuoteInQuoted,
            (State::Quoted, _) => State::Quoted,
            (_, b',') => State::FieldStart,
            (_, _) => State::Plain,
        };
        i += 1;
    }
    match (at_end, state) {
        (false, _) => RecordEnd::NotYet,
        (true, State::Quoted) => {
            open.place = bytes.len();
            RecordEnd::OpenQuote(first_break.unwrap_or(bytes.len()))
        }
        (true, _) => RecordEnd::At(bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of all records, and how many bytes were looked at; each search may know nothing of the others.
    fn ends(bytes: &[u8], knows: bool) -> (Vec<RecordEnd>, usize) {
        let (mut start, mut ends, mut open) = (0, Vec::new(), OpenUntil::default());
        while start < bytes.len() {
            if !knows {
                open.place = 0;
            }
            let line_break =
                bytes.iter().skip(start).position(|&byte| byte == b'\n').map_or(bytes.len(), |i| start + i);
            let end = record_end(bytes, start, line_break, true, &mut open);
            start = match end {
                RecordEnd::At(i) | RecordEnd::OpenQuote(i) => i + 1,
                RecordEnd::NotYet => bytes.len(),
            };
            ends.push(end);
        }
        (ends, open.looked_at)
    }

    /// Quotes that nothing closes do not change where records end by what is kept of them, and cost no more than their lines.
    #[test]
    fn open_quotes_are_looked_for_once() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for (texts, length, letters) in [(3000, 60, b"\"\"\"a,,\n\n"), (8, 3 * QUOTED_BYTES, b"\"a,aaaa\n")] {
            for _ in 0..texts {
                // Of long texts most letters stand many times, so that there are not too many lines.
                let times = if length > 60 { 300 } else { 1 };
                let mut text = Vec::new();
                while text.len() < length {
                    let byte = letters[random(8) as usize];
                    let times = if matches!(byte, b'a') { 1 + random(times) as usize } else { 1 };
                    text.extend(std::iter::repeat_n(byte, times));
                }
                assert_eq!(ends(&text, true).0, ends(&text, false).0, "{}", text.escape_ascii());
            }
        }
        // Each of these lines leaves a quoted field open, whether one is open at its beginning or not.
        let line = b"\"a\"b,\"\n";
        let text = line.repeat(30_000);
        let (ends, looked_at) = ends(&text, true);
        let lines = (1..=30_000).map(|i| RecordEnd::OpenQuote(i * line.len() - 1));
        assert!(ends.into_iter().eq(lines));
        assert!(looked_at < 4 * text.len(), "{looked_at} of {}", text.len());
    }
}
