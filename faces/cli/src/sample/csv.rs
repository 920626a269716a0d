//! Sample CSV records: ECDSA in DER over digests.

use std::sync::Arc;

use super::{Keys, Nonces, Random, Rows, Way, push_hex, with_other_s, x_off_curve};

/// The first line.
pub(super) const HEADER: &str = "pubkey,signature,digest\n";

/// Signatures by some keys.
pub(super) struct Records {
    pub(super) keys: Arc<Keys>,
}

impl Rows for Records {
    fn row(
        &mut self,
        _index: u64,
        random: &mut Random,
        nonces: &mut Nonces,
        spoil: Option<Way>,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let way = spoil.map(|spoil| spoil % 6);
        let signer = self.keys.pick(random)?;
        let mut digest = random.bytes();
        let by = if way == Some(2) { self.keys.other(signer) } else { signer };
        let (mut signature, _) = nonces.next().sign_digest(&digest, &by.key)?;
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
            0 => signer.key.public().to_uncompressed().to_vec(),
            _ => signer.key.public().to_compressed().to_vec(),
        };
        if way == Some(4) {
            key = [[2].as_slice(), &x_off_curve(random)].concat();
        }
        push_hex(out, &key);
        out.push(b',');
        push_hex(out, &der);
        if way != Some(5) {
            out.push(b',');
            push_hex(out, &digest);
        }
        Some(())
    }
}
