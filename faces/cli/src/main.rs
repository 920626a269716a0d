//! The binary `windlass`.

use std::process::ExitCode;

fn main() -> ExitCode {
    windlass_cli::cli::main()
}
