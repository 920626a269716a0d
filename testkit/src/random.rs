//! Reproducible test inputs: xoshiro256** from a seed. Not for keys.
//!
//! Source: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021), figure 3; the state
//! is filled by SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).

/// A stream of numbers that depends on the seed alone.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut x = seed;
        let state = core::array::from_fn(|_| {
            x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ z >> 31
        });
        Self { state }
    }

    /// 64 bits.
    pub fn word(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// N words.
    pub fn words<const N: usize>(&mut self) -> [u64; N] {
        core::array::from_fn(|_| self.word())
    }

    /// N bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| self.word() as u8)
    }

    /// Fills `out`.
    pub fn fill(&mut self, out: &mut [u8]) {
        out.iter_mut().for_each(|byte| *byte = self.word() as u8);
    }

    /// A number below `bound`, which is not 0; uniform up to 2^−64·bound.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.word()) * bound as u128) >> 64) as usize
    }

    /// One of `items`, which is not empty.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
