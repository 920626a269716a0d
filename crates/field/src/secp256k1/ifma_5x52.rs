//! Eight lanes a group, five limbs of 52 bits, by AVX-512 IFMA: the field's elements and the scalars of secp256k1.
//!
//! The text is one for every prime q = 2^256 − c with c < 2^130 ([`fold`] derives its constants); c of one limb reduces in one
//! round, c of three in two. Several groups make one element so that the products of one fill the latency of another.
//!
//! Bounds: an `El<M>` has limbs ≤ M·(2^52 − 1), the top one ≤ M·(2^48 + 2^12). A product accepts M = 1, because vpmadd52 drops
//! what lies above 52 bits. For the same reason the words of an `El<1>` keep, above their limb of 52 bits, what was carried to the next
//! one: only what is not a factor masks it off ([`fold::limbs`]). The reduction ends in an `El<1>` for every sum of products here
//! ([`fold`] has the proof). An `El<1>` is below 2q and its limbs determine the value, so zero is the limbs of 0 or of q.
//!
//! Cost for eight lanes: a product 50 word products and 12 for the reduction mod p, 54 mod n; a square 20 less.
//! Source: S. Gueron, V. Krasnov, "Accelerating big integer arithmetic using Intel IFMA extensions", ARITH 2016, for the columns;
//! the fold is that of `portable_5x52`.
#![allow(unsafe_code, reason = "vector instructions and results built in place; each block states what makes it sound")]
#![allow(clippy::incompatible_msrv, reason = "the cargo feature `ifma` asks for Rust 1.89")]

mod fold;
mod vector;

use super::{FieldPrime, GroupOrder};
use crate::ops_verify::Inspect;
use crate::{Column, FieldOps, Mask, Prime, Row, Task};
use arith::cpu::Ifma;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use fold::{
    Fold, LOW_52, MAX, V5, add_product, canonical, carried, columns, doubled, limbs, limbs_of, minus, negated, pack,
    plus, product, reduce, square, unpack,
};
use vector::{V, columns_of_rows, rows_of_columns, transpose};
use zeroize::Zeroize;

/// Integers modulo `Q` in `GROUPS` times eight lanes.
#[derive(Debug)]
pub struct Ifma5x52<Q, const GROUPS: usize>(Ifma, PhantomData<Q>);

/// secp256k1's field in `GROUPS` times eight lanes.
pub type IfmaField<const GROUPS: usize> = Ifma5x52<FieldPrime, GROUPS>;
/// Scalars modulo the order of secp256k1's group in `GROUPS` times eight lanes.
pub type IfmaOrder<const GROUPS: usize> = Ifma5x52<GroupOrder, GROUPS>;
/// The field in eight lanes.
pub type Ifma8 = IfmaField<1>;
/// The field in 16 lanes.
pub type Ifma16 = IfmaField<2>;
/// The field in 24 lanes.
pub type Ifma24 = IfmaField<3>;

impl<Q, const GROUPS: usize> Clone for Ifma5x52<Q, GROUPS> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<Q, const GROUPS: usize> Copy for Ifma5x52<Q, GROUPS> {}

impl<Q, const GROUPS: usize> Ifma5x52<Q, GROUPS> {
    /// The backend on a CPU that has the features.
    #[inline(always)]
    #[must_use]
    pub const fn new(token: Ifma) -> Self {
        const { assert!(GROUPS >= 1 && GROUPS <= 4, "a mask has 32 bits") }
        Self(token, PhantomData)
    }
}

/// Five limbs a lane, radix 2^52, group by group: at most `M` times those of a product.
#[derive(Clone, Copy)]
pub struct Element<const GROUPS: usize, const M: u32>([V5; GROUPS]);

impl<const GROUPS: usize, const M: u32> Zeroize for Element<GROUPS, M> {
    #[inline(always)]
    fn zeroize(&mut self) {
        for g in 0..GROUPS {
            for i in 0..5 {
                self.0[g][i].zeroize();
            }
        }
    }
}

/// A new element from an expression for group `$g`, written in its place.
macro_rules! groups {
    ($groups:ident, |$g:ident| $limbs:expr) => {{
        let mut element = MaybeUninit::<Element<$groups, _>>::uninit();
        let place = element.as_mut_ptr().cast::<V5>();
        for $g in 0..$groups {
            let limbs: V5 = $limbs;
            // SAFETY: an element is GROUPS times five limbs, and $g is below GROUPS.
            unsafe { place.add($g).write(limbs) }
        }
        // SAFETY: every group is written.
        unsafe { element.assume_init() }
    }};
}

/// The bits of a group in a mask.
#[inline(always)]
const fn of_group(mask: Mask, g: usize) -> u8 {
    (mask.0 >> (8 * g)) as u8
}

/// A group's bits in their place.
#[inline(always)]
const fn to_group(bits: u8, g: usize) -> u32 {
    (bits as u32) << (8 * g)
}

/// Runs a task with the features.
///
/// # Safety
/// The CPU has them.
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma,avx2,bmi2,adx")]
#[inline(never)]
unsafe fn with_features<T: Task>(task: T) -> T::Out {
    task.run()
}

/// Keeps a task's code in one place. Without features itself: the compiler drops `inline(never)` from a function that has some
/// and is called through inlined ones that have none.
#[inline(never)]
fn outlined<T: Task>(_: Ifma, task: T) -> T::Out {
    // SAFETY: the token proves the features.
    unsafe { with_features(task) }
}

impl<Q: Prime<Words = [u64; 4]>, const GROUPS: usize> FieldOps for Ifma5x52<Q, GROUPS> {
    type Prime = Q;
    type El<const M: u32> = Element<GROUPS, M>;
    const LANES: usize = 8 * GROUPS;
    const MUL_MAX: u32 = 1;

    #[inline(always)]
    fn outline<T: Task>(self, task: T) -> T::Out {
        outlined(self.0, task)
    }

    #[inline(always)]
    fn constant(self, c: &[u64; 4]) -> Element<GROUPS, 1> {
        let c = limbs_of(c);
        let limbs = [
            V::all(self.0, c[0]),
            V::all(self.0, c[1]),
            V::all(self.0, c[2]),
            V::all(self.0, c[3]),
            V::all(self.0, c[4]),
        ];
        groups!(GROUPS, |_g| limbs)
    }

    #[inline(always)]
    fn load(self, lanes: &[[u64; 4]]) -> Element<GROUPS, 1> {
        let (pairs, _) = lanes[..8 * GROUPS].as_flattened().as_chunks::<8>();
        groups!(GROUPS, |g| {
            let rows = [
                V::new(self.0, &pairs[4 * g]),
                V::new(self.0, &pairs[4 * g + 1]),
                V::new(self.0, &pairs[4 * g + 2]),
                V::new(self.0, &pairs[4 * g + 3]),
            ];
            unpack(self.0, &columns_of_rows(self.0, rows))
        })
    }

    #[inline(always)]
    fn load_to(self, x: &mut Element<GROUPS, 1>, y: &mut Element<GROUPS, 1>, rows: &[Row<[u64; 4]>], at: &[u32]) {
        let at = &at[..8 * GROUPS];
        for g in 0..GROUPS {
            let mut lanes = [V::all(self.0, 0); 8];
            for l in 0..8 {
                lanes[l] = V::row(self.0, &rows[at[8 * g + l] as usize]);
            }
            let [x0, x1, x2, x3, y0, y1, y2, y3] = transpose(lanes);
            x.0[g] = unpack(self.0, &[x0, x1, x2, x3]);
            y.0[g] = unpack(self.0, &[y0, y1, y2, y3]);
        }
    }

    #[inline(always)]
    fn lookup_to(self, x: &mut Element<GROUPS, 1>, y: &mut Element<GROUPS, 1>, rows: &[Row<[u64; 4]>], at: &[u32]) {
        let at = &at[..8 * GROUPS];
        for g in 0..GROUPS {
            let mut wanted = [0; 8];
            for l in 0..8 {
                wanted[l] = u64::from(at[8 * g + l]);
            }
            let wanted = V::new(self.0, &wanted);
            let [mut wx, mut wy] = [[V::all(self.0, 0); 4]; 2];
            for (i, row) in (0u64..).zip(rows) {
                let here = wanted.is(V::all(self.0, i));
                for j in 0..4 {
                    wx[j] = wx[j].set(here, row.x[j]);
                    wy[j] = wy[j].set(here, row.y[j]);
                }
            }
            x.0[g] = unpack(self.0, &wx);
            y.0[g] = unpack(self.0, &wy);
        }
    }

    #[inline(always)]
    fn lookup_lanes_to(self, x: &mut Element<GROUPS, 1>, y: &mut Element<GROUPS, 1>, table: &[Column], at: &[u32]) {
        let (entries, _) = table.as_chunks::<8>();
        let (at, _) = at[..8 * GROUPS].as_chunks::<8>();
        for g in 0..GROUPS {
            let wanted = V::from_u32(self.0, &at[g]);
            let [mut wx, mut wy] = [[V::all(self.0, 0); 4]; 2];
            for (i, entry) in (0u64..).zip(entries) {
                let here = wanted.is(V::all(self.0, i));
                for j in 0..4 {
                    wx[j] = wx[j].set_from(here, &entry[j]);
                    wy[j] = wy[j].set_from(here, &entry[4 + j]);
                }
            }
            x.0[g] = unpack(self.0, &wx);
            y.0[g] = unpack(self.0, &wy);
        }
    }

    #[inline(always)]
    fn store<const A: u32>(self, a: &Element<GROUPS, A>, lane: usize) -> [u64; 4] {
        const { assert!(A <= MAX, "the limbs overflow") }
        let words = pack(&canonical::<Q, A>(self.0, &a.0[lane / 8]));
        let mut lane_words = [0; 4];
        for i in 0..4 {
            lane_words[i] = words[i].words()[lane % 8];
        }
        lane_words
    }

    #[inline(always)]
    fn store_all<const A: u32>(self, a: &Element<GROUPS, A>, out: &mut [[u64; 4]]) {
        const { assert!(A <= MAX, "the limbs overflow") }
        let (pairs, _) = out[..8 * GROUPS].as_flattened_mut().as_chunks_mut::<8>();
        for g in 0..GROUPS {
            let rows = rows_of_columns(self.0, pack(&canonical::<Q, A>(self.0, &a.0[g])));
            for i in 0..4 {
                rows[i].store(&mut pairs[4 * g + i]);
            }
        }
    }

    #[inline(always)]
    fn store_rows(self, x: &Element<GROUPS, 1>, y: &Element<GROUPS, 1>, rows: &mut [Row<[u64; 4]>], at: &[u32]) {
        for (g, at) in at.chunks(8).enumerate().take(GROUPS) {
            let [x0, x1, x2, x3] = pack(&canonical::<Q, 1>(self.0, &x.0[g]));
            let [y0, y1, y2, y3] = pack(&canonical::<Q, 1>(self.0, &y.0[g]));
            let lanes = transpose([x0, x1, x2, x3, y0, y1, y2, y3]);
            for (l, at) in at.iter().enumerate() {
                lanes[l].to_row(&mut rows[*at as usize]);
            }
        }
    }

    #[inline(always)]
    fn add<const A: u32, const B: u32, const R: u32>(
        self,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
    ) -> Element<GROUPS, R> {
        const { assert!(A + B <= R && R <= MAX, "A + B <= R: the sum is larger than its type") }
        groups!(GROUPS, |g| {
            let (a, b) = (limbs::<A>(self.0, &a.0[g]), limbs::<B>(self.0, &b.0[g]));
            [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]]
        })
    }

    #[inline(always)]
    fn sub<const A: u32, const B: u32, const R: u32>(
        self,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
    ) -> Element<GROUPS, R> {
        const { assert!(A + 2 * B <= R && R <= MAX, "A + 2B <= R: the difference is larger than its type") }
        groups!(GROUPS, |g| {
            let (a, b) = (limbs::<A>(self.0, &a.0[g]), minus::<Q, B>(self.0, &b.0[g]));
            [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]]
        })
    }

    #[inline(always)]
    fn times<const K: u32, const A: u32, const R: u32>(self, a: &Element<GROUPS, A>) -> Element<GROUPS, R> {
        const { assert!(K * A <= R && R <= MAX, "K·A <= R: the multiple is larger than its type") }
        groups!(GROUPS, |g| {
            let a = limbs::<A>(self.0, &a.0[g]);
            [
                a[0].times::<K>(self.0),
                a[1].times::<K>(self.0),
                a[2].times::<K>(self.0),
                a[3].times::<K>(self.0),
                a[4].times::<K>(self.0),
            ]
        })
    }

    #[inline(always)]
    fn times_small(self, k: u32, a: &Element<GROUPS, 1>) -> Element<GROUPS, 32> {
        groups!(GROUPS, |g| {
            let (a, k) = (limbs::<1>(self.0, &a.0[g]), V::all(self.0, u64::from(k)));
            [a[0].times_words(k), a[1].times_words(k), a[2].times_words(k), a[3].times_words(k), a[4].times_words(k)]
        })
    }

    #[inline(always)]
    fn carry<const A: u32>(self, a: &Element<GROUPS, A>) -> Element<GROUPS, 1> {
        const { assert!(A <= MAX, "the limbs overflow") }
        groups!(GROUPS, |g| carried::<Q, A>(self.0, &a.0[g]))
    }

    #[inline(always)]
    fn select_to(self, r: &mut Element<GROUPS, 1>, keep: Mask, other: &Element<GROUPS, 1>) {
        for g in 0..GROUPS {
            for i in 0..5 {
                r.0[g][i] = r.0[g][i].select(of_group(keep, g), other.0[g][i]);
            }
        }
    }

    #[inline(always)]
    fn rotate(self, a: &Element<GROUPS, 1>, by: usize) -> Element<GROUPS, 1> {
        let (groups, lanes) = (by / 8, (by % 8) as u64);
        let from = V::new(self.0, &[0, 1, 2, 3, 4, 5, 6, 7]) + V::all(self.0, lanes);
        groups!(GROUPS, |g| {
            let (a, b) = (&a.0[(g + groups) % GROUPS], &a.0[(g + groups + 1) % GROUPS]);
            [
                V::pick(from, a[0], b[0]),
                V::pick(from, a[1], b[1]),
                V::pick(from, a[2], b[2]),
                V::pick(from, a[3], b[3]),
                V::pick(from, a[4], b[4]),
            ]
        })
    }

    #[inline(always)]
    fn negate_in(self, a: &mut Element<GROUPS, 1>, negative: Mask) {
        for g in 0..GROUPS {
            let minus = carried::<Q, 2>(self.0, &minus::<Q, 1>(self.0, &a.0[g]));
            for i in 0..5 {
                a.0[g][i] = minus[i].select(of_group(negative, g), a.0[g][i]);
            }
        }
    }

    #[inline(always)]
    fn is_zero(self, a: &Element<GROUPS, 1>) -> Mask {
        let q = const { Fold::<Q>::Q };
        let mut mask = 0;
        for g in 0..GROUPS {
            let a = limbs::<1>(self.0, &a.0[g]);
            let mut is_q = a[0] ^ V::all(self.0, q[0]);
            for i in 1..5 {
                is_q = is_q | a[i] ^ V::all(self.0, q[i]);
            }
            let is_0 = a[0] | a[1] | (a[2] | a[3]) | a[4];
            mask |= to_group(is_0.is_zero() | is_q.is_zero(), g);
        }
        Mask(mask)
    }

    #[inline(always)]
    fn is_odd(self, a: &Element<GROUPS, 1>) -> Mask {
        let mut mask = 0;
        for g in 0..GROUPS {
            mask |= to_group(canonical::<Q, 1>(self.0, &a.0[g])[0].has(V::all(self.0, 1)), g);
        }
        Mask(mask)
    }

    #[inline(always)]
    fn mul_k<const K: u32, const A: u32, const B: u32>(
        self,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
    ) -> Element<GROUPS, 1> {
        const { assert!(A <= 1 && B <= 1, "carry before multiplying") }
        const { assert!(K <= 4, "the multiple's columns overflow") }
        groups!(GROUPS, |g| reduce::<Q, K>(self.0, &product(self.0, &a.0[g], &b.0[g])))
    }

    #[inline(always)]
    fn sqr_k<const K: u32, const A: u32>(self, a: &Element<GROUPS, A>) -> Element<GROUPS, 1> {
        const { assert!(A <= 1, "carry before squaring") }
        const { assert!(K <= 4, "the multiple's columns overflow") }
        groups!(GROUPS, |g| reduce::<Q, K>(self.0, &square(self.0, &a.0[g])))
    }

    #[inline(always)]
    fn mul_sub<const A: u32, const B: u32>(
        self,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
        c: &Element<GROUPS, 1>,
    ) -> Element<GROUPS, 1> {
        const { assert!(A <= 1 && B <= 1, "carry before multiplying") }
        groups!(GROUPS, |g| {
            let minus_c = columns(self.0, &minus::<Q, 1>(self.0, &c.0[g]));
            reduce::<Q, 1>(self.0, &add_product(minus_c, &a.0[g], &b.0[g]))
        })
    }

    #[inline(always)]
    fn mul_add<const A: u32, const B: u32>(
        self,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
        c: &Element<GROUPS, 1>,
    ) -> Element<GROUPS, 1> {
        const { assert!(A <= 1 && B <= 1, "carry before multiplying") }
        groups!(GROUPS, |g| {
            let c = columns(self.0, &limbs::<1>(self.0, &c.0[g]));
            reduce::<Q, 1>(self.0, &add_product(c, &a.0[g], &b.0[g]))
        })
    }

    #[inline(always)]
    fn sqr_sub<const A: u32, const C: u32>(self, a: &Element<GROUPS, A>, c: &Element<GROUPS, C>) -> Element<GROUPS, 1> {
        const { assert!(A <= 1 && C <= 3, "carry before squaring") }
        groups!(GROUPS, |g| self.sqr_sub_group::<C>(&a.0[g], &c.0[g]))
    }

    #[inline(always)]
    fn mul_add_mul<const A: u32, const B: u32, const C: u32, const D: u32>(
        self,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
        c: &Element<GROUPS, C>,
        d: &Element<GROUPS, D>,
    ) -> Element<GROUPS, 1> {
        const { assert!(A <= 1 && B <= 1 && C <= 1 && D <= 1, "carry before multiplying") }
        groups!(GROUPS, |g| {
            let cd = product(self.0, &c.0[g], &d.0[g]);
            reduce::<Q, 1>(self.0, &add_product(cd, &a.0[g], &b.0[g]))
        })
    }

    #[inline(always)]
    fn mul_sub_mul<const A: u32, const B: u32, const C: u32, const D: u32>(
        self,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
        c: &Element<GROUPS, C>,
        d: &Element<GROUPS, D>,
    ) -> Element<GROUPS, 1> {
        const { assert!(A <= 1 && B <= 1 && C <= 1 && D <= 1, "carry before multiplying") }
        groups!(GROUPS, |g| self.mul_sub_mul_group(&a.0[g], &b.0[g], &c.0[g], &d.0[g]))
    }

    #[inline(always)]
    fn mul_sub_2sqr<const A: u32, const B: u32, const C: u32>(
        self,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
        c: &Element<GROUPS, C>,
    ) -> Element<GROUPS, 1> {
        const { assert!(A <= 1 && B <= 1 && C <= 1, "carry before multiplying") }
        groups!(GROUPS, |g| self.mul_sub_2sqr_group(&a.0[g], &b.0[g], &c.0[g]))
    }

    #[inline(always)]
    fn mul_k_to<const K: u32, const A: u32, const B: u32>(
        self,
        r: &mut Element<GROUPS, 1>,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
    ) {
        const { assert!(A <= 1 && B <= 1, "carry before multiplying") }
        const { assert!(K <= 4, "the multiple's columns overflow") }
        for g in 0..GROUPS {
            r.0[g] = reduce::<Q, K>(self.0, &product(self.0, &a.0[g], &b.0[g]));
        }
    }

    #[inline(always)]
    fn sqr_sub_to<const A: u32, const C: u32>(
        self,
        r: &mut Element<GROUPS, 1>,
        a: &Element<GROUPS, A>,
        c: &Element<GROUPS, C>,
    ) {
        const { assert!(A <= 1 && C <= 3, "carry before squaring") }
        for g in 0..GROUPS {
            r.0[g] = self.sqr_sub_group::<C>(&a.0[g], &c.0[g]);
        }
    }

    #[inline(always)]
    fn mul_sub_mul_to<const A: u32, const B: u32, const C: u32, const D: u32>(
        self,
        r: &mut Element<GROUPS, 1>,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
        c: &Element<GROUPS, C>,
        d: &Element<GROUPS, D>,
    ) {
        const { assert!(A <= 1 && B <= 1 && C <= 1 && D <= 1, "carry before multiplying") }
        for g in 0..GROUPS {
            r.0[g] = self.mul_sub_mul_group(&a.0[g], &b.0[g], &c.0[g], &d.0[g]);
        }
    }

    #[inline(always)]
    fn mul_sub_2sqr_to<const A: u32, const B: u32, const C: u32>(
        self,
        r: &mut Element<GROUPS, 1>,
        a: &Element<GROUPS, A>,
        b: &Element<GROUPS, B>,
        c: &Element<GROUPS, C>,
    ) {
        const { assert!(A <= 1 && B <= 1 && C <= 1, "carry before multiplying") }
        for g in 0..GROUPS {
            r.0[g] = self.mul_sub_2sqr_group(&a.0[g], &b.0[g], &c.0[g]);
        }
    }
}

/// A group's part of the fused operations.
impl<Q: Prime<Words = [u64; 4]>, const GROUPS: usize> Ifma5x52<Q, GROUPS> {
    /// a² − c.
    #[inline(always)]
    fn sqr_sub_group<const C: u32>(self, a: &V5, c: &V5) -> V5 {
        reduce::<Q, 1>(self.0, &plus(&square(self.0, a), &minus::<Q, C>(self.0, c)))
    }

    /// a·b − c·d.
    #[inline(always)]
    fn mul_sub_mul_group(self, a: &V5, b: &V5, c: &V5, d: &V5) -> V5 {
        let minus_cd = negated::<Q>(self.0, &product(self.0, c, d));
        reduce::<Q, 1>(self.0, &add_product(minus_cd, a, b))
    }

    /// a·b − 2c².
    #[inline(always)]
    fn mul_sub_2sqr_group(self, a: &V5, b: &V5, c: &V5) -> V5 {
        let minus_2cc = negated::<Q>(self.0, &doubled(&square(self.0, c)));
        reduce::<Q, 1>(self.0, &add_product(minus_2cc, a, b))
    }
}

impl<Q: Prime<Words = [u64; 4]>, const GROUPS: usize> Inspect for Ifma5x52<Q, GROUPS> {
    const LIMBS: usize = 5;
    const LIMB_BITS: u32 = 52;
    fn limb_limit(self, m: u32, i: usize) -> u64 {
        u64::from(m) * if i < 4 { LOW_52 } else { (1 << 48) + (1 << 12) }
    }
    fn limb<const M: u32>(self, a: &Element<GROUPS, M>, lane: usize, i: usize) -> u64 {
        let word = a.0[lane / 8][i].words()[lane % 8];
        if M == 1 && i < 4 { word & LOW_52 } else { word }
    }
    fn with_limbs<const M: u32>(self, limbs: impl Fn(usize) -> u64) -> Element<GROUPS, M> {
        Element([[0, 1, 2, 3, 4].map(|i| V::all(self.0, limbs(i))); GROUPS])
    }
}
