//! Rows that meet equal, opposite and infinite points on the way, in every lane: among good rows, and where every lane is such.

use crate::{Effort, some};
use testkit::effort;
use testkit::many_suite::signer::{Kind, Signer};
use testkit::many_suite::{Case, RecoverCase, check_recover, exceptional};

/// The widest group of lanes and one more.
const SIZE: usize = 25;

fn in_every_lane(kind: Kind) {
    let mut signer = Signer::new(300 + kind as u64);
    let good = signer.good(kind, SIZE);
    let special: Vec<Case> = exceptional::of_kind(kind, &mut signer);
    assert!(special.len() > 100);
    // Every row is in every lane of a group in which all lanes are such.
    for turn in 0..effort::cases(SIZE - 1) {
        some(&special, turn, special.len()).check();
    }
    // And alone.
    let mut effort = Effort::default();
    let mut rows = some(&good, 0, SIZE);
    for (i, case) in special.iter().enumerate() {
        if effort.takes_next() {
            rows.check_with(&[(i % SIZE, case)]);
        }
    }
}

#[test]
fn ecdsa() {
    in_every_lane(Kind::Ecdsa);
}

#[test]
fn ecdsa_recoverable() {
    in_every_lane(Kind::EcdsaRecoverable);
}

#[test]
fn schnorr() {
    in_every_lane(Kind::Schnorr);
}

#[test]
fn recovery() {
    let special = exceptional::recoveries(&mut Signer::new(399));
    for turn in 0..effort::cases(SIZE - 1) {
        let turned: Vec<&RecoverCase> = special.iter().cycle().skip(turn).take(special.len()).collect();
        check_recover(&turned);
    }
}
