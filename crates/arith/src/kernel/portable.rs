//! The kernels in plain Rust: what an assembly kernel computes, for any CPU, and what it is tested against.
//!
//! Signatures and results are those of the x86-64 kernels without their token, congruent mod p = 2^256 − c, not always the same
//! representative. Elements are any number below 2^256; c is odd and below 2^62.

mod divsteps;

pub use divsteps::divsteps_packed_portable;

use crate::Row;
use crate::kernel::{barrier, check_c};
use crate::limbs::{self, add_carry, mul_add_carry, sub_borrow};

/// (a₀, …, a₃) + 2^256·above mod p; `above`·c below 2^126.
#[inline(always)]
fn fold_word<const C: u64>(a: &[u64; 4], above: u64) -> [u64; 4] {
    let mut r = *a;
    let (low, high) = mul_add_carry(0, above, C, 0);
    let mut carry;
    (r[0], carry) = add_carry(r[0], low, 0);
    (r[1], carry) = add_carry(r[1], high, carry);
    (r[2], carry) = add_carry(r[2], 0, carry);
    (r[3], carry) = add_carry(r[3], 0, carry);
    // After a carry r is below 2^126.
    (r[0], carry) = add_carry(r[0], C & carry.wrapping_neg(), 0);
    r[1] += carry;
    r
}

/// Eight words mod p.
#[inline(always)]
fn fold<const C: u64>(t: &[u64; 8]) -> [u64; 4] {
    let (mut r, mut above) = ([0; 4], 0);
    for i in 0..4 {
        (r[i], above) = mul_add_carry(t[i], t[i + 4], C, above);
    }
    fold_word::<C>(&r, above)
}

/// a·b mod 2^256 − C.
#[inline]
#[must_use]
pub fn mul_fold_4_portable<const C: u64>(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let mut t = [0; 8];
    for i in 0..4 {
        let mut carry = 0;
        for j in 0..4 {
            // t + a·b + carry fits two words: (2^64 − 1)² + 2 (2^64 − 1) = 2^128 − 1.
            (t[i + j], carry) = mul_add_carry(t[i + j], a[j], b[i], carry);
        }
        t[i + 4] = carry;
    }
    fold::<C>(&t)
}

/// a² mod 2^256 − C.
#[inline]
#[must_use]
pub fn sqr_fold_4_portable<const C: u64>(a: &[u64; 4]) -> [u64; 4] {
    mul_fold_4_portable::<C>(a, a)
}

/// a^(2^times) mod 2^256 − C. Vartime in `times`.
#[inline]
#[must_use]
pub fn sqr_times_fold_4_portable<const C: u64>(a: &[u64; 4], times: u32) -> [u64; 4] {
    (0..times).fold(*a, |a, _| sqr_fold_4_portable::<C>(&a))
}

/// a + b mod 2^256 − C.
#[inline]
#[must_use]
pub fn add_fold_4_portable<const C: u64>(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let (sum, carry) = limbs::add(a, b);
    fold_word::<C>(&sum, carry)
}

/// a − b mod 2^256 − C.
#[inline]
#[must_use]
pub fn sub_fold_4_portable<const C: u64>(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let (mut r, mut borrow) = limbs::sub(a, b);
    // A borrow is 2^256 too much, so c; a second one leaves at least 2^256 − c.
    for _ in 0..2 {
        (r, borrow) = limbs::sub(&r, &[C & borrow.wrapping_neg(), 0, 0, 0]);
    }
    r
}

/// K·a mod 2^256 − C, K·C below 2^63.
#[inline]
#[must_use]
pub fn times_fold_4_portable<const C: u64, const K: u32>(a: &[u64; 4]) -> [u64; 4] {
    const { check_c(C) }
    let (mut r, mut above) = ([0; 4], 0);
    for i in 0..4 {
        (r[i], above) = mul_add_carry(0, a[i], K as u64, above);
    }
    fold_word::<C>(&r, above)
}

/// a/2 mod 2^256 − C.
#[inline]
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
pub fn double_jacobian_fold_4_portable<const C: u64>(x: &mut [u64; 4], y: &mut [u64; 4], z: &mut [u64; 4]) {
    let (mul, sub) = (mul_fold_4_portable::<C>, sub_fold_4_portable::<C>);
    let s = mul(y, y);
    let l = half_fold_4_portable::<C>(&times_fold_4_portable::<C, 3>(&mul(x, x)));
    let t = mul(x, &s);
    *z = mul(y, z);
    *x = sub(&mul(&l, &l), &times_fold_4_portable::<C, 2>(&t));
    *y = sub(&mul(&l, &sub(&t, x)), &mul(&s, &s));
}

/// (X, Y, Z) becomes (X, Y, Z) + (qx, qy), incomplete: H = qx·Z² − X, R = qy·Z³ − Y, V = X·H²;
/// X₃ = R² − H³ − 2V, Y₃ = R·(V − X₃) − Y·H³, Z₃ = Z·H.
pub fn add_mixed_jacobian_fold_4_portable<const C: u64>(
    x: &mut [u64; 4],
    y: &mut [u64; 4],
    z: &mut [u64; 4],
    qx: &[u64; 4],
    qy: &[u64; 4],
) {
    let (mul, sub) = (mul_fold_4_portable::<C>, sub_fold_4_portable::<C>);
    let zz = mul(z, z);
    let h = sub(&mul(qx, &zz), x);
    let r = sub(&mul(qy, &mul(z, &zz)), y);
    let hh = mul(&h, &h);
    let hhh = mul(&h, &hh);
    let v = mul(x, &hh);
    *z = mul(z, &h);
    *x = sub(&sub(&mul(&r, &r), &hhh), &times_fold_4_portable::<C, 2>(&v));
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
