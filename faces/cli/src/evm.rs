//! `windlass evm`: Ethereum's precompiled contracts on call data.

use std::io::{self, BufRead, Read as _, Write};

use windlass_evm::{CallError, Fork, Success, ecrecover, modexp};

use crate::failure::Failure;
use crate::{exit, hex};

/// Run an Ethereum precompile on call data: one JSON line of output and gas, or error
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(subcommand)]
    precompile: Precompile,
}

const HELP: &str = "\
A line is {\"output\":\"0x…\",\"gas\":N} or {\"error\":\"…\"}. Exit code 1: some call failed.

Examples:
  windlass evm modexp 0x$CALLDATA --fork osaka
  windlass evm ecrecover - < calls.hex";

#[derive(Debug, clap::Subcommand)]
enum Precompile {
    /// 0x01: the address that signed
    #[command(after_help = "Example:\n  windlass evm ecrecover - < calls.hex")]
    Ecrecover(Call),
    /// 0x05: a power modulo any number
    #[command(after_help = "Example:\n  windlass evm modexp 0x$CALLDATA --fork berlin --gas-limit 30000000")]
    Modexp(Call),
}

#[derive(Debug, clap::Args)]
struct Call {
    /// The call data in hex; `-` reads one from each line of standard input
    #[arg(value_name = "INPUT")]
    input: String,

    /// The fork: frontier, byzantium, berlin or osaka
    #[arg(long, default_value = "osaka", value_parser = fork)]
    fork: Fork,

    /// The gas that the call is given; without it all there can be
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    gas_limit: u64,
}

fn fork(name: &str) -> Result<Fork, String> {
    name.parse().map_err(|_| format!("the forks are {}", Fork::ALL.map(Fork::name).join(", ")))
}

/// The longest line that is read: call data of 8 MiB.
const LONGEST_LINE: u64 = 1 << 24;

/// Runs it. The exit code.
pub fn run(args: &Args) -> Result<u8, Failure> {
    let (call, contract): (_, fn(&[u8], &Call) -> _) = match &args.precompile {
        Precompile::Ecrecover(call) => (call, |input, call| ecrecover(input, call.gas_limit)),
        Precompile::Modexp(call) => (call, |input, call| modexp(input, call.gas_limit, call.fork)),
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut code = exit::ALL_VALID;
    let mut answer = |input: &[u8]| {
        let result: Result<Success, CallError> = contract(input, call);
        if result.is_err() {
            code = exit::SOME_NOT_VALID;
        }
        match result {
            Ok(Success { output, gas }) => {
                writeln!(out, "{{\"output\":\"{}\",\"gas\":{gas}}}", const_hex::encode_prefixed(output))
            }
            Err(error) => writeln!(out, "{{\"error\":\"{error}\"}}"),
        }
        .map_err(|e| Failure::writing("the result", &e))
    };
    if call.input != "-" {
        answer(&hex::bytes("the input", &call.input)?)?;
    } else {
        let mut lines = io::stdin().lock();
        for number in 1.. {
            let mut line = String::new();
            let read = lines.by_ref().take(LONGEST_LINE).read_line(&mut line);
            match read.map_err(|e| Failure::new(format!("cannot read standard input, line {number}: {e}")))? {
                0 => break,
                bytes if bytes as u64 == LONGEST_LINE => {
                    return Err(Failure::new(format!(
                        "standard input, line {number}: longer than {LONGEST_LINE} bytes"
                    )));
                }
                _ => answer(&hex::bytes(&format!("standard input, line {number},"), &line)?)?,
            }
        }
    }
    out.flush().map_err(|e| Failure::writing("the result", &e))?;
    Ok(code)
}
