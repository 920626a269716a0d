//! P, 3P, 5P … (2m − 1)P as affine points of a curve that is isomorphic to P's: one common Z, no inversion.
//!
//! (x, y) ↦ (x·Z², y·Z³) maps y² = x³ + b to y² = x³ + b·Z⁶, and formulas that do not use b do not see the difference: a sum of
//! the rows, computed there, is brought back by one product, Z.
//!
//! 1. D = 2P and P with the same Z: Z₀ = 2y, D = (M² − 2S, M(S − X) − 8y⁴), P = (S, 8y⁴), S = 4xy², M = 3x².
//! 2. R₁ = P; Rᵢ₊₁ = Rᵢ + D by addition of points with the same Z, which gives D with the sum's Z for nothing: with
//!    h = X_D − X_R, W_D = X_D·h², W_R = X_R·h², A = Y_D(W_D − W_R): X = (Y_D − Y_R)² − W_D − W_R,
//!    Y = (Y_D − Y_R)(W_D − X) − A, Z·h, and D = (W_D, A).
//! 3. Rᵢ gets the last point's Z: its coordinates times s² and s³, s the product of the h behind it.
//!
//! With 1/Z of the last point s starts there instead of at 1, and the rows are affine points of the curve itself: so where many
//! points share an inversion.
//!
//! Cost: 1M + 4S, then 4M + 2S a step, then 4M + 1S a row. Constant time; no exception where no 2i − 1 and 2i + 1 up to 2m − 1 is a
//! multiple of n: h = 0 says Rᵢ = ±2P.
//!
//! Sources: N. Meloni, "New point addition formulae for ECC applications", WAIFI 2007 (same Z); P. Longa, A. Miri, "New composite
//! operations and precomputation scheme for elliptic curve cryptosystems over prime fields", PKC 2008 (the table by it).

use crate::point::{Affine, one};
use field::ops::WordsOf;
use field::{FieldOps, Row};

/// Multiples for windows of up to 5 signed bits.
pub const MAX_ROWS: usize = 16;

/// Writes (2i − 1)·P, i = 1, 2 …, to `rows` (at most [`MAX_ROWS`] of them) and answers their common Z. Lane 0 is written.
#[inline(always)]
pub fn odd_multiples_to<F: FieldOps>(f: F, rows: &mut [Row<WordsOf<F::Prime>>], p: &Affine<F>) -> F::El<1> {
    let mut chain = [Affine::<F>::place(f); MAX_ROWS];
    let mut ratios = [one(f); MAX_ROWS];
    let chain = &mut chain[..rows.len().min(MAX_ROWS)];
    chain_to(f, chain, &mut ratios, p);
    let s = rescale(f, chain, &ratios, None);
    for (row, r) in rows.iter_mut().zip(&*chain) {
        *row = Row { x: f.store(&r.x, 0), y: f.store(&r.y, 0) };
    }
    f.mul(&s, &ratios[0])
}

/// Steps 1 and 2: `chain[i]` = (2i + 1)·P with Z = `ratios[0]`·…·`ratios[i]`, for as many as both have.
#[inline(always)]
pub fn chain_to<F: FieldOps>(f: F, chain: &mut [Affine<F>], ratios: &mut [F::El<1>], p: &Affine<F>) {
    let xx = f.sqr(&p.x);
    let m = f.carry::<3>(&f.times::<3, 1, 3>(&xx)); //          M = 3x²
    let z0 = f.carry::<2>(&f.add(&p.y, &p.y)); //               Z₀ = 2y
    let z0_2 = f.sqr(&z0); //                                   4y²
    let s = f.mul(&p.x, &z0_2); //                              S = 4xy²
    let yyyy8 = f.mul(&f.mul(&z0_2, &z0), &p.y); //             8y⁴
    let s2: F::El<2> = f.add(&s, &s);
    let x = f.sqr_sub(&m, &s2); //                              M² − 2S
    let y = f.mul_sub(&m, &f.carry::<3>(&f.sub(&s, &x)), &yyyy8);
    let mut d = Affine::<F> { x, y };
    let mut r = Affine::<F> { x: s, y: yyyy8 };
    let mut ratio = z0;
    for (i, (place, ratio_place)) in chain.iter_mut().zip(ratios).enumerate() {
        if i > 0 {
            let h = f.carry::<3>(&f.sub(&d.x, &r.x));
            let hh = f.sqr(&h);
            let wd = f.mul(&d.x, &hh);
            let wr = f.mul(&r.x, &hh);
            let a = f.mul(&d.y, &f.carry::<3>(&f.sub(&wd, &wr)));
            let dy = f.carry::<3>(&f.sub(&d.y, &r.y));
            let w: F::El<2> = f.add(&wd, &wr);
            let x = f.sqr_sub(&dy, &w);
            let y = f.mul_sub(&dy, &f.carry::<3>(&f.sub(&wd, &x)), &a);
            r = Affine { x, y };
            d = Affine { x: wd, y: a };
            ratio = h;
        }
        *place = r;
        *ratio_place = ratio;
    }
}

/// Step 3: every point of the chain gets the last one's Z, divided by `scale` if there is one; answers the product of the ratios
/// behind the first point and of `scale`.
#[inline(always)]
pub fn rescale<F: FieldOps>(f: F, chain: &mut [Affine<F>], ratios: &[F::El<1>], scale: Option<&F::El<1>>) -> F::El<1> {
    let mut s = scale.copied();
    let mut behind = None;
    for (r, ratio) in chain.iter_mut().zip(ratios).rev() {
        s = match (s, behind) {
            (Some(s), Some(behind)) => Some(f.mul(&s, behind)),
            (s, behind) => s.or(behind.copied()),
        };
        behind = Some(ratio);
        if let Some(s) = &s {
            let ss = f.sqr(s);
            *r = Affine { x: f.mul(&r.x, &ss), y: f.mul(&r.y, &f.mul(&ss, s)) };
        }
    }
    s.unwrap_or(one(f))
}
