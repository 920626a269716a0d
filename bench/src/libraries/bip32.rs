//! The crate `bip32` over k256.

use bip32::{ChildNumber, Prefix, XPrv, XPub};

use crate::library::{Job, Library, job};
use crate::suites::secp256k1::{Case, Row};

pub(crate) struct Bip32;

impl Library for Bip32 {
    fn name(&self) -> &'static str {
        "bip32"
    }

    fn package(&self) -> &'static str {
        "bip32"
    }

    fn built(&self) -> String {
        "over k256, release profile, default target CPU".to_owned()
    }

    fn job(&self, row: Row, cases: &[Case]) -> Option<Box<dyn Job>> {
        match row {
            Row::Bip32Depth5 => job(
                cases,
                |case| Some((case.xpub.parse::<XPub>().ok()?, case.path.map(ChildNumber))),
                |(key, path)| path.iter().try_fold(key.clone(), |key, child| key.derive_child(*child).ok()),
                |key| key.to_string(Prefix::XPUB).into_bytes(),
            ),
            Row::Bip32PrivateDepth5 => job(
                cases,
                |case| Some((case.xprv.parse::<XPrv>().ok()?, case.path.map(ChildNumber))),
                |(key, path)| path.iter().try_fold(key.clone(), |key, child| key.derive_child(*child).ok()),
                |key| key.to_string(Prefix::XPRV).as_bytes().to_vec(),
            ),
            _ => None,
        }
    }
}
