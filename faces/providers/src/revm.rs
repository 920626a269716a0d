//! revm's precompiles on windlass. `cargo xtask providers` runs revm-precompile's own tests on this file, as a module of that crate.

use revm_precompile::{Crypto, PrecompileHalt};

/// ECRECOVER and MODEXP by windlass, for `revm_precompile::install_crypto`.
#[derive(Clone, Copy, Debug)]
pub struct Windlass;

impl Crypto for Windlass {
    fn secp256k1_ecrecover(
        &self,
        signature: &[u8; 64],
        recovery_id: u8,
        digest: &[u8; 32],
    ) -> Result<[u8; 32], PrecompileHalt> {
        let address = windlass_evm::recover_address(digest, signature, recovery_id);
        let address = address.ok_or(PrecompileHalt::Secp256k1RecoverFailed)?;
        let mut word = [0; 32];
        word[12..].copy_from_slice(&address);
        Ok(word)
    }

    fn modexp(&self, base: &[u8], exponent: &[u8], modulus: &[u8]) -> Result<Vec<u8>, PrecompileHalt> {
        let mut output = vec![0; modulus.len()];
        // The output has as many bytes as the modulus.
        windlass::modexp::modexp(base, windlass::modexp::Exponent::new(exponent), modulus, &mut output)
            .map_err(|_| PrecompileHalt::ModexpModOverflow)?;
        Ok(output)
    }
}
