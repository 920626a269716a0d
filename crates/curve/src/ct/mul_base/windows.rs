//! k·G for a secret k, with one element: Σ dᵢ·(2^(w i)·G), a table row for each window.
//!
//! 1. e = (k + 2^(w m) − 1)/2 mod n, whose windows are the odd digits dᵢ ([`recode`](crate::ct::recode)).
//! 2. For i = 0 … m − 1: read the whole table of window i, keep row |dᵢ|, negate by masks, add.
//!
//! Cost: m − 1 mixed additions and m scans of 2^(w−1) rows: for 256 bits and w = 6, 42 additions and 43 × 2 KiB.
//!
//! Why the incomplete addition is right. Sᵢ = Σ_{j<i} dⱼ·2^(w j) is odd and |Sᵢ| < 2^(w i); the summand dᵢ·2^(w i) is at least
//! 2^(w i) in absolute value and less than 2^(w (i+1)) − 2^(w i) + 1. So Sᵢ ≠ 0, and Sᵢ ± dᵢ·2^(w i) is not 0 and below
//! 2^(w (i+1)) in absolute value. Where 2^(w (i+1)) ≤ n, none of them is a multiple of n: the sum is not infinite, nor are the
//! two points equal or opposite. In the windows above, the last for secp256k1, the addition is complete: there Sᵢ + dᵢ·2^(w i) = 0
//! mod n is what k = 0 leads to.
//!
//! Constant time. The table is the vartime one's ([`crate::tables`]).
//! Source: see [`recode`](crate::ct::recode).

use crate::ct::recode::row_and_sign;
use crate::formulas::a_zero::add_mixed_in;
use crate::formulas::complete::add_mixed_complete_to;
use crate::params::CurveParams;
use crate::point::{Affine, Jacobian, Projective};
use field::{FieldOps, Prime, Scalar, SecretScalar, Task};
use zeroize::Zeroize;

/// k·G. Every lane has the result, as secret as k.
#[inline]
pub fn mul_base_windows<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    k: &SecretScalar<C::Order>,
) -> Projective<F> {
    f.outline(MulBase::<C, F> { f, k })
}

struct MulBase<'a, C: CurveParams, F: FieldOps<Prime = C::Field>> {
    f: F,
    k: &'a SecretScalar<C::Order>,
}

/// The digit of window i, read from the whole table of the window.
#[inline(always)]
fn look_up<C: CurveParams, F: FieldOps<Prime = C::Field>>(f: F, q: &mut Affine<F>, e: &SecretScalar<C::Order>, i: u32) {
    let w = C::WINDOWS.ct_base;
    let rows = 1usize << (w - 1);
    let (row, negative) = row_and_sign(f, e.secret_bits(w * i, w), w);
    let table = C::TABLES.windows.chunks_exact(rows).nth(i as usize).unwrap_or_default();
    f.lookup_to(&mut q.x, &mut q.y, table, &[row; 32][..F::LANES]);
    f.negate_in(&mut q.y, negative);
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for MulBase<'_, C, F> {
    type Out = Projective<F>;
    #[inline(always)]
    fn run(self) -> Projective<F> {
        let Self { f, k } = self;
        let windows = const { C::WINDOWS.count_ct_base(C::Order::BITS) };
        // 2^(w (i + 1)) ≤ 2^(bits − 1) < n up to this window.
        let incomplete = const { (C::Order::BITS - 1) / C::WINDOWS.ct_base };
        let half = SecretScalar::from(Scalar::from_words_reduced(&C::OFFSETS.half));
        let offset = SecretScalar::from(Scalar::from_words_reduced(&C::OFFSETS.base));
        let e = k.mul(&half).add(&offset);

        let mut q = Affine::place(f);
        look_up::<C, F>(f, &mut q, &e, 0);
        let mut places = [Jacobian::from((f, &q)), Jacobian::infinity(f)];
        let [p, spare] = &mut places;
        let (mut p, mut spare) = (p, spare);
        for i in 1..windows.min(incomplete) {
            look_up::<C, F>(f, &mut q, &e, i);
            add_mixed_in(f, &mut p, &mut spare, &q);
        }
        let mut sum = [Projective::from_jacobian(f, p), Projective::infinity(f)];
        let [s, t] = &mut sum;
        let (mut s, mut t) = (s, t);
        for i in incomplete.max(1)..windows {
            look_up::<C, F>(f, &mut q, &e, i);
            add_mixed_complete_to::<C, F>(f, t, s, &q);
            core::mem::swap(&mut s, &mut t);
        }
        let r = *s;
        places.zeroize();
        sum.zeroize();
        q.zeroize();
        r
    }
}
