//! Records which compilers build the bench, for the head of every table.

use std::process::Command;

fn first_line(program: &str, argument: &str) -> String {
    let output = Command::new(program).arg(argument).output();
    let text = output.map(|out| String::from_utf8_lossy(&out.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").to_owned()
}

fn main() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let rustc = if variable("RUSTC").is_empty() { "rustc".to_owned() } else { variable("RUSTC") };
    let cc = if variable("CC").is_empty() { "cc".to_owned() } else { variable("CC") };
    println!("cargo::rerun-if-env-changed=CC");
    println!("cargo::rerun-if-env-changed=CFLAGS");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=BENCH_RUSTC={}", first_line(&rustc, "--version"));
    println!("cargo::rustc-env=BENCH_CC={}", first_line(&cc, "--version"));
    println!("cargo::rustc-env=BENCH_CFLAGS={}", variable("CFLAGS"));
    println!("cargo::rustc-env=BENCH_RUSTFLAGS={}", variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "));
    println!("cargo::rustc-env=BENCH_OPT_LEVEL={}", variable("OPT_LEVEL"));
}
