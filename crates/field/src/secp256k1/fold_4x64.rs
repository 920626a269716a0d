//! a mod p = 2^256 − c as any number below 2^256 in four words: one element, on the kernels of an instruction set.
//!
//! Every operation answers below 2^256, so nothing grows: `El<M>` is the same for all M, [`FieldOps::carry`] is free and a
//! product accepts everything. 0 has two representatives, 0 and p; the numbers below c have two as well.

use super::FieldPrime;
use crate::ops_verify::Inspect;
use crate::{FieldOps, Mask, Prime, Row, Task};
use arith::kernel::barrier;
use arith::limbs;
use zeroize::Zeroize;

const P: [u64; 4] = FieldPrime::MODULUS.m;

/// The kernels mod 2^256 − C of one instruction set; see `arith::kernel` for what each computes.
pub trait Kernels: Copy + Send + Sync + 'static {
    /// a·b.
    fn mul(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4];
    /// a².
    fn sqr(self, a: &[u64; 4]) -> [u64; 4];
    /// a^(2^times).
    fn sqr_times(self, a: &[u64; 4], times: u32) -> [u64; 4];
    /// a + b.
    fn add(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4];
    /// a − b.
    fn sub(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4];
    /// K·a.
    fn times<const K: u32>(self, a: &[u64; 4]) -> [u64; 4];
    /// `a` where `keep` is not zero, `b` where it is.
    fn select(self, keep: u64, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4];
    /// `rows[at]` by reading every row.
    fn lookup(self, rows: &[Row<[u64; 4]>], at: u32) -> Row<[u64; 4]>;
    /// (x, y, z) doubled.
    fn double(self, x: &mut [u64; 4], y: &mut [u64; 4], z: &mut [u64; 4]);
    /// (x, y, z) plus (qx, qy).
    fn add_mixed(self, x: &mut [u64; 4], y: &mut [u64; 4], z: &mut [u64; 4], qx: &[u64; 4], qy: &[u64; 4]);
}

/// secp256k1's field on kernels `K`.
#[derive(Clone, Copy, Debug)]
pub struct Fold4x64<K>(pub(super) K);

/// A number below 2^256, whatever `M`.
#[derive(Clone, Copy)]
pub struct Element<const M: u32>([u64; 4]);

impl<const M: u32> Zeroize for Element<M> {
    #[inline]
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// Keeps a task's code in one place.
#[inline(never)]
fn outlined<T: Task>(task: T) -> T::Out {
    task.run()
}

impl<K: Kernels> FieldOps for Fold4x64<K> {
    type Prime = FieldPrime;
    type El<const M: u32> = Element<M>;
    const LANES: usize = 1;
    const MUL_MAX: u32 = u32::MAX;

    #[inline(always)]
    fn outline<T: Task>(self, task: T) -> T::Out {
        outlined(task)
    }

    #[inline(always)]
    fn constant(self, c: &[u64; 4]) -> Element<1> {
        Element(*c)
    }

    #[inline(always)]
    fn load(self, lanes: &[[u64; 4]]) -> Element<1> {
        Element(lanes[0])
    }

    #[inline(always)]
    fn load_to(self, x: &mut Element<1>, y: &mut Element<1>, rows: &[Row<[u64; 4]>], at: &[u32]) {
        let row = &rows[at[0] as usize];
        x.0 = row.x;
        y.0 = row.y;
    }

    #[inline(always)]
    fn lookup_to(self, x: &mut Element<1>, y: &mut Element<1>, rows: &[Row<[u64; 4]>], at: &[u32]) {
        let row = self.0.lookup(rows, at[0]);
        x.0 = row.x;
        y.0 = row.y;
    }

    #[inline(always)]
    fn store<const A: u32>(self, a: &Element<A>, _lane: usize) -> [u64; 4] {
        // a − p < p where that does not borrow.
        let (less_p, borrow) = limbs::sub(&a.0, &P);
        self.0.select(borrow, &a.0, &less_p)
    }

    #[inline(always)]
    fn residue<const A: u32>(self, a: &Element<A>, _lane: usize) -> [u64; 4] {
        a.0
    }

    #[inline(always)]
    fn add<const A: u32, const B: u32, const R: u32>(self, a: &Element<A>, b: &Element<B>) -> Element<R> {
        const { assert!(A + B <= R, "A + B <= R: the sum is larger than its type") }
        Element(self.0.add(&a.0, &b.0))
    }

    #[inline(always)]
    fn sub<const A: u32, const B: u32, const R: u32>(self, a: &Element<A>, b: &Element<B>) -> Element<R> {
        const { assert!(A + 2 * B <= R, "A + 2B <= R: the difference is larger than its type") }
        Element(self.0.sub(&a.0, &b.0))
    }

    #[inline(always)]
    fn times<const N: u32, const A: u32, const R: u32>(self, a: &Element<A>) -> Element<R> {
        const { assert!(N * A <= R, "N·A <= R: the multiple is larger than its type") }
        Element(self.multiple::<N>(a.0))
    }

    #[inline(always)]
    fn carry<const A: u32>(self, a: &Element<A>) -> Element<1> {
        Element(a.0)
    }

    #[inline(always)]
    fn select_to(self, r: &mut Element<1>, keep: Mask, other: &Element<1>) {
        r.0 = self.0.select(u64::from(keep.0 & 1), &r.0, &other.0);
    }

    #[inline(always)]
    fn is_zero(self, a: &Element<1>) -> Mask {
        let [a0, a1, a2, a3] = a.0;
        let zero = limbs::is_zero_mask(&a.0);
        let p = limbs::is_zero_mask(&[a0 ^ P[0], !(a1 & a2 & a3)]);
        Mask((barrier(zero | p) & 1) as u32)
    }

    #[inline(always)]
    fn mul_k<const N: u32, const A: u32, const B: u32>(self, a: &Element<A>, b: &Element<B>) -> Element<1> {
        Element(self.multiple::<N>(self.0.mul(&a.0, &b.0)))
    }

    #[inline(always)]
    fn sqr_k<const N: u32, const A: u32>(self, a: &Element<A>) -> Element<1> {
        Element(self.multiple::<N>(self.0.sqr(&a.0)))
    }

    #[inline(always)]
    fn sqr_times(self, a: &Element<1>, times: u32) -> Element<1> {
        Element(self.0.sqr_times(&a.0, times))
    }

    #[inline(always)]
    fn double_a_zero(self, x: &mut Element<1>, y: &mut Element<1>, z: &mut Element<1>) -> bool {
        self.0.double(&mut x.0, &mut y.0, &mut z.0);
        true
    }

    #[inline(always)]
    fn add_mixed(
        self,
        x: &mut Element<1>,
        y: &mut Element<1>,
        z: &mut Element<1>,
        qx: &Element<1>,
        qy: &Element<1>,
    ) -> bool {
        self.0.add_mixed(&mut x.0, &mut y.0, &mut z.0, &qx.0, &qy.0);
        true
    }
}

impl<K: Kernels> Fold4x64<K> {
    /// N·a: additions up to 2, then a product by one word.
    #[inline(always)]
    fn multiple<const N: u32>(self, a: [u64; 4]) -> [u64; 4] {
        match N {
            1 => a,
            2 => self.0.add(&a, &a),
            _ => self.0.times::<N>(&a),
        }
    }
}

impl<K: Kernels> Inspect for Fold4x64<K> {
    const LIMBS: usize = 4;
    const LIMB_BITS: u32 = 64;
    fn limb_limit(self, _m: u32, _i: usize) -> u64 {
        u64::MAX
    }
    fn limb<const M: u32>(self, a: &Element<M>, _lane: usize, i: usize) -> u64 {
        a.0[i]
    }
    fn with_limbs<const M: u32>(self, limbs: impl Fn(usize) -> u64) -> Element<M> {
        Element([0, 1, 2, 3].map(limbs))
    }
}
