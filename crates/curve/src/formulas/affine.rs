//! P + Q in affine coordinates, given 1/(x₂ − x₁): for many additions that share an inversion.
//!
//! Cost: 2M + 1S and the reciprocal, 3M of a shared inversion. Exceptional where x₂ = x₁: there is no reciprocal.
//! Source: the chord's slope; EFD, short Weierstrass, affine.

use crate::point::Affine;
use field::FieldOps;

/// x₂ − x₁.
#[inline(always)]
pub fn run<F: FieldOps>(f: F, p: &Affine<F>, q: &Affine<F>) -> F::El<1> {
    f.carry::<3>(&f.sub(&q.x, &p.x))
}

/// p + q, with `reciprocal` = 1/(x₂ − x₁).
#[inline(always)]
pub fn add<F: FieldOps>(f: F, p: &Affine<F>, q: &Affine<F>, reciprocal: &F::El<1>) -> Affine<F> {
    let rise = f.carry::<3>(&f.sub(&q.y, &p.y));
    let slope = f.mul(&rise, reciprocal); //                    λ = (y₂ − y₁)/(x₂ − x₁)
    let xs: F::El<2> = f.add(&p.x, &q.x);
    let x = f.sqr_sub(&slope, &xs); //                          x₃ = λ² − x₁ − x₂
    let t = f.carry::<3>(&f.sub(&p.x, &x));
    let y = f.mul_sub(&slope, &t, &p.y); //                     y₃ = λ(x₁ − x₃) − y₁
    Affine { x, y }
}
