//! `windlass key`: make a secret key, derive its public key, look at a public key.

use std::path::PathBuf;

use windlass::{Parity, PublicKey, SecretKey, XOnlyPublicKey};
use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::fields::{Fields, print};
use crate::{exit, hex, secret};

/// Make keys and look at them
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

const HELP: &str = "\
Examples:
  windlass key new > secret.hex
  windlass key public --secret secret.hex
  windlass key new | windlass key public --secret - --json
  windlass key inspect 0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Write a new secret key, 64 hex digits, from the system's randomness
    #[command(after_help = "Example:\n  (umask 077; windlass key new > secret.hex)")]
    New,
    /// The public key of a secret key, in all its forms
    #[command(after_help = "Example:\n  windlass key public --secret secret.hex --json")]
    Public {
        /// File with the secret key as 64 hex digits; `-` is standard input
        #[arg(long, value_name = "FILE")]
        secret: PathBuf,
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check a public key and write it in all its forms
    #[command(
        after_help = "Exit code 1: no point of the curve.\n\nExample:\n  windlass key inspect 02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
    )]
    Inspect {
        /// 33 bytes compressed, 65 uncompressed or hybrid, or 32 x-only, in hex
        key: String,
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Runs it. The exit code.
pub fn run(args: &Args) -> Result<u8, Failure> {
    match &args.command {
        Command::New => new(),
        Command::Public { secret, json } => {
            let key = secret::read_key(secret)?.public_key();
            Fields::default().with_public_key(&key).print(*json)?;
            Ok(exit::ALL_VALID)
        }
        Command::Inspect { key, json } => {
            let bytes = hex::bytes("the public key", key)?;
            let parsed = match (<&[u8; 32]>::try_from(bytes.as_slice()), bytes.first()) {
                (Ok(x), _) => XOnlyPublicKey::from_bytes(x).map(|x| x.with_parity(Parity::Even)),
                (_, Some(6 | 7)) => PublicKey::parse_hybrid(&bytes),
                _ => PublicKey::parse(&bytes),
            };
            match parsed {
                Ok(key) => {
                    Fields::default().with_public_key(&key).print(*json)?;
                    Ok(exit::ALL_VALID)
                }
                Err(e) => {
                    print(format!("not a public key: {e}\n").as_bytes())?;
                    Ok(exit::SOME_NOT_VALID)
                }
            }
        }
    }
}

fn new() -> Result<u8, Failure> {
    loop {
        let bytes = secret::random()?;
        // 0 or at least n: once in 2^128.
        if let Ok(key) = SecretKey::from_bytes(&bytes) {
            let mut line = Zeroizing::new(const_hex::encode(key.to_bytes().as_ref()).into_bytes());
            line.push(b'\n');
            print(&line)?;
            return Ok(exit::ALL_VALID);
        }
    }
}
