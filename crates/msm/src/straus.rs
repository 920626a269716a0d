//! Σ ±kᵢ·rowᵢ for few entries: all in one chain of doublings, each with a table of odd multiples.
//!
//! 1. The odd multiples of every row, LANES rows at a time, with one inversion for all of them. A row that is λ times the one before,
//!    that is (βx, y), gets its multiples from it.
//! 2. kᵢ in width-w non-adjacent form; a digit is the number of a multiple.
//! 3. [`curve::vartime::straus`] over the digits, highest first.
//!
//! Cost for 128 bits, windows of 5 bits: 128 doublings; an entry about 22 mixed additions of 8M + 3S and 85M for the table, or 8M
//! where the last table serves. Vartime.
//! Source: see [`curve::vartime::straus`] and [`curve::vartime::odd_multiples`].

use crate::vartime::Entry;
use alloc::vec::Vec;
use arith::Words;
use core::marker::PhantomData;
use curve::CurveParams;
use curve::point::{Affine, Jacobian};
use curve::vartime::odd_multiples::{chain_to, rescale};
use curve::vartime::recode::wnaf;
use curve::vartime::straus::{Step, Straus as Chain, Term};
use field::batch_inverse::batch_invert_vartime;
use field::ops::{MAX_LANES, WordsOf};
use field::{Backends, FieldOps, Prime, Row, Task};

/// Entries with more bits than that get the curve's window for points, the others one that is a bit narrower.
const SHORT_BITS: u32 = 64;
/// The most entries whose multiples a digit can number.
pub(crate) const MAX_ENTRIES: usize = 1024;

/// What the method keeps in memory.
pub(crate) struct Straus<F: FieldOps> {
    /// Rows that need multiples of their own, and where these begin.
    tables: Vec<(u32, u32)>,
    /// Where multiples begin that are λ times others, and where those do.
    derived: Vec<(u32, u32)>,
    /// The multiples of all of them.
    multiples: Vec<Row<WordsOf<F::Prime>>>,
    chains: Vec<Affine<F>>,
    ratios: Vec<F::El<1>>,
    z: [Vec<F::El<1>>; 2],
    /// Positions and digits.
    digits: Vec<(u16, i16)>,
    list: Vec<i16>,
    steps: Vec<Step>,
}

impl<F: FieldOps> Straus<F> {
    pub(crate) const fn new() -> Self {
        Self {
            tables: Vec::new(),
            derived: Vec::new(),
            multiples: Vec::new(),
            chains: Vec::new(),
            ratios: Vec::new(),
            z: [const { Vec::new() }; 2],
            digits: Vec::new(),
            list: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The sum of at most [`MAX_ENTRIES`] entries.
    pub(crate) fn sum<C: CurveParams<Field = F::Prime>, B: Backends<C::Field, C::Order, Bulk = F>>(
        &mut self,
        b: B,
        rows: &[Row<WordsOf<C::Field>>],
        entries: &[Entry],
    ) -> Jacobian<B::One> {
        const { assert!(MAX_ENTRIES << (C::WINDOWS.point - 2) <= i16::MAX as usize) }
        let (f, count) = (b.bulk(), 1 << (C::WINDOWS.point - 2));
        self.tables.clear();
        self.derived.clear();
        self.digits.clear();
        let mut last = None;
        for entry in entries.iter().filter(|entry| entry.magnitude != 0) {
            let first = match last {
                Some((row, first)) if row == entry.row => first,
                _ => self.table::<C>(rows, entry.row, count),
            };
            last = Some((entry.row, first));
            let is_short = entry.magnitude >> SHORT_BITS == 0;
            let window = if is_short { C::WINDOWS.point.min(4) } else { C::WINDOWS.point };
            let sign = if entry.negative { -1 } else { 1 };
            let words = [entry.magnitude as u64, (entry.magnitude >> 64) as u64];
            wnaf(if is_short { &words[..1] } else { &words }, window, |position, d| {
                let number = first as i16 + (d.abs() >> 1) + 1;
                self.digits.push((position as u16, number * d.signum() * sign));
            });
        }
        f.outline(Multiples::<C, F> { f, straus: self, rows, count: count as usize, curve: PhantomData });
        // From the highest position down.
        self.digits.sort_unstable_by_key(|&(position, _)| core::cmp::Reverse(position));
        self.list.clear();
        self.steps.clear();
        let mut last = self.digits.first().map_or(0, |&(position, _)| position);
        for (at, &(position, digit)) in self.digits.iter().enumerate() {
            self.list.push(digit);
            self.steps.push(Step { doublings: last - position, term: 0, at: at as u16 });
            last = position;
        }
        let terms = [Term { rows: &self.multiples, digits: &self.list }];
        let f = b.one();
        f.outline(Chain { f, summands: &terms[..], steps: &self.steps, last_doublings: last })
    }

    /// Where a row's new multiples begin.
    fn table<C: CurveParams<Field = F::Prime>>(
        &mut self,
        rows: &[Row<WordsOf<C::Field>>],
        row: u32,
        count: u32,
    ) -> u32 {
        let first = (self.tables.len() + self.derived.len()) as u32 * count;
        let is_derived = |last: u32| {
            let (p, q) = (&rows[last as usize], &rows[row as usize]);
            p.y == q.y && C::Field::mul(&p.x, &C::GLV.beta) == q.x
        };
        match self.tables.last() {
            Some(&(last, of)) if is_derived(last) => self.derived.push((first, of)),
            _ => self.tables.push((row, first)),
        }
        first
    }
}

/// Step 1.
struct Multiples<'a, C, F: FieldOps> {
    f: F,
    straus: &'a mut Straus<F>,
    rows: &'a [Row<WordsOf<F::Prime>>],
    count: usize,
    curve: PhantomData<C>,
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for Multiples<'_, C, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, straus, rows, count, .. } = self;
        let Straus { tables, derived, multiples, chains, ratios, z: [z, inverses], .. } = straus;
        let (zero, groups) = (<WordsOf<C::Field>>::ZERO, tables.len().div_ceil(F::LANES));
        multiples.clear();
        multiples.resize(count * (tables.len() + derived.len()), Row { x: zero, y: zero });
        chains.resize(count * groups, Affine::place(f));
        ratios.resize(count * groups, f.constant(&zero));
        z.resize(groups, f.constant(&zero));
        inverses.resize(groups, f.constant(&zero));
        let mut p = Affine::<F>::place(f);
        let parts = chains.chunks_exact_mut(count).zip(ratios.chunks_exact_mut(count));
        for ((tables, z), (chain, ratios)) in tables.chunks(F::LANES).zip(&mut *z).zip(parts) {
            let mut at = [tables.first().map_or(0, |(row, _)| *row); MAX_LANES];
            at.iter_mut().zip(tables).for_each(|(at, (row, _))| *at = *row);
            f.load_to(&mut p.x, &mut p.y, rows, &at[..F::LANES]);
            chain_to(f, chain, ratios, &p);
            *z = ratios[0];
            for ratio in &ratios[1..] {
                *z = f.mul(z, ratio);
            }
        }
        batch_invert_vartime(f, z, inverses);
        let parts = chains.chunks_exact_mut(count).zip(ratios.chunks_exact(count));
        for ((tables, inverse), (chain, ratios)) in tables.chunks(F::LANES).zip(&*inverses).zip(parts) {
            rescale(f, chain, ratios, Some(inverse));
            for (i, r) in chain.iter().enumerate() {
                let mut at = [0; MAX_LANES];
                at.iter_mut().zip(tables).for_each(|(at, (_, first))| *at = first + i as u32);
                f.store_rows(&r.x, &r.y, multiples, &at[..tables.len()]);
            }
        }
        let beta = f.constant(&C::GLV.beta);
        for &(first, of) in &*derived {
            for from in (0..count).step_by(F::LANES) {
                let places: [u32; MAX_LANES] = core::array::from_fn(|l| (from + l).min(count - 1) as u32);
                let [to, of] = [places.map(|i| first + i), places.map(|i| of + i)];
                f.load_to(&mut p.x, &mut p.y, multiples, &of[..F::LANES]);
                f.store_rows(&f.mul(&p.x, &beta), &p.y, multiples, &to[..F::LANES]);
            }
        }
    }
}
