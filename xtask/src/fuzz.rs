//! `cargo xtask fuzz TARGET [--seconds N]`: a target of `fuzz/` under libFuzzer, with coverage instrumentation on stable Rust.
//!
//! Inputs that are found stay in `fuzz/corpus/TARGET`, one that fails is written to `fuzz/`. Without a target: all, in turn.

use crate::command;

/// The compiler's own coverage pass, as libFuzzer reads it. Source: rustc book, `-C passes`; LLVM, SanitizerCoverage.
const INSTRUMENTATION: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let mut words = words.to_vec();
    let seconds = command::option(&mut words, "--seconds")?.unwrap_or_else(|| "60".to_owned());
    let all = targets()?;
    if let Some(word) = words.iter().find(|word| !all.contains(word)) {
        return Err(format!("no target '{word}': {}", all.join(", ")));
    }
    let folder = command::root().join("fuzz");
    // A target triple of its own keeps the instrumentation out of build scripts.
    let triple = command::host()?;
    for target in if words.is_empty() { all } else { words } {
        let mut cargo = command::cargo();
        cargo.current_dir(&folder).env("RUSTFLAGS", INSTRUMENTATION);
        cargo.args(["run", "--release", "--target", &triple, "--bin", &target, "--"]);
        let corpus = folder.join("corpus").join(&target);
        std::fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
        cargo.arg(corpus).arg(format!("-max_total_time={seconds}"));
        command::run(&mut cargo)?;
    }
    Ok(())
}

/// The names of the targets, sorted.
fn targets() -> Result<Vec<String>, String> {
    let folder = command::root().join("fuzz/src/bin");
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}
