//! SHA-256 compressions of 16 messages side by side.
//!
//! Everything is arrays of 16 words, one a lane, and plain loops over them: inside a [`field::Task`] that a backend compiles with
//! its vector features, a loop becomes a vector instruction. A backend of one lane has nothing to gain; there `sha2` compresses.
//!
//! Source: FIPS 180-4, sections 4.1.2, 4.2.2 and 6.2.2. Variable time in nothing but the addresses of the messages.

/// How many messages.
pub(crate) const LANES: usize = 16;

/// A word of every message.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Words([u32; LANES]);

/// 16 words of every message.
pub(crate) type Block = [Words; 16];

/// The states of 16 hashes.
#[derive(Clone)]
pub(crate) struct States([Words; 8]);

/// No words yet.
pub(crate) const EMPTY: Block = [Words([0; LANES]); 16];

/// K, section 4.2.2.
const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

/// Words of a message from `first` on, big-endian.
#[inline(always)]
pub(crate) fn put(block: &mut Block, lane: usize, first: usize, bytes: &[u8; 32]) {
    for (word, bytes) in block[first..first + 8].iter_mut().zip(bytes.chunks_exact(4)) {
        word.0[lane] = bytes.try_into().map_or(0, u32::from_be_bytes);
    }
}

/// The same word in every message.
#[inline(always)]
pub(crate) fn put_all(block: &mut Block, at: usize, word: u32) {
    block[at] = Words([word; LANES]);
}

impl States {
    /// The same state everywhere.
    #[inline(always)]
    pub(crate) fn all(state: &[u32; 8]) -> Self {
        Self(state.map(|word| Words([word; LANES])))
    }

    /// The hash that a state is, big-endian.
    #[inline(always)]
    pub(crate) fn digest(&self, lane: usize) -> [u8; 32] {
        let mut digest = [0; 32];
        for (bytes, word) in digest.chunks_exact_mut(4).zip(&self.0) {
            bytes.copy_from_slice(&word.0[lane].to_be_bytes());
        }
        digest
    }

    /// The hash that a state is, as a number of up to 256 bits: little-endian words.
    #[inline(always)]
    pub(crate) fn number(&self, lane: usize, words: &mut [u64]) {
        for (word, pair) in words.iter_mut().zip(self.0.rchunks_exact(2)) {
            *word = u64::from(pair[0].0[lane]) << 32 | u64::from(pair[1].0[lane]);
        }
    }

    /// Section 6.2.2, steps 1 to 4; the schedule is made as it is needed, in the place of the message.
    #[inline(always)]
    pub(crate) fn compress(&mut self, block: &mut Block) {
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.0;
        for round in 0..4 {
            for i in 0..16 {
                let mut t1 = h;
                for l in 0..LANES {
                    let (e, f, g) = (e.0[l], f.0[l], g.0[l]);
                    let sigma = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
                    let choice = g ^ (e & (f ^ g));
                    let sum = block[i].0[l].wrapping_add(K[16 * round + i]);
                    t1.0[l] = t1.0[l].wrapping_add(sum).wrapping_add(choice).wrapping_add(sigma);
                }
                let mut t2 = a;
                for l in 0..LANES {
                    let (a, b, c) = (a.0[l], b.0[l], c.0[l]);
                    let sigma = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
                    t2.0[l] = sigma.wrapping_add((a & b) | (c & (a | b)));
                }
                (h, g, f, e) = (g, f, e, add(&d, &t1));
                (d, c, b, a) = (c, b, a, add(&t1, &t2));
                if round < 3 {
                    let (x, y, z) = (block[(i + 1) % 16], block[(i + 14) % 16], block[(i + 9) % 16]);
                    for l in 0..LANES {
                        let (x, y) = (x.0[l], y.0[l]);
                        let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
                        let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
                        block[i].0[l] = block[i].0[l].wrapping_add(s0).wrapping_add(s1).wrapping_add(z.0[l]);
                    }
                }
            }
        }
        for (state, word) in self.0.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *state = add(state, &word);
        }
    }
}

#[inline(always)]
fn add(x: &Words, y: &Words) -> Words {
    let mut sum = *x;
    for (sum, y) in sum.0.iter_mut().zip(&y.0) {
        *sum = sum.wrapping_add(*y);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each lane is SHA-256 of its own message.
    #[test]
    fn equals_sha2() {
        let mut states = States::all(&crate::tagged_hash::INITIAL);
        let message = |lane: usize, i: usize| core::array::from_fn(|byte| (31 * lane + 7 * byte + 101 * i) as u8);
        let (mut block, mut second) = (EMPTY, EMPTY);
        for lane in 0..LANES {
            put(&mut block, lane, 0, &message(lane, 0));
            put(&mut block, lane, 8, &message(lane, 1));
            put(&mut second, lane, 0, &message(lane, 2));
        }
        put_all(&mut second, 8, 0x8000_0000);
        put_all(&mut second, 15, 8 * 96);
        states.compress(&mut block);
        states.compress(&mut second);
        for lane in 0..LANES {
            let parts = [message(lane, 0), message(lane, 1), message(lane, 2)];
            let digest = crate::sha256(&parts.concat());
            assert_eq!(states.digest(lane), digest);
            let mut number = [0; 4];
            states.number(lane, &mut number);
            assert_eq!(Some(number), arith::limbs::from_be_bytes(&digest));
        }
    }
}
