//! How many field and point operations does an algorithm take? A backend over a one-lane backend that counts them.
//!
//! Fused forms count as the operations that they are made of. Counts are the thread's.

use field::ops::WordsOf;
use field::{FieldOps, Mask, Row, Task};
use std::any::type_name;
use std::cell::Cell;
use std::ops::{Add, Sub};

/// What has been done.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Products of two elements.
    pub multiplications: u64,
    /// Squares.
    pub squarings: u64,
    /// Sums, differences and small multiples.
    pub additions: u64,
    /// Points doubled by a task of their own, wherever a ladder does.
    pub point_doublings: u64,
    /// Points added by a task of their own.
    pub point_additions: u64,
}

impl Counts {
    const NONE: Self = Self { multiplications: 0, squarings: 0, additions: 0, point_doublings: 0, point_additions: 0 };

    /// The counts in the order of the fields.
    pub fn all(self) -> [u64; 5] {
        [self.multiplications, self.squarings, self.additions, self.point_doublings, self.point_additions]
    }

    fn zip(self, other: Self, f: fn(u64, u64) -> u64) -> Self {
        Self {
            multiplications: f(self.multiplications, other.multiplications),
            squarings: f(self.squarings, other.squarings),
            additions: f(self.additions, other.additions),
            point_doublings: f(self.point_doublings, other.point_doublings),
            point_additions: f(self.point_additions, other.point_additions),
        }
    }
}

impl Add for Counts {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }
}

impl Sub for Counts {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_sub)
    }
}

thread_local! {
    static DONE: Cell<Counts> = const { Cell::new(Counts::NONE) };
}

fn count(f: impl FnOnce(&mut Counts)) {
    let mut counts = DONE.get();
    f(&mut counts);
    DONE.set(counts);
}

/// What this thread does in `f`.
pub fn of(f: impl FnOnce()) -> Counts {
    let before = DONE.get();
    f();
    DONE.get() - before
}

/// `F`, counting.
#[derive(Clone, Copy, Debug)]
pub struct Counted<F>(pub F);

impl<F: FieldOps> FieldOps for Counted<F> {
    type Prime = F::Prime;
    type El<const M: u32> = F::El<M>;
    const LANES: usize = F::LANES;
    const MUL_MAX: u32 = F::MUL_MAX;

    fn outline<T: Task>(self, task: T) -> T::Out {
        const { assert!(F::LANES == 1, "an operation of many lanes would count as one") }
        // "curve::formulas::a_zero::AddMixed<…>" is AddMixed.
        let path = type_name::<T>().split('<').next().unwrap_or_default();
        let name = path.rsplit("::").next().unwrap_or_default();
        count(|counts| {
            counts.point_doublings += u64::from(name.starts_with("Double"));
            counts.point_additions += u64::from(name.starts_with("Add"));
        });
        self.0.outline(task)
    }

    fn constant(self, c: &WordsOf<F::Prime>) -> F::El<1> {
        self.0.constant(c)
    }
    fn load(self, lanes: &[WordsOf<F::Prime>]) -> F::El<1> {
        self.0.load(lanes)
    }
    fn load_to(self, x: &mut F::El<1>, y: &mut F::El<1>, rows: &[Row<WordsOf<F::Prime>>], at: &[u32]) {
        self.0.load_to(x, y, rows, at);
    }
    fn lookup_to(self, x: &mut F::El<1>, y: &mut F::El<1>, rows: &[Row<WordsOf<F::Prime>>], at: &[u32]) {
        self.0.lookup_to(x, y, rows, at);
    }
    fn store<const A: u32>(self, a: &F::El<A>, lane: usize) -> WordsOf<F::Prime> {
        self.0.store(a, lane)
    }

    fn add<const A: u32, const B: u32, const R: u32>(self, a: &F::El<A>, b: &F::El<B>) -> F::El<R> {
        count(|counts| counts.additions += 1);
        self.0.add(a, b)
    }
    fn sub<const A: u32, const B: u32, const R: u32>(self, a: &F::El<A>, b: &F::El<B>) -> F::El<R> {
        count(|counts| counts.additions += 1);
        self.0.sub(a, b)
    }
    fn times<const K: u32, const A: u32, const R: u32>(self, a: &F::El<A>) -> F::El<R> {
        count(|counts| counts.additions += 1);
        self.0.times::<K, A, R>(a)
    }
    fn carry<const A: u32>(self, a: &F::El<A>) -> F::El<1> {
        self.0.carry(a)
    }
    fn select_to(self, r: &mut F::El<1>, keep: Mask, other: &F::El<1>) {
        self.0.select_to(r, keep, other);
    }
    fn negate_in(self, a: &mut F::El<1>, negative: Mask) {
        count(|counts| counts.additions += 1);
        self.0.negate_in(a, negative);
    }
    fn is_zero(self, a: &F::El<1>) -> Mask {
        self.0.is_zero(a)
    }
    fn mul_k<const K: u32, const A: u32, const B: u32>(self, a: &F::El<A>, b: &F::El<B>) -> F::El<1> {
        count(|counts| counts.multiplications += 1);
        self.0.mul_k::<K, A, B>(a, b)
    }
    fn sqr_k<const K: u32, const A: u32>(self, a: &F::El<A>) -> F::El<1> {
        count(|counts| counts.squarings += 1);
        self.0.sqr_k::<K, A>(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use curve::formulas::a_zero::{Add, AddMixed, double_to};
    use curve::{AffinePoint, Jacobian, Secp256k1};
    use field::secp256k1::Portable4x64;

    /// The costs that the formulas' table states.
    #[test]
    fn formulas_cost_what_they_state() {
        let f = Counted(Portable4x64::new());
        let q = AffinePoint::<Secp256k1>::GENERATOR.load(f);
        let p = Jacobian::from((f, &q));
        let [mut twice, mut r] = [Jacobian::infinity(f); 2];
        let short = |c: Counts| (c.multiplications, c.squarings, c.point_doublings, c.point_additions);
        assert_eq!(short(of(|| double_to(f, &mut twice, &p))), (3, 4, 0, 0));
        let only = Mask::all(1);
        assert_eq!(short(of(|| f.outline(AddMixed { f, r: &mut r, p: &twice, q: &q, only }))), (8, 3, 0, 1));
        assert_eq!(short(of(|| f.outline(Add { f, r: &mut r, p: &twice, q: &p }))), (12, 4, 0, 1));
    }
}
