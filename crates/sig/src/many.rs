//! Rows of any kind and number, each with its verdict: the front door of lanes and batches.
//!
//! | row | few of them, or no randomness | many |
//! |---|---|---|
//! | ECDSA | lanes | lanes |
//! | ECDSA with a recovery id, BIP340, taproot | lanes | a random linear combination ([`batch`](crate::batch)) |
//!
//! What is picked, the size of chunks and the backend decide the speed and never a verdict: that is the one of the function for
//! a single signature. Memory is a matter of the cap, not of how many rows there are. Variable time.

use crate::batch::Batch;
use crate::each::ROWS_AT_ONCE;
use crate::ecdsa::{self, LowS};
use crate::error::{Invalid, ParseError};
use crate::schnorr;
use alloc::vec::Vec;
use curve::encode::Encoded;
use curve::{CurveParams, Parity};
use field::{Backends, Prime, Scalar};

/// What is to be verified. Keys are as they came: parsed, or an encoding whose point is not looked for yet.
#[derive(Clone, Copy)]
pub enum Row<'a, C: CurveParams> {
    /// As [`ecdsa::verify_digest`].
    Ecdsa {
        /// The digest that was signed.
        digest: &'a [u8; 32],
        /// The signature.
        signature: ecdsa::Signature<C::Order>,
        /// The signer's key.
        key: Encoded<C>,
        /// Is s of the upper half refused?
        low_s: LowS,
    },
    /// ECDSA where the recovery id is known beside the key: [`ecdsa::recover()`] gives this key.
    EcdsaRecoverable(ecdsa::RecoverableRow<'a, C>),
    /// As [`schnorr::verify`].
    Schnorr {
        /// The message that was signed, of any length.
        message: &'a [u8],
        /// x(R), then s.
        signature: &'a [u8; 64],
        /// The signer's key, of even y.
        key: Encoded<C>,
    },
    /// The output key is the internal key plus t·G, t being BIP341's tweak for this root.
    TaprootTweak {
        /// The internal key, of even y.
        internal: Encoded<C>,
        /// The root of the script tree, if there is one.
        merkle_root: Option<&'a [u8; 32]>,
        /// x of the output key.
        output: &'a [u8; 32],
        /// The parity of the output key's y.
        parity: Parity,
    },
}

/// What a row turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It verifies.
    Valid,
    /// Well-formed, but it does not verify.
    Invalid,
    /// Its key, or else its ECDSA signature, can't be parsed.
    Malformed(ParseError),
}

impl Verdict {
    /// Does the row verify?
    #[must_use]
    pub fn is_valid(self) -> bool {
        self == Self::Valid
    }
}

impl From<Result<(), Invalid>> for Verdict {
    fn from(result: Result<(), Invalid>) -> Self {
        if result.is_ok() { Self::Valid } else { Self::Invalid }
    }
}

/// Fewer rows are never summed, whatever the backend: they need no randomness.
pub const SUMMED_FROM: usize = crate::batch::SUMMED_FROM;

/// Rows that are worked on together at most: more are not faster (1024: 2.47 µs a row, 4096: 2.46).
const MAX_CHUNK: usize = 4096;
/// And at least, however little memory there is.
const MIN_CHUNK: usize = 64;

/// Verifies all rows: `verdicts[i]` is that of `rows[i]`, for as many as both have. `view` tells what a row is, or its verdict
/// where that is known already.
///
/// `entropy`: 32 bytes of the operating system's generator, drawn for this call alone. Whoever can foretell them can make wrong
/// signatures that are taken for right ones; without them rows are only verified one by one.
///
/// `memory_bytes`: how much memory is used at most beside rows and verdicts; less than 2 MiB counts as that.
pub fn verify<'a, C, B, R>(
    b: B,
    rows: &'a [R],
    view: impl Fn(&'a R) -> Result<Row<'a, C>, Verdict>,
    entropy: Option<&[u8; 32]>,
    memory_bytes: usize,
    verdicts: &mut [Verdict],
) where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    let chunk = chunk(rows.len(), memory_bytes);
    let mut batch = Batch::new(b, memory_bytes / 2);
    let (mut ecdsa, mut schnorr) = (Alone::new(), Alone::new());
    for (number, (rows, verdicts)) in (0..).zip(rows.chunks(chunk).zip(verdicts.chunks_mut(chunk))) {
        batch.start(rows.len(), entropy, number);
        for ((at, row), verdict) in (0..).zip(rows).zip(&mut *verdicts) {
            let pushed = match view(row) {
                Err(known) => {
                    *verdict = known;
                    continue;
                }
                Ok(Row::Schnorr { message, signature, key }) => {
                    schnorr.push(at, schnorr::VerifyRow { message, signature, key })
                }
                Ok(Row::Ecdsa { digest, signature, key, low_s }) => {
                    ecdsa.push(at, ecdsa::VerifyRow { z: Scalar::from_digest(digest), signature, key, low_s })
                }
                Ok(Row::EcdsaRecoverable(row)) => batch.push_recoverable(at, &row),
                Ok(Row::TaprootTweak { internal, merkle_root, output, parity }) => {
                    batch.push_taproot(at, &internal, merkle_root, output, parity)
                }
            };
            if let Err(error) = pushed {
                *verdict = Verdict::Malformed(error);
            }
        }
        if batch.is_summed(batch.len() + schnorr.rows.len()) {
            batch.push_schnorr(&schnorr.at, &schnorr.rows, verdicts);
            schnorr.clear();
        }
        batch.settle(verdicts);
        ecdsa.settle(verdicts, |rows, verdicts| ecdsa::verify_each(b, rows, verdicts));
        schnorr.settle(verdicts, |rows, verdicts| schnorr::verify_each(b, rows, verdicts));
    }
}

/// What working on so many rows takes at most, as `windlass/tests/memory_cap.rs` counts it on every engine: the first bytes
/// are the lanes' own, few rows are summed with tables for each, many with little.
const FIRST_BYTES: usize = 1 << 20;
const FEW: usize = 512;
const BYTES_OF_FEW: usize = 8 << 10;
const BYTES_OF_MORE: usize = 3 << 10;

/// How many rows are worked on together, in equal chunks.
fn chunk(rows: usize, memory_bytes: usize) -> usize {
    let left = memory_bytes.saturating_sub(FIRST_BYTES);
    let few = (left / BYTES_OF_FEW).min(FEW);
    let more = left.saturating_sub(FEW * BYTES_OF_FEW) / BYTES_OF_MORE;
    let chunks = rows.div_ceil((few + more).clamp(MIN_CHUNK, MAX_CHUNK)).max(1);
    rows.div_ceil(chunks).max(1)
}

/// The numbers of rows from which on something is done in another way than for one less, in ascending order: sums, their
/// methods, how they are taken apart, blocks that are full, the second chunk. Tests plant faults around them.
#[doc(hidden)]
pub fn crossovers<C, B>(_b: B, memory_bytes: usize) -> Vec<usize>
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    let most = (1..).find(|&rows| chunk(rows, memory_bytes) < rows).unwrap_or(MAX_CHUNK);
    let mut found: Vec<usize> = Batch::<C, B>::crossovers(most).filter(|&rows| rows < most).collect();
    found.extend(curve::vartime::EACH_CROSSOVERS);
    found.extend([ROWS_AT_ONCE + 1, most]);
    found.sort_unstable();
    found.dedup();
    found
}

/// Rows of one kind that are verified one by one, in lanes, and where their verdicts go.
struct Alone<T> {
    rows: Vec<T>,
    at: Vec<u32>,
    verdicts: Vec<Verdict>,
}

impl<T> Alone<T> {
    fn new() -> Self {
        Self { rows: Vec::new(), at: Vec::new(), verdicts: Vec::new() }
    }

    fn push(&mut self, at: u32, row: T) -> Result<(), ParseError> {
        self.rows.push(row);
        self.at.push(at);
        Ok(())
    }

    /// Brings the verdicts of all rows to their places, and forgets the rows.
    fn settle(&mut self, verdicts: &mut [Verdict], verify: impl FnOnce(&[T], &mut [Verdict])) {
        self.verdicts.clear();
        self.verdicts.resize(self.rows.len(), Verdict::Invalid);
        verify(&self.rows, &mut self.verdicts);
        for (at, verdict) in self.at.iter().zip(&self.verdicts) {
            if let Some(place) = verdicts.get_mut(*at as usize) {
                *place = *verdict;
            }
        }
        self.clear();
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.at.clear();
    }
}
