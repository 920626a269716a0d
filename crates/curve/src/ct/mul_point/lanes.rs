//! k·P for a secret k, spread over eight lanes: lane l multiplies 2^(2D l)·P by its own digits, then the lanes are added up.
//!
//! 1. k = k₁ + k₂·λ; D + 1 digits a lane, each 0 or a unit of Z[ω] times 1, 1 − ω or 2 ([`eisenstein`](crate::ct::eisenstein)).
//! 2. The points Q = 2^(2D l)·P by a chain of doublings on one element.
//! 3. In every lane Q, (1 − ω)·Q and 2Q as affine points of a curve isomorphic to the lane's, as in
//!    [`odd_multiples`](crate::vartime::odd_multiples): (1 − ω)·Q = Q − ωQ, 2Q = (1 − ω)·Q − ω²Q; and their x times β, β².
//! 4. The highest digit, 0 or a unit, picks its double for a start, which saves a doubling. Then from one digit to the next: two
//!    doublings; the row that the digit names by masks, added where it is not 0.
//! 5. The lanes' sum ([`lane_sum`](crate::ct::lane_sum)), back on the curve itself.
//!
//! Cost for D = 8: 112 doublings of one element; in lanes 22M + 4S for the rows, 15 doublings, 8 mixed additions, and the sum.
//!
//! Why the incomplete addition is right. A lane's sum before an addition is 4A·Q with A of Z[ω] made of the digits above, all of
//! absolute value 2 at most. Where A = 0 the sum is infinite: the lanes in which a digit was not 0 are known, the others take the
//! row. Else |4A| ≥ 4 > |d|, so 4A ± d is not 0, and below 4^(D + 1) in absolute value. u + v·ω ≠ 0 with u + vλ = 0 mod n has a
//! norm u² − uv + v² that is a multiple of n. So where 4^(2(D + 1)) ≤ n, the sum is not infinite and the summands are not equal or
//! opposite. For smaller orders every addition computes the exceptional case too. In step 3 x ≠ βx, as x ≠ 0 (such a point has the
//! order 3), and (1 − ω)·Q ≠ ±ω²Q, as 1 − ω + ω² = −2ω and 1 − ω − ω² = 2 are prime to an odd n. A doubling is right always.
//!
//! Constant time, in P too. Sources: R. Gallant, R. Lambert, S. Vanstone, CRYPTO 2001, for the halves; for step 3 those of
//! [`odd_multiples`](crate::vartime::odd_multiples).

use crate::ct::eisenstein::{LaneDigit, MAX_DIGITS, digits_in_lanes, lane_digits};
use crate::ct::lane_sum::lane_sum;
use crate::formulas::Nothing;
use crate::formulas::a_zero::{add_mixed_any_to, add_mixed_to, double_in, double_to};
use crate::formulas::xyzz::add_affine_xyzz_beside;
use crate::lanes::LANE_NUMBERS;
use crate::params::{CurveParams, LANES};
use crate::point::{Affine, AffinePoint, Jacobian, Projective, Xyzz, zero};
use arith::Words;
use field::ops::WordsOf;
use field::{Backends, FieldOps, Mask, Prime, Row, SecretScalar, Task};
use zeroize::Zeroize;

/// k·P, as secret as k.
#[inline]
pub fn mul_point_lanes<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    k: &SecretScalar<C::Order>,
    p: &AffinePoint<C>,
) -> Projective<B::One> {
    b.spread().outline(MulPointLanes::<C, B> { b, k, p })
}

struct MulPointLanes<'a, C: CurveParams, B> {
    b: B,
    k: &'a SecretScalar<C::Order>,
    p: &'a AffinePoint<C>,
}

/// Q, (1 − ω)·Q and 2Q.
const ROWS: usize = 3;

/// What a lane's digits pick from: the x of the rows times 1, β and β², and their y.
struct Table<F: FieldOps> {
    x: [[F::El<1>; 3]; ROWS],
    y: [F::El<1>; ROWS],
}

/// The x of a point times 1, ω and ω²: x, βx and β²x = −x − βx.
#[inline(always)]
fn images<F: FieldOps>(f: F, x: &F::El<1>, beta: &F::El<1>) -> [F::El<1>; 3] {
    let beta_x = f.mul(x, beta);
    let sum: F::El<2> = f.add(x, &beta_x);
    [*x, beta_x, f.carry::<5>(&f.sub(&zero(f), &sum))]
}

impl<F: FieldOps> Table<F> {
    /// The rows of q, and the Z that they have in common.
    #[inline(always)]
    fn new<C: CurveParams<Field = F::Prime>>(f: F, q: &Affine<F>) -> (Self, F::El<1>) {
        let beta = f.constant(&C::GLV.beta);
        let mut minus_y = q.y;
        f.negate_in(&mut minus_y, Mask::all(F::LANES));
        // (1 − ω)·Q = Q − ωQ.
        let [_, beta_x, _] = images(f, &q.x, &beta);
        let mut sum = Xyzz::infinity(f);
        add_affine_xyzz_beside(f, &mut Nothing, &mut sum, q, &Affine { x: beta_x, y: minus_y });
        let first_z = f.carry::<3>(&f.sub(&beta_x, &q.x));
        let q = Affine::<F> { x: f.mul(&q.x, &sum.zz), y: f.mul(&q.y, &sum.zzz) };
        let root = Affine::<F> { x: sum.x, y: sum.y };
        // 2Q = (1 − ω)·Q − ω²Q.
        let [_, _, beta_squared_x] = images(f, &q.x, &beta);
        minus_y = q.y;
        f.negate_in(&mut minus_y, Mask::all(F::LANES));
        add_affine_xyzz_beside(f, &mut Nothing, &mut sum, &root, &Affine { x: beta_squared_x, y: minus_y });
        let second_z = f.carry::<3>(&f.sub(&beta_squared_x, &root.x));
        let q = Affine::<F> { x: f.mul(&q.x, &sum.zz), y: f.mul(&q.y, &sum.zzz) };
        let root = Affine::<F> { x: f.mul(&root.x, &sum.zz), y: f.mul(&root.y, &sum.zzz) };
        let table = Self { x: [&q.x, &root.x, &sum.x].map(|x| images(f, x, &beta)), y: [q.y, root.y, sum.y] };
        (table, f.mul(&first_z, &second_z))
    }

    /// The row that each lane's digit names, and Q where it is 0: all of the table is read.
    #[inline(always)]
    fn pick_to(&self, f: F, r: &mut Affine<F>, digit: &LaneDigit) {
        let not = |mask: u32| Mask(!mask);
        let [q, root, double] = &self.x;
        let mut x = *q;
        for (x, (root, double)) in x.iter_mut().zip(root.iter().zip(double)) {
            f.select_to(x, not(digit.one_minus_omega), root);
            f.select_to(x, not(digit.two), double);
        }
        let [x, omega, omega_squared] = x;
        r.x = x;
        f.select_to(&mut r.x, not(digit.omega), &omega);
        f.select_to(&mut r.x, not(digit.omega_squared), &omega_squared);
        let [q, root, double] = &self.y;
        r.y = *q;
        f.select_to(&mut r.y, not(digit.one_minus_omega), root);
        f.select_to(&mut r.y, not(digit.two), double);
        f.negate_in(&mut r.y, Mask(digit.negative));
    }
}

/// Q in every lane, and their Z: 2^(2D l)·P by a chain of doublings.
#[inline(always)]
fn spread<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    p: &AffinePoint<C>,
    doublings: u32,
) -> (Affine<B::Spread>, <B::Spread as FieldOps>::El<1>) {
    let (f, f1) = (b.spread(), b.one());
    let mut places = [Jacobian::from((f1, &p.load(f1))), Jacobian::infinity(f1)];
    let [point, spare] = &mut places;
    let (mut point, mut spare) = (point, spare);
    let mut xy = [Row { x: <WordsOf<C::Field>>::ZERO, y: <WordsOf<C::Field>>::ZERO }; LANES as usize];
    let mut z = [<WordsOf<C::Field>>::ZERO; LANES as usize];
    for (lane, (xy, z)) in xy.iter_mut().zip(&mut z).enumerate() {
        for _ in 0..if lane == 0 { 0 } else { doublings } {
            double_in(f1, &mut point, &mut spare);
        }
        *xy = Row { x: f1.residue(&point.x, 0), y: f1.residue(&point.y, 0) };
        *z = f1.residue(&point.z, 0);
    }
    let mut q = Affine::place(f);
    f.load_to(&mut q.x, &mut q.y, &xy, &LANE_NUMBERS);
    (q, f.load(&z))
}

impl<C: CurveParams, B: Backends<C::Field, C::Order>> Task for MulPointLanes<'_, C, B> {
    type Out = Projective<B::One>;
    #[inline(always)]
    fn run(self) -> Projective<B::One> {
        let Self { b, k, p } = self;
        let f = b.spread();
        debug_assert_eq!(<B::Spread as FieldOps>::LANES, LANES as usize);
        let count = const { lane_digits(C::GLV.half_bits) };
        const { assert!(lane_digits(C::GLV.half_bits) as usize <= MAX_DIGITS) }
        // 4^(2 (D + 1)) ≤ 2^(bits − 1) < n.
        let has_exceptions = const { 4 * lane_digits(C::GLV.half_bits) >= C::Order::BITS };

        let digits = digits_in_lanes(&C::GLV.split_secret(k), C::GLV.half_bits);
        let (q, z) = spread(b, p, 2 * (count - 1));
        let (table, ratio) = Table::new::<C>(f, &q);
        let z = f.mul(&z, &ratio);

        let mut row = Affine::place(f);
        let mut places = [Jacobian::infinity(f); 2];
        let [sum, spare] = &mut places;
        let (mut sum, mut spare) = (sum, spare);
        let [below @ .., top] = &digits[..count as usize] else { return Projective::infinity(b.one()) };
        // A unit or 0: doubled it is a digit.
        table.pick_to(f, &mut row, &top.doubled());
        let mut finite = Mask(top.nonzero);
        sum.select(f, Mask(!finite.0), &Jacobian::from((f, &row)));
        for (i, digit) in below.iter().rev().enumerate() {
            for _ in 0..if i == 0 { 1 } else { 2 } {
                double_to(f, spare, sum);
                core::mem::swap(&mut sum, &mut spare);
            }
            table.pick_to(f, &mut row, digit);
            if has_exceptions {
                add_mixed_any_to(f, spare, sum, &row);
            } else {
                add_mixed_to(f, spare, sum, &row);
                spare.select(f, finite, &Jacobian::from((f, &row)));
            }
            spare.select(f, Mask(digit.nonzero), sum);
            finite = finite.or(Mask(digit.nonzero));
            core::mem::swap(&mut sum, &mut spare);
        }
        sum.z = f.mul(&sum.z, &z);
        let mut sum = Projective::from_jacobian(f, sum);
        let r = lane_sum::<C, B::Spread, B::One>(f, b.one(), &sum);
        sum.zeroize();
        places.zeroize();
        row.zeroize();
        r
    }
}
