//! Calls of about as many rows as there are where windlass begins to work in another way: by sums, by another method, by parts, by
//! one more block or chunk. The engine in use tells where that is.

use crate::{Effort, SMALL_SIZES, some};
use testkit::effort;
use testkit::many_suite::forgeries::Set;
use testkit::many_suite::signer::{Kind, Signer};
use testkit::many_suite::{Case, classes, faults};
use testkit::random::Random;
use windlass::many::crossovers;

/// The first, the last, the lane edges and 16 random indices.
fn indices(size: usize, random: &mut Random) -> Vec<usize> {
    let mut indices = vec![0, 7, 8, 15, 16, 23, 24, 31, 32, size / 2 - 1, size / 2, size - 1];
    indices.extend([8, 16].map(|lanes| size - 1 - (size - 1) % lanes));
    indices.extend((0..16).map(|_| random.below(size)));
    indices.sort_unstable();
    indices.dedup();
    indices.retain(|&index| index < size);
    indices
}

/// More rows make a large call.
const LARGE: usize = 1000;

fn around(kind: Kind) {
    let mut signer = Signer::new(600 + kind as u64);
    let good = signer.good(kind, 1100);
    let special = faults::of_kind(kind, &mut signer);
    let sets = classes::of_kind(kind, &mut signer);
    let mut random = Random::new(79);
    let crossovers = crossovers();
    let small = crossovers.iter().filter(|crossover| SMALL_SIZES.contains(crossover)).count();
    assert!(small > 0 && crossovers.len() - small > 5, "{crossovers:?}");
    let (mut one, mut all) = (Effort::default(), Effort::default());
    for crossover in crossovers.into_iter().skip(small) {
        // One size less, that of the crossover, one more.
        for size in crossover - 1..=crossover + 1 {
            let mut rows = some(&good, size, size);
            rows.check();
            let indices = indices(size, &mut random);
            one.set_usual(size);
            all.set_usual(1 + size / 20);
            // Each class at each index. A usual run tries where the other way begins and below it: a large call below it is one
            // behind the crossover before; rows without R are never summed, and another chunk is nothing new to them.
            let is_usual = match kind {
                Kind::Ecdsa => size <= LARGE && size <= crossover,
                _ => size == crossover || size < crossover && size <= LARGE,
            };
            let sets = if is_usual || effort::is_full() { &sets[..] } else { &[] };
            for (at, set) in sets.iter().enumerate() {
                for (i, &index) in indices.iter().enumerate() {
                    if one.takes_next() {
                        rows.check_with(&places(set, index, [1, size / 3, 8][(at + i) % 3], size));
                    }
                }
            }
            // One at each of all indices, each at each in turn.
            for turn in 0..special.len() {
                if all.takes_next() {
                    let planted: Vec<(usize, &Case)> = indices
                        .iter()
                        .enumerate()
                        .map(|(i, &index)| (index, &special[(i + turn) % special.len()]))
                        .collect();
                    rows.check_with(&planted);
                }
            }
        }
    }
    one.report(&format!("{kind:?}, each of {} sets at each of some indices around each crossover", sets.len()));
    all.report(&format!("{kind:?}, one of {} faults at each of some indices around each crossover", special.len()));
}

/// As [`Set::places`], where there is room at any distance.
fn places(set: &Set, first: usize, distance: usize, size: usize) -> Vec<(usize, &Case)> {
    set.places(first, distance, size).expect("a large call")
}

#[test]
fn ecdsa() {
    around(Kind::Ecdsa);
}

#[test]
fn ecdsa_recoverable() {
    around(Kind::EcdsaRecoverable);
}

#[test]
fn schnorr() {
    around(Kind::Schnorr);
}

#[test]
fn taproot_tweak() {
    around(Kind::TaprootTweak);
}
