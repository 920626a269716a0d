//! The kernels in plain Rust: what an assembly kernel computes, for any CPU, and what it is tested against.
//!
//! Signatures and results are those of the x86-64 kernels without their token, congruent mod p = 2^256 − c, not always the same
//! representative. Elements are any number below 2^256; c is odd and below 2^62.

mod almost_blocks;
mod almost_lanes;
mod divsteps;
mod mont;
mod words;

pub use almost_blocks::{Blocks, MAX_BLOCKS, block_words, mul_almost_blocks_portable, sqr_almost_blocks_portable};
pub use almost_lanes::{LaneDigits, Lanes, mul_almost_lanes_portable};
pub use divsteps::divsteps_packed_portable;
pub use mont::{Mont, mul_mont_2_portable, mul_mont_portable, neg_inverse, sqr_times_mont_portable};
pub use words::{
    mul_low_words_portable, mul_words_portable, redc_words_portable, sqr_words_portable, sub_mul_words_portable,
};

use crate::Row;
use crate::kernel::{barrier, check_c};
use crate::limbs::{self, mul_add_carry, sub_borrow};

/// a + b + carry and the carry out, as a flag: what compilers turn into one add-with-carry.
#[inline(always)]
const fn add(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (r, c) = a.overflowing_add(b);
    let (r, d) = r.overflowing_add(carry as u64);
    (r, c | d)
}

/// a − b − borrow and the borrow out.
#[inline(always)]
const fn sub(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (r, c) = a.overflowing_sub(b);
    let (r, d) = r.overflowing_sub(borrow as u64);
    (r, c | d)
}

/// `c` if `carry`, else 0. The barrier keeps compilers from branching on the carry: without it they did in lanes, where k·G for a
/// secret k runs through it.
#[inline(always)]
fn if_carry(c: u64, carry: bool) -> u64 {
    c & barrier((carry as u64).wrapping_neg())
}

/// a + low + 2^64 high mod p, high below 2^62.
#[inline(always)]
fn add_low<const C: u64>(a: &[u64; 4], low: u64, high: u64) -> [u64; 4] {
    let (r0, carry) = a[0].overflowing_add(low);
    let (r1, carry) = add(a[1], high, carry);
    let (r2, carry) = add(a[2], 0, carry);
    let (r3, carry) = add(a[3], 0, carry);
    // After a carry r is below 2^126.
    let (r0, carry) = r0.overflowing_add(if_carry(C, carry));
    [r0, r1 + carry as u64, r2, r3]
}

/// Eight words mod p: the upper half times c, then the fifth word of that times c.
#[inline(always)]
fn fold<const C: u64>(t: &[u64; 8]) -> [u64; 4] {
    let (mut r, mut above) = ([0; 4], 0);
    for i in 0..4 {
        (r[i], above) = mul_add_carry(t[i], t[i + 4], C, above);
    }
    let (low, high) = mul_add_carry(0, above, C, 0);
    add_low::<C>(&r, low, high)
}

/// a·b mod 2^256 − C. 16 + 5 word products.
#[inline(always)]
#[must_use]
pub fn mul_fold_4_portable<const C: u64>(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let mut t = [0; 8];
    for i in 0..4 {
        let mut carry = 0;
        for j in 0..4 {
            (t[i + j], carry) = mul_add_carry(t[i + j], a[j], b[i], carry);
        }
        t[i + 4] = carry;
    }
    fold::<C>(&t)
}

/// a² mod 2^256 − C. 10 + 5 word products.
#[inline(always)]
#[must_use]
pub fn sqr_fold_4_portable<const C: u64>(a: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let mut t = [0; 8];
    // Σ_{i<j} aᵢ aⱼ 2^(64 (i + j))
    for i in 0..3 {
        let mut carry = 0;
        for j in i + 1..4 {
            (t[i + j], carry) = mul_add_carry(t[i + j], a[j], a[i], carry);
        }
        t[i + 4] = carry;
    }
    // twice that
    let mut carry = false;
    for word in &mut t[1..] {
        (*word, carry) = add(*word, *word, carry);
    }
    // plus aᵢ² 2^(128 i)
    carry = false;
    for i in 0..4 {
        let (low, high) = mul_add_carry(0, a[i], a[i], 0);
        (t[2 * i], carry) = add(t[2 * i], low, carry);
        (t[2 * i + 1], carry) = add(t[2 * i + 1], high, carry);
    }
    fold::<C>(&t)
}

/// a^(2^times) mod 2^256 − C. Vartime in `times`.
#[inline]
#[must_use]
pub fn sqr_times_fold_4_portable<const C: u64>(a: &[u64; 4], times: u32) -> [u64; 4] {
    (0..times).fold(*a, |a, _| sqr_fold_4_portable::<C>(&a))
}

/// a + b mod 2^256 − C.
#[inline(always)]
#[must_use]
pub fn add_fold_4_portable<const C: u64>(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let (mut r, mut carry) = ([0; 4], false);
    for i in 0..4 {
        (r[i], carry) = add(a[i], b[i], carry);
    }
    add_below_c::<C>(r, carry)
}

/// r + c for a carry, and once more for the carry of that, which leaves r below c.
#[inline(always)]
fn add_below_c<const C: u64>(mut r: [u64; 4], mut carry: bool) -> [u64; 4] {
    (r[0], carry) = r[0].overflowing_add(if_carry(C, carry));
    for word in &mut r[1..] {
        (*word, carry) = word.overflowing_add(carry as u64);
    }
    r[0] = r[0].wrapping_add(if_carry(C, carry));
    r
}

/// a − b mod 2^256 − C.
#[inline(always)]
#[must_use]
pub fn sub_fold_4_portable<const C: u64>(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let (mut r, mut borrow) = ([0; 4], false);
    for i in 0..4 {
        (r[i], borrow) = sub(a[i], b[i], borrow);
    }
    // A borrow is 2^256 too much, so c; a second one leaves at least 2^256 − c.
    (r[0], borrow) = r[0].overflowing_sub(if_carry(C, borrow));
    for word in &mut r[1..] {
        (*word, borrow) = word.overflowing_sub(borrow as u64);
    }
    r[0] = r[0].wrapping_sub(if_carry(C, borrow));
    r
}

/// K·a mod 2^256 − C, K·C below 2^63.
#[inline(always)]
#[must_use]
pub fn times_fold_4_portable<const C: u64, const K: u32>(a: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    const { assert!((K as u128 * C as u128) >> 63 == 0, "the fifth word times c is one word") }
    let (mut r, mut above) = ([0; 4], 0);
    for i in 0..4 {
        (r[i], above) = mul_add_carry(0, a[i], K as u64, above);
    }
    add_low::<C>(&r, above * C, 0)
}

/// a/2 mod 2^256 − C.
#[inline(always)]
#[must_use]
pub fn half_fold_4_portable<const C: u64>(a: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let odd = barrier((a[0] & 1).wrapping_neg());
    // For an odd a: (a + 2^256 − c)/2 = (2^256 + a − 1)/2 − (c − 1)/2.
    let (mut r, mut borrow) = ([0; 4], odd & C >> 1);
    for i in 0..4 {
        let above = if i < 3 { a[i + 1] } else { odd };
        (r[i], borrow) = sub_borrow(a[i] >> 1 | above << 63, borrow, 0);
    }
    r
}

/// (X, Y, Z) becomes 2·(X, Y, Z) on y² = x³ + b in Jacobian coordinates: L = 3X²/2, S = Y², T = X·S;
/// X₃ = L² − 2T, Y₃ = L·(T − X₃) − S², Z₃ = Y·Z.
#[inline(never)]
pub fn double_jacobian_fold_4_portable<const C: u64>(x: &mut [u64; 4], y: &mut [u64; 4], z: &mut [u64; 4]) {
    let (mul, sqr) = (mul_fold_4_portable::<C>, sqr_fold_4_portable::<C>);
    let (add, sub) = (add_fold_4_portable::<C>, sub_fold_4_portable::<C>);
    let s = sqr(y);
    let xx = sqr(x);
    let l = add(&xx, &half_fold_4_portable::<C>(&xx));
    let t = mul(x, &s);
    *z = mul(y, z);
    *x = sub(&sqr(&l), &add(&t, &t));
    *y = sub(&mul(&l, &sub(&t, x)), &sqr(&s));
}

/// (X, Y, Z) becomes (X, Y, Z) + (qx, qy), incomplete: H = qx·Z² − X, R = qy·Z³ − Y, V = X·H²;
/// X₃ = R² − H³ − 2V, Y₃ = R·(V − X₃) − Y·H³, Z₃ = Z·H.
#[inline(never)]
pub fn add_mixed_jacobian_fold_4_portable<const C: u64>(
    x: &mut [u64; 4],
    y: &mut [u64; 4],
    z: &mut [u64; 4],
    qx: &[u64; 4],
    qy: &[u64; 4],
) {
    let (mul, sqr) = (mul_fold_4_portable::<C>, sqr_fold_4_portable::<C>);
    let (add, sub) = (add_fold_4_portable::<C>, sub_fold_4_portable::<C>);
    let zz = sqr(z);
    let h = sub(&mul(qx, &zz), x);
    let r = sub(&mul(qy, &mul(z, &zz)), y);
    let hh = sqr(&h);
    let hhh = mul(&h, &hh);
    let v = mul(x, &hh);
    *z = mul(z, &h);
    *x = sub(&sqr(&r), &add(&hhh, &add(&v, &v)));
    *y = sub(&mul(&r, &sub(&v, x)), &mul(y, &hhh));
}

/// `rows[at]`, every row read whatever `at` says; zero where `at` is outside.
#[inline]
#[must_use]
pub fn lookup_row_4_portable(rows: &[Row<[u64; 4]>], at: u32) -> Row<[u64; 4]> {
    let mut r = Row { x: [0; 4], y: [0; 4] };
    for (i, row) in (0u64..).zip(rows) {
        // Both are below 2^32, so only from equal ones does the subtraction of one borrow.
        let chosen = barrier(((i ^ u64::from(at)).wrapping_sub(1) >> 63).wrapping_neg());
        for j in 0..4 {
            r.x[j] |= row.x[j] & chosen;
            r.y[j] |= row.y[j] & chosen;
        }
    }
    r
}

/// `a` where `keep` is not zero, `b` where it is.
#[inline]
#[must_use]
pub fn select_4_portable(keep: u64, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    limbs::select(limbs::is_zero_mask(&[keep]), a, b)
}
