//! Eight elements of any one-lane backend side by side, as strict as the strictest vector backend: a product accepts only
//! `El<1>`. The twin of vector code on any machine, and the proof that formulas carry where lanes need it.

use field::ops::WordsOf;
use field::ops_verify::Inspect;
use field::{Backends, FieldOps, Mask, OneLane, Prime, Row, Task, WordsField};

/// How many lanes.
pub const LANES: usize = 8;

/// Eight lanes of `F`.
#[derive(Clone, Copy, Debug)]
pub struct Array8<F>(pub F);

/// Keeps a task's code in one place.
#[inline(never)]
fn outlined<T: Task>(task: T) -> T::Out {
    task.run()
}

impl<F: FieldOps> FieldOps for Array8<F> {
    type Prime = F::Prime;
    type El<const M: u32> = [F::El<M>; LANES];
    const LANES: usize = LANES;
    const MUL_MAX: u32 = 1;

    fn outline<T: Task>(self, task: T) -> T::Out {
        const { assert!(F::LANES == 1, "eight times one lane") }
        outlined(task)
    }
    fn constant(self, c: &WordsOf<F::Prime>) -> Self::El<1> {
        [self.0.constant(c); LANES]
    }
    fn load(self, lanes: &[WordsOf<F::Prime>]) -> Self::El<1> {
        core::array::from_fn(|l| self.0.load(&lanes[l..]))
    }
    fn load_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, rows: &[Row<WordsOf<F::Prime>>], at: &[u32]) {
        for l in 0..LANES {
            self.0.load_to(&mut x[l], &mut y[l], rows, &at[l..]);
        }
    }
    fn lookup_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, rows: &[Row<WordsOf<F::Prime>>], at: &[u32]) {
        for l in 0..LANES {
            self.0.lookup_to(&mut x[l], &mut y[l], rows, &at[l..]);
        }
    }
    fn store<const A: u32>(self, a: &Self::El<A>, lane: usize) -> WordsOf<F::Prime> {
        self.0.store(&a[lane], 0)
    }
    fn add<const A: u32, const B: u32, const R: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<R> {
        core::array::from_fn(|l| self.0.add(&a[l], &b[l]))
    }
    fn sub<const A: u32, const B: u32, const R: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<R> {
        core::array::from_fn(|l| self.0.sub(&a[l], &b[l]))
    }
    fn times<const K: u32, const A: u32, const R: u32>(self, a: &Self::El<A>) -> Self::El<R> {
        core::array::from_fn(|l| self.0.times::<K, A, R>(&a[l]))
    }
    fn carry<const A: u32>(self, a: &Self::El<A>) -> Self::El<1> {
        core::array::from_fn(|l| self.0.carry(&a[l]))
    }
    fn select_to(self, r: &mut Self::El<1>, keep: Mask, other: &Self::El<1>) {
        for l in 0..LANES {
            self.0.select_to(&mut r[l], Mask(keep.0 >> l & 1), &other[l]);
        }
    }
    fn is_zero(self, a: &Self::El<1>) -> Mask {
        Mask((0..LANES).fold(0, |mask, l| mask | self.0.is_zero(&a[l]).0 << l))
    }
    fn mul_k<const K: u32, const A: u32, const B: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<1> {
        const { assert!(A <= Self::MUL_MAX && B <= Self::MUL_MAX, "carry before multiplying") }
        core::array::from_fn(|l| self.0.mul_k::<K, A, B>(&a[l], &b[l]))
    }
    fn sqr_k<const K: u32, const A: u32>(self, a: &Self::El<A>) -> Self::El<1> {
        const { assert!(A <= Self::MUL_MAX, "carry before squaring") }
        core::array::from_fn(|l| self.0.sqr_k::<K, A>(&a[l]))
    }
}

impl<F: Inspect> Inspect for Array8<F> {
    const LIMBS: usize = F::LIMBS;
    const LIMB_BITS: u32 = F::LIMB_BITS;
    fn limb_limit(self, m: u32, i: usize) -> u64 {
        self.0.limb_limit(m, i)
    }
    fn limb<const M: u32>(self, a: &Self::El<M>, lane: usize, i: usize) -> u64 {
        self.0.limb(&a[lane], 0, i)
    }
    fn with_limbs<const M: u32>(self, limbs: impl Fn(usize) -> u64) -> Self::El<M> {
        [self.0.with_limbs(limbs); LANES]
    }
}

/// The bundle of an engine with lanes, on any machine: one element is `F`, a wide one eight of it, scalars stand in eight lanes.
#[derive(Clone, Copy, Debug)]
pub struct ArrayBackends<F>(pub F);

impl<P: Prime, Q: Prime, F: FieldOps<Prime = P>> Backends<P, Q> for ArrayBackends<F> {
    type One = F;
    type Lanes = Array8<F>;
    type Scalars = Array8<WordsField<Q>>;
    type Few = OneLane<F>;
    const FILLED: usize = 3;

    fn one(self) -> F {
        self.0
    }
    fn lanes(self) -> Array8<F> {
        Array8(self.0)
    }
    fn scalars(self) -> Self::Scalars {
        Array8(WordsField::new())
    }
    fn few(self) -> OneLane<F> {
        OneLane(self.0)
    }
}
