//! Values on which arithmetic goes wrong first: 0, the moduli, the words' limits, the endomorphism's constants.

use crate::oracle::{Curve, bytes32, number};
use crate::random::Random;
use num_bigint::BigUint;

/// λ: λ·(x, y) = (βx, y) on secp256k1. A root of λ² + λ + 1 mod n.
/// Source: R. Gallant, R. Lambert, S. Vanstone, CRYPTO 2001; checked by a test below.
pub fn lambda() -> BigUint {
    number("5363AD4C C05C30E0 A5261C02 8812645A 122E22EA 20816678 DF02967C 1B23BD72")
}

/// Numbers below 2^256 around 0, n, p, λ, 2^128 and the limits of limbs.
pub fn numbers(curve: &Curve) -> Vec<BigUint> {
    let one = BigUint::from(1u32);
    let top = (&one << 256u32) - &one;
    let mut around = vec![BigUint::ZERO, &curve.n >> 1u32, curve.n.clone(), curve.p.clone(), top.clone()];
    around.extend([lambda(), &curve.n - lambda(), &one << 128u32, &one << 255u32]);
    around.extend([&curve.p - &curve.n, &curve.n + &curve.n - (&one << 256u32)]);
    around.extend((1..5).map(|limbs| &one << (52 * limbs)));
    around.extend((1..4).map(|words| &one << (64 * words)));
    let mut all = Vec::new();
    for x in around {
        for distance in 0..3u32 {
            all.push(&x + distance);
            if x >= BigUint::from(distance) {
                all.push(&x - distance);
            }
        }
    }
    all.retain(|x| x <= &top);
    all.sort();
    all.dedup();
    all
}

/// [`numbers`] as 32 big-endian bytes.
pub fn bytes(curve: &Curve) -> Vec<[u8; 32]> {
    numbers(curve).iter().map(bytes32).collect()
}

/// Draws 32-byte numbers that are edges more often than not: an edge value, one near it, a short one, or runs of equal bits.
#[derive(Clone, Debug)]
pub struct Biased {
    edges: Vec<[u8; 32]>,
}

impl Biased {
    /// The edges of a curve.
    pub fn new(curve: &Curve) -> Self {
        Self { edges: bytes(curve) }
    }

    /// One number.
    pub fn number(&self, random: &mut Random) -> [u8; 32] {
        match random.below(8) {
            0..=2 => *random.choose(&self.edges),
            3 => {
                // An edge with its low 16 bits replaced.
                let mut x = *random.choose(&self.edges);
                x[30..].copy_from_slice(&random.bytes::<2>());
                x
            }
            4 => {
                // 1 to 32 significant bytes.
                let mut x = [0; 32];
                let from = random.below(32);
                random.fill(&mut x[from..]);
                x
            }
            5 | 6 => self.runs(random),
            _ => random.bytes(),
        }
    }

    /// Runs of equal bits, 1 to 64 long: carries travel far.
    fn runs(&self, random: &mut Random) -> [u8; 32] {
        let (mut x, mut bit, mut left) = ([0u8; 32], false, 0);
        for i in 0..256 {
            if left == 0 {
                (bit, left) = (!bit, 1 + random.below(64));
            }
            left -= 1;
            x[i / 8] |= u8::from(bit) << (7 - i % 8);
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lambda_is_the_endomorphism() {
        let curve = Curve::secp256k1();
        let lambda = lambda();
        assert_eq!((&lambda * &lambda + &lambda + 1u32) % &curve.n, BigUint::ZERO);
        let image = curve.mul_base(&lambda).unwrap();
        assert_eq!(image.1, curve.g.1, "the same y");
    }

    #[test]
    fn edges_hold_the_moduli_and_their_neighbours() {
        let curve = Curve::secp256k1();
        let all = numbers(&curve);
        for x in [BigUint::ZERO, &curve.n - 1u32, curve.n.clone(), &curve.n + 1u32, &curve.p - 1u32] {
            assert!(all.contains(&x), "{x:x}");
        }
    }
}
