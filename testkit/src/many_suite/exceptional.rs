//! Valid rows that meet equal, opposite and infinite points on the way: keys and nonces that are small multiples of G, ±λ and
//! ±λ² times it, numbers next to them; multipliers that are short, equal, opposite or images under the endomorphism.
//!
//! In a ladder over u₁·G + u₂·Q they make an accumulator that equals the table's point, or its negative, at many steps; in sums
//! over buckets they bring one point many times, and its negative.

use super::signer::{Kind, Signed, Signer, coordinates, pair, recovery_id};
use super::{Case, RecoverCase};
use crate::edges;
use crate::oracle::bytes32;
use num_bigint::BigUint;
use windlass::ecdsa;

/// Exponents near which windows, halves and tables meet.
fn exponents(signer: &Signer) -> Vec<BigUint> {
    let n = &signer.curve.n;
    let lambda = edges::lambda();
    let square = &lambda * &lambda % n;
    let mut all: Vec<BigUint> = (1..=17u32).map(BigUint::from).collect();
    all.extend([31u32, 32, 33, 63, 64, 127, 128, 255].map(BigUint::from));
    for x in [&lambda, &square] {
        all.extend([x.clone(), x + 1u32, x + n - 1u32, x * 2u32, x * 3u32, x * 15u32]);
    }
    all.extend([64u32, 127, 128, 129, 255].map(|bit| BigUint::from(1u32) << bit));
    all.push((n + 1u32) >> 1u32);
    let mut all: Vec<BigUint> = all.iter().map(|x| x % n).collect();
    let negated: Vec<BigUint> = all.iter().map(|x| n - x).collect();
    all.extend(negated);
    all
}

/// Pairs of multipliers.
fn multipliers(signer: &mut Signer) -> Vec<(BigUint, BigUint)> {
    let n = signer.curve.n.clone();
    let lambda = edges::lambda();
    let u = signer.scalar();
    let number = |x: u32| BigUint::from(x);
    let minus = |x: &BigUint| (&n - x % &n) % &n;
    vec![
        (u.clone(), u.clone()),
        (minus(&u), u.clone()),
        (number(1), number(1)),
        (minus(&number(1)), number(1)),
        (number(0), number(1)),
        (number(0), u.clone()),
        (number(2), u.clone()),
        (u.clone(), number(1)),
        (u.clone(), &u * &lambda % &n),
        (&u * &lambda % &n, u.clone()),
        (lambda.clone(), number(1)),
        (number(1), lambda),
        (number(15), minus(&number(17))),
        (number(1) << 127u32, number(1) << 128u32),
    ]
}

fn signed(signer: &mut Signer) -> Vec<(String, Signed)> {
    let multipliers = multipliers(signer);
    let mut all = Vec::new();
    for (i, d) in exponents(signer).iter().enumerate() {
        let key = signer.point(d);
        // Every exponent with a third of the pairs, every pair with a third of the exponents.
        for (u1, u2) in multipliers.iter().skip(i % 3).step_by(3) {
            let name = format!("key {d:x} G, R = {u1:x} G + {u2:x} Q");
            all.extend(signer.ecdsa(u1, u2, &key).map(|signed| (name, signed)));
        }
    }
    all
}

/// Valid rows.
pub fn of_kind(kind: Kind, signer: &mut Signer) -> Vec<Case> {
    match kind {
        Kind::Ecdsa | Kind::EcdsaRecoverable => {
            signed(signer).into_iter().map(|(name, signed)| Case::valid(name, signed.input(kind))).collect()
        }
        Kind::Schnorr => {
            let exponents = exponents(signer);
            let nonces = exponents.iter().cycle().skip(5).step_by(7);
            let mut cases = Vec::new();
            for (d, k) in exponents.iter().zip(nonces) {
                // Keys and nonces of the list; the nonce that is the key; one nonce for many keys.
                for k in [k, d, &BigUint::from(1u32)] {
                    let name = format!("key {d:x} G, R = {k:x} G");
                    cases.push(Case::valid(name, signer.schnorr(d, k, b"exceptional")));
                }
            }
            cases
        }
        Kind::TaprootTweak => Vec::new(),
    }
}

/// Signatures whose key comes from u₁·G + u₂·R.
pub fn recoveries(signer: &mut Signer) -> Vec<RecoverCase> {
    let multipliers = multipliers(signer);
    let mut cases = Vec::new();
    for (i, k) in exponents(signer).iter().enumerate() {
        let nonce_point = signer.point(k);
        for (u1, u2) in multipliers.iter().skip(i % 3).step_by(3) {
            let name = format!("R = {k:x} G, key {u1:x} G + {u2:x} R");
            let Some(signed) = signer.recoverable(u1, u2, &nonce_point) else {
                cases.push(infinite(signer, k, u1, u2));
                continue;
            };
            let signature = ecdsa::Signature::from_compact(&signed.compact()).expect("in range");
            let case = RecoverCase::new(name, signed.digest(), signature, recovery_id(signed.id));
            assert_eq!(case.key, Ok(signed.key), "{}", case.name);
            cases.push(case);
        }
    }
    cases
}

/// The signature with R = k·G whose key would be infinite.
fn infinite(signer: &Signer, k: &BigUint, u1: &BigUint, u2: &BigUint) -> RecoverCase {
    let n = &signer.curve.n;
    let (x, y_is_odd) = coordinates(&signer.point(k));
    let (s, z) = (u2 * &x % n, signer.curve.negate_scalar(&(u1 * &x)));
    let signature = ecdsa::Signature::from_compact(&pair(&(&x % n), &s)).expect("in range");
    let case = RecoverCase::new("an infinite key", bytes32(&z), signature, recovery_id(u8::from(y_is_odd)));
    assert!(case.key.is_err());
    case
}
