//! libsecp256k1: the C functions as they stand, through the bindings of `secp256k1-sys`, with one context that is made
//! once and never re-randomised (the crate `secp256k1` does that after each secret operation, which costs more than the
//! operation).
//!
//! It also makes the inputs of every row, so that windlass is never its own judge.

use std::ffi::c_int;
use std::ptr::{NonNull, null, null_mut};
use std::sync::OnceLock;

use secp256k1_sys::recovery::{
    RecoverableSignature, secp256k1_ecdsa_recover, secp256k1_ecdsa_recoverable_signature_parse_compact,
    secp256k1_ecdsa_recoverable_signature_serialize_compact, secp256k1_ecdsa_sign_recoverable,
};
use secp256k1_sys::{
    Context, Keypair, PublicKey, SECP256K1_SER_COMPRESSED, SECP256K1_SER_UNCOMPRESSED, SECP256K1_START_SIGN,
    SECP256K1_START_VERIFY, SchnorrSigExtraParams, Signature, XOnlyPublicKey, secp256k1_context_preallocated_create,
    secp256k1_context_preallocated_size, secp256k1_ec_pubkey_create, secp256k1_ec_pubkey_parse,
    secp256k1_ec_pubkey_serialize, secp256k1_ec_pubkey_tweak_add, secp256k1_ec_pubkey_tweak_mul,
    secp256k1_ec_seckey_negate, secp256k1_ecdh, secp256k1_ecdh_hash_function_default, secp256k1_ecdsa_sign,
    secp256k1_ecdsa_signature_parse_compact, secp256k1_ecdsa_signature_serialize_compact, secp256k1_ecdsa_verify,
    secp256k1_keypair_create, secp256k1_schnorrsig_sign_custom, secp256k1_schnorrsig_sign32,
    secp256k1_schnorrsig_verify, secp256k1_tagged_sha256, secp256k1_xonly_pubkey_from_pubkey,
    secp256k1_xonly_pubkey_parse, secp256k1_xonly_pubkey_serialize, secp256k1_xonly_pubkey_tweak_add,
};

use crate::library::{Job, Library, job, valid};
use crate::suites::secp256k1::{Case, Row, TAG};

pub(crate) struct LibSecp256k1;

/// The one context, never written to after it was made.
struct Shared(NonNull<Context>);

// SAFETY: libsecp256k1 reads a context through `const` pointers only, and this module passes no other.
unsafe impl Send for Shared {}
// SAFETY: as above; the header allows concurrent use of a context that is not being written.
unsafe impl Sync for Shared {}

fn context() -> *const Context {
    static CONTEXT: OnceLock<Shared> = OnceLock::new();
    let made = CONTEXT.get_or_init(|| {
        let flags = SECP256K1_START_SIGN | SECP256K1_START_VERIFY;
        // SAFETY: takes plain flags.
        let bytes = unsafe { secp256k1_context_preallocated_size(flags) };
        // u128 has the strictest alignment a C type needs here; the memory lives as long as the process.
        let memory: &'static mut [u128] = Box::leak(vec![0u128; bytes.div_ceil(16)].into_boxed_slice());
        // SAFETY: the block is as large as asked for, aligned, and never used otherwise.
        Shared(unsafe { secp256k1_context_preallocated_create(NonNull::from(memory).cast(), flags) })
    });
    made.0.as_ptr()
}

/// The C functions answer 1 for success.
fn succeeded(code: c_int) -> Option<()> {
    (code == 1).then_some(())
}

fn parse_key(bytes: &[u8; 33]) -> Option<PublicKey> {
    // SAFETY: only written to by the parser before it is read.
    let mut key = unsafe { PublicKey::new() };
    // SAFETY: `bytes` has the length that is passed.
    succeeded(unsafe { secp256k1_ec_pubkey_parse(context(), &mut key, bytes.as_ptr(), bytes.len()) })?;
    Some(key)
}

fn parse_x_only(bytes: &[u8; 32]) -> Option<XOnlyPublicKey> {
    // SAFETY: only written to by the parser before it is read.
    let mut key = unsafe { XOnlyPublicKey::new() };
    // SAFETY: `bytes` is 32 bytes.
    succeeded(unsafe { secp256k1_xonly_pubkey_parse(context(), &mut key, bytes.as_ptr()) })?;
    Some(key)
}

fn parse_signature(bytes: &[u8; 64]) -> Option<Signature> {
    // SAFETY: only written to by the parser before it is read.
    let mut signature = unsafe { Signature::new() };
    // SAFETY: `bytes` is 64 bytes.
    succeeded(unsafe { secp256k1_ecdsa_signature_parse_compact(context(), &mut signature, bytes.as_ptr()) })?;
    Some(signature)
}

fn parse_recoverable(bytes: &[u8; 64], id: u8) -> Option<RecoverableSignature> {
    let mut signature = RecoverableSignature::new();
    // SAFETY: `bytes` is 64 bytes; the function checks the id against 0..=3 and the ids here are such.
    let code = unsafe {
        secp256k1_ecdsa_recoverable_signature_parse_compact(context(), &mut signature, bytes.as_ptr(), c_int::from(id))
    };
    succeeded(code)?;
    Some(signature)
}

fn create_key(secret: &[u8; 32]) -> Option<PublicKey> {
    // SAFETY: only written to by the function before it is read.
    let mut key = unsafe { PublicKey::new() };
    // SAFETY: `secret` is 32 bytes.
    succeeded(unsafe { secp256k1_ec_pubkey_create(context(), &mut key, secret.as_ptr()) })?;
    Some(key)
}

fn create_keypair(secret: &[u8; 32]) -> Option<Keypair> {
    // SAFETY: only written to by the function before it is read.
    let mut pair = unsafe { Keypair::new() };
    // SAFETY: `secret` is 32 bytes.
    succeeded(unsafe { secp256k1_keypair_create(context(), &mut pair, secret.as_ptr()) })?;
    Some(pair)
}

fn serialize<const N: usize>(key: &PublicKey, flags: u32) -> [u8; N] {
    let (mut bytes, mut length) = ([0; N], N);
    // SAFETY: `bytes` has the length that is passed, and `key` was made by this library.
    unsafe { secp256k1_ec_pubkey_serialize(context(), bytes.as_mut_ptr(), &mut length, key, flags) };
    bytes
}

fn encode_key(key: &PublicKey) -> Vec<u8> {
    serialize::<65>(key, SECP256K1_SER_UNCOMPRESSED).to_vec()
}

fn verify_ecdsa(digest: &[u8; 32], signature: &Signature, key: &PublicKey) -> Option<()> {
    // SAFETY: 32 bytes; signature and key were made by this library's parsers.
    succeeded(unsafe { secp256k1_ecdsa_verify(context(), signature, digest.as_ptr(), key) })
}

fn verify_schnorr(message: &[u8], signature: &[u8; 64], key: &XOnlyPublicKey) -> Option<()> {
    let (signature, length) = (signature.as_ptr(), message.len());
    // SAFETY: the lengths are the types' and the key was made by this library's parser.
    succeeded(unsafe { secp256k1_schnorrsig_verify(context(), signature, message.as_ptr(), length, key) })
}

/// A recovery from bytes to an uncompressed key, for suite `pipeline`.
pub(crate) fn recover_bytes(digest: &[u8; 32], signature: &[u8; 64], id: u8) -> Option<[u8; 65]> {
    let key = recover(digest, &parse_recoverable(signature, id)?)?;
    Some(serialize(&key, SECP256K1_SER_UNCOMPRESSED))
}

/// ECDSA from bytes, high s refused.
pub(crate) fn verify_ecdsa_bytes(digest: &[u8; 32], signature: &[u8; 64], key: &[u8; 33]) -> Option<()> {
    verify_ecdsa(digest, &parse_signature(signature)?, &parse_key(key)?)
}

/// BIP340 from bytes: what suite `pipeline` calls as well.
pub(crate) fn verify_schnorr_bytes(message: &[u8], signature: &[u8; 64], key: &[u8; 32]) -> Option<()> {
    verify_schnorr(message, signature, &parse_x_only(key)?)
}

fn ecdsa_signature(digest: &[u8; 32], secret: &[u8; 32]) -> Option<Signature> {
    // SAFETY: only written to by the function before it is read.
    let mut signature = unsafe { Signature::new() };
    // SAFETY: 32 bytes each; no nonce function means RFC 6979, and no data for it.
    let code =
        unsafe { secp256k1_ecdsa_sign(context(), &mut signature, digest.as_ptr(), secret.as_ptr(), None, null()) };
    succeeded(code)?;
    Some(signature)
}

/// As `schnorr_signature`, of a message of any length.
fn schnorr_signature_of(message: &[u8], pair: &Keypair, aux: &[u8; 32]) -> Option<[u8; 64]> {
    let mut signature = [0; 64];
    let (out, length) = (signature.as_mut_ptr(), message.len());
    let extra = SchnorrSigExtraParams::new(None, aux.as_ptr().cast());
    // SAFETY: 64 bytes out, the message with its length, a pair of this library; the data of the default nonce function is the
    // 32 bytes that it takes, and they outlive the call.
    succeeded(unsafe { secp256k1_schnorrsig_sign_custom(context(), out, message.as_ptr(), length, pair, &extra) })?;
    Some(signature)
}

fn schnorr_signature(message: &[u8; 32], pair: &Keypair, aux: &[u8; 32]) -> Option<[u8; 64]> {
    let mut signature = [0; 64];
    let out = signature.as_mut_ptr();
    // SAFETY: 64 bytes out, 32 bytes each in, and the pair was made by this library.
    succeeded(unsafe { secp256k1_schnorrsig_sign32(context(), out, message.as_ptr(), pair, aux.as_ptr()) })?;
    Some(signature)
}

fn recover(digest: &[u8; 32], signature: &RecoverableSignature) -> Option<PublicKey> {
    // SAFETY: only written to by the function before it is read.
    let mut key = unsafe { PublicKey::new() };
    // SAFETY: 32 bytes; the signature was made by this library's parser.
    succeeded(unsafe { secp256k1_ecdsa_recover(context(), &mut key, signature, digest.as_ptr()) })?;
    Some(key)
}

fn shared_secret(secret: &[u8; 32], key: &PublicKey) -> Option<[u8; 32]> {
    let mut shared = [0; 32];
    let out = shared.as_mut_ptr();
    // SAFETY: 32 bytes out, which the default hash function fills, 32 bytes in, a parsed key, no data.
    let code = unsafe {
        secp256k1_ecdh(context(), out, key, secret.as_ptr(), secp256k1_ecdh_hash_function_default, null_mut())
    };
    succeeded(code)?;
    Some(shared)
}

/// P + t·G
fn tweak_add(key: &PublicKey, tweak: &[u8; 32]) -> Option<PublicKey> {
    let mut sum = *key;
    // SAFETY: a parsed key and 32 bytes.
    succeeded(unsafe { secp256k1_ec_pubkey_tweak_add(context(), &mut sum, tweak.as_ptr()) })?;
    Some(sum)
}

/// k·P, in variable time (`ecmult` without a generator term)
fn multiply(key: &PublicKey, scalar: &[u8; 32]) -> Option<PublicKey> {
    let mut product = *key;
    // SAFETY: a parsed key and 32 bytes.
    succeeded(unsafe { secp256k1_ec_pubkey_tweak_mul(context(), &mut product, scalar.as_ptr()) })?;
    Some(product)
}

fn tagged_hash(message: &[u8]) -> Option<[u8; 32]> {
    let mut hash = [0; 32];
    let (out, tag) = (hash.as_mut_ptr(), TAG.as_bytes());
    // SAFETY: 32 bytes out; the lengths are those of the slices.
    let code =
        unsafe { secp256k1_tagged_sha256(context(), out, tag.as_ptr(), tag.len(), message.as_ptr(), message.len()) };
    succeeded(code)?;
    Some(hash)
}

/// BIP341's output key: TapTweak hash, x-only tweak, x-only key of the sum and its parity.
fn output_key(internal: &XOnlyPublicKey, root: Option<&[u8; 32]>) -> Option<(XOnlyPublicKey, c_int)> {
    let mut message = [0; 64];
    // SAFETY: 32 bytes out, the first half; a parsed key.
    unsafe { secp256k1_xonly_pubkey_serialize(context(), message.as_mut_ptr(), internal) };
    let length = root.map_or(32, |root| {
        message[32..].copy_from_slice(root);
        64
    });
    let tweak = tagged_hash(&message[..length])?;
    // SAFETY: only written to by the function before it is read.
    let mut sum = unsafe { PublicKey::new() };
    // SAFETY: a parsed key and 32 bytes.
    succeeded(unsafe { secp256k1_xonly_pubkey_tweak_add(context(), &mut sum, internal, tweak.as_ptr()) })?;
    // SAFETY: only written to by the function before it is read.
    let (mut output, mut parity) = (unsafe { XOnlyPublicKey::new() }, 0);
    // SAFETY: `sum` was made by the call above.
    succeeded(unsafe { secp256k1_xonly_pubkey_from_pubkey(context(), &mut output, &mut parity, &sum) })?;
    Some((output, parity))
}

impl Library for LibSecp256k1 {
    fn name(&self) -> &'static str {
        "libsecp256k1"
    }

    fn package(&self) -> &'static str {
        "secp256k1-sys"
    }

    fn built(&self) -> String {
        let (cc, level, flags) = (env!("BENCH_CC"), env!("BENCH_OPT_LEVEL"), env!("BENCH_CFLAGS"));
        let compiler = format!("{cc} -O{level} {flags}");
        let compiler = compiler.trim_end();
        format!("C functions, by {compiler}, its configure's windows (15; comb 43 × 6), one context, not re-randomised")
    }

    fn verifies_bip340(&self, key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> Option<bool> {
        Some(verify_schnorr_bytes(message, signature, key).is_some())
    }

    fn signs_bip340(&self, secret: &[u8; 32], message: &[u8], aux: &[u8; 32]) -> Option<[u8; 64]> {
        schnorr_signature_of(message, &create_keypair(secret)?, aux)
    }

    fn job(&self, row: Row, cases: &[Case]) -> Option<Box<dyn Job>> {
        match row {
            // It prepares nothing for a key.
            Row::EcdsaVerify | Row::PreparedVerify => job(
                cases,
                |case| Some((case.digest, parse_signature(&case.ecdsa_signature)?, parse_key(&case.key)?)),
                |(digest, signature, key)| verify_ecdsa(digest, signature, key),
                valid,
            ),
            Row::EcdsaVerifyBytes => job(
                cases,
                |case| Some((case.digest, case.ecdsa_signature, case.key)),
                |(digest, signature, key)| verify_ecdsa_bytes(digest, signature, key),
                valid,
            ),
            Row::SchnorrVerify | Row::SchnorrPreparedVerify => job(
                cases,
                |case| Some((case.digest, case.schnorr_signature, parse_x_only(&case.x_only_key)?)),
                |(message, signature, key)| verify_schnorr(message, signature, key),
                valid,
            ),
            Row::SchnorrVerifyBytes => job(
                cases,
                |case| Some((case.digest, case.schnorr_signature, case.x_only_key)),
                |(message, signature, key)| verify_schnorr_bytes(message, signature, key),
                valid,
            ),
            Row::EcdsaSign => job(
                cases,
                |case| Some((case.digest, case.secret)),
                |(digest, secret)| ecdsa_signature(digest, secret),
                |signature| compact(signature).to_vec(),
            ),
            Row::SchnorrSign => job(
                cases,
                |case| Some((case.digest, create_keypair(&case.secret)?, case.aux)),
                |(message, pair, aux)| schnorr_signature(message, pair, aux),
                |signature| signature.to_vec(),
            ),
            // The library has no variable-time k·G: for `mul_base` this is the function that gives the same point.
            Row::KeyCreate => job(cases, |case| Some(case.secret), create_key, encode_key),
            Row::MulBase | Row::MulBase57 => job(cases, |case| Some(case.scalars[0]), create_key, encode_key),
            Row::Recover => job(
                cases,
                |case| Some((case.digest, parse_recoverable(&case.ecdsa_signature, case.recovery_id)?)),
                |(digest, signature)| recover(digest, signature),
                encode_key,
            ),
            Row::Ecdh => job(
                cases,
                |case| Some((case.secret, parse_key(&case.other_key)?)),
                |(secret, key)| shared_secret(secret, key),
                |shared| shared.to_vec(),
            ),
            Row::TweakAdd => job(
                cases,
                |case| Some((parse_key(&case.key)?, case.tweak)),
                |(key, tweak)| tweak_add(key, tweak),
                encode_key,
            ),
            Row::ParseCompressed => job(cases, |case| Some(case.key), parse_key, encode_key),
            Row::TaprootOutputKey => job(
                cases,
                |case| Some((parse_x_only(&case.x_only_key)?, case.merkle_root)),
                |(key, root)| output_key(key, root.as_ref()),
                |(key, parity)| [&x_only_bytes(key)[..], &[*parity as u8]].concat(),
            ),
            Row::TaggedHash => {
                job(cases, |case| Some(case.message), |message| tagged_hash(message), |hash| hash.to_vec())
            }
            Row::Mul | Row::Mul57 => job(
                cases,
                |case| Some((parse_key(&case.key)?, case.scalars[1])),
                |(key, scalar)| multiply(key, scalar),
                encode_key,
            ),
            // No public function computes a·G + b·P, and BIP32 is not its business.
            Row::MulAdd | Row::MulAdd57 | Row::Bip32Depth5 | Row::Bip32PrivateDepth5 => None,
        }
    }
}

fn x_only_bytes(key: &XOnlyPublicKey) -> [u8; 32] {
    let mut bytes = [0; 32];
    // SAFETY: 32 bytes out; a key of this library.
    unsafe { secp256k1_xonly_pubkey_serialize(context(), bytes.as_mut_ptr(), key) };
    bytes
}

fn compact(signature: &Signature) -> [u8; 64] {
    let mut bytes = [0; 64];
    // SAFETY: 64 bytes out; a signature of this library.
    unsafe { secp256k1_ecdsa_signature_serialize_compact(context(), bytes.as_mut_ptr(), signature) };
    bytes
}

/// For the inputs: the compressed key of a secret that is in range (zeros otherwise, which no check lets pass).
pub(crate) fn public_key(secret: &[u8; 32]) -> [u8; 33] {
    create_key(secret).map_or([0; 33], |key| serialize(&key, SECP256K1_SER_COMPRESSED))
}

/// For the inputs: r, s and the recovery id.
pub(crate) fn sign_ecdsa(digest: &[u8; 32], secret: &[u8; 32]) -> ([u8; 64], u8) {
    let (mut signature, mut bytes, mut id) = (RecoverableSignature::new(), [0; 64], 0);
    // SAFETY: 32 bytes each; no nonce function means RFC 6979, and no data for it.
    unsafe {
        secp256k1_ecdsa_sign_recoverable(context(), &mut signature, digest.as_ptr(), secret.as_ptr(), None, null());
    }
    // SAFETY: 64 bytes out; a signature of this library.
    unsafe {
        secp256k1_ecdsa_recoverable_signature_serialize_compact(context(), bytes.as_mut_ptr(), &mut id, &signature);
    }
    (bytes, id as u8)
}

/// For the inputs: a BIP340 signature.
pub(crate) fn sign_schnorr(message: &[u8; 32], secret: &[u8; 32], aux: &[u8; 32]) -> [u8; 64] {
    create_keypair(secret).and_then(|pair| schnorr_signature(message, &pair, aux)).unwrap_or([0; 64])
}

/// For the inputs: n − secret.
pub(crate) fn negated(secret: &[u8; 32]) -> [u8; 32] {
    let mut negated = *secret;
    // SAFETY: 32 bytes, in and out.
    unsafe { secp256k1_ec_seckey_negate(context(), negated.as_mut_ptr()) };
    negated
}
