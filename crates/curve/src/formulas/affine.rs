//! P + Q and 2P on y² = x³ + b in affine coordinates, given 1/(x₂ − x₁) or 1/2y: for many that share an inversion.
//!
//! Cost: 2M + 1S and 2M + 2S, and the reciprocal, 3M of a shared inversion. Exceptional where x₂ = x₁: there is no reciprocal.
//! Source: slopes of the chord and the tangent; EFD, short Weierstrass, affine.

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
    chord(f, p, q, &f.mul(&rise, reciprocal)) //                λ = (y₂ − y₁)/(x₂ − x₁)
}

/// The third point of the line through p and q, reflected: p + q where `slope` is the line's.
#[inline(always)]
pub fn chord<F: FieldOps>(f: F, p: &Affine<F>, q: &Affine<F>, slope: &F::El<1>) -> Affine<F> {
    let xs: F::El<2> = f.add(&p.x, &q.x);
    let x = f.sqr_sub(slope, &xs); //                           x₃ = λ² − x₁ − x₂
    let t = f.carry::<3>(&f.sub(&p.x, &x));
    let y = f.mul_sub(slope, &t, &p.y); //                      y₃ = λ(x₁ − x₃) − y₁
    Affine { x, y }
}

/// 2y.
#[inline(always)]
pub fn twice_y<F: FieldOps>(f: F, p: &Affine<F>) -> F::El<1> {
    f.carry::<2>(&f.add(&p.y, &p.y))
}

/// 2p, with `reciprocal` = 1/2y.
#[inline(always)]
pub fn double<F: FieldOps>(f: F, p: &Affine<F>, reciprocal: &F::El<1>) -> Affine<F> {
    chord(f, p, p, &f.mul(&f.sqr_k::<3, 1>(&p.x), reciprocal)) // λ = 3x²/2y
}
