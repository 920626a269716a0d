//! a·b mod n, n the order of secp256k1's group: SEC 2 v2.0, section 2.4.1.
//!
//! n = 2^256 − c with c < 2^129, so h·2^256 + l = l + h·c mod n. From eight words:
//! 1. t = l + h·c below 2^386, seven words, h four words;
//! 2. t = l + h·c below 2^256 + 2^260, five words, h below 2^130;
//! 3. t = l + h·c below 2^256 + 2^134, h below 2^5; this is less than 2n, so one subtraction of n ends it.
//!
//! Cost: 16 + 8 + 6 + 2 word products, for 40 by Montgomery twice. Constant time.
//! Source: R. Crandall, US patent 5159632 (expired); A. Menezes et al., "Handbook of applied cryptography" (1996), algorithm 14.47.

use crate::ops::Prime;
use arith::Modulus;
use arith::limbs::{self, add_carry, mul_add_carry};

/// The order of secp256k1's group, a prime of 256 bits: 2^256 − n < 2^129.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupOrder;

const N: [u64; 4] = limbs::from_hex("FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFE BAAEDCE6 AF48A03B BFD25E8C D0364141");

/// c = 2^256 − n.
const C: [u64; 3] = [N[0].wrapping_neg(), !N[1], !N[2]];
const _: () = assert!(C[2] == 1 && N[0] != 0 && N[3] == u64::MAX, "n + c = 2^256, c < 2^129");

impl Prime for GroupOrder {
    type Words = [u64; 4];
    type Bytes = [u8; 32];
    const MODULUS: Modulus<[u64; 4]> = Modulus::new(N);
    const BITS: u32 = 256;

    #[inline]
    fn mul(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        let mut t = [0; 8];
        for i in 0..4 {
            let mut carry = 0;
            for j in 0..4 {
                (t[i + j], carry) = mul_add_carry(t[i + j], a[j], b[i], carry);
            }
            t[i + 4] = carry;
        }
        let [l0, l1, l2, l3, h0, h1, h2, h3] = t;
        let [l0, l1, l2, l3, h0, h1, h2] = add_times_c([l0, l1, l2, l3, 0, 0, 0], [h0, h1, h2, h3]);
        let [l0, l1, l2, l3, h0] = add_times_c([l0, l1, l2, l3, 0], [h0, h1, h2]);
        let [l0, l1, l2, l3, carry] = add_times_c([l0, l1, l2, l3, 0], [h0]);
        reduce_once([l0, l1, l2, l3], carry)
    }

    #[inline]
    fn reduce(a: &[u64; 4]) -> [u64; 4] {
        reduce_once(*a, 0) // 2^256 < 2n
    }
}

/// t + h·c; the caller knows that it fits.
#[inline(always)]
fn add_times_c<const T: usize, const H: usize>(mut t: [u64; T], h: [u64; H]) -> [u64; T] {
    for (j, &c) in C.iter().enumerate() {
        let mut carry = 0;
        for i in j..T {
            let h = if i - j < H { h[i - j] } else { 0 };
            // c₂ = 1: an addition
            (t[i], carry) = if j == 2 { add_carry(t[i], h, carry) } else { mul_add_carry(t[i], h, c, carry) };
        }
    }
    t
}

/// a + 2^256·carry mod n for less than 2n.
#[inline(always)]
fn reduce_once(a: [u64; 4], carry: u64) -> [u64; 4] {
    // a − n = a + c − 2^256, so it is not negative exactly if the sum carries.
    let (less_n, over) = limbs::add(&a, &[C[0], C[1], C[2], 0]);
    limbs::select((over | carry).wrapping_neg(), &a, &less_n)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words 0, 1, half and all ones, and n's own around it.
    fn edges() -> impl Iterator<Item = [u64; 4]> + Clone {
        let words = [0, 1, 1 << 63, u64::MAX];
        let patterns = (0..256usize).map(move |i| [words[i & 3], words[i >> 2 & 3], words[i >> 4 & 3], words[i >> 6]]);
        let near_n = (0..16).map(|d| limbs::sub(&N, &[d, 0, 0, 0]).0);
        let near_c = (0..16).map(|d| limbs::sub(&[C[0], C[1], 1, 0], &[d, 0, 0, 0]).0);
        patterns.chain(near_n).chain(near_c)
    }

    #[test]
    fn products_agree_with_montgomery() {
        for a in edges() {
            assert_eq!(GroupOrder::reduce(&a), GroupOrder::MODULUS.reduce(&a), "{a:x?}");
            let a = GroupOrder::MODULUS.reduce(&a);
            for b in edges() {
                let b = GroupOrder::MODULUS.reduce(&b);
                assert_eq!(GroupOrder::mul(&a, &b), GroupOrder::MODULUS.mul(&a, &b), "{a:x?} {b:x?}");
            }
        }
        let (mut a, mut b) = ([1, 2, 3, 4], [5, 6, 7, 8]);
        for _ in 0..100_000 {
            let product = GroupOrder::mul(&a, &b);
            assert_eq!(product, GroupOrder::MODULUS.mul(&a, &b), "{a:x?} {b:x?}");
            (a, b) = (b, GroupOrder::MODULUS.add(&product, &[9, 8, 7, 6]));
        }
    }
}
