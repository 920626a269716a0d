//! Secret scalars: integers modulo a group order n that nobody else may learn.
//!
//! No `Copy`, `Debug`, `PartialEq`: a secret does not multiply, print or compare. It is wiped when dropped, and every operation
//! takes the same time and reads the same addresses for every value. [`declassify`](SecretScalar::declassify) is the one door to
//! a public [`Scalar`]; each use says why it is safe. What is computed from secrets and steers a selection is a [`Choice`].
//!
//! Honest limits: copies that the compiler makes in registers and on the stack, the working state of an inversion among them,
//! are not wiped.
//!
//! What the types refuse:
//!
//! ```compile_fail,E0308
//! # use windlass_field::{Scalar, SecretScalar, secp256k1::GroupOrder};
//! fn invert_vartime(k: &Scalar<GroupOrder>) -> Scalar<GroupOrder> { k.invert_vartime() }
//! let k = SecretScalar::<GroupOrder>::from_u64(5);
//! invert_vartime(&k); // no vartime code takes a secret
//! ```
//! ```compile_fail,E0599
//! # use windlass_field::{SecretScalar, secp256k1::GroupOrder};
//! let k = SecretScalar::<GroupOrder>::from_u64(5);
//! k.invert_vartime(); // nor has it a vartime method
//! ```
//! ```compile_fail,E0277
//! # use windlass_field::{SecretScalar, secp256k1::GroupOrder};
//! let k = SecretScalar::<GroupOrder>::from_u64(5);
//! println!("{k:?}"); // it does not print
//! ```
//! ```compile_fail,E0369
//! # use windlass_field::{SecretScalar, secp256k1::GroupOrder};
//! let k = SecretScalar::<GroupOrder>::from_u64(5);
//! k == k.clone(); // it does not compare
//! ```
//! ```compile_fail,E0382
//! # use windlass_field::{SecretScalar, secp256k1::GroupOrder};
//! let k = SecretScalar::<GroupOrder>::from_u64(5);
//! let copy = k;
//! k.negate(); // it is not copied
//! ```
//! ```compile_fail,E0308
//! # use windlass_field::{SecretScalar, secp256k1::GroupOrder};
//! if SecretScalar::<GroupOrder>::from_u64(5).is_zero() {} // no branch on a choice
//! ```
//! And what they allow:
//! ```
//! # use windlass_field::{Scalar, SecretScalar, secp256k1::GroupOrder};
//! let k = SecretScalar::<GroupOrder>::from_u64(5);
//! let one = k.mul(&k.invert()).declassify("an example");
//! assert_eq!(one, Scalar::ONE);
//! ```

use crate::ops::{ByteArray, Mask, Prime, WordsOf};
use crate::order::{self, Scalar};
use arith::inverse::Inversion;
use arith::kernel::barrier;
use arith::{Words, ct_check, limbs};
use core::marker::PhantomData;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Yes or no, computed from secrets: a mask, all ones or zero, that no `if` takes.
#[derive(Clone, Copy)]
pub struct Choice(u64);

impl Choice {
    /// No.
    pub const NO: Self = Self(0);
    /// Yes.
    pub const YES: Self = Self(u64::MAX);

    /// Yes if `bit` is 1, no if it is 0; other values are not allowed.
    #[inline(always)]
    pub fn from_bit(bit: u64) -> Self {
        debug_assert!(cfg!(windlass_ct_check) || bit < 2);
        Self(barrier(bit.wrapping_neg()))
    }

    /// All ones for yes, zero for no.
    #[inline(always)]
    pub fn mask(self) -> u64 {
        barrier(self.0)
    }

    /// Every lane for yes, none for no.
    #[inline(always)]
    pub fn lanes(self) -> Mask {
        Mask(self.mask() as u32)
    }

    /// Both.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Either.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Exactly one.
    #[inline(always)]
    pub fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// Yes for no, no for yes.
    #[inline(always)]
    pub fn opposite(self) -> Self {
        Self(!self.0)
    }

    /// The answer made public. `why` states what makes that safe.
    #[inline(always)]
    pub fn declassify(self, why: &'static str) -> bool {
        let _ = why;
        let mut mask = self.0;
        ct_check::declassify(&mut mask);
        mask != 0
    }
}

/// An integer modulo the order `Q`, secret. See the [module](self).
pub struct SecretScalar<Q: Prime> {
    /// Canonical: below n.
    words: WordsOf<Q>,
}

impl<Q: Prime> Clone for SecretScalar<Q> {
    fn clone(&self) -> Self {
        Self { words: self.words }
    }
}
impl<Q: Prime> Zeroize for SecretScalar<Q> {
    fn zeroize(&mut self) {
        self.words.zeroize();
    }
}
impl<Q: Prime> Drop for SecretScalar<Q> {
    fn drop(&mut self) {
        self.zeroize();
    }
}
impl<Q: Prime> ZeroizeOnDrop for SecretScalar<Q> {}

impl<Q: Prime> From<Scalar<Q>> for SecretScalar<Q> {
    fn from(public: Scalar<Q>) -> Self {
        Self { words: *public.words() }
    }
}

impl<Q: Prime> SecretScalar<Q> {
    /// The secret with these big-endian bytes: `None` unless there are as many as `Q::Bytes` has and the number is below n.
    ///
    /// Takes the same time for every number; that it is refused is public.
    #[inline]
    pub fn from_be_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Q::Bytes::LEN {
            return None;
        }
        let words = Zeroizing::new(limbs::from_be_bytes::<WordsOf<Q>>(bytes)?);
        let below = Choice::from_bit(limbs::sub(&*words, &Q::MODULUS.m).1);
        below.declassify("whether a secret is in range is answered to the caller").then(|| Self { words: *words })
    }

    /// The big-endian number mod n, of any length.
    #[inline]
    pub fn from_be_bytes_reduced(bytes: &[u8]) -> Self {
        Self { words: order::reduce_be_bytes::<Q>(bytes) }
    }

    /// The leftmost bits of a digest, mod n, as [`Scalar::from_digest`].
    #[inline]
    pub fn from_digest(digest: &[u8]) -> Self {
        Self { words: order::digest_words::<Q>(digest) }
    }

    /// a mod n.
    #[inline]
    pub fn from_u64(a: u64) -> Self {
        let mut words = <WordsOf<Q>>::ZERO;
        if let Some(word) = words.as_mut().first_mut() {
            *word = a;
        }
        Self { words: Q::reduce(&words) }
    }

    /// The words, little-endian, below n, for constant-time code that takes digits: they are as secret as the scalar, and
    /// whoever copies them wipes them.
    #[inline(always)]
    pub fn secret_words(&self) -> &WordsOf<Q> {
        &self.words
    }

    /// Bits `offset .. offset + count`, count at most 64; bits beyond the words are 0. The position is public, the bits are not.
    #[inline(always)]
    pub fn secret_bits(&self, offset: u32, count: u32) -> u64 {
        order::bits(&self.words, offset, count)
    }

    /// Big-endian bytes, wiped when dropped.
    #[inline]
    pub fn to_be_bytes(&self) -> Zeroizing<Q::Bytes> {
        let mut bytes = Zeroizing::new(Q::Bytes::ZERO);
        limbs::to_be_bytes(&self.words, (*bytes).as_mut());
        bytes
    }

    /// The secret made public: the one door. `why` states what makes that safe.
    #[inline]
    pub fn declassify(&self, why: &'static str) -> Scalar<Q> {
        let _ = why;
        let mut words = self.words;
        ct_check::declassify(&mut words);
        // Canonical already: the check never fails.
        Scalar::from_words(words).unwrap_or(Scalar::ZERO)
    }

    /// Declares the scalar secret to a checker of constant time; nothing in a usual build.
    #[inline]
    pub fn poison(&mut self) {
        ct_check::poison(&mut self.words);
    }

    /// Is it 0?
    #[inline]
    pub fn is_zero(&self) -> Choice {
        Choice(limbs::is_zero_mask(&self.words))
    }

    /// Is it odd, as an integer below n?
    #[inline]
    pub fn is_odd(&self) -> Choice {
        Choice::from_bit(self.secret_bits(0, 1))
    }

    /// Is it above (n − 1)/2?
    #[inline]
    pub fn is_high(&self) -> Choice {
        Choice::from_bit(order::is_high_borrow::<Q>(&self.words))
    }

    /// Are the two equal?
    #[inline]
    pub fn equals(&self, other: &Self) -> Choice {
        self.sub(other).is_zero()
    }

    /// `yes` or `no`, as the choice says.
    #[inline]
    pub fn select(choice: Choice, yes: &Self, no: &Self) -> Self {
        Self { words: limbs::select(choice.mask(), &no.words, &yes.words) }
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

    /// a·b mod n.
    #[inline]
    pub fn mul(&self, b: &Self) -> Self {
        Self { words: Q::mul(&self.words, &b.words) }
    }

    /// −a mod n.
    #[inline]
    pub fn negate(&self) -> Self {
        Self { words: Q::MODULUS.neg(&self.words) }
    }

    /// −a if the choice is yes, else a.
    #[inline]
    pub fn conditional_negate(&self, choice: Choice) -> Self {
        Self::select(choice, &self.negate(), self)
    }

    /// 1/a mod n, and 0 for 0.
    #[inline]
    pub fn invert(&self) -> Self {
        Self { words: Q::invert(&self.words) }
    }

    /// [`invert`](Self::invert) in pieces, which run beside something else.
    #[inline]
    pub fn inversion(&self) -> SecretInversion<Q> {
        SecretInversion { inversion: Inversion::new(&Q::MODULUS, &self.words), order: PhantomData }
    }
}

/// 1/a mod n on its way: [`step`](Self::step) as often as there is time, then [`finish`](Self::finish). Wiped when dropped.
pub struct SecretInversion<Q: Prime> {
    inversion: Inversion,
    order: PhantomData<Q>,
}

impl<Q: Prime> SecretInversion<Q> {
    /// The next piece, a hundred cycles or so of one element's instructions.
    #[inline(never)]
    pub fn step(&mut self) {
        self.inversion.step(&Q::MODULUS);
    }

    /// What is left, and the result.
    #[inline(never)]
    pub fn finish(self) -> SecretScalar<Q> {
        SecretScalar { words: self.inversion.finish(&Q::MODULUS) }
    }
}
