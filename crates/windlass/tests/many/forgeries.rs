//! Faults that cancel each other, and valid rows that look as if they did: each set at every index, side by side and far apart.

use crate::{Effort, SMALL_SIZES, some};
use testkit::many_suite::forgeries::{self, Set};
use testkit::many_suite::signer::{Kind, Signer};
use testkit::many_suite::{Case, Rows};

/// The set's rows at `first` and from there on at some distance, round the end; none where two would meet.
fn places(set: &Set, first: usize, distance: usize, size: usize) -> Option<Vec<(usize, &Case)>> {
    let places: Vec<_> = set.cases.iter().enumerate().map(|(i, case)| ((first + i * distance) % size, case)).collect();
    let mut indices: Vec<usize> = places.iter().map(|place| place.0).collect();
    indices.sort_unstable();
    indices.dedup();
    (indices.len() == places.len()).then_some(places)
}

/// One combination in `one_in`, every set and every index among them.
fn at_every_index(kind: Kind, one_in: usize) {
    let mut signer = Signer::new(100 + kind as u64);
    let good = signer.good(kind, 40);
    let sets = forgeries::of_kind(kind, &mut signer);
    assert!(sets.len() > 15);
    let mut effort = Effort::default();
    for size in SMALL_SIZES {
        for (from, set) in sets.iter().enumerate() {
            let mut rows = some(&good, from, size);
            for first in 0..size {
                // Neighbours at one turn, another lane or group at the next.
                let distance = if (size + first) % 2 == 0 { 1 } else { 1 + (size + 2 * first) % 13 };
                if (size + first + from) % one_in != 0 || !effort.takes_next() {
                    continue;
                }
                if let Some(places) = places(set, first, distance, size) {
                    rows.check_with(&places);
                }
            }
        }
    }
    // Alone, in both orders.
    for set in &sets {
        Rows::new(&set.cases).check();
        Rows::new(set.cases.iter().rev()).check();
    }
    // All of them in one call, where every set's errors cancel those of the set.
    let all: Vec<&Case> = sets.iter().flat_map(|set| &set.cases).collect();
    Rows::new(all).check();
}

/// Rows without R are never combined.
#[test]
fn ecdsa() {
    at_every_index(Kind::Ecdsa, 5);
}

#[test]
fn ecdsa_recoverable() {
    at_every_index(Kind::EcdsaRecoverable, 2);
}

#[test]
fn schnorr() {
    at_every_index(Kind::Schnorr, 2);
}

#[test]
fn taproot_tweak() {
    at_every_index(Kind::TaprootTweak, 3);
}

/// In calls of all sizes, up to those that are cut into several combinations.
#[test]
fn in_calls_of_all_sizes() {
    for kind in [Kind::EcdsaRecoverable, Kind::Schnorr, Kind::TaprootTweak] {
        let mut signer = Signer::new(200 + kind as u64);
        let good = signer.good(kind, 700);
        let sets = forgeries::of_kind(kind, &mut signer);
        let mut effort = Effort::default();
        for size in [64, 128, 300, 700] {
            for (i, set) in sets.iter().enumerate() {
                let mut rows = some(&good, i, size);
                // The first rows, as weights by places would have them, and others.
                for (first, distance) in [(0, 1), (1, 1), (i * 37, 1 + i % 3 * (size / 4))] {
                    let places = places(set, first, distance, size);
                    if let Some(places) = places.filter(|_| effort.takes_next()) {
                        rows.check_with(&places);
                    }
                }
            }
        }
    }
}
