//! `windlass sample`: signed rows of any number, the same for the same seed, some of them spoiled.
//!
//! Rows are made in [`blocks`] by several threads. What a row is depends on the seed and its number alone, its nonces on
//! the block besides: so the text is the same whatever the number of threads.

mod blocks;
mod csv;
mod ethereum;
mod nostr;
mod random;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;

use windlass::ecdsa;
use windlass::vartime::known_nonces::{KnownKey, KnownNonce, consecutive};

use crate::detect::Format;
use crate::ethereum::address_of;
use crate::failure::Failure;
use crate::{exit, threads};
use random::Random;

/// Write signed rows to standard output
#[derive(Debug, clap::Args)]
#[command(after_long_help = HELP)]
pub struct Command {
    #[command(flatten)]
    sample: Args,

    /// How many threads make rows, which are the same with any number [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads::parse)]
    threads: Option<NonZeroUsize>,
}

/// Which rows.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// What the rows are
    #[arg(value_enum)]
    pub format: Format,

    /// How many rows
    #[arg(short = 'n', long = "rows", value_name = "N")]
    pub rows: u64,

    /// The same seed gives the same rows
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// How many of the rows are spoiled, at places that the seed chooses
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub bad: u64,
}

const HELP: &str = "\
Spoiled rows take these ways in turn, and `windlass verify` finds each of them:
  nostr     content changed after signing; a bit of the signature flipped; a public key that is no point; the line
            cut short; no `sig`
  ethereum  another sender stated; s in the upper half; a byte of the call data changed after signing; r = 0; the
            transaction cut short
  csv       a bit of the digest flipped; s in the upper half; a signature by another key; a byte after the DER
            signature; a public key that is no point; a column missing

The secret keys and the nonces are made from the seed: they are known to everybody.

Examples:
  windlass sample nostr -n 1000000 > events.jsonl
  windlass sample csv -n 1000 --seed 7 --bad 10 | windlass verify - --format csv";

/// How a spoiled row is spoiled: a number that counts the spoiled rows from 0.
type Way = u64;

/// A format that can be made. Each thread has one.
trait Rows: Send {
    /// Appends row `index`, without the line break. `None` where a value that is random had to be another: once
    /// in 2^128.
    fn row(
        &mut self,
        index: u64,
        random: &mut Random,
        nonces: &mut Nonces,
        spoil: Option<Way>,
        out: &mut Vec<u8>,
    ) -> Option<()>;
}

/// Runs it. The exit code.
pub fn run(command: &Command) -> Result<u8, Failure> {
    let threads = command.threads.unwrap_or_else(threads::one_a_core);
    write_by(&command.sample, threads, io::stdout().lock())?;
    Ok(exit::ALL_VALID)
}

/// Writes the rows to `out`, made by this thread.
pub fn write(args: &Args, out: impl Write) -> Result<(), Failure> {
    write_by(args, NonZeroUsize::MIN, out)
}

/// Writes the rows to `out`, made by so many threads.
pub fn write_by(args: &Args, threads: NonZeroUsize, mut out: impl Write) -> Result<(), Failure> {
    if args.bad > args.rows {
        return Err(Failure::new(format!("--bad {} of {} rows", args.bad, args.rows)));
    }
    let keys = Keys::new(args.seed).ok_or_else(|| Failure::new("this seed gives a secret key that is no scalar"))?;
    let keys = Arc::new(keys);
    let rows = || -> Box<dyn Rows> {
        let keys = Arc::clone(&keys);
        match args.format {
            Format::Nostr => Box::new(nostr::Events::new(keys)),
            Format::Ethereum => Box::new(ethereum::Transactions { keys }),
            Format::Csv => Box::new(csv::Records { keys }),
        }
    };
    let header = if args.format == Format::Csv { csv::HEADER } else { "" };
    let written = out.write_all(header.as_bytes()).map_err(blocks::Stopped::Write);
    let written = written.and_then(|()| blocks::write(args, threads, &rows, &mut out));
    written.and_then(|()| out.flush().map_err(blocks::Stopped::Write)).map_err(|stopped| match stopped {
        blocks::Stopped::Write(e) => Failure::writing("the rows", &e),
        blocks::Stopped::Thread(e) => Failure::new(format!("cannot start a thread: {e}")),
        blocks::Stopped::WorkerDied => Failure::new("a worker died: this is a fault of windlass"),
    })
}

/// Makes the rows of one block, each with a line break.
fn write_block(args: &Args, block: &blocks::Block, rows: &mut dyn Rows, out: &mut Vec<u8>) {
    let mut nonces = Nonces::new(args.seed, args.format, block.number);
    let mut spoiled = block.spoiled.iter().peekable();
    for index in block.rows.clone() {
        let way = spoiled.next_if(|(spoiled, _)| *spoiled == index).map(|&(_, way)| way);
        let start = out.len();
        let mut attempt = 0;
        loop {
            let mut random = Random::new(args.seed, args.format.name(), index).skip(attempt);
            if rows.row(index, &mut random, &mut nonces, way, out).is_some() {
                break;
            }
            out.truncate(start);
            attempt += 1;
        }
        out.push(b'\n');
    }
}

/// The nonces of a block, as many as its rows take.
struct Nonces {
    start: Random,
    ready: std::vec::IntoIter<KnownNonce>,
}

impl Nonces {
    /// More than needed is lost at the end of a block; fewer share an inversion.
    const BATCH: usize = 64;

    fn new(seed: u64, format: Format, block: u64) -> Self {
        let start = Random::new(seed, &format!("nonces of {}", format.name()), block);
        Self { start, ready: Vec::new().into_iter() }
    }

    fn next(&mut self) -> KnownNonce {
        loop {
            match self.ready.next() {
                Some(nonce) => return nonce,
                None => self.ready = consecutive(&self.start.bytes(), Self::BATCH).into_iter(),
            }
        }
    }
}

/// A key that signs samples, with what rows show of it.
struct Signer {
    key: KnownKey,
    x: [u8; 32],
    address: [u8; 20],
}

/// The signers.
struct Keys {
    signers: Vec<Signer>,
}

impl Keys {
    /// More than a branch predictor or a cache learns.
    const COUNT: u64 = 1024;

    fn new(seed: u64) -> Option<Self> {
        let signer = |i| {
            let key = KnownKey::from_bytes(&Random::new(seed, "secret key", i).bytes()).ok()?;
            let (x, address) = (key.public().x_only().0.to_bytes(), address_of(key.public()));
            Some(Signer { key, x, address })
        };
        Some(Self { signers: (0..Self::COUNT).map(signer).collect::<Option<_>>()? })
    }

    fn pick(&self, random: &mut Random) -> Option<&Signer> {
        self.signers.get(usize::try_from(random.below(Self::COUNT)).ok()?)
    }

    /// A key that is not this one.
    fn other<'a>(&'a self, signer: &'a Signer) -> &'a Signer {
        self.signers.iter().find(|other| other.x != signer.x).unwrap_or(signer)
    }
}

/// x of no point of the curve.
fn x_off_curve(random: &mut Random) -> [u8; 32] {
    loop {
        let x = random.bytes();
        if windlass::XOnlyPublicKey::from_bytes(&x).is_err() {
            return x;
        }
    }
}

/// Appends bytes as hex.
fn push_hex(out: &mut Vec<u8>, bytes: &[u8]) {
    let start = out.len();
    out.resize(start + 2 * bytes.len(), 0);
    // The place is as long as the digits.
    let _ = const_hex::encode_to_slice(bytes, out.get_mut(start..).unwrap_or_default());
}

/// (r, n - s): for ECDSA the same signature again, in the other half.
fn with_other_s(signature: &ecdsa::Signature) -> Option<ecdsa::Signature> {
    /// The order of the group.
    const N: [u8; 32] = [
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xba, 0xae,
        0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
    ];
    let mut bytes = signature.to_compact();
    let mut borrow = false;
    for (s, n) in bytes.iter_mut().rev().zip(N.iter().rev()) {
        let (difference, under) = n.overflowing_sub(*s);
        let (difference, under_again) = difference.overflowing_sub(borrow.into());
        (*s, borrow) = (difference, under || under_again);
    }
    ecdsa::Signature::from_compact(&bytes).ok()
}
