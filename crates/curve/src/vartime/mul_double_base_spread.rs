//! a·G + b·P for public scalars, over the lanes of [`Backends::Spread`]: one chain of doublings on [`Backends::One`], whose points
//! are added a row of lanes at a time.
//!
//! 1. b = b₁ + b₂·λ = Σ uᵢ·2^i with units uᵢ of Z[ω] for digits ([`eisenstein`](super::eisenstein)): b·P is the sum of the
//!    uᵢ·(2^i·P), each a point of the chain P, 2P, 4P … with its x times a power of β and a sign. No table of P.
//! 2. a·G by the windows of [`ct::mul_base`](crate::ct::mul_base): a row of the table for each window.
//! 3. Lane l sums every eighth of these points: first the affine ones of G, then the others in the order of the chain.
//! 4. The lanes' sums are folded: three more additions.
//!
//! The chain takes its steps between the products of the additions (`Beside`): integer and vector units work at the same time.
//! Only the last row and the folding come after it.
//!
//! Cost for 256 bits and 8 lanes: 128 doublings of one element; in lanes 4 mixed additions, 10 additions with 5 further products
//! each, 3 additions to fold. Vartime: an exceptional addition is repeated in all lanes by the cold path, no more than once a row.
//!
//! Sources: for the endomorphism see [`mul_double_base`](super::mul_double_base); the right-to-left order is A. Yao, "On the
//! evaluation of powers", SIAM J. Comput. 5 (1976).

use super::eisenstein::{Digit, Digits, MAX_DIGITS, digits};
use super::lane_sum::lane_sum;
use super::odd_windows::pick;
use crate::formulas::Beside;
use crate::formulas::a_zero::Double;
use crate::formulas::xyzz::{AddAnyXyzz, add_mixed_xyzz_beside, add_xyzz_beside};
use crate::lanes::LANE_NUMBERS;
use crate::params::CurveParams;
use crate::point::{Affine, AffinePoint, Jacobian, Xyzz, one};
use arith::Words;
use core::hint::black_box;
use field::ops::{MAX_LANES, WordsOf};
use field::{Backends, FieldOps, Mask, Prime, Row, Scalar, Task};

/// a·G + b·P. Vartime.
#[inline]
pub fn mul_double_base_spread<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    a: &Scalar<C::Order>,
    p: &AffinePoint<C>,
    k: &Scalar<C::Order>,
) -> Jacobian<B::One> {
    let sum = b.spread().outline(MulDoubleBase::<C, B> { b, a, p, k });
    let one = b.one();
    let [x, y, zz, zzz] = sum.map(|words| one.constant(&words));
    Xyzz { x, y, zz, zzz }.to_jacobian(one)
}

/// A ring of summands that wait for their row of lanes.
const RING: usize = 32;

/// P, 2P, 4P …: those whose digit is not 0 join the summands.
struct Chain<F: FieldOps> {
    f: F,
    /// 2^`position`·P, the next one to come.
    point: Jacobian<F>,
    position: usize,
    digits: Digits,
    /// Digits up to the last that is not 0.
    len: usize,
    summands: Summands<WordsOf<F::Prime>>,
}

/// Points (X, Y, Z) times units, in the order in which they came.
struct Summands<W> {
    xy: [Row<W>; RING],
    z: [W; RING],
    units: [Digit; RING],
    /// How many came.
    count: usize,
    /// How many were taken.
    taken: usize,
}

impl<W: Words> Summands<W> {
    /// Appends a summand, or overwrites it with the next one where the digit is 0.
    #[inline(always)]
    fn push(&mut self, xy: Row<W>, z: W, unit: Digit) {
        let at = self.count % RING;
        self.xy[at] = xy;
        self.z[at] = z;
        self.units[at] = unit;
        self.count += usize::from(!unit.is_zero());
    }
}

impl<F: FieldOps> Chain<F> {
    #[inline(always)]
    fn is_done(&self) -> bool {
        self.position == self.len
    }

    /// The next point, unless it could meet a row that is still to be taken.
    #[inline(always)]
    fn advance(&mut self) {
        let Self { f, point, position, digits, len, summands } = self;
        if *position < *len && summands.count < summands.taken + RING {
            let Jacobian { x, y, z } = point;
            summands.push(Row { x: f.residue(x, 0), y: f.residue(y, 0) }, f.residue(z, 0), digits[*position]);
            if !f.double_a_zero(x, y, z) {
                let p = *point;
                f.outline(Double { f: *f, r: point, p: &p });
            }
            *position += 1;
        }
    }
}

impl<F: FieldOps> Beside for Chain<F> {
    #[inline(always)]
    fn step<T, const N: usize>(&mut self, done: [&mut T; N]) {
        black_box(done);
        self.advance();
    }
}

/// The sum's X, Y, ZZ, ZZZ.
struct MulDoubleBase<'a, C: CurveParams, B> {
    b: B,
    a: &'a Scalar<C::Order>,
    p: &'a AffinePoint<C>,
    k: &'a Scalar<C::Order>,
}

impl<C: CurveParams, B: Backends<C::Field, C::Order>> Task for MulDoubleBase<'_, C, B> {
    type Out = [WordsOf<C::Field>; 4];

    #[inline(always)]
    fn run(self) -> Self::Out {
        let Self { b, a, p, k } = self;
        let (f, f1) = (b.spread(), b.one());
        let lanes = <B::Spread as FieldOps>::LANES;
        const { assert!(C::GLV.half_bits as usize + 3 <= MAX_DIGITS && RING % <B::Spread as FieldOps>::LANES == 0) }

        let digits = digits(&C::GLV.split(k));
        let len = MAX_DIGITS - digits.iter().rev().take_while(|digit| digit.is_zero()).count();
        let point = Jacobian::from((f1, &p.load(f1)));
        let empty = Row { x: <WordsOf<C::Field>>::ZERO, y: <WordsOf<C::Field>>::ZERO };
        let summands =
            Summands { xy: [empty; RING], z: [Words::ONE; RING], units: [Digit::ZERO; RING], count: 0, taken: 0 };
        let mut chain = Chain { f: f1, point, position: 0, digits, len, summands };

        let mut sums = [Xyzz::infinity(f); 2];
        let [sum, next] = &mut sums;
        let (mut sum, mut next) = (sum, next);

        // G's points.
        let e = a.half().add(&Scalar::from_words_reduced(&C::OFFSETS.base));
        let w = C::WINDOWS.ct_base;
        let windows = const { C::WINDOWS.count_ct_base(C::Order::BITS) as usize };
        let full = windows / lanes;
        let row_of = |window: usize| {
            let (row, is_negative) = pick(e.bits(w * window as u32, w), w);
            ((window << (w - 1)) + row, is_negative)
        };
        for window in full * lanes..windows {
            let (row, is_negative) = row_of(window);
            let unit = if is_negative { Digit::MINUS_ONE } else { Digit::ONE };
            chain.summands.push(C::TABLES.windows[row], Words::ONE, unit);
        }
        let mut q = Affine::place(f);
        for row in 0..full {
            let (mut at, mut negative) = ([0; MAX_LANES], 0);
            for l in 0..lanes {
                let (row, is_negative) = row_of(row * lanes + l);
                at[l] = row as u32;
                negative |= u32::from(is_negative) << l;
            }
            f.load_to(&mut q.x, &mut q.y, C::TABLES.windows, &at);
            f.negate_in(&mut q.y, Mask(negative));
            if row == 0 {
                *sum = Xyzz::from((f, &q));
            } else {
                let exceptional = add_mixed_xyzz_beside(f, &mut chain, next, sum, &q);
                if exceptional.any() {
                    f.outline(AddAnyXyzz { f, r: next, p: sum, q: &Xyzz::from((f, &q)) });
                }
                core::mem::swap(&mut sum, &mut next);
            }
        }

        // The chain's points.
        let beta = f.constant(&C::GLV.beta);
        let beta_squared = f.sqr(&beta);
        loop {
            let taken = chain.summands.taken;
            while chain.summands.count < taken + lanes && !chain.is_done() {
                chain.advance();
            }
            let Summands { xy, z, units, count, .. } = &chain.summands;
            let filled = (count - taken).min(lanes);
            if filled == 0 {
                break;
            }
            let first = taken % RING;
            let (mut powers, mut negative) = ([0; 3], 0);
            for (l, unit) in units[first..first + lanes].iter().enumerate() {
                powers[unit.power() as usize] |= 1 << l;
                negative |= u32::from(unit.is_negative()) << l;
            }
            let mut r = Xyzz::infinity(f);
            f.load_to(&mut r.x, &mut r.y, &xy[first..], &LANE_NUMBERS);
            let z = f.load(&z[first..]);
            chain.summands.taken += filled;
            let mut scale = one(f);
            f.select_to(&mut scale, Mask(!powers[1]), &beta);
            f.select_to(&mut scale, Mask(!powers[2]), &beta_squared);
            r.x = f.mul(&r.x, &scale);
            f.negate_in(&mut r.y, Mask(negative));
            chain.step([&mut r.x, &mut r.y]);
            r.zz = f.sqr(&z);
            r.zzz = f.mul(&r.zz, &z);
            chain.step([&mut r.zz, &mut r.zzz]);
            let exceptional = add_xyzz_beside(f, &mut chain, next, sum, &r);
            let only = Mask::all(filled);
            if exceptional.and(only).any() {
                f.outline(AddAnyXyzz { f, r: next, p: sum, q: &r });
            }
            if filled < lanes {
                next.select(f, only, sum);
            }
            core::mem::swap(&mut sum, &mut next);
        }

        // The lanes' sums.
        let sum = lane_sum(f, sum);
        [&sum.x, &sum.y, &sum.zz, &sum.zzz].map(|a| f.store(a, 0))
    }
}
