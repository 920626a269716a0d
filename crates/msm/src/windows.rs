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

    /// Gives every digit of the windows `from .. to` to `digit(window, value)`, zeros included, as far as the magnitude has windows.
    /// Answers the top window's second digit, 0 where there is none or the window is not among these.
    #[inline(always)]
    pub(crate) fn digits(&self, magnitude: u128, from: usize, to: usize, mut digit: impl FnMut(usize, i16)) -> i16 {
        let count = self.count(magnitude);
        let Some(top) = count.checked_sub(1) else { return 0 };
        let (biased, carry) = magnitude.overflowing_add(self.biases[top]);
        for j in from..to.min(top) {
            let bits = self.bits(j);
            let field = (biased >> self.starts[j]) as u32 & ((1 << bits) - 1);
            digit(j, field as i16 - (1 << (bits - 1)));
        }
        if !(from..to).contains(&top) {
            return 0;
        }
        let start = self.starts[top];
        // Only the highest window of all, which ends at bit 128, can carry.
        let above = if carry { 1 << (128 - u32::from(start)) } else { 0 };
        let field = (biased >> start) as u32 | above;
        let first = field.min(1 << (self.bits(top) - 1));
        digit(top, first as i16);
        (field - first) as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digits sum up and are as small as promised, in whatever passes they are taken.
    fn check(windows: &Windows, k: u128, pass: usize) {
        // Σ modulo 2^128, which is the sum where it stays in range; the top digits show that it does.
        let (mut sum, mut next) = (0u128, 0);
        for from in (0..MAX_WINDOWS).step_by(pass) {
            let mut last = 0;
            let second = windows.digits(k, from, from + pass, |j, d| {
                assert_eq!(j, next);
                next += 1;
                last = j;
                assert!(usize::from(d.unsigned_abs()) <= windows.buckets(j), "{k:x}: {d} in window {j}");
                sum = sum.wrapping_add((i128::from(d) as u128).wrapping_shl(u32::from(windows.starts[j])));
            });
            assert!((0..=windows.buckets(last) as i16).contains(&second));
            sum = sum.wrapping_add((second as u128) << windows.starts[last]);
        }
        assert_eq!(next, windows.count(k));
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
                    check(&windows, k, MAX_WINDOWS);
                    check(&windows, k, 1 + i as usize % 9);
                }
                state = state.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(1);
                check(&windows, state, 3);
                check(&windows, state >> (i % 128), MAX_WINDOWS);
            }
        }
    }

    #[test]
    fn signed_words_have_no_second_digit() {
        for per_word in 5..=32 {
            let windows = Windows::new(per_word);
            for k in [1 << 63, (1 << 63) - 1, 1 << 127, (1 << 127) - 1] {
                assert_eq!(windows.digits(k, 0, MAX_WINDOWS, |_, _| ()), 0);
            }
        }
    }
}
