//! An exponent, read by its bits from the top.

use crate::words::{load, significant};

/// A number e ≥ 0 as big-endian bytes, which any number of zero bytes may follow that need no memory: contracts may declare an
/// exponent far longer than what they send.
#[derive(Clone, Copy, Debug)]
pub struct Exponent<'a> {
    bytes: &'a [u8],
    zero_bits: u64,
    /// The highest of so many bits is set; those above do not count.
    bits: u64,
    /// The number in `bytes` where these are at most eight.
    word: u64,
}

impl<'a> Exponent<'a> {
    /// The number with these big-endian bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let bytes = significant(bytes);
        let bits = bytes.first().map_or(0, |first| 8 * bytes.len() as u64 - u64::from(first.leading_zeros()));
        let mut word = [0];
        if bytes.len() <= 8 {
            load(&mut word, bytes);
        }
        let [word] = word;
        Self { bytes, zero_bits: 0, bits, word }
    }

    /// The number times 256^`count`. Counts of 2^60 and above are taken as 2^60 − 1: no computation gets there.
    #[must_use]
    pub fn with_zero_bytes(self, count: u64) -> Self {
        let zero_bits = if self.bits == 0 { 0 } else { 8 * count.min((1 << 60) - 1) };
        Self { zero_bits, bits: self.bits + zero_bits, ..self }
    }

    /// The number of bits, 0 for e = 0.
    #[inline]
    pub(crate) fn bits(&self) -> u64 {
        self.bits
    }

    /// e mod 2^bits.
    #[inline]
    pub(crate) fn low_bits(self, bits: u64) -> Self {
        let mut low = Self { bits: self.bits.min(bits), ..self };
        while low.bits > 0 {
            match u64::from(low.below(low.bits).leading_zeros()) {
                0 => break,
                zeros => low.bits = low.bits.saturating_sub(zeros),
            }
        }
        low
    }

    /// The 64 bits below bit `end`, the highest first; zeros where there are none.
    #[inline]
    pub(crate) fn below(&self, end: u64) -> u64 {
        let Some(end) = end.checked_sub(self.zero_bits) else { return 0 };
        match (self.bytes.len(), end) {
            (..=8, 1..=64) => self.word << (64 - end),
            (..=8, _) => 0,
            _ => self.below_in_bytes(end),
        }
    }

    /// The same of `bytes` alone. Out of line: in the loops of short exponents it would take registers.
    #[inline(never)]
    fn below_in_bytes(&self, end: u64) -> u64 {
        // bit `end` − 1 stands in byte `last` from the end
        let (last, unused) = (end.div_ceil(8) as usize, (8 - end % 8) % 8);
        let Some(start) = self.bytes.len().checked_sub(last) else { return 0 };
        let bytes = &self.bytes[start..];
        let wide = match bytes.first_chunk::<9>() {
            Some([head @ .., tail]) => u128::from(u64::from_be_bytes(*head)) << 8 | u128::from(*tail),
            None => {
                let wide = bytes.iter().fold(0u128, |wide, &byte| wide << 8 | u128::from(byte));
                wide << (8 * (9 - bytes.len()))
            }
        };
        (wide >> (8 - unused)) as u64
    }

    /// e, if it is below 2^64.
    #[inline]
    pub(crate) fn small(&self) -> Option<u64> {
        match self.bits() {
            0 => Some(0),
            bits @ 1..=64 => Some(self.below(bits) >> (64 - bits)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_from_the_top() {
        let e = Exponent::new(&[0, 0, 0x5A, 0xFF, 0x01]);
        assert_eq!(e.bits(), 23);
        assert_eq!(e.below(23), 0x5AFF_0100_0000_0000 << 1);
        assert_eq!(e.below(3), 1 << 61);
        assert_eq!(e.small(), Some(0x5A_FF01));
        let e = Exponent::new(&[1]).with_zero_bytes(8);
        assert_eq!((e.bits(), e.small(), e.below(65), e.below(64)), (65, None, 1 << 63, 0));
        assert_eq!(Exponent::new(&[1]).with_zero_bytes(7).small(), Some(1 << 56));
        let long = [0xFF; 20];
        assert_eq!(Exponent::new(&long).below(157), u64::MAX);
        assert_eq!(Exponent::new(&long).below(67), u64::MAX);
        let low = Exponent::new(&long).low_bits(70);
        assert_eq!((low.bits(), low.low_bits(70).small()), (70, None));
        assert_eq!(Exponent::new(&[5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]).low_bits(80).small(), Some(3));
        assert_eq!(Exponent::new(&[1]).with_zero_bytes(1000).low_bits(8000).bits(), 0);
        assert_eq!((Exponent::new(&[0; 4]).bits(), Exponent::new(&[]).with_zero_bytes(u64::MAX).bits()), (0, 0));
    }
}
