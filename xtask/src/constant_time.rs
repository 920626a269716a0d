//! `cargo xtask constant-time [ENGINE…]`: the secret operations under valgrind with their secrets poisoned; `array` for the lanes.
//!
//! The program `testkit/src/bin/constant_time.rs`, built with `--cfg windlass_ct_check`, marks each secret as undefined memory;
//! memcheck reports a branch or an address that depends on one. Planted faults show that the check checks.
//! valgrind does not show the CPU feature ADX though it executes its instructions, so the program takes the engine on trust;
//! another engine in use than the one asked for is a failure.

use crate::{command, test};
use std::process::{Command, Stdio};

const PROGRAM: &str = "constant_time";
/// The exit code that the program gives when memcheck reported something; valgrind itself would pass 0 on.
const REPORTED: i32 = 99;
const PLANTED: &[&str] = &["planted-branch", "planted-index", "planted-vartime"];
/// Stands in for the engine `ifma`, as valgrind has no AVX-512: the text that it runs in lanes, on eight portable elements.
const ARRAY: &str = "array";
const PLANTED_IN_LANES: &[&str] = &["planted-lanes"];

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let mut engines = if words.is_empty() { test::engines() } else { words.to_vec() };
    engines.retain(|engine| engine != "ifma");
    if words.is_empty() {
        engines.push(ARRAY.to_owned());
    }
    command::output(Command::new("valgrind").arg("--version"))
        .map_err(|error| format!("{error} (Debian: apt-get install valgrind)"))?;
    let target = command::root().join("target/constant-time");
    let mut cargo = command::cargo();
    cargo.args(["build", "--release", "--package", "windlass-testkit", "--bin", PROGRAM]);
    cargo.args(["--no-default-features", "--features", "facade", "--target-dir"]).arg(&target);
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
