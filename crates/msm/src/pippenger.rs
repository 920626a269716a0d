//! Σ ±kᵢ·rowᵢ by buckets: the points that a window's digit selects are added first, then weighted all at once.
//!
//! 1. kᵢ = Σ dᵢⱼ·2^(c j) with digits 0 ≤ dᵢⱼ < 2^c.
//! 2. For each window j from the top, bucket d = the sum of the rows whose digit is d.
//! 3. Σ d·bucket_d = Σ of the suffix sums; the total is doubled c times between two windows.
//!
//! Source: N. Pippenger, "On the evaluation of powers and related problems", FOCS 1976; D. Bernstein, "Pippenger's exponentiation
//! algorithm", 2002. Vartime.

use crate::vartime::Entry;
use crate::workspace::Workspace;
use alloc::vec;
use core::marker::PhantomData;
use curve::CurveParams;
use curve::formulas::a_zero::{Add, AddMixed, Double};
use curve::point::{Affine, Jacobian};
use field::ops::WordsOf;
use field::{Backends, FieldOps, Mask, Row};

pub(crate) struct Pippenger<'a, C: CurveParams, B: Backends<C::Field, C::Order>> {
    pub(crate) b: B,
    pub(crate) workspace: &'a mut Workspace<B::Lanes>,
    pub(crate) rows: &'a [Row<WordsOf<C::Field>>],
    pub(crate) entries: &'a [Entry],
    pub(crate) curve: PhantomData<C>,
}

impl<C: CurveParams, B: Backends<C::Field, C::Order>> Pippenger<'_, C, B> {
    pub(crate) fn sum(self) -> Jacobian<B::One> {
        let Self { b, workspace, rows, entries, .. } = self;
        workspace.prefixes.clear();
        let f = b.one();
        let bits = entries.iter().map(|e| 128 - e.magnitude.leading_zeros()).max().unwrap_or(0);
        let window_bits = (usize::BITS - entries.len().leading_zeros())
            .saturating_sub(2)
            .clamp(2, if workspace.memory_bytes < 1 << 20 { 6 } else { 10 });
        let mut buckets = vec![Jacobian::infinity(f); 1 << window_bits];
        let mut total = Jacobian::infinity(f);
        let mut q = Affine::<B::One>::place(f);
        for window in (0..bits.div_ceil(window_bits)).rev() {
            for _ in 0..window_bits {
                let p = total;
                f.outline(Double { f, r: &mut total, p: &p });
            }
            buckets.fill(Jacobian::infinity(f));
            for entry in entries {
                let digit = (entry.magnitude >> (window * window_bits)) as usize & ((1 << window_bits) - 1);
                if digit != 0 {
                    f.load_to(&mut q.x, &mut q.y, rows, &[entry.row; 32][..B::One::LANES]);
                    f.negate_in(&mut q.y, if entry.negative { Mask::all(B::One::LANES) } else { Mask(0) });
                    let p = buckets[digit];
                    f.outline(AddMixed { f, r: &mut buckets[digit], p: &p, q: &q, only: Mask::all(B::One::LANES) });
                }
            }
            let mut suffix = Jacobian::infinity(f);
            for bucket in buckets.iter().skip(1).rev() {
                let p = suffix;
                f.outline(Add { f, r: &mut suffix, p: &p, q: bucket });
                let p = total;
                f.outline(Add { f, r: &mut total, p: &p, q: &suffix });
            }
        }
        total
    }
}
