//! `cargo xtask qemu [MODEL…]`: the suite on emulated CPUs that lack features, by `qemu-x86_64` (Debian: qemu-user).
//!
//! The suite runs on the engines that the model can run, and an engine that a model should have may not be skipped. Tests scale
//! their counts down by `WINDLASS_TEST_PERCENT`, since an emulated instruction costs about ten real ones.

use crate::test::{Plan, Tally};

/// A CPU model of qemu and the engines that it can run, best first.
struct Model {
    name: &'static str,
    engines: &'static [&'static str],
    lacks: &'static str,
}

const MODELS: &[Model] = &[
    Model { name: "Nehalem", engines: &["portable"], lacks: "BMI2" },
    Model { name: "Haswell-noTSX", engines: &["portable"], lacks: "ADX" },
    Model { name: "Broadwell-noTSX", engines: &["adx", "portable"], lacks: "AVX-512" },
];

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    if let Some(word) = words.iter().find(|word| !MODELS.iter().any(|model| model.name == **word)) {
        let names: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
        return Err(format!("no model '{word}': {}", names.join(", ")));
    }
    for model in MODELS.iter().filter(|model| words.is_empty() || words.iter().any(|word| word == model.name)) {
        println!("{} (no {})", model.name, model.lacks);
        let runner = format!("qemu-x86_64 -cpu {}", model.name);
        let engines: Vec<String> = model.engines.iter().map(|&name| name.to_owned()).collect();
        let mut tally = Tally::default();
        tally.run(&Plan {
            engines: &engines,
            label: &format!("{} ", model.name),
            // The tasks' own tests are about the real machine.
            everything: &["--workspace", "--exclude", "xtask"],
            words: &["--tests"], // documentation examples would each be linked and emulated
            variables: &[("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", &runner), ("WINDLASS_TEST_PERCENT", "5")],
        })?;
        tally.report(&engines)?;
    }
    Ok(())
}
