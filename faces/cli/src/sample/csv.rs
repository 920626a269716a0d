//! Sample CSV records: ECDSA in DER over digests.

use std::io::Write as _;

use windlass::ecdsa;

use super::{Keys, Random, Rows, Way, with_other_s, x_off_curve};

/// Signatures by some keys.
pub(super) struct Records {
    pub(super) keys: Keys,
}

impl Rows for Records {
    fn header(&self) -> &'static str {
        "pubkey,signature,digest\n"
    }

    fn row(&self, _index: u64, random: &mut Random, spoil: Option<Way>, out: &mut Vec<u8>) -> Option<()> {
        let way = spoil.map(|spoil| spoil % 6);
        let keypair = self.keys.pick(random)?;
        let mut digest = random.bytes();
        let signer = if way == Some(2) { self.keys.other(keypair) } else { keypair };
        let mut signature = ecdsa::sign_digest(&digest, signer.secret());
        if way == Some(0) {
            let [first, ..] = &mut digest;
            *first ^= 1;
        }
        if way == Some(1) {
            signature = with_other_s(&signature)?;
        }
        let mut der = signature.to_der().to_vec();
        if way == Some(3) {
            der.push(0);
        }
        let mut key = match random.below(8) {
            0 => keypair.public().to_uncompressed().to_vec(),
            _ => keypair.public().to_compressed().to_vec(),
        };
        if way == Some(4) {
            key = [[2].as_slice(), &x_off_curve(random)].concat();
        }
        // Writing to a Vec doesn't fail.
        let _ = write!(out, "{},{}", const_hex::encode(key), const_hex::encode(der));
        if way != Some(5) {
            let _ = write!(out, ",{}", const_hex::encode(digest));
        }
        Some(())
    }
}
