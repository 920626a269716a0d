//! k = the first of bits2int(V₁), bits2int(V₂), … in 1..n, where HMAC makes the Vᵢ from the key and the digest: RFC 6979.
//!
//! Steps of section 3.2, with h the digest as bits2octets gives it, that is reduced mod n, and extra data of section 3.6:
//! 1. K = 0…0, V = 1…1 (b, c);
//! 2. K = HMAC_K(V ‖ 0 ‖ d ‖ h ‖ extra), V = HMAC_K(V) (d, e);
//! 3. K = HMAC_K(V ‖ 1 ‖ d ‖ h ‖ extra), V = HMAC_K(V) (f, g);
//! 4. V = HMAC_K(V) until there are enough bits for a candidate; if it is refused, K = HMAC_K(V ‖ 0), V = HMAC_K(V), again (h).
//!
//! A wrong nonce gives the key away and no test of a signature would see it: what this file makes is compared with published
//! nonces, and whole signatures with libsecp256k1.
//!
//! Cost with SHA-256 and 32 bytes of key and digest: 18 compressions, 2 more with 32 bytes of extra data. The pads of a key are
//! compressed once for all uses of that key. Constant time in the key; that a candidate was refused can be seen, and says
//! nothing about those that follow.

use field::{ByteArray, Prime, Scalar, SecretScalar};
use hmac::KeyInit;
use hmac::{Mac, digest::Output, digest::common::Key};
use zeroize::{Zeroize, Zeroizing};

/// A source of nonces: `M` is HMAC with the scheme's hash.
pub struct NonceSource<M: Mac> {
    /// HMAC with the key K, nothing absorbed.
    keyed: M,
    v: Output<M>,
    /// Has a candidate been taken already?
    taken: bool,
}

impl<M: Mac + KeyInit + Clone> NonceSource<M> {
    /// Steps 1 to 3: for the secret `key`, the digest's integer z mod n and optional further data (libsecp256k1's `ndata`).
    pub fn new<Q: Prime>(key: &SecretScalar<Q>, z: &Scalar<Q>, extra: Option<&[u8]>) -> Self {
        let (d, h) = (key.to_be_bytes(), z.to_be_bytes());
        let inputs = [octets::<Q>(&d), octets::<Q>(&h), extra.unwrap_or(&[])];
        let mut v = Output::<M>::default();
        v.fill(1);
        let mut source = Self { keyed: M::new(&Key::<M>::default()), v, taken: false };
        source.rekey(0, &inputs);
        source.rekey(1, &inputs);
        source
    }

    /// Step 4: the next candidate in 1..n.
    pub fn next_nonce<Q: Prime>(&mut self) -> SecretScalar<Q> {
        loop {
            if self.taken {
                self.rekey(0, &[]);
            }
            self.taken = true;
            let mut candidate = Zeroizing::new(Q::Bytes::ZERO);
            let skipped = Q::Bytes::LEN - octet_count::<Q>();
            for chunk in (*candidate).as_mut().get_mut(skipped..).unwrap_or(&mut []).chunks_mut(self.v.len()) {
                self.v = self.mac(&[&self.v]);
                chunk.copy_from_slice(self.v.get(..chunk.len()).unwrap_or(&[]));
            }
            shift_right((*candidate).as_mut(), 8 * octet_count::<Q>() as u32 - Q::BITS);
            if let Some(k) = SecretScalar::<Q>::from_be_bytes((*candidate).as_ref()) {
                if !k.is_zero().declassify("a zero nonce is discarded, and the next one does not depend on it") {
                    return k;
                }
            }
        }
    }

    /// K = HMAC_K(V ‖ mark ‖ inputs), V = HMAC_K(V).
    fn rekey(&mut self, mark: u8, inputs: &[&[u8]]) {
        let mut mac = self.keyed.clone();
        mac.update(&self.v);
        mac.update(&[mark]);
        inputs.iter().for_each(|input| mac.update(input));
        let mut k = mac.finalize().into_bytes();
        // HMAC pads a key with zeros to a block.
        let mut key = Key::<M>::default();
        if let Some(head) = key.get_mut(..k.len()) {
            head.copy_from_slice(&k);
        }
        self.keyed = M::new(&key);
        key.zeroize();
        k.zeroize();
        self.v = self.mac(&[&self.v]);
    }

    fn mac(&self, parts: &[&[u8]]) -> Output<M> {
        let mut mac = self.keyed.clone();
        parts.iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes()
    }
}

impl<M: Mac> Drop for NonceSource<M> {
    fn drop(&mut self) {
        self.v.zeroize();
    }
}

/// Octets of a number below n, the RFC's rlen / 8.
const fn octet_count<Q: Prime>() -> usize {
    Q::BITS.div_ceil(8) as usize
}

/// The RFC's int2octets: the low octets of big-endian bytes.
fn octets<Q: Prime>(bytes: &Q::Bytes) -> &[u8] {
    bytes.as_ref().get(Q::Bytes::LEN - octet_count::<Q>()..).unwrap_or(&[])
}

/// A big-endian number divided by 2^shift, shift below 8.
fn shift_right(bytes: &mut [u8], shift: u32) {
    if shift > 0 {
        let mut above = 0;
        for byte in bytes {
            (*byte, above) = (above << (8 - shift) | *byte >> shift, *byte);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::test_bytes::hex as bytes;
    use arith::{Modulus, limbs};
    use field::secp256k1::GroupOrder;
    use hmac::Hmac;
    use sha2::{Digest, Sha256};

    /// The candidates 0, 1 and 15 that the reference gives for one message.
    #[test]
    fn published_nonces() {
        let d = SecretScalar::<GroupOrder>::from_be_bytes(&bytes::<32>(
            "fee0a1f7afebf9d2a5a80c0c98a31c709681cce195cbcd06342b517970c0be1e",
        ))
        .unwrap();
        let z = Scalar::from_digest(&Sha256::digest(b"test data"));
        let mut source = NonceSource::<Hmac<Sha256>>::new(&d, &z, None);
        let nonces: [[u8; 32]; 16] = core::array::from_fn(|_| *source.next_nonce::<GroupOrder>().to_be_bytes());
        assert_eq!(nonces[0], bytes("fcce1de7a9bcd6b2d3defade6afa1913fb9229e3b7ddf4749b55c4848b2a196e"));
        assert_eq!(nonces[1], bytes("727fbcb59eb48b1d7d46f95a04991fc512eb9dbf9105628e3aec87428df28fd8"));
        assert_eq!(nonces[15], bytes("398f0e2c9f79728f7b3d84d447ac3a86d8b2083c8f234a0ffa9c4043d68bd258"));
    }

    /// A nonce that begins with two zero bytes keeps its place; shifted, it gave keys away: CVE-2025-14505. The value is that of
    /// Python's `hmac`.
    #[test]
    fn a_nonce_with_leading_zeros() {
        let d = SecretScalar::<GroupOrder>::from_be_bytes(&[0x42; 32]).unwrap();
        let z = Scalar::from_digest(&Sha256::digest(b"message 33139"));
        let k = NonceSource::<Hmac<Sha256>>::new(&d, &z, None).next_nonce::<GroupOrder>();
        assert_eq!(*k.to_be_bytes(), bytes("00008845fee0cdabacac2d272c16c1845556719a6544584558f5d89dd9bd103a"));
    }

    /// The order of 163 bits of RFC 6979, section A.1: candidates 0 and 1 are refused, so the loop and the shift count.
    #[test]
    fn an_order_of_odd_length_and_its_retries() {
        #[derive(Clone, Copy)]
        struct Order163;
        impl Prime for Order163 {
            type Words = [u64; 3];
            type Bytes = [u8; 21];
            const MODULUS: Modulus<[u64; 3]> =
                Modulus::new(limbs::from_hex("04 00000000 00000000 00020108 A2E0CC0D 99F8A5EF"));
            const BITS: u32 = 163;
        }
        let d = SecretScalar::<Order163>::from_be_bytes(&bytes::<21>("009A4D6792295A7F730FC3F2B49CBC0F62E862272F"))
            .unwrap();
        let z = Scalar::from_digest(&Sha256::digest(b"sample"));
        assert_eq!(z.to_be_bytes(), bytes("01795EDF0D54DB760F156D0DAC04C0322B3A204224"));
        let k = NonceSource::<Hmac<Sha256>>::new(&d, &z, None).next_nonce::<Order163>();
        assert_eq!(*k.to_be_bytes(), bytes("023AF4074C90A02B3FE61D286D5C87F425E6BDD81B"));
    }
}
