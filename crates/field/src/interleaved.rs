//! K elements of a one-lane backend side by side: chains that wait for nothing but themselves fill each other's waits.
//!
//! A product has a latency of some forty cycles and room for one or two others in that time. Where every step needs the last one, as
//! in a square root or a running product, K chains cost hardly more than one; they are lanes to the code that has them.
//!
//! Products accept `El<1>` alone, whatever the backend accepts: what runs here also runs on vectors.

use crate::ops::WordsOf;
use crate::ops_verify::Inspect;
use crate::{FieldOps, Mask, Row, Task};

/// `K` lanes of `F`.
#[derive(Clone, Copy, Debug)]
pub struct Interleaved<F, const K: usize>(pub F);

impl<F: FieldOps, const K: usize> FieldOps for Interleaved<F, K> {
    type Prime = F::Prime;
    type El<const M: u32> = [F::El<M>; K];
    const LANES: usize = K;
    const MUL_MAX: u32 = 1;

    #[inline(always)]
    fn outline<T: Task>(self, task: T) -> T::Out {
        const { assert!(F::LANES == 1 && K <= 32, "one lane each, and a mask has 32 bits") }
        self.0.outline(task)
    }
    #[inline(always)]
    fn constant(self, c: &WordsOf<F::Prime>) -> Self::El<1> {
        [self.0.constant(c); K]
    }
    #[inline(always)]
    fn load(self, lanes: &[WordsOf<F::Prime>]) -> Self::El<1> {
        core::array::from_fn(|l| self.0.load(&lanes[l..]))
    }
    #[inline(always)]
    fn load_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, rows: &[Row<WordsOf<F::Prime>>], at: &[u32]) {
        for l in 0..K {
            self.0.load_to(&mut x[l], &mut y[l], rows, &at[l..]);
        }
    }
    #[inline(always)]
    fn lookup_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, rows: &[Row<WordsOf<F::Prime>>], at: &[u32]) {
        for l in 0..K {
            self.0.lookup_to(&mut x[l], &mut y[l], rows, &at[l..]);
        }
    }
    #[inline(always)]
    fn store<const A: u32>(self, a: &Self::El<A>, lane: usize) -> WordsOf<F::Prime> {
        self.0.store(&a[lane], 0)
    }
    #[inline(always)]
    fn add<const A: u32, const B: u32, const R: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<R> {
        core::array::from_fn(|l| self.0.add(&a[l], &b[l]))
    }
    #[inline(always)]
    fn sub<const A: u32, const B: u32, const R: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<R> {
        core::array::from_fn(|l| self.0.sub(&a[l], &b[l]))
    }
    #[inline(always)]
    fn times<const N: u32, const A: u32, const R: u32>(self, a: &Self::El<A>) -> Self::El<R> {
        core::array::from_fn(|l| self.0.times::<N, A, R>(&a[l]))
    }
    #[inline(always)]
    fn carry<const A: u32>(self, a: &Self::El<A>) -> Self::El<1> {
        core::array::from_fn(|l| self.0.carry(&a[l]))
    }
    #[inline(always)]
    fn select_to(self, r: &mut Self::El<1>, keep: Mask, other: &Self::El<1>) {
        for l in 0..K {
            self.0.select_to(&mut r[l], Mask(keep.0 >> l & 1), &other[l]);
        }
    }
    #[inline(always)]
    fn negate_in(self, a: &mut Self::El<1>, negative: Mask) {
        for l in 0..K {
            self.0.negate_in(&mut a[l], Mask(negative.0 >> l & 1));
        }
    }
    #[inline(always)]
    fn is_zero(self, a: &Self::El<1>) -> Mask {
        Mask((0..K).fold(0, |mask, l| mask | (self.0.is_zero(&a[l]).0 & 1) << l))
    }
    #[inline(always)]
    fn is_odd(self, a: &Self::El<1>) -> Mask {
        Mask((0..K).fold(0, |mask, l| mask | (self.0.is_odd(&a[l]).0 & 1) << l))
    }
    #[inline(always)]
    fn rotate(self, a: &Self::El<1>, by: usize) -> Self::El<1> {
        core::array::from_fn(|l| a[(l + by) % K])
    }
    #[inline(always)]
    fn mul_k<const N: u32, const A: u32, const B: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<1> {
        const { assert!(A <= 1 && B <= 1, "carry before multiplying") }
        core::array::from_fn(|l| self.0.mul_k::<N, A, B>(&a[l], &b[l]))
    }
    #[inline(always)]
    fn sqr_k<const N: u32, const A: u32>(self, a: &Self::El<A>) -> Self::El<1> {
        const { assert!(A <= 1, "carry before squaring") }
        core::array::from_fn(|l| self.0.sqr_k::<N, A>(&a[l]))
    }
}

impl<F: Inspect, const K: usize> Inspect for Interleaved<F, K> {
    const LIMBS: usize = F::LIMBS;
    const LIMB_BITS: u32 = F::LIMB_BITS;
    fn limb_limit(self, m: u32, i: usize) -> u64 {
        self.0.limb_limit(m, i)
    }
    fn limb<const M: u32>(self, a: &Self::El<M>, lane: usize, i: usize) -> u64 {
        self.0.limb(&a[lane], 0, i)
    }
    fn with_limbs<const M: u32>(self, limbs: impl Fn(usize) -> u64) -> Self::El<M> {
        [self.0.with_limbs(limbs); K]
    }
}
