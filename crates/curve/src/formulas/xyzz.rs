//! P + Q on y² = x³ + b with P in XYZZ coordinates: the cheapest additions, which keep no squares to recompute.
//!
//! Cost for an affine Q: 8M + 2S (a Jacobian mixed addition: 8M + 3S), else 12M + 2S (12M + 4S). Incomplete as those, exceptional
//! lanes come back as a mask: ZZ₃ = ZZ₁·(ZZ₂·)H² is 0 exactly where P or Q is infinite or P = ±Q. A doubling of an affine point
//! costs 3M + 4S.
//!
//! Source: the Explicit-Formulas Database, "short Weierstrass, XYZZ coordinates", madd-2008-s, mmadd-2008-s, add-2008-s and mdbl-2008-s-1
//! (M. Sutherland).

use super::{Beside, Nothing};
use crate::formulas::a_zero::Add;
use crate::point::{Affine, Jacobian, Xyzz, one};
use field::{FieldOps, Mask, Task};

/// r = p + q, and the lanes in which it is not: p infinite or p = ±q.
#[inline(always)]
pub fn add_mixed_xyzz_to<F: FieldOps>(f: F, r: &mut Xyzz<F>, p: &Xyzz<F>, q: &Affine<F>) -> Mask {
    add_mixed_xyzz_beside(f, &mut Nothing, r, p, q)
}

/// [`add_mixed_xyzz_to`] with other work between the products.
#[inline(always)]
pub fn add_mixed_xyzz_beside<F: FieldOps>(
    f: F,
    other: &mut impl Beside,
    r: &mut Xyzz<F>,
    p: &Xyzz<F>,
    q: &Affine<F>,
) -> Mask {
    let mut h = f.mul_sub(&q.x, &p.zz, &p.x); //                H = x₂ZZ₁ − X₁
    let mut s = f.mul_sub(&q.y, &p.zzz, &p.y); //               S = y₂ZZZ₁ − Y₁
    other.step([&mut h, &mut s]);
    let hh = f.sqr(&h); //                                      H²
    let mut hhh = f.mul(&h, &hh); //                            H³
    other.step([&mut hhh]);
    let mut v = f.mul(&p.x, &hh); //                            V = X₁H²
    f.mul_k_to::<1, 1, 1>(&mut r.zz, &p.zz, &hh); //            ZZ₃ = ZZ₁H²
    other.step([&mut v, &mut r.zz]);
    f.mul_k_to::<1, 1, 1>(&mut r.zzz, &p.zzz, &hhh); //         ZZZ₃ = ZZZ₁H³
    chord_to(f, other, r, &s, &hhh, &v, &p.y)
}

/// r = p + q for affine points, and the lanes in which it is not: p = ±q. 4M + 2S.
#[inline(always)]
pub fn add_affine_xyzz_beside<F: FieldOps>(
    f: F,
    other: &mut impl Beside,
    r: &mut Xyzz<F>,
    p: &Affine<F>,
    q: &Affine<F>,
) -> Mask {
    let h = f.carry::<3>(&f.sub(&q.x, &p.x)); //                H = x₂ − x₁
    let s = f.carry::<3>(&f.sub(&q.y, &p.y)); //                S = y₂ − y₁
    r.zz = f.sqr(&h); //                                        ZZ₃ = H²
    other.step([&mut r.zz]);
    f.mul_k_to::<1, 1, 1>(&mut r.zzz, &h, &r.zz); //            ZZZ₃ = H³
    other.step([&mut r.zzz]);
    let mut v = f.mul(&p.x, &r.zz); //                          V = x₁H²
    other.step([&mut v]);
    let hhh = r.zzz;
    chord_to(f, other, r, &s, &hhh, &v, &p.y)
}

/// r = p + q, and the lanes in which it is not: p or q infinite or p = ±q.
#[inline(always)]
pub fn add_xyzz_to<F: FieldOps>(f: F, r: &mut Xyzz<F>, p: &Xyzz<F>, q: &Xyzz<F>) -> Mask {
    add_xyzz_beside(f, &mut Nothing, r, p, q)
}

/// [`add_xyzz_to`] with other work between the products.
#[inline(always)]
pub fn add_xyzz_beside<F: FieldOps>(f: F, other: &mut impl Beside, r: &mut Xyzz<F>, p: &Xyzz<F>, q: &Xyzz<F>) -> Mask {
    let mut u1 = f.mul(&p.x, &q.zz); //                         U₁ = X₁ZZ₂
    other.step([&mut u1]);
    let mut h = f.mul_sub(&q.x, &p.zz, &u1); //                 H = X₂ZZ₁ − U₁
    other.step([&mut h]);
    let mut s1 = f.mul(&p.y, &q.zzz); //                        S₁ = Y₁ZZZ₂
    let mut s = f.mul_sub(&q.y, &p.zzz, &s1); //                S = Y₂ZZZ₁ − S₁
    other.step([&mut s1, &mut s]);
    let mut hh = f.sqr(&h); //                                  H²
    other.step([&mut hh]);
    let mut hhh = f.mul(&h, &hh); //                            H³
    other.step([&mut hhh]);
    let mut v = f.mul(&u1, &hh); //                             V = U₁H²
    let mut zz = f.mul(&p.zz, &q.zz);
    other.step([&mut v, &mut zz]);
    f.mul_k_to::<1, 1, 1>(&mut r.zz, &zz, &hh); //              ZZ₃ = ZZ₁ZZ₂H²
    other.step([&mut r.zz]);
    let zzz = f.mul(&p.zzz, &q.zzz);
    f.mul_k_to::<1, 1, 1>(&mut r.zzz, &zzz, &hhh); //           ZZZ₃ = ZZZ₁ZZZ₂H³
    other.step([&mut r.zzz]);
    chord_to(f, other, r, &s, &hhh, &v, &s1)
}

/// X₃ = S² − H³ − 2V, Y₃ = S(V − X₃) − Y₁H³; answers where ZZ₃, which is there already, is 0.
#[inline(always)]
fn chord_to<F: FieldOps>(
    f: F,
    other: &mut impl Beside,
    r: &mut Xyzz<F>,
    s: &F::El<1>,
    hhh: &F::El<1>,
    v: &F::El<1>,
    y1: &F::El<1>,
) -> Mask {
    let v2: F::El<2> = f.add(v, v);
    let w: F::El<3> = f.add(hhh, &v2);
    f.sqr_sub_to(&mut r.x, s, &w);
    other.step([&mut r.x]);
    let t: F::El<3> = f.sub(v, &r.x);
    f.mul_sub_mul_to(&mut r.y, s, &f.carry(&t), y1, hhh);
    f.is_zero(&r.zz)
}

/// r = 2q for an affine q of odd order.
#[inline(always)]
pub fn double_affine_xyzz_to<F: FieldOps>(f: F, r: &mut Xyzz<F>, q: &Affine<F>) {
    let u = f.carry::<2>(&f.add(&q.y, &q.y)); //                U = 2y
    r.zz = f.sqr(&u); //                                        ZZ₃ = U²
    r.zzz = f.mul(&u, &r.zz); //                                ZZZ₃ = U³
    let s = f.mul(&q.x, &r.zz); //                              S = x·ZZ₃
    let m = f.sqr_k::<3, 1>(&q.x); //                           M = 3x²
    let s2: F::El<2> = f.add(&s, &s);
    f.sqr_sub_to(&mut r.x, &m, &s2); //                         X₃ = M² − 2S
    let t: F::El<3> = f.sub(&s, &r.x);
    f.mul_sub_mul_to(&mut r.y, &m, &f.carry(&t), &r.zzz, &q.y); // Y₃ = M(S − X₃) − ZZZ₃·y
}

/// r = p + q in the lanes of `only`, r = p in the others; every case is handled. Vartime.
pub struct AddMixedXyzz<'a, F: FieldOps> {
    /// The backend.
    pub f: F,
    /// The result.
    pub r: &'a mut Xyzz<F>,
    /// The first summand.
    pub p: &'a Xyzz<F>,
    /// The second summand.
    pub q: &'a Affine<F>,
    /// The lanes that add.
    pub only: Mask,
}

impl<F: FieldOps> Task for AddMixedXyzz<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, p, q, only } = self;
        let exceptional = add_mixed_xyzz_to(f, r, p, q).and(only);
        if exceptional.any() {
            f.outline(ExceptionalXyzz { f, r, p, q, exceptional });
        }
        if only != Mask::all(F::LANES) {
            r.select(f, only, p);
        }
    }
}

/// r = p + q in the exceptional lanes, all at once.
struct ExceptionalXyzz<'a, F: FieldOps> {
    f: F,
    r: &'a mut Xyzz<F>,
    p: &'a Xyzz<F>,
    q: &'a Affine<F>,
    exceptional: Mask,
}

impl<F: FieldOps> Task for ExceptionalXyzz<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, p, q, exceptional } = self;
        let mut sum = Xyzz::infinity(f);
        double_affine_xyzz_to(f, &mut sum, q);
        let same_y = f.is_zero(&f.mul_sub(&q.y, &p.zzz, &p.y));
        sum.select(f, same_y, &Xyzz::infinity(f)); //           p = q: 2q; p = −q: infinity
        let affine = Xyzz { x: q.x, y: q.y, zz: one(f), zzz: one(f) };
        sum.select(f, Mask(!f.is_zero(&p.zz).0), &affine); //   p infinite: q
        r.select(f, Mask(!exceptional.0), &sum);
    }
}

/// r = p + q where [`add_xyzz_to`] is exceptional, in all lanes: by Jacobian coordinates, (X·ZZ, Y·ZZZ, ZZ).
pub struct AddAnyXyzz<'a, F: FieldOps> {
    /// The backend.
    pub f: F,
    /// The result.
    pub r: &'a mut Xyzz<F>,
    /// The first summand.
    pub p: &'a Xyzz<F>,
    /// The second summand.
    pub q: &'a Xyzz<F>,
}

impl<F: FieldOps> Task for AddAnyXyzz<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, p, q } = self;
        let mut sum = Jacobian::infinity(f);
        f.outline(Add { f, r: &mut sum, p: &p.to_jacobian(f), q: &q.to_jacobian(f) });
        let zz = f.sqr(&sum.z);
        *r = Xyzz { x: sum.x, y: sum.y, zz, zzz: f.mul(&zz, &sum.z) };
    }
}
