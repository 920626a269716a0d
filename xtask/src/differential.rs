//! `cargo xtask differential [--count N] [--seed S]`: N random and N edge-biased cases against libsecp256k1, on every engine.

use crate::{command, test};

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let mut words = words.to_vec();
    let count = command::option(&mut words, "--count")?.unwrap_or_else(|| "100000".to_owned());
    let seed = command::option(&mut words, "--seed")?.unwrap_or_else(|| "1".to_owned());
    command::no_more(&words)?;
    for engine in test::engines() {
        let mut cargo = command::cargo();
        cargo.args([
            "test",
            "--release",
            "--package",
            "windlass-testkit",
            "--test",
            "differential",
            "--",
            "--nocapture",
        ]);
        cargo.env("WINDLASS_ENGINE", &engine);
        cargo.env("WINDLASS_DIFFERENTIAL_COUNT", &count).env("WINDLASS_DIFFERENTIAL_SEED", &seed);
        println!("engine {engine}, {count} random and {count} edge-biased cases, seed {seed}");
        command::run(&mut cargo)?;
    }
    Ok(())
}
