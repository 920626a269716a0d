//! A prepared key gives the verdicts of its key. A test binary of its own, as it changes the engine.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use num_bigint::BigUint;
use testkit::oracle::{Curve, bytes32};
use testkit::random::Random;
use windlass::{Keypair, LowS, PreparedKey, SecretKey, ecdsa, engine, schnorr};

/// Keys near G and far from it, right signatures and such with one bit changed, on every engine by the tables of every engine.
#[test]
fn verdicts_are_those_of_the_key() {
    let (used, mut random) = (engine::name(), Random::new(11));
    let n = Curve::secp256k1().n;
    let mut secrets: Vec<BigUint> = (1u32..5).map(BigUint::from).collect();
    secrets.extend((1u32..4).map(|d| &n - d));
    secrets.extend((0..4).map(|_| BigUint::from_bytes_be(&random.bytes::<32>()) % &n));
    let (mut valid, mut invalid) = (0, 0);
    for d in &secrets {
        let pair = Keypair::from_secret(&SecretKey::from_bytes(&bytes32(d)).unwrap());
        let (key, x_only) = (*pair.public(), pair.x_only().0);
        let tables: Vec<_> = engine::available()
            .flat_map(|name| {
                engine::select(name).unwrap();
                [PreparedKey::new(&key), PreparedKey::from_x_only(&x_only)]
            })
            .collect();
        for round in 0..6 {
            let mut digest: [u8; 32] = random.bytes();
            let mut compact = ecdsa::sign_digest(&digest, pair.secret()).to_compact();
            let mut bip340 = schnorr::sign(&digest, &pair, &[0; 32]).0;
            match round {
                0 | 1 => {}
                2 => digest[random.below(32)] ^= 1 << random.below(8),
                3 => {
                    let high = &n - BigUint::from_bytes_be(&compact[32..]);
                    compact[32..].copy_from_slice(&bytes32(&high));
                }
                _ => {
                    let (at, bit) = (random.below(64), 1 << random.below(8));
                    compact[at] ^= bit;
                    bip340[at] ^= bit;
                }
            }
            for name in engine::available() {
                engine::select(name).unwrap();
                let expected = schnorr::verify(&digest, &schnorr::Signature(bip340), &x_only);
                for table in &tables {
                    assert_eq!(table.verify_schnorr(&digest, &schnorr::Signature(bip340)), expected);
                }
                if expected.is_ok() {
                    valid += 1
                } else {
                    invalid += 1
                }
                let Ok(signature) = ecdsa::Signature::from_compact(&compact) else { continue };
                for low_s in [LowS::Required, LowS::Accepted] {
                    let expected = ecdsa::verify_digest(&digest, &signature, &key, low_s);
                    for table in tables.iter().filter(|table| table.public_key() == key) {
                        assert_eq!(table.verify_ecdsa_digest(&digest, &signature, low_s), expected);
                    }
                    if expected.is_ok() { valid += 1 } else { invalid += 1 }
                }
            }
        }
    }
    assert!(valid > 100 && invalid > 100, "{valid} {invalid}");
    engine::select(used).unwrap();
}

/// z = −r·d makes the sum infinite: there is no x, whatever r is.
#[test]
fn an_infinite_sum_is_refused() {
    let n = Curve::secp256k1().n;
    for d in [BigUint::from(1u32), BigUint::from(2u32), &n - 1u32, BigUint::from(77u32)] {
        let key = PreparedKey::new(&SecretKey::from_bytes(&bytes32(&d)).unwrap().public_key());
        for r in [BigUint::from(1u32), BigUint::from(5u32), &n - 1u32] {
            let z = &n - &r * &d % &n;
            let compact = [bytes32(&r), bytes32(&BigUint::from(3u32))].concat().try_into().unwrap();
            let signature = ecdsa::Signature::from_compact(&compact).unwrap();
            assert!(key.verify_ecdsa_digest(&bytes32(&z), &signature, LowS::Accepted).is_err());
        }
    }
}

#[test]
fn it_says_what_it_is() {
    let key = SecretKey::from_bytes(&[7; 32]).unwrap().public_key();
    let prepared = PreparedKey::new(&key);
    assert_eq!(prepared.public_key(), key);
    assert_eq!(format!("{prepared:?}"), format!("PreparedKey({key:?})"));
    assert_eq!(PreparedKey::from_x_only(&key.x_only().0).public_key().x_only().0, key.x_only().0);
}
