//! `windlass recover`: the public key that made an ECDSA signature.

use sha2::{Digest as _, Sha256};
use windlass::ecdsa::{self, RecoveryId};

use crate::failure::Failure;
use crate::fields::{Fields, print};
use crate::{exit, hex};

/// Recover the public key from one ECDSA signature
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// 65 bytes in hex: r, s and the recovery id (0 to 3, or 27 to 30); 64 bytes with --id
    #[arg(long, value_name = "HEX")]
    signature: String,

    /// The recovery id, 0 to 3: bit 0 is y(R)'s parity, bit 1 says that x(R) is at least n
    #[arg(long, value_name = "N")]
    id: Option<u8>,

    #[command(flatten)]
    signed: Signed,

    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Signed {
    /// The digest that was signed, 32 bytes in hex
    #[arg(long, value_name = "HEX")]
    digest: Option<String>,

    /// The message in hex, which is hashed with SHA-256
    #[arg(long, value_name = "HEX")]
    message: Option<String>,
}

const HELP: &str = "\
Exit code 1: no key gives this signature.

Example:
  windlass recover --digest $DIGEST --signature $(windlass sign --secret secret.hex --digest $DIGEST --encoding recoverable)";

/// Runs it. The exit code.
pub fn run(args: &Args) -> Result<u8, Failure> {
    let bytes = hex::bytes("the signature", &args.signature)?;
    let (compact, id) = match (bytes.split_first_chunk::<64>(), args.id) {
        (Some((compact, &[v])), None) => (compact, if v >= 27 { v - 27 } else { v }),
        (Some((compact, &[])), Some(id)) => (compact, id),
        (Some((_, &[_])), Some(_)) => return Err(Failure::new("the signature has an id of its own: leave --id out")),
        (Some((_, &[])), None) => return Err(Failure::new("64 bytes hold no recovery id: give it with --id")),
        _ => return Err(Failure::new(format!("the signature has {} bytes, not 65 (or 64 with --id)", bytes.len()))),
    };
    let id = RecoveryId::from_u8(id).map_err(|_| Failure::new("the recovery id is 0 to 3"))?;
    let digest = match (&args.signed.digest, &args.signed.message) {
        (Some(text), _) => hex::array("the digest", text)?,
        (None, text) => Sha256::digest(hex::bytes("the message", text.as_deref().unwrap_or_default())?).into(),
    };
    let recovered = ecdsa::Signature::from_compact(compact).ok().and_then(|rs| ecdsa::recover(&digest, &rs, id).ok());
    match recovered {
        Some(key) => {
            Fields::default().with_public_key(&key).print(args.json)?;
            Ok(exit::ALL_VALID)
        }
        None => {
            print(b"no key gives this signature\n")?;
            Ok(exit::SOME_NOT_VALID)
        }
    }
}
