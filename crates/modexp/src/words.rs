//! Numbers as words, least significant first, in memory of the stack where that is enough.

use alloc::vec;

/// Runs `f` on `count` words, all zero: on the stack up to what 1024-byte operands need, else allocated. The steps keep small
/// operands from clearing a large array.
#[inline]
pub(crate) fn with_words<R>(count: usize, f: &mut dyn FnMut(&mut [u64]) -> R) -> R {
    match count {
        0..=64 => on_stack::<64, R>(count, f),
        65..=256 => on_stack::<256, R>(count, f),
        257..=1024 => on_stack::<1024, R>(count, f),
        1025..=3072 => on_stack::<3072, R>(count, f),
        3073..=8192 => on_stack::<8192, R>(count, f),
        _ => f(&mut vec![0; count]),
    }
}

#[inline(never)]
fn on_stack<const N: usize, R>(count: usize, f: &mut dyn FnMut(&mut [u64]) -> R) -> R {
    let mut words = [0; N];
    f(&mut words[..count])
}

/// Cuts `count` words off the front of what `rest` holds.
#[inline]
pub(crate) fn take<'a>(rest: &mut &'a mut [u64], count: usize) -> &'a mut [u64] {
    let (taken, left) = core::mem::take(rest).split_at_mut(count);
    *rest = left;
    taken
}

/// The bytes without leading zeros.
#[inline]
pub(crate) fn significant(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    &bytes[zeros..]
}

/// Big-endian bytes to words, the rest zero. Bytes that do not fit are dropped: the number mod 2^(64 n).
#[inline]
pub(crate) fn load(words: &mut [u64], bytes: &[u8]) {
    let mut chunks = bytes.rchunks(8);
    for word in words {
        *word = match chunks.next() {
            None => 0,
            Some(chunk) => match <[u8; 8]>::try_from(chunk) {
                Ok(whole) => u64::from_be_bytes(whole),
                Err(_) => chunk.iter().fold(0, |w, &byte| w << 8 | u64::from(byte)),
            },
        };
    }
}

/// Words to big-endian bytes; what does not fit is dropped.
#[inline]
pub(crate) fn store(bytes: &mut [u8], words: &[u64]) {
    let mut words = words.iter();
    for chunk in bytes.rchunks_mut(8) {
        let word = words.next().copied().unwrap_or(0).to_be_bytes();
        let unused = word.len() - chunk.len();
        chunk.copy_from_slice(&word[unused..]);
    }
}

/// x <<= bits, below 64; the bits that leave.
#[inline(always)]
pub(crate) fn shift_left(x: &mut [u64], bits: u32) -> u64 {
    if bits == 0 {
        return 0;
    }
    let mut above = 0;
    for word in x {
        (*word, above) = (*word << bits | above, *word >> (64 - bits));
    }
    above
}

/// x >>= bits, below 64.
#[inline(always)]
pub(crate) fn shift_right(x: &mut [u64], bits: u32) {
    if bits == 0 {
        return;
    }
    let mut above = 0;
    for word in x.iter_mut().rev() {
        (*word, above) = (*word >> bits | above, *word << (64 - bits));
    }
}

/// x −= y, the words of y first; the borrow.
#[inline(always)]
pub(crate) fn subtract(x: &mut [u64], y: &[u64]) -> u64 {
    let mut borrow = 0;
    for (x, &y) in x.iter_mut().zip(y) {
        (*x, borrow) = arith::limbs::sub_borrow(*x, y, borrow);
    }
    borrow
}

/// x += y; the carry.
#[inline(always)]
pub(crate) fn add(x: &mut [u64], y: &[u64]) -> u64 {
    let mut carry = 0;
    for (x, &y) in x.iter_mut().zip(y) {
        (*x, carry) = arith::limbs::add_carry(*x, y, carry);
    }
    carry
}

/// Is x below y? Both have as many words.
#[inline(always)]
pub(crate) fn less(x: &[u64], y: &[u64]) -> bool {
    for (x, y) in x.iter().zip(y).rev() {
        if x != y {
            return x < y;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_words() {
        let mut words = [9; 3];
        load(&mut words, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(words, [0x0203_0405_0607_0809, 1, 0]);
        let mut bytes = [0xAA; 18];
        store(&mut bytes, &words);
        assert_eq!(bytes, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        load(&mut words[..1], &bytes);
        assert_eq!(words[0], 0x0203_0405_0607_0809);
    }

    #[test]
    fn more_than_the_stack_holds_is_allocated() {
        for count in [0, 1, 64, 65, 8192, 8193, 100_000] {
            assert_eq!(with_words(count, &mut |words| (words.len(), words.iter().sum::<u64>())), (count, 0));
        }
    }
}
