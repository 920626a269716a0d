//! The gates see every planted fault, and lay it at the right library's door.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first thing that is not as expected")]

use super::*;
use crate::libraries::k256::K256;
use crate::libraries::libsecp256k1::LibSecp256k1;

/// What a library is made to get wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// One good signature of a scheme is refused.
    Refuses(Row),
    /// One bad signature of a scheme is accepted.
    Accepts(Row),
    /// One row of a batch has its neighbour's verdict.
    Swaps,
    /// One bit of a signature is another.
    Signs(Row),
    /// One of BIP340's vectors.
    Vector,
}

/// A library with one fault.
struct Faulty<L> {
    inner: L,
    fault: Fault,
}

/// A job whose answers are changed before anyone sees them.
struct Changed<Change> {
    inner: Box<dyn Job>,
    change: Change,
}

impl<Change: Fn(&mut [Answer])> Job for Changed<Change> {
    fn pass(&self) {
        self.inner.pass();
    }

    fn answers(&self) -> Vec<Answer> {
        let mut answers = self.inner.answers();
        (self.change)(&mut answers);
        answers
    }
}

impl<L: Library> Library for Faulty<L> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn package(&self) -> &'static str {
        self.inner.package()
    }

    fn built(&self) -> String {
        self.inner.built()
    }

    fn verifies_bip340(&self, key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> Option<bool> {
        let verdict = self.inner.verifies_bip340(key, message, signature)?;
        Some(verdict ^ (self.fault == Fault::Vector && message.len() == 17))
    }

    fn job(&self, row: Row, cases: &[Case]) -> Option<Box<dyn Job>> {
        let (inner, fault) = (self.inner.job(row, cases)?, self.fault);
        let change = move |answers: &mut [Answer]| match fault {
            Fault::Refuses(of) if of == row => answers[7] = Answer::Refused,
            Fault::Accepts(of) if of == row => answers[7] = Answer::of_verdict(true),
            Fault::Signs(of) if of == row => {
                if let Answer::Is(bytes) = &mut answers[7] {
                    bytes[63] ^= 1;
                }
            }
            _ => {}
        };
        Some(Box::new(Changed { inner, change }))
    }

    fn many(&self, row: lanes::Row, group: usize, cases: &[Case]) -> Option<Box<dyn Job>> {
        let (inner, fault) = (self.inner.many(row, group, cases)?, self.fault);
        let change = move |answers: &mut [Answer]| {
            if fault == Fault::Swaps {
                answers.swap(0, 1);
            }
        };
        Some(Box::new(Changed { inner, change }))
    }
}

const FAULTS: [Fault; 8] = [
    Fault::Refuses(Row::EcdsaVerifyBytes),
    Fault::Refuses(Row::SchnorrVerifyBytes),
    Fault::Accepts(Row::EcdsaVerifyBytes),
    Fault::Accepts(Row::SchnorrVerifyBytes),
    Fault::Swaps,
    Fault::Signs(Row::EcdsaSign),
    Fault::Signs(Row::SchnorrSign),
    Fault::Vector,
];

/// The gates fail for the library that has the fault, and for it alone.
fn assert_only_it_fails<L: Library>(
    make: impl Fn(Fault) -> Faulty<L>,
    others: &[Contestant<'_>],
    engine: Option<&'static str>,
) {
    for fault in FAULTS {
        let faulty = make(fault);
        let contestants = [others, &[Contestant { library: &faulty, engine }]].concat();
        let findings = examine(&contestants, SHORT).unwrap();
        assert_eq!(findings.failed(), [contestants.last().unwrap().name()], "{fault:?}\n{}", findings.markdown());
    }
}

#[test]
fn a_peers_fault_is_seen() {
    let others = contestants(&[&LibSecp256k1], &["portable"]);
    assert_only_it_fails(|fault| Faulty { inner: K256, fault }, &others, None);
}

#[test]
fn a_fault_of_the_library_that_makes_the_inputs_is_seen() {
    let others = contestants(&[&K256], &["portable"]);
    assert_only_it_fails(|fault| Faulty { inner: LibSecp256k1, fault }, &others, None);
}

#[test]
fn windlass_own_fault_is_seen() {
    let others = contestants(&[&LibSecp256k1, &K256], &[]);
    let engine = windlass::engine::available().next();
    assert_only_it_fails(|fault| Faulty { inner: Windlass, fault }, &others, engine);
}
