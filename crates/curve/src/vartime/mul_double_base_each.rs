//! aₗ·Gₗ + bₗ·Pₗ for public scalars, in every lane l its own point and scalars: one ladder for LANES sums.
//!
//! 1. The odd multiples of every P ([`odd_multiples`](super::odd_multiples)), affine by one inversion for all lanes and groups of
//!    lanes; those of λ·P are (βx, y).
//! 2. The halves of b and of a in windows of odd digits ([`odd_windows`](super::odd_windows)): the same steps in every lane.
//! 3. [`Straus`] over these steps, each a row of its own a lane, of P's multiples or of G's tables.
//!
//! Cost for 256 bits, windows of 5 and 14 bits, a lane: 125 doublings, 71 mixed additions, 16 rows of 9M + 3S and their 16M for
//! β. With one lane the sums are those of [`mul_double_base`](super::mul_double_base), row by row. Vartime.
//!
//! Sources: as there.

use super::mul_double_base::mul_double_base_of;
use super::odd_multiples::{chain_to, rescale};
use super::odd_windows::{digits_to, of_base, of_point};
use super::straus::{Step, Straus, Term};
use crate::lanes::MAX_LANES;
use crate::params::CurveParams;
use crate::point::{Affine, Jacobian, zero};
use alloc::vec;
use alloc::vec::Vec;
use arith::Words;
use field::batch_inverse::batch_invert_vartime;
use field::ops::WordsOf;
use field::{FieldOps, Prime, Row, Scalar, Task};

/// `sums[g]`, lane l = a·G + b·P with P = lane l of `points[g]` and a, b number g·LANES + l of theirs, 0 where they end. For as many
/// groups g as both `points` and `sums` have. Vartime.
pub fn mul_double_base_each<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    a: &[Scalar<C::Order>],
    points: &[Affine<F>],
    b: &[Scalar<C::Order>],
    sums: &mut [Jacobian<F>],
) {
    if F::LANES == 1 {
        for (i, (p, sum)) in points.iter().zip(sums).enumerate() {
            *sum = mul_double_base_of::<C, F>(f, &at::<C>(a, i), p, &at::<C>(b, i));
        }
    } else {
        f.outline(MulDoubleBaseEach::<C, F> { f, a, points, b, sums });
    }
}

/// Scalar i, 0 where they end.
#[inline(always)]
fn at<C: CurveParams>(scalars: &[Scalar<C::Order>], i: usize) -> Scalar<C::Order> {
    scalars.get(i).copied().unwrap_or(Scalar::ZERO)
}

struct MulDoubleBaseEach<'a, C: CurveParams, F: FieldOps> {
    f: F,
    a: &'a [Scalar<C::Order>],
    points: &'a [Affine<F>],
    b: &'a [Scalar<C::Order>],
    sums: &'a mut [Jacobian<F>],
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for MulDoubleBaseEach<'_, C, F> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Self { f, a, points, b, sums } = self;
        let multiples = const { 1usize << (C::WINDOWS.ct_point - 1) };
        let (of_p, of_g) = const { windows::<C>() };

        // 1. All groups' multiples, each with a Z of its own, and the inverses of the last ones' Z.
        let mut chains = vec![Affine::place(f); multiples * points.len()];
        let mut ratios = vec![zero(f); multiples * points.len()];
        let mut z = vec![zero(f); points.len()];
        let groups = chains.chunks_exact_mut(multiples).zip(ratios.chunks_exact_mut(multiples));
        for ((p, z), (chain, ratios)) in points.iter().zip(&mut z).zip(groups) {
            chain_to(f, chain, ratios, p);
            *z = ratios[0];
            for ratio in &ratios[1..] {
                *z = f.mul(z, ratio);
            }
        }
        let mut inverses = z.clone();
        batch_invert_vartime(f, &z, &mut inverses);

        let steps = steps::<C>();
        let beta = f.constant(&C::GLV.beta);
        let empty = Row { x: <WordsOf<C::Field>>::ZERO, y: <WordsOf<C::Field>>::ZERO };
        let mut rows = vec![empty; 2 * multiples * F::LANES];
        let mut digits = vec![0; 2 * (of_p + of_g) * F::LANES];
        let groups = chains.chunks_exact_mut(multiples).zip(ratios.chunks_exact(multiples));
        for (g, ((chain, ratios), (inverse, sum))) in groups.zip(inverses.iter().zip(sums)).enumerate() {
            let (rows_p, rows_beta) = rows.split_at_mut(multiples * F::LANES);
            rescale(f, chain, ratios, Some(inverse));
            for (i, r) in chain.iter().enumerate() {
                let mut at = [0; MAX_LANES];
                at.iter_mut().zip(0..).for_each(|(at, l)| *at = l * multiples as u32 + i as u32);
                f.store_rows(&r.x, &r.y, rows_p, &at[..F::LANES]);
                f.store_rows(&f.mul(&r.x, &beta), &r.y, rows_beta, &at[..F::LANES]);
            }

            // 2. The digits of step i of a term are side by side.
            let (digits_p, digits_g) = digits.split_at_mut(2 * of_p * F::LANES);
            for l in 0..F::LANES {
                let i = g * F::LANES + l;
                for (e, digits) in of_point::<C>(&at::<C>(b, i)).iter().zip(digits_p.chunks_exact_mut(of_p * F::LANES))
                {
                    digits_to(&mut digits[l..], F::LANES, e, C::WINDOWS.ct_point);
                }
                for (e, digits) in of_base::<C>(&at::<C>(a, i)).iter().zip(digits_g.chunks_exact_mut(of_g * F::LANES)) {
                    digits_to(&mut digits[l..], F::LANES, e, C::WINDOWS.odd_base());
                }
            }

            // 3. The sums.
            let (first, second) = digits_p.split_at(of_p * F::LANES);
            let (low, high) = digits_g.split_at(of_g * F::LANES);
            let [table, table_high] = C::TABLES.odd_multiples;
            let term = |rows, lane_stride, digits| Term { rows, lane_stride, digits, digit_lanes: F::LANES };
            let terms = [
                term(&*rows_p, multiples as u32, first),
                term(&*rows_beta, multiples as u32, second),
                term(table, 0, low),
                term(table_high, 0, high),
            ];
            *sum = Straus { f, terms: &terms, steps: &steps, last_doublings: 0 }.run();
        }
    }
}

/// How many windows each half of b and of a has.
const fn windows<C: CurveParams>() -> (usize, usize) {
    let (windows, half_bits) = (C::WINDOWS, C::GLV.half_bits);
    (windows.count_ct_point(half_bits) as usize, windows.count_odd_base(C::Order::BITS) as usize)
}

/// The steps of all four halves, from the highest window down to bit 0.
fn steps<C: CurveParams>() -> Vec<Step> {
    let (of_p, of_g) = windows::<C>();
    let (width_p, width_g) = (C::WINDOWS.ct_point as usize, C::WINDOWS.odd_base() as usize);
    let mut steps = Vec::with_capacity(2 * (of_p + of_g));
    let mut last = 0;
    for position in (0..(of_p * width_p).max(of_g * width_g)).rev() {
        for (terms, count, width) in [([0, 1], of_p, width_p), ([2, 3], of_g, width_g)] {
            if position % width == 0 && position / width < count {
                for term in terms {
                    let doublings = if steps.is_empty() { 0 } else { last - position };
                    last = position;
                    steps.push(Step { doublings: doublings as u16, term, at: (position / width) as u16 });
                }
            }
        }
    }
    steps
}
