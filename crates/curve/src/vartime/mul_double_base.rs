//! a·G + b·P for public scalars: four scalars of half the length in one chain of doublings.
//!
//! 1. b = b₁ + b₂·λ by the endomorphism, a = a₁ + a₂·2^s with s = ⌈bits/2⌉; each half in width-w non-adjacent form, G's with
//!    wide windows, since its odd multiples and those of 2^s·G lie in a table.
//! 2. The odd multiples of P, with a common Z, and times β for b₂ ([`odd_multiples`](super::odd_multiples)).
//! 3. The rows of G that the digits of a pick, times Z² and Z³: on the curve of P's multiples as well.
//! 4. [`Straus`] over the digits that are not 0, highest first; the sum's Z times the common Z.
//!
//! Cost for 256 bits, windows of 5 and 15 bits: 128 doublings, about 43 + 17 mixed additions, 85M for the table, 8M for β, 34M
//! for G's rows. A shorter scalar has fewer digits and doublings. Vartime.
//!
//! Sources: Straus (see there); R. Gallant, R. Lambert, S. Vanstone, CRYPTO 2001; A. Brickell, D. Gordon, K. McCurley, D. Wilson,
//! EUROCRYPT 1992 (a fixed point's powers); P. Longa, A. Miri, PKC 2008 (additions that stay mixed without an inversion).

use super::odd_multiples::odd_multiples_to;
use super::recode::wnaf;
use super::straus::{Step, Straus, Term};
use crate::params::{CurveParams, base_split};
use crate::point::{Affine, AffinePoint, Jacobian};
use arith::Words;
use arith::kernel::prefetch;
use field::ops::WordsOf;
use field::{FieldOps, Prime, Row, Scalar, Task};

/// b·P. Every lane has the result. Vartime.
#[inline]
pub fn mul<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    p: &AffinePoint<C>,
    b: &Scalar<C::Order>,
) -> Jacobian<F> {
    mul_double_base(f, &Scalar::ZERO, p, b)
}

/// a·G + b·P. Every lane has the result. Vartime.
#[inline]
pub fn mul_double_base<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    a: &Scalar<C::Order>,
    p: &AffinePoint<C>,
    b: &Scalar<C::Order>,
) -> Jacobian<F> {
    mul_double_base_of::<C, F>(f, a, &p.load(f), b)
}

/// [`mul_double_base`] of a point in the backend's elements, the same in every lane.
#[inline]
pub(super) fn mul_double_base_of<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    a: &Scalar<C::Order>,
    p: &Affine<F>,
    b: &Scalar<C::Order>,
) -> Jacobian<F> {
    f.outline(MulDoubleBase::<C, F> { f, a, p, b })
}

/// Positions of a half's digits: 0 to 128.
const POSITIONS: usize = 129;
/// Digits of all halves that are not 0.
const MAX_STEPS: usize = 80;
/// Digits of G's halves that are not 0.
const MAX_PICKS: usize = 20;
/// Rows of P and of λ·P.
const MAX_MULTIPLES: usize = 16;

struct MulDoubleBase<'a, C: CurveParams, F: FieldOps<Prime = C::Field>> {
    f: F,
    a: &'a Scalar<C::Order>,
    p: &'a Affine<F>,
    b: &'a Scalar<C::Order>,
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for MulDoubleBase<'_, C, F> {
    type Out = Jacobian<F>;
    #[inline(always)]
    fn run(self) -> Jacobian<F> {
        let Self { f, a, p, b } = self;
        let multiples = const { 1usize << (C::WINDOWS.point - 2) };
        let split = const { base_split(C::Order::BITS) };
        const {
            let (half_bits, windows) = (C::GLV.half_bits, C::WINDOWS);
            let of_p = 2 * (half_bits / windows.point + 1) as usize;
            let of_g = 2 * (base_split(C::Order::BITS) / windows.base + 1) as usize;
            assert!(half_bits <= 128 && base_split(C::Order::BITS) <= 128);
            assert!(of_p + of_g <= MAX_STEPS && of_g <= MAX_PICKS && 2 << (windows.point - 2) <= MAX_MULTIPLES);
        }

        // 1. Digits are numbers of rows: first P's, then those of λ·P, then one for each digit of G.
        let mut digits = Digits { rows: [[0; 4]; POSITIONS], used: [0; 3] };
        let mut first = 1;
        for (term, half) in C::GLV.split(b).into_iter().enumerate() {
            let sign = if half.negative { -1 } else { 1 };
            wnaf(&[half.magnitude as u64, (half.magnitude >> 64) as u64], C::WINDOWS.point, |position, d| {
                digits.put(position, term, (first + (d.abs() >> 1)) * d.signum() * sign);
            });
            first += multiples as i16;
        }
        let mut picks = [0u16; MAX_PICKS];
        let (mut count, mut from_high) = (0, 0);
        for (term, from, bits) in [(2, 0, split), (3, split, C::Order::BITS - split)] {
            from_high = count;
            let half = [a.bits(from, bits.min(64)), a.bits(from + 64, bits.saturating_sub(64))];
            let table = C::TABLES.odd_multiples[usize::from(from != 0)];
            wnaf(&half, C::WINDOWS.base, |position, d| {
                if let Some(pick) = picks.get_mut(count) {
                    *pick = d.unsigned_abs() >> 1;
                    // The table is larger than the caches near the core; the row is there when step 3 wants it.
                    table.get(usize::from(*pick)).map(prefetch);
                    count += 1;
                    digits.put(position, term, (first + count as i16 - 1) * d.signum());
                }
            });
        }

        let mut rows = [Row { x: <WordsOf<C::Field>>::ZERO, y: <WordsOf<C::Field>>::ZERO }; MAX_MULTIPLES + MAX_PICKS];
        let (rows_p, rest) = rows.split_at_mut(multiples);
        let (rows_beta, rows_g) = rest.split_at_mut(multiples);

        // 2. Rows of P and λ·P.
        let z = odd_multiples_to(f, rows_p, p);
        let beta = f.constant(&C::GLV.beta);
        for (r, row) in rows_beta.iter_mut().zip(&*rows_p) {
            *r = Row { x: f.store(&f.mul(&f.constant(&row.x), &beta), 0), y: row.y };
        }
        // 3. Rows of G.
        let zz = f.sqr(&z);
        let zzz = f.mul(&zz, &z);
        for (i, (r, pick)) in rows_g.iter_mut().zip(picks).take(count).enumerate() {
            let table = C::TABLES.odd_multiples[usize::from(i >= from_high)];
            if let Some(row) = table.get(usize::from(pick)) {
                let (x, y) = (f.mul(&f.constant(&row.x), &zz), f.mul(&f.constant(&row.y), &zzz));
                *r = Row { x: f.store(&x, 0), y: f.store(&y, 0) };
            }
        }
        // 4. The sum.
        let (list, steps, len, last_doublings) = digits.steps();
        let term = Term { rows: &rows, digits: &list };
        let steps = steps.get(..len).unwrap_or(&steps);
        let mut sum = Straus { f, summands: &[term][..], steps, last_doublings }.run();
        sum.z = f.mul(&sum.z, &z);
        sum
    }
}

/// The digits of four halves by position: numbers of rows with signs, 0 for none.
struct Digits {
    rows: [[i16; 4]; POSITIONS],
    /// The positions that have a digit.
    used: [u64; 3],
}

impl Digits {
    #[inline(always)]
    fn put(&mut self, position: usize, term: usize, row: i16) {
        if let Some(place) = self.rows.get_mut(position).and_then(|rows| rows.get_mut(term)) {
            *place = row;
            self.used[position / 64] |= 1 << (position % 64);
        }
    }

    /// The digits from the highest position down, their steps, how many there are, and the position of the last.
    #[inline(always)]
    fn steps(&self) -> ([i16; MAX_STEPS + 4], [Step; MAX_STEPS + 4], usize, u16) {
        let (mut list, mut steps) = ([0; MAX_STEPS + 4], [Step::default(); MAX_STEPS + 4]);
        let (mut len, mut last) = (0, 0u16);
        for word in (0..3).rev() {
            let mut used = self.used[word];
            while used != 0 {
                let bit = 63 - used.leading_zeros();
                used ^= 1 << bit;
                let position = word as u16 * 64 + bit as u16;
                let mut doublings = last.wrapping_sub(position);
                last = position;
                for row in self.rows[usize::from(position)] {
                    // Without a branch on the digit: a step that is none is overwritten by the next.
                    list[len] = row;
                    steps[len] = Step { doublings, term: 0, at: len as u16 };
                    let is_step = row != 0;
                    len += usize::from(is_step);
                    doublings = if is_step { 0 } else { doublings };
                }
            }
        }
        (list, steps, len, last)
    }
}
