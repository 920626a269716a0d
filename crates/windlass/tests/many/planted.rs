//! One fault, a set of faults, some, and nothing but faults, at every index of every small call.

use crate::{Effort, SMALL_SIZES, some};
use testkit::effort;
use testkit::many_suite::forgeries::Set;
use testkit::many_suite::signer::{Kind, Signer};
use testkit::many_suite::{Case, Rows, exceptional, faults, forgeries};
use testkit::random::Random;

/// A usual run tries one in so many of the exceptional rows, all of them at all indices together.
const EXCEPTIONAL_ONE_IN: usize = 4;
/// One in so many of the exceptional rows goes to all indices: all of them go to all lanes in [`exceptional`](crate::exceptional).
const EXCEPTIONAL_STEP: usize = 7;
/// And of the sets of several rows.
const SETS_ONE_IN: usize = 6;

/// Each of these at every index of every small call, alone among good rows.
fn at_every_index(kind: Kind, sets: &[Set], one_in: usize) {
    let good = Signer::new(kind as u64).good(kind, 40);
    let mut effort = Effort::one_in_of_usual(one_in);
    for size in SMALL_SIZES {
        for (from, set) in sets.iter().enumerate() {
            let mut rows = some(&good, from, size);
            for first in 0..size {
                // Neighbours, the same lane of the next group, another lane of any group.
                let distances = [1, 8, 2 + (size + 2 * first) % 13];
                for distance in &distances[..set.cases.len().min(3)] {
                    if let Some(places) = set.places(first, *distance, size).filter(|_| effort.takes_next()) {
                        rows.check_with(&places);
                    }
                }
            }
        }
    }
    effort.report(&format!("{kind:?}, {} sets at every index of calls of {SMALL_SIZES:?}", sets.len()));
}

fn each_alone(cases: Vec<Case>) -> Vec<Set> {
    cases.into_iter().map(Set::of_one).collect()
}

/// Every way in which a row can fail alone.
fn faults_at_every_index(kind: Kind) {
    let sets = each_alone(faults::of_kind(kind, &mut Signer::new(kind as u64)));
    assert!(sets.len() > 20, "{}", sets.len());
    at_every_index(kind, &sets, 1);
}

/// Faults that cancel each other, and valid rows that look as if they did.
fn forgeries_at_every_index(kind: Kind) {
    let sets = forgeries::of_kind(kind, &mut Signer::new(100 + kind as u64));
    assert!(sets.len() > 15);
    at_every_index(kind, &sets, SETS_ONE_IN);
    // Alone, in both orders.
    for set in &sets {
        Rows::new(&set.cases).check();
        Rows::new(set.cases.iter().rev()).check();
    }
    // All of them in one call, where every set's errors cancel those of the set.
    let all: Vec<&Case> = sets.iter().flat_map(|set| &set.cases).collect();
    Rows::new(all).check();
}

#[test]
fn ecdsa_faults() {
    faults_at_every_index(Kind::Ecdsa);
}

#[test]
fn ecdsa_recoverable_faults() {
    faults_at_every_index(Kind::EcdsaRecoverable);
}

#[test]
fn schnorr_faults() {
    faults_at_every_index(Kind::Schnorr);
}

#[test]
fn taproot_tweak_faults() {
    faults_at_every_index(Kind::TaprootTweak);
}

/// Rows without R are never combined.
#[test]
fn ecdsa_forgeries() {
    forgeries_at_every_index(Kind::Ecdsa);
}

#[test]
fn ecdsa_recoverable_forgeries() {
    forgeries_at_every_index(Kind::EcdsaRecoverable);
}

#[test]
fn schnorr_forgeries() {
    forgeries_at_every_index(Kind::Schnorr);
}

#[test]
fn taproot_tweak_forgeries() {
    forgeries_at_every_index(Kind::TaprootTweak);
}

/// Rows that meet equal, opposite and infinite points among rows that do not.
#[test]
fn exceptional_rows() {
    for kind in [Kind::Ecdsa, Kind::EcdsaRecoverable, Kind::Schnorr] {
        let special = exceptional::of_kind(kind, &mut Signer::new(300 + kind as u64));
        let sets = each_alone(special.into_iter().step_by(EXCEPTIONAL_STEP).collect());
        at_every_index(kind, &sets, EXCEPTIONAL_ONE_IN);
    }
}

/// Calls in which every kind of row has faults, from none to nothing else, in an order drawn anew each time.
#[test]
fn mixed_kinds_and_many_faults() {
    let (mut good, mut special) = (Vec::new(), Vec::new());
    for kind in Kind::ALL {
        let mut signer = Signer::new(kind as u64);
        good.extend(signer.good(kind, 40));
        special.extend(faults::of_kind(kind, &mut signer));
    }
    let mut random = Random::new(77);
    for _ in 0..effort::cases(60) {
        let size = 1 + random.below(150);
        for percent in [0, 1, 5, 20, 50, 90, 100] {
            let chosen = (0..size).map(|_| {
                let is_special = random.below(100) < percent;
                if is_special { random.choose(&special) } else { random.choose(&good) }
            });
            Rows::new(chosen.collect::<Vec<&Case>>()).check();
        }
    }
}

/// Nothing but special rows, in every rotation that a group of eight or 24 tells apart.
#[test]
fn nothing_but_faults() {
    for kind in Kind::ALL {
        let special = faults::of_kind(kind, &mut Signer::new(kind as u64));
        for turn in 0..effort::cases(25) {
            some(&special, turn, special.len()).check();
        }
        let bad: Vec<Case> = special.iter().filter(|case| !case.verdict.is_valid()).cloned().collect();
        for size in SMALL_SIZES {
            some(&bad, 7 * size, size).check();
        }
    }
}

/// Sets in calls of all sizes, up to those that are taken apart: the first rows, as weights by places would have them, and others.
#[test]
fn forgeries_in_calls_of_all_sizes() {
    for kind in [Kind::EcdsaRecoverable, Kind::Schnorr, Kind::TaprootTweak] {
        let mut signer = Signer::new(200 + kind as u64);
        let good = signer.good(kind, 700);
        let sets = forgeries::of_kind(kind, &mut signer);
        let mut effort = Effort::one_in_of_usual(1);
        for size in [64, 128, 300, 700] {
            for (i, set) in sets.iter().enumerate() {
                let mut rows = some(&good, i, size);
                for (first, distance) in [(0, 1), (1, 1), (i * 37, 1 + i % 3 * (size / 4))] {
                    let places = set.places(first, distance, size);
                    if let Some(places) = places.filter(|_| effort.takes_next()) {
                        rows.check_with(&places);
                    }
                }
            }
        }
    }
}
