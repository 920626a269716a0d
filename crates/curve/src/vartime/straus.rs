//! Σ digit·2^bit·row, any number of terms in one chain of doublings, one text for one lane and for many.
//!
//! [`Summands`] say what is added, a list of [`Step`]s says when: doublings, then an addition. Summands are rows that digits pick,
//! the [`Term`]s, or points that are ready in lanes. So neither the digits' form is known here (wNAF or windows: the recoding
//! decides), nor is a digit looked at that adds nothing: with one lane the list has a step for each digit that is not 0, with many
//! lanes one for each position that some lane uses.
//!
//! Cost: a doubling a bit, a mixed addition a step. Vartime.
//! Source: E. Straus, "Addition chains of vectors", American Mathematical Monthly 71 (1964).

use crate::formulas::a_zero::{add_mixed_any_in, double_in};
use crate::point::{Affine, Jacobian};
use field::ops::{MAX_LANES, WordsOf};
use field::{FieldOps, Mask, Row, Task};

/// Rows and the digits that pick them, the same in every lane.
///
/// A digit is ±(1 + the row's number), or 0 for nothing.
#[derive(Clone, Copy)]
pub struct Term<'a, W> {
    /// Multiples of the term's point.
    pub rows: &'a [Row<W>],
    /// The digits.
    pub digits: &'a [i16],
}

/// What the steps add.
pub trait Summands<F: FieldOps> {
    /// The points that a step adds, in `place` or where they stand, and the lanes that add one.
    fn summand<'a>(&'a self, f: F, place: &'a mut Affine<F>, step: &Step) -> (&'a Affine<F>, Mask);
}

impl<F: FieldOps> Summands<F> for [Term<'_, WordsOf<F::Prime>>] {
    #[inline(always)]
    fn summand<'a>(&'a self, f: F, place: &'a mut Affine<F>, step: &Step) -> (&'a Affine<F>, Mask) {
        let Some(term) = self.get(usize::from(step.term)) else { return (place, Mask(0)) };
        let d = term.digits.get(usize::from(step.at)).copied().unwrap_or(0);
        let row = u32::from(d.unsigned_abs()).saturating_sub(1);
        f.load_to(&mut place.x, &mut place.y, term.rows, &[row; MAX_LANES][..F::LANES]);
        f.negate_in(&mut place.y, if d < 0 { Mask::all(F::LANES) } else { Mask(0) });
        (place, if d == 0 { Mask(0) } else { Mask::all(F::LANES) })
    }
}

/// Points: a step adds the one of its number in every lane.
impl<F: FieldOps> Summands<F> for [Affine<F>] {
    #[inline(always)]
    fn summand<'a>(&'a self, _f: F, place: &'a mut Affine<F>, step: &Step) -> (&'a Affine<F>, Mask) {
        match self.get(usize::from(step.at)) {
            Some(point) => (point, Mask::all(F::LANES)),
            None => (place, Mask(0)),
        }
    }
}

/// Doublings, then the addition of one digit's row.
#[derive(Clone, Copy, Default)]
pub struct Step {
    /// How many doublings go before.
    pub doublings: u16,
    /// Which term.
    pub term: u16,
    /// Which of its digits, or which of the points.
    pub at: u16,
}

/// The sum: `steps` in order, from infinity, then `last_doublings`. A step beyond its term's digits adds nothing.
///
/// # Panics
/// When a digit picks no row.
pub struct Straus<'a, F: FieldOps, S: ?Sized> {
    /// The backend.
    pub f: F,
    /// What is added.
    pub summands: &'a S,
    /// When.
    pub steps: &'a [Step],
    /// Doublings behind the last step.
    pub last_doublings: u16,
}

impl<F: FieldOps, S: Summands<F> + ?Sized> Task for Straus<'_, F, S> {
    type Out = Jacobian<F>;
    #[inline(always)]
    fn run(self) -> Jacobian<F> {
        let Self { f, summands, steps, last_doublings } = self;
        let mut place = Affine::<F>::place(f);
        let Some((first, steps)) = steps.split_first() else { return Jacobian::infinity(f) };
        let (q, only) = summands.summand(f, &mut place, first);
        let mut places = [Jacobian::from_affine_in(f, q, only), Jacobian::infinity(f)];
        let [p, spare] = &mut places;
        let (mut p, mut spare) = (p, spare);
        for step in steps {
            for _ in 0..step.doublings {
                double_in(f, &mut p, &mut spare);
            }
            let (q, only) = summands.summand(f, &mut place, step);
            add_mixed_any_in(f, &mut p, &mut spare, q, only);
        }
        for _ in 0..last_doublings {
            double_in(f, &mut p, &mut spare);
        }
        *p
    }
}
