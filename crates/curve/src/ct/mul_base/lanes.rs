//! k·G for a secret k, spread over eight lanes: each sums its own eighth of k, then the lanes are added up.
//!
//! 1. e = (k + 2^(8 b) − 1)/2 mod n, whose windows are the odd digits ([`recode`](crate::ct::recode)); lane l takes the b bits from
//!    b·l on, as S windows of w = b/S bits.
//! 2. For s = 0 … S − 1: every lane reads its part of step s's table whole, keeps a row, negates by masks, adds.
//! 3. The lanes' sum ([`lane_sum`](crate::ct::lane_sum)).
//!
//! Cost for 256 bits, w = 4, S = 8: 8 scans of 4 KiB; in lanes 4M + 2S, 6 times 8M + 2S, 3M and two complete additions; one more of one
//! element.
//!
//! Why the incomplete addition is right. The sum of lane l before step s is A·2^(b l)·G with an odd |A| < 2^(w s), and what is added
//! is D·2^(w s)·2^(b l)·G with an odd |D| < 2^w. So A ± D·2^(w s) is not 0 and below 2^(w (s + 1)) in absolute value: where that is
//! at most n, it is no multiple of n, nor is it after a product by a power of 2, as n is odd. Then the sum is not infinite, nor
//! are the two points equal or opposite. In steps above (none for secp256k1, where 2^32 < n) the addition is complete, as are all
//! in step 3.
//!
//! Other work may run beside the additions ([`Beside`]).
//!
//! Constant time. Source: see [`recode`](crate::ct::recode).

use crate::ct::lane_sum::lane_sum;
use crate::ct::recode::lane_rows_and_signs;
use crate::formulas::Beside;
use crate::formulas::complete::add_mixed_complete_to;
use crate::formulas::xyzz::{add_affine_xyzz_beside, add_mixed_xyzz_beside};
use crate::params::{CurveParams, LANES};
use crate::point::{Affine, Projective, Xyzz};
use arith::Words;
use field::ops::WordsOf;
use field::{FieldOps, Prime, Scalar, SecretScalar, Task};
use zeroize::Zeroize;

/// k·G, as secret as k, in every lane of `g`; `other` takes steps beside.
#[inline]
pub fn mul_base_lanes<C, F, G, O>(f: F, g: G, k: &SecretScalar<C::Order>, other: &mut O) -> Projective<G>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
    G: FieldOps<Prime = C::Field>,
    O: Beside,
{
    f.outline(MulBaseLanes::<C, F, G, O> { f, g, k, other })
}

struct MulBaseLanes<'a, C: CurveParams, F, G, O> {
    f: F,
    g: G,
    k: &'a SecretScalar<C::Order>,
    other: &'a mut O,
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

impl<C, F, G, O> Task for MulBaseLanes<'_, C, F, G, O>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
    G: FieldOps<Prime = C::Field>,
    O: Beside,
{
    type Out = Projective<G>;
    #[inline(always)]
    fn run(self) -> Projective<G> {
        debug_assert_eq!(F::LANES, LANES as usize);
        let Self { f, g, k, other } = self;
        let steps = C::WINDOWS.ct_lane_steps;
        // 2^(w (s + 1)) ≤ 2^(bits − 1) < n up to this step.
        let incomplete = const { (C::Order::BITS - 1) / C::WINDOWS.ct_lanes };
        let half = SecretScalar::from(Scalar::from_words_reduced(&C::OFFSETS.half));
        let offset = SecretScalar::from(Scalar::from_words_reduced(&C::OFFSETS.lanes));
        let e = k.mul(&half).add(&offset);

        let mut rows = [Affine::place(f); 2];
        let [q, first] = &mut rows;
        look_up::<C, F>(f, first, &e, 0);
        let mut places = [Xyzz::from((f, &*first)), Xyzz::infinity(f)];
        let [p, spare] = &mut places;
        let (mut p, mut spare) = (p, spare);
        for step in 1..steps.min(incomplete) {
            look_up::<C, F>(f, q, &e, step);
            other.step([&mut q.x, &mut q.y]);
            if step == 1 {
                add_affine_xyzz_beside(f, other, spare, first, q);
            } else {
                add_mixed_xyzz_beside(f, other, spare, p, q);
            }
            core::mem::swap(&mut p, &mut spare);
            other.step([&mut p.y]);
        }
        let mut complete = [p.to_projective(f), Projective::infinity(f)];
        let [s, t] = &mut complete;
        let (mut s, mut t) = (s, t);
        for step in incomplete.max(1)..steps {
            look_up::<C, F>(f, q, &e, step);
            add_mixed_complete_to::<C, F>(f, t, s, q);
            core::mem::swap(&mut s, &mut t);
        }
        let sum = lane_sum::<C, F, G>(f, g, s);
        rows.zeroize();
        places.zeroize();
        complete.zeroize();
        sum
    }
}
