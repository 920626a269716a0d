//! 2P and P + Q on y² = x³ + b in Jacobian coordinates. Incomplete: the exceptional lanes come back as a mask.
//!
//! | formula | cost | exceptional |
//! |---|---|---|
//! | [`double_to`] | 3M + 4S | never: the order is odd, and infinity stays infinity |
//! | [`add_mixed_to`], Q affine | 8M + 3S | P infinite or P = ±Q |
//! | [`add_to`] | 12M + 4S | P or Q infinite or P = ±Q |
//!
//! There, and only there, the sum's Z is 0: Z₃ = Z₁·(Z₂·)H with H = 0 exactly if the affine x agree.
//!
//! Source: H. Cohen, A. Miyaji, T. Ono, "Efficient elliptic curve exponentiation using mixed coordinates", ASIACRYPT 1998,
//! section 2.2. Vartime: the tasks, in which lanes are exceptional; the formulas themselves are not.

use crate::point::{Affine, Jacobian};
use field::{FieldOps, Mask, Task};

/// r = 2p.
#[inline(always)]
pub fn double_to<F: FieldOps>(f: F, r: &mut Jacobian<F>, p: &Jacobian<F>) {
    let s = f.sqr_k::<2, 1>(&p.y); //                           S = 2Y²
    let e = f.sqr_k::<3, 1>(&p.x); //                           E = 3X²
    let d = f.mul_k::<2, 1, 1>(&p.x, &s); //                    D = 4XY²
    f.mul_k_to::<2, 1, 1>(&mut r.z, &p.y, &p.z); //             Z₃ = 2YZ
    let d2: F::El<2> = f.add(&d, &d);
    f.sqr_sub_to(&mut r.x, &e, &d2); //                         X₃ = E² − 2D
    let t: F::El<3> = f.sub(&d, &r.x);
    f.mul_sub_2sqr_to(&mut r.y, &e, &f.carry(&t), &s); //       Y₃ = E(D − X₃) − 2S²
}

/// r = p + q, and the lanes in which it is not: p infinite or p = ±q.
#[inline(always)]
pub fn add_mixed_to<F: FieldOps>(f: F, r: &mut Jacobian<F>, p: &Jacobian<F>, q: &Affine<F>) -> Mask {
    let zz = f.sqr(&p.z); //                                    Z₁²
    let h = f.mul_sub(&zz, &q.x, &p.x); //                      H = x₂Z₁² − X₁
    let zzz = f.mul(&zz, &p.z); //                              Z₁³
    let hh = f.sqr(&h); //                                      H²
    let s = f.mul_sub(&zzz, &q.y, &p.y); //                     S = y₂Z₁³ − Y₁
    let hhh = f.mul(&h, &hh); //                                H³
    let v = f.mul(&p.x, &hh); //                                V = X₁H²
    f.mul_k_to::<1, 1, 1>(&mut r.z, &p.z, &h); //               Z₃ = Z₁H
    chord_to(f, r, &s, &hhh, &v, &p.y)
}

/// r = p + q, and the lanes in which it is not: p or q infinite or p = ±q.
#[inline(always)]
pub fn add_to<F: FieldOps>(f: F, r: &mut Jacobian<F>, p: &Jacobian<F>, q: &Jacobian<F>) -> Mask {
    let zz1 = f.sqr(&p.z); //                                   Z₁²
    let zz2 = f.sqr(&q.z); //                                   Z₂²
    let u1 = f.mul(&p.x, &zz2); //                              U₁ = X₁Z₂²
    let h = f.mul_sub(&q.x, &zz1, &u1); //                      H = X₂Z₁² − U₁
    let s1 = f.mul(&p.y, &f.mul(&zz2, &q.z)); //                S₁ = Y₁Z₂³
    let s = f.mul_sub(&q.y, &f.mul(&zz1, &p.z), &s1); //        S = Y₂Z₁³ − S₁
    let hh = f.sqr(&h); //                                      H²
    let hhh = f.mul(&h, &hh); //                                H³
    let v = f.mul(&u1, &hh); //                                 V = U₁H²
    let z = f.mul(&p.z, &q.z);
    f.mul_k_to::<1, 1, 1>(&mut r.z, &z, &h); //                 Z₃ = Z₁Z₂H
    chord_to(f, r, &s, &hhh, &v, &s1)
}

/// r = p + q; every case is handled. Constant time: the exceptional case is computed always.
#[inline(always)]
pub fn add_mixed_any_to<F: FieldOps>(f: F, r: &mut Jacobian<F>, p: &Jacobian<F>, q: &Affine<F>) {
    let exceptional = add_mixed_to(f, r, p, q);
    f.outline(Exceptional { f, r, p, q: &Jacobian::from((f, q)), exceptional });
}

/// X₃ = S² − H³ − 2V, Y₃ = S(V − X₃) − Y₁H³; answers where Z₃, which is there already, is 0.
#[inline(always)]
fn chord_to<F: FieldOps>(f: F, r: &mut Jacobian<F>, s: &F::El<1>, hhh: &F::El<1>, v: &F::El<1>, y1: &F::El<1>) -> Mask {
    let v2: F::El<2> = f.add(v, v);
    let w: F::El<3> = f.add(hhh, &v2);
    f.sqr_sub_to(&mut r.x, s, &w);
    let t: F::El<3> = f.sub(v, &r.x);
    f.mul_sub_mul_to(&mut r.y, s, &f.carry(&t), y1, hhh);
    f.is_zero(&r.z)
}

/// p becomes 2p: in its place where the backend has a kernel for it, else in `spare`, and the two names change places.
#[inline(always)]
pub fn double_in<'a, F: FieldOps>(f: F, p: &mut &'a mut Jacobian<F>, spare: &mut &'a mut Jacobian<F>) {
    if !f.double_a_zero(&mut p.x, &mut p.y, &mut p.z) {
        f.outline(Double { f, r: spare, p });
        core::mem::swap(p, spare);
    }
}

/// p becomes p + q in the lanes of `only`; every case is handled. In its place where the backend has a kernel for it, else in
/// `spare`, and the two names change places. Vartime.
#[inline(always)]
pub fn add_mixed_any_in<'a, F: FieldOps>(
    f: F,
    p: &mut &'a mut Jacobian<F>,
    spare: &mut &'a mut Jacobian<F>,
    q: &Affine<F>,
    only: Mask,
) {
    if F::LANES > 1 {
        f.outline(AddMixed { f, r: spare, p, q, only });
        core::mem::swap(p, spare);
        return;
    }
    if !only.any() {
        return;
    }
    let was_infinite = p.is_infinite(f);
    if f.add_mixed(&mut p.x, &mut p.y, &mut p.z, &q.x, &q.y) {
        if p.is_infinite(f).any() {
            f.outline(ExceptionalInPlace { f, p, q, was_infinite });
        }
    } else {
        f.outline(AddMixed { f, r: spare, p, q, only });
        core::mem::swap(p, spare);
    }
}

/// p becomes p + q, which must not be exceptional: in its place where the backend has a kernel for it, else in `spare`, and the
/// two names change places. Constant time.
#[inline(always)]
pub fn add_mixed_in<'a, F: FieldOps>(
    f: F,
    p: &mut &'a mut Jacobian<F>,
    spare: &mut &'a mut Jacobian<F>,
    q: &Affine<F>,
) {
    if !f.add_mixed(&mut p.x, &mut p.y, &mut p.z, &q.x, &q.y) {
        f.outline(AddMixedIncomplete { f, r: spare, p, q });
        core::mem::swap(p, spare);
    }
}

/// r = p + q, not exceptional, as a function of its own.
struct AddMixedIncomplete<'a, F: FieldOps> {
    f: F,
    r: &'a mut Jacobian<F>,
    p: &'a Jacobian<F>,
    q: &'a Affine<F>,
}

impl<F: FieldOps> Task for AddMixedIncomplete<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, p, q } = self;
        add_mixed_to(f, r, p, q);
    }
}

/// r = 2p as a function of its own.
pub struct Double<'a, F: FieldOps> {
    /// The backend.
    pub f: F,
    /// The result.
    pub r: &'a mut Jacobian<F>,
    /// The operand.
    pub p: &'a Jacobian<F>,
}

impl<F: FieldOps> Task for Double<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, p } = self;
        double_to(f, r, p);
    }
}

/// r = p + q in the lanes of `only`, r = p in the others; every case is handled. Vartime.
pub struct AddMixed<'a, F: FieldOps> {
    /// The backend.
    pub f: F,
    /// The result.
    pub r: &'a mut Jacobian<F>,
    /// The first summand.
    pub p: &'a Jacobian<F>,
    /// The second summand.
    pub q: &'a Affine<F>,
    /// The lanes that add.
    pub only: Mask,
}

impl<F: FieldOps> Task for AddMixed<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, p, q, only } = self;
        // A kernel works in its place; there is none for many lanes, whose copies would be long.
        let in_place = F::LANES == 1 && {
            *r = *p;
            f.add_mixed(&mut r.x, &mut r.y, &mut r.z, &q.x, &q.y)
        };
        let exceptional = if in_place { r.is_infinite(f) } else { add_mixed_to(f, r, p, q) };
        let exceptional = exceptional.and(only);
        if exceptional.any() {
            f.outline(Exceptional { f, r, p, q: &Jacobian::from((f, q)), exceptional });
        }
        if only != Mask::all(F::LANES) {
            r.select(f, only, p);
        }
    }
}

/// r = p + q; every case is handled. Vartime.
pub struct Add<'a, F: FieldOps> {
    /// The backend.
    pub f: F,
    /// The result.
    pub r: &'a mut Jacobian<F>,
    /// The first summand.
    pub p: &'a Jacobian<F>,
    /// The second summand.
    pub q: &'a Jacobian<F>,
}

impl<F: FieldOps> Task for Add<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, p, q } = self;
        let exceptional = add_to(f, r, p, q);
        if exceptional.any() {
            f.outline(Exceptional { f, r, p, q, exceptional });
        }
    }
}

/// r = p + q in the exceptional lanes: the cold path, for all of them at once. One doubling and four selections, so its cost is
/// bounded, however many lanes need it.
struct Exceptional<'a, F: FieldOps> {
    f: F,
    r: &'a mut Jacobian<F>,
    p: &'a Jacobian<F>,
    q: &'a Jacobian<F>,
    exceptional: Mask,
}

impl<F: FieldOps> Task for Exceptional<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, p, q, exceptional } = self;
        let mut sum = Jacobian::infinity(f);
        double_to(f, &mut sum, q);
        let zzz1 = f.mul(&f.sqr(&p.z), &p.z);
        let zzz2 = f.mul(&f.sqr(&q.z), &q.z);
        let same_y = f.is_zero(&f.mul_sub_mul(&zzz1, &q.y, &zzz2, &p.y));
        sum.select(f, same_y, &Jacobian::infinity(f)); //       p = q: 2q; p = −q: infinity
        sum.select(f, Mask(!p.is_infinite(f).0), q); //         p infinite: q
        sum.select(f, Mask(!q.is_infinite(f).0), p); //         q infinite: p
        r.select(f, Mask(!exceptional.0), &sum);
    }
}

/// What [`Exceptional`] does where the kernel's result stands in p's place. Where p was finite, H = 0 leaves X₃ = S²: 0 exactly if
/// the y agree.
struct ExceptionalInPlace<'a, F: FieldOps> {
    f: F,
    p: &'a mut Jacobian<F>,
    q: &'a Affine<F>,
    was_infinite: Mask,
}

impl<F: FieldOps> Task for ExceptionalInPlace<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, p, q, was_infinite } = self;
        let q = Jacobian::from((f, q));
        let mut sum = Jacobian::infinity(f);
        double_to(f, &mut sum, &q);
        sum.select(f, f.is_zero(&p.x), &Jacobian::infinity(f)); // p = q: 2q; p = −q: infinity
        sum.select(f, Mask(!was_infinite.0), &q); //            p infinite: q
        *p = sum;
    }
}
