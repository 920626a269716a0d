//! Which equations of a sum that is not O do not hold.
//!
//! 1. Some equations, spread over all, are checked one by one in lanes. If one of these is wrong, many are: all others are
//!    checked in lanes too. So the worst batch costs its sum and what lanes alone cost.
//! 2. Else the sum is narrowed by halves: the left half is summed with the same weights, the right half is the difference. A half
//!    that is O holds.
//! 3. A part is checked in lanes as soon as it is small, or the halves summed so far are as many rows as there were equations,
//!    weighed by what a row costs here and there.
//!
//! Cost with one wrong equation: about as much again as the sum, and a few dozen equations in lanes.

use super::{Batch, MAX_LANES, Verdict};
use alloc::vec::Vec;
use core::ops::Range;
use curve::formulas::a_zero::Add;
use curve::point::{Affine, Jacobian};
use curve::{CurveParams, vartime};
use field::{Backends, FieldOps, Mask, Task};

/// Equations that are looked at first.
const PROBED: usize = 24;
/// Parts of at most so many equations are checked in lanes.
const LEAF: usize = 32;
/// Groups of lanes that share an inversion.
const GROUPS: usize = 8;

impl<C: CurveParams, B: Backends<C::Field, C::Order>> Batch<C, B> {
    /// Settles all equations, whose sum this is, not O.
    pub(super) fn narrow(&mut self, sum: &Jacobian<B::One>, verdicts: &mut [Verdict]) {
        let n = self.equations.len();
        let stride = (n / PROBED).max(1);
        if n <= LEAF || !self.check_each((0..n).step_by(stride).take(PROBED), verdicts) {
            self.check_each(0..n, verdicts);
            return;
        }
        let mut budget = n;
        let mut parts: Vec<(Range<usize>, Jacobian<B::One>)> = Vec::new();
        parts.push((0..n, *sum));
        while let Some((part, sum)) = parts.pop() {
            let half = part.len() / 2;
            if part.len() <= LEAF || half > budget {
                self.check_each(part, verdicts);
                continue;
            }
            budget -= half;
            let middle = part.start + half;
            let left = self.sum(part.start..middle);
            let right = self.difference(&sum, &left);
            for (part, sum) in [(part.start..middle, left), (middle..part.end, right)] {
                if self.is_infinite(&sum) {
                    self.accept(part, verdicts);
                } else {
                    parts.push((part, sum));
                }
            }
        }
    }

    pub(super) fn is_infinite(&self, p: &Jacobian<B::One>) -> bool {
        p.is_infinite(self.b.one()).0 & 1 == 1
    }

    /// p − q.
    fn difference(&self, p: &Jacobian<B::One>, q: &Jacobian<B::One>) -> Jacobian<B::One> {
        let (f, mut minus, mut r) = (self.b.one(), *q, *p);
        f.negate_in(&mut minus.y, Mask::all(B::One::LANES));
        f.outline(Add { f, r: &mut r, p, q: &minus });
        r
    }

    /// Settles those of these equations that are not, each by itself; does every one hold that was not settled before?
    pub(super) fn check_each(&mut self, equations: impl Iterator<Item = usize>, verdicts: &mut [Verdict]) -> bool {
        let (f, lanes, n) = (self.b.lanes(), B::Lanes::LANES, self.equations.len() as u32);
        let is_open = |i: &usize| self.equations.get(*i).is_some_and(|equation| equation.nonce.is_some());
        let open: Vec<u32> = equations.filter(is_open).map(|i| i as u32).collect();
        let together = GROUPS * lanes;
        let (mut base, mut factor) = (Vec::with_capacity(together), Vec::with_capacity(together));
        let mut points = Vec::with_capacity(GROUPS);
        let mut sums = Vec::with_capacity(GROUPS);
        let mut workspace = vartime::EachWorkspace::new();
        let mut all_hold = true;
        for numbers in open.chunks(together) {
            base.clear();
            factor.clear();
            points.clear();
            sums.clear();
            for numbers in numbers.chunks(lanes) {
                // The last group is filled up with the generator's row.
                let mut at = [self.points.len() as u32 - 1; MAX_LANES];
                for (at, number) in at.iter_mut().zip(numbers) {
                    if let Some(equation) = self.equations.get(*number as usize) {
                        *at = 2 * n + equation.key;
                        base.push(equation.base);
                        factor.push(equation.factor);
                    }
                }
                let mut point = Affine::place(f);
                f.load_to(&mut point.x, &mut point.y, &self.points, &at[..lanes]);
                points.push(point);
                sums.push(Jacobian::infinity(f));
            }
            vartime::mul_double_base_each::<C, _>(f, &mut workspace, &base, &points, &factor, &mut sums);
            for (numbers, sum) in numbers.chunks(lanes).zip(&sums) {
                let mut at = [self.points.len() as u32 - 1; MAX_LANES];
                at.iter_mut().zip(numbers).for_each(|(at, number)| *at = *number);
                let mut nonce = Affine::place(f);
                f.load_to(&mut nonce.x, &mut nonce.y, &self.points, &at[..lanes]);
                let hold = f.outline(Equal { f, p: sum, q: &nonce });
                for (lane, number) in numbers.iter().enumerate() {
                    let holds = hold.0 >> lane & 1 == 1;
                    all_hold &= holds;
                    if let Some(equation) = self.equations.get_mut(*number as usize) {
                        equation.settle(if holds { Verdict::Valid } else { Verdict::Invalid }, verdicts);
                    }
                }
            }
        }
        all_hold
    }
}

/// The lanes in which p = q. Infinity is no affine point.
struct Equal<'a, F: FieldOps> {
    f: F,
    p: &'a Jacobian<F>,
    q: &'a Affine<F>,
}

impl<F: FieldOps> Task for Equal<'_, F> {
    type Out = Mask;

    #[inline(always)]
    fn run(self) -> Mask {
        let Self { f, p, q } = self;
        let zz = f.sqr(&p.z);
        let x = f.is_zero(&f.mul_sub(&q.x, &zz, &p.x));
        let y = f.is_zero(&f.mul_sub(&q.y, &f.mul(&zz, &p.z), &p.y));
        Mask(x.0 & y.0 & !p.is_infinite(f).0)
    }
}
