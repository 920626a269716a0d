//! `cargo xtask test`: the whole suite, once for each engine of this machine, and what was skipped.
//!
//! Everything runs on the best engine; what depends on the choice runs again on each other one. Debug assertions are on; the
//! facade's tests run once more over release code generation (profile `verify`). A test that cannot run says so
//! through `testkit::skip`; it is counted as skipped, and fails the run where its vectors or CPU features are there after all.

use crate::command;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

/// The crates whose tests depend on the engine in use.
const ENGINE_CRATES: &[&str] = &["windlass", "windlass-cli", "windlass-evm"];

/// What came of some tests.
#[derive(Default)]
pub(crate) struct Tally {
    passed: usize,
    failed: Vec<String>,
    skipped: Vec<Skip>,
}

/// A test that did not run: where, its name, and what was missing.
struct Skip {
    run: String,
    test: String,
    kind: String,
    detail: String,
}

/// Which tests run, where.
pub(crate) struct Plan<'a> {
    /// The engines to run on, best first.
    pub(crate) engines: &'a [String],
    /// What stands before the engine's name in reports.
    pub(crate) label: &'a str,
    /// Words for `cargo test` that name everything.
    pub(crate) everything: &'a [&'a str],
    /// Words for `cargo test` whatever it tests.
    pub(crate) words: &'a [&'a str],
    /// Environment variables.
    pub(crate) variables: &'a [(&'a str, &'a str)],
}

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    command::no_more(words)?;
    let engines = engines();
    let mut tally = Tally::default();
    let plan = Plan { engines: &engines, label: "", everything: &["--workspace"], words: &[], variables: &[] };
    tally.run(&plan)?;
    if let Some(best) = engines.first() {
        let facade = ["--profile", "verify", "--package", "windlass", "--tests"];
        tally.cargo_test(&plan, best, &format!("verify {best}"), &facade)?;
    }
    tally.report(&engines)
}

/// The engines of this machine, best first.
pub(crate) fn engines() -> Vec<String> {
    windlass::engine::available().map(str::to_owned).collect()
}

impl Tally {
    /// Everything on the first engine, what depends on the engine on the others.
    pub(crate) fn run(&mut self, plan: &Plan<'_>) -> Result<(), String> {
        for (at, engine) in plan.engines.iter().enumerate() {
            let label = format!("{}{engine}", plan.label);
            if at == 0 {
                self.cargo_test(plan, engine, &label, plan.everything)?;
            } else {
                let crates: Vec<&str> = ENGINE_CRATES.iter().flat_map(|name| ["--package", name]).collect();
                self.cargo_test(plan, engine, &label, &crates)?;
                self.cargo_test(plan, engine, &label, &["--package", "windlass-testkit", "--test", "differential"])?;
            }
        }
        Ok(())
    }

    /// One `cargo test`, its output passed on and counted.
    fn cargo_test(&mut self, plan: &Plan<'_>, engine: &str, label: &str, selection: &[&str]) -> Result<(), String> {
        let skips = command::root().join("target").join(format!("skips-{}", std::process::id()));
        let mut cargo = command::cargo();
        cargo.args(["test", "--no-fail-fast"]).args(plan.words).args(selection);
        cargo.env("WINDLASS_ENGINE", engine).env("WINDLASS_SKIPS", &skips).envs(plan.variables.iter().copied());
        eprintln!("+ WINDLASS_ENGINE={engine} {}", command::shown(&cargo));
        let failed_before = self.failed.len();
        let succeeded = self.count(&mut cargo, label)?;
        if !succeeded && self.failed.len() == failed_before {
            return Err(format!("{}: no test failed, yet the command did", command::shown(&cargo)));
        }
        self.take_skips(&skips, label)
    }

    /// Runs `cargo` and counts what its tests say; did it succeed?
    fn count(&mut self, cargo: &mut Command, label: &str) -> Result<bool, String> {
        let fault = |error: std::io::Error| format!("cargo test: {error}");
        let mut child = cargo.stdout(Stdio::piped()).spawn().map_err(fault)?;
        for line in BufReader::new(child.stdout.take().ok_or("no standard output")?).lines() {
            let line = line.map_err(fault)?;
            println!("{line}");
            self.count_line(&line, label);
        }
        Ok(child.wait().map_err(fault)?.success())
    }

    /// Counts a line of the test harness.
    fn count_line(&mut self, line: &str, label: &str) {
        if let Some((test, outcome)) = line.strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... ")) {
            if outcome == "FAILED" {
                self.failed.push(format!("{test} [{label}]"));
            } else if outcome.starts_with("ignored") {
                let (run, test, kind) = (label.to_owned(), test.to_owned(), "ignored".to_owned());
                self.skipped.push(Skip { run, test, kind, detail: outcome.to_owned() });
            }
        } else if let Some(counts) = line.strip_prefix("test result: ") {
            let passed = counts.split("; ").next().and_then(|part| part.split(' ').nth(1));
            self.passed += passed.and_then(|number| number.parse::<usize>().ok()).unwrap_or_default();
        }
    }

    /// Moves the tests that the file of skips names from passed to skipped.
    fn take_skips(&mut self, file: &std::path::Path, label: &str) -> Result<(), String> {
        let Ok(text) = std::fs::read_to_string(file) else {
            return Ok(()); // nothing was skipped
        };
        std::fs::remove_file(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let mut seen = Vec::new();
        for line in text.lines() {
            let mut parts = line.split('\t').map(str::to_owned);
            let (Some(test), Some(kind), Some(detail)) = (parts.next(), parts.next(), parts.next()) else {
                return Err(format!("not a skip: {line}"));
            };
            if !seen.contains(&test) {
                seen.push(test.clone());
                self.passed = self.passed.saturating_sub(1);
            }
            self.skipped.push(Skip { run: label.to_owned(), test, kind, detail });
        }
        Ok(())
    }

    /// Prints names and counts; an error on failures, and on skips of what `engines` and the vectors' folder could have run.
    pub(crate) fn report(&self, engines: &[String]) -> Result<(), String> {
        println!();
        self.failed.iter().for_each(|test| println!("failed: {test}"));
        let mut skipped: Vec<(&str, &str)> = Vec::new();
        let mut needless = 0;
        for Skip { run, test, kind, detail } in &self.skipped {
            let present = is_present(kind, detail, engines);
            needless += usize::from(present);
            println!("skipped: {test} [{run}]: {kind} {detail}{}", if present { ", which is there" } else { "" });
            if !skipped.contains(&(run, test)) {
                skipped.push((run, test));
            }
        }
        println!("{} passed, {} failed, {} skipped", self.passed, self.failed.len(), skipped.len());
        match (self.failed.len(), needless) {
            (0, 0) => Ok(()),
            (0, _) => Err("a test was skipped though what it needs is there".to_owned()),
            (failed, _) => Err(format!("{failed} tests failed")),
        }
    }
}

/// Is what a skipped test lacked there after all?
fn is_present(kind: &str, detail: &str, engines: &[String]) -> bool {
    match kind {
        "vectors" => std::env::var_os("WINDLASS_VECTORS")
            .is_some_and(|folder| std::path::Path::new(&folder).join(detail).exists()),
        "engine" => engines.iter().any(|engine| engine == detail),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harness_lines_are_counted() {
        let mut tally = Tally::default();
        for line in [
            "test a::b ... ok",
            "test a::c ... FAILED",
            "test a::d ... ignored, slow",
            "test src/lib.rs - f (line 3) - compile fail ... ok",
            "test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.30s",
            "test result: ok. 40 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.30s",
        ] {
            tally.count_line(line, "portable");
        }
        assert_eq!((tally.passed, tally.failed.len(), tally.skipped.len()), (42, 1, 1));
        assert!(tally.report(&[]).is_err());
    }

    #[test]
    fn a_skip_of_an_engine_that_is_there_fails_the_run() {
        let skip = |detail: &str| Skip {
            run: "portable".to_owned(),
            test: "t".to_owned(),
            kind: "engine".to_owned(),
            detail: detail.to_owned(),
        };
        let engines = ["portable".to_owned()];
        let tally = Tally { passed: 1, failed: vec![], skipped: vec![skip("adx")] };
        assert_eq!(tally.report(&engines), Ok(()));
        let tally = Tally { passed: 1, failed: vec![], skipped: vec![skip("portable")] };
        assert!(tally.report(&engines).is_err());
    }
}
