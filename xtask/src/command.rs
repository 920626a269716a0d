//! Running other programs.

use std::process::{Command, Stdio};

/// Runs `command` with its output passed on; an error unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    eprintln!("+ {}", shown(command));
    let status = command.status().map_err(|error| format!("{}: {error}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", shown(command))) }
}

/// The standard output of `command`; an error unless it succeeds.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let result = command.stderr(Stdio::inherit()).output().map_err(|error| format!("{}: {error}", shown(command)))?;
    if !result.status.success() {
        return Err(format!("{}: {}", shown(command), result.status));
    }
    String::from_utf8(result.stdout).map_err(|error| format!("{}: {error}", shown(command)))
}

/// `cargo`, as this process was started by it.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// The triple of this machine, as the compiler names it.
pub(crate) fn host() -> Result<String, String> {
    let version = output(Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("-vV"))?;
    let line = version.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_owned())
}

/// The workspace's folder.
pub(crate) fn root() -> &'static std::path::Path {
    let xtask = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}

/// The command as a line: its program without its folder, and its words.
pub(crate) fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let words = program.file_name().into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Takes `--name VALUE` out of `words`.
pub(crate) fn option(words: &mut Vec<String>, name: &str) -> Result<Option<String>, String> {
    let Some(at) = words.iter().position(|word| word == name) else {
        return Ok(None);
    };
    if at + 1 == words.len() {
        return Err(format!("{name} needs a value"));
    }
    words.remove(at);
    Ok(Some(words.remove(at)))
}

/// An error unless every word was understood.
pub(crate) fn no_more(words: &[String]) -> Result<(), String> {
    match words {
        [] => Ok(()),
        [word, ..] => Err(format!("what is '{word}'?")),
    }
}
