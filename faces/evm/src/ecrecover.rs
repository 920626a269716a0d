//! ECRECOVER, 0x01: the address whose key signed a digest. Yellow Paper, appendix E.

use crate::{CallError, Success, padded};
use sha3::{Digest as _, Keccak256};
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
        (true, 27 | 28) => RecoveryId::from_u8(v - 27).ok()?,
        _ => return None,
    };
    let key = ecdsa::recover(digest, &Signature::from_compact(signature).ok()?, id).ok()?;
    let [_, coordinates @ ..] = key.to_uncompressed();
    let mut address: [u8; 32] = Keccak256::digest(coordinates).into();
    address[..12].fill(0);
    Some(address)
}
