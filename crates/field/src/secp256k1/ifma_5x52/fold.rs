//! Products and their reduction in eight lanes: five limbs, radix 2^52, modulo q = 2^256 − c.
//!
//! 1. a·b in ten columns: the low halves of aᵢ·bⱼ go to column i + j, the high halves to the next one.
//! 2. Columns 5…9 are carried into digits and come down times 2^260 = 16 c. For a c of one limb that leaves five columns and
//!    what lies above; for a c of three it leaves eight, and columns 5…7 come down once more.
//! 3. What lies above 2^256, `top`, comes down times c.
//! 4. One carry upwards.
//!
//! Bounds, with UNIT = 2^52 − 1 for the limbs 0…3 and TOP_UNIT = 2^48 + 2^12 for the limb 4 of an `El<1>`:
//! - madd52 reads the low 52 bits of its factors, so factors are `El<1>`, digits or `top` < 2^52.
//! - A column of a product is at most 10·UNIT; of the sum of three of them and a bias at most 52·UNIT < 2^58; a fold adds at most
//!   6·UNIT for each round, K ≤ 4: below 2^61.
//! - The largest sum of products and bias is below 2^517, so digit 9 is below 2^49, and after the first of two rounds digit 7
//!   below 2^27: what reaches column 5 of the last round is below 2^38, `top` < 2^(38 + 2 + 4) + 2^13 < 2^45.
//! - After step 4 the limbs 0…3 have 52 bits, the limb 4 is below 2^48 + 2^9: an `El<1>`, below 2q.
//! - A bias is a multiple of q whose every limb or column is at least what is subtracted from it, so nothing falls below 0.

use super::vector::V;
use crate::Prime;
use arith::cpu::Ifma;
use core::marker::PhantomData;

/// Five limbs in eight lanes.
pub(super) type V5 = [V; 5];
/// Ten columns in eight lanes.
pub(super) type V10 = [V; 10];

pub(super) const LOW_52: u64 = (1 << 52) - 1;
const LOW_48: u64 = (1 << 48) - 1;
/// The largest M of an `El<M>`: its limbs stay below 2^63.
pub(super) const MAX: u32 = 1024;
/// `top` of an `El<MAX>` has this many bits, of a product this many.
const LOOSE_TOP_BITS: u32 = 11;
const PRODUCT_TOP_BITS: u32 = 45;

/// Words in limbs; above 256 bits the last limb grows.
#[inline(always)]
pub(super) const fn limbs_of(a: &[u64; 4]) -> [u64; 5] {
    [
        a[0] & LOW_52,
        (a[0] >> 52 | a[1] << 12) & LOW_52,
        (a[1] >> 40 | a[2] << 24) & LOW_52,
        (a[2] >> 28 | a[3] << 36) & LOW_52,
        a[3] >> 16,
    ]
}

/// What the reduction asks of a prime.
pub(super) struct Fold<Q>(PhantomData<Q>);

impl<Q: Prime<Words = [u64; 4]>> Fold<Q> {
    /// q in limbs.
    pub(super) const Q: [u64; 5] = limbs_of(&Q::MODULUS.m);
    /// c = 2^256 − q in limbs.
    const C: [u64; 3] = {
        let m = Q::MODULUS.m;
        let limbs = limbs_of(&[m[0].wrapping_neg(), !m[1], !m[2], !m[3]]);
        assert!(m[0] != 0 && limbs[3] == 0 && limbs[4] == 0 && limbs[2] >> 26 == 0, "q = 2^256 − c, c < 2^130");
        [limbs[0], limbs[1], limbs[2]]
    };
    /// 16 c = 2^260 mod q.
    const C_260: [u64; 3] = {
        let c = Self::C;
        [c[0] << 4 & LOW_52, (c[1] << 4 | c[0] >> 48) & LOW_52, c[2] << 4 | c[1] >> 48]
    };
    /// Does a fold of five digits leave more than five columns?
    const LONG: bool = Self::C_260[1] != 0 || Self::C_260[2] != 0;

    /// A multiple of q, 2B or less, whose limbs cover those of an `El<B>` and are within those of an `El<2B>`.
    const fn bias(b: u32) -> [u64; 5] {
        let b = b as u64;
        let mut limbs = Self::Q;
        let mut i = 0;
        while i < 5 {
            limbs[i] *= 2 * b;
            if i > 0 {
                limbs[i] += limbs[i - 1] >> 52;
                limbs[i - 1] &= LOW_52;
            }
            i += 1;
        }
        // B of each limb's units are lent by the limb above.
        let mut i = 0;
        while i < 5 {
            limbs[i] = limbs[i] + if i < 4 { b << 52 } else { 0 } - if i > 0 { b } else { 0 };
            i += 1;
        }
        assert!(limbs[0] <= 2 * b * LOW_52, "an El<2B>");
        limbs
    }

    /// 2^260·q with columns that cover those of two products: 20 of each column's units are lent by the column above.
    const WIDE: [u64; 10] = {
        let mut columns = [0; 10];
        let mut i = 0;
        while i < 10 {
            let own = if i < 5 { 0 } else { Self::Q[i - 5] };
            columns[i] = own + if i < 9 { 20 << 52 } else { 0 } - if i > 0 { 20 } else { 0 };
            i += 1;
        }
        columns
    };
}

/// t + a·b in columns.
#[inline(always)]
pub(super) fn add_product(t: V10, a: &V5, b: &V5) -> V10 {
    let mut t = t;
    for i in 0..5 {
        for j in 0..5 {
            t[i + j] = t[i + j].add_low(a[i], b[j]);
        }
        for j in 0..5 {
            t[i + j + 1] = t[i + j + 1].add_high(a[i], b[j]);
        }
    }
    t
}

/// a·b in columns.
#[inline(always)]
pub(super) fn product(token: Ifma, a: &V5, b: &V5) -> V10 {
    add_product([V::all(token, 0); 10], a, b)
}

/// a² in columns.
#[inline(always)]
pub(super) fn square(token: Ifma, a: &V5) -> V10 {
    let mut t = [V::all(token, 0); 10];
    for i in 0..5 {
        for j in i + 1..5 {
            t[i + j] = t[i + j].add_low(a[i], a[j]);
            t[i + j + 1] = t[i + j + 1].add_high(a[i], a[j]);
        }
    }
    for i in 1..9 {
        t[i] = t[i] + t[i];
    }
    for i in 0..5 {
        t[2 * i] = t[2 * i].add_low(a[i], a[i]);
        t[2 * i + 1] = t[2 * i + 1].add_high(a[i], a[i]);
    }
    t
}

/// Columns minus columns: a multiple of q minus t, columns of t at most those of two products.
#[inline(always)]
pub(super) fn negated<Q: Prime<Words = [u64; 4]>>(token: Ifma, t: &V10) -> V10 {
    let mut r = *t;
    for i in 0..10 {
        r[i] = V::all(token, Fold::<Q>::WIDE[i]) - t[i];
    }
    r
}

/// 2t.
#[inline(always)]
pub(super) fn doubled(t: &V10) -> V10 {
    let mut r = *t;
    for i in 0..10 {
        r[i] = t[i] + t[i];
    }
    r
}

/// The limbs of an `El<A>` as numbers, for everything but factors.
#[inline(always)]
pub(super) fn limbs<const A: u32>(token: Ifma, a: &V5) -> V5 {
    let mut r = *a;
    if A == 1 {
        for i in 0..4 {
            r[i] = r[i] & V::all(token, LOW_52);
        }
    }
    r
}

/// A multiple of q minus the `El<B>` a: an `El<2B>`.
#[inline(always)]
pub(super) fn minus<Q: Prime<Words = [u64; 4]>, const B: u32>(token: Ifma, a: &V5) -> V5 {
    let bias = const { Fold::<Q>::bias(B) };
    let a = limbs::<B>(token, a);
    let mut r = a;
    for i in 0..5 {
        r[i] = V::all(token, bias[i]) - a[i];
    }
    r
}

/// t + a, limbs onto the low columns.
#[inline(always)]
pub(super) fn plus(t: &V10, a: &V5) -> V10 {
    let mut r = *t;
    for i in 0..5 {
        r[i] = t[i] + a[i];
    }
    r
}

/// Limbs as columns.
#[inline(always)]
pub(super) fn columns(token: Ifma, a: &V5) -> V10 {
    plus(&[V::all(token, 0); 10], a)
}

/// Carries upwards; what is carried stays above 52 bits in its own word too, and the last word keeps what lies above it.
#[inline(always)]
fn propagate<const N: usize>(a: [V; N]) -> [V; N] {
    let mut a = a;
    for i in 1..N {
        a[i] = a[i] + a[i - 1].shr::<52>();
    }
    a
}

/// low + 2^260·high in columns, the high columns carried into digits first.
#[inline(always)]
fn fold<Q: Prime<Words = [u64; 4]>, const HIGH: usize>(token: Ifma, low: &[V], high: [V; HIGH]) -> [V; 8] {
    let high = propagate(high);
    let mut t = [V::all(token, 0); 8];
    t[..5].copy_from_slice(&low[..5]);
    for i in 0..HIGH {
        for j in 0..3 {
            let c = Fold::<Q>::C_260[j];
            if c != 0 {
                t[i + j] = t[i + j].add_low(high[i], V::all(token, c));
                t[i + j + 1] = t[i + j + 1].add_high(high[i], V::all(token, c));
            }
        }
    }
    t
}

/// limbs + 2^256·top, carried: an `El<1>`. `top` has at most BITS bits.
#[inline(always)]
fn fold_top<Q: Prime<Words = [u64; 4]>, const BITS: u32>(token: Ifma, limbs: V5, top: V) -> V5 {
    let mut r = limbs;
    for j in 0..3 {
        let c = Fold::<Q>::C[j];
        if c != 0 {
            r[j] = r[j].add_low(top, V::all(token, c));
        }
        if c >> (52 - BITS) != 0 {
            r[j + 1] = r[j + 1].add_high(top, V::all(token, c));
        }
    }
    propagate(r)
}

/// K·t mod q, for the columns of a sum of products.
#[inline(always)]
pub(super) fn reduce<Q: Prime<Words = [u64; 4]>, const K: u32>(token: Ifma, t: &V10) -> V5 {
    let [.., t5, t6, t7, t8, t9] = *t;
    let mut r = fold::<Q, 5>(token, t, [t5, t6, t7, t8, t9]);
    if Fold::<Q>::LONG {
        r = fold::<Q, 3>(token, &r, [r[5], r[6], r[7]]);
    }
    let [r0, r1, r2, r3, r4, above, ..] = r;
    let r4 = r4.times::<K>(token);
    let top = above.times::<K>(token).shl::<4>() + r4.shr::<48>();
    let r4 = r4 & V::all(token, LOW_48);
    let limbs = [r0.times::<K>(token), r1.times::<K>(token), r2.times::<K>(token), r3.times::<K>(token), r4];
    fold_top::<Q, PRODUCT_TOP_BITS>(token, limbs, top)
}

/// The same element as an `El<1>`, from an `El<A>`, A ≤ MAX.
#[inline(always)]
pub(super) fn carried<Q: Prime<Words = [u64; 4]>, const A: u32>(token: Ifma, a: &V5) -> V5 {
    let a = limbs::<A>(token, a);
    let top = a[4].shr::<48>();
    let r4 = a[4] & V::all(token, LOW_48);
    fold_top::<Q, LOOSE_TOP_BITS>(token, [a[0], a[1], a[2], a[3], r4], top)
}

/// The canonical limbs as numbers, from an `El<A>`, A ≤ MAX.
#[inline(always)]
pub(super) fn canonical<Q: Prime<Words = [u64; 4]>, const A: u32>(token: Ifma, a: &V5) -> V5 {
    // An El<1> is below 2q, whatever stands above its 256 bits.
    let mut a = limbs::<1>(token, &if A == 1 { *a } else { carried::<Q, A>(token, a) });
    // a ≥ q exactly if a + c ≥ 2^256, and then a − q = a + c − 2^256 is below q.
    let mut less_q = a;
    for j in 0..3 {
        less_q[j] = less_q[j] + V::all(token, Fold::<Q>::C[j]);
    }
    let mut less_q = limbs::<1>(token, &propagate(less_q));
    let keep = !less_q[4].has(V::all(token, 1 << 48));
    less_q[4] = less_q[4] & V::all(token, LOW_48);
    for i in 0..5 {
        a[i] = a[i].select(keep, less_q[i]);
    }
    a
}

/// The words of canonical limbs.
#[inline(always)]
pub(super) fn pack(a: &V5) -> [V; 4] {
    [
        a[0] | a[1].shl::<52>(),
        a[1].shr::<12>() | a[2].shl::<40>(),
        a[2].shr::<24>() | a[3].shl::<28>(),
        a[3].shr::<36>() | a[4].shl::<16>(),
    ]
}

/// The limbs of words.
#[inline(always)]
pub(super) fn unpack(token: Ifma, a: &[V; 4]) -> V5 {
    let low = V::all(token, LOW_52);
    [
        a[0] & low,
        (a[0].shr::<52>() | a[1].shl::<12>()) & low,
        (a[1].shr::<40>() | a[2].shl::<24>()) & low,
        (a[2].shr::<28>() | a[3].shl::<36>()) & low,
        a[3].shr::<16>(),
    ]
}
