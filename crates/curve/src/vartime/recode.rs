//! k = Σ dᵢ·2^i with digits 0 or odd, |dᵢ| < 2^(w−1), at most one of w neighbours not 0: width-w non-adjacent form, on words.
//!
//! 1. At position i with carry c (0 or 1) from below, skip the bits that equal c: they cancel with it or are 0.
//! 2. The next w bits plus c are odd: v. Below 2^(w−1) the digit is v and the carry 0, else the digit is v − 2^w and the carry 1.
//! 3. Go on behind these w bits. What is left of the carry at the end is a digit 1.
//!
//! The skips are counted by trailing zeros, so the loop has as many rounds as digits: about bits/(w + 1). Vartime.
//! Source: J. Solinas, "Efficient arithmetic on Koblitz curves", Designs, Codes and Cryptography 19 (2000), algorithm 5;
//! carries instead of subtractions: libsecp256k1.

/// The widest digits: they fit `i16` with room for a row's number.
pub const MAX_WINDOW: u32 = 15;

/// 64 bits of `k` from `position` on; beyond the words are zeros.
#[inline(always)]
pub(super) fn bits_64(k: &[u64], position: usize) -> u64 {
    let at = |i: usize| k.get(i).copied().unwrap_or(0);
    let (word, shift) = (position / 64, position % 64);
    // In two steps, so that a shift of 64 leaves nothing.
    at(word) >> shift | at(word + 1) << 1 << (63 - shift)
}

/// Gives every digit that is not 0 to `digit(position, value)`, from the lowest position up. The highest possible position is
/// 64·(number of words); a width is 2 to [`MAX_WINDOW`].
#[inline(always)]
pub fn wnaf(k: &[u64], window: u32, mut digit: impl FnMut(usize, i16)) {
    debug_assert!((2..=MAX_WINDOW).contains(&window));
    let bits = 64 * k.len();
    let (mut position, mut carry) = (0, 0u64);
    while position < bits {
        let skipped = (bits_64(k, position) ^ carry.wrapping_neg()).trailing_zeros() as usize;
        position += skipped;
        if skipped == 64 || position >= bits {
            continue;
        }
        let v = (bits_64(k, position) & ((1 << window) - 1)) + carry;
        carry = v >> (window - 1);
        digit(position, (v as i64 - (carry << window) as i64) as i16);
        position += window as usize;
    }
    if carry == 1 {
        // Zeros follow the words, so a carry never skips beyond them, and a window that does ends below 2^(w−1).
        digit(bits, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digits' sum, modulo 2^(64 N), with every promise about them checked.
    fn check<const N: usize>(k: [u64; N], window: u32) {
        let (mut sum, mut free) = ([0u64; N], 0);
        wnaf(&k, window, |position, d| {
            assert!(position >= free && position <= 64 * N, "{k:x?} {window}");
            free = position + window as usize;
            assert!(d & 1 == 1 && d.unsigned_abs() < 1 << (window - 1), "{k:x?} {window}: {d}");
            // sum += d·2^position
            let (word, shift) = (position / 64, position % 64);
            let wide = i128::from(d) << shift;
            let mut carry = 0;
            for i in word..N {
                let part = if i == word {
                    wide as u64
                } else if i == word + 1 {
                    (wide >> 64) as u64
                } else {
                    (wide >> 127) as u64
                };
                (sum[i], carry) = arith::limbs::add_carry(sum[i], part, carry);
            }
        });
        assert_eq!(sum, k, "window {window}");
    }

    #[test]
    fn digits_sum_up() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            match state >> 61 {
                0 => 0,
                1 => u64::MAX,
                2 => 1 << (state >> 20 & 63),
                _ => state ^ state >> 31,
            }
        };
        for window in 2..=MAX_WINDOW {
            for k in 0..1000 {
                check([k], window);
                check([u64::MAX - k, u64::MAX], window);
            }
            for _ in 0..2000 {
                check([next(), next()], window);
                check([next(), next(), next() & 1], window);
                check([next(), next(), next(), next()], window);
            }
        }
    }
}
