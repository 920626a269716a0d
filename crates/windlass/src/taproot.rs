//! Taproot (BIP341): tagged hashes, output keys and the secrets that go with them.
//!
//! ```
//! use windlass::{Keypair, SecretKey, taproot};
//!
//! let internal = Keypair::from_secret(&SecretKey::from_bytes(&[0x42; 32])?);
//! let (output, _) = taproot::output_key(&internal.x_only().0, None).expect("a key");
//! let tweaked = taproot::tweak_keypair(&internal, None).expect("a key");
//! assert_eq!(tweaked.x_only().0, output);
//! # Ok::<(), windlass::ParseError>(())
//! ```

use crate::{Keypair, Parity, TweakError, XOnlyPublicKey};

pub use sig::tagged_hash::TaggedHash;

/// SHA256(SHA256(tag) ‖ SHA256(tag) ‖ parts…). A [`TaggedHash`] keeps the tag's part for many hashes.
pub fn tagged_hash(tag: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    TaggedHash::new(tag).hash(parts)
}

/// The tweak of an internal key: the tagged hash `TapTweak` of x and the root of the script tree, if there is one.
pub fn tweak_hash(internal: &XOnlyPublicKey, merkle_root: Option<&[u8; 32]>) -> [u8; 32] {
    let root = merkle_root.map_or(&[][..], |root| root);
    TaggedHash::TAP_TWEAK.hash(&[&internal.to_bytes(), root])
}

/// The output key of an internal key, and the parity of y that it leaves out.
///
/// # Errors
/// [`TweakError`] if the tweak is n or more or the result infinite: no such input is known.
pub fn output_key(
    internal: &XOnlyPublicKey,
    merkle_root: Option<&[u8; 32]>,
) -> Result<(XOnlyPublicKey, Parity), TweakError> {
    internal.tweak_add(&tweak_hash(internal, merkle_root))
}

/// The pair whose public half is the output key: it signs for the key path.
///
/// # Errors
/// As [`output_key`].
pub fn tweak_keypair(internal: &Keypair, merkle_root: Option<&[u8; 32]>) -> Result<Keypair, TweakError> {
    internal.x_only_tweak_add(&tweak_hash(&internal.x_only().0, merkle_root))
}
