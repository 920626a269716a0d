//! Little-endian arrays of 64-bit words: x = Σ wᵢ·2^(64 i).

/// An array of 64-bit words, least significant first. Implemented for every `[u64; N]`.
pub trait Words: Copy + Eq + core::fmt::Debug + AsRef<[u64]> + AsMut<[u64]> + Send + Sync + 'static {
    /// How many words.
    const LEN: usize;
    /// All words zero.
    const ZERO: Self;
    /// The number one.
    const ONE: Self;
}

impl<const N: usize> Words for [u64; N] {
    const LEN: usize = N;
    const ZERO: Self = [0; N];
    const ONE: Self = {
        let mut one = [0; N];
        one[0] = 1;
        one
    };
}

/// a + b + carry: the low word and the carry out (0 or 1).
#[inline(always)]
pub const fn add_carry(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let t = a as u128 + b as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// a − b − borrow: the low word and the borrow out (0 or 1).
#[inline(always)]
pub const fn sub_borrow(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let t = (a as u128).wrapping_sub(b as u128 + borrow as u128);
    (t as u64, (t >> 127) as u64)
}

/// a + b·c + carry: the low word and the high word. Never overflows.
#[inline(always)]
pub const fn mul_add_carry(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    let t = a as u128 + b as u128 * c as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// a + b and the carry out. Constant time.
#[inline(always)]
pub fn add<W: Words>(a: &W, b: &W) -> (W, u64) {
    let (mut r, mut carry) = (W::ZERO, 0);
    for ((r, a), b) in r.as_mut().iter_mut().zip(a.as_ref()).zip(b.as_ref()) {
        (*r, carry) = add_carry(*a, *b, carry);
    }
    (r, carry)
}

/// a − b and the borrow out. Constant time.
#[inline(always)]
pub fn sub<W: Words>(a: &W, b: &W) -> (W, u64) {
    let (mut r, mut borrow) = (W::ZERO, 0);
    for ((r, a), b) in r.as_mut().iter_mut().zip(a.as_ref()).zip(b.as_ref()) {
        (*r, borrow) = sub_borrow(*a, *b, borrow);
    }
    (r, borrow)
}

/// `a` where `mask` is zero, `b` where it is all ones. Constant time; the mask is hidden from the optimiser.
#[inline(always)]
pub fn select<W: Words>(mask: u64, a: &W, b: &W) -> W {
    let mask = crate::kernel::barrier(mask);
    let mut r = W::ZERO;
    for ((r, a), b) in r.as_mut().iter_mut().zip(a.as_ref()).zip(b.as_ref()) {
        *r = a ^ (mask & (a ^ b));
    }
    r
}

/// All ones if a = 0, else zero. Constant time.
#[inline(always)]
pub fn is_zero_mask<W: Words>(a: &W) -> u64 {
    let any = a.as_ref().iter().fold(0, |any, w| any | w);
    // The top bit of any | −any is set exactly if any ≠ 0.
    ((any | any.wrapping_neg()) >> 63).wrapping_sub(1)
}

/// a < b. Constant time up to the returned bool.
#[inline(always)]
pub fn less_than<W: Words>(a: &W, b: &W) -> bool {
    sub(a, b).1 != 0
}

/// The number whose big-endian bytes are given: at most 8·LEN of them, `None` if there are more.
#[inline]
pub fn from_be_bytes<W: Words>(bytes: &[u8]) -> Option<W> {
    if bytes.len() > 8 * W::LEN {
        return None;
    }
    let mut r = W::ZERO;
    for (word, chunk) in r.as_mut().iter_mut().zip(bytes.rchunks(8)) {
        *word = match <[u8; 8]>::try_from(chunk) {
            Ok(whole) => u64::from_be_bytes(whole),
            Err(_) => chunk.iter().fold(0, |w, &b| w << 8 | u64::from(b)),
        };
    }
    Some(r)
}

/// Writes a mod 2^(8·len) as the `len` big-endian bytes of `out`.
#[inline]
pub fn to_be_bytes<W: Words>(a: &W, out: &mut [u8]) {
    let mut words = a.as_ref().iter();
    for chunk in out.rchunks_mut(8) {
        let word = words.next().copied().unwrap_or(0).to_be_bytes();
        for (byte, &w) in chunk.iter_mut().rev().zip(word.iter().rev()) {
            *byte = w;
        }
    }
}

/// The number printed in hex, most significant digit first; spaces are skipped. For constants as the standards print them.
///
/// # Panics
/// When a character is no hex digit or the number does not fit: at compile time where it initialises a constant.
#[allow(clippy::panic, reason = "constants: the build fails")]
pub const fn from_hex<const N: usize>(hex: &str) -> [u64; N] {
    let digits = hex.as_bytes();
    let (mut r, mut i) = ([0u64; N], 0);
    while i < digits.len() {
        let d = match digits[i] {
            c @ b'0'..=b'9' => c - b'0',
            c @ b'a'..=b'f' => c - b'a' + 10,
            c @ b'A'..=b'F' => c - b'A' + 10,
            b' ' => {
                i += 1;
                continue;
            }
            _ => panic!("not a hex digit"),
        };
        assert!(r[N - 1] >> 60 == 0, "the number does not fit");
        let mut j = N;
        while j > 1 {
            j -= 1;
            r[j] = r[j] << 4 | r[j - 1] >> 60;
        }
        r[0] = r[0] << 4 | d as u64;
        i += 1;
    }
    r
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_any_length() {
        assert_eq!(from_be_bytes::<[u64; 2]>(&[]), Some([0, 0]));
        assert_eq!(from_be_bytes::<[u64; 2]>(&[1, 2]), Some([0x102, 0]));
        assert_eq!(from_be_bytes::<[u64; 2]>(&[9, 1, 2, 3, 4, 5, 6, 7, 8]), Some([0x0102_0304_0506_0708, 9]));
        assert_eq!(from_be_bytes::<[u64; 2]>(&[0; 17]), None);
        let mut out = [0xAA; 9];
        to_be_bytes(&[0x0102_0304_0506_0708u64, 0xAB09], &mut out);
        assert_eq!(out, [9, 1, 2, 3, 4, 5, 6, 7, 8]);
        let mut out = [0xAA; 18];
        to_be_bytes(&[1u64, 2], &mut out);
        assert_eq!(out, [0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1]);
    }
}
