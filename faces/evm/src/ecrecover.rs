//! ECRECOVER, 0x01: the address whose key signed a digest. Yellow Paper, appendix E.

use crate::{CallError, Success, padded};
use sha3::{Digest as _, Keccak256};
use windlass::PublicKey;
use windlass::ecdsa::{self, RecoveryId, Signature};

/// What a call costs.
pub const ECRECOVER_GAS: u64 = 3000;

/// The address in 32 bytes for a digest, v, r and s of 32 bytes each; nothing where no key gives this signature, v is not 27 or
/// 28, or r or s is not in 1..n. Both halves of s are taken.
///
/// # Errors
/// [`CallError::OutOfGas`].
pub fn ecrecover(input: &[u8], gas_limit: u64) -> Result<Success, CallError> {
    if gas_limit < ECRECOVER_GAS {
        return Err(CallError::OutOfGas);
    }
    let output = recover(&padded(input, 0), &padded(input, 32), &padded(input, 64));
    Ok(Success { output: output.map_or_else(Vec::new, |address| address.to_vec()), gas: ECRECOVER_GAS })
}

fn recover(digest: &[u8; 32], v: &[u8; 32], signature: &[u8; 64]) -> Option<[u8; 32]> {
    let [zeros @ .., v] = v;
    let id = match (zeros.iter().all(|&byte| byte == 0), v) {
        (true, 27 | 28) => v - 27,
        _ => return None,
    };
    let mut word = [0; 32];
    word[12..].copy_from_slice(&recover_address(digest, signature, id)?);
    Some(word)
}

/// The address whose key signed a digest: r and s of 32 bytes each, the id of the point from 0 to 3. `None` where no key gives this
/// signature. Both halves of s are taken.
#[must_use]
pub fn recover_address(digest: &[u8; 32], signature: &[u8; 64], recovery_id: u8) -> Option<[u8; 20]> {
    let id = RecoveryId::from_u8(recovery_id).ok()?;
    let key = ecdsa::recover(digest, &Signature::from_compact(signature).ok()?, id).ok()?;
    Some(address(&key))
}

/// A key's address: the last 20 bytes of Keccak-256 of its coordinates.
#[must_use]
pub fn address(key: &PublicKey) -> [u8; 20] {
    let [_, coordinates @ ..] = key.to_uncompressed();
    let hash: [u8; 32] = Keccak256::digest(coordinates).into();
    let [_, _, _, _, _, _, _, _, _, _, _, _, address @ ..] = hash;
    address
}
