//! Faults that other libraries had, as kinds: each test names a public thread in which the kind was found, and holds here what
//! went wrong there. Expected values come from the big-integer oracle or from published vectors.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use num_bigint::BigUint;
use testkit::oracle::{self, Curve, bytes32, from_bytes};
use testkit::random::Random;
use testkit::{edges, vectors};
use windlass::ecdsa::{RecoveryId, Signature};
use windlass::{
    Invalid, Keypair, LowS, Parity, ParseError, PreparedKey, PublicKey, SecretKey, TweakError, XOnlyPublicKey,
};
use windlass::{bip32, ecdh, ecdsa, schnorr};

fn big(x: u32) -> BigUint {
    BigUint::from(x)
}

/// A digest as its number has it.
fn digest_of(z: &BigUint) -> [u8; 32] {
    bytes32(z)
}

fn compact(r: &BigUint, s: &BigUint) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&bytes32(r));
    bytes[32..].copy_from_slice(&bytes32(s));
    bytes
}

fn key(point: &oracle::Point) -> PublicKey {
    PublicKey::parse(&oracle::compressed(point.as_ref().expect("not infinity"))).expect("a point")
}

fn verifies(z: &BigUint, r: &BigUint, s: &BigUint, key: &PublicKey) -> bool {
    match Signature::from_compact(&compact(r, s)) {
        Ok(signature) => {
            let verdict = ecdsa::verify_digest(&digest_of(z), &signature, key, LowS::Accepted);
            let prepared = PreparedKey::new(key);
            assert_eq!(prepared.verify_ecdsa_digest(&digest_of(z), &signature, LowS::Accepted), verdict);
            verdict.is_ok()
        }
        Err(error) => {
            assert_eq!(error, ParseError::OutOfRange);
            false
        }
    }
}

fn der_integer(content: &[u8]) -> Vec<u8> {
    [&[2, u8::try_from(content.len()).expect("short")], content].concat()
}

fn der(parts: &[Vec<u8>]) -> Vec<u8> {
    let body = parts.concat();
    [vec![0x30], if body.len() < 128 { vec![body.len() as u8] } else { vec![0x81, body.len() as u8] }, body].concat()
}

mod ecdsa_verification {
    use super::*;

    /// r = s = 0 passed for every key: RiverFinancial/bitcoinex#125, Mbed-TLS/mbedtls#6190.
    #[test]
    fn zero_is_no_signature() {
        let one = bytes32(&big(1));
        for (r, s) in [([0; 32], [0; 32]), ([0; 32], one), (one, [0; 32])] {
            assert_eq!(Signature::from_compact(&[r, s].concat().try_into().unwrap()), Err(ParseError::OutOfRange));
            let der = der(&[der_integer(&r[31..]), der_integer(&s[31..])]);
            assert_eq!(Signature::from_der(&der), Err(ParseError::OutOfRange));
            assert_eq!(Signature::from_der_lax(&der), Err(ParseError::OutOfRange));
        }
        assert_eq!(schnorr::verify_bytes(b"", &[0; 64], &bytes32(&Curve::secp256k1().g.0)), Err(Invalid));
    }

    /// x(R) was compared with r without reduction: Legrandin/pycryptodome#923, starkbank/ecdsa-python#24. And its recovery.
    #[test]
    fn x_of_the_nonce_point_beyond_n() {
        let curve = Curve::secp256k1();
        let mut found = 0;
        for distance in 1..40u32 {
            let nonce_point = curve.lift_x(&(&curve.n + distance));
            if nonce_point.is_none() {
                continue;
            }
            found += 1;
            let (r, s, z) = (big(distance), big(77), from_bytes(&[0x3C; 32]));
            let expected = curve.ecdsa_key(&z, &nonce_point, &s);
            assert!(curve.ecdsa_verify(&z, &r, &s, &expected));
            assert!(verifies(&z, &r, &s, &key(&expected)));
            assert!(!verifies(&(&z + 1u32), &r, &s, &key(&expected)));
            let signature = Signature::from_compact(&compact(&r, &s)).unwrap();
            let id = RecoveryId::from_u8(2).unwrap(); // lift_x gives the even y
            assert_eq!(ecdsa::recover(&digest_of(&z), &signature, id), Ok(key(&expected)));
        }
        assert!(found >= 10);
    }

    /// An id that says x(R) ≥ n where r + n ≥ p: the sum is not reduced mod p.
    #[test]
    fn x_of_the_nonce_point_beyond_p() {
        let curve = Curve::secp256k1();
        for r in [&curve.p - &curve.n, &curve.p - &curve.n + 1u32, &curve.n - 1u32] {
            let signature = Signature::from_compact(&compact(&r, &big(1))).unwrap();
            for id in [2, 3] {
                assert_eq!(ecdsa::recover(&[7; 32], &signature, RecoveryId::from_u8(id).unwrap()), Err(Invalid));
            }
        }
    }

    /// r = n − 1 was refused by a wrong bound: NethermindEth/nethermind#10700.
    #[test]
    fn ends_of_the_range() {
        let curve = Curve::secp256k1();
        let (n, top) = (&curve.n, (big(1) << 256u32) - 1u32);
        // No point has x = n − 1; n − 2 is the largest r that a nonce gives.
        assert!(curve.lift_x(&(n - 1u32)).is_none());
        for r in [big(1), n - 2u32] {
            let nonce_point = curve.lift_x(&r);
            for s in [big(1), n - 1u32] {
                let expected = curve.ecdsa_key(&big(5), &nonce_point, &s);
                assert!(verifies(&big(5), &r, &s, &key(&expected)), "{r:x} {s:x}");
                for bad in [BigUint::ZERO, n.clone(), n + 1u32, top.clone()] {
                    assert!(!verifies(&big(5), &r, &bad, &key(&expected)));
                    assert!(!verifies(&big(5), &bad, &s, &key(&expected)));
                }
            }
        }
        let largest = Signature::from_compact(&compact(&(n - 1u32), &(n - 1u32))).unwrap();
        assert_eq!(largest.to_compact(), compact(&(n - 1u32), &(n - 1u32)));
    }

    /// u₁·G + u₂·Q = O counted as valid: AztecProtocol/aztec-packages#19931, ethereum/RIPs#62.
    #[test]
    fn a_nonce_point_at_infinity() {
        let curve = Curve::secp256k1();
        for d in [1u32, 2, 3, 0xFFFF_FFFF] {
            let public = key(&curve.mul_base(&big(d)));
            for r in [big(1), big(2), &curve.n - 1u32, from_bytes(&[0x11; 32])] {
                let z = curve.negate_scalar(&(&r * d)); // z + r·d = 0
                for s in [big(1), big(9), from_bytes(&[0x22; 32])] {
                    assert!(!verifies(&z, &r, &s, &public));
                }
                let signature = Signature::from_compact(&compact(&r, &big(1))).unwrap();
                for id in 0..4 {
                    // Whatever is recovered verifies, and it is not the key whose nonce point would be infinite.
                    let recovered = ecdsa::recover(&digest_of(&z), &signature, RecoveryId::from_u8(id).unwrap());
                    assert_ne!(recovered, Ok(public));
                }
            }
        }
    }

    /// A joint table that meets O or needs a doubling when Q is a small multiple of G: randombit/botan#2424,
    /// tlsfuzzer/python-ecdsa#190, AntonKueltz/fastecdsa#52.
    #[test]
    fn keys_near_the_generator() {
        let curve = Curve::secp256k1();
        let lambda = edges::lambda();
        let mut secrets: Vec<BigUint> = (1..=32u32).map(big).collect();
        secrets.extend([&lambda + 1u32, &lambda * 2u32 % &curve.n, lambda]);
        let negated: Vec<BigUint> = secrets.iter().map(|d| curve.negate_scalar(d)).collect();
        secrets.extend(negated);
        let mut random = Random::new(6);
        for d in &secrets {
            let public = key(&curve.mul_base(d));
            let u = from_bytes(&random.bytes::<4>()) + 1u32;
            // u₁ = ±u₂, and small ones.
            for (u1, u2) in [
                (u.clone(), u.clone()),
                (curve.negate_scalar(&u), u.clone()),
                (big(1), big(1)),
                (big(0), big(1)),
                (big(2), u),
            ] {
                let sum = curve.mul_base(&((&u1 + &u2 * d) % &curve.n));
                let Some((x, _)) = &sum else { continue };
                let r = x % &curve.n;
                let s = &r * curve.invert_scalar(&u2) % &curve.n;
                let z = &u1 * &s % &curve.n;
                assert!(verifies(&z, &r, &s, &public), "d = {d:x}");
                assert!(!verifies(&((&z + 1u32) % &curve.n), &r, &s, &public), "d = {d:x}");
            }
        }
    }

    /// High s: uniqueness assumed where it did not hold, or refused where it is allowed: bitcoin-core/secp256k1#609,
    /// near/nearcore#16026.
    #[test]
    fn the_upper_half_follows_the_policy() {
        let curve = Curve::secp256k1();
        let secret = SecretKey::from_bytes(&[0x42; 32]).unwrap();
        let (public, digest) = (secret.public_key(), [0x17; 32]);
        let low = ecdsa::sign_digest(&digest, &secret);
        let bytes = low.to_compact();
        let high = compact(&from_bytes(&bytes[..32]), &curve.negate_scalar(&from_bytes(&bytes[32..])));
        let high = Signature::from_compact(&high).unwrap();
        assert!(low.is_low_s() && !high.is_low_s());
        for (signature, policy, verdict) in [
            (&low, LowS::Required, Ok(())),
            (&low, LowS::Accepted, Ok(())),
            (&high, LowS::Required, Err(Invalid)),
            (&high, LowS::Accepted, Ok(())),
        ] {
            assert_eq!(ecdsa::verify_digest(&digest, signature, &public, policy), verdict);
        }
        assert_eq!(high.normalize_s(), low);
        let half = &curve.n >> 1u32;
        assert!(Signature::from_compact(&compact(&big(1), &half)).unwrap().is_low_s());
        assert!(!Signature::from_compact(&compact(&big(1), &(half + 1u32))).unwrap().is_low_s());
    }

    /// A verdict kept under the digest alone let another signer's signature pass: nostrdevkit advisories
    /// (rustsec/advisory-db#3101). Nothing is kept here.
    #[test]
    fn a_good_signature_does_not_help_another() {
        let (a, b) = (SecretKey::from_bytes(&[1; 32]).unwrap(), SecretKey::from_bytes(&[2; 32]).unwrap());
        let digest = [0x55; 32];
        let (by_a, by_b) = (ecdsa::sign_digest(&digest, &a), ecdsa::sign_digest(&digest, &b));
        for _ in 0..2 {
            assert!(ecdsa::verify_digest(&digest, &by_a, &a.public_key(), LowS::Required).is_ok());
            assert!(ecdsa::verify_digest(&digest, &by_a, &b.public_key(), LowS::Required).is_err());
            assert!(ecdsa::verify_digest(&digest, &by_b, &a.public_key(), LowS::Required).is_err());
            assert!(ecdsa::verify_digest(&digest, &by_b, &b.public_key(), LowS::Required).is_ok());
        }
    }
}

mod encodings {
    use super::*;

    /// r and s of n and above were reduced: paritytech/libsecp256k1#67.
    #[test]
    fn numbers_are_not_reduced() {
        let curve = Curve::secp256k1();
        let room = (big(1) << 256u32) - &curve.n;
        for small in [big(1), big(2), &room - 1u32] {
            for signature in [compact(&(&small + &curve.n), &big(1)), compact(&big(1), &(&small + &curve.n))] {
                assert_eq!(Signature::from_compact(&signature), Err(ParseError::OutOfRange));
                let der = der(&[
                    der_integer(&[&[0], &signature[..32]].concat()),
                    der_integer(&[&[0], &signature[32..]].concat()),
                ]);
                assert_eq!(Signature::from_der_lax(&der), Err(ParseError::OutOfRange));
            }
        }
    }

    /// Negative and over-long integers were parsed as 0: bitcoin-core/secp256k1#341, #721.
    #[test]
    fn negative_and_long_integers() {
        let one = der_integer(&[1]);
        let mut negative = vec![0x7F; 32];
        negative[0] = 0x80;
        assert!(matches!(Signature::from_der(&der(&[der_integer(&negative), one.clone()])), Err(ParseError::Der(4))));
        let long = der_integer(&[1; 33]);
        assert_eq!(Signature::from_der(&der(&[long.clone(), one.clone()])), Err(ParseError::OutOfRange));
        assert_eq!(Signature::from_der_lax(&der(&[long, one])), Err(ParseError::OutOfRange));
    }

    /// Over-long integers and empty input panicked: withlang-dev/with#1057, cashapp/zipline#680.
    #[test]
    fn integers_of_every_length() {
        for length in [0, 1, 31, 32, 33, 40, 127, 255] {
            for fill in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut bytes = vec![0x30, 0x81, 0, 2];
                bytes.extend(if length < 128 { vec![length as u8] } else { vec![0x81, length as u8] });
                bytes.extend(vec![fill; length]);
                bytes.extend([2, 1, 1]);
                bytes[2] = (bytes.len() - 3) as u8;
                for cut in 0..=bytes.len() {
                    let _ = Signature::from_der(&bytes[..cut]);
                    let _ = Signature::from_der_lax(&bytes[..cut]);
                }
            }
        }
        assert_eq!(Signature::from_der(&[]), Err(ParseError::Der(0)));
        assert_eq!(Signature::from_der_lax(&[]), Err(ParseError::Der(0)));
    }

    /// Wrong errors, and flipped length bits that were accepted: tlsfuzzer/python-ecdsa#114.
    #[test]
    fn flipped_bits_of_a_der_head() {
        let mut random = Random::new(15);
        for _ in 0..20 {
            let secret = SecretKey::from_bytes(&random.bytes()).unwrap();
            let (digest, public) = (random.bytes(), secret.public_key());
            let der = ecdsa::sign_digest(&digest, &secret).to_der();
            for at in 0..5 {
                for bit in 0..8 {
                    let mut changed = der.to_vec();
                    changed[at] ^= 1 << bit;
                    match Signature::from_der(&changed) {
                        Err(ParseError::Der(_) | ParseError::OutOfRange) => {}
                        Err(other) => panic!("{other:?}"),
                        Ok(other) => assert!(ecdsa::verify_digest(&digest, &other, &public, LowS::Accepted).is_err()),
                    }
                }
            }
        }
    }

    /// BER accepted as DER: indutny/elliptic#226, #317; kjur/jsrsasign#437.
    #[test]
    fn ber_is_for_the_lax_parser() {
        let strict = der(&[der_integer(&[0x11; 32]), der_integer(&[0x22; 32])]);
        assert!(Signature::from_der(&strict).is_ok());
        let body = &strict[2..];
        let ber: [Vec<u8>; 5] = [
            [&[0x30, 0x81, 68], body].concat(),                    // long form of a short length
            [&[0x30, 0x82, 0, 68], body].concat(),                 // and longer
            [&[0x30, 68], body, &[0]].concat(),                    // a byte after the end
            [&[0x30, 69], &[2, 0x21, 0][..], &body[2..]].concat(), // a zero byte too many
            [&[0x30, 69], &[2, 0x81, 0x20][..], &body[2..]].concat(), // long form within
        ];
        for bytes in &ber {
            assert!(matches!(Signature::from_der(bytes), Err(ParseError::Der(_))), "{bytes:02x?}");
            assert_eq!(Signature::from_der_lax(bytes), Signature::from_der(&strict), "{bytes:02x?}");
        }
        let indefinite = [&[0x30, 0x80], body, &[0, 0]].concat();
        assert!(matches!(Signature::from_der(&indefinite), Err(ParseError::Der(1))));
    }

    /// Hybrid keys taken where they were not meant, or written: bitcoin-core/secp256k1#1915, rust-bitcoin/rust-bitcoin#520.
    #[test]
    fn hybrid_keys() {
        for fill in 1..9 {
            let public = SecretKey::from_bytes(&[fill; 32]).unwrap().public_key();
            let mut bytes = public.to_uncompressed();
            assert_eq!(PublicKey::parse(&bytes), Ok(public));
            assert_eq!(PublicKey::parse_hybrid(&bytes), Err(ParseError::Prefix));
            let right = 6 | (bytes[64] & 1);
            for (prefix, verdict) in [(right, Ok(public)), (right ^ 1, Err(ParseError::Prefix))] {
                bytes[0] = prefix;
                assert_eq!(PublicKey::parse(&bytes), Err(ParseError::Prefix));
                assert_eq!(PublicKey::parse_hybrid(&bytes), verdict);
            }
        }
    }

    /// Coordinates of p and above passed a check of the equation mod p: briansmith/ring#57, erigon#19379.
    #[test]
    fn coordinates_beyond_p() {
        let curve = Curve::secp256k1();
        let room = (big(1) << 256u32) - &curve.p;
        let mut tried = 0;
        for x in 1..64u32 {
            let Some((x, y)) = curve.lift_x(&big(x)) else { continue };
            tried += 1;
            assert!(x < room);
            let beyond = bytes32(&(&x + &curve.p));
            let y = bytes32(&y);
            for prefix in [2, 3] {
                assert_eq!(PublicKey::parse(&[&[prefix], &beyond[..]].concat()), Err(ParseError::OutOfRange));
            }
            assert_eq!(PublicKey::parse(&[&[4], &beyond[..], &y].concat()), Err(ParseError::OutOfRange));
            assert_eq!(PublicKey::parse_hybrid(&[&[6], &beyond[..], &y].concat()), Err(ParseError::OutOfRange));
            assert_eq!(XOnlyPublicKey::from_bytes(&beyond), Err(ParseError::OutOfRange));
            assert_eq!(schnorr::verify_bytes(b"", &[1; 64], &beyond), Err(Invalid));
        }
        assert!(tried > 20);
        // Small y: x is a cube root of y² − 7, here for y = 1, then y + p.
        let p = bytes32(&curve.p);
        for (x, y) in [(p, p), (p, [1; 32]), ([1; 32], p), ([0xFF; 32], [0xFF; 32])] {
            assert_eq!(PublicKey::parse(&[&[4], &x[..], &y].concat()), Err(ParseError::OutOfRange));
        }
        let exponent = (&curve.p + 2u32) / 9u32; // p = 7 mod 9: the cube root of a cube
        let x = (&curve.p + 1u32 - 7u32).modpow(&exponent, &curve.p);
        assert!(curve.contains(&x, &big(1)), "y = 1 is on the curve");
        assert!(PublicKey::parse(&[&[4], &bytes32(&x)[..], &bytes32(&big(1))].concat()).is_ok());
        assert_eq!(
            PublicKey::parse(&[&[4], &bytes32(&x)[..], &bytes32(&(&curve.p + 1u32))].concat()),
            Err(ParseError::OutOfRange)
        );
    }

    /// A point never checked, or x without a root that became infinity: go-ethereum#31100, haskell-crypto/cryptonite#168. An
    /// off-curve peer gives the key away: bitwiseshiftleft/sjcl#446, bcgit/bc-java#163; it can't reach ECDH here.
    #[test]
    fn points_off_the_curve() {
        let curve = Curve::secp256k1();
        for x in [0u32, 5, 7] {
            assert!(curve.lift_x(&big(x)).is_none());
            let x = bytes32(&big(x));
            for prefix in [2, 3] {
                assert_eq!(PublicKey::parse(&[&[prefix], &x[..]].concat()), Err(ParseError::NotOnCurve));
            }
            assert_eq!(XOnlyPublicKey::from_bytes(&x), Err(ParseError::NotOnCurve));
            let secret = SecretKey::from_bytes(&[1; 32]).unwrap();
            assert_eq!(ecdh::shared_x_with_x_only(&secret, &x).err(), Some(ParseError::NotOnCurve));
            assert_eq!(PublicKey::parse(&[&[4], &x[..], &[2; 32]].concat()), Err(ParseError::NotOnCurve));
        }
        // On y² = x³ + 5 and of P-256: right in form, another curve.
        let other = (big(1), ((&curve.p + 1u32) >> 2u32, big(6)));
        let y = other.1.1.modpow(&other.1.0, &curve.p);
        assert_eq!(
            PublicKey::parse(&[&[4], &bytes32(&other.0)[..], &bytes32(&y)].concat()),
            Err(ParseError::NotOnCurve)
        );
        let p256_x = oracle::number("6B17D1F2 E12C4247 F8BCE6E5 63A440F2 77037D81 2DEB33A0 F4A13945 D898C296");
        let p256_y = oracle::number("4FE342E2 FE1A7F9B 8EE7EB4A 7C0F9E16 2BCE3357 6B315ECE CBB64068 37BF51F5");
        let p256 = [&[4], &bytes32(&p256_x)[..], &bytes32(&p256_y)].concat();
        assert_eq!(PublicKey::parse(&p256), Err(ParseError::NotOnCurve));
    }

    /// Infinity as a key: openssl/openssl#10258, starkbank/ecdsa-python#29.
    #[test]
    fn infinity_is_no_key() {
        assert_eq!(PublicKey::parse(&[0]), Err(ParseError::Infinity));
        assert!(PublicKey::parse(&[0; 33]).is_err());
        assert!(PublicKey::parse(&[0; 65]).is_err());
        assert!(XOnlyPublicKey::from_bytes(&[0; 32]).is_err());
        assert!(PublicKey::parse(&[4; 65]).is_err());
    }

    /// Every prefix byte at every length: only the three that SEC 1 has, at their lengths, and errors elsewhere.
    #[test]
    fn prefixes_and_lengths() {
        let public = SecretKey::from_bytes(&[3; 32]).unwrap().public_key();
        let long = [&public.to_uncompressed()[..], &[0; 8]].concat();
        for length in 0..long.len() {
            for prefix in 0..=255u8 {
                let mut bytes = long[..length].to_vec();
                if let Some(first) = bytes.first_mut() {
                    *first = prefix;
                }
                let right = matches!((length, prefix), (33, 2 | 3) | (65, 4));
                assert_eq!(PublicKey::parse(&bytes).is_ok(), right, "{length} bytes, prefix {prefix}");
            }
        }
    }

    /// Ids outside 0..=3 aborted, or were cut to a byte: ACINQ/secp256k1-kmp#91, solana-labs/solana#23621.
    #[test]
    fn recovery_ids() {
        for id in 0..=255u8 {
            assert_eq!(
                RecoveryId::from_u8(id).map(RecoveryId::to_u8),
                if id < 4 { Ok(id) } else { Err(ParseError::OutOfRange) }
            );
        }
        assert!(
            u8::try_from(256u32).is_err() && u8::try_from((1u64 << 32) + 1).is_err(),
            "wider numbers do not get here"
        );
    }
}

mod signing {
    use super::*;

    /// Digests of n and above went unreduced into the nonce: paritytech/libsecp256k1#62, libsecp256k1's changelog 0.2.0. A
    /// digest and itself mod n give one signature; the bytes are those of libsecp256k1 by secp256k1-sys 0.14.1.
    #[test]
    fn digests_around_n() {
        let curve = Curve::secp256k1();
        let secret = SecretKey::from_bytes(&[0x42; 32]).unwrap();
        let top = (big(1) << 256u32) - 1u32;
        let of_zero = "5e4b9ba2d1128916544960752c6461583235da20d5e1257e9755a4ac54c2834936f4b394b30727d7f87dafa22e035007889d5fed186e1b4cdc9a10236f2a291a";
        for (z, expected) in [
            (BigUint::ZERO, of_zero),
            (
                &curve.n - 1u32,
                "9a33c563b9903390ad28a0157056c2f62f0724954acc5e6fc35146ab134d4d1322a704ba9b98c54dbc7453eb584ad110913d3cbf41a4a8ad622b5919d7b21b9f",
            ),
            (curve.n.clone(), of_zero),
            (
                &curve.n + 1u32,
                "e4c6695da1caaaf03f2ba3893f4487d48d9173009f9487f60b5108bf9aa0dfe4462d1836e0f8e8fed6aa78b06fc56d74bf2638d514f99db1da07393d54ae18ec",
            ),
            (
                top,
                "b125adb60c89874e14d857ff3b956d15e61d3b19b362967967561bf4d8d0e81821634aa9d1feba2a9591bb026fcf7f36b4b1c868daa6c3d99c0b469c19240b98",
            ),
        ] {
            let signature = ecdsa::sign_digest(&digest_of(&z), &secret);
            assert_eq!(vectors::to_hex(&signature.to_compact()), expected, "z = {z:x}");
            assert!(ecdsa::verify_digest(&digest_of(&z), &signature, &secret.public_key(), LowS::Required).is_ok());
        }
    }

    /// A secret of 0, n or above reached the multiplication: btclib-org/btclib#656, randombit/botan#4794.
    #[test]
    fn secrets_out_of_range() {
        let curve = Curve::secp256k1();
        for d in [BigUint::ZERO, curve.n.clone(), &curve.n + 1u32, (big(1) << 256u32) - 1u32] {
            assert_eq!(SecretKey::from_bytes(&bytes32(&d)).err(), Some(ParseError::OutOfRange));
        }
        for d in [big(1), &curve.n - 1u32] {
            let secret = SecretKey::from_bytes(&bytes32(&d)).unwrap();
            assert_eq!(*secret.to_bytes(), bytes32(&d));
            assert_eq!(secret.public_key(), key(&curve.mul_base(&d)));
        }
    }
}

mod tweaks {
    use super::*;

    /// Tweaks of 0, n and −d, sums at infinity: bitcoin-core/secp256k1#1013, #671; cryptocoinjs/secp256k1-node#140. The key that
    /// was tweaked is never changed.
    #[test]
    fn edges_of_tweaks() {
        let curve = Curve::secp256k1();
        let d = from_bytes(&[0x42; 32]);
        let secret = SecretKey::from_bytes(&bytes32(&d)).unwrap();
        let public = secret.public_key();
        let (zero, minus_d) = ([0; 32], bytes32(&curve.negate_scalar(&d)));
        assert_eq!(*secret.tweak_add(&zero).unwrap().to_bytes(), bytes32(&d));
        assert_eq!(public.tweak_add(&zero), Ok(public));
        assert_eq!(secret.tweak_add(&minus_d).err(), Some(TweakError));
        assert_eq!(public.tweak_add(&minus_d), Err(TweakError));
        assert_eq!(secret.tweak_mul(&zero).err(), Some(TweakError));
        assert_eq!(public.tweak_mul(&zero), Err(TweakError));
        // d as a tweak: a doubling.
        assert_eq!(public.tweak_add(&bytes32(&d)), Ok(key(&curve.mul_base(&(&d * 2u32)))));
        for beyond in [curve.n.clone(), &curve.n + 1u32, (big(1) << 256u32) - 1u32] {
            let beyond = bytes32(&beyond);
            assert_eq!(secret.tweak_add(&beyond).err(), Some(TweakError));
            assert_eq!(secret.tweak_mul(&beyond).err(), Some(TweakError));
            assert_eq!(public.tweak_add(&beyond), Err(TweakError));
            assert_eq!(public.tweak_mul(&beyond), Err(TweakError));
            assert_eq!(public.x_only().0.tweak_add(&beyond), Err(TweakError));
        }
        assert_eq!(secret.public_key(), public);
    }

    /// d and n − d have one x-only key: a tweak gives both the same pair, whose halves belong together, and its parity is part
    /// of what a check proves.
    #[test]
    fn x_only_tweaks_of_either_sign() {
        let curve = Curve::secp256k1();
        let mut parities = [0; 2];
        for i in 1..9u32 {
            let secret = SecretKey::from_bytes(&bytes32(&big(i))).unwrap();
            let (pair, negated) = (Keypair::from_secret(&secret), Keypair::from_secret(&secret.negate()));
            let (x, parity) = pair.x_only();
            assert_eq!(negated.x_only().0, x);
            assert_ne!(negated.x_only().1, parity);
            assert_eq!((x.with_parity(parity), pair.public().negate()), (*pair.public(), *negated.public()));
            let tweak = [0x11; 32];
            let (tweaked, same) = (pair.x_only_tweak_add(&tweak).unwrap(), negated.x_only_tweak_add(&tweak).unwrap());
            assert_eq!(
                (tweaked.public(), same.public()),
                (&tweaked.secret().public_key(), &same.secret().public_key())
            );
            assert_eq!(tweaked.public(), same.public());
            let (output, odd) = x.tweak_add(&tweak).unwrap();
            assert_eq!(tweaked.x_only(), (output, odd));
            let other = if odd == Parity::Odd { Parity::Even } else { Parity::Odd };
            assert_eq!(x.tweak_add_check(&tweak, &output.to_bytes(), odd), Ok(()));
            assert_eq!(x.tweak_add_check(&tweak, &output.to_bytes(), other), Err(Invalid));
            parities[usize::from(parity == Parity::Odd)] += 1;
            // The tweak that leads to infinity is that of the even key.
            let even = if parity == Parity::Odd { curve.negate_scalar(&big(i)) } else { big(i) };
            let opposite = bytes32(&curve.negate_scalar(&even));
            assert_eq!(x.tweak_add(&opposite), Err(TweakError));
            assert_eq!(pair.x_only_tweak_add(&opposite).err(), Some(TweakError));
            assert_eq!(negated.x_only_tweak_add(&opposite).err(), Some(TweakError));
        }
        assert!(parities.iter().all(|&seen| seen > 0), "both parities occur");
    }

    /// Sums of keys that cancel, at the end or on the way.
    #[test]
    fn sums_of_keys() {
        let curve = Curve::secp256k1();
        let keys: Vec<PublicKey> = (1..6u32).map(|d| key(&curve.mul_base(&big(d)))).collect();
        assert_eq!(PublicKey::combine(&[]), Err(TweakError));
        assert_eq!(PublicKey::combine(&keys[..1]), Ok(keys[0]));
        assert_eq!(PublicKey::combine(&keys), Ok(key(&curve.mul_base(&big(15)))));
        assert_eq!(keys[0].add(&keys[0]), Ok(keys[1]));
        assert_eq!(keys[0].add(&keys[0].negate()), Err(TweakError));
        assert_eq!(PublicKey::combine(&[keys[0], keys[0].negate(), keys[4]]), Ok(keys[4]));
        assert_eq!(PublicKey::combine(&[keys[0], keys[1], keys[2].negate()]), Err(TweakError));
    }

    /// Child keys with a leading zero byte were hashed short: bitpay/bitcore-lib#94, iancoleman/bip39#58. BIP32's vector 4 was
    /// made for it; the second level of it hashes such a key.
    #[test]
    fn child_keys_with_leading_zeros() {
        let seed: [u8; 32] =
            bytes32(&oracle::number("3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678"));
        let master = bip32::ExtendedPrivateKey::from_seed(&seed, bip32::Network::Mainnet).unwrap();
        let child = master.derive(&"m/0'/1'".parse().unwrap()).unwrap();
        assert_eq!(
            *child.to_base58(),
            "xprv9xJocDuwtYCMNAo3Zw76WENQeAS6WGXQ55RCy7tDJ8oALr4FWkuVoHJeHVAcAqiZLE7Je3vZJHxspZdFHfnBEjHqU5hG1Jaj32dVoS6XLT1"
        );
        // A child whose own key begins with a zero byte keeps its length.
        let short = (0..).map(|i| master.child(bip32::ChildNumber(i)).unwrap());
        let short = short.into_iter().find(|child| child.secret_key().to_bytes()[0] == 0).unwrap();
        assert_eq!(short.to_base58().len(), 111);
        let parsed = bip32::ExtendedPrivateKey::from_base58(&short.to_base58()).unwrap();
        assert_eq!(*parsed.secret_key().to_bytes(), *short.secret_key().to_bytes());
        // And so does one whose x does: both derivations agree.
        for i in 0..600 {
            let index = bip32::ChildNumber(i);
            let public = master.to_public().child(index).unwrap();
            assert_eq!(public, master.child(index).unwrap().to_public());
            if public.public_key().to_compressed()[1] == 0 {
                assert_eq!(bip32::ExtendedPublicKey::from_base58(&public.to_base58()), Ok(public));
            }
        }
    }
}
