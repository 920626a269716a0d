//! k = Σ dⱼ·2^(sⱼ) with signed digits |dⱼ| ≤ 2^(cⱼ − 1): where the windows begin, and the digits of a magnitude.
//!
//! 64 bits are cut into `per_word` windows whose widths differ by one at most, the next 64 bits in the same way. A magnitude with
//! its top bit in window t has digits in the windows 0 … t and no other:
//! 1. k + Σ_{j < t} 2^(cⱼ − 1)·2^(sⱼ): the fields below t of that sum are dⱼ + 2^(cⱼ − 1), without carries from digit to digit;
//! 2. the field t is d_t ≤ 2^(c_t) as it stands. If it is more than 2^(c_t − 1) it counts as two digits, 2^(c_t − 1) and the rest,
//!    so that the top window has no more buckets than the others.

/// The most windows that 128 bits are cut into.
pub(crate) const MAX_WINDOWS: usize = 64;
/// The widest window.
pub(crate) const MAX_BITS: u32 = 14;

/// A way to cut 128 bits into windows.
pub(crate) struct Windows {
    /// Windows of 64 bits.
    per_word: usize,
    /// Where each window begins; one more, where the last one ends.
    starts: [u8; MAX_WINDOWS + 1],
    /// The windows of a magnitude of so many bits.
    of_length: [u8; 129],
    /// Σ_{j < t} 2^(cⱼ − 1)·2^(sⱼ) for every top window t.
    biases: [u128; MAX_WINDOWS],
}

impl Windows {
    /// `per_word` windows for 64 bits: 5 to 32.
    pub(crate) fn new(per_word: usize) -> Self {
        let per_word = per_word.clamp(64usize.div_ceil(MAX_BITS as usize), MAX_WINDOWS / 2);
        let mut windows =
            Self { per_word, starts: [128; MAX_WINDOWS + 1], of_length: [0; 129], biases: [0; MAX_WINDOWS] };
        let mut bias = 0;
        for j in 0..2 * per_word {
            let start = (64 * j / per_word) as u8;
            let end = 64 * (j + 1) / per_word;
            windows.starts[j] = start;
            windows.of_length[usize::from(start) + 1..=end].fill(j as u8 + 1);
            windows.biases[j] = bias;
            bias += 1 << (end - 1);
        }
        windows
    }

    /// Windows of a magnitude.
    #[inline(always)]
    pub(crate) fn count(&self, magnitude: u128) -> usize {
        usize::from(self.of_length[128 - magnitude.leading_zeros() as usize])
    }

    /// Where window j begins.
    #[inline(always)]
    pub(crate) fn start(&self, j: usize) -> u32 {
        u32::from(self.starts[j])
    }

    /// Bits of window j.
    #[inline(always)]
    pub(crate) fn bits(&self, j: usize) -> u32 {
        u32::from(self.starts[j + 1] - self.starts[j])
    }

    /// Buckets of window j: its largest digit.
    #[inline(always)]
    pub(crate) fn buckets(&self, j: usize) -> usize {
        1 << (self.bits(j) - 1)
    }

    /// Buckets of the widest window and of the narrowest.
    pub(crate) fn most_and_least_buckets(&self) -> [usize; 2] {
        let bits = 64 / self.per_word;
        [1 << (64usize.div_ceil(self.per_word) - 1), 1 << (bits - 1)]
    }

    /// The magnitude with its windows' bias: what its digits are read from.
    #[inline(always)]
    pub(crate) fn biased(&self, magnitude: u128) -> Biased {
        let windows = self.count(magnitude);
        let Some(top) = windows.checked_sub(1) else { return Biased::default() };
        let (biased, carry) = magnitude.overflowing_add(self.biases[top]);
        let start = self.starts[top];
        // Only the highest window of all, which ends at bit 128, can carry.
        let above = if carry { 1 << (128 - u32::from(start)) } else { 0 };
        Biased { words: [biased as u64, (biased >> 64) as u64], windows, top: (biased >> start) as u32 | above }
    }

    /// How to read the digits of window j from biased words.
    #[inline(always)]
    pub(crate) fn reader(&self, j: usize) -> Reader {
        let bits = self.bits(j);
        Reader { word: j / self.per_word, shift: self.start(j) % 64, half: 1 << (bits - 1) }
    }
}

/// A magnitude, ready for its digits to be read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Biased {
    pub(crate) words: [u64; 2],
    /// How many windows it has.
    pub(crate) windows: usize,
    /// The digit of the top one, which is not biased: up to twice as much as others.
    pub(crate) top: u32,
}

/// Reads the digits of a window. No window lies across two words.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    /// Which of the words.
    pub(crate) word: usize,
    shift: u32,
    /// The largest digit.
    pub(crate) half: u32,
}

impl Reader {
    /// The digit's absolute value, and 1 if it is negative, of a magnitude whose top window is another one.
    #[inline(always)]
    pub(crate) fn digit(&self, word: u64) -> (u32, u32) {
        let d = ((word >> self.shift) as u32 & (2 * self.half - 1)).wrapping_sub(self.half);
        let negative = d >> 31;
        ((d ^ negative.wrapping_neg()).wrapping_add(negative), negative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digits sum up modulo 2^128 and are as small as promised.
    fn check(windows: &Windows, k: u128) {
        let biased = windows.biased(k);
        assert_eq!(biased.windows, windows.count(k));
        let mut sum = 0u128;
        for j in 0..biased.windows {
            let reader = windows.reader(j);
            assert_eq!(reader.half as usize, windows.buckets(j));
            let (d, negative) = if j + 1 < biased.windows {
                let digit = reader.digit(biased.words[reader.word]);
                assert!(digit.0 <= reader.half, "{k:x}: {digit:?} in window {j}");
                digit
            } else {
                assert!(biased.top <= 2 * reader.half);
                (biased.top, 0)
            };
            let term = u128::from(d) << windows.start(j);
            sum = if negative == 1 { sum.wrapping_sub(term) } else { sum.wrapping_add(term) };
        }
        assert_eq!(sum, k, "{} windows", windows.per_word);
    }

    #[test]
    fn digits_sum_up() {
        for per_word in 1..40 {
            let windows = Windows::new(per_word);
            let mut state = 1u128;
            for i in 0..129u32 {
                let power = 1u128.checked_shl(i).unwrap_or(0);
                for k in [power, power.wrapping_sub(1), power.wrapping_add(1), !power, power.wrapping_mul(3)] {
                    check(&windows, k);
                }
                state = state.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(1);
                check(&windows, state);
                check(&windows, state >> (i % 128));
            }
        }
    }

    #[test]
    fn signed_words_have_no_second_digit() {
        for per_word in 5..=32 {
            let windows = Windows::new(per_word);
            for k in [1 << 63, (1 << 63) - 1, 1 << 127, (1 << 127) - 1] {
                let Biased { windows: count, top, .. } = windows.biased(k);
                assert!(top as usize <= windows.buckets(count - 1));
            }
        }
    }
}
