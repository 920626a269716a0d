//! `cargo xtask TASK`: the tasks of this workspace that are more than one cargo command.

use std::process::ExitCode;

/// A task: its name, what it does in a line, and the function that takes the words behind the name.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

const TASKS: &[Task] = &[];

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
