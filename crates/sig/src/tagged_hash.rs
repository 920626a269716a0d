//! SHA256(SHA256(tag) ‖ SHA256(tag) ‖ message): the tagged hash of BIP340.
//!
//! The two hashes of the tag fill the first block, so its compression is kept (the *midstate*) and a tagged hash of m bytes
//! costs ⌈(m + 9) / 64⌉ compressions. Midstates of the tags in use are constants that a test recomputes.
//! Source: BIP340, "Design", tagged hashes; FIPS 180-4, section 6.2.

use sha2::block_api::compress256;
use sha2::{Digest, Sha256};
use zeroize::Zeroize;

/// Bytes of a block of SHA-256.
const BLOCK: usize = 64;

/// A tag, as the state of SHA-256 after the block SHA256(tag) ‖ SHA256(tag).
#[derive(Clone, Debug)]
pub struct TaggedHash {
    midstate: [u32; 8],
}

impl TaggedHash {
    /// BIP340: masks the secret key with auxiliary randomness.
    pub const BIP340_AUX: Self = Self {
        midstate: [0x24DD3219, 0x4EBA7E70, 0xCA0FABB9, 0x0FA3166D, 0x3AFBE4B1, 0x4C44DF97, 0x4AAC2739, 0x249E850A],
    };
    /// BIP340: the nonce.
    pub const BIP340_NONCE: Self = Self {
        midstate: [0x46615B35, 0xF4BFBFF7, 0x9F8DC671, 0x83627AB3, 0x60217180, 0x57358661, 0x21A29E54, 0x68B07B4C],
    };
    /// BIP340: the challenge e.
    pub const BIP340_CHALLENGE: Self = Self {
        midstate: [0x9CECBA11, 0x23925381, 0x11679112, 0xD1627E0F, 0x97C87550, 0x003CC765, 0x90F61164, 0x33E9B66A],
    };
    /// BIP341: the tweak of an internal key.
    pub const TAP_TWEAK: Self = Self {
        midstate: [0xD129A2F3, 0x701C655D, 0x6583B6C3, 0xB9419727, 0x95F4E232, 0x94FD54F4, 0xA2AE8D85, 0x47CA590B],
    };

    /// The tag given: three compressions for a tag of at most 55 bytes.
    pub fn new(tag: &[u8]) -> Self {
        let hash: [u8; 32] = Sha256::digest(tag).into();
        let mut block = [0; BLOCK];
        block[..32].copy_from_slice(&hash);
        block[32..].copy_from_slice(&hash);
        let mut midstate = INITIAL;
        compress256(&mut midstate, &[block]);
        Self { midstate }
    }

    /// The state after the tag's block.
    pub(crate) fn midstate(&self) -> &[u32; 8] {
        &self.midstate
    }

    /// The hash of the parts, joined.
    pub fn hash(&self, parts: &[&[u8]]) -> [u8; 32] {
        self.absorb(parts).finish()
    }

    /// The hash of the parts, joined, where a part is secret: what SHA-256 kept is wiped.
    pub fn hash_secret(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut stream = self.absorb(parts);
        let hash = stream.finish();
        stream.block.zeroize();
        stream.state.zeroize();
        hash
    }

    #[inline(always)]
    fn absorb(&self, parts: &[&[u8]]) -> Stream {
        let mut stream = Stream { state: self.midstate, block: [0; BLOCK], filled: 0, bytes: BLOCK as u64 };
        for part in parts {
            stream.update(part);
        }
        stream
    }
}

/// The initial state of SHA-256, FIPS 180-4, section 5.3.3.
pub(crate) const INITIAL: [u32; 8] =
    [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19];

/// SHA-256 from a kept state on: the crate `sha2` compresses, this pads.
struct Stream {
    state: [u32; 8],
    block: [u8; BLOCK],
    /// Bytes of `block` in use, below 64.
    filled: usize,
    /// Bytes absorbed, the tag's block included.
    bytes: u64,
}

impl Stream {
    fn update(&mut self, mut data: &[u8]) {
        self.bytes += data.len() as u64;
        if self.filled > 0 {
            let (head, rest) = data.split_at(data.len().min(BLOCK - self.filled));
            self.block[self.filled..self.filled + head.len()].copy_from_slice(head);
            self.filled += head.len();
            data = rest;
            if self.filled < BLOCK {
                return;
            }
            compress256(&mut self.state, &[self.block]);
            self.filled = 0;
        }
        let blocks = data.chunks_exact(BLOCK);
        let tail = blocks.remainder();
        for block in blocks {
            self.block.copy_from_slice(block);
            compress256(&mut self.state, &[self.block]);
        }
        self.block[..tail.len()].copy_from_slice(tail);
        self.filled = tail.len();
    }

    fn finish(&mut self) -> [u8; 32] {
        self.block[self.filled] = 0x80;
        self.block[self.filled + 1..].fill(0);
        if self.filled + 1 > BLOCK - 8 {
            compress256(&mut self.state, &[self.block]);
            self.block.fill(0);
        }
        self.block[BLOCK - 8..].copy_from_slice(&(8 * self.bytes).to_be_bytes());
        compress256(&mut self.state, &[self.block]);
        let mut hash = [0; 32];
        for (bytes, word) in hash.chunks_exact_mut(4).zip(self.state) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_midstates_are_those_of_their_tags() {
        let kept: [(&[u8], TaggedHash); 4] = [
            (b"BIP0340/aux", TaggedHash::BIP340_AUX),
            (b"BIP0340/nonce", TaggedHash::BIP340_NONCE),
            (b"BIP0340/challenge", TaggedHash::BIP340_CHALLENGE),
            (b"TapTweak", TaggedHash::TAP_TWEAK),
        ];
        for (tag, constant) in kept {
            assert_eq!(TaggedHash::new(tag).midstate, constant.midstate);
        }
    }

    /// Every split of every length around the block's edges, against the definition.
    #[test]
    fn equals_the_definition() {
        let data: [u8; 200] = core::array::from_fn(|i| i as u8);
        let tag = b"windlass";
        let kept = TaggedHash::new(tag);
        for length in [0, 1, 31, 32, 54, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129, 200] {
            let message = &data[..length];
            let hashed_tag = Sha256::digest(tag);
            let expected: [u8; 32] =
                Sha256::new().chain_update(hashed_tag).chain_update(hashed_tag).chain_update(message).finalize().into();
            for split in 0..=length {
                let (a, b) = message.split_at(split);
                assert_eq!(kept.hash(&[a, b]), expected);
                assert_eq!(kept.hash_secret(&[a, &[], b]), expected);
            }
        }
    }
}
