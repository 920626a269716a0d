//! The forms of a point, each read by its own function only, and everything that is no point.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::params::Secp256k1;
use field::secp256k1::Portable5x52;

type P = AffinePoint<Secp256k1>;
const F: Portable5x52 = Portable5x52;
const PRIME: [u64; 4] = <<Secp256k1 as CurveParams>::Field as Prime>::MODULUS.m;

fn bytes(words: [u64; 4]) -> [u8; 32] {
    let mut out = [0; 32];
    limbs::to_be_bytes(&words, &mut out);
    out
}

fn p_plus(k: u64) -> [u64; 4] {
    [PRIME[0] + k, PRIME[1], PRIME[2], PRIME[3]]
}

fn both(prefix: u8, x: [u64; 4], y: [u64; 4]) -> [u8; 65] {
    let mut out = [prefix; 65];
    out[1..33].copy_from_slice(&bytes(x));
    out[33..].copy_from_slice(&bytes(y));
    out
}

fn one(prefix: u8, x: [u64; 4]) -> [u8; 33] {
    let mut out = [prefix; 33];
    out[1..].copy_from_slice(&bytes(x));
    out
}

/// G has an even y.
#[test]
fn every_form_of_g() {
    let g = P::GENERATOR;
    let (x, y) = (*g.x_words(), *g.y_words());
    assert_eq!(to_compressed(&g), one(2, x));
    assert_eq!(to_compressed(&g.negate()), one(3, x));
    assert_eq!(to_uncompressed(&g), both(4, x, y));
    assert_eq!(x_bytes(&g), bytes(x));
    assert_eq!(parse_compressed(F, &one(2, x)), Ok(g));
    assert_eq!(parse_compressed(F, &one(3, x)), Ok(g.negate()));
    assert_eq!(parse_uncompressed(F, &both(4, x, y)), Ok(g));
    assert_eq!(parse_hybrid(F, &both(6, x, y)), Ok(g));
    assert_eq!(parse_hybrid(F, &both(7, x, *g.negate().y_words())), Ok(g.negate()));
    assert_eq!(parse_x_only(F, &bytes(x)), Ok(g));
}

#[test]
fn a_form_is_not_another() {
    let g = P::GENERATOR;
    let (x, y) = (*g.x_words(), *g.y_words());
    for prefix in (0..=255).filter(|prefix| !(2..4).contains(prefix)) {
        assert_eq!(parse_compressed::<Secp256k1, _>(F, &one(prefix, x)), Err(DecodeError::Prefix));
    }
    for prefix in (0..=255).filter(|&prefix| prefix != 4) {
        assert_eq!(parse_uncompressed::<Secp256k1, _>(F, &both(prefix, x, y)), Err(DecodeError::Prefix));
    }
    for prefix in (0..=255).filter(|prefix| !(6..8).contains(prefix)) {
        assert_eq!(parse_hybrid::<Secp256k1, _>(F, &both(prefix, x, y)), Err(DecodeError::Prefix));
    }
    assert_eq!(parse_hybrid::<Secp256k1, _>(F, &both(7, x, y)), Err(DecodeError::Parity));
    assert_eq!(parse_hybrid::<Secp256k1, _>(F, &both(6, x, *g.negate().y_words())), Err(DecodeError::Parity));
}

#[test]
fn truncations_and_infinity() {
    let long = [2u8; 200];
    for len in 0..long.len() {
        let wrong = |right: usize| len != right;
        let bytes = &long[..len];
        assert_eq!(parse_compressed::<Secp256k1, _>(F, bytes) == Err(DecodeError::Length), wrong(33), "{len}");
        assert_eq!(parse_uncompressed::<Secp256k1, _>(F, bytes) == Err(DecodeError::Length), wrong(65), "{len}");
        assert_eq!(parse_hybrid::<Secp256k1, _>(F, bytes) == Err(DecodeError::Length), wrong(65), "{len}");
        assert_eq!(parse_x_only::<Secp256k1, _>(F, bytes) == Err(DecodeError::Length), wrong(32), "{len}");
    }
    for parse in [parse_compressed::<Secp256k1, _>, parse_uncompressed, parse_hybrid] {
        assert_eq!(parse(F, &[0]), Err(DecodeError::Infinity));
        assert!(parse(F, &[0; 33]).is_err() && parse(F, &[0; 65]).is_err());
        assert!(parse(F, &[0xFF; 33]).is_err() && parse(F, &[0xFF; 65]).is_err());
    }
    assert_eq!(parse_uncompressed::<Secp256k1, _>(F, &both(4, [0; 4], [0; 4])), Err(DecodeError::NotOnCurve));
}

/// x + p encodes the point with x a second time, and so does y + p.
#[test]
fn coordinates_not_below_p() {
    let mut small = 0;
    for x in 1..100u64 {
        let Ok(point) = lift_x::<Secp256k1, _>(F, &[x, 0, 0, 0], Parity::Even) else {
            assert_eq!(parse_compressed::<Secp256k1, _>(F, &one(2, [x, 0, 0, 0])), Err(DecodeError::NotOnCurve));
            continue;
        };
        small += 1;
        let y = *point.y_words();
        for prefix in [2, 3] {
            assert_eq!(parse_compressed::<Secp256k1, _>(F, &one(prefix, p_plus(x))), Err(DecodeError::OutOfRange));
        }
        assert_eq!(parse_x_only::<Secp256k1, _>(F, &bytes(p_plus(x))), Err(DecodeError::OutOfRange));
        assert_eq!(lift_x::<Secp256k1, _>(F, &p_plus(x), Parity::Odd), Err(DecodeError::OutOfRange));
        for (prefix, parse) in [(4, parse_uncompressed::<Secp256k1, _> as fn(_, &[u8]) -> _), (6, parse_hybrid)] {
            assert_eq!(parse(F, &both(prefix, [x, 0, 0, 0], y)), Ok(point));
            assert_eq!(parse(F, &both(prefix, p_plus(x), y)), Err(DecodeError::OutOfRange));
            assert_eq!(parse(F, &both(prefix, [x, 0, 0, 0], PRIME)), Err(DecodeError::OutOfRange));
            assert_eq!(parse(F, &both(prefix, PRIME, PRIME)), Err(DecodeError::OutOfRange));
            assert_eq!(parse(F, &both(prefix, [x + 1, 0, 0, 0], y)), Err(DecodeError::NotOnCurve));
        }
    }
    assert!(small > 30);
}

/// y² = x³ + 7 has a point with a small y + p: (x, y) with x³ = y² − 7.
#[test]
fn a_second_encoding_of_a_small_y() {
    // y = 2 and 3: y² − 7 = −3 and 2. The cube roots, where there are some, are a^((p + 2)/9), as p = 7 mod 9.
    let p = <Secp256k1 as CurveParams>::Field::MODULUS;
    let ninth = {
        let (mut rest, mut q) = (0u128, p_plus(2));
        for word in q.iter_mut().rev() {
            let wide = rest << 64 | u128::from(*word);
            (*word, rest) = ((wide / 9) as u64, wide % 9);
        }
        assert_eq!(rest, 0);
        q
    };
    let mut found = 0;
    for y in 1..60u64 {
        let cube = p.sub(&[y * y, 0, 0, 0], &[7, 0, 0, 0]);
        let x = p.pow_vartime(&cube, &ninth);
        if p.mul(&x, &p.mul(&x, &x)) == cube {
            found += 1;
            assert!(parse_uncompressed::<Secp256k1, _>(F, &both(4, x, [y, 0, 0, 0])).is_ok());
            assert_eq!(parse_uncompressed::<Secp256k1, _>(F, &both(4, x, p_plus(y))), Err(DecodeError::OutOfRange));
        }
    }
    assert!(found > 10);
}
