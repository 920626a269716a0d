//! √a = a^((p + 1)/4) mod p, since p = 3 mod 4: r² = ±a, and r² = a exactly if a is a square.
//!
//! (p + 1)/4 = 2^254 − 2^30 − 244 is, in binary, 223 ones, a zero, 22 ones, four zeros, 11, 00. With xₙ = a^(2^n − 1), so that
//! xₘ₊ₙ = xₘ^(2^n)·xₙ, the chain is x₂, x₃, x₆, x₉, x₁₁, x₂₂, x₄₄, x₈₈, x₁₇₆, x₂₂₀, x₂₂₃, then the shifts by 23, 6 and 2.
//! Cost: 253 S + 13 M. Constant time.
//! Source: p = 3 mod 4: SEC 1 v2.0, section 2.3.4 and A. Menezes et al., "Handbook of applied cryptography" (1996), 3.36.

use super::FieldPrime;
use crate::ops::{FieldOps, Mask, Task};

/// The root of `a` in every lane where there is one, and the lanes where it is one. Elsewhere the first answer is a root of −a.
#[inline(always)]
pub fn sqrt<F: FieldOps<Prime = FieldPrime>>(f: F, a: &F::El<1>) -> (F::El<1>, Mask) {
    f.outline(Sqrt { f, a })
}

struct Sqrt<'a, F: FieldOps> {
    f: F,
    a: &'a F::El<1>,
}

impl<F: FieldOps<Prime = FieldPrime>> Task for Sqrt<'_, F> {
    type Out = (F::El<1>, Mask);

    #[inline(always)]
    fn run(self) -> Self::Out {
        let Self { f, a } = self;
        let x2 = f.mul(&f.sqr(a), a);
        let x3 = f.mul(&f.sqr(&x2), a);
        let x6 = f.mul(&f.sqr_times(&x3, 3), &x3);
        let x9 = f.mul(&f.sqr_times(&x6, 3), &x3);
        let x11 = f.mul(&f.sqr_times(&x9, 2), &x2);
        let x22 = f.mul(&f.sqr_times(&x11, 11), &x11);
        let x44 = f.mul(&f.sqr_times(&x22, 22), &x22);
        let x88 = f.mul(&f.sqr_times(&x44, 44), &x44);
        let x176 = f.mul(&f.sqr_times(&x88, 88), &x88);
        let x220 = f.mul(&f.sqr_times(&x176, 44), &x44);
        let x223 = f.mul(&f.sqr_times(&x220, 3), &x3);
        let t = f.mul(&f.sqr_times(&x223, 23), &x22);
        let t = f.mul(&f.sqr_times(&t, 6), &x2);
        let root = f.sqr_times(&t, 2);
        let difference: F::El<3> = f.sub(&f.sqr(&root), a);
        (root, f.is_zero(&f.carry(&difference)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Prime;
    use crate::secp256k1::Portable5x52;

    fn check<F: FieldOps<Prime = FieldPrime>>(f: F) {
        let p = FieldPrime::MODULUS;
        let exponent = p.mul(&p.neg(&[1, 0, 0, 0]), &p.invert(&[2, 0, 0, 0])); // (p − 1)/2
        let mut squares = 0;
        let mut a = [3, 1, 4, 1];
        for i in 0..200u64 {
            a = match i {
                0 => [0; 4],
                1 => [1, 0, 0, 0],
                2 => p.neg(&[1, 0, 0, 0]),
                3..20 => [i, 0, 0, 0],
                _ => p.add(&p.mul(&a, &a), &[i, 5, 9, i]),
            };
            let (root, is_square) = sqrt(f, &f.load(&[a]));
            let root = f.store(&root, 0);
            let expected = p.pow_vartime(&a, &exponent) != p.neg(&[1, 0, 0, 0]);
            assert_eq!(is_square.and(Mask::all(1)).any(), expected, "{a:x?}");
            squares += u32::from(expected);
            assert_eq!(p.mul(&root, &root), if expected { a } else { p.neg(&a) });
        }
        assert!((80..140).contains(&squares));
    }

    #[test]
    fn roots_on_the_portable_backend() {
        check(Portable5x52);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn roots_on_the_adx_backend() {
        match arith::cpu::Adx::detect() {
            Some(token) => check(crate::secp256k1::Adx4x64::new(token)),
            None => testkit::skip::skip("field::sqrt::roots_on_the_adx_backend", testkit::skip::Missing::Engine("adx")),
        }
    }
}
