//! Does a backend keep the contract of [`crate::ops`]? A backend over a backend that checks every operation as it runs.
//!
//! [`Verified`] adds to each element the bound that the operations so far prove, and after every operation asserts, lane by lane:
//! - the bound is no larger than the type says, and no limb is larger than the bound allows;
//! - the limbs' value mod p is what the Montgomery oracle computes from the operands' limbs;
//! - `store` gives that value, canonical.
//!
//! For tests: it panics, by design, and is a hundred times slower than the backend.

use crate::{Column, FieldOps, Mask, Prime, Row, Task, ops::WordsOf};
use arith::Words;
use zeroize::Zeroize;

/// A backend whose limbs can be read and set, for tests.
pub trait Inspect: FieldOps {
    /// Limbs of an element.
    const LIMBS: usize;
    /// Bits from one limb to the next.
    const LIMB_BITS: u32;
    /// The largest limb `i` of an `El<m>`, stated apart from the code that keeps it.
    fn limb_limit(self, m: u32, i: usize) -> u64;
    /// Limb `i` of a lane.
    fn limb<const M: u32>(self, a: &Self::El<M>, lane: usize, i: usize) -> u64;
    /// Every lane with limb `i` = `limbs(i)`.
    fn with_limbs<const M: u32>(self, limbs: impl Fn(usize) -> u64) -> Self::El<M>;
}

/// Words of a lane's value mod p, from the limbs alone.
pub fn value_of<F: Inspect, const M: u32>(f: F, a: &F::El<M>, lane: usize) -> WordsOf<F::Prime> {
    let modulus = F::Prime::MODULUS;
    let mut value = WordsOf::<F::Prime>::ZERO;
    for i in (0..F::LIMBS).rev() {
        for _ in 0..F::LIMB_BITS {
            value = modulus.add(&value, &value);
        }
        let mut limb = WordsOf::<F::Prime>::ZERO;
        limb.as_mut()[0] = f.limb(a, lane, i);
        value = modulus.add(&value, &modulus.reduce(&limb));
    }
    value
}

/// `F`, checked.
#[derive(Clone, Copy)]
pub struct Verified<F>(pub F);

/// An element of `F` and the bound that its history proves.
#[derive(Clone, Copy)]
pub struct Checked<E> {
    element: E,
    bound: u32,
}

impl<E: Zeroize> Zeroize for Checked<E> {
    fn zeroize(&mut self) {
        self.element.zeroize();
    }
}

impl<F: Inspect> Verified<F> {
    /// The element, after its checks: `expected(lane)` is its value.
    #[track_caller]
    fn checked<const M: u32>(
        self,
        element: F::El<M>,
        bound: u32,
        expected: impl Fn(usize) -> WordsOf<F::Prime>,
    ) -> Checked<F::El<M>> {
        assert!(bound <= M, "the operations prove a bound of {bound}, the type says {M}");
        for lane in 0..F::LANES {
            for i in 0..F::LIMBS {
                let (limb, limit) = (self.0.limb(&element, lane, i), self.0.limb_limit(bound, i));
                assert!(limb <= limit, "lane {lane}: limb {i} is {limb:#x}, an El<{bound}> allows {limit:#x}");
            }
            let (value, expected) = (value_of(self.0, &element, lane), expected(lane));
            assert_eq!(value, expected, "lane {lane}: the limbs' value is not the operation's");
            assert_eq!(self.0.store(&element, lane), expected, "lane {lane}: store differs from the limbs");
        }
        Checked { element, bound }
    }

    fn value<const M: u32>(self, a: &Checked<F::El<M>>, lane: usize) -> WordsOf<F::Prime> {
        value_of(self.0, &a.element, lane)
    }

    fn factor<const M: u32>(self, a: &Checked<F::El<M>>) {
        assert!(a.bound <= F::MUL_MAX, "a product of an El<{}>, at most {} is accepted", a.bound, F::MUL_MAX);
    }
}

/// K·a by additions.
fn multiple<Q: Prime>(k: u32, a: &Q::Words) -> Q::Words {
    (0..k).fold(Q::Words::ZERO, |sum, _| Q::MODULUS.add(&sum, a))
}

/// Checks one operation: its element, its bound, and its value in a lane from the operands' values.
macro_rules! check {
    ($self:ident, $bound:expr, $element:expr, $m:ident, [$($v:ident),*] => $value:expr) => {{
        let $m = F::Prime::MODULUS;
        $self.checked($element, $bound, |lane| {
            $(let $v = $self.value($v, lane);)*
            $value
        })
    }};
}

impl<F: Inspect> FieldOps for Verified<F> {
    type Prime = F::Prime;
    type El<const M: u32> = Checked<F::El<M>>;
    const LANES: usize = F::LANES;
    const MUL_MAX: u32 = F::MUL_MAX;

    fn outline<T: Task>(self, task: T) -> T::Out {
        self.0.outline(task)
    }

    fn constant(self, c: &WordsOf<F::Prime>) -> Self::El<1> {
        self.checked(self.0.constant(c), 1, |_| *c)
    }

    fn load(self, lanes: &[WordsOf<F::Prime>]) -> Self::El<1> {
        self.checked(self.0.load(lanes), 1, |lane| lanes[lane])
    }

    fn load_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, rows: &[Row<WordsOf<F::Prime>>], at: &[u32]) {
        self.0.load_to(&mut x.element, &mut y.element, rows, at);
        *x = self.checked(x.element, 1, |lane| rows[at[lane] as usize].x);
        *y = self.checked(y.element, 1, |lane| rows[at[lane] as usize].y);
    }

    fn lookup_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, rows: &[Row<WordsOf<F::Prime>>], at: &[u32]) {
        self.0.lookup_to(&mut x.element, &mut y.element, rows, at);
        let zero = WordsOf::<F::Prime>::ZERO;
        *x = self.checked(x.element, 1, |lane| rows.get(at[lane] as usize).map_or(zero, |row| row.x));
        *y = self.checked(y.element, 1, |lane| rows.get(at[lane] as usize).map_or(zero, |row| row.y));
    }

    fn lookup_lanes_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, table: &[Column], at: &[u32]) {
        self.0.lookup_lanes_to(&mut x.element, &mut y.element, table, at);
        let words = <WordsOf<F::Prime>>::LEN;
        let entry = |lane: usize, skipped: usize| {
            let mut value = <WordsOf<F::Prime>>::ZERO;
            let columns = table.chunks_exact(2 * words).nth(at[lane] as usize).unwrap_or_default();
            let wanted = columns.iter().skip(skipped);
            value.as_mut().iter_mut().zip(wanted).for_each(|(word, column)| *word = column.0[lane % 8]);
            value
        };
        *x = self.checked(x.element, 1, |lane| entry(lane, 0));
        *y = self.checked(y.element, 1, |lane| entry(lane, words));
    }

    fn store<const A: u32>(self, a: &Self::El<A>, lane: usize) -> WordsOf<F::Prime> {
        let words = self.0.store(&a.element, lane);
        assert_eq!(words, self.value(a, lane), "lane {lane}: store differs from the limbs");
        words
    }

    fn add<const A: u32, const B: u32, const R: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<R> {
        let r = self.0.add::<A, B, R>(&a.element, &b.element);
        check!(self, a.bound + b.bound, r, m, [a, b] => m.add(&a, &b))
    }

    fn sub<const A: u32, const B: u32, const R: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<R> {
        let r = self.0.sub::<A, B, R>(&a.element, &b.element);
        // What is subtracted counts by its type: the bias depends on that.
        check!(self, a.bound + 2 * B, r, m, [a, b] => m.sub(&a, &b))
    }

    fn times<const K: u32, const A: u32, const R: u32>(self, a: &Self::El<A>) -> Self::El<R> {
        let r = self.0.times::<K, A, R>(&a.element);
        check!(self, K * a.bound, r, _m, [a] => multiple::<F::Prime>(K, &a))
    }

    fn times_small(self, k: u32, a: &Self::El<1>) -> Self::El<32> {
        assert!(k <= 32);
        check!(self, 32, self.0.times_small(k, &a.element), _m, [a] => multiple::<F::Prime>(k, &a))
    }

    fn carry<const A: u32>(self, a: &Self::El<A>) -> Self::El<1> {
        check!(self, 1, self.0.carry(&a.element), _m, [a] => a)
    }

    fn select_to(self, r: &mut Self::El<1>, keep: Mask, other: &Self::El<1>) {
        let old = *r;
        self.0.select_to(&mut r.element, keep, &other.element);
        *r = self.checked(r.element, 1, |lane| self.value(if keep.0 >> lane & 1 == 1 { &old } else { other }, lane));
    }

    fn is_zero(self, a: &Self::El<1>) -> Mask {
        let mask = self.0.is_zero(&a.element);
        for lane in 0..F::LANES {
            let zero = self.value(a, lane) == WordsOf::<F::Prime>::ZERO;
            assert_eq!(mask.0 >> lane & 1 == 1, zero, "lane {lane}: is_zero");
        }
        assert_eq!(mask.and(Mask::all(F::LANES)), mask, "a bit beyond the last lane");
        mask
    }

    fn mul_k<const K: u32, const A: u32, const B: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<1> {
        self.factor(a);
        self.factor(b);
        let r = self.0.mul_k::<K, A, B>(&a.element, &b.element);
        check!(self, 1, r, m, [a, b] => multiple::<F::Prime>(K, &m.mul(&a, &b)))
    }

    fn sqr_k<const K: u32, const A: u32>(self, a: &Self::El<A>) -> Self::El<1> {
        self.factor(a);
        let r = self.0.sqr_k::<K, A>(&a.element);
        check!(self, 1, r, m, [a] => multiple::<F::Prime>(K, &m.mul(&a, &a)))
    }

    fn sqr_times(self, a: &Self::El<1>, times: u32) -> Self::El<1> {
        let r = self.0.sqr_times(&a.element, times);
        check!(self, 1, r, m, [a] => (0..times).fold(a, |a, _| m.mul(&a, &a)))
    }

    fn store_all<const A: u32>(self, a: &Self::El<A>, out: &mut [WordsOf<F::Prime>]) {
        self.0.store_all(&a.element, out);
        for (lane, words) in out.iter().enumerate().take(F::LANES) {
            assert_eq!(*words, self.value(a, lane), "lane {lane}: store_all");
        }
    }

    fn store_rows(self, x: &Self::El<1>, y: &Self::El<1>, rows: &mut [Row<WordsOf<F::Prime>>], at: &[u32]) {
        self.0.store_rows(&x.element, &y.element, rows, at);
        for (lane, &i) in at.iter().enumerate().take(F::LANES) {
            if !at.get(lane + 1..F::LANES.min(at.len())).is_some_and(|later| later.contains(&i)) {
                let expected = Row { x: self.value(x, lane), y: self.value(y, lane) };
                assert_eq!(rows[i as usize], expected, "lane {lane}: store_rows");
            }
        }
    }

    fn is_odd(self, a: &Self::El<1>) -> Mask {
        let mask = self.0.is_odd(&a.element);
        for lane in 0..F::LANES {
            let odd = self.value(a, lane).as_ref()[0] & 1 == 1;
            assert_eq!(mask.0 >> lane & 1 == 1, odd, "lane {lane}: is_odd");
        }
        assert_eq!(mask.and(Mask::all(F::LANES)), mask, "a bit beyond the last lane");
        mask
    }

    fn rotate(self, a: &Self::El<1>, by: usize) -> Self::El<1> {
        self.checked(self.0.rotate(&a.element, by), 1, |lane| self.value(a, (lane + by) % F::LANES))
    }

    fn negate_in(self, a: &mut Self::El<1>, negative: Mask) {
        let old = *a;
        self.0.negate_in(&mut a.element, negative);
        *a = self.checked(a.element, 1, |lane| {
            let value = self.value(&old, lane);
            if negative.0 >> lane & 1 == 1 { F::Prime::MODULUS.neg(&value) } else { value }
        });
    }

    fn mul_sub<const A: u32, const B: u32>(self, a: &Self::El<A>, b: &Self::El<B>, c: &Self::El<1>) -> Self::El<1> {
        self.factor(a);
        self.factor(b);
        let r = self.0.mul_sub(&a.element, &b.element, &c.element);
        check!(self, 1, r, m, [a, b, c] => m.sub(&m.mul(&a, &b), &c))
    }

    fn mul_add<const A: u32, const B: u32>(self, a: &Self::El<A>, b: &Self::El<B>, c: &Self::El<1>) -> Self::El<1> {
        self.factor(a);
        self.factor(b);
        let r = self.0.mul_add(&a.element, &b.element, &c.element);
        check!(self, 1, r, m, [a, b, c] => m.add(&m.mul(&a, &b), &c))
    }

    fn sqr_sub<const A: u32, const C: u32>(self, a: &Self::El<A>, c: &Self::El<C>) -> Self::El<1> {
        self.factor(a);
        let r = self.0.sqr_sub(&a.element, &c.element);
        check!(self, 1, r, m, [a, c] => m.sub(&m.mul(&a, &a), &c))
    }

    fn mul_add_mul<const A: u32, const B: u32, const C: u32, const D: u32>(
        self,
        a: &Self::El<A>,
        b: &Self::El<B>,
        c: &Self::El<C>,
        d: &Self::El<D>,
    ) -> Self::El<1> {
        self.factor(a);
        self.factor(b);
        self.factor(c);
        self.factor(d);
        let r = self.0.mul_add_mul(&a.element, &b.element, &c.element, &d.element);
        check!(self, 1, r, m, [a, b, c, d] => m.add(&m.mul(&a, &b), &m.mul(&c, &d)))
    }

    fn mul_sub_mul<const A: u32, const B: u32, const C: u32, const D: u32>(
        self,
        a: &Self::El<A>,
        b: &Self::El<B>,
        c: &Self::El<C>,
        d: &Self::El<D>,
    ) -> Self::El<1> {
        self.factor(a);
        self.factor(b);
        self.factor(c);
        self.factor(d);
        let r = self.0.mul_sub_mul(&a.element, &b.element, &c.element, &d.element);
        check!(self, 1, r, m, [a, b, c, d] => m.sub(&m.mul(&a, &b), &m.mul(&c, &d)))
    }

    fn mul_sub_2sqr<const A: u32, const B: u32, const C: u32>(
        self,
        a: &Self::El<A>,
        b: &Self::El<B>,
        c: &Self::El<C>,
    ) -> Self::El<1> {
        self.factor(a);
        self.factor(b);
        self.factor(c);
        let r = self.0.mul_sub_2sqr(&a.element, &b.element, &c.element);
        check!(self, 1, r, m, [a, b, c] => m.sub(&m.mul(&a, &b), &multiple::<F::Prime>(2, &m.mul(&c, &c))))
    }

    fn double_a_zero(self, x: &mut Self::El<1>, y: &mut Self::El<1>, z: &mut Self::El<1>) -> bool {
        let done = self.0.double_a_zero(&mut x.element, &mut y.element, &mut z.element);
        // The values are a whole formula's: the suite compares those as points. Limbs and `store` are checked here.
        for r in [x, y, z] {
            *r = self.checked(r.element, 1, |lane| value_of(self.0, &r.element, lane));
        }
        done
    }

    fn add_mixed(
        self,
        x: &mut Self::El<1>,
        y: &mut Self::El<1>,
        z: &mut Self::El<1>,
        qx: &Self::El<1>,
        qy: &Self::El<1>,
    ) -> bool {
        let done = self.0.add_mixed(&mut x.element, &mut y.element, &mut z.element, &qx.element, &qy.element);
        for r in [x, y, z] {
            *r = self.checked(r.element, 1, |lane| value_of(self.0, &r.element, lane));
        }
        done
    }
}

impl<F: Inspect> Inspect for Verified<F> {
    const LIMBS: usize = F::LIMBS;
    const LIMB_BITS: u32 = F::LIMB_BITS;
    fn limb_limit(self, m: u32, i: usize) -> u64 {
        self.0.limb_limit(m, i)
    }
    fn limb<const M: u32>(self, a: &Self::El<M>, lane: usize, i: usize) -> u64 {
        self.0.limb(&a.element, lane, i)
    }
    fn with_limbs<const M: u32>(self, limbs: impl Fn(usize) -> u64) -> Self::El<M> {
        let element = self.0.with_limbs::<M>(limbs);
        self.checked(element, M, |lane| value_of(self.0, &element, lane))
    }
}
