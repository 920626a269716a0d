//! Every engine by its name, whichever is in use: rows of all kinds in one call have the verdicts that they have alone on the portable
//! engine. A test binary of its own, as it changes the engine.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{LazyLock, Mutex, PoisonError};
use testkit::many_suite::signer::{Kind, Signer};
use testkit::many_suite::{Case, RecoverCase, Rows, check_recover, exceptional, faults, forgeries};
use testkit::skip::{Missing, skip};
use windlass::engine;

/// Rows with their verdicts on the portable engine, and signatures with the keys that it recovers.
struct Expected {
    cases: Vec<Case>,
    recoveries: Vec<RecoverCase>,
}

/// The engine is the process's: one test at a time has it.
static EXPECTED: LazyLock<Mutex<Expected>> = LazyLock::new(|| {
    engine::select("portable").unwrap();
    let mut signer = Signer::new(700);
    let mut cases = Vec::new();
    for kind in Kind::ALL {
        cases.extend(signer.good(kind, 200));
        cases.extend(faults::of_kind(kind, &mut signer));
        cases.extend(exceptional::of_kind(kind, &mut signer).into_iter().step_by(3));
        cases.extend(forgeries::of_kind(kind, &mut signer).into_iter().flat_map(|set| set.cases));
    }
    let mut recoveries = faults::recoveries(&mut signer);
    recoveries.extend(exceptional::recoveries(&mut signer));
    Mutex::new(Expected { cases, recoveries })
});

fn on(name: &str, test: &str) {
    let expected = EXPECTED.lock().unwrap_or_else(PoisonError::into_inner);
    if engine::select(name).is_err() {
        skip(test, Missing::Engine(name));
        return;
    }
    let Expected { cases, recoveries } = &*expected;
    for size in [1, 8, 24, 25, 33, 64, 200, cases.len()] {
        cases.chunks(size).for_each(|cases| Rows::new(cases).check());
    }
    // The kinds mixed.
    for stride in [7, 101, 409] {
        let order = (0..cases.len()).map(|i| &cases[i * stride % cases.len()]);
        Rows::new(order).check();
    }
    for size in [1, 7, 24, 100, recoveries.len()] {
        recoveries.chunks(size).for_each(|cases| check_recover(&cases.iter().collect::<Vec<_>>()));
    }
}

#[test]
fn ifma() {
    on("ifma", testkit::test_name!());
}

#[test]
fn adx() {
    on("adx", testkit::test_name!());
}

#[test]
fn portable() {
    on("portable", testkit::test_name!());
}

/// A name that is added there is added here.
#[test]
fn no_engine_is_left_out() {
    assert_eq!(engine::NAMES, ["ifma", "adx", "portable"]);
}
