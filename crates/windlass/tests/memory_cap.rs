//! The memory that `verify_many_within` works in: its peak, counted on every engine. A test binary of its own, as it counts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use testkit::counting::{Counting, peak_bytes};
use testkit::many_suite::signer::{Kind, Signer};
use testkit::many_suite::{Case, faults};
use windlass::engine;
use windlass::many::{Row, Verdict, verify_many_within};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Rows of each kind by itself, and of all in turn.
fn mixtures(cases: &[Case], kinds: usize) -> Vec<Vec<&Case>> {
    let of_kind: Vec<&[Case]> = cases.chunks(cases.len() / kinds).collect();
    let in_turn = (0..cases.len()).map(|i| &of_kind[i % kinds][i / kinds]).collect();
    of_kind.iter().map(|cases| cases.iter().collect()).chain([in_turn]).collect()
}

#[test]
fn the_cap_holds() {
    // Two full chunks, all keys of each distinct, and a row in a hundred wrong: every way of settling rows is gone.
    const ROWS: usize = 8192;
    let mut signer = Signer::new(900);
    let mut cases = Vec::new();
    for kind in Kind::ALL {
        let wrong = faults::of_kind(kind, &mut signer);
        let mut of_kind = signer.good(kind, ROWS / 2);
        of_kind.iter_mut().step_by(100).zip(wrong.iter().cycle()).for_each(|(case, wrong)| *case = wrong.clone());
        cases.extend(of_kind);
    }
    for name in engine::available() {
        engine::select(name).unwrap();
        for (number, cases) in mixtures(&cases, Kind::ALL.len()).iter().enumerate() {
            let rows: Vec<Row<'_>> = cases.iter().cycle().take(ROWS).map(|case| case.input.row()).collect();
            for mebibytes in [0, 2, 3, 5, 8, 16] {
                let peak = peak_bytes(|| verify_many_within(&rows, mebibytes << 20)) - ROWS * size_of::<Verdict>();
                println!("{name}, mixture {number}: {peak} bytes within {mebibytes} MiB");
                assert!(peak > 0 && peak <= mebibytes.max(2) << 20);
            }
        }
    }
}
