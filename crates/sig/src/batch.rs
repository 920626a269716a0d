//! Many equations g·G + f·K = R at once: Σ wᵢ·(gᵢ·G + fᵢ·Kᵢ − Rᵢ) = O for random weights wᵢ.
//!
//! | scheme | g | f | K | R |
//! |---|---|---|---|---|
//! | BIP340 signature (r, s) | s | −e | the key | x = r, y even |
//! | ECDSA signature (r, s) with its recovery id | z/s | r/s | the key | x = r or r + n, y as the id says |
//! | taproot output | t | 1 | the internal key | the output key |
//!
//! 1. Every range and encoding is checked as a single verification checks it (`equations`); keys and R are lifted in lanes.
//! 2. Weights w = a + b·λ come from a hash of all that was handed in and the system's randomness (`weights`).
//! 3. The sum, with rows of one key (`keys`) and all multiples of G taken together: for each R two multiples of 63 bits, for
//!    each key two of 128 (`combination`, [`msm::vartime::sum`]).
//! 4. If it is O, every equation holds; if not, parts of it are looked at, and in the end single equations (`narrow`).
//!
//! Soundness: the group has prime order n and all points are on the curve. Let Dᵢ = gᵢ·G + fᵢ·Kᵢ − Rᵢ. If some Dⱼ ≠ O then, for
//! any choice of the other weights, at most one value of wⱼ mod n makes the sum O, and wⱼ takes 2^128 different values with equal
//! probability: the sum is O with probability at most 2^−128. The sums that narrowing may look at are those of fixed parts, fewer
//! than 2m of m equations, so the probability that an equation is taken wrongly is below 2m/2^128. A sum that is not O
//! proves nothing about one equation: none is refused but by itself.
//!
//! Cost: see [`msm`]; beyond that a square root for each R and each key, and some three products mod n a row. All variable time.
//! Source: M. Bellare, J. Garay, T. Rabin, "Fast batch verification for modular exponentiation and digital signatures",
//! EUROCRYPT 1998; BIP340, "Batch verification".

mod choose;
mod combination;
mod equations;
mod keys;
mod narrow;
#[cfg(test)]
mod tests;
mod weights;

pub(crate) use choose::SUMMED_FROM;

use crate::many::Verdict;
use alloc::vec::Vec;
use combination::Products;
use curve::CurveParams;
use equations::Equation;
use field::ops::WordsOf;
use field::{Backends, FieldOps, Row, Scalar};
use keys::Keys;
use weights::{Transcript, Weight};

/// Equations, the memory to settle them in, and the backends to do it with.
pub struct Batch<C: CurveParams, B: Backends<C::Field, C::Order>> {
    b: B,
    transcript: Transcript,
    /// Does the transcript begin with randomness?
    is_random: bool,
    keys: Keys<C>,
    equations: Vec<Equation<C>>,
    /// z and r of ECDSA are to be divided by these: the equation's number and s.
    divisors: Vec<(u32, Scalar<C::Order>)>,
    /// R, then λ·R, then the keys, λ times the keys, G and λ·G.
    points: Vec<Row<WordsOf<C::Field>>>,
    /// 0 for equations that are settled.
    weights: Vec<Weight>,
    /// w·g and w·f.
    products: Vec<Products<C::Order>>,
    /// Σ w·f of each key, all zero between two sums.
    sums: Vec<Scalar<C::Order>>,
    entries: Vec<msm::vartime::Entry>,
    workspace: msm::Workspace<B::Bulk>,
}

impl<C: CurveParams, B: Backends<C::Field, C::Order>> Batch<C, B> {
    /// What sums may use where nobody says otherwise.
    pub const DEFAULT_WORKSPACE_BYTES: usize = 8 << 20;

    /// No equations. `workspace_bytes`: what sums may use, see [`msm::Workspace::within`].
    #[must_use]
    pub fn new(b: B, workspace_bytes: usize) -> Self {
        Self {
            b,
            transcript: Transcript::new(&[0; 32], 0),
            is_random: false,
            keys: Keys::new(),
            equations: Vec::new(),
            divisors: Vec::new(),
            points: Vec::new(),
            weights: Vec::new(),
            products: Vec::new(),
            sums: Vec::new(),
            entries: Vec::new(),
            workspace: msm::Workspace::within(workspace_bytes),
        }
    }

    /// The numbers up to `most` of equations from which on something is done in another way than for one less.
    pub(crate) fn crossovers(most: usize) -> impl Iterator<Item = usize> {
        let plan = |equations| [1, equations].map(|keys| choose::plan(equations, keys, B::Lanes::LANES));
        let blocks = [equations::SCHNORR_TOGETHER, equations::DIVIDED_TOGETHER, narrow::GROUPS * B::Lanes::LANES];
        (2..=most).filter(move |&n| plan(n) != plan(n - 1)).chain(blocks.map(|block| block + 1))
    }

    /// Forgets all equations and starts anew, with room for so many.
    ///
    /// `entropy`: 32 bytes of the operating system's generator; with the number they are used once. Whoever can foretell them can
    /// make wrong signatures that are taken for right ones. Without them no equations are summed.
    pub fn start(&mut self, equations: usize, entropy: Option<&[u8; 32]>, number: u64) {
        self.is_random = entropy.is_some();
        self.transcript = Transcript::new(entropy.unwrap_or(&[0; 32]), number);
        self.keys.clear(equations, self.transcript.clone().hash_function());
        self.equations.clear();
        self.equations.reserve(equations);
        self.divisors.clear();
    }

    /// How many equations there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.equations.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.equations.is_empty()
    }

    /// Is it worth while, and possible, to sum so many equations? Fewer are checked one by one, and so are all without randomness.
    #[must_use]
    pub fn is_summed(&self, equations: usize) -> bool {
        self.is_random && equations >= choose::summed_from(B::Lanes::LANES)
    }

    /// Settles all equations: each gets its verdict at its place in `verdicts`.
    pub fn settle(&mut self, verdicts: &mut [Verdict]) {
        self.divide();
        self.lift_keys(verdicts);
        let all = 0..self.equations.len();
        if !self.is_summed(all.len()) || !self.probe(verdicts) {
            self.check_each(all, verdicts);
            return;
        }
        self.lift_nonces(verdicts);
        self.weigh();
        let sum = self.sum(all.clone());
        if self.is_infinite(&sum) {
            self.accept(all, verdicts);
        } else {
            self.narrow(all, &sum, verdicts);
        }
    }
}
