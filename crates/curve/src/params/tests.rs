//! What the numbers of every curve promise.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::small_order::{Order7, Order13, Order199};
use super::*;
use arith::Modulus;
use arith::limbs::{self, from_hex};

type Words = [u64; 4];
pub(crate) type Point = Option<(Words, Words)>;

/// Affine addition by chord and tangent, straight from the definition.
pub(crate) fn add(p: &Modulus<Words>, a: Point, b: Point) -> Point {
    let (Some((x1, y1)), Some((x2, y2))) = (a, b) else { return a.or(b) };
    let (num, den) = if x1 != x2 {
        (p.sub(&y2, &y1), p.sub(&x2, &x1))
    } else if y1 == y2 && y1 != [0; 4] {
        let xx = p.mul(&x1, &x1);
        (p.add(&xx, &p.add(&xx, &xx)), p.add(&y1, &y1))
    } else {
        return None;
    };
    let slope = p.mul(&num, &p.invert(&den));
    let x = p.sub(&p.sub(&p.mul(&slope, &slope), &x1), &x2);
    Some((x, p.sub(&p.mul(&slope, &p.sub(&x1, &x)), &y1)))
}

fn mul(p: &Modulus<Words>, k: &Words, mut a: Point) -> Point {
    let mut r = None;
    for i in 0..256 {
        if k[i / 64] >> (i % 64) & 1 == 1 {
            r = add(p, r, a);
        }
        a = add(p, a, a);
    }
    r
}

/// ⌊2^shift·a/n⌉ by long division.
fn quotient(shift: u32, a: &Words, n: &Words) -> Words {
    let (mut rest, mut q) = (*a, [0u64; 4]);
    for _ in 0..shift {
        let (twice, carry) = limbs::add(&rest, &rest);
        let (less, borrow) = limbs::sub(&twice, n);
        let bit = carry == 1 || borrow == 0;
        rest = if bit { less } else { twice };
        assert_eq!(q[3] >> 63, 0);
        q = limbs::add(&q, &q).0;
        q[0] |= u64::from(bit);
    }
    let (twice, carry) = limbs::add(&rest, &rest);
    if carry == 1 || !limbs::less_than(&twice, n) { limbs::add(&q, &[1, 0, 0, 0]).0 } else { q }
}

fn check<C: CurveParams<Field = field::secp256k1::FieldPrime>>() {
    let (p, n) = (&C::Field::MODULUS, &C::Order::MODULUS);
    let Row { x, y } = C::GENERATOR;
    assert_eq!(p.mul(&y, &y), p.add(&p.mul(&p.mul(&x, &x), &x), &C::B), "G is on the curve");
    assert_eq!(mul(p, &n.m, Some((x, y))), None, "n·G is infinite");
    assert_eq!(C::Order::BITS, 256 - leading_zeros(&n.m));

    let Glv { beta, lambda, a, b, a_over_n, b_over_n, shift, half_bits } = C::GLV;
    let one = [1, 0, 0, 0];
    for (m, root) in [(p, beta), (n, lambda)] {
        assert_eq!(m.add(&m.add(&m.mul(&root, &root), &root), &one), [0; 4], "a cube root of 1 other than 1");
    }
    assert_eq!(mul(p, &lambda, Some((x, y))), Some((p.mul(&beta, &x), y)), "(βx, y) = λ·(x, y)");
    assert_eq!(n.reduce(&a), n.mul(&b, &lambda), "a = bλ");
    let (aa, ab, bb) = (product(&a, &a), product(&a, &b), product(&b, &b));
    assert_eq!(limbs::add(&limbs::add(&aa, &ab).0, &bb).0, n.m, "a² + ab + b² = n");
    assert_eq!(quotient(shift, &a, &n.m), a_over_n);
    assert_eq!(quotient(shift, &b, &n.m), b_over_n);
    // Rounding to the nearest leaves halves up to (2a + b)/2 and (a + b)/2, and less than 1 for the quotients' own rounding.
    let longest = limbs::add(&limbs::add(&a, &a).0, &b).0;
    assert!(256 - leading_zeros(&longest) - 1 <= half_bits);

    assert_eq!(C::FIELD_BELOW_TWICE_ORDER, {
        let (twice, carry) = limbs::add(&n.m, &n.m);
        carry == 1 || limbs::less_than(&p.m, &twice)
    });

    let w = C::WINDOWS;
    for largest in [1u64 << w.ct_base, 1 << w.ct_point, 1 << (w.base - 1), 1 << (w.point - 1)] {
        assert!(limbs::less_than(&[largest - 1, 0, 0, 0], &n.m), "no table holds a multiple of n");
    }
}

/// The product of two halves.
fn product(a: &Words, b: &Words) -> Words {
    let mut r = [0; 4];
    for i in 0..2 {
        let mut carry = 0;
        for j in 0..2 {
            (r[i + j], carry) = limbs::mul_add_carry(r[i + j], a[i], b[j], carry);
        }
        r[i + 2] = carry;
    }
    r
}

fn leading_zeros(a: &Words) -> u32 {
    let word = a.iter().rposition(|&word| word != 0).unwrap();
    (3 - word as u32) * 64 + a[word].leading_zeros()
}

#[test]
fn secp256k1() {
    check::<Secp256k1>();
    // SEC 2 v2.0, section 2.4.1: G in compressed form ends as x does, and its y is even.
    assert_eq!(Secp256k1::GENERATOR.x[0], 0x59F2_815B_16F8_1798);
    assert_eq!(Secp256k1::GENERATOR.y[0] & 1, 0);
    let n: Words = from_hex("FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFE BAAEDCE6 AF48A03B BFD25E8C D0364141");
    assert_eq!(<Secp256k1 as CurveParams>::Order::MODULUS.m, n);
}

#[test]
fn small_orders() {
    check::<Order7>();
    check::<Order13>();
    check::<Order199>();
}
