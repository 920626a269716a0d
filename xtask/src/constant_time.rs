//! `cargo xtask constant-time [ENGINE…]`: the secret operations under valgrind with their secrets poisoned; `array` for the lanes.
//!
//! The program `testkit/src/bin/constant_time.rs`, built with `--cfg windlass_ct_check`, marks each secret as undefined memory;
//! memcheck reports a branch or an address that depends on one. Planted faults show that the check checks.
//! valgrind does not show the CPU feature ADX though it executes its instructions, so the program takes the engine on trust;
//! another engine in use than the one asked for is a failure.
//!
//! valgrind has no AVX-512, so on the engine `ifma` the same program runs step by step on the CPU itself ([`step`]), and
//! [`taint`] follows the secrets through its registers and memory; each instruction that works on them has to be on a list.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod step;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod taint;

use crate::{command, test};
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = "constant_time";
/// The exit code that the program gives when memcheck reported something; valgrind itself would pass 0 on.
const REPORTED: i32 = 99;
const PLANTED: &[&str] = &["planted-branch", "planted-index", "planted-vartime"];
/// The engine that valgrind can't run.
const IFMA: &str = "ifma";
/// The text that `ifma` runs in lanes, on eight portable elements: for valgrind, and for machines without AVX-512.
const ARRAY: &str = "array";
const PLANTED_IN_LANES: &[&str] = &["planted-lanes"];

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let mut engines = if words.is_empty() { test::engines() } else { words.to_vec() };
    if words.is_empty() {
        engines.push(ARRAY.to_owned());
    }
    command::output(Command::new("valgrind").arg("--version"))
        .map_err(|error| format!("{error} (Debian: apt-get install valgrind)"))?;
    let target = command::root().join("target/constant-time");
    let mut cargo = command::cargo();
    cargo.args(["build", "--release", "--package", "windlass-testkit", "--bin", PROGRAM]);
    cargo.args(["--no-default-features", "--features", "facade,ifma", "--target-dir"]).arg(&target);
    cargo.env("RUSTFLAGS", "--cfg windlass_ct_check");
    command::run(&mut cargo)?;
    let program = target.join("release").join(PROGRAM);
    let watched = |words: &[&str], stderr: Stdio| {
        let mut valgrind = Command::new("valgrind");
        valgrind
            .args(["--quiet", "--error-limit=no", &format!("--error-exitcode={REPORTED}")])
            .arg(&program)
            .args(words);
        eprintln!("+ {}", command::shown(&valgrind));
        valgrind.stderr(stderr).status().map_err(|error| format!("valgrind: {error}"))
    };
    for engine in &engines {
        if engine == IFMA {
            step_by_step(&program)?;
            continue;
        }
        for planted in if engine == ARRAY { PLANTED_IN_LANES } else { PLANTED } {
            let status = watched(&[engine, planted], Stdio::null())?;
            if status.code() != Some(REPORTED) {
                return Err(format!("{engine}: {planted} was not reported ({status}): the check does not check"));
            }
            println!("{engine}: {planted} is reported, as it should be");
        }
        let status = watched(&[engine], Stdio::inherit())?;
        if !status.success() {
            return Err(format!(
                "{engine}: {status}; exit code {REPORTED} means that a secret decides a branch or an address"
            ));
        }
        println!("{engine}: no report");
    }
    Ok(())
}

/// The engine `ifma`: every operation, and each planted fault.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn step_by_step(program: &Path) -> Result<(), String> {
    if !step::is_permitted() {
        println!("skipped: {IFMA}: this system does not let a process trace its child");
        return Ok(());
    }
    for planted in PLANTED.iter().chain(PLANTED_IN_LANES) {
        let traced = step::run(program, &[IFMA, planted])?;
        if traced.code != 0 || traced.taint.count == 0 {
            return Err(format!(
                "{IFMA}: {planted} was not reported (exit code {}): the check does not check",
                traced.code
            ));
        }
        println!("{IFMA}: {planted} is reported, as it should be");
    }
    let traced = step::run(program, &[IFMA])?;
    for (at, what) in &traced.taint.reports {
        println!("{IFMA}: at {:#x}: {what}", at.wrapping_sub(traced.base));
    }
    if traced.code != 0 || traced.taint.count > 0 {
        return Err(format!("{IFMA}: {} reports, exit code {}", traced.taint.count, traced.code));
    }
    let seen = &traced.taint.seen;
    let names: Vec<&str> = seen.iter().map(String::as_str).collect();
    println!(
        "{IFMA}: no report in {} instructions; {} kinds worked on secrets: {}",
        traced.steps,
        seen.len(),
        names.join(" ")
    );
    Ok(())
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn step_by_step(_program: &Path) -> Result<(), String> {
    Err(format!("{IFMA}: a program is stepped through under Linux on x86-64 alone"))
}
