//! k·P for a secret k: two secret scalars of half the length on P and λ·P = (βx, y), in one chain of doublings.
//!
//! 1. s = k/2 + offset mod n, s = s₁ + s₂·λ, eⱼ = sⱼ + 2^h, whose windows are the odd digits ([`recode`](crate::ct::recode)).
//! 2. The odd multiples of P with a common Z, and their x times β ([`odd_multiples`](crate::vartime::odd_multiples), which is
//!    constant time: it is P that must be public elsewhere).
//! 3. From the highest window down: w doublings; for each half read the whole table, keep a row, negate by masks, add.
//!
//! Cost for 256 bits and w = 5: 125 doublings, 51 mixed additions, 2 × 26 scans of 16 rows, 181M + 32S for the tables.
//!
//! Why the incomplete addition is right. After c windows the sum is x·P + y·λP with odd integers x, y below 2^(w c) in absolute
//! value, also between the two additions of a window; doubled w times and compared with a row, the differences are such pairs
//! again, with at least one of them odd. (u, v) ≠ 0 with u + vλ = 0 mod n has u² − uv + v² ≥ n, since that norm is a multiple of
//! n (n = a² + ab + b² is the norm of the lattice's generator in Z(ω)) and positive. |u|, |v| < 2^t gives
//! u² − uv + v² < 3·2^(2t). So while 2^(2t + 2) ≤ n, t = w·c counting the window itself, no sum is infinite and no two summands
//! are equal or opposite. In the windows above (the last for secp256k1) the additions are complete, on the curve itself, since
//! the complete formulas know b. A doubling is right always.
//!
//! Constant time. Source: R. Gallant, R. Lambert, S. Vanstone, CRYPTO 2001, for the halves; see [`recode`](crate::ct::recode).

use crate::ct::recode::row_and_sign;
use crate::formulas::a_zero::{add_mixed_in, double_in};
use crate::formulas::complete::add_complete_to;
use crate::params::CurveParams;
use crate::point::{Affine, AffinePoint, Jacobian, Projective};
use crate::vartime::odd_multiples::{MAX_ROWS, odd_multiples_to};
use arith::{Words, limbs};
use field::ops::WordsOf;
use field::{FieldOps, Prime, Row, Scalar, SecretScalar, Task};
use zeroize::{Zeroize, Zeroizing};

/// k·P. Every lane has the result, as secret as k.
#[inline]
pub fn mul_point_windows<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    k: &SecretScalar<C::Order>,
    p: &AffinePoint<C>,
) -> Projective<F> {
    f.outline(MulPoint { f, k, p })
}

struct MulPoint<'a, C: CurveParams, F: FieldOps<Prime = C::Field>> {
    f: F,
    k: &'a SecretScalar<C::Order>,
    p: &'a AffinePoint<C>,
}

/// How many windows, from the top, have incomplete additions: the c with 2^(2 w c + 2) ≤ 2^(bits − 1) ≤ n.
const fn incomplete_windows(order_bits: u32, window: u32, windows: u32) -> u32 {
    let c = order_bits.saturating_sub(3) / (2 * window);
    if c < windows { c } else { windows }
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> MulPoint<'_, C, F> {
    /// e₁ and e₂.
    #[inline(always)]
    fn recode(k: &SecretScalar<C::Order>) -> [Zeroizing<[u64; 3]>; 2] {
        let half = SecretScalar::from(Scalar::from_words_reduced(&C::OFFSETS.half));
        let offset = SecretScalar::from(Scalar::from_words_reduced(&C::OFFSETS.point));
        let s = k.mul(&half).add(&offset);
        C::GLV.split_secret(&s).map(|half| {
            let magnitude = half.secret_magnitude();
            let mut words = [magnitude as u64, (magnitude >> 64) as u64, 0];
            let mut middle = [0; 3];
            middle[C::GLV.half_bits as usize / 64] = 1 << (C::GLV.half_bits % 64);
            let below = Zeroizing::new(limbs::sub(&middle, &words).0);
            let above = Zeroizing::new(limbs::add(&middle, &words).0);
            words.zeroize();
            Zeroizing::new(limbs::select(half.is_negative().mask(), &*above, &*below))
        })
    }
}

/// Bits w·i … w·i + w − 1.
#[inline(always)]
fn window(e: &[u64; 3], i: u32, w: u32) -> u64 {
    let (word, shift) = ((w * i / 64) as usize, w * i % 64);
    let at = |i: usize| e.get(i).copied().unwrap_or(0);
    (at(word) >> shift | at(word + 1) << 1 << (63 - shift)) & ((1 << w) - 1)
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for MulPoint<'_, C, F> {
    type Out = Projective<F>;
    #[inline(always)]
    fn run(self) -> Projective<F> {
        let Self { f, k, p } = self;
        let w = C::WINDOWS.ct_point;
        let rows = const { 1usize << (C::WINDOWS.ct_point - 1) };
        let windows = const { C::WINDOWS.count_ct_point(C::GLV.half_bits) };
        let incomplete = const { incomplete_windows(C::Order::BITS, C::WINDOWS.ct_point, windows_of::<C>()) };
        const { assert!(1 << (C::WINDOWS.ct_point - 1) <= MAX_ROWS && C::GLV.half_bits < 191) }

        let halves = Self::recode(k);
        let mut tables = [[Row { x: <WordsOf<C::Field>>::ZERO, y: <WordsOf<C::Field>>::ZERO }; MAX_ROWS]; 2];
        let [multiples, times_lambda] = &mut tables;
        let z = odd_multiples_to(f, &mut multiples[..rows], &p.load(f));
        let beta = f.constant(&C::GLV.beta);
        for (r, row) in times_lambda.iter_mut().zip(&multiples[..rows]) {
            *r = Row { x: f.store(&f.mul(&f.constant(&row.x), &beta), 0), y: row.y };
        }

        let mut q = Affine::place(f);
        let mut places = [Jacobian::infinity(f); 2];
        let [sum, spare] = &mut places;
        let (mut sum, mut spare) = (sum, spare);
        for c in 0..incomplete {
            for _ in 0..if c == 0 { 0 } else { w } {
                double_in(f, &mut sum, &mut spare);
            }
            for (j, (half, table)) in halves.iter().zip(&tables).enumerate() {
                look_up(f, &mut q, &table[..rows], window(half, windows - 1 - c, w), w);
                if c == 0 && j == 0 {
                    *sum = Jacobian::from((f, &q));
                } else {
                    add_mixed_in(f, &mut sum, &mut spare, &q);
                }
            }
        }
        // Back to the curve itself: a row (x, y) is the point (x, y, z) there.
        sum.z = f.mul(&sum.z, &z);
        let mut complete = [Projective::infinity(f); 3];
        let [s, t, row] = &mut complete;
        let (mut s, mut t) = (s, t);
        for c in incomplete..windows {
            for _ in 0..if c == 0 { 0 } else { w } {
                double_in(f, &mut sum, &mut spare);
            }
            *s = Projective::from_jacobian(f, sum);
            for (half, table) in halves.iter().zip(&tables) {
                look_up(f, &mut q, &table[..rows], window(half, windows - 1 - c, w), w);
                *row = Projective::from_jacobian(f, &Jacobian { x: q.x, y: q.y, z });
                add_complete_to::<C, F>(f, t, s, row);
                core::mem::swap(&mut s, &mut t);
            }
            *sum = s.to_jacobian(f);
        }
        let r = if incomplete < windows { *s } else { Projective::from_jacobian(f, sum) };
        places.zeroize();
        complete.zeroize();
        q.zeroize();
        r
    }
}

const fn windows_of<C: CurveParams>() -> u32 {
    C::WINDOWS.count_ct_point(C::GLV.half_bits)
}

/// The row of a secret digit, read from the whole table.
#[inline(always)]
fn look_up<F: FieldOps>(f: F, q: &mut Affine<F>, table: &[Row<WordsOf<F::Prime>>], v: u64, w: u32) {
    let (row, negative) = row_and_sign(f, v, w);
    f.lookup_to(&mut q.x, &mut q.y, table, &[row; 32][..F::LANES]);
    f.negate_in(&mut q.y, negative);
}
