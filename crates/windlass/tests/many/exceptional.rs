//! Rows that meet equal, opposite and infinite points on the way, in every lane: among good rows, and where every lane is such.

use crate::{Effort, some};
use testkit::effort;
use testkit::many_suite::signer::{Kind, Signer};
use testkit::many_suite::{Case, RecoverCase, check_recover, exceptional};

/// The widest group of lanes and one more.
const SIZE: usize = 25;
/// A usual run tries one in so many of the rows alone in every lane.
const ONE_IN: usize = 12;

fn in_every_lane(kind: Kind) {
    let mut signer = Signer::new(300 + kind as u64);
    let good = signer.good(kind, SIZE);
    let special: Vec<Case> = exceptional::of_kind(kind, &mut signer);
    assert!(special.len() > 100);
    // Every row is in every lane of a group in which all lanes are such.
    for turn in 0..effort::cases(SIZE - 1) {
        some(&special, turn, special.len()).check();
    }
    // And alone in every lane.
    let mut effort = Effort::one_in_of_usual(ONE_IN);
    let mut rows = some(&good, 0, SIZE);
    for case in &special {
        for lane in 0..SIZE {
            if effort.takes_next() {
                rows.check_with(&[(lane, case)]);
            }
        }
    }
    effort.report(&format!("{kind:?}, each of {} exceptional rows in each of {SIZE} lanes", special.len()));
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
