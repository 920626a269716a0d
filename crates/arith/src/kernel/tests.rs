//! Every kernel against the Montgomery oracle and its portable twin: edges × edges, then 10^5 random operands, two primes.

extern crate std;
mod words;

use super::portable as slow;
#[cfg(target_arch = "x86_64")]
use super::x86_64 as fast;
use crate::{Modulus, Row, limbs};
use std::vec::Vec;

/// secp256k1's c, that of the prime 2^256 − 189, and the largest that the kernels accept (an odd modulus, no prime).
const C_SECP: u64 = (1 << 32) + 977;
const C_SMALL: u64 = 189;
const C_LARGE: u64 = (1 << 62) - 1;
const RANDOM: usize = 100_000;
/// The other moduli are for the constants' range.
const RANDOM_OTHER: usize = 10_000;

const fn modulus<const C: u64>() -> Modulus<[u64; 4]> {
    Modulus::new([0u64.wrapping_sub(C), u64::MAX, u64::MAX, u64::MAX])
}

/// A xorshift generator, words of all zeros and all ones among the others.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn words(&mut self) -> [u64; 4] {
        let pattern = self.word();
        [0, 1, 2, 3].map(|i| match pattern >> (60 - 4 * i) & 15 {
            0 => 0,
            1 => u64::MAX,
            _ => self.word(),
        })
    }
}

/// Numbers around 0, c, p and 2^256, those with one word or all but one at an end, and those at √c from p: their squares fold to
/// just below p + c, so to 2^256, and a sum of that carries twice.
fn edges<const C: u64>() -> Vec<[u64; 4]> {
    let p = modulus::<C>().m;
    let mut r = Vec::new();
    for k in 0..4 {
        r.push([k, 0, 0, 0]);
        r.push([C - 2 + k, 0, 0, 0]);
        r.push(limbs::sub(&p, &[k, 0, 0, 0]).0);
        r.push(limbs::add(&p, &[k, 0, 0, 0]).0);
        r.push([u64::MAX - k, u64::MAX, u64::MAX, u64::MAX]);
        let root = C.isqrt() - k;
        r.push(limbs::sub(&p, &[root, 0, 0, 0]).0);
        r.push(limbs::add(&p, &[root, 0, 0, 0]).0);
        let k = k as usize;
        let (mut one, mut hole) = ([0; 4], [u64::MAX; 4]);
        (one[k], hole[k]) = (u64::MAX, 0);
        r.extend([one, hole]);
        one[k] = 1 << 63;
        r.push(one);
    }
    r
}

/// Pairs: edges × edges, then random ones.
fn pairs<const C: u64>() -> impl Iterator<Item = ([u64; 4], [u64; 4])> {
    let e = edges::<C>();
    let mut random = Random(C ^ 0x9E37_79B9_7F4A_7C15);
    let all: Vec<_> = e.iter().flat_map(|&a| e.iter().map(move |&b| (a, b))).collect();
    all.into_iter()
        .chain((0..if C == C_SECP { RANDOM } else { RANDOM_OTHER }).map(move |_| (random.words(), random.words())))
}

/// `r` = `expected` mod p.
#[track_caller]
fn same<const C: u64>(r: &[u64; 4], expected: &[u64; 4], operands: impl std::fmt::Debug) {
    assert_eq!(modulus::<C>().reduce(r), *expected, "from {operands:x?}");
}

fn portable_agrees<const C: u64>() {
    let m = modulus::<C>();
    for (a, b) in pairs::<C>() {
        let (ra, rb) = (m.reduce(&a), m.reduce(&b));
        let eighth = (0..3).fold(ra, |r, _| m.mul(&r, &r));
        same::<C>(&slow::mul_fold_4_portable::<C>(&a, &b), &m.mul(&ra, &rb), (a, b));
        same::<C>(&slow::sqr_fold_4_portable::<C>(&a), &m.mul(&ra, &ra), a);
        same::<C>(&slow::sqr_times_fold_4_portable::<C>(&a, 3), &eighth, a);
        same::<C>(&slow::sqr_times_fold_4_portable::<C>(&a, 0), &ra, a);
        same::<C>(&slow::add_fold_4_portable::<C>(&a, &b), &m.add(&ra, &rb), (a, b));
        same::<C>(&slow::sub_fold_4_portable::<C>(&a, &b), &m.sub(&ra, &rb), (a, b));
        same::<C>(&slow::times_fold_4_portable::<C, 2>(&a), &m.add(&ra, &ra), a);
        let half = m.reduce(&slow::half_fold_4_portable::<C>(&a));
        assert_eq!(m.add(&half, &half), ra, "half of {a:x?}");
    }
}

#[test]
fn portable() {
    portable_agrees::<C_SECP>();
    portable_agrees::<C_SMALL>();
    portable_agrees::<C_LARGE>();
}

#[test]
fn portable_lookup_and_select() {
    let mut random = Random(5);
    let rows: Vec<_> = (0..33).map(|_| Row { x: random.words(), y: random.words() }).collect();
    let zero = Row { x: [0; 4], y: [0; 4] };
    for len in [0, 1, 2, 33] {
        for at in (0..40).chain([u32::MAX]) {
            let expected = rows[..len].get(at as usize).unwrap_or(&zero);
            assert_eq!(slow::lookup_row_4_portable(&rows[..len], at), *expected);
        }
    }
    let (a, b) = (random.words(), random.words());
    assert_eq!(slow::select_4_portable(0, &a, &b), b);
    for keep in [1, 2, 1 << 63, u64::MAX] {
        assert_eq!(slow::select_4_portable(keep, &a, &b), a);
    }
}

/// The whole point operations keep the group law's symmetry: what the portable twin computes is tested as a formula in the
/// curve's crate, here it is the reference.
#[cfg(target_arch = "x86_64")]
fn adx_agrees<const C: u64>(adx: crate::cpu::Adx) {
    let m = modulus::<C>();
    let mut random = Random(C);
    let e = edges::<C>();
    for (n, (a, b)) in pairs::<C>().enumerate() {
        let (ra, rb) = (m.reduce(&a), m.reduce(&b));
        let eighth = (0..3).fold(ra, |r, _| m.mul(&r, &r));
        same::<C>(&fast::mul_fold_4_adx::<C>(adx, &a, &b), &m.mul(&ra, &rb), (a, b));
        same::<C>(&fast::sqr_fold_4_adx::<C>(adx, &a), &m.mul(&ra, &ra), a);
        same::<C>(&fast::sqr_times_fold_4_adx::<C>(adx, &a, 3), &eighth, a);
        same::<C>(&fast::sqr_times_fold_4_adx::<C>(adx, &a, 0), &ra, a);
        same::<C>(&fast::add_fold_4_adx::<C>(adx, &a, &b), &m.add(&ra, &rb), (a, b));
        same::<C>(&fast::sub_fold_4_adx::<C>(adx, &a, &b), &m.sub(&ra, &rb), (a, b));
        let twice = m.add(&ra, &ra);
        same::<C>(&fast::times_fold_4_adx::<C, 2>(adx, &a), &twice, a);
        let half = m.reduce(&fast::half_fold_4_adx::<C>(adx, &a));
        assert_eq!(m.add(&half, &half), ra, "half of {a:x?}");

        // Every third coordinate from the edges: the formulas hold as polynomials, off the curve too.
        let c = if n % 3 == 0 { e[n / 3 % e.len()] } else { random.words() };
        let (mut x, mut y, mut z) = (a, b, c);
        let (mut px, mut py, mut pz) = (a, b, c);
        fast::double_jacobian_fold_4_adx::<C>(adx, &mut x, &mut y, &mut z);
        slow::double_jacobian_fold_4_portable::<C>(&mut px, &mut py, &mut pz);
        same::<C>(&x, &m.reduce(&px), ("double x", a, b, c));
        same::<C>(&y, &m.reduce(&py), ("double y", a, b, c));
        same::<C>(&z, &m.reduce(&pz), ("double z", a, b, c));
        let (qx, qy) = if n % 5 == 0 { (a, random.words()) } else { (random.words(), e[n % e.len()]) };
        let z_one = if n % 2 == 0 { [1, 0, 0, 0] } else { c };
        let (mut x, mut y, mut z) = (a, b, z_one);
        let (mut px, mut py, mut pz) = (a, b, z_one);
        fast::add_mixed_jacobian_fold_4_adx::<C>(adx, &mut x, &mut y, &mut z, &qx, &qy);
        slow::add_mixed_jacobian_fold_4_portable::<C>(&mut px, &mut py, &mut pz, &qx, &qy);
        same::<C>(&x, &m.reduce(&px), ("add x", a, b, z_one, qx, qy));
        same::<C>(&y, &m.reduce(&py), ("add y", a, b, z_one, qx, qy));
        same::<C>(&z, &m.reduce(&pz), ("add z", a, b, z_one, qx, qy));
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn adx() {
    let Some(adx) = crate::cpu::Adx::detect() else {
        testkit::skip::skip("arith::kernel::tests::adx", testkit::skip::Missing::Engine("adx"));
        return;
    };
    adx_agrees::<C_SECP>(adx);
    adx_agrees::<C_SMALL>(adx);
    adx_agrees::<C_LARGE>(adx);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn adx_lookup_and_select() {
    let Some(adx) = crate::cpu::Adx::detect() else {
        testkit::skip::skip("arith::kernel::tests::adx_lookup_and_select", testkit::skip::Missing::Engine("adx"));
        return;
    };
    let mut random = Random(6);
    let rows: Vec<_> = (0..65).map(|_| Row { x: random.words(), y: random.words() }).collect();
    for len in [0, 1, 2, 33, 65] {
        for at in (0..70).chain([u32::MAX]) {
            assert_eq!(fast::lookup_row_4_avx2(adx, &rows[..len], at), slow::lookup_row_4_portable(&rows[..len], at));
        }
    }
    let (a, b) = (random.words(), random.words());
    for keep in [0, 1, 2, 1 << 63, u64::MAX] {
        assert_eq!(fast::select_4_adx(adx, keep, &a, &b), slow::select_4_portable(keep, &a, &b));
    }
}
