//! Suite `pipeline`: whole rows of a file, by the loop of `windlass verify` on one thread.
//!
//! Row `nostr`: sample events in memory, one a line; reading, splitting into rows, JSON, the id's hash and the count of verdicts
//! are the same code on both sides, and only the check of the signature is the library's own.

use std::hint::black_box;
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use windlass_cli::chunks::{Chunks, Grammar};
use windlass_cli::detect::Format;
use windlass_cli::nostr::{NostrCheck, SchnorrCheck, Windlass};
use windlass_cli::pipeline::{self, Options};
use windlass_cli::row::{RowCheck, Verdict};
use windlass_cli::sample;

use crate::libraries::libsecp256k1::{self, LibSecp256k1};
use crate::library::{Answer, Job, Library};
use crate::rig::{Contender, Expects, Plan};

/// The suite's name.
pub(crate) const NAME: &str = "pipeline";

/// The one row.
pub(crate) const NOSTR: &str = "nostr";

/// Distinct events; about a megabyte of text.
const EVENTS: u64 = 2048;
/// Damaged events, each of which has to be refused.
const SPOILED: u64 = 20;

/// The check of signatures by libsecp256k1: the key lifted from its 32 bytes, then the signature.
struct Theirs;

impl SchnorrCheck for Theirs {
    fn verifies(&self, message: &[u8; 32], signature: &[u8; 64], key: &[u8; 32]) -> bool {
        libsecp256k1::verify_schnorr_bytes(message, signature, key).is_some()
    }
}

/// The loop over some text.
struct Loop<S> {
    text: Arc<[u8]>,
    check: Arc<NostrCheck<S>>,
}

impl<S: SchnorrCheck + Send + Sync + 'static> Loop<S> {
    fn boxed(text: &Arc<[u8]>, check: S) -> Box<dyn Job> {
        Box::new(Self { text: Arc::clone(text), check: Arc::new(NostrCheck::new(check)) })
    }
}

impl<S: SchnorrCheck + Send + Sync + 'static> Job for Loop<S> {
    fn pass(&self) {
        let chunks = Chunks::new(Cursor::new(Arc::clone(&self.text)), Grammar::Lines);
        let options = Options::counting(NonZeroUsize::MIN);
        let counts = pipeline::run(chunks, &self.check, &options, &AtomicBool::new(false), |_| Ok::<(), ()>(()));
        let _ = black_box(counts.is_ok());
    }

    fn answers(&self) -> Vec<Answer> {
        let mut scratch = Default::default();
        let rows = self.text.split(|&byte| byte == b'\n').filter(|row| !row.is_empty());
        rows.map(|row| match self.check.check(row, &mut scratch).verdict {
            Verdict::Valid => Answer::Is(Vec::new()),
            _ => Answer::Refused,
        })
        .collect()
    }
}

/// `rows` sample events, `bad` of them damaged.
fn events(rows: u64, bad: u64) -> Result<Arc<[u8]>> {
    let mut text = Vec::new();
    sample::write(&sample::Args { format: Format::Nostr, rows, seed: 1, bad }, &mut text)?;
    Ok(text.into())
}

/// The row with libsecp256k1, where it is among `peers`, and windlass on each of `engines`.
pub(crate) fn plan(peers: &[&dyn Library], engines: &[&'static str]) -> Result<Plan> {
    let (text, spoiled) = (events(EVENTS, 0)?, events(SPOILED, SPOILED)?);
    let mut contenders = Vec::new();
    if peers.iter().any(|peer| peer.name() == LibSecp256k1.name()) {
        let (library, package) = (LibSecp256k1.name(), LibSecp256k1.package());
        let (job, other) = (Loop::boxed(&text, Theirs), Loop::boxed(&spoiled, Theirs));
        contenders.push(Contender { library, package, engine: None, job, other });
    }
    for &engine in engines {
        let (job, other) = (Loop::boxed(&text, Windlass), Loop::boxed(&spoiled, Windlass));
        contenders.push(Contender { library: "windlass", package: "windlass", engine: Some(engine), job, other });
    }
    Ok(Plan { suite: NAME, row: NOSTR.to_owned(), inputs: EVENTS as usize, expects: Expects::Refusals, contenders })
}
