//! `cargo xtask msrv RUSTC`: the library crates build with the minimum Rust version that they state.
//!
//! Without the cargo feature `ifma`, whose vector instructions need Rust 1.89. RUSTC is a compiler of that version, for instance what `rustup which --toolchain 1.85 rustc` prints, or Debian's `rustc-web`.

use crate::{command, layers};
use std::process::Command;

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let [rustc] = words else {
        return Err("name the compiler".to_owned());
    };
    let stated = format!("{}.", env!("CARGO_PKG_RUST_VERSION"));
    let version = command::output(Command::new(rustc).arg("--version"))?;
    if !version.trim_start_matches("rustc ").starts_with(&stated) {
        return Err(format!("{rustc} is {}, and not {stated}x", version.trim()));
    }
    let mut cargo = command::cargo();
    cargo.env("RUSTC", rustc).args(["check", "--target-dir"]).arg(command::root().join("target/msrv"));
    cargo.args(["--no-default-features", "--features", "windlass/std"]);
    cargo.args(layers::library().flat_map(|name| ["--package", name]));
    command::run(&mut cargo)
}
