//! Sizes around which a call is worked on in another way: where a combination begins to pay, where a part of it is looked at row by
//! row, where a call is cut into chunks.

use crate::{Effort, some};
use testkit::many_suite::signer::{Kind, Signer};
use testkit::many_suite::{Case, faults, forgeries};
use testkit::random::Random;
use windlass::many::Verdict;

/// Sizes next to which the constants of `sig::batch`, `sig::many` and `msm` change something, with how many rotations of the special
/// rows are tried.
const SIZES: &[(std::ops::RangeInclusive<usize>, usize)] = &[
    (47..=49, 16),
    (63..=65, 12),
    (95..=97, 8),
    (127..=129, 6),
    (183..=185, 4),
    (256..=258, 6),
    (511..=513, 4),
    (732..=734, 2),
    (1023..=1025, 2),
    (2666..=2668, 1),
    (8191..=8193, 1),
];

/// The first, the last, the lane edges and 16 random indices.
fn indices(size: usize, random: &mut Random) -> Vec<usize> {
    let mut indices = vec![0, 7, 8, 15, 16, 23, 24, 31, 32, size / 2 - 1, size / 2, size - 1];
    indices.extend([8, 24].map(|lanes| size - 1 - (size - 1) % lanes));
    indices.extend((0..16).map(|_| random.below(size)));
    indices.sort_unstable();
    indices.dedup();
    indices.retain(|&index| index < size);
    indices
}

fn around(kind: Kind) {
    let mut signer = Signer::new(600 + kind as u64);
    let good = signer.good(kind, 1100);
    let special = faults::of_kind(kind, &mut signer);
    let alone: Vec<&Case> = special.iter().filter(|case| !matches!(case.verdict, Verdict::Malformed(_))).collect();
    let sets = forgeries::of_kind(kind, &mut signer);
    let mut random = Random::new(79);
    let mut effort = Effort::default();
    for (size, turns) in SIZES.iter().flat_map(|(sizes, turns)| sizes.clone().map(move |size| (size, *turns))) {
        let mut rows = some(&good, size, size);
        rows.check();
        let indices = indices(size, &mut random);
        for turn in 0..turns {
            // One at each of some indices, another one at each turn.
            let some = indices.iter().enumerate().skip(turn % 7).step_by(7);
            for (i, &index) in some.take(2000 / size) {
                if effort.takes_next() {
                    rows.check_with(&[(index, alone[(i + turn * 11) % alone.len()])]);
                }
            }
            // One at all of them.
            let all: Vec<(usize, &Case)> =
                indices.iter().enumerate().map(|(i, &index)| (index, &special[(i + turn) % special.len()])).collect();
            // A set whose faults cancel.
            let set = sets.get((turn + size) % sets.len().max(1));
            let places: Vec<(usize, &Case)> =
                set.map_or(vec![], |set| indices[turn % 5..].iter().copied().zip(&set.cases).collect());
            for planted in [all, places] {
                if effort.takes_next() {
                    rows.check_with(&planted);
                }
            }
        }
    }
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
