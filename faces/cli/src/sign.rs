//! `windlass sign`: one signature.

use std::io::Read as _;
use std::path::PathBuf;

use windlass::{Keypair, ecdsa, schnorr};

use crate::csv::Scheme;
use crate::failure::Failure;
use crate::fields::{Fields, print};
use crate::input::Source;
use crate::{exit, hex, secret};

/// Sign one message
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// File with the secret key as 64 hex digits; `-` is standard input
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,

    #[command(flatten)]
    signed: Signed,

    /// The scheme
    #[arg(long, value_enum, default_value_t)]
    scheme: Scheme,

    /// How an ECDSA signature is written [default: der]
    #[arg(long, value_enum)]
    encoding: Option<SignatureEncoding>,

    /// Schnorr: 32 bytes of auxiliary randomness in hex [default: from the system]
    #[arg(long, value_name = "HEX")]
    aux: Option<String>,

    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Signed {
    /// The message in hex
    #[arg(long, value_name = "HEX")]
    message: Option<String>,

    /// A file whose bytes are the message; `-` is standard input
    #[arg(long, value_name = "FILE")]
    message_file: Option<PathBuf>,

    /// A digest of 32 bytes in hex: ECDSA signs it as it stands, for Schnorr it is the message
    #[arg(long, value_name = "HEX")]
    digest: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum SignatureEncoding {
    /// strict DER
    Der,
    /// 64 bytes: r and s
    Compact,
    /// 65 bytes: r, s and the recovery id
    Recoverable,
}

const HELP: &str = "\
ECDSA hashes a message with SHA-256; the nonce is RFC 6979's and s is in the lower half. Schnorr is BIP340.

Examples:
  windlass sign --secret secret.hex --message-file letter.txt
  windlass sign --secret secret.hex --digest 9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0 --encoding recoverable
  windlass sign --secret - --scheme schnorr-secp256k1 --message 68656c6c6f < secret.hex";

/// Runs it. The exit code.
pub fn run(args: &Args) -> Result<u8, Failure> {
    let both_stdin = [Some(&args.secret), args.signed.message_file.as_ref()]
        .into_iter()
        .flatten()
        .all(|path| path.as_os_str() == "-");
    if both_stdin && args.signed.message_file.is_some() {
        return Err(Failure::new("the secret and the message can't both come from standard input"));
    }
    let message = message(&args.signed)?;
    let digest = args.signed.digest.as_deref().map(|text| hex::array::<32>("the digest", text)).transpose()?;
    let fields = match args.scheme {
        Scheme::EcdsaSecp256k1 => {
            if args.aux.is_some() {
                return Err(Failure::new("--aux is for Schnorr: the nonce of ECDSA is RFC 6979's"));
            }
            sign_ecdsa(args, &message, digest.as_ref())?
        }
        Scheme::SchnorrSecp256k1 => {
            if args.encoding.is_some_and(|encoding| encoding != SignatureEncoding::Compact) {
                return Err(Failure::new("Schnorr signatures are 64 bytes: leave --encoding out"));
            }
            let aux = match &args.aux {
                Some(text) => hex::array::<32>("--aux", text)?,
                None => *secret::random()?,
            };
            let keypair = Keypair::from_secret(&secret::read_key(&args.secret)?);
            let message = digest.as_ref().map_or(message.as_slice(), |digest| digest);
            let signature = schnorr::sign(message, &keypair, &aux);
            Fields::default().with_hex("signature", &signature.0).with_hex("pubkey", &keypair.x_only().0.to_bytes())
        }
    };
    fields.print_result(args.json)?;
    Ok(exit::ALL_VALID)
}

fn sign_ecdsa(args: &Args, message: &[u8], digest: Option<&[u8; 32]>) -> Result<Fields, Failure> {
    let digest = match digest {
        Some(digest) => *digest,
        None => sha256(message),
    };
    let key = secret::read_key(&args.secret)?;
    let (signature, id) = ecdsa::sign_digest_recoverable(&digest, &key);
    let bytes = match args.encoding.unwrap_or(SignatureEncoding::Der) {
        SignatureEncoding::Der => signature.to_der().to_vec(),
        SignatureEncoding::Compact => signature.to_compact().to_vec(),
        SignatureEncoding::Recoverable => [signature.to_compact().as_slice(), &[id.to_u8()]].concat(),
    };
    Ok(Fields::default()
        .with_hex("signature", &bytes)
        .with_hex("pubkey", &key.public_key().to_compressed())
        .with_hex("digest", &digest))
}

fn message(signed: &Signed) -> Result<Vec<u8>, Failure> {
    match (&signed.message, &signed.message_file) {
        (Some(text), _) => hex::bytes("the message", text),
        (None, Some(path)) => {
            let source = Source::from_argument(path);
            let mut bytes = Vec::new();
            let read = match &source {
                Source::Stdin => std::io::stdin().read_to_end(&mut bytes),
                Source::File(path) => std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
            };
            read.map_err(|e| source.failure(&e))?;
            Ok(bytes)
        }
        (None, None) => Ok(Vec::new()),
    }
}

fn sha256(message: &[u8]) -> [u8; 32] {
    use sha2::Digest as _;
    sha2::Sha256::digest(message).into()
}

impl Fields {
    /// The first field alone as text, or all as JSON.
    fn print_result(&self, json: bool) -> Result<(), Failure> {
        match self.first() {
            Some(value) if !json => print([value, "\n"].concat().as_bytes()),
            _ => self.print(json),
        }
    }
}
