//! `cargo xtask TASK`: the tasks of this workspace that are more than one cargo command.

mod command;
mod constant_time;
mod counts;
mod differential;
mod dudect;
mod fuzz;
mod lanes;
mod layers;
mod msrv;
mod providers;
mod qemu;
mod tables;
mod test;

use std::process::ExitCode;

/// A task: its name, what it does in a line, and the function that takes the words behind the name.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

const TASKS: &[Task] = &[
    Task { name: "test", about: "the whole suite on every engine of this machine", run: test::run },
    Task { name: "layers", about: "dependencies point downwards, unsafe code stands where it may", run: layers::run },
    Task { name: "lanes", about: "tasks in lanes are vector instructions, not calls of them", run: lanes::run },
    Task { name: "tables", about: "[--check]: writes or compares the multiples of generators", run: tables::run },
    Task { name: "differential", about: "[--count N] [--seed S]: against libsecp256k1", run: differential::run },
    Task { name: "fuzz", about: "[TARGET...] [--seconds N]: fuzz targets under libFuzzer", run: fuzz::run },
    Task { name: "constant-time", about: "[ENGINE...]: poisoned secrets under valgrind", run: constant_time::run },
    Task { name: "dudect", about: "[ENGINE...] [--measurements N]: do times tell secrets apart?", run: dudect::run },
    Task { name: "counts", about: "[--check]: writes or compares operations and instructions", run: counts::run },
    Task { name: "msrv", about: "RUSTC: the library builds with the Rust version that it states", run: msrv::run },
    Task {
        name: "providers",
        about: "revm-precompile's own tests on windlass, and on a broken provider",
        run: providers::run,
    },
    Task { name: "qemu", about: "[MODEL...]: the suite on emulated CPUs that lack features", run: qemu::run },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let task = words.first().and_then(|name| TASKS.iter().find(|task| task.name == name));
    let Some(task) = task else {
        println!("usage: cargo xtask TASK");
        TASKS.iter().for_each(|task| println!("  {:<14} {}", task.name, task.about));
        return if words.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) };
    };
    match (task.run)(&words[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("cargo xtask {}: {message}", task.name);
            ExitCode::FAILURE
        }
    }
}
