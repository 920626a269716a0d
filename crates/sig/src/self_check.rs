//! Verifying one's own signature before it leaves the signer.
//!
//! A computation that goes wrong on the way (a flipped bit, a glitch that someone causes, a public key that is not the secret
//! one's) can give a signature that tells the key: D. Boneh, R. DeMillo, R. Lipton, "On the importance of checking cryptographic
//! protocols for faults", EUROCRYPT 1997; for BIP340, "Footnotes" there. A verification finds such signatures, except those of a
//! fault that hits both, and takes about twice as long as signing.

use crate::error::{Invalid, SigningFault};

/// Is a signature verified before it is handed out? The default is no: a verification takes twice as long as signing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SelfCheck {
    /// It is handed out as it was computed.
    #[default]
    Off,
    /// It is handed out if it verifies under the signer's public key.
    On,
}

impl SelfCheck {
    /// What was signed, unless the check is on and fails.
    pub(crate) fn pass<S>(self, signed: S, verify: impl FnOnce(&S) -> Result<(), Invalid>) -> Result<S, SigningFault> {
        match self {
            Self::Off => Ok(signed),
            Self::On => verify(&signed).map(|()| signed).map_err(|Invalid| SigningFault),
        }
    }
}
