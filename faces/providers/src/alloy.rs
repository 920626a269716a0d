//! alloy's recovery of signers on windlass.

use alloy_consensus::crypto::{CryptoProvider, CryptoProviderAlreadySetError, RecoveryError, install_default_provider};
use alloy_primitives::Address;
use std::sync::Arc;
use windlass::{LowS, PublicKey, ecdsa};

/// Signers by windlass. Both halves of s are taken: alloy itself refuses the upper one where a rule asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Windlass;

/// Makes alloy use it, for as long as the process runs.
///
/// # Errors
/// Where another provider was installed before.
pub fn install() -> Result<(), CryptoProviderAlreadySetError> {
    install_default_provider(Arc::new(Windlass))
}

impl CryptoProvider for Windlass {
    fn recover_signer_unchecked(&self, signature: &[u8; 65], digest: &[u8; 32]) -> Result<Address, RecoveryError> {
        let [rs @ .., recovery_id] = signature;
        let address = windlass_evm::recover_address(digest, rs, *recovery_id);
        address.map(Address::from).ok_or_else(RecoveryError::new)
    }

    fn verify_and_compute_signer_unchecked(
        &self,
        key: &[u8; 65],
        signature: &[u8; 64],
        digest: &[u8; 32],
    ) -> Result<Address, RecoveryError> {
        let valid = || {
            let key = PublicKey::parse(key).ok()?;
            let signature = ecdsa::Signature::from_compact(signature).ok()?;
            ecdsa::verify_digest(digest, &signature, &key, LowS::Accepted).ok()?;
            Some(Address::from(windlass_evm::address(&key)))
        };
        valid().ok_or_else(RecoveryError::new)
    }
}
