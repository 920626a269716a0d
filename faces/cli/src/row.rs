//! A row, its verdict, and what a format must offer to be verified.

use std::borrow::Cow;

/// What a row turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The signature verifies, and everything the row states agrees with it.
    Valid,
    /// The row could be read, and it does not hold: a signature that does not verify, an id or a sender that
    /// is not the stated one, a value out of range, an encoding that the options refuse.
    Invalid,
    /// The row could not be read: not the format's syntax, a missing field, a wrong length.
    Malformed,
}

impl Verdict {
    /// The word for it in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Valid => "valid",
            Verdict::Invalid => "invalid",
            Verdict::Malformed => "malformed",
        }
    }
}

/// An Ethereum address that a row's signature gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sender {
    /// The last 20 bytes of the key's Keccak-256.
    pub address: [u8; 20],
    /// Is it written with 0x in front? It follows the row's own style.
    pub prefixed: bool,
}

/// The verdict on a row and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is not valid; `None` for a valid row.
    pub reason: Option<Cow<'static, str>>,
    /// The sender, where one was recovered.
    pub sender: Option<Sender>,
}

impl Outcome {
    /// A row that holds.
    #[must_use]
    pub fn valid() -> Self {
        Self { verdict: Verdict::Valid, reason: None, sender: None }
    }

    /// A row that could be read and does not hold.
    #[must_use]
    pub fn invalid(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { verdict: Verdict::Invalid, reason: Some(reason.into()), sender: None }
    }

    /// A row that could not be read.
    #[must_use]
    pub fn malformed(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { verdict: Verdict::Malformed, reason: Some(bounded(reason.into())), sender: None }
    }
}

/// A format: how rows are read and verified. Rows are read one by one; their signatures are checked together.
///
/// It is called from several threads, each with a scratch of its own, which also keeps buffers from row to row.
pub trait RowCheck {
    /// Buffers that live as long as a worker, and the signatures of the rows that have been read.
    type Scratch: Default;
    /// What is known of a row whose signature has not been checked.
    type Open;

    /// Reads one row, without its line break: its outcome, if its signature doesn't matter any more, or else what was
    /// read, and the signature goes to `scratch`. Any bytes may come; none may panic.
    fn read(&self, row: &[u8], scratch: &mut Self::Scratch) -> Result<Self::Open, Outcome>;

    /// Checks the signatures of all rows that were read and left open since the last time.
    fn verify(&self, scratch: &mut Self::Scratch);

    /// The outcome of the row that was left open as number `index`, from 0, before the last [`verify`](Self::verify).
    fn close(&self, open: Self::Open, index: usize, scratch: &Self::Scratch) -> Outcome;

    /// The outcome of one row alone.
    fn check(&self, row: &[u8], scratch: &mut Self::Scratch) -> Outcome {
        match self.read(row, scratch) {
            Ok(open) => {
                self.verify(scratch);
                self.close(open, 0, scratch)
            }
            Err(outcome) => outcome,
        }
    }
}

/// The longest reason in bytes: a parser's message may quote its input, which may be long.
const REASON_BYTES: usize = 200;

fn bounded(reason: Cow<'static, str>) -> Cow<'static, str> {
    if reason.len() <= REASON_BYTES {
        return reason;
    }
    let end = (0..=REASON_BYTES).rev().find(|&i| reason.is_char_boundary(i)).unwrap_or(0);
    let kept = reason.get(..end).unwrap_or_default();
    Cow::Owned(format!("{kept}…"))
}

/// A buffer that a huge row blew up is given back, so that memory stays bounded whatever the number of threads.
pub fn trim_buffer(buffer: &mut Vec<u8>) {
    const KEPT_BYTES: usize = 1 << 20;
    buffer.clear();
    buffer.shrink_to(KEPT_BYTES);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_reason_is_cut_at_a_character() {
        let reason = Outcome::malformed("é".repeat(500)).reason.unwrap_or_default();
        assert!(reason.len() <= REASON_BYTES + '…'.len_utf8());
        assert!(reason.ends_with("é…"));
    }
}
