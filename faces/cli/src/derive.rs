//! `windlass derive`: BIP32 child keys and taproot output keys (BIP341).

use std::path::PathBuf;

use windlass::bip32::{DerivationPath, DeriveError, ExtendedPrivateKey, ExtendedPublicKey, Network};
use windlass::{Keypair, XOnlyPublicKey, taproot};

use crate::failure::Failure;
use crate::fields::{Fields, parity_name};
use crate::{exit, hex, secret};

/// Derive BIP32 child keys and taproot output keys
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

const HELP: &str = "\
Examples:
  windlass derive bip32 --seed seed.hex \"m/44'/0'/0'/0/0\"
  windlass derive bip32 --key account.xpub m/0/5 --json
  windlass derive taproot --internal d6889cb081036e0faefa3a35157ad71086b123b2b144b649798b494c300a961d";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// A child key along a path
    #[command(after_help = "Example:\n  windlass derive bip32 --seed seed.hex \"m/84'/0'/0'\" --private")]
    Bip32 {
        #[command(flatten)]
        from: From,
        /// The path: m/44'/0'/0'/0/1 (' or h marks hardened steps)
        path: String,
        /// The seed is for test networks (tprv, tpub)
        #[arg(long)]
        testnet: bool,
        /// Write the private key too
        #[arg(long)]
        private: bool,
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
    /// The output key of an internal key
    #[command(after_help = "Example:\n  windlass derive taproot --secret secret.hex --private")]
    Taproot {
        #[command(flatten)]
        internal: Internal,
        /// The root of the script tree, 32 bytes in hex
        #[arg(long, value_name = "HEX")]
        merkle_root: Option<String>,
        /// Write the tweaked secret key too
        #[arg(long)]
        private: bool,
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct From {
    /// File with a seed of 16 to 64 bytes in hex; `-` is standard input
    #[arg(long, value_name = "FILE")]
    seed: Option<PathBuf>,
    /// File with an extended key (xprv, xpub, tprv, tpub); `-` is standard input
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Internal {
    /// The internal key, 32 bytes x-only in hex
    #[arg(long, value_name = "HEX")]
    internal: Option<String>,
    /// File with the internal secret key as 64 hex digits; `-` is standard input
    #[arg(long, value_name = "FILE")]
    secret: Option<PathBuf>,
}

/// Runs it. The exit code.
pub fn run(args: &Args) -> Result<u8, Failure> {
    match &args.command {
        Command::Bip32 { from, path, testnet, private, json } => {
            if *testnet && from.seed.is_none() {
                return Err(Failure::new("--testnet is for a seed: an extended key states its network"));
            }
            let network = if *testnet { Network::Testnet } else { Network::Mainnet };
            bip32(from, path, network, *private)?.print(*json)?;
        }
        Command::Taproot { internal, merkle_root, private, json } => {
            if *private && internal.secret.is_none() {
                return Err(Failure::new("--private needs the internal secret key (--secret)"));
            }
            taproot(internal, merkle_root.as_deref(), *private)?.print(*json)?;
        }
    }
    Ok(exit::ALL_VALID)
}

fn bip32(from: &From, path: &str, network: Network, private: bool) -> Result<Fields, Failure> {
    let steps: DerivationPath = path.parse().map_err(|_| Failure::new(format!("`{path}` is no derivation path")))?;
    let parent = match (&from.seed, &from.key) {
        (Some(file), _) => {
            let text = secret::read_text(file)?;
            let seed = zeroize::Zeroizing::new(hex::bytes("the seed", &text)?);
            if !(16..=64).contains(&seed.len()) {
                return Err(Failure::new(format!("the seed has {} bytes, not 16 to 64", seed.len())));
            }
            ExtendedPrivateKey::from_seed(&seed, network).map_err(|_| Failure::new("this seed gives no key"))?
        }
        (None, file) => {
            let text = secret::read_text(file.as_deref().unwrap_or("-".as_ref()))?;
            if let Ok(parent) = ExtendedPublicKey::from_base58(&text) {
                if private {
                    return Err(Failure::new("an extended public key has no private children"));
                }
                let child = parent.derive(&steps).map_err(|e| derive_failure(&e))?;
                return Ok(public_fields(path, &child));
            }
            ExtendedPrivateKey::from_base58(&text).map_err(|e| Failure::new(format!("not an extended key: {e}")))?
        }
    };
    let child = parent.derive(&steps).map_err(|e| derive_failure(&e))?;
    let fields = public_fields(path, &child.to_public());
    if !private {
        return Ok(fields);
    }
    let secret = child.secret_key().to_bytes();
    Ok(fields.with("xprv", child.to_base58().as_str()).with_hex("secret_key", secret.as_ref()))
}

fn public_fields(path: &str, key: &ExtendedPublicKey) -> Fields {
    Fields::default().with("path", path).with("xpub", key.to_base58()).with_public_key(key.public_key())
}

fn derive_failure(error: &DeriveError) -> Failure {
    Failure::new(match error {
        DeriveError::HardenedFromPublic => "a hardened child needs the extended private key",
        DeriveError::DepthExceeded => "the path is deeper than 255 levels",
        DeriveError::Unusable => "this path gives no key",
    })
}

fn taproot(internal: &Internal, merkle_root: Option<&str>, private: bool) -> Result<Fields, Failure> {
    let root = merkle_root.map(|text| hex::array::<32>("the Merkle root", text)).transpose()?;
    let no_key = || Failure::new("this internal key and root give no output key");
    let keypair = match &internal.secret {
        Some(file) => Some(Keypair::from_secret(&secret::read_key(file)?)),
        None => None,
    };
    let key = match (&keypair, &internal.internal) {
        (Some(keypair), _) => keypair.x_only().0,
        (None, text) => {
            let bytes = hex::array("the internal key", text.as_deref().unwrap_or_default())?;
            XOnlyPublicKey::from_bytes(&bytes).map_err(|e| Failure::new(format!("the internal key: {e}")))?
        }
    };
    let (output, parity) = taproot::output_key(&key, root.as_ref()).map_err(|_| no_key())?;
    let fields = Fields::default()
        .with_hex("internal_key", &key.to_bytes())
        .with_hex("tweak", &taproot::tweak_hash(&key, root.as_ref()))
        .with_hex("output_key", &output.to_bytes())
        .with("parity", parity_name(parity));
    match keypair {
        Some(keypair) if private => {
            let tweaked = taproot::tweak_keypair(&keypair, root.as_ref()).map_err(|_| no_key())?;
            Ok(fields.with_hex("secret_key", tweaked.secret().to_bytes().as_ref()))
        }
        _ => Ok(fields),
    }
}
