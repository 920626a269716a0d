//! One fault, some, and nothing but faults, at every index.

use crate::{Effort, SMALL_SIZES, some};
use testkit::effort;
use testkit::many_suite::signer::{Kind, Signer};
use testkit::many_suite::{Case, Rows, faults};
use testkit::random::Random;
use windlass::many::Verdict;

/// Good rows and special ones of a kind.
fn cases(kind: Kind, count: usize) -> (Vec<Case>, Vec<Case>) {
    let mut signer = Signer::new(kind as u64);
    (signer.good(kind, count), faults::of_kind(kind, &mut signer))
}

/// Every special row at every index of every small call. What can't be parsed never meets the other rows, so that several such
/// rows, every other one, are in one call; everything else is alone among good rows.
fn a_fault_at_every_index(kind: Kind) {
    let (good, special) = cases(kind, 40);
    let (malformed, alone): (Vec<&Case>, Vec<&Case>) =
        special.iter().partition(|case| matches!(case.verdict, Verdict::Malformed(_)));
    assert!(malformed.len() > 3 && alone.len() > 10, "{} {}", malformed.len(), alone.len());
    let mut effort = Effort::default();
    for size in SMALL_SIZES {
        for (from, case) in alone.iter().enumerate() {
            let mut rows = some(&good, from, size);
            for index in 0..size {
                if effort.takes_next() {
                    rows.check_with(&[(index, case)]);
                }
            }
        }
        for turn in 0..malformed.len() {
            let mut rows = some(&good, turn, size);
            for parity in 0..2 {
                let planted: Vec<(usize, &Case)> =
                    (parity..size).step_by(2).map(|i| (i, malformed[(i + turn) % malformed.len()])).collect();
                if effort.takes_next() {
                    rows.check_with(&planted);
                }
            }
        }
        for index in 0..size {
            if effort.takes_next() {
                some(&good, size, size).check_with(&[(index, malformed[(size + index) % malformed.len()])]);
            }
        }
        some(&good, size, size).check();
    }
}

#[test]
fn ecdsa_at_every_index() {
    a_fault_at_every_index(Kind::Ecdsa);
}

#[test]
fn ecdsa_recoverable_at_every_index() {
    a_fault_at_every_index(Kind::EcdsaRecoverable);
}

#[test]
fn schnorr_at_every_index() {
    a_fault_at_every_index(Kind::Schnorr);
}

#[test]
fn taproot_tweak_at_every_index() {
    a_fault_at_every_index(Kind::TaprootTweak);
}

/// Calls in which every kind of row has faults, from none to nothing else, in an order drawn anew each time.
#[test]
fn mixed_kinds_and_many_faults() {
    let (mut good, mut special) = (Vec::new(), Vec::new());
    for kind in Kind::ALL {
        let (more, faults) = cases(kind, 40);
        good.extend(more);
        special.extend(faults);
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
        let special = cases(kind, 1).1;
        for turn in 0..effort::cases(25) {
            some(&special, turn, special.len()).check();
        }
        let bad: Vec<Case> = special.iter().filter(|case| !case.verdict.is_valid()).cloned().collect();
        for size in SMALL_SIZES {
            some(&bad, 7 * size, size).check();
        }
    }
}
