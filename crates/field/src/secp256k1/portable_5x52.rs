//! a = a₀ + 2^52 a₁ + 2^104 a₂ + 2^156 a₃ + 2^208 a₄ mod p = 2^256 − c: one element, any CPU with a 64 × 64 → 128 bit product.
//!
//! The engines take [`Portable4x64`](super::Portable4x64), which is faster on one element; this is the representation of vector
//! lanes, and the one whose limbs grow, so the tests of every bound and carry run on it.
//!
//! Limbs carry no higher than their room: an addition is five additions, and only products and [`FieldOps::carry`] propagate.
//! `El<M>` has limbs ≤ 2·UNIT·M·(2^52 − 1), the top one ≤ 2·UNIT·M·(2^48 − 1). A product is far below `El<1>`: limbs of 52 bits,
//! the top one of 49, so that K·a·b with K ≤ UNIT needs no carry. A product accepts limbs below 2^56: nine columns of at most
//! five products each stay below 2^115.
//!
//! Reduction: 2^260 = 16 c mod p brings columns 5…8 down; bits 256…259 leave the top limb with column 5.
//! Cost of a product: 25 word products and 5 for the reduction (15 + 5 for a square).
//! Source: the radix is that of D. Bernstein, "Curve25519: new Diffie-Hellman speed records" (2006), section 4, for this prime.

use super::{C, FieldPrime};
use crate::ops_verify::Inspect;
use crate::{FieldOps, Mask, Row, Task};
use arith::kernel::barrier;
use zeroize::Zeroize;

const LOW_52: u64 = (1 << 52) - 1;
const LOW_48: u64 = (1 << 48) - 1;
/// 2^260 mod p.
const C_260: u64 = C << 4;
/// p in limbs.
const P: [u64; 5] = [LOW_52 + 1 - C, LOW_52, LOW_52, LOW_52, LOW_48];
/// How many products fit into `El<1>`.
const UNIT: u64 = 4;
/// `El<M>` fits its limbs, a difference's bias included.
const MAX: u32 = 128;

/// secp256k1's field on any CPU.
#[derive(Clone, Copy, Debug)]
pub struct Portable5x52;

/// Five limbs, radix 2^52: at most `M` times the room of `El<1>`.
#[derive(Clone, Copy)]
pub struct Element<const M: u32>([u64; 5]);

impl<const M: u32> Zeroize for Element<M> {
    #[inline]
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

#[inline(always)]
fn wide(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// The low 64 bits.
#[inline(always)]
const fn low(a: u128) -> u64 {
    a as u64
}

#[inline(always)]
const fn from_words(a: &[u64; 4]) -> [u64; 5] {
    [
        a[0] & LOW_52,
        (a[0] >> 52 | a[1] << 12) & LOW_52,
        (a[1] >> 40 | a[2] << 24) & LOW_52,
        (a[2] >> 28 | a[3] << 36) & LOW_52,
        a[3] >> 16,
    ]
}

/// The words of a < 2^256 with limbs of 52 bits.
#[inline(always)]
const fn to_words(a: &[u64; 5]) -> [u64; 4] {
    [a[0] | a[1] << 52, a[1] >> 12 | a[2] << 40, a[2] >> 24 | a[3] << 28, a[3] >> 36 | a[4] << 16]
}

/// Propagates carries upwards; what lies above the top limb's 52 bits stays there.
#[inline(always)]
fn propagate(mut a: [u64; 5]) -> [u64; 5] {
    for i in 0..4 {
        a[i + 1] += a[i] >> 52;
        a[i] &= LOW_52;
    }
    a
}

/// The same element below 2^256 + 2^220: limbs of 52 bits, the top one below 2^48 + 2^12. Limbs below 2^63 are accepted.
#[inline(always)]
fn carried(a: &[u64; 5]) -> [u64; 5] {
    let mut a = *a;
    let above = a[4] >> 48; // times 2^256
    a[4] &= LOW_48;
    a[0] += above * C;
    propagate(a)
}

/// The canonical words.
#[inline(always)]
fn canonical(a: &[u64; 5]) -> [u64; 4] {
    let a = carried(a);
    // a ≥ p exactly if a + c ≥ 2^256, and then a − p = a + c − 2^256 is below p.
    let mut less_p = a;
    less_p[0] += C;
    let mut less_p = propagate(less_p);
    let keep = barrier((less_p[4] >> 48).wrapping_sub(1)); // all ones if a < p
    less_p[4] &= LOW_48;
    to_words(&select(keep, &a, &less_p))
}

/// `a` where `keep` is all ones, `b` where it is zero.
#[inline(always)]
fn select(keep: u64, a: &[u64; 5], b: &[u64; 5]) -> [u64; 5] {
    let mut r = *b;
    for i in 0..5 {
        r[i] ^= keep & (a[i] ^ b[i]);
    }
    r
}

/// All ones if a = 0 or a = p, digit by digit; zero otherwise.
#[inline(always)]
fn is_zero_or_p(a: &[u64; 5]) -> u64 {
    let mut zero = 0;
    let mut p = 0;
    for i in 0..5 {
        zero |= a[i];
        p |= a[i] ^ P[i];
    }
    // The digits have 63 bits at most, so the subtraction borrows into the top bit exactly from zero.
    let either = (zero.wrapping_sub(1) | p.wrapping_sub(1)) >> 63;
    either.wrapping_neg()
}

/// The columns Σ_{i+j=k} aᵢ bⱼ of a product.
#[inline(always)]
fn columns(a: &[u64; 5], b: &[u64; 5]) -> [u128; 9] {
    let mut t = [0; 9];
    for i in 0..5 {
        for j in 0..5 {
            t[i + j] += wide(a[i], b[j]);
        }
    }
    t
}

/// The columns of a square.
#[inline(always)]
fn columns_sqr(a: &[u64; 5]) -> [u128; 9] {
    let [a0, a1, a2, a3, a4] = *a;
    let (d0, d1, d2, d3) = (2 * a0, 2 * a1, 2 * a2, 2 * a3);
    [
        wide(a0, a0),
        wide(d0, a1),
        wide(d0, a2) + wide(a1, a1),
        wide(d0, a3) + wide(d1, a2),
        wide(d0, a4) + wide(d1, a3) + wide(a2, a2),
        wide(d1, a4) + wide(d2, a3),
        wide(d2, a4) + wide(a3, a3),
        wide(d3, a4),
        wide(a4, a4),
    ]
}

/// Σ tₖ 2^(52 k) mod p, columns below 2^115 and the last below 2^106: limbs of 52 bits, the top one of 49.
#[inline(always)]
fn reduce(t: &[u128; 9]) -> [u64; 5] {
    // Column 8 goes to 3 and 4, a word and the rest.
    let mut high = t[3] + wide(low(t[8]), C_260);
    let t3 = low(high) & LOW_52;
    high >>= 52;
    high += t[4] + wide(low(t[8] >> 64), C_260 << 12);
    let t4 = low(high) & LOW_52;
    high >>= 52;
    // Bits 256…259, below column 5: together times 2^256 = c.
    high += t[5];
    let above = (low(high) & LOW_52) << 4 | t4 >> 48;
    high >>= 52;
    let mut sum = t[0] + wide(above, C);
    let r0 = low(sum) & LOW_52;
    sum >>= 52;
    high += t[6];
    sum += t[1] + wide(low(high) & LOW_52, C_260);
    high >>= 52;
    let r1 = low(sum) & LOW_52;
    sum >>= 52;
    // Column 7 to 2 and 3.
    high += t[7];
    sum += t[2] + wide(low(high), C_260);
    let r2 = low(sum) & LOW_52;
    sum >>= 52;
    sum += u128::from(t3) + wide(low(high >> 64), C_260 << 12);
    let r3 = low(sum) & LOW_52;
    sum >>= 52;
    [r0, r1, r2, r3, low(sum) + (t4 & LOW_48)]
}

#[inline(always)]
fn scaled<const K: u32>(mut a: [u64; 5]) -> [u64; 5] {
    for limb in &mut a {
        *limb *= u64::from(K);
    }
    a
}

/// Keeps a task's code in one place.
#[inline(never)]
fn outlined<T: Task>(task: T) -> T::Out {
    task.run()
}

impl FieldOps for Portable5x52 {
    type Prime = FieldPrime;
    type El<const M: u32> = Element<M>;
    const LANES: usize = 1;
    const MUL_MAX: u32 = 2;

    #[inline(always)]
    fn outline<T: Task>(self, task: T) -> T::Out {
        outlined(task)
    }

    #[inline(always)]
    fn constant(self, c: &[u64; 4]) -> Element<1> {
        Element(from_words(c))
    }

    #[inline(always)]
    fn load(self, lanes: &[[u64; 4]]) -> Element<1> {
        Element(from_words(&lanes[0]))
    }

    #[inline(always)]
    fn load_to(self, x: &mut Element<1>, y: &mut Element<1>, rows: &[Row<[u64; 4]>], at: &[u32]) {
        let row = &rows[at[0] as usize];
        *x = Element(from_words(&row.x));
        *y = Element(from_words(&row.y));
    }

    #[inline(always)]
    fn lookup_to(self, x: &mut Element<1>, y: &mut Element<1>, rows: &[Row<[u64; 4]>], at: &[u32]) {
        let at = u64::from(at[0]);
        let (mut rx, mut ry) = ([0; 4], [0; 4]);
        for (i, row) in (0u64..).zip(rows) {
            // Both are below 2^32: the difference of unequal ones does not borrow.
            let chosen = barrier(((i ^ at).wrapping_sub(1) >> 63).wrapping_neg());
            for j in 0..4 {
                rx[j] |= row.x[j] & chosen;
                ry[j] |= row.y[j] & chosen;
            }
        }
        *x = Element(from_words(&rx));
        *y = Element(from_words(&ry));
    }

    #[inline(always)]
    fn store<const A: u32>(self, a: &Element<A>, _lane: usize) -> [u64; 4] {
        const { assert!(A <= MAX, "the limbs overflow") }
        canonical(&a.0)
    }

    #[inline(always)]
    fn add<const A: u32, const B: u32, const R: u32>(self, a: &Element<A>, b: &Element<B>) -> Element<R> {
        const { assert!(A + B <= R && R <= MAX, "A + B <= R: the sum is larger than its type") }
        let mut r = a.0;
        for i in 0..5 {
            r[i] += b.0[i];
        }
        Element(r)
    }

    #[inline(always)]
    fn sub<const A: u32, const B: u32, const R: u32>(self, a: &Element<A>, b: &Element<B>) -> Element<R> {
        const { assert!(A + 2 * B <= R && R <= MAX, "A + 2B <= R: the difference is larger than its type") }
        let mut r = a.0;
        for i in 0..5 {
            // The multiple of p covers every limb of b, as UNIT·B + 1 ≤ UNIT·2B.
            r[i] += P[i] * (2 * (UNIT * u64::from(B) + 1)) - b.0[i];
        }
        Element(r)
    }

    #[inline(always)]
    fn times<const K: u32, const A: u32, const R: u32>(self, a: &Element<A>) -> Element<R> {
        const { assert!(K * A <= R && R <= MAX, "K·A <= R: the multiple is larger than its type") }
        Element(scaled::<K>(a.0))
    }

    #[inline(always)]
    fn carry<const A: u32>(self, a: &Element<A>) -> Element<1> {
        const { assert!(A <= MAX, "the limbs overflow") }
        Element(carried(&a.0))
    }

    #[inline(always)]
    fn select_to(self, r: &mut Element<1>, keep: Mask, other: &Element<1>) {
        let keep = barrier(u64::from(keep.0 & 1).wrapping_neg());
        r.0 = select(keep, &r.0, &other.0);
    }

    #[inline(always)]
    fn is_zero(self, a: &Element<1>) -> Mask {
        // Below 2p after the carry, so no multiple of p but 0 and p.
        Mask(low_bit(is_zero_or_p(&carried(&a.0))))
    }

    #[inline(always)]
    fn mul_k<const K: u32, const A: u32, const B: u32>(self, a: &Element<A>, b: &Element<B>) -> Element<1> {
        const { assert!(A <= Self::MUL_MAX && B <= Self::MUL_MAX, "carry before multiplying") }
        const { assert!(K as u64 <= UNIT, "the multiple of a product is larger than El<1>") }
        Element(scaled::<K>(reduce(&columns(&a.0, &b.0))))
    }

    #[inline(always)]
    fn sqr_k<const K: u32, const A: u32>(self, a: &Element<A>) -> Element<1> {
        const { assert!(A <= Self::MUL_MAX, "carry before squaring") }
        const { assert!(K as u64 <= UNIT, "the multiple of a square is larger than El<1>") }
        Element(scaled::<K>(reduce(&columns_sqr(&a.0))))
    }
}

impl Inspect for Portable5x52 {
    const LIMBS: usize = 5;
    const LIMB_BITS: u32 = 52;
    fn limb_limit(self, m: u32, i: usize) -> u64 {
        8 * u64::from(m) * if i < 4 { LOW_52 } else { LOW_48 }
    }
    fn limb<const M: u32>(self, a: &Element<M>, _lane: usize, i: usize) -> u64 {
        a.0[i]
    }
    fn with_limbs<const M: u32>(self, limbs: impl Fn(usize) -> u64) -> Element<M> {
        Element([0, 1, 2, 3, 4].map(limbs))
    }
}

/// A mask word's lowest bit.
#[inline(always)]
const fn low_bit(mask: u64) -> u32 {
    (mask & 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Prime;

    /// A product of the loosest operands that the types admit: every limb at its bound.
    #[test]
    fn product_at_the_bound() {
        let f = Portable5x52;
        let p = FieldPrime::MODULUS;
        let unit = 2 * UNIT * u64::from(Portable5x52::MUL_MAX);
        let a = Element::<2>([unit * LOW_52, unit * LOW_52, unit * LOW_52, unit * LOW_52, unit * LOW_48]);
        let value = f.store(&a, 0);
        // unit·(2^256 − 1) = unit·(c − 1) mod p.
        assert_eq!(value, [unit * (C - 1), 0, 0, 0]);
        assert_eq!(f.store(&f.mul(&a, &a), 0), p.mul(&value, &value));
        assert_eq!(f.store(&f.sqr(&a), 0), p.mul(&value, &value));
    }

    #[test]
    fn multiples_of_p_are_zero() {
        let f = Portable5x52;
        for k in 0..=2 * UNIT - 1 {
            let multiple = Element::<1>(P.map(|limb| limb * k));
            assert_eq!(f.is_zero(&multiple), Mask(1));
            assert_eq!(f.store(&multiple, 0), [0; 4]);
            let mut next = multiple;
            next.0[0] += 1;
            assert_eq!(f.is_zero(&next), Mask(0));
            assert_eq!(f.store(&next, 0), [1, 0, 0, 0]);
        }
    }
}
