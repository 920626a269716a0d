//! k·G for a secret k, spread over eight lanes: each sums its own eighth of k, then the lanes are added up.
//!
//! 1. e = (k + 2^(8 b) − 1)/2 mod n, whose windows are the odd digits ([`recode`](crate::ct::recode)); lane l takes the b bits from
//!    b·l on, as S windows of w = b/S bits.
//! 2. For s = 0 … S − 1: every lane reads its part of step s's table whole, keeps a row, negates by masks, adds.
//! 3. The lanes' sum ([`lane_sum`](crate::ct::lane_sum)).
//!
//! Cost for 256 bits, w = 4, S = 8: 8 scans of 4 KiB, 7 mixed additions of eight, 1 addition of eight and 3 of one.
//!
//! The additions are complete: they have no exceptional case, whatever the digits, so nothing is to be proved of sums of k's parts.
//!
//! Constant time. Source: see [`recode`](crate::ct::recode).

use crate::ct::lane_sum::lane_sum;
use crate::ct::recode::lane_rows_and_signs;
use crate::formulas::complete::add_mixed_complete_to;
use crate::params::{CurveParams, LANES};
use crate::point::{Affine, Projective, one};
use arith::Words;
use field::ops::WordsOf;
use field::{FieldOps, Scalar, SecretScalar, Task};
use zeroize::Zeroize;

/// k·G, as secret as k, in every lane of `g`.
#[inline]
pub fn mul_base_lanes<C, F, G>(f: F, g: G, k: &SecretScalar<C::Order>) -> Projective<G>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
    G: FieldOps<Prime = C::Field>,
{
    f.outline(MulBaseLanes::<C, F, G> { f, g, k })
}

struct MulBaseLanes<'a, C: CurveParams, F, G> {
    f: F,
    g: G,
    k: &'a SecretScalar<C::Order>,
}

/// The digits of step s, each read from the whole table of its lane.
#[inline(always)]
fn look_up<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    q: &mut Affine<F>,
    e: &SecretScalar<C::Order>,
    step: u32,
) {
    let w = C::WINDOWS.ct_lanes;
    let (mut rows, negative) = lane_rows_and_signs(e, w * step, C::WINDOWS.lane_bits(), w);
    let columns = (2 * <WordsOf<C::Field>>::LEN) << (w - 1);
    let table = C::TABLES.lanes.chunks_exact(columns).nth(step as usize).unwrap_or_default();
    f.lookup_lanes_to(&mut q.x, &mut q.y, table, &rows);
    f.negate_in(&mut q.y, negative);
    rows.zeroize();
}

impl<C, F, G> Task for MulBaseLanes<'_, C, F, G>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
    G: FieldOps<Prime = C::Field>,
{
    type Out = Projective<G>;
    #[inline(always)]
    fn run(self) -> Projective<G> {
        debug_assert_eq!(F::LANES, LANES as usize);
        let Self { f, g, k } = self;
        let half = SecretScalar::from(Scalar::from_words_reduced(&C::OFFSETS.half));
        let offset = SecretScalar::from(Scalar::from_words_reduced(&C::OFFSETS.lanes));
        let e = k.mul(&half).add(&offset);

        let mut q = Affine::place(f);
        look_up::<C, F>(f, &mut q, &e, 0);
        let mut places = [Projective { x: q.x, y: q.y, z: one(f) }, Projective::infinity(f)];
        let [p, spare] = &mut places;
        let (mut p, mut spare) = (p, spare);
        for step in 1..C::WINDOWS.ct_lane_steps {
            look_up::<C, F>(f, &mut q, &e, step);
            add_mixed_complete_to::<C, F>(f, spare, p, &q);
            core::mem::swap(&mut p, &mut spare);
        }
        let sum = lane_sum::<C, F, G>(f, g, p);
        places.zeroize();
        q.zeroize();
        sum
    }
}
