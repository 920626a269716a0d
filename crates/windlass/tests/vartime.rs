//! Plain multiplications by scalars around the order, where recodings and reductions go wrong: golang/go#52075 names such.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use num_bigint::BigUint;
use testkit::oracle::{self, Curve, Point, bytes32};
use windlass::{PublicKey, SecretKey, vartime};

fn secret(d: &BigUint) -> SecretKey {
    SecretKey::from_bytes(&bytes32(d)).unwrap()
}

fn key(point: &Point) -> PublicKey {
    PublicKey::parse(&oracle::uncompressed(point.as_ref().expect("a finite point"))).unwrap()
}

/// n ± k for small k: (n − k)·G = −(k·G), and reductions just above n.
#[test]
fn scalars_around_the_order() {
    let curve = Curve::secp256k1();
    let generator = secret(&1u32.into()).public_key();
    let mut multiple = curve.generator();
    for k in 1..=64u32 {
        let expected = key(&multiple);
        assert_eq!(secret(&k.into()).public_key(), expected);
        assert_eq!(secret(&(&curve.n - k)).public_key(), expected.negate());
        for (k, point) in [(BigUint::from(k), expected), (&curve.n - k, expected.negate()), (&curve.n + k, expected)] {
            assert_eq!(vartime::mul_base(&bytes32(&k)), Some(point));
            assert_eq!(vartime::mul(&bytes32(&k), &generator), Some(point));
            assert_eq!(vartime::mul_add(&bytes32(&k), &bytes32(&curve.n), &generator), Some(point));
            assert_eq!(vartime::mul_add(&[0; 32], &bytes32(&k), &generator), Some(point));
        }
        multiple = curve.add(&multiple, &curve.generator());
    }
    for zero in [[0; 32], bytes32(&curve.n)] {
        assert_eq!(vartime::mul_base(&zero), None);
        assert_eq!(vartime::mul(&zero, &generator), None);
        assert_eq!(vartime::mul_add(&zero, &zero, &generator), None);
    }
    let one = bytes32(&1u32.into());
    assert_eq!(vartime::mul_add(&one, &bytes32(&(&curve.n - 1u32)), &generator), None);
}

/// Sums against the sum of the multiples one by one: edge scalars, points that repeat and cancel, sizes around those where the way
/// of working changes.
#[test]
fn sums_of_many_multiples() {
    let curve = Curve::secp256k1();
    let edges = testkit::edges::bytes(&curve);
    let points: Vec<PublicKey> = (1..=20u32).map(|d| secret(&d.into()).public_key()).collect();
    let mut random = testkit::random::Random::new(9);
    for size in [0, 1, 2, 3, 31, 32, 33, 100, 257, 1000] {
        let mut terms = Vec::new();
        let mut total = BigUint::ZERO;
        for _ in 0..size {
            let k = if random.below(3) == 0 { random.bytes() } else { *random.choose(&edges) };
            let d = random.below(points.len());
            let (is_negative, point) = (random.below(2) == 0, points[d]);
            let d = if is_negative { &curve.n - BigUint::from(d + 1) } else { BigUint::from(d + 1) };
            total = (total + oracle::from_bytes(&k) * d) % &curve.n;
            terms.push((k, if is_negative { point.negate() } else { point }));
        }
        assert_eq!(vartime::msm(&terms), vartime::mul_base(&bytes32(&total)), "{size} terms");
        // With all of them negated the sum is infinite.
        let negated: Vec<_> = terms.iter().map(|(k, p)| (*k, p.negate())).collect();
        assert_eq!(vartime::msm(&[terms, negated].concat()), None);
    }
}
