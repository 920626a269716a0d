//! `cargo xtask dudect [ENGINE…] [--measurements N]`: t-tests of the times of operations on secrets, by `testkit/src/bin/dudect.rs`.
//!
//! Fails where |t| is 4.5 or more, and where the planted leak is not found. Ten million measurements take about six minutes an
//! engine; leave the machine alone meanwhile.

use std::process::Command;

use crate::{command, test};

const PROGRAM: &str = "dudect";
/// The operation that leaks.
const PLANTED: &str = "planted";
/// From here on the classes are held to differ.
const THRESHOLD: f64 = 4.5;

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let mut engines = words.to_vec();
    let count = command::option(&mut engines, "--measurements")?.unwrap_or_else(|| "1000000".to_owned());
    if engines.is_empty() {
        engines = test::engines();
    }
    let mut cargo = command::cargo();
    cargo.args(["build", "--release", "--package", "windlass-testkit", "--bin", PROGRAM]);
    command::run(&mut cargo)?;
    let program = command::root().join("target/release").join(PROGRAM);
    let operations = command::output(Command::new(&program).arg("list"))?;
    let mut faults = Vec::new();
    println!("| engine | operation | largest \\|t\\| of {count} measurements | test |\n|---|---|---:|---|");
    for engine in &engines {
        for operation in operations.lines() {
            let mut measured = Command::new(&program);
            measured.args([operation, &count]).env("WINDLASS_ENGINE", engine);
            let said = command::output(&mut measured)?;
            let (t, test) = said.trim().split_once(' ').ok_or_else(|| format!("{PROGRAM} said '{said}'"))?;
            println!("| {engine} | {operation} | {t} | {test} |");
            let t: f64 = t.parse().map_err(|_| format!("{PROGRAM} said '{said}'"))?;
            if is_fault(operation, t) {
                faults.push(format!("{engine}: {operation}: |t| = {t}"));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// A leak, or a planted one that was missed.
fn is_fault(operation: &str, t: f64) -> bool {
    let differs = t.is_nan() || t >= THRESHOLD;
    differs != (operation == PLANTED)
}

#[cfg(test)]
mod tests {
    use super::is_fault;

    #[test]
    fn a_leak_and_a_planted_leak_that_is_missed_are_faults() {
        assert!(!is_fault("ecdh", 4.4) && is_fault("ecdh", 4.5) && is_fault("ecdh", f64::NAN));
        assert!(!is_fault("planted", 100.0) && is_fault("planted", 4.4));
    }
}
