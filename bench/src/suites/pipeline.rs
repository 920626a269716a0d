//! Suite `pipeline`: whole rows of a file, by the loop of `windlass verify` on one thread.
//!
//! Sample rows in memory, one a line; reading, splitting into rows, parsing, hashing and the count of verdicts are the same code
//! on both sides, and only the check of the signature is the library's own: in row `nostr` a BIP340 verification from bytes, in
//! row `ethereum` the recovery of the sender's key.

use std::hint::black_box;
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use windlass::LowS;
use windlass::ecdsa::{RecoveryId, Signature};
use windlass_cli::chunks::{Chunks, Grammar};
use windlass_cli::detect::Format;
use windlass_cli::ethereum::EthereumCheck;
use windlass_cli::nostr::NostrCheck;
use windlass_cli::pipeline::{self, Options};
use windlass_cli::row::{RowCheck, Verdict};
use windlass_cli::sample;
use windlass_cli::signatures::{RecoverKey, SchnorrCheck, Windlass};

use crate::libraries::libsecp256k1::{self, LibSecp256k1};
use crate::library::{Answer, Job, Library};
use crate::rig::{Contender, Expects, Plan};

/// The suite's name.
pub(crate) const NAME: &str = "pipeline";

/// What the rows of a file are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Row {
    Nostr,
    Ethereum,
}

/// Distinct rows; about a megabyte of text.
const ROWS: u64 = 2048;
/// Damaged rows, each of which has to be refused.
const SPOILED: u64 = 20;

/// The checks by libsecp256k1.
struct Theirs;

/// The key lifted from its 32 bytes, then the signature.
impl SchnorrCheck for Theirs {
    fn verifies(&self, message: &[u8; 32], signature: &[u8; 64], key: &[u8; 32]) -> bool {
        libsecp256k1::verify_schnorr_bytes(message, signature, key).is_some()
    }
}

impl RecoverKey for Theirs {
    fn recover(&self, digest: &[u8; 32], signature: &Signature, id: RecoveryId) -> Option<[u8; 65]> {
        libsecp256k1::recover_bytes(digest, &signature.to_compact(), id.to_u8())
    }
}

/// The loop over some text.
struct Loop<C> {
    text: Arc<[u8]>,
    check: Arc<C>,
}

impl<C: RowCheck + Send + Sync + 'static> Loop<C> {
    fn boxed(text: &Arc<[u8]>, check: C) -> Box<dyn Job> {
        Box::new(Self { text: Arc::clone(text), check: Arc::new(check) })
    }
}

impl<C: RowCheck + Send + Sync + 'static> Job for Loop<C> {
    fn pass(&self) {
        let chunks = Chunks::new(Cursor::new(Arc::clone(&self.text)), Grammar::Lines);
        let options = Options::counting(NonZeroUsize::MIN);
        let counts = pipeline::run(chunks, &self.check, &options, &AtomicBool::new(false), |_| Ok::<(), ()>(()));
        let _ = black_box(counts.is_ok());
    }

    fn answers(&self) -> Vec<Answer> {
        let mut scratch = Default::default();
        let rows = self.text.split(|&byte| byte == b'\n').filter(|row| !row.is_empty());
        rows.map(|row| Answer::of_verdict(self.check.check(row, &mut scratch).verdict == Verdict::Valid)).collect()
    }
}

impl Row {
    pub(crate) const ALL: [Row; 2] = [Row::Nostr, Row::Ethereum];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Row::Nostr => "nostr",
            Row::Ethereum => "ethereum",
        }
    }

    /// `rows` sample rows, `bad` of them damaged.
    fn text(self, rows: u64, bad: u64) -> Result<Arc<[u8]>> {
        let format = match self {
            Row::Nostr => Format::Nostr,
            Row::Ethereum => Format::Ethereum,
        };
        let mut text = Vec::new();
        sample::write(&sample::Args { format, rows, seed: 1, bad }, &mut text)?;
        Ok(text.into())
    }

    /// The loop over `text` with these checks.
    fn job<S>(self, text: &Arc<[u8]>, check: S) -> Box<dyn Job>
    where
        S: SchnorrCheck + RecoverKey + Send + Sync + 'static,
    {
        match self {
            Row::Nostr => Loop::boxed(text, NostrCheck::new(check)),
            Row::Ethereum => Loop::boxed(text, EthereumCheck::new(check, LowS::Required)),
        }
    }

    /// The row with libsecp256k1, where it is among `peers`, and windlass on each of `engines`.
    pub(crate) fn plan(self, peers: &[&dyn Library], engines: &[&'static str]) -> Result<Plan> {
        let (text, spoiled) = (self.text(ROWS, 0)?, self.text(SPOILED, SPOILED)?);
        let mut contenders = Vec::new();
        if peers.iter().any(|peer| peer.name() == LibSecp256k1.name()) {
            let (library, package) = (LibSecp256k1.name(), LibSecp256k1.package());
            let (job, other) = (self.job(&text, Theirs), self.job(&spoiled, Theirs));
            contenders.push(Contender { library, package, engine: None, job, other });
        }
        for &engine in engines {
            let (job, other) = (self.job(&text, Windlass), self.job(&spoiled, Windlass));
            contenders.push(Contender { library: "windlass", package: "windlass", engine: Some(engine), job, other });
        }
        let (row, inputs) = (self.name().to_owned(), ROWS as usize);
        Ok(Plan { suite: NAME, row, inputs, expects: Expects::Refusals, contenders })
    }
}
