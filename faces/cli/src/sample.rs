//! `windlass sample`: signed rows of any number, the same for the same seed, some of them spoiled.

mod csv;
mod ethereum;
mod nostr;
mod random;

use std::io::{self, BufWriter, Write};

use windlass::{Keypair, SecretKey, ecdsa};

use crate::detect::Format;
use crate::exit;
use crate::failure::Failure;
use random::Random;

/// Write signed rows to standard output
#[derive(Debug, clap::Args)]
#[command(after_long_help = HELP)]
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

The secret keys are made from the seed: they are known to everybody.

Examples:
  windlass sample nostr -n 1000000 > events.jsonl
  windlass sample csv -n 1000 --seed 7 --bad 10 | windlass verify - --format csv";

/// How a spoiled row is spoiled: a number that counts the spoiled rows from 0.
type Way = u64;

/// A format that can be made.
trait Rows {
    /// The text before the first row.
    fn header(&self) -> &'static str {
        ""
    }

    /// Appends row `index`, without the line break. `None` where a value that is random had to be another: once
    /// in 2^128.
    fn row(&self, index: u64, random: &mut Random, spoil: Option<Way>, out: &mut Vec<u8>) -> Option<()>;
}

/// Runs it. The exit code.
pub fn run(args: &Args) -> Result<u8, Failure> {
    write(args, BufWriter::with_capacity(1 << 18, io::stdout().lock()))?;
    Ok(exit::ALL_VALID)
}

/// Writes the rows to `out`.
pub fn write(args: &Args, out: impl Write) -> Result<(), Failure> {
    if args.bad > args.rows {
        return Err(Failure::new(format!("--bad {} of {} rows", args.bad, args.rows)));
    }
    let keys = Keys::new(args.seed).ok_or_else(|| Failure::new("this seed gives a secret key that is no scalar"))?;
    let rows: Box<dyn Rows> = match args.format {
        Format::Nostr => Box::new(nostr::Events { keys }),
        Format::Ethereum => Box::new(ethereum::Transactions { keys }),
        Format::Csv => Box::new(csv::Records { keys }),
    };
    write_rows(args, rows.as_ref(), out).map_err(|e| Failure::writing("the rows", &e))
}

fn write_rows(args: &Args, rows: &dyn Rows, mut out: impl Write) -> io::Result<()> {
    out.write_all(rows.header().as_bytes())?;
    let mut choice = Random::new(args.seed, "spoiled rows", 0);
    let mut spoiled = 0;
    let mut line = Vec::new();
    for index in 0..args.rows {
        // Every set of `bad` rows is as likely as every other: (bad left) / (rows left).
        let spoil = (choice.below(args.rows - index) < args.bad - spoiled).then_some(spoiled);
        spoiled += u64::from(spoil.is_some());
        let mut attempt = 0;
        loop {
            line.clear();
            let mut random = Random::new(args.seed, args.format.name(), index).skip(attempt);
            if rows.row(index, &mut random, spoil, &mut line).is_some() {
                break;
            }
            attempt += 1;
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    out.flush()
}

/// The signers.
struct Keys {
    pairs: Vec<Keypair>,
}

impl Keys {
    /// More than a branch predictor or a cache learns.
    const COUNT: u64 = 1024;

    fn new(seed: u64) -> Option<Self> {
        let key = |i| SecretKey::from_bytes(&Random::new(seed, "secret key", i).bytes()).ok();
        let pairs = (0..Self::COUNT).map(|i| key(i).map(|key| Keypair::from_secret(&key))).collect::<Option<_>>()?;
        Some(Self { pairs })
    }

    fn pick(&self, random: &mut Random) -> Option<&Keypair> {
        self.pairs.get(usize::try_from(random.below(Self::COUNT)).ok()?)
    }

    /// A key that is not this one.
    fn other<'a>(&'a self, keypair: &'a Keypair) -> &'a Keypair {
        self.pairs.iter().find(|other| other.public() != keypair.public()).unwrap_or(keypair)
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
