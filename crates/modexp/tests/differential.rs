//! Every kind of modulus, base and exponent against num-bigint, on every engine of this machine.
//!
//! 2,000 cases; 200,000 by `WINDLASS_TEST_PERCENT=10000 cargo test --release -p windlass-modexp --test differential`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use num_bigint::BigUint;
use testkit::random::Random;
use windlass_modexp::{Exponent, Kernels, Modulus, OutputTooShort, Portable, Power, modexp, modexp_many};

/// A number of exactly so many bits: random, all ones, one bit, or with long runs.
fn number(random: &mut Random, bits: usize) -> BigUint {
    if bits == 0 {
        return BigUint::from(0u32);
    }
    let one = BigUint::from(1u32);
    let top = &one << (bits - 1);
    match random.below(8) {
        0 => (&one << bits) - 1u32,
        1 => top,
        2 => top + (&one << random.below(bits)) % (&one << (bits - 1)).max(BigUint::from(2u32)),
        3 => {
            // ones, a run of zeros, ones
            let (a, b) = (random.below(bits), random.below(bits));
            let hole = ((&one << a.max(b)) - 1u32) ^ ((&one << a.min(b)) - 1u32);
            let number = ((&one << bits) - 1u32) ^ hole;
            number | top
        }
        _ => {
            let mut bytes = vec![0; bits.div_ceil(8)];
            random.fill(&mut bytes);
            (BigUint::from_bytes_le(&bytes) % &top) + top
        }
    }
}

/// A length in bits, small ones and the edges of words more often.
fn length(random: &mut Random, largest: usize) -> usize {
    match random.below(4) {
        0 => random.below(70),
        1 => (64 * (1 + random.below(largest / 64)) + random.below(5)).saturating_sub(2),
        2 => random.below(300.min(largest)),
        _ => random.below(largest + 1),
    }
}

/// The modulus: odd, even, a power of two, or odd·2^k with k about the edge of a word.
fn modulus(random: &mut Random, largest: usize) -> BigUint {
    let bits = length(random, largest);
    let one = BigUint::from(1u32);
    match random.below(6) {
        0 | 1 => number(random, bits) | &one,
        2 => number(random, bits),
        3 => &one << bits,
        4 => (number(random, bits) | &one) << random.below(131),
        _ => {
            let twos = length(random, largest);
            (number(random, bits) | &one) << twos
        }
    }
}

fn check<K: Kernels>(k: K, engine: &str, base: &BigUint, exponent: &BigUint, modulus: &BigUint, random: &mut Random) {
    let zero = BigUint::from(0u32);
    let expected = if *modulus == zero { zero.clone() } else { base.modpow(exponent, modulus) };
    let padded = |number: &BigUint, zeros: usize| {
        let mut bytes = vec![0; zeros];
        if *number != zero {
            bytes.extend(number.to_bytes_be());
        }
        bytes
    };
    let zeros = random.below(3);
    let (b, e, m) = (padded(base, zeros), padded(exponent, random.below(3)), padded(modulus, random.below(10)));
    let mut out = vec![0xAA; m.len() + random.below(3)];
    modexp(k, &b, Exponent::new(&e), &m, &mut out).unwrap();
    assert_eq!(BigUint::from_bytes_be(&out), expected, "{engine}: {base:x}^{exponent:x} mod {modulus:x}");
    if random.below(4) == 0 {
        out.fill(0xAA);
        Modulus::new(k, &m).pow(&b, Exponent::new(&e), &mut out).unwrap();
        assert_eq!(BigUint::from_bytes_be(&out), expected, "{engine}, reused: {base:x}^{exponent:x} mod {modulus:x}");
    }
}

/// Checks on every engine.
fn check_all(base: &BigUint, exponent: &BigUint, modulus: &BigUint, random: &mut Random) {
    check(Portable, "portable", base, exponent, modulus, random);
    #[cfg(target_arch = "x86_64")]
    if let Some(adx) = arith::cpu::Adx::detect() {
        check(adx, "adx", base, exponent, modulus, random);
    }
    #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
    if let Some(ifma) = arith::cpu::Ifma::detect() {
        check(ifma, "ifma", base, exponent, modulus, random);
    }
}

#[test]
fn against_num_bigint() {
    let mut random = Random::new(6);
    for i in 0..testkit::effort::cases(2_000) {
        // Long ones are slow on both sides, so few.
        let largest = [256, 300, 600, 1100, 2200][(i % 32).min(4) * usize::from(i % 32 < 5)];
        let largest = if i % 500 == 7 { 8192 + 64 } else { largest };
        let m = modulus(&mut random, largest);
        let base_bits = length(&mut random, largest + 200);
        let base = match random.below(8) {
            0 => m.clone(),
            1 => &m + 1u32,
            2 => &m * &m,
            3 if m > BigUint::from(0u32) => &m - 1u32,
            _ => number(&mut random, base_bits),
        };
        let exponent_bits = random.below(if largest > 2000 { 150 } else { 301 });
        let exponent = number(&mut random, exponent_bits);
        check_all(&base, &exponent, &m, &mut random);
    }
}

/// Every modulus of up to 9 bits with every small base and exponent.
#[test]
fn small_numbers() {
    let mut random = Random::new(7);
    let all = testkit::effort::one_in();
    for m in (0u32..300).step_by(all) {
        for base in [0u32, 1, 2, 3, 4, 5, 6, 7, 12, 255, 256, 257, m, m + 1] {
            for exponent in (0u32..20).chain([31, 32, 33, 63, 64, 65, 127, 255, 65537]) {
                check_all(&base.into(), &exponent.into(), &m.into(), &mut random);
            }
        }
    }
}

/// odd·2^k with k at every edge, and exponents that are powers of two at the edge of a word.
#[test]
fn twos_and_word_edges() {
    let mut random = Random::new(8);
    for bits in [1, 63, 64, 65, 127, 128, 191, 192, 255, 256, 257, 320, 512] {
        for twos in (0..=130).step_by(1 + testkit::effort::one_in() * 2).chain([191, 192, 193, 255, 256, 257]) {
            let m = (number(&mut random, bits) | BigUint::from(1u32)) << twos;
            let one = BigUint::from(1u32);
            let shift = *random.choose(&[1, 2, 3, 17, 31, 32, 33, 63, 64, 65, 128]);
            let exponent = (&one << shift) + random.below(3) - 1u32;
            for base in [&m - 1u32, &m + 1u32, &one << 160, (&one << (bits + twos)) - 1u32, number(&mut random, 300)] {
                check_all(&base, &exponent, &m, &mut random);
            }
        }
    }
}

/// Zero bytes that follow the exponent need no memory.
#[test]
fn exponents_with_zero_bytes() {
    let (m, base) = (BigUint::from(1_000_003u32), BigUint::from(5u32));
    for zeros in [0u32, 1, 7, 8, 100, 2000] {
        let exponent = BigUint::from(0xABCDu32) << (8 * zeros);
        let mut out = [0; 3];
        let e = Exponent::new(&[0xAB, 0xCD]).with_zero_bytes(zeros.into());
        modexp(Portable, &[5], e, &m.to_bytes_be(), &mut out).unwrap();
        assert_eq!(BigUint::from_bytes_be(&out), base.modpow(&exponent, &m), "{zeros}");
    }
}

/// Rows of every kind side by side: each has the verdict and the bytes that it has alone.
fn check_many<K: Kernels>(k: K, engine: &str, random: &mut Random) {
    let count = random.below(40);
    let alike = random.below(2) == 0;
    let rows: Vec<[Vec<u8>; 3]> = (0..count)
        .map(|_| {
            let m = match random.below(8) {
                0 => modulus(random, 600),
                1 => number(random, 512) | BigUint::from(1u32),
                2 => number(random, 256) | BigUint::from(1u32),
                _ => {
                    let bits = 1 + random.below(512);
                    number(random, bits) | BigUint::from(1u32)
                }
            };
            let e_bits = if alike { 200 + random.below(57) } else { random.below(530) };
            let base_bits = random.below(700);
            let exponent = number(random, e_bits);
            [number(random, base_bits).to_bytes_be(), exponent.to_bytes_be(), m.to_bytes_be()]
        })
        .collect();
    let mut outs: Vec<Vec<u8>> = rows
        .iter()
        .map(|[.., m]| vec![0xAA; (m.len() + random.below(3)).saturating_sub(random.below(20) / 19)])
        .collect();
    let mut expected = outs.clone();
    let alone: Vec<Result<(), OutputTooShort>> = rows
        .iter()
        .zip(&mut expected)
        .map(|([base, exponent, m], out)| modexp(k, base, Exponent::new(exponent), m, out))
        .collect();
    let mut powers: Vec<Power<'_>> = rows
        .iter()
        .zip(&mut outs)
        .map(|([base, exponent, modulus], out)| Power { base, exponent: Exponent::new(exponent), modulus, out })
        .collect();
    assert_eq!(modexp_many(k, &mut powers), alone, "{engine}");
    for (row, (out, expected)) in outs.iter().zip(&expected).enumerate() {
        assert_eq!(out, expected, "{engine}, row {row}: {:x?}", rows[row]);
    }
}

#[test]
fn many_at_once() {
    let mut random = Random::new(9);
    for _ in 0..testkit::effort::cases(150) {
        check_many(Portable, "portable", &mut random);
        #[cfg(target_arch = "x86_64")]
        if let Some(adx) = arith::cpu::Adx::detect() {
            check_many(adx, "adx", &mut random);
        }
        #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
        if let Some(ifma) = arith::cpu::Ifma::detect() {
            check_many(ifma, "ifma", &mut random);
        }
    }
}
