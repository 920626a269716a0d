//! The commands, and what holds for all of them: the engine chosen by `WINDLASS_ENGINE`, Ctrl-C, exit codes.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{Parser, Subcommand};
use windlass::engine::{self, EngineError};

use crate::failure::Failure;
use crate::{derive, evm, exit, key, modexp, recover, sample, selftest, sign, verify};

/// Verify, recover, sign and derive on secp256k1: files of millions of signatures, or one
#[derive(Parser, Debug)]
#[command(name = "windlass", version, about, after_help = HELP, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const HELP: &str = "\
The environment variable WINDLASS_ENGINE names the engine to use (`windlass engines` lists them).
Secrets are read from a file or from standard input, never from the command line.

Examples:
  windlass verify events.jsonl
  windlass sample nostr -n 1000000 > events.jsonl
  windlass key new > secret.hex
  windlass sign --secret secret.hex --message-file letter.txt";

#[derive(Subcommand, Debug)]
enum Command {
    Verify(verify::Args),
    Sample(sample::Command),
    /// List the engines of this build, and which are available and in use
    #[command(after_help = "Example:\n  WINDLASS_ENGINE=portable windlass engines")]
    Engines,
    Selftest(selftest::Args),
    Key(key::Args),
    Sign(sign::Args),
    Recover(recover::Args),
    Derive(derive::Args),
    Modexp(modexp::Args),
    Evm(evm::Args),
}

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli.command) {
        Ok(code) => ExitCode::from(code),
        // The reader of our output has what it wanted (`windlass sample … | head`).
        Err(failure) if failure.is_broken_pipe() => ExitCode::from(exit::CLOSED_PIPE),
        Err(failure) => {
            // Nobody to tell if standard error is closed.
            let _ = writeln!(io::stderr(), "windlass: {failure}");
            ExitCode::from(exit::UNREADABLE)
        }
    }
}

fn run(command: &Command) -> Result<u8, Failure> {
    engine::select_from_environment().map_err(|e| engine_failure(&e))?;
    match command {
        Command::Verify(args) => verify::run(args, interrupt_flag()?.as_ref()),
        Command::Sample(args) => sample::run(args),
        Command::Engines => engines(),
        Command::Selftest(args) => selftest::run(args),
        Command::Key(args) => key::run(args),
        Command::Sign(args) => sign::run(args),
        Command::Recover(args) => recover::run(args),
        Command::Derive(args) => derive::run(args),
        Command::Modexp(args) => modexp::run(args),
        Command::Evm(args) => evm::run(args),
    }
}

/// A flag that the first Ctrl-C raises; the second ends the program at once.
fn interrupt_flag() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let signal = signal_hook::consts::SIGINT;
    let code = i32::from(exit::INTERRUPTED);
    signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(&flag))
        .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&flag)))
        .map_err(|e| Failure::new(format!("cannot catch Ctrl-C: {e}")))?;
    Ok(flag)
}

fn engine_failure(error: &EngineError) -> Failure {
    let name = std::env::var("WINDLASS_ENGINE").unwrap_or_default();
    let available: Vec<&str> = engine::available().collect();
    let what = match error {
        EngineError::Unknown => "is not known",
        EngineError::Unavailable => "is not available on this machine",
    };
    Failure::new(format!("WINDLASS_ENGINE: the engine `{name}` {what}; available: {}", available.join(", ")))
}

fn engines() -> Result<u8, Failure> {
    let mut out = io::stdout().lock();
    for &name in engine::NAMES {
        let state = match engine::available().any(|available| available == name) {
            _ if name == engine::name() => "in use",
            true => "available",
            false => "not available on this machine",
        };
        writeln!(out, "{name:<10} {state}").map_err(|e| Failure::writing("the list", &e))?;
    }
    Ok(exit::ALL_VALID)
}
