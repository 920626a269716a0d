//! Public scalars: integers modulo a group order n.
//!
//! Values are canonical words, arithmetic is [`Prime`]'s: right for every odd prime, however far below the words' range.
//! A scalar is public: it is `Copy`, prints and compares, and all vartime code takes it. What must stay unknown to others is a
//! [`SecretScalar`](crate::SecretScalar), another type.

use crate::ops::{ByteArray, Prime, WordsOf};
use arith::{Words, limbs};

/// An integer modulo the order `Q`, public.
pub struct Scalar<Q: Prime> {
    /// Canonical: below n.
    words: WordsOf<Q>,
}

impl<Q: Prime> Clone for Scalar<Q> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<Q: Prime> Copy for Scalar<Q> {}
impl<Q: Prime> PartialEq for Scalar<Q> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}
impl<Q: Prime> Eq for Scalar<Q> {}
impl<Q: Prime> core::fmt::Debug for Scalar<Q> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("0x")?;
        self.to_be_bytes().as_ref().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl<Q: Prime> Scalar<Q> {
    /// 0.
    pub const ZERO: Self = Self { words: <WordsOf<Q>>::ZERO };
    /// 1.
    pub const ONE: Self = Self { words: <WordsOf<Q>>::ONE };

    /// The scalar with these words, or `None` if they are not below n.
    #[inline]
    pub fn from_words(words: WordsOf<Q>) -> Option<Self> {
        limbs::less_than(&words, &Q::MODULUS.m).then_some(Self { words })
    }

    /// `words` mod n.
    #[inline]
    pub fn from_words_reduced(words: &WordsOf<Q>) -> Self {
        Self { words: Q::reduce(words) }
    }

    /// a mod n.
    #[inline]
    pub fn from_u64(a: u64) -> Self {
        let mut words = <WordsOf<Q>>::ZERO;
        if let Some(word) = words.as_mut().first_mut() {
            *word = a;
        }
        Self::from_words_reduced(&words)
    }

    /// The scalar with these big-endian bytes: `None` unless there are as many as `Q::Bytes` has and the number is below n.
    #[inline]
    pub fn from_be_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Q::Bytes::LEN {
            return None;
        }
        Self::from_words(limbs::from_be_bytes(bytes)?)
    }

    /// The big-endian number mod n, of any length.
    #[inline]
    pub fn from_be_bytes_reduced(bytes: &[u8]) -> Self {
        Self { words: reduce_be_bytes::<Q>(bytes) }
    }

    /// The integer that a signature scheme makes of a hash value: its leftmost ⌈log₂ n⌉ bits, mod n.
    ///
    /// How many bits go is a matter of the digest's length, never of its value: leading zero bytes count.
    /// FIPS 186-5, section 6.4.1; SEC 1 v2.0, section 4.1.3, step 5.
    #[inline]
    pub fn from_digest(digest: &[u8]) -> Self {
        Self { words: digest_words::<Q>(digest) }
    }

    /// The words, little-endian, below n.
    #[inline(always)]
    pub fn words(&self) -> &WordsOf<Q> {
        &self.words
    }

    /// Big-endian bytes.
    #[inline]
    pub fn to_be_bytes(&self) -> Q::Bytes {
        let mut bytes = Q::Bytes::ZERO;
        limbs::to_be_bytes(&self.words, bytes.as_mut());
        bytes
    }

    /// Bits `offset .. offset + count`, count at most 64; bits beyond the words are 0.
    #[inline(always)]
    pub fn bits(&self, offset: u32, count: u32) -> u64 {
        bits(&self.words, offset, count)
    }

    /// Is it 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.words == <WordsOf<Q>>::ZERO
    }

    /// Is it odd, as an integer below n?
    #[inline]
    pub fn is_odd(&self) -> bool {
        self.bits(0, 1) == 1
    }

    /// Is it above (n − 1)/2?
    #[inline]
    pub fn is_high(&self) -> bool {
        is_high_borrow::<Q>(&self.words) == 1
    }

    /// a + b mod n.
    #[inline]
    pub fn add(&self, b: &Self) -> Self {
        Self { words: Q::MODULUS.add(&self.words, &b.words) }
    }

    /// a − b mod n.
    #[inline]
    pub fn sub(&self, b: &Self) -> Self {
        Self { words: Q::MODULUS.sub(&self.words, &b.words) }
    }

    /// −a mod n.
    #[inline]
    pub fn neg(&self) -> Self {
        Self { words: Q::MODULUS.neg(&self.words) }
    }

    /// a/2 mod n.
    #[inline]
    pub fn half(&self) -> Self {
        // a or a + n, whichever is even.
        let addend = limbs::select(self.bits(0, 1).wrapping_neg(), &<WordsOf<Q>>::ZERO, &Q::MODULUS.m);
        let (sum, carry) = limbs::add(&self.words, &addend);
        let mut words = sum;
        let above = sum.as_ref().iter().skip(1).copied().chain([carry]);
        for (word, above) in words.as_mut().iter_mut().zip(above) {
            *word = *word >> 1 | above << 63;
        }
        Self { words }
    }

    /// a·b mod n.
    #[inline]
    pub fn mul(&self, b: &Self) -> Self {
        Self { words: Q::mul(&self.words, &b.words) }
    }

    /// 1/a mod n, and 0 for 0. Vartime.
    #[inline]
    pub fn invert_vartime(&self) -> Self {
        Self { words: Q::invert_vartime(&self.words) }
    }
}

/// Bits `offset .. offset + count` of `words`, count at most 64. Constant time in the words; the position is public.
#[inline(always)]
pub(crate) fn bits<W: Words>(words: &W, offset: u32, count: u32) -> u64 {
    let (word, shift) = ((offset / 64) as usize, offset % 64);
    let at = |i: usize| words.as_ref().get(i).copied().unwrap_or(0);
    // The upper word is shifted in two steps, so that a shift of 64 leaves nothing.
    let window = at(word) >> shift | at(word + 1) << 1 << (63 - shift);
    if count < 64 { window & ((1 << count) - 1) } else { window }
}

/// 1 if a > (n − 1)/2, that is if 2a > n − 1, else 0. Constant time.
#[inline(always)]
pub(crate) fn is_high_borrow<Q: Prime>(a: &WordsOf<Q>) -> u64 {
    // For odd n: a > (n − 1)/2 exactly if n − a < a, and a = 0 is not high since n < 0 is false.
    let (rest, _) = limbs::sub(&Q::MODULUS.m, a);
    limbs::sub(&rest, a).1
}

/// The big-endian number mod n by Horner's rule in words, for any length. Constant time in the bytes.
#[inline]
pub(crate) fn reduce_be_bytes<Q: Prime>(bytes: &[u8]) -> WordsOf<Q> {
    let mut r = <WordsOf<Q>>::ZERO;
    let head = bytes.len() % (8 * <WordsOf<Q>>::LEN);
    let (head, tail) = bytes.split_at(head);
    let chunks = core::iter::once(head).chain(tail.chunks_exact(8 * <WordsOf<Q>>::LEN));
    for (i, chunk) in chunks.filter(|chunk| !chunk.is_empty()).enumerate() {
        let words = limbs::from_be_bytes(chunk).unwrap_or(<WordsOf<Q>>::ZERO);
        // r·2^(64 LEN) + chunk
        r = match i {
            0 => Q::reduce(&words),
            _ => Q::MODULUS.add(&Q::MODULUS.to_montgomery(&r), &Q::reduce(&words)),
        };
    }
    r
}

/// The leftmost BITS bits of a digest, mod n. Constant time in the digest's value.
#[inline]
pub(crate) fn digest_words<Q: Prime>(digest: &[u8]) -> WordsOf<Q> {
    let whole = Q::BITS.div_ceil(8) as usize;
    let Some(left) = digest.get(..whole) else {
        return reduce_be_bytes::<Q>(digest); // shorter than n: all of it
    };
    let shift = Q::BITS.next_multiple_of(8) - Q::BITS;
    let words: WordsOf<Q> = limbs::from_be_bytes(left).unwrap_or(<WordsOf<Q>>::ZERO);
    let mut shifted = <WordsOf<Q>>::ZERO;
    for (i, word) in shifted.as_mut().iter_mut().enumerate() {
        *word = bits(&words, 64 * i as u32 + shift, 64);
    }
    Q::reduce(&shifted)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::SecretScalar;
    use crate::secp256k1::GroupOrder;
    use arith::Modulus;

    type N = Scalar<GroupOrder>;

    /// A prime whose bits are no multiple of 8 and far fewer than the words'.
    #[derive(Clone, Copy)]
    struct Thirteen;
    impl Prime for Thirteen {
        type Words = [u64; 4];
        type Bytes = [u8; 32];
        const MODULUS: Modulus<[u64; 4]> = Modulus::new([13, 0, 0, 0]);
        const BITS: u32 = 4;
    }

    /// n + d for a small d.
    fn n_plus(d: i64) -> [u8; 32] {
        let m = GroupOrder::MODULUS.m;
        let low = m[0].wrapping_add_signed(d);
        let mut bytes = [0; 32];
        limbs::to_be_bytes(&[low, m[1], m[2], m[3]], &mut bytes);
        bytes
    }

    #[test]
    fn range_of_encodings() {
        for (bytes, scalar) in [
            ([0; 32], Some(N::ZERO)),
            (n_plus(-1), Some(N::ONE.neg())),
            (n_plus(0), None),
            (n_plus(1), None),
            ([0xFF; 32], None),
        ] {
            assert_eq!(N::from_be_bytes(&bytes), scalar);
            let secret = SecretScalar::<GroupOrder>::from_be_bytes(&bytes);
            assert_eq!(secret.map(|s| s.declassify("test")), scalar);
            if let Some(scalar) = scalar {
                assert_eq!(scalar.to_be_bytes(), bytes);
                assert_eq!(*SecretScalar::from(scalar).to_be_bytes(), bytes);
            }
        }
        assert_eq!(N::from_be_bytes(&[0; 31]), None);
        assert_eq!(N::from_be_bytes(&[0; 33]), None);
        assert_eq!(N::from_be_bytes_reduced(&n_plus(3)), N::from_u64(3));
        assert_eq!(N::from_be_bytes_reduced(&[]), N::ZERO);
    }

    #[test]
    fn long_numbers_are_reduced() {
        // 2^512 + 5 and 2^264 + 1, from the bytes and from powers.
        let two = N::from_u64(2);
        let power = |e: u32| (0..e).fold(N::ONE, |a, _| a.mul(&two));
        let mut bytes = [0u8; 65];
        (bytes[0], bytes[64]) = (1, 5);
        assert_eq!(N::from_be_bytes_reduced(&bytes), power(512).add(&N::from_u64(5)));
        let mut bytes = [0u8; 34];
        (bytes[0], bytes[33]) = (1, 1);
        assert_eq!(N::from_be_bytes_reduced(&bytes), power(264).add(&N::ONE));
    }

    #[test]
    fn a_digest_is_cut_by_its_length() {
        // Bits of 13: four. The leading ones count, however many of them are zero.
        for (digest, z) in [(&[0x0F, 0xFF][..], 0), (&[0x50], 5), (&[0xF0, 0, 0], 15 % 13), (&[], 0)] {
            assert_eq!(Scalar::<Thirteen>::from_digest(digest), Scalar::from_u64(z), "{digest:02x?}");
            assert_eq!(SecretScalar::<Thirteen>::from_digest(digest).declassify("test"), Scalar::from_u64(z));
        }
        // Bits of n: 256, so 32 bytes of a longer digest, and all of a shorter one.
        let mut long = [0u8; 64];
        (long[31], long[32]) = (7, 0xFF);
        assert_eq!(N::from_digest(&long), N::from_u64(7));
        assert_eq!(N::from_digest(&[1, 0]), N::from_u64(256));
        assert_eq!(N::from_digest(&n_plus(2)), N::from_u64(2));
    }

    #[test]
    fn high_scalars() {
        let half = N::from_u64(2).invert_vartime().sub(&N::ONE); // (n + 1)/2 − 1
        for (a, high) in
            [(N::ZERO, false), (N::ONE, false), (half, false), (half.add(&N::ONE), true), (N::ONE.neg(), true)]
        {
            assert_eq!(a.is_high(), high, "{a:?}");
            assert_eq!(a.half().add(&a.half()), a);
            let secret = SecretScalar::from(a);
            assert_eq!(secret.is_high().declassify("test"), high);
            let low = secret.conditional_negate(secret.is_high()).declassify("test");
            assert_eq!(low, if high { a.neg() } else { a });
        }
        for a in 0..13 {
            assert_eq!(Scalar::<Thirteen>::from_u64(a).is_high(), a > 6);
        }
    }

    #[test]
    fn arithmetic_of_a_small_order() {
        let s = |a: u64| Scalar::<Thirteen>::from_u64(a);
        for a in 0..13 {
            for b in 0..13 {
                assert_eq!(s(a).add(&s(b)), s((a + b) % 13));
                assert_eq!(s(a).sub(&s(b)), s((13 + a - b) % 13));
                assert_eq!(s(a).mul(&s(b)), s(a * b % 13));
                let (x, y) = (SecretScalar::from(s(a)), SecretScalar::from(s(b)));
                assert_eq!(x.add(&y).declassify("test"), s((a + b) % 13));
                assert_eq!(x.sub(&y).declassify("test"), s((13 + a - b) % 13));
                assert_eq!(x.mul(&y).declassify("test"), s(a * b % 13));
                assert_eq!(x.equals(&y).declassify("test"), a == b);
            }
            assert_eq!(s(a).neg(), s((13 - a) % 13));
            assert_eq!(s(a).half().add(&s(a).half()), s(a));
            let inverse = s(a).invert_vartime();
            assert_eq!(s(a).mul(&inverse), s(u64::from(a != 0)));
            assert_eq!(SecretScalar::from(s(a)).invert().declassify("test"), inverse);
        }
    }

    #[test]
    fn bits_across_words() {
        let a = Scalar::<GroupOrder>::from_words([0x8000_0000_0000_0001, 3, 0, 1 << 62]).unwrap();
        assert_eq!(a.bits(0, 1), 1);
        assert_eq!(a.bits(63, 3), 0b111);
        assert_eq!(a.bits(64, 64), 3);
        assert_eq!(a.bits(254, 5), 1);
        assert_eq!(a.bits(256, 8), 0);
        assert_eq!(a.bits(62, 64), 0b1110);
    }
}
