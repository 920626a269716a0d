//! Nostr events (NIP-01): id = SHA-256 of the canonical JSON of `[0, pubkey, created_at, kind, tags, content]`,
//! and `sig` is a BIP340 signature over the id under the x-only key `pubkey`.
//!
//! Both are checked on every row, also where the first fails, so that the reason tells all that is wrong.
//!
//! Control characters: NIP-01 names seven escapes and wants every other character as it is; most programs that
//! sign and relay events write the other control characters as JSON's `\u00xx` instead. Both forms bind every
//! byte of the event (a backslash is always escaped), so an id of either form matches.

mod canonical;
mod event;

use sha2::{Digest as _, Sha256};
use windlass::XOnlyPublicKey;

use crate::csv::SIGNATURE_FAILS;
use crate::row::{Outcome, RowCheck, trim_buffer};
use crate::signatures::SchnorrRow;
pub use crate::signatures::{SchnorrCheck, Windlass};
use canonical::Canonical;
pub use event::Event;
pub(crate) use event::reason as json_reason;

/// Verifies Nostr events.
#[derive(Clone, Copy, Debug, Default)]
pub struct NostrCheck<S = Windlass> {
    schnorr: S,
}

impl<S> NostrCheck<S> {
    /// With this check of signatures.
    pub fn new(schnorr: S) -> Self {
        Self { schnorr }
    }
}

/// An event's buffers, and the signatures of events that have been read.
#[derive(Debug, Default)]
pub struct Scratch {
    text: Vec<u8>,
    event: Event,
    read: Vec<SchnorrRow>,
    checked: Vec<SchnorrRow>,
    verdicts: Vec<bool>,
}

/// Is the id of an event that of its content?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    /// It is.
    Matches,
    /// It is not.
    Differs,
}

impl<S: SchnorrCheck> RowCheck for NostrCheck<S> {
    type Scratch = Scratch;
    type Open = Id;

    fn read(&self, row: &[u8], scratch: &mut Scratch) -> Result<Id, Outcome> {
        if let Some(Canonical { signed, id }) = canonical::read(row, &mut scratch.text) {
            trim_buffer(&mut scratch.text);
            let matches = id == signed.message;
            scratch.read.push(signed);
            return Ok(if matches { Id::Matches } else { Id::Differs });
        }
        let event = &mut scratch.event;
        let read = event.parse(row).map_err(Outcome::malformed).map(|()| {
            let matches =
                id_of(event) == event.id || event.has_other_controls && id_with_json_escapes(event) == event.id;
            scratch.read.push(SchnorrRow { message: event.id, signature: event.sig, key: event.pubkey });
            if matches { Id::Matches } else { Id::Differs }
        });
        trim_buffer(&mut event.tags);
        trim_buffer(&mut event.content);
        read
    }

    fn verify(&self, scratch: &mut Scratch) {
        let Scratch { read, checked, verdicts, .. } = scratch;
        std::mem::swap(read, checked);
        read.clear();
        verdicts.clear();
        self.schnorr.verify_each(checked, verdicts);
    }

    fn close(&self, id: Id, index: usize, scratch: &Scratch) -> Outcome {
        let signed = scratch.verdicts.get(index) == Some(&true);
        let key_is_point =
            || scratch.checked.get(index).is_some_and(|row| XOnlyPublicKey::from_bytes(&row.key).is_ok());
        match (id, signed) {
            (Id::Matches, true) => Outcome::valid(),
            (Id::Matches, false) if key_is_point() => Outcome::invalid(SIGNATURE_FAILS),
            (Id::Matches, false) => Outcome::invalid("public key not on curve"),
            (Id::Differs, true) => Outcome::invalid("id does not match content"),
            (Id::Differs, false) if key_is_point() => {
                Outcome::invalid("id does not match content; signature does not verify for the stated id")
            }
            (Id::Differs, false) => Outcome::invalid("id does not match content; public key not on curve"),
        }
    }
}

/// The id of an event as NIP-01 writes it.
#[must_use]
pub fn id_of(event: &Event) -> [u8; 32] {
    id_over(event, &event.tags, &event.content)
}

/// The id of an event whose control characters are written as JSON writes them.
fn id_with_json_escapes(event: &Event) -> [u8; 32] {
    // In the canonical text a control byte is one that NIP-01 left as it is.
    let escape = |text: &[u8]| {
        let mut out = Vec::with_capacity(text.len() + 64);
        for &byte in text {
            if byte < 0x20 {
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(const_hex::encode([byte]).as_bytes());
            } else {
                out.push(byte);
            }
        }
        out
    };
    id_over(event, &escape(&event.tags), &escape(&event.content))
}

fn id_over(event: &Event, tags: &[u8], content: &[u8]) -> [u8; 32] {
    // [0,"…64 digits…",-9223372036854775808,65535,
    let mut head = [0u8; 128];
    let mut writer = Head { bytes: &mut head, length: 0 };
    writer.put(b"[0,\"");
    writer.put(const_hex::Buffer::<32>::new().format(&event.pubkey).as_bytes());
    writer.put(b"\",");
    writer.put_decimal(event.created_at);
    writer.put(b",");
    writer.put_decimal(event.kind.into());
    writer.put(b",");
    let length = writer.length;
    let mut hash = Sha256::new();
    hash.update(head.get(..length).unwrap_or_default());
    hash.update(tags);
    hash.update(b",\"");
    hash.update(content);
    hash.update(b"\"]");
    hash.finalize().into()
}

/// Text written into an array that is long enough for it.
struct Head<'a> {
    bytes: &'a mut [u8; 128],
    length: usize,
}

impl Head<'_> {
    fn put(&mut self, text: &[u8]) {
        if let Some(to) = self.bytes.get_mut(self.length..self.length + text.len()) {
            to.copy_from_slice(text);
            self.length += text.len();
        }
    }

    fn put_decimal(&mut self, n: i128) {
        let mut digits = [0u8; 40];
        let mut at = digits.len();
        let mut rest = n.unsigned_abs();
        loop {
            at -= 1;
            if let Some(digit) = digits.get_mut(at) {
                *digit = b'0' + (rest % 10).to_le_bytes()[0];
            }
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if n < 0 {
            self.put(b"-");
        }
        self.put(digits.get(at..).unwrap_or_default());
    }
}
