//! The facade beside libsecp256k1: the same bytes and verdicts on random and on edge-biased inputs, on the engine in use.
//!
//! 2,000 cases of each; `cargo xtask differential` sets `WINDLASS_DIFFERENTIAL_COUNT` and `WINDLASS_DIFFERENTIAL_SEED`.

use testkit::differential::{self, Source};
use testkit::edges::Biased;
use testkit::effort;
use testkit::oracle::Curve;
use testkit::random::Random;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

/// Each case has a seed of its own, so that a failure can be run alone.
fn run(name: &str, source: &Source) {
    let count = number("WINDLASS_DIFFERENTIAL_COUNT").unwrap_or(effort::cases(2000) as u64);
    let seed = number("WINDLASS_DIFFERENTIAL_SEED").unwrap_or(1);
    for at in 0..count {
        let case = seed.wrapping_mul(1 << 32).wrapping_add(at);
        let outcome = std::panic::catch_unwind(|| differential::case(source, &mut Random::new(case)));
        assert!(outcome.is_ok(), "{name} case {at} of seed {seed} differs");
    }
    println!("{name}: {count} cases agree on engine {}", windlass::engine::name());
}

#[test]
fn random() {
    run("random", &Source::Uniform);
}

#[test]
fn edge_biased() {
    run("edge-biased", &Source::Edges(Biased::new(&Curve::secp256k1())));
}
