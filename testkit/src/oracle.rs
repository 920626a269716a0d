//! Curve arithmetic and signatures by the book, on big integers: slow, affine, one formula a line, nothing shared with the
//! library. What every fast path is compared with.
//!
//! Source: SEC 1 v2.0, 2.2.1 (affine addition), 4.1.3, 4.1.4 and 4.1.6 (ECDSA); BIP 340.

use num_bigint::BigUint;
use sha2::{Digest as _, Sha256};

/// A point: `None` is the point at infinity.
pub type Point = Option<(BigUint, BigUint)>;

/// y² = x³ + ax + b over GF(p), with a generator of prime order n.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The field's prime.
    pub p: BigUint,
    /// The coefficient a.
    pub a: BigUint,
    /// The coefficient b.
    pub b: BigUint,
    /// The generator.
    pub g: (BigUint, BigUint),
    /// The generator's order.
    pub n: BigUint,
}

/// The number printed in hex; spaces are skipped.
pub fn number(hex: &str) -> BigUint {
    let digits: String = hex.split_whitespace().collect();
    BigUint::parse_bytes(digits.as_bytes(), 16).expect("a hex number")
}

/// 32 big-endian bytes of a number below 2^256.
pub fn bytes32(x: &BigUint) -> [u8; 32] {
    let bytes = x.to_bytes_be();
    assert!(bytes.len() <= 32, "{x:x} is 2^256 or more");
    let mut out = [0; 32];
    out[32 - bytes.len()..].copy_from_slice(&bytes);
    out
}

/// The number of big-endian bytes.
pub fn from_bytes(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_be(bytes)
}

impl Curve {
    /// secp256k1. Source: SEC 2 v2.0, 2.4.1.
    pub fn secp256k1() -> Self {
        Self {
            p: number("FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFE FFFFFC2F"),
            a: BigUint::ZERO,
            b: BigUint::from(7u32),
            g: (
                number("79BE667E F9DCBBAC 55A06295 CE870B07 029BFCDB 2DCE28D9 59F2815B 16F81798"),
                number("483ADA77 26A3C465 5DA4FBFC 0E1108A8 FD17B448 A6855419 9C47D08F FB10D4B8"),
            ),
            n: number("FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFE BAAEDCE6 AF48A03B BFD25E8C D0364141"),
        }
    }

    /// G.
    pub fn generator(&self) -> Point {
        Some(self.g.clone())
    }

    /// Is (x, y) on the curve, with both coordinates below p?
    pub fn contains(&self, x: &BigUint, y: &BigUint) -> bool {
        x < &self.p && y < &self.p && (y * y) % &self.p == self.right_side(x)
    }

    /// x³ + ax + b mod p.
    fn right_side(&self, x: &BigUint) -> BigUint {
        (x * x * x + &self.a * x + &self.b) % &self.p
    }

    /// The point with this x < p and an even y. p mod 4 = 3.
    pub fn lift_x(&self, x: &BigUint) -> Point {
        let exponent: BigUint = (&self.p + 1u32) >> 2;
        let y = self.right_side(x).modpow(&exponent, &self.p);
        let point = if y.bit(0) { self.negate(&Some((x.clone(), y))) } else { Some((x.clone(), y)) };
        point.filter(|(x, y)| self.contains(x, y))
    }

    /// −P.
    pub fn negate(&self, point: &Point) -> Point {
        point.as_ref().map(|(x, y)| (x.clone(), (&self.p - y) % &self.p))
    }

    /// P + Q.
    pub fn add(&self, left: &Point, right: &Point) -> Point {
        let (Some((x1, y1)), Some((x2, y2))) = (left, right) else {
            return left.clone().or_else(|| right.clone());
        };
        let p = &self.p;
        let (rise, run) = if x1 != x2 {
            ((y2 + p - y1) % p, (x2 + p - x1) % p) // the chord's slope
        } else if y1 == y2 && *y1 != BigUint::ZERO {
            ((x1 * x1 * 3u32 + &self.a) % p, (y1 * 2u32) % p) // the tangent's slope
        } else {
            return None;
        };
        let slope = rise * run.modinv(p).expect("p is prime") % p;
        let x3 = (&slope * &slope + p + p - x1 - x2) % p;
        let y3 = (slope * (x1 + p - &x3) + p - y1) % p;
        Some((x3, y3))
    }

    /// k·P for a point of the generator's group. Near the order it is −((n − k)·P), which is quicker.
    pub fn mul(&self, k: &BigUint, point: &Point) -> Point {
        let k = k % &self.n;
        if &k + &k > self.n {
            return self.negate(&self.mul(&(&self.n - k), point));
        }
        let mut sum = None;
        for bit in (0..k.bits()).rev() {
            sum = self.add(&sum, &sum);
            if k.bit(bit) {
                sum = self.add(&sum, point);
            }
        }
        sum
    }

    /// k·G.
    pub fn mul_base(&self, k: &BigUint) -> Point {
        self.mul(k, &self.generator())
    }

    /// 1/x mod n; x is not 0 mod n.
    pub fn invert_scalar(&self, x: &BigUint) -> BigUint {
        x.modinv(&self.n).expect("n is prime and x not 0")
    }

    /// −x mod n.
    pub fn negate_scalar(&self, x: &BigUint) -> BigUint {
        (&self.n - x % &self.n) % &self.n
    }

    /// The ECDSA signature of the digest's number z with nonce k, s as it comes, and the recovery id; `None` where r or s is 0.
    pub fn ecdsa_sign(&self, z: &BigUint, d: &BigUint, k: &BigUint) -> Option<(BigUint, BigUint, u8)> {
        let (x, y) = self.mul_base(k)?;
        let r = &x % &self.n;
        let s = self.invert_scalar(k) * (z + &r * d) % &self.n;
        let id = u8::from(y.bit(0)) | u8::from(x >= self.n) << 1;
        (r != BigUint::ZERO && s != BigUint::ZERO).then_some((r, s, id))
    }

    /// Does (r, s) verify for the digest's number z under Q? Both halves of s are accepted.
    pub fn ecdsa_verify(&self, z: &BigUint, r: &BigUint, s: &BigUint, key: &Point) -> bool {
        let in_range = |x: &BigUint| *x != BigUint::ZERO && x < &self.n;
        if !in_range(r) || !in_range(s) || key.is_none() {
            return false;
        }
        let w = self.invert_scalar(s);
        let (u1, u2) = (z * &w % &self.n, r * &w % &self.n);
        let sum = self.add(&self.mul_base(&u1), &self.mul(&u2, key));
        sum.is_some_and(|(x, _)| x % &self.n == *r)
    }

    /// The key Q = r⁻¹(sR − zG) under which (r, s) with r = x(R) mod n verifies.
    pub fn ecdsa_key(&self, z: &BigUint, nonce_point: &Point, s: &BigUint) -> Point {
        let r = &nonce_point.as_ref()?.0 % &self.n;
        let inverse = self.invert_scalar(&r);
        let (u1, u2) = (self.negate_scalar(&(z * &inverse)), s * &inverse % &self.n);
        self.add(&self.mul_base(&u1), &self.mul(&u2, nonce_point))
    }

    /// Does the BIP340 signature verify? Source: BIP 340, "Verification".
    pub fn bip340_verify(&self, message: &[u8], signature: &[u8; 64], key: &[u8; 32]) -> bool {
        let (r, s) = (from_bytes(&signature[..32]), from_bytes(&signature[32..]));
        let x = from_bytes(key);
        if x >= self.p || r >= self.p || s >= self.n {
            return false;
        }
        let point = self.lift_x(&x);
        if point.is_none() {
            return false;
        }
        let e = from_bytes(&tagged_hash("BIP0340/challenge", &[&signature[..32], key, message])) % &self.n;
        let sum = self.add(&self.mul_base(&s), &self.mul(&self.negate_scalar(&e), &point));
        sum.is_some_and(|(x, y)| !y.bit(0) && x == r)
    }
}

/// SHA256(SHA256(tag) ‖ SHA256(tag) ‖ parts).
pub fn tagged_hash(tag: &str, parts: &[&[u8]]) -> [u8; 32] {
    let tag = Sha256::digest(tag.as_bytes());
    let mut hash = Sha256::new_with_prefix(tag);
    hash.update(tag);
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

/// SEC 1, 2.3.3: 02 or 03, then x.
pub fn compressed(point: &(BigUint, BigUint)) -> [u8; 33] {
    let mut out = [0; 33];
    out[0] = 2 | u8::from(point.1.bit(0));
    out[1..].copy_from_slice(&bytes32(&point.0));
    out
}

/// SEC 1, 2.3.3: 04, then x and y.
pub fn uncompressed(point: &(BigUint, BigUint)) -> [u8; 65] {
    let mut out = [4; 65];
    out[1..33].copy_from_slice(&bytes32(&point.0));
    out[33..].copy_from_slice(&bytes32(&point.1));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_annihilates() {
        let curve = Curve::secp256k1();
        assert_eq!(curve.add(&curve.mul_base(&(&curve.n - 1u32)), &curve.generator()), None);
        let half = (&curve.n - 1u32) >> 1u32;
        let point = curve.mul_base(&half);
        let whole = curve.add(&curve.add(&point, &point), &curve.generator());
        assert_eq!(whole, None, "(n − 1)/2·2 + 1 = n");
        assert_eq!(curve.mul_base(&(&curve.n - 1u32)), curve.negate(&curve.generator()));
        assert_eq!(curve.lift_x(&curve.g.0), curve.generator());
    }

    #[test]
    fn a_signature_verifies_and_its_key_is_recovered() {
        let curve = Curve::secp256k1();
        let (z, d, k) = (BigUint::from(5u32), BigUint::from(6u32), BigUint::from(7u32));
        let key = curve.mul_base(&d);
        let (r, s, _) = curve.ecdsa_sign(&z, &d, &k).unwrap();
        assert!(curve.ecdsa_verify(&z, &r, &s, &key));
        assert!(!curve.ecdsa_verify(&(z.clone() + 1u32), &r, &s, &key));
        assert_eq!(curve.ecdsa_key(&z, &curve.mul_base(&k), &s), key);
    }
}
