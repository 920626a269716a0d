//! The random weights of a batch: w = a + b·λ with a and b uniform in −2^63 .. 2^63, two for each equation.
//!
//! 1. A hash takes in 32 bytes of the operating system's randomness, then all that is to be verified, row by row, with its kind,
//!    and the number of rows. With lanes, rows of 64 bytes go to 16 hashes in turn, whose results are hashed.
//! 2. The digest is the key of ChaCha20, whose stream is cut into pairs of 64-bit integers.
//!
//! Whoever knows the weights, or a relation between them, before he hands in his signatures can choose wrong ones that cancel
//! each other in the sum: (s₁ + 1, s₂ − 1) under equal weights. So nothing in them may be predictable. No test of verdicts would
//! see that they are; the tests below look at the weights themselves. The randomness alone would do where it is good; the hash
//! alone would do where it takes in everything; each covers for the other.
//!
//! a + b·λ takes 2^128 values mod n: no two of these pairs agree, as the lattice of (u, v) with u + vλ = 0 has no vector that
//! short. An equation that does not hold then stays out of a sum with probability 2^−128: see the head of [`batch`](super).
//!
//! Cost for a row: a compression of SHA-256 for each 64 bytes, and 16 bytes of the stream.
//! Sources: M. Bellare, J. Garay, T. Rabin, "Fast batch verification for modular exponentiation and digital signatures",
//! EUROCRYPT 1998 (the small exponents test); RFC 8439 (ChaCha20).

use crate::sha256_lanes::{self, States};
use crate::tagged_hash::INITIAL;
use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use field::{FieldOps, Task};
use sha2::{Digest, Sha256};

/// Distinguishes this use of SHA-256 from every other.
const DOMAIN: &[u8] = b"windlass/batch/weights";

/// a and b of the weight a + b·λ.
pub(super) type Weight = [i64; 2];

/// What is hashed of a batch.
#[derive(Clone)]
pub(super) struct Transcript {
    hash: Sha256,
    rows: u64,
    /// Hashes of their own of rows of 64 bytes, which end in `hash`.
    lanes: States,
    /// How many blocks each of these took in.
    groups: u64,
}

impl Transcript {
    /// For a batch with these random bytes, known to nobody, and this number: never used before together.
    pub(super) fn new(entropy: &[u8; 32], number: u64) -> Self {
        let hash = Sha256::new().chain_update(entropy).chain_update(number.to_be_bytes()).chain_update(DOMAIN);
        Self { hash, rows: 0, lanes: States::all(&INITIAL), groups: 0 }
    }

    /// Takes in a row: its kind, which says how long the parts are, and all parts on which its equation depends.
    #[inline]
    pub(super) fn row(&mut self, kind: u8, parts: [&[u8]; 2]) {
        self.rows += 1;
        self.hash.update([kind]);
        for part in parts {
            self.hash.update(part);
        }
    }

    /// Takes in rows of one kind, each of two parts of 32 bytes.
    pub(super) fn pairs<F: FieldOps>(&mut self, f: F, kind: u8, pairs: &[[[u8; 32]; 2]]) {
        let rest = if F::LANES > 1 { self.pairs_in_lanes(f, pairs) } else { pairs };
        rest.iter().for_each(|[first, second]| self.row(kind, [first, second]));
    }

    /// The same side by side, but for the last ones, which don't fill the lanes of SHA-256.
    fn pairs_in_lanes<'a, F: FieldOps>(&mut self, f: F, pairs: &'a [[[u8; 32]; 2]]) -> &'a [[[u8; 32]; 2]] {
        let groups = pairs.chunks_exact(sha256_lanes::LANES);
        let rest = groups.remainder();
        for pairs in groups {
            self.groups += 1;
            f.outline(Absorb { lanes: &mut self.lanes, pairs });
        }
        rest
    }

    /// Four numbers that depend on the random bytes and tell nothing about them or the weights.
    pub(super) fn hash_function(self) -> [u64; 4] {
        let digest: [u8; 32] = self.hash.chain_update(b"hash function").finalize().into();
        let mut numbers = [0; 4];
        for (number, bytes) in numbers.iter_mut().zip(digest.chunks_exact(8)) {
            *number = bytes.try_into().map_or(0, u64::from_le_bytes);
        }
        numbers
    }

    /// The weights of these rows.
    pub(super) fn weights(self) -> Weights {
        let mut hash = self.hash;
        // With the number of blocks the states are hashes: all have the same length.
        (0..sha256_lanes::LANES).for_each(|lane| hash.update(self.lanes.digest(lane)));
        let key = hash.chain_update(self.groups.to_be_bytes()).chain_update(self.rows.to_be_bytes()).finalize();
        Weights(ChaCha20::new(&key, &[0; 12].into()))
    }
}

/// Takes a pair into each lane.
struct Absorb<'a> {
    lanes: &'a mut States,
    pairs: &'a [[[u8; 32]; 2]],
}

impl Task for Absorb<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let mut block = sha256_lanes::EMPTY;
        for (lane, [first, second]) in self.pairs.iter().enumerate().take(sha256_lanes::LANES) {
            sha256_lanes::put(&mut block, lane, 0, first);
            sha256_lanes::put(&mut block, lane, 8, second);
        }
        self.lanes.compress(&mut block);
    }
}

/// The stream of weights.
pub(super) struct Weights(ChaCha20);

impl Weights {
    /// The next weights.
    pub(super) fn fill(&mut self, weights: &mut [Weight]) {
        let mut bytes = [0; 1024];
        for weights in weights.chunks_mut(bytes.len() / 16) {
            bytes.fill(0);
            self.0.apply_keystream(&mut bytes);
            for (weight, bytes) in weights.iter_mut().zip(bytes.chunks_exact(16)) {
                let (a, b) = bytes.split_at(8);
                *weight = [a, b].map(|half| half.try_into().map_or(0, i64::from_le_bytes));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use field::secp256k1::Portable4x64;

    fn weights(entropy: u8, rows: &[(u8, Vec<u8>, Vec<u8>)]) -> Vec<Weight> {
        let mut transcript = Transcript::new(&[entropy; 32], 0);
        for (kind, first, second) in rows {
            transcript.row(*kind, [first, second]);
        }
        let mut weights = vec![[0; 2]; rows.len()];
        transcript.weights().fill(&mut weights);
        weights
    }

    /// Does no number of one list stand at its place in the other?
    fn differ_everywhere(a: &[Weight], b: &[Weight]) -> bool {
        a.iter().zip(b).all(|(a, b)| a[0] != b[0] && a[1] != b[1])
    }

    /// Any byte of any row, its kind, the order, the count and the entropy change every weight; nothing else does. A library
    /// whose hash dropped its seed had public weights: shrec/UltrafastSecp256k1#400; one left s out: ed25519-dalek#147.
    #[test]
    fn everything_changes_every_weight() {
        let rows: Vec<_> = (0..100u8).map(|i| (i % 3, vec![i; 64], vec![i ^ 0x55; 40])).collect();
        let original = weights(7, &rows);
        assert_eq!(original, weights(7, &rows));
        assert!(differ_everywhere(&original, &weights(8, &rows)));
        for at in [0, 1, 50, 98, 99] {
            for byte in 0..64 {
                let mut changed = rows.clone();
                changed[at].1[byte] ^= 1;
                assert!(differ_everywhere(&original, &weights(7, &changed)));
            }
            let mut changed = rows.clone();
            changed[at].2[39] ^= 0x80;
            assert!(differ_everywhere(&original, &weights(7, &changed)));
            let mut changed = rows.clone();
            changed[at].0 ^= 1;
            assert!(differ_everywhere(&original, &weights(7, &changed)));
            let mut changed = rows.clone();
            changed.swap(at, (at + 1) % 100);
            assert!(differ_everywhere(&original, &weights(7, &changed)));
            assert!(differ_everywhere(&original, &weights(7, &rows[..at])));
        }
    }

    /// The same for rows that are hashed side by side.
    #[test]
    fn everything_changes_every_weight_in_lanes() {
        let f = Portable4x64::new();
        let weights = |pairs: &[[[u8; 32]; 2]]| {
            let mut transcript = Transcript::new(&[7; 32], 0);
            let rest = transcript.pairs_in_lanes(f, pairs);
            assert_eq!(rest.len(), pairs.len() % 16);
            transcript.pairs(f, 0, rest);
            let mut weights = vec![[0; 2]; pairs.len()];
            transcript.weights().fill(&mut weights);
            weights
        };
        let pairs: Vec<_> = (0..40u8).map(|i| [[i; 32], [i ^ 0x55; 32]]).collect();
        let original = weights(&pairs);
        for at in [0, 1, 15, 16, 31, 32, 39] {
            for byte in 0..64 {
                let mut changed = pairs.clone();
                changed[at][byte / 32][byte % 32] ^= 1;
                assert!(differ_everywhere(&original, &weights(&changed)));
            }
            let mut changed = pairs.clone();
            changed.swap(at, (at + 16) % 40);
            assert!(differ_everywhere(&original, &weights(&changed)));
        }
        assert!(differ_everywhere(&original, &weights(&pairs[..32])));
    }

    /// The weights are ChaCha20's stream under SHA-256 of all that the head names, in its order.
    #[test]
    fn weights_are_a_stream_keyed_by_a_hash() {
        let (entropy, number) = ([0x5A; 32], 0x0102_0304_0506_0708_u64);
        let mut transcript = Transcript::new(&entropy, number);
        transcript.row(3, [b"first", b"second"]);
        transcript.row(4, [b"third", b""]);
        let mut weights = [[0; 2]; 2];
        transcript.weights().fill(&mut weights);

        let mut hashed = [&entropy[..], &number.to_be_bytes(), DOMAIN, &[3], b"firstsecond", &[4], b"third"].concat();
        // No row went to the lanes: 16 times the state that SHA-256 begins with.
        (0..16).for_each(|_| INITIAL.iter().for_each(|word| hashed.extend(word.to_be_bytes())));
        hashed.extend(0u64.to_be_bytes());
        hashed.extend(2u64.to_be_bytes());
        let mut stream = [0; 32];
        ChaCha20::new(&Sha256::digest(&hashed), &[0; 12].into()).apply_keystream(&mut stream);
        let words: Vec<i64> =
            stream.chunks_exact(8).map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap())).collect();
        assert_eq!(weights.as_flattened(), words);
    }

    /// The weights of a batch are all different, and all bits of them occur.
    #[test]
    fn weights_are_spread() {
        let rows: Vec<_> = (0..1000u16).map(|i| (0, i.to_be_bytes().to_vec(), vec![])).collect();
        let mut all: Vec<i64> = weights(1, &rows).into_iter().flatten().collect();
        for bit in 0..64 {
            let ones = all.iter().filter(|weight| *weight >> bit & 1 == 1).count();
            assert!((800..1200).contains(&ones), "bit {bit}: {ones} of 2000");
        }
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2000);
    }
}
