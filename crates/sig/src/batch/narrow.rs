//! Which equations do not hold, where some don't.
//!
//! 1. Before many equations are summed, some of them, spread over all ([`choose::probed`]), are checked by themselves. If one of
//!    these is wrong, many are, and all others are checked so too: the worst batch costs little more than lanes alone.
//! 2. A sum that is not O is taken apart: parts of an eighth are summed in turn with the same weights. A part that is O holds; as
//!    soon as what remains is O, the rest holds.
//! 3. Parts that are not O are taken apart further, and checked one by one where they are small. So are all that remain when
//!    more than half of the parts so far were not O: sums no longer pay.
//!
//! Cost with one wrong equation: sums over about five eighths of the equations, and a part in lanes.

use super::{Batch, Verdict, choose};
use crate::each;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use curve::formulas::a_zero::Add;
use curve::point::{Affine, Jacobian};
use curve::{CurveParams, vartime};
use field::ops::MAX_LANES;
use field::{Backends, FieldOps, Mask};

/// Groups of lanes that share inversions.
pub(super) const GROUPS: usize = 8;

impl<C: CurveParams, B: Backends<C::Field, C::Order>> Batch<C, B> {
    /// Settles some equations, spread over all; does every one of them hold?
    pub(super) fn probe(&mut self, verdicts: &mut [Verdict]) -> bool {
        let n = self.equations.len();
        let probed = choose::probed(n, B::Lanes::LANES);
        probed == 0 || self.check_each((0..n).step_by(n.div_ceil(probed)), verdicts)
    }

    /// Settles these equations, whose sum this is, not O.
    pub(super) fn narrow(&mut self, equations: Range<usize>, sum: &Jacobian<B::One>, verdicts: &mut [Verdict]) {
        let Some(size) = choose::part(equations.len(), B::Lanes::LANES) else {
            self.check_each(equations, verdicts);
            return;
        };
        let (mut start, end, mut rest) = (equations.start, equations.end, *sum);
        let (mut summed, mut wrong) = (0, 0);
        while start < end {
            if self.is_infinite(&rest) {
                self.accept(start..end, verdicts);
                return;
            }
            if 2 * wrong > summed + 1 {
                self.check_each(start..end, verdicts);
                return;
            }
            let part = start..end.min(start + size);
            start = part.end;
            let sum = if part.end == end { rest } else { self.sum(part.clone()) };
            rest = self.difference(&rest, &sum);
            summed += 1;
            if self.is_infinite(&sum) {
                self.accept(part, verdicts);
            } else {
                wrong += 1;
                self.narrow(part, &sum, verdicts);
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

    /// Settles those of these equations that are not, each by itself; does every one of them hold?
    pub(super) fn check_each(&mut self, equations: impl Iterator<Item = usize>, verdicts: &mut [Verdict]) -> bool {
        let is_open = |i: &usize| self.equations.get(*i).is_some_and(|equation| equation.nonce.is_some());
        let open: Vec<u32> = equations.filter(is_open).map(|i| i as u32).collect();
        self.check_each_in(self.b, &open, verdicts)
    }

    /// The same for equations that are not settled, in the lanes of these backends. The keys are lifted; R need not be, its x and
    /// the parity of its y are compared.
    fn check_each_in<L>(&mut self, b: L, open: &[u32], verdicts: &mut [Verdict]) -> bool
    where
        L: Backends<C::Field, C::Order>,
    {
        let (open, few) = open.split_at(each::wide_rows::<C, L>(b, open.len()));
        let mut all_hold = few.is_empty() || self.check_each_in(b.few(), few, verdicts);
        let (f, lanes, n) = (b.lanes(), L::Lanes::LANES, self.equations.len() as u32);
        let generator = self.points.len() as u32 - 1; // λ·G, to fill the last group
        let together = GROUPS * lanes;
        let (mut base, mut factor) = (Vec::with_capacity(together), Vec::with_capacity(together));
        let (mut points, mut sums) = (Vec::with_capacity(GROUPS), Vec::with_capacity(GROUPS));
        let mut nonces = vec![None; together.min(open.len())];
        let mut workspace = vartime::EachWorkspace::new();
        for numbers in open.chunks(together) {
            base.clear();
            factor.clear();
            points.clear();
            sums.clear();
            for numbers in numbers.chunks(lanes) {
                let mut at = [generator; MAX_LANES];
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
            vartime::to_affine_batch::<C, _>(f, &sums, &mut nonces);
            for (number, nonce) in numbers.iter().zip(&nonces) {
                if let Some(equation) = self.equations.get_mut(*number as usize) {
                    let holds = match (equation.nonce, nonce) {
                        (Some((x, parity)), Some(point)) => *point.x_words() == x && point.y_parity() == parity as u64,
                        _ => false,
                    };
                    all_hold &= holds;
                    equation.settle(if holds { Verdict::Valid } else { Verdict::Invalid }, verdicts);
                }
            }
        }
        all_hold
    }
}
