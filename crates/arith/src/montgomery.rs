//! Arithmetic modulo a given odd m < 2^(64 N), by Montgomery's reduction: abR⁻¹ mod m with R = 2^(64 N).
//!
//! Generic over the number of words and without assumptions on m: the reference for every faster kernel, and the arithmetic
//! of scalars. Operands and results are canonical (below m). Cost of a product: 2N² + N word products (CIOS).
//! Source: P. Montgomery, "Modular multiplication without trial division", Math. Comp. 44 (1985);
//! Ç. Koç, T. Acar, B. Kaliski, "Analyzing and comparing Montgomery multiplication algorithms", IEEE Micro 16 (1996), CIOS.

use crate::inverse::{self, Signed62};
use crate::limbs::{self, Words, add_carry, mul_add_carry, sub_borrow};

/// An odd modulus with the constants that Montgomery's reduction needs.
#[derive(Clone, Copy, Debug)]
pub struct Modulus<W> {
    /// m.
    pub m: W,
    /// R mod m.
    r: W,
    /// R² mod m.
    r2: W,
    /// −1/m mod 2^64.
    pub(crate) neg_inverse: u64,
    /// m in signed digits of 62 bits, for inversion.
    pub(crate) m_signed_62: Signed62,
}

impl<const N: usize> Modulus<[u64; N]> {
    /// The modulus m.
    ///
    /// # Panics
    /// When m is even or below 3: at compile time where it initialises a constant.
    pub const fn new(m: [u64; N]) -> Self {
        assert!(m[0] & 1 == 1, "the modulus is odd");
        let mut inverse = 1u64; // 1/m mod 2, then twice the bits a step
        let mut i = 0;
        while i < 6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(m[0].wrapping_mul(inverse)));
            i += 1;
        }
        let mut one = [0; N];
        one[0] = 1;
        let r = double_times(one, &m, 64 * N);
        Self {
            m,
            r,
            r2: double_times(r, &m, 64 * N),
            neg_inverse: inverse.wrapping_neg(),
            m_signed_62: inverse::balanced_62(&m),
        }
    }
}

/// a·2^times mod m by doublings, for constants.
const fn double_times<const N: usize>(mut a: [u64; N], m: &[u64; N], times: usize) -> [u64; N] {
    let mut i = 0;
    while i < times {
        let (mut d, mut carry, mut j) = ([0; N], 0, 0);
        while j < N {
            (d[j], carry) = add_carry(a[j], a[j], carry);
            j += 1;
        }
        let (mut s, mut borrow) = ([0; N], 0);
        j = 0;
        while j < N {
            (s[j], borrow) = sub_borrow(d[j], m[j], borrow);
            j += 1;
        }
        a = if carry == 1 || borrow == 0 { s } else { d };
        i += 1;
    }
    a
}

impl<W: Words> Modulus<W> {
    /// a − m where a ≥ m, for a < 2m given as words and a carry bit.
    #[inline(always)]
    fn reduce_once(&self, a: &W, carry: u64) -> W {
        let (s, borrow) = limbs::sub(a, &self.m);
        // a < m exactly if the subtraction borrows beyond the carry.
        limbs::select((borrow & !carry & 1).wrapping_neg(), &s, a)
    }

    /// a mod m, for every `a` of W, however small m is: the product by R² leaves less than 2m before its last subtraction.
    #[inline]
    pub fn reduce(&self, a: &W) -> W {
        self.from_montgomery(&self.to_montgomery(a))
    }

    /// a + b mod m.
    #[inline]
    pub fn add(&self, a: &W, b: &W) -> W {
        let (s, carry) = limbs::add(a, b);
        self.reduce_once(&s, carry)
    }

    /// a − b mod m.
    #[inline]
    pub fn sub(&self, a: &W, b: &W) -> W {
        let (d, borrow) = limbs::sub(a, b);
        let (e, _) = limbs::add(&d, &self.m);
        limbs::select(borrow.wrapping_neg(), &d, &e)
    }

    /// −a mod m.
    #[inline]
    pub fn neg(&self, a: &W) -> W {
        self.sub(&W::ZERO, a)
    }

    /// a·b·R⁻¹ mod m.
    #[inline]
    pub fn mul_montgomery(&self, a: &W, b: &W) -> W {
        let mut t = W::ZERO;
        let mut t_n = 0; // the word above t
        for &b in b.as_ref() {
            let mut carry = 0;
            for (t, &a) in t.as_mut().iter_mut().zip(a.as_ref()) {
                (*t, carry) = mul_add_carry(*t, a, b, carry);
            }
            let t_n1;
            (t_n, t_n1) = add_carry(t_n, carry, 0);
            let q = t.as_ref()[0].wrapping_mul(self.neg_inverse);
            let m = self.m.as_ref();
            let (_, mut carry) = mul_add_carry(t.as_ref()[0], q, m[0], 0);
            for j in 1..W::LEN {
                (t.as_mut()[j - 1], carry) = mul_add_carry(t.as_ref()[j], q, m[j], carry);
            }
            (t.as_mut()[W::LEN - 1], carry) = add_carry(t_n, carry, 0);
            t_n = t_n1 + carry;
        }
        self.reduce_once(&t, t_n)
    }

    /// a·R mod m: `a` in Montgomery's form.
    #[inline]
    pub fn to_montgomery(&self, a: &W) -> W {
        self.mul_montgomery(a, &self.r2)
    }

    /// a·R⁻¹ mod m: out of Montgomery's form.
    #[inline]
    pub fn from_montgomery(&self, a: &W) -> W {
        self.mul_montgomery(a, &W::ONE)
    }

    /// a·b mod m, plain operands: two Montgomery products.
    #[inline]
    pub fn mul(&self, a: &W, b: &W) -> W {
        self.mul_montgomery(&self.to_montgomery(a), b)
    }

    /// a^e mod m; the exponent is public.
    pub fn pow_vartime(&self, a: &W, e: &W) -> W {
        let (a, mut r) = (self.to_montgomery(a), self.r);
        for &word in e.as_ref().iter().rev() {
            for bit in (0..64).rev() {
                r = self.mul_montgomery(&r, &r);
                if word >> bit & 1 == 1 {
                    r = self.mul_montgomery(&r, &a);
                }
            }
        }
        self.from_montgomery(&r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: Modulus<[u64; 4]> =
        Modulus::new(limbs::from_hex("FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFE FFFFFC2F"));

    #[test]
    fn products_of_the_largest_elements() {
        let minus_one = P.neg(&[1, 0, 0, 0]);
        assert_eq!(P.mul(&minus_one, &minus_one), [1, 0, 0, 0]);
        assert_eq!(P.sub(&P.add(&minus_one, &minus_one), &minus_one), minus_one);
    }

    #[test]
    fn fermat() {
        let a = [3, 0, 5, 1 << 63];
        let inverse = P.pow_vartime(&a, &P.sub(&P.m, &[2, 0, 0, 0]));
        assert_eq!(P.mul(&a, &inverse), [1, 0, 0, 0]);
    }

    #[test]
    fn small_moduli() {
        let seven = Modulus::new([7u64]);
        for a in 0..7 {
            for b in 0..7 {
                assert_eq!(seven.mul(&[a], &[b]), [a * b % 7]);
            }
        }
        assert_eq!(seven.reduce(&[u64::MAX]), [u64::MAX % 7]);
    }
}
