//! One set of rows for each step of a batch that a fault, or a row which only looks like one, can reach: the key's bytes, the ranges,
//! the key's and R's square root, the equation, rows that could cancel each other, points that meet.

use super::forgeries::{self, Set};
use super::signer::{Kind, Signer};
use super::{Case, exceptional, faults};

/// Exceptional rows among them.
const EXCEPTIONAL: usize = 4;

/// The names in [`faults`].
fn faults_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Ecdsa | Kind::EcdsaRecoverable => &[
            "key 00",
            "x without a point",
            "x of the key + p",
            "s + n",
            "x(R) small, r + n",
            "r + n = x(R) + p",
            "no point has this r",
            "no point has this r, and the sum is G",
            "another digest",
            "high s, required",
            "s negated",
            "u1 G + u2 Q infinite",
        ],
        Kind::Schnorr => &[
            "key = p + 1, which is a point's x if reduced",
            "no point has this key",
            "s = n + 1",
            "r = p + 1, which is a point's x if reduced",
            "no point has this r",
            "no point has this r, and the sum is G",
            "another message",
            "s + 1",
            "y(R) odd",
            "s G = e P",
        ],
        Kind::TaprootTweak => &[
            "internal key + p",
            "no point has this internal key",
            "output p",
            "no point has this output",
            "another root",
            "another point for output",
            "the other parity",
        ],
    }
}

/// The names in [`forgeries`].
fn sets_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Ecdsa | Kind::EcdsaRecoverable => &[
            "g1 + 1, g2 - 1, one key",
            "s exchanged, one key",
            "s exchanged, two keys",
            "one row twice",
            "one bad row twice",
            "R and -R, s and n - s",
            "Q and -Q, z and -z",
        ],
        Kind::Schnorr => &[
            "g1 + 1, g2 - 1, one key",
            "s exchanged, one key",
            "s exchanged, two keys",
            "one row twice",
            "one bad row twice",
            "s and n - s",
            "R and -R",
        ],
        Kind::TaprootTweak => &["g1 + 1, g2 - 1, one key", "one row twice", "one bad row twice"],
    }
}

/// The classes of a kind.
pub fn of_kind(kind: Kind, signer: &mut Signer) -> Vec<Set> {
    let mut sets: Vec<Set> = faults::of_kind(kind, signer).into_iter().map(Set::of_one).collect();
    sets.extend(forgeries::of_kind(kind, signer));
    let names = [faults_of(kind), sets_of(kind)].concat();
    let mut classes: Vec<Set> = Vec::new();
    for name in names {
        classes.push(sets.iter().find(|set| set.name == name).unwrap_or_else(|| panic!("no set '{name}'")).clone());
    }
    let special: Vec<Case> = exceptional::of_kind(kind, signer);
    classes.extend(special.iter().step_by((special.len() / EXCEPTIONAL).max(1)).cloned().map(Set::of_one));
    classes
}
