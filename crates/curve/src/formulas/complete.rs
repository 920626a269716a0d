//! P + Q and 2P on y² = x³ + b in homogeneous coordinates, complete: right for every two points of a group of odd order.
//!
//! | formula | cost | algorithm |
//! |---|---|---|
//! | [`add_complete_to`] | 15M + 2B | 7 |
//! | [`add_mixed_complete_to`], Q affine | 12M + 2B | 8 |
//! | [`double_complete_to`] | 6M + 2S + 1B | 9 |
//! | [`add_complete_across`], over eight lanes | 5M + 2B in each | 7 |
//!
//! B is a product by 3b, which costs a product only where 3b is large. The cross sums X₁Y₂ + X₂Y₁ are sums of two products under
//! one reduction, where the paper saves a product by three additions.
//!
//! Source: J. Renes, C. Costello, L. Batina, "Complete addition formulas for prime order elliptic curves", EUROCRYPT 2016,
//! section 3.3. Constant time.

use crate::params::CurveParams;
use crate::point::{Affine, Projective};
use field::{FieldOps, Mask, Prime};

/// 3b·a.
#[inline(always)]
fn times_b3<C: CurveParams, F: FieldOps<Prime = C::Field>>(f: F, a: &F::El<1>) -> F::El<32> {
    match C::B.as_ref() {
        &[b @ 0..=10, ref above @ ..] if above.iter().all(|word| *word == 0) => f.times_small(3 * b as u32, a),
        _ => {
            let p = &C::Field::MODULUS;
            let b3 = f.constant(&p.add(&p.add(&C::B, &C::B), &C::B));
            f.times::<1, 1, 32>(&f.mul(&b3, a))
        }
    }
}

/// r = p + q.
#[inline(always)]
pub fn add_complete_to<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    r: &mut Projective<F>,
    p: &Projective<F>,
    q: &Projective<F>,
) {
    let xx3 = f.mul_k::<3, 1, 1>(&p.x, &q.x); //                3X₁X₂
    let yy = f.mul(&p.y, &q.y); //                              Y₁Y₂
    let zz = f.mul(&p.z, &q.z); //                              Z₁Z₂
    let xy = f.mul_add_mul(&p.x, &q.y, &q.x, &p.y); //          X₁Y₂ + X₂Y₁
    let yz = f.mul_add_mul(&p.y, &q.z, &q.y, &p.z); //          Y₁Z₂ + Y₂Z₁
    let xz = f.mul_add_mul(&p.x, &q.z, &q.x, &p.z); //          X₁Z₂ + X₂Z₁
    finish_to::<C, F>(f, r, &xx3, &yy, &zz, &xy, &yz, &xz);
}

/// r = p + q for an affine q.
#[inline(always)]
pub fn add_mixed_complete_to<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    r: &mut Projective<F>,
    p: &Projective<F>,
    q: &Affine<F>,
) {
    let xx3 = f.mul_k::<3, 1, 1>(&p.x, &q.x); //                3X₁x₂
    let yy = f.mul(&p.y, &q.y); //                              Y₁y₂
    let xy = f.mul_add_mul(&p.x, &q.y, &q.x, &p.y); //          X₁y₂ + x₂Y₁
    let yz = f.mul_add(&q.y, &p.z, &p.y); //                    Y₁ + y₂Z₁
    let xz = f.mul_add(&q.x, &p.z, &p.x); //                    X₁ + x₂Z₁
    finish_to::<C, F>(f, r, &xx3, &yy, &p.z, &xy, &yz, &xz);
}

/// The sum from the products of coordinates and their cross sums.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the six products that both additions share")]
fn finish_to<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    r: &mut Projective<F>,
    xx3: &F::El<1>,
    yy: &F::El<1>,
    zz: &F::El<1>,
    xy: &F::El<1>,
    yz: &F::El<1>,
    xz: &F::El<1>,
) {
    let [sum, difference, xzb] = factors::<C, F>(f, yy, zz, xz);
    f.mul_sub_mul_to(&mut r.x, xy, &difference, yz, &xzb); //   X₃ = XY(YY − 3b·ZZ) − YZ·3b·XZ
    r.y = f.mul_add_mul(&sum, &difference, xx3, &xzb); //       Y₃ = (YY + 3b·ZZ)(YY − 3b·ZZ) + 3XX·3b·XZ
    r.z = f.mul_add_mul(yz, &sum, xx3, xy); //                  Z₃ = YZ(YY + 3b·ZZ) + 3XX·XY
}

/// YY + 3b·ZZ, YY − 3b·ZZ and 3b·XZ, of which the sum is made with 3XX, XY and YZ.
#[inline(always)]
fn factors<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    yy: &F::El<1>,
    zz: &F::El<1>,
    xz: &F::El<1>,
) -> [F::El<1>; 3] {
    let zzb = times_b3::<C, F>(f, zz); //                       3b·ZZ
    let xzb = f.carry(&times_b3::<C, F>(f, xz)); //             3b·XZ
    [f.carry::<33>(&f.add(yy, &zzb)), f.carry::<65>(&f.sub(yy, &zzb)), xzb]
}

/// One addition in the lanes 2i and 2i + 1 for i = 0, 1, 2, a product in each: lane l has two points whose order does not
/// matter, the same two in every second lane. The sum's X comes out in lane l mod 2, Y two lanes and Z four lanes behind.
///
/// Two sums of two products, a product, and what turns values around: less than two thirds of [`add_complete_to`].
#[inline(always)]
pub fn add_complete_across<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    p: &Projective<F>,
    q: &Projective<F>,
) -> F::El<1> {
    let cross = f.mul_add_mul(
        &across(f, [&p.x, &p.y, &p.x]),
        &across(f, [&q.y, &q.z, &q.z]),
        &across(f, [&q.x, &q.y, &q.x]),
        &across(f, [&p.y, &p.z, &p.z]),
    );
    let products = f.mul(&across(f, [&p.x, &p.y, &p.z]), &across(f, [&q.x, &q.y, &q.z]));
    let [xy, yz, xz] = everywhere(f, &cross);
    let [xx, yy, zz] = everywhere(f, &products);
    let xx3 = f.carry::<3>(&f.times::<3, 1, 3>(&xx));
    let [sum, difference, xzb] = factors::<C, F>(f, &yy, &zz, &xz);
    let mut minus_yz = yz;
    f.negate_in(&mut minus_yz, Mask::all(F::LANES));
    f.mul_add_mul(
        &across(f, [&xy, &sum, &yz]),
        &across(f, [&difference, &difference, &sum]),
        &across(f, [&minus_yz, &xx3, &xx3]),
        &across(f, [&xzb, &xzb, &xy]),
    )
}

/// The lanes 0 and 1, 2 and 3, 4 and 5 of three elements, and once more those of the last.
#[inline(always)]
fn across<F: FieldOps>(f: F, [a, b, c]: [&F::El<1>; 3]) -> F::El<1> {
    let mut r = *c;
    f.select_to(&mut r, Mask(!0b0000_0011), a);
    f.select_to(&mut r, Mask(!0b0000_1100), b);
    r
}

/// What [`across`] put together, each for all pairs of lanes.
#[inline(always)]
pub fn everywhere<F: FieldOps>(f: F, a: &F::El<1>) -> [F::El<1>; 3] {
    let turned = [*a, f.rotate(a, 2), f.rotate(a, 4), f.rotate(a, 6)];
    let mut r = [turned[0], turned[1], turned[2]];
    for i in 0..3 {
        // Pair j takes pair i: that of 2(i − j) lanes further on.
        for j in 1..4 {
            f.select_to(&mut r[i], Mask(!(0b11 << (2 * j))), &turned[(i + 4 - j) % 4]);
        }
    }
    r
}

/// r = 2p.
#[inline(always)]
pub fn double_complete_to<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    r: &mut Projective<F>,
    p: &Projective<F>,
) {
    let yy = f.sqr(&p.y); //                                    Y²
    let zzb = f.carry(&times_b3::<C, F>(f, &f.sqr(&p.z))); //   T = 3bZ²
    let zzb3 = f.carry::<3>(&f.times::<3, 1, 3>(&zzb));
    let difference = f.carry::<3>(&f.sub(&yy, &zzb3)); //       Y² − 3T
    let sum = f.carry::<2>(&f.add(&yy, &zzb)); //               Y² + T
    let yy8 = f.carry::<8>(&f.times::<8, 1, 8>(&yy)); //        8Y²
    let x = f.mul_k::<2, 1, 1>(&f.mul(&p.x, &p.y), &difference); // X₃ = 2XY(Y² − 3T)
    f.mul_k_to::<1, 1, 1>(&mut r.z, &f.mul(&p.y, &p.z), &yy8); // Z₃ = 8Y³Z
    r.y = f.mul_add_mul(&difference, &sum, &zzb, &yy8); //      Y₃ = (Y² − 3T)(Y² + T) + 8TY²
    r.x = x;
}
