//! The random weights of a batch: w = a + b·λ with a and b uniform in −2^63 .. 2^63, two for each equation.
//!
//! 1. A hash takes in 32 bytes of the operating system's randomness, then all that is to be verified, row by row, with its kind,
//!    and the number of rows.
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

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
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
}

impl Transcript {
    /// For a batch with these random bytes, known to nobody, and this number: never used before together.
    pub(super) fn new(entropy: &[u8; 32], number: u64) -> Self {
        let hash = Sha256::new().chain_update(entropy).chain_update(number.to_be_bytes()).chain_update(DOMAIN);
        Self { hash, rows: 0 }
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
        let key = self.hash.chain_update(self.rows.to_be_bytes()).finalize();
        Weights(ChaCha20::new(&key, &[0; 12].into()))
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
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

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
