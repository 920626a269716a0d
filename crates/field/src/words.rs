//! Canonical words of any prime as a backend of one lane: scalars where an engine has no lanes for them, and small test primes.
//!
//! Arithmetic is [`Prime`]'s. Every result is canonical, so nothing grows: `El<M>` is the same for all M.

use crate::ops::WordsOf;
use crate::{FieldOps, Mask, Prime, Row, Task};
use arith::{Words, limbs};
use core::marker::PhantomData;
use zeroize::Zeroize;

/// The backend; it needs nothing.
#[derive(Debug)]
pub struct WordsField<Q>(PhantomData<Q>);

impl<Q> Clone for WordsField<Q> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<Q> Copy for WordsField<Q> {}

impl<Q> WordsField<Q> {
    /// The backend.
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<Q> Default for WordsField<Q> {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

/// An integer below the prime, whatever `M`.
#[derive(Clone, Copy)]
pub struct Canonical<W, const M: u32>(W);

impl<W: Zeroize, const M: u32> Zeroize for Canonical<W, M> {
    #[inline]
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// Keeps a task's code in one place.
#[inline(never)]
fn outlined<T: Task>(task: T) -> T::Out {
    task.run()
}

impl<Q: Prime> WordsField<Q> {
    /// N·a.
    #[inline(always)]
    fn multiple<const N: u32>(a: &WordsOf<Q>) -> WordsOf<Q> {
        (1..N).fold(*a, |sum, _| Q::MODULUS.add(&sum, a))
    }
}

impl<Q: Prime> FieldOps for WordsField<Q> {
    type Prime = Q;
    type El<const M: u32> = Canonical<WordsOf<Q>, M>;
    const LANES: usize = 1;
    const MUL_MAX: u32 = u32::MAX;

    #[inline(always)]
    fn outline<T: Task>(self, task: T) -> T::Out {
        outlined(task)
    }
    #[inline(always)]
    fn constant(self, c: &WordsOf<Q>) -> Self::El<1> {
        Canonical(*c)
    }
    #[inline(always)]
    fn load(self, lanes: &[WordsOf<Q>]) -> Self::El<1> {
        Canonical(lanes[0])
    }
    #[inline(always)]
    fn load_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, rows: &[Row<WordsOf<Q>>], at: &[u32]) {
        let row = &rows[at[0] as usize];
        x.0 = row.x;
        y.0 = row.y;
    }
    #[inline(always)]
    fn lookup_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, rows: &[Row<WordsOf<Q>>], at: &[u32]) {
        x.0 = <WordsOf<Q>>::ZERO;
        y.0 = <WordsOf<Q>>::ZERO;
        for (i, row) in (0u64..).zip(rows) {
            let other = i ^ u64::from(at[0]);
            let here = other.wrapping_sub(1) & !other; // its top bit: other = 0
            self.select_to(x, Mask((here >> 63) as u32 ^ 1), &Canonical(row.x));
            self.select_to(y, Mask((here >> 63) as u32 ^ 1), &Canonical(row.y));
        }
    }
    #[inline(always)]
    fn store<const A: u32>(self, a: &Self::El<A>, _lane: usize) -> WordsOf<Q> {
        a.0
    }
    #[inline(always)]
    fn add<const A: u32, const B: u32, const R: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<R> {
        const { assert!(A + B <= R, "A + B <= R: the sum is larger than its type") }
        Canonical(Q::MODULUS.add(&a.0, &b.0))
    }
    #[inline(always)]
    fn sub<const A: u32, const B: u32, const R: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<R> {
        const { assert!(A + 2 * B <= R, "A + 2B <= R: the difference is larger than its type") }
        Canonical(Q::MODULUS.sub(&a.0, &b.0))
    }
    #[inline(always)]
    fn times<const N: u32, const A: u32, const R: u32>(self, a: &Self::El<A>) -> Self::El<R> {
        const { assert!(N * A <= R, "N·A <= R: the multiple is larger than its type") }
        Canonical(Self::multiple::<N>(&a.0))
    }
    #[inline(always)]
    fn carry<const A: u32>(self, a: &Self::El<A>) -> Self::El<1> {
        Canonical(a.0)
    }
    #[inline(always)]
    fn select_to(self, r: &mut Self::El<1>, keep: Mask, other: &Self::El<1>) {
        let keep = arith::kernel::barrier(u64::from(keep.0 & 1).wrapping_neg());
        for (word, other) in r.0.as_mut().iter_mut().zip(other.0.as_ref()) {
            *word = *word & keep | other & !keep;
        }
    }
    #[inline(always)]
    fn is_zero(self, a: &Self::El<1>) -> Mask {
        Mask((limbs::is_zero_mask(&a.0) & 1) as u32)
    }
    #[inline(always)]
    fn mul_k<const N: u32, const A: u32, const B: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<1> {
        Canonical(Self::multiple::<N>(&Q::mul(&a.0, &b.0)))
    }
    #[inline(always)]
    fn sqr_k<const N: u32, const A: u32>(self, a: &Self::El<A>) -> Self::El<1> {
        Canonical(Self::multiple::<N>(&Q::mul(&a.0, &a.0)))
    }
}
