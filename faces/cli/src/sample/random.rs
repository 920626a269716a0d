//! Random numbers for samples: the same for the same seed, on every machine and in every version.

use sha2::{Digest as _, Sha256};

/// SplitMix64 (Steele, Lea, Flood 2014), seeded by a hash. For samples only: nothing here is secret.
pub(super) struct Random(u64);

impl Random {
    /// The numbers of one purpose and index.
    pub(super) fn new(seed: u64, purpose: &str, index: u64) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"windlass sample\0");
        hash.update(seed.to_le_bytes());
        hash.update(index.to_le_bytes());
        hash.update(purpose);
        let hash: [u8; 32] = hash.finalize().into();
        let [a, b, c, d, e, f, g, h, ..] = hash;
        Self(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }

    /// Without the first `count` numbers.
    pub(super) fn skip(mut self, count: u32) -> Self {
        for _ in 0..count {
            self.next();
        }
        self
    }

    /// 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, 0 for a bound of 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        let wide = u128::from(self.next()) * u128::from(bound);
        u64::try_from(wide >> 64).unwrap_or(0)
    }

    /// 32 bytes.
    pub(super) fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.fill(&mut bytes);
        bytes
    }

    /// Fills a buffer.
    pub(super) fn fill(&mut self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let number = self.next().to_le_bytes();
            for (to, from) in chunk.iter_mut().zip(number) {
                *to = from;
            }
        }
    }

    /// One of a list.
    pub(super) fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        let i = usize::try_from(self.below(list.len() as u64)).unwrap_or(0);
        list.get(i).copied().unwrap_or_default()
    }
}
