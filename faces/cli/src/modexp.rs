//! `windlass modexp`: a power modulo any number.

use windlass::modexp::{Exponent, modexp};

use crate::failure::Failure;
use crate::fields::print;
use crate::{exit, number};

/// Compute BASE^EXPONENT mod MODULUS for numbers of any size
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// A number: decimal, hex after 0x, or @FILE that holds one (@- is standard input)
    #[arg(value_name = "BASE")]
    base: String,

    /// A number
    #[arg(value_name = "EXPONENT")]
    exponent: String,

    /// A number; modulo 0 and 1 the result is 0
    #[arg(value_name = "MODULUS")]
    modulus: String,

    /// Write the result in decimal, not in hex
    #[arg(long)]
    decimal: bool,
}

const HELP: &str = "\
The time depends on the numbers: not for private keys.

Examples:
  windlass modexp 3 5 100 --decimal
  windlass modexp 0x02 65537 @modulus.txt";

/// Runs it. The exit code.
pub fn run(args: &Args) -> Result<u8, Failure> {
    let numbers = [&args.base, &args.exponent, &args.modulus];
    if numbers.iter().filter(|text| text.as_str() == "@-").count() > 1 {
        return Err(Failure::new("standard input holds one number, not several"));
    }
    let base = number::bytes("the base", &args.base)?;
    let exponent = number::bytes("the exponent", &args.exponent)?;
    let modulus = number::bytes("the modulus", &args.modulus)?;
    let mut out = vec![0; modulus.len()];
    modexp(&base, Exponent::new(&exponent), &modulus, &mut out)
        .map_err(|error| Failure::new(format!("the modulus: {error}")))?;
    let text = if args.decimal { number::to_decimal(&out) } else { number::to_hex(&out) };
    print(format!("{text}\n").as_bytes())?;
    Ok(exit::ALL_VALID)
}
