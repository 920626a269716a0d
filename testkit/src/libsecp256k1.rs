//! The peer: libsecp256k1's C functions, as safe functions on bytes. `None` and `false` are the C functions' 0.
//!
//! Keys travel as the encodings that the peer itself writes, so that a comparison is one of bytes.

use secp256k1_sys as ffi;
use secp256k1_sys::CPtr as _;
use secp256k1_sys::recovery as ffi_recovery;
use std::ffi::{c_int, c_uchar, c_void};
use std::ptr::{NonNull, null, null_mut};
use std::sync::OnceLock;

/// Thirty-two bytes: a secret, a digest, a tweak, a coordinate.
pub type Bytes32 = [u8; 32];

/// The one context. It is never randomised: results do not depend on that.
struct Context(NonNull<ffi::Context>);
// SAFETY: after its creation the context is only read; libsecp256k1 allows that from several threads.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

fn context() -> *const ffi::Context {
    static CONTEXT: OnceLock<Context> = OnceLock::new();
    // SAFETY: the flags are those of the C header; the context lives as long as the process.
    CONTEXT.get_or_init(|| Context(unsafe { ffi::secp256k1_context_create(ffi::SECP256K1_START_NONE) })).0.as_ptr()
}

/// Calls a C function with the context; did it answer 1?
macro_rules! call {
    ($module:ident :: $function:ident ( $($argument:expr),* )) => {
        // SAFETY: every pointer below comes from a live reference, array or slice of the size that the C header asks for;
        // opaque structures are filled by the peer itself before they are read.
        unsafe { $module::$function(context(), $($argument),*) == 1 }
    };
}

/// A public key in the peer's own form.
#[derive(Clone, Copy)]
pub struct PublicKey(ffi::PublicKey);

/// An ECDSA signature in the peer's own form.
#[derive(Clone, Copy)]
pub struct Signature(ffi::Signature);

fn empty_key() -> ffi::PublicKey {
    // SAFETY: all zero is the form's own "not filled".
    unsafe { ffi::PublicKey::new() }
}

fn empty_x_only() -> ffi::XOnlyPublicKey {
    // SAFETY: as above.
    unsafe { ffi::XOnlyPublicKey::new() }
}

fn empty_signature() -> ffi::Signature {
    // SAFETY: as above.
    unsafe { ffi::Signature::new() }
}

fn keypair(secret: &Bytes32) -> Option<ffi::Keypair> {
    // SAFETY: as above.
    let mut pair = unsafe { ffi::Keypair::new() };
    call!(ffi::secp256k1_keypair_create(&mut pair, secret.as_ptr())).then_some(pair)
}

fn x_only(key: &Bytes32) -> Option<ffi::XOnlyPublicKey> {
    let mut parsed = empty_x_only();
    call!(ffi::secp256k1_xonly_pubkey_parse(&mut parsed, key.as_ptr())).then_some(parsed)
}

fn x_only_bytes(key: &ffi::XOnlyPublicKey) -> Bytes32 {
    let mut out = [0; 32];
    assert!(call!(ffi::secp256k1_xonly_pubkey_serialize(out.as_mut_ptr(), key)));
    out
}

impl PublicKey {
    /// Compressed, uncompressed or hybrid bytes.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut key = empty_key();
        call!(ffi::secp256k1_ec_pubkey_parse(&mut key, bytes.as_ptr(), bytes.len())).then_some(Self(key))
    }
    /// d·G.
    pub fn create(secret: &Bytes32) -> Option<Self> {
        let mut key = empty_key();
        call!(ffi::secp256k1_ec_pubkey_create(&mut key, secret.as_ptr())).then_some(Self(key))
    }
    /// 33 bytes.
    pub fn compressed(&self) -> [u8; 33] {
        let (mut out, mut length) = ([0; 33], 33);
        let flags = ffi::SECP256K1_SER_COMPRESSED;
        assert!(call!(ffi::secp256k1_ec_pubkey_serialize(out.as_mut_ptr(), &mut length, &self.0, flags)));
        out
    }
    /// 65 bytes.
    pub fn uncompressed(&self) -> [u8; 65] {
        let (mut out, mut length) = ([0; 65], 65);
        let flags = ffi::SECP256K1_SER_UNCOMPRESSED;
        assert!(call!(ffi::secp256k1_ec_pubkey_serialize(out.as_mut_ptr(), &mut length, &self.0, flags)));
        out
    }
    /// x, and whether y is odd.
    pub fn x_only(&self) -> (Bytes32, bool) {
        let (mut key, mut parity) = (empty_x_only(), 0);
        assert!(call!(ffi::secp256k1_xonly_pubkey_from_pubkey(&mut key, &mut parity, &self.0)));
        (x_only_bytes(&key), parity == 1)
    }
    /// −P.
    pub fn negate(mut self) -> Self {
        assert!(call!(ffi::secp256k1_ec_pubkey_negate(&mut self.0)));
        self
    }
    /// P + t·G.
    pub fn tweak_add(mut self, tweak: &Bytes32) -> Option<Self> {
        call!(ffi::secp256k1_ec_pubkey_tweak_add(&mut self.0, tweak.as_ptr())).then_some(self)
    }
    /// t·P.
    pub fn tweak_mul(mut self, tweak: &Bytes32) -> Option<Self> {
        call!(ffi::secp256k1_ec_pubkey_tweak_mul(&mut self.0, tweak.as_ptr())).then_some(self)
    }
    /// The sum of one key or more.
    pub fn combine(keys: &[Self]) -> Option<Self> {
        let inputs: Vec<*const ffi::PublicKey> = keys.iter().map(|key| key.0.as_c_ptr().cast()).collect();
        let mut sum = empty_key();
        call!(ffi::secp256k1_ec_pubkey_combine(&mut sum, inputs.as_ptr(), inputs.len())).then_some(Self(sum))
    }
}

impl Signature {
    /// r ‖ s, both below n; 0 is taken.
    pub fn parse_compact(bytes: &[u8; 64]) -> Option<Self> {
        let mut signature = empty_signature();
        call!(ffi::secp256k1_ecdsa_signature_parse_compact(&mut signature, bytes.as_ptr())).then_some(Self(signature))
    }
    /// Strict DER, except that an integer that does not fit becomes 0.
    pub fn parse_der(bytes: &[u8]) -> Option<Self> {
        let mut signature = empty_signature();
        call!(ffi::secp256k1_ecdsa_signature_parse_der(&mut signature, bytes.as_ptr(), bytes.len()))
            .then_some(Self(signature))
    }
    /// What Bitcoin took before BIP66.
    pub fn parse_der_lax(bytes: &[u8]) -> Option<Self> {
        let mut signature = empty_signature();
        call!(ffi::ecdsa_signature_parse_der_lax(&mut signature, bytes.as_ptr(), bytes.len()))
            .then_some(Self(signature))
    }
    /// r ‖ s.
    pub fn compact(&self) -> [u8; 64] {
        let mut out = [0; 64];
        assert!(call!(ffi::secp256k1_ecdsa_signature_serialize_compact(out.as_mut_ptr(), &self.0)));
        out
    }
    /// DER.
    pub fn der(&self) -> Vec<u8> {
        let (mut out, mut length) = (vec![0; 72], 72);
        assert!(call!(ffi::secp256k1_ecdsa_signature_serialize_der(out.as_mut_ptr(), &mut length, &self.0)));
        out.truncate(length);
        out
    }
    /// The low half of s, and whether it was the high one.
    pub fn normalize(&self) -> (Self, bool) {
        let mut low = empty_signature();
        let was_high = call!(ffi::secp256k1_ecdsa_signature_normalize(&mut low, &self.0));
        (Self(low), was_high)
    }
    /// Does it verify? A high s does not.
    pub fn verify(&self, digest: &Bytes32, key: &PublicKey) -> bool {
        call!(ffi::secp256k1_ecdsa_verify(&self.0, digest.as_ptr(), &key.0))
    }
}

/// RFC 6979 with SHA-256, low s.
pub fn ecdsa_sign(digest: &Bytes32, secret: &Bytes32, entropy: Option<&Bytes32>) -> Option<Signature> {
    let mut signature = empty_signature();
    let data = entropy.map_or(null(), |entropy| entropy.as_ptr().cast::<c_void>());
    // SAFETY: a static of the C library, written before main.
    let nonce = unsafe { ffi::secp256k1_nonce_function_rfc6979 };
    call!(ffi::secp256k1_ecdsa_sign(&mut signature, digest.as_ptr(), secret.as_ptr(), nonce, data))
        .then_some(Signature(signature))
}

/// The same with the recovery id.
pub fn ecdsa_sign_recoverable(digest: &Bytes32, secret: &Bytes32) -> Option<([u8; 64], u8)> {
    let mut signature = ffi_recovery::RecoverableSignature::new();
    // SAFETY: a static of the C library, written before main.
    let nonce = unsafe { ffi::secp256k1_nonce_function_rfc6979 };
    let (mut out, mut id) = ([0; 64], 0);
    if !call!(ffi_recovery::secp256k1_ecdsa_sign_recoverable(
        &mut signature,
        digest.as_ptr(),
        secret.as_ptr(),
        nonce,
        null()
    )) {
        return None;
    }
    assert!(call!(ffi_recovery::secp256k1_ecdsa_recoverable_signature_serialize_compact(
        out.as_mut_ptr(),
        &mut id,
        &signature
    )));
    Some((out, id as u8))
}

/// The key of a signature with a recovery id from 0 to 3.
pub fn recover(digest: &Bytes32, signature: &[u8; 64], id: u8) -> Option<PublicKey> {
    let (mut parsed, mut key) = (ffi_recovery::RecoverableSignature::new(), empty_key());
    let taken = call!(ffi_recovery::secp256k1_ecdsa_recoverable_signature_parse_compact(
        &mut parsed,
        signature.as_ptr(),
        c_int::from(id)
    ));
    (taken && call!(ffi_recovery::secp256k1_ecdsa_recover(&mut key, &parsed, digest.as_ptr())))
        .then_some(PublicKey(key))
}

/// Is it in 1..n?
pub fn is_secret(secret: &Bytes32) -> bool {
    call!(ffi::secp256k1_ec_seckey_verify(secret.as_ptr()))
}

/// n − d.
pub fn secret_negate(mut secret: Bytes32) -> Option<Bytes32> {
    call!(ffi::secp256k1_ec_seckey_negate(secret.as_mut_ptr())).then_some(secret)
}

/// d + t mod n.
pub fn secret_tweak_add(mut secret: Bytes32, tweak: &Bytes32) -> Option<Bytes32> {
    call!(ffi::secp256k1_ec_seckey_tweak_add(secret.as_mut_ptr(), tweak.as_ptr())).then_some(secret)
}

/// d·t mod n.
pub fn secret_tweak_mul(mut secret: Bytes32, tweak: &Bytes32) -> Option<Bytes32> {
    call!(ffi::secp256k1_ec_seckey_tweak_mul(secret.as_mut_ptr(), tweak.as_ptr())).then_some(secret)
}

/// BIP340; without `aux` the masking step is that of 32 zero bytes.
pub fn schnorr_sign(message: &[u8], secret: &Bytes32, aux: Option<&Bytes32>) -> Option<[u8; 64]> {
    let (pair, mut out) = (keypair(secret)?, [0; 64]);
    let parameters = ffi::SchnorrSigExtraParams::new(None, aux.map_or(null(), |aux| aux.as_ptr().cast()));
    call!(ffi::secp256k1_schnorrsig_sign_custom(out.as_mut_ptr(), message.as_ptr(), message.len(), &pair, &parameters))
        .then_some(out)
}

/// BIP340.
pub fn schnorr_verify(message: &[u8], signature: &[u8; 64], key: &Bytes32) -> bool {
    x_only(key).is_some_and(|key| {
        call!(ffi::secp256k1_schnorrsig_verify(signature.as_ptr(), message.as_ptr(), message.len(), &key))
    })
}

/// Is it the x of a point?
pub fn is_x_only(key: &Bytes32) -> bool {
    x_only(key).is_some()
}

/// The point with this x and an even y, plus t·G: its x, and whether its y is odd.
pub fn x_only_tweak_add(key: &Bytes32, tweak: &Bytes32) -> Option<(Bytes32, bool)> {
    let (key, mut sum) = (x_only(key)?, empty_key());
    call!(ffi::secp256k1_xonly_pubkey_tweak_add(&mut sum, &key, tweak.as_ptr())).then(|| PublicKey(sum).x_only())
}

/// Is that its result?
pub fn x_only_tweak_add_check(key: &Bytes32, tweak: &Bytes32, output: &Bytes32, is_odd: bool) -> bool {
    x_only(key).is_some_and(|key| {
        let parity = c_int::from(is_odd);
        call!(ffi::secp256k1_xonly_pubkey_tweak_add_check(output.as_ptr(), parity, &key, tweak.as_ptr()))
    })
}

/// The x-only tweak of both halves: the secret half of the result.
pub fn keypair_tweak_add(secret: &Bytes32, tweak: &Bytes32) -> Option<Bytes32> {
    let (mut pair, mut out) = (keypair(secret)?, [0; 32]);
    (call!(ffi::secp256k1_keypair_xonly_tweak_add(&mut pair, tweak.as_ptr()))
        && call!(ffi::secp256k1_keypair_sec(out.as_mut_ptr(), &pair)))
    .then_some(out)
}

/// SHA-256 of the compressed shared point.
pub fn ecdh(secret: &Bytes32, key: &PublicKey) -> Option<Bytes32> {
    let mut out = [0; 32];
    // SAFETY: a static of the C library, written before main.
    let hash = unsafe { ffi::secp256k1_ecdh_hash_function_default };
    call!(ffi::secp256k1_ecdh(out.as_mut_ptr(), &key.0, secret.as_ptr(), hash, null_mut())).then_some(out)
}

/// x of the shared point.
pub fn ecdh_x(secret: &Bytes32, key: &PublicKey) -> Option<Bytes32> {
    unsafe extern "C" fn copy_x(
        output: *mut c_uchar,
        x: *const c_uchar,
        _y: *const c_uchar,
        _data: *mut c_void,
    ) -> c_int {
        // SAFETY: the peer hands 32 bytes of x, and `output` as it was given: an array of 32 bytes.
        unsafe { std::ptr::copy_nonoverlapping(x, output, 32) };
        1
    }
    let mut out = [0; 32];
    call!(ffi::secp256k1_ecdh(out.as_mut_ptr(), &key.0, secret.as_ptr(), Some(copy_x), null_mut())).then_some(out)
}
