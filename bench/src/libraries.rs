//! One module a library; each implements [`Library`].

pub(crate) mod bip32;
pub(crate) mod bitcoin;
pub(crate) mod k256;
pub(crate) mod k256_lincomb;
pub(crate) mod libsecp256k1;
pub(crate) mod windlass;

use crate::library::Library;

/// Every peer, in the order of the table.
pub(crate) fn peers() -> Vec<Box<dyn Library>> {
    vec![
        Box::new(libsecp256k1::LibSecp256k1),
        Box::new(k256::K256),
        Box::new(k256_lincomb::K256Lincomb),
        Box::new(bitcoin::Bitcoin),
        Box::new(bip32::Bip32),
    ]
}
