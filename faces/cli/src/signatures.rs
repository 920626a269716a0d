//! The checks of signatures that the formats are built on. They are the only part of the verification loop that a bench
//! replaces by another library: reading, parsing, hashing and counting stay the same code.

use windlass::ecdsa::{self, RecoveryId};
use windlass::many::{self, Row, Verdict};
use windlass::schnorr;

/// A BIP340 signature of 32 bytes, as in a Nostr event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SchnorrRow {
    /// What is signed.
    pub message: [u8; 32],
    /// The signature.
    pub signature: [u8; 64],
    /// The signer's x-only key.
    pub key: [u8; 32],
}

/// Do BIP340 signatures verify?
pub trait SchnorrCheck {
    /// Is `signature` one of `message` under the x-only `key`? False too where the key is no point.
    fn verifies(&self, message: &[u8; 32], signature: &[u8; 64], key: &[u8; 32]) -> bool;

    /// Appends the answer for each row, in order. A library that verifies many at once does so here.
    fn verify_each(&self, rows: &[SchnorrRow], verdicts: &mut Vec<bool>) {
        verdicts.extend(rows.iter().map(|row| self.verifies(&row.message, &row.signature, &row.key)));
    }
}

/// An ECDSA signature whose key is asked for, as in an Ethereum transaction. r and s are in range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecoverRow {
    /// The digest that is signed.
    pub digest: [u8; 32],
    /// r and s.
    pub signature: ecdsa::Signature,
    /// The point R that the nonce gave.
    pub id: RecoveryId,
}

/// Which keys made ECDSA signatures?
pub trait RecoverKey {
    /// The key that the signature gives, in the uncompressed form: 04, x, y. `None` if there is none.
    fn recover(&self, digest: &[u8; 32], signature: &ecdsa::Signature, id: RecoveryId) -> Option<[u8; 65]>;

    /// Appends the answer for each row, in order. A library that recovers many at once does so here.
    fn recover_each(&self, rows: &[RecoverRow], keys: &mut Vec<Option<[u8; 65]>>) {
        keys.extend(rows.iter().map(|row| self.recover(&row.digest, &row.signature, row.id)));
    }
}

/// The checks of windlass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Windlass;

impl SchnorrCheck for Windlass {
    fn verifies(&self, message: &[u8; 32], signature: &[u8; 64], key: &[u8; 32]) -> bool {
        schnorr::verify_bytes(message, signature, key).is_ok()
    }

    fn verify_each(&self, rows: &[SchnorrRow], verdicts: &mut Vec<bool>) {
        let rows: Vec<Row<'_>> = rows
            .iter()
            .map(|row| Row::Schnorr { message: &row.message, signature: &row.signature, key: (&row.key).into() })
            .collect();
        verdicts.extend(many::verify_many(&rows).iter().map(Verdict::is_valid));
    }
}

impl RecoverKey for Windlass {
    fn recover(&self, digest: &[u8; 32], signature: &ecdsa::Signature, id: RecoveryId) -> Option<[u8; 65]> {
        ecdsa::recover(digest, signature, id).ok().map(|key| key.to_uncompressed())
    }

    fn recover_each(&self, rows: &[RecoverRow], keys: &mut Vec<Option<[u8; 65]>>) {
        let rows: Vec<many::RecoverRow<'_>> = rows
            .iter()
            .map(|RecoverRow { digest, signature, id }| many::RecoverRow { digest, signature, id: *id })
            .collect();
        keys.extend(many::recover_many(&rows).into_iter().map(|key| key.ok().map(|key| key.to_uncompressed())));
    }
}
