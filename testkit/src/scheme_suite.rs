//! What holds for the schemes on a group of small order: every key, nonce, message and signature there is, against the
//! definitions, on a backend. Groups of order 7 and 13 lie in curves over secp256k1's field with huge cofactors, so n < p < 2n
//! does not hold there: nothing may rely on it.
//!
//! The group's points come from repeated addition by the oracle; verdicts from the table of them, that is from exponents.

use crate::oracle::{self, Curve, Point};
use crate::random::Random;
use curve::{AffinePoint, CurveParams, Encoded, Parity, PreparedPoint, encode};
use field::{FieldOps, OneLane, Prime, Row, Scalar, SecretScalar};
use num_bigint::BigUint;
use sig::ecdsa::{self, LowS, RecoverRow, RecoveryId, Signature, VerifyRow};
use sig::keys::{self, XOnlyKey};
use sig::many::Verdict;
use sig::{Invalid, schnorr};

/// A curve whose order is small, with 32-byte coordinates.
pub trait SmallCurve: CurveParams<Field: Prime<Words = [u64; 4], Bytes = [u8; 32]>> {}
impl<C: CurveParams<Field: Prime<Words = [u64; 4], Bytes = [u8; 32]>>> SmallCurve for C {}

/// The points k·G for k = 0 … n − 1, from the oracle.
struct Group {
    n: u64,
    points: Vec<Point>,
}

fn integer(words: &[u64; 4]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |x, word| (x << 64u32) + word)
}

impl Group {
    fn new<C: SmallCurve>() -> Self {
        let n = C::Order::MODULUS.m[0];
        let g = (integer(&C::GENERATOR.x), integer(&C::GENERATOR.y));
        let curve = Curve {
            p: integer(&C::Field::MODULUS.m),
            a: BigUint::ZERO,
            b: integer(&C::B),
            g: g.clone(),
            n: BigUint::from(n),
        };
        let mut points = vec![None];
        for k in 1..n as usize {
            points.push(curve.add(&points[k - 1], &Some(g.clone())));
        }
        assert_eq!(curve.add(&points[n as usize - 1], &Some(g)), None, "n·G is infinite");
        Self { n, points }
    }

    fn inverse(&self, a: u64) -> u64 {
        (1..self.n).find(|b| a * b % self.n == 1).expect("n is prime")
    }

    /// x(k·G) mod n.
    fn r(&self, k: u64) -> Option<u64> {
        let (x, _) = self.points[(k % self.n) as usize].as_ref()?;
        (x % self.n).try_into().ok()
    }

    fn y_is_odd(&self, k: u64) -> bool {
        self.points[(k % self.n) as usize].as_ref().is_some_and(|(_, y)| y.bit(0))
    }

    fn x_bytes(&self, k: u64) -> [u8; 32] {
        oracle::bytes32(&self.points[(k % self.n) as usize].as_ref().expect("not infinite").0)
    }

    /// k·G as the library has it.
    fn point<C: SmallCurve, F: FieldOps<Prime = C::Field>>(&self, f: F, k: u64) -> AffinePoint<C> {
        let point = self.points[(k % self.n) as usize].as_ref().expect("not infinite");
        encode::parse_uncompressed(f, &oracle::uncompressed(point)).expect("a point of the curve")
    }

    /// Is x(k·G) ≡ r mod n, and is there such a point?
    fn verifies(&self, z: u64, r: u64, s: u64, d: u64) -> bool {
        self.r((z + r * d) * self.inverse(s)) == Some(r)
    }
}

fn public<Q: Prime>(a: u64) -> Scalar<Q> {
    Scalar::from_u64(a)
}

fn secret<Q: Prime>(a: u64) -> SecretScalar<Q> {
    SecretScalar::from_u64(a)
}

/// All (key, nonce, message) triples of ECDSA: the signature is the definition's, s is the lower one, the id names the nonce
/// point, and where r or s is 0 there is no signature.
pub fn ecdsa_signs<C: SmallCurve, F: FieldOps<Prime = C::Field>>(f: F) {
    let group = Group::new::<C>();
    let n = group.n;
    for d in 1..n {
        for k in 1..n {
            for z in 0..n {
                let signed = ecdsa::sign_with_nonce::<C, _>(
                    OneLane(f),
                    &public(z),
                    &secret::<C::Order>(d),
                    &secret::<C::Order>(k),
                );
                let r = group.r(k).expect("k is not 0");
                let s = (z + r * d) * group.inverse(k) % n;
                if r == 0 || s == 0 {
                    assert!(signed.is_none(), "d = {d}, k = {k}, z = {z}");
                    continue;
                }
                let (signature, id) = signed.expect("r and s are not 0");
                let low = s.min(n - s);
                assert_eq!(signature, Signature::new(public(r), public(low)).expect("in range"));
                assert!(signature.is_low_s());
                assert_eq!(id.y_is_odd(), group.y_is_odd(k) != (low != s), "d = {d}, k = {k}, z = {z}");
                let (x, _) = group.points[k as usize].as_ref().expect("not infinite");
                assert_eq!(id.x_is_reduced(), *x >= BigUint::from(n), "d = {d}, k = {k}, z = {z}");
                assert!(group.verifies(z, r, low, d));
            }
        }
    }
}

/// All (key, message, r, s) of ECDSA: the verdict is the definition's, under both policies.
pub fn ecdsa_verifies<C: SmallCurve, F: FieldOps<Prime = C::Field>>(f: F) {
    let group = Group::new::<C>();
    let n = group.n;
    let (mut valid, mut invalid) = (0, 0);
    for d in 1..n {
        let key = group.point::<C, F>(f, d);
        assert_eq!(keys::public_key::<C, _>(OneLane(f), &secret(d)), key);
        let prepared = PreparedPoint::new(OneLane(f), &key);
        for z in 0..n {
            for r in 1..n {
                for s in 1..n {
                    let signature = Signature::<C::Order>::new(public(r), public(s)).expect("in range");
                    let verdict =
                        |low_s| ecdsa::verify_integer::<C, _>(OneLane(f), &public(z), &signature, &key, low_s).is_ok();
                    let expected = group.verifies(z, r, s, d);
                    assert_eq!(verdict(LowS::Accepted), expected, "d = {d}, z = {z}, r = {r}, s = {s}");
                    let with_table =
                        ecdsa::verify_integer_prepared(OneLane(f), &public(z), &signature, &prepared, LowS::Accepted);
                    assert_eq!(with_table.is_ok(), expected, "prepared: d = {d}, z = {z}, r = {r}, s = {s}");
                    // The policy looks at s alone: where it lets s pass, one verdict for each s will do.
                    if s > n / 2 {
                        assert!(!verdict(LowS::Required), "d = {d}, z = {z}, r = {r}, s = {s}");
                    } else if z == 0 {
                        assert_eq!(verdict(LowS::Required), expected, "d = {d}, z = {z}, r = {r}, s = {s}");
                    }
                    if expected { valid += 1 } else { invalid += 1 }
                }
            }
        }
    }
    assert!(valid > 0 && invalid > 0, "both verdicts occur");
}

/// All (nonce, message, s) of recovery: the key is r⁻¹(s·R − z·G), and none where that is infinite.
pub fn ecdsa_recovers<C: SmallCurve, F: FieldOps<Prime = C::Field>>(f: F) {
    let group = Group::new::<C>();
    let n = group.n;
    for k in 1..n {
        let nonce_point = group.point::<C, F>(f, k);
        let r = group.r(k).expect("k is not 0");
        if r == 0 {
            continue;
        }
        for z in 0..n {
            for s in 1..n {
                let signature = Signature::<C::Order>::new(public(r), public(s)).expect("in range");
                let d = group.inverse(r) * (s * k + n - z) % n;
                let expected = if d == 0 { Err(Invalid) } else { Ok(group.point::<C, F>(f, d)) };
                let recovered =
                    ecdsa::recover::recover_from_point::<C, _>(OneLane(f), &public(z), &signature, &nonce_point);
                assert_eq!(recovered, expected, "k = {k}, z = {z}, s = {s}");
            }
        }
    }
}

/// All (key, nonce, challenge) triples of BIP340, challenges by messages that are tried until each has occurred; and for each
/// such key and message all (R, s): the verdict is the definition's.
pub fn bip340<C: SmallCurve, F: FieldOps<Prime = C::Field>>(f: F) {
    let group = Group::new::<C>();
    let n = group.n;
    let even = |k: u64| if group.y_is_odd(k) { n - k } else { k };
    let challenge = |k: u64, d: u64, message: &[u8]| -> u64 {
        let hash = oracle::tagged_hash("BIP0340/challenge", &[&group.x_bytes(k), &group.x_bytes(d), message]);
        (oracle::from_bytes(&hash) % n).try_into().expect("below n")
    };
    for d in 1..n {
        let point = group.point::<C, F>(f, d);
        let key = XOnlyKey::of(&point);
        assert_eq!(key.to_bytes(), group.x_bytes(d));
        let prepared = PreparedPoint::new(OneLane(f), &point);
        for k in 1..n {
            let mut seen = vec![false; n as usize];
            let mut message = 0u32;
            while seen.contains(&false) {
                let bytes = message.to_be_bytes();
                message += 1;
                let e = challenge(k, d, &bytes);
                if std::mem::replace(&mut seen[e as usize], true) {
                    continue;
                }
                let s = (even(k) + e * even(d)) % n;
                let mut expected = [0; 64];
                expected[..32].copy_from_slice(&group.x_bytes(k));
                expected[63] = s as u8;
                let signature = schnorr::sign_with_nonce::<C, _>(OneLane(f), &bytes, &secret(d), &point, &secret(k))
                    .expect("k is not 0");
                assert_eq!(signature.0, expected, "d = {d}, k = {k}, e = {e}");
                // Every s for this R, those out of range included.
                for s in 0..=n + 1 {
                    expected[63] = s as u8;
                    let sum = group.n * n + s - e * even(d); // the exponent of s·G − e·P
                    let valid = s < n && sum % n != 0 && sum % n == even(k);
                    let verdict = schnorr::verify::<C, _>(OneLane(f), &bytes, &schnorr::Signature(expected), &key);
                    assert_eq!(verdict.is_ok(), valid, "d = {d}, k = {k}, e = {e}, s = {s}");
                    let with_table =
                        schnorr::verify_prepared(OneLane(f), &bytes, &schnorr::Signature(expected), &prepared);
                    assert_eq!(with_table, verdict, "prepared: d = {d}, k = {k}, e = {e}, s = {s}");
                }
            }
        }
        // A nonce of 0 makes no signature.
        assert!(schnorr::sign_with_nonce::<C, _>(OneLane(f), b"", &secret(d), &point, &secret(0)).is_none());
    }
}

/// Rows in an order that nothing explains, in parts of 1 to 2·LANES + 1.
fn parts<T>(mut rows: Vec<T>, lanes: usize, random: &mut Random) -> Vec<Vec<T>> {
    for i in (1..rows.len()).rev() {
        rows.swap(i, random.below(i + 1));
    }
    let mut parts = Vec::new();
    while !rows.is_empty() {
        let count = rows.len().min(1 + random.below(2 * lanes + 1));
        parts.push(rows.split_off(rows.len() - count));
    }
    parts
}

/// A point in one of the forms that a row may bring it in; now and then coordinates of none.
fn encoded<C: SmallCurve, F: FieldOps<Prime = C::Field>>(
    f: F,
    point: &AffinePoint<C>,
    random: &mut Random,
) -> Encoded<C> {
    let parity = Parity::from_is_odd(point.y_is_odd());
    let mut x = *point.x_words();
    match random.below(12) {
        0 => Encoded::Check(Row { x, y: C::Field::MODULUS.add(point.y_words(), &[1, 0, 0, 0]) }),
        1 => {
            while encode::lift_x::<C, F>(f, &x, parity).is_ok() {
                x = C::Field::MODULUS.add(&x, &[1, 0, 0, 0]);
            }
            Encoded::Lift(x, parity)
        }
        2..5 => Encoded::Point(*point),
        5..8 => Encoded::Check(*point.row()),
        _ => Encoded::Lift(x, parity),
    }
}

/// All (key, message, r, s) of ECDSA in lanes, under both policies, in parts of all sizes: each verdict is the single one.
pub fn ecdsa_verifies_each<C: SmallCurve, F: FieldOps<Prime = C::Field>>(f: F) {
    let group = Group::new::<C>();
    let n = group.n;
    let mut random = Random::new(8);
    let mut rows = Vec::new();
    for d in 1..n {
        let key = group.point::<C, F>(f, d);
        for (z, r, s) in (0..n).flat_map(|z| (1..n).flat_map(move |r| (1..n).map(move |s| (z, r, s)))) {
            rows.push(VerifyRow {
                z: public(z),
                signature: Signature::new(public(r), public(s)).expect("in range"),
                key: encoded(f, &key, &mut random),
                low_s: if random.below(3) == 0 { LowS::Required } else { LowS::Accepted },
            });
        }
    }
    for part in parts(rows, F::LANES, &mut random) {
        let mut verdicts = vec![Verdict::Valid; part.len()];
        ecdsa::verify_each(OneLane(f), &part, &mut verdicts);
        for (row, verdict) in part.iter().zip(verdicts) {
            let single = match row.key.decode(f) {
                Ok(key) => ecdsa::verify_integer::<C, _>(OneLane(f), &row.z, &row.signature, &key, row.low_s).into(),
                Err(error) => Verdict::Malformed(error.into()),
            };
            assert_eq!(verdict, single);
        }
    }
}

/// All (nonce, message, s) of recovery in lanes where r is x(R) itself, and as many other r, ids and numbers: each key is the
/// single one.
pub fn ecdsa_recovers_each<C: SmallCurve, F: FieldOps<Prime = C::Field>>(f: F) {
    let n = C::Order::MODULUS.m[0];
    let mut random = Random::new(9);
    let mut rows = Vec::new();
    for (z, r, s) in (0..n).flat_map(|z| (1..n).flat_map(move |r| (1..n).map(move |s| (z, r, s)))) {
        rows.push(RecoverRow {
            z: public(z),
            signature: Signature::new(public(r), public(s)).expect("in range"),
            id: RecoveryId::from_u8(random.below(4) as u8).expect("below 4"),
        });
    }
    // An x below n lifts to points outside of the group: those are no rows for it.
    rows.retain(|row: &RecoverRow<C>| {
        let mut x = *row.signature.r().words();
        x[0] += if row.id.x_is_reduced() { n } else { 0 };
        encode::lift_x::<C, F>(f, &x, Parity::Even).is_err()
    });
    for part in parts(rows, F::LANES, &mut random) {
        let mut keys = vec![Err(Invalid); part.len()];
        keys.fill(Ok(AffinePoint::GENERATOR));
        ecdsa::recover_each(OneLane(f), &part, &mut keys);
        assert!(keys.iter().all(Result::is_err));
    }
}

/// Signatures of BIP340 by all keys and nonces in lanes, all s for some of them: each verdict is the single one.
pub fn bip340_each<C: SmallCurve, F: FieldOps<Prime = C::Field>>(f: F) {
    let group = Group::new::<C>();
    let n = group.n;
    let mut random = Random::new(10);
    let mut rows = Vec::new();
    for (d, k) in (1..n).flat_map(|d| (1..n).map(move |k| (d, k))) {
        let key = *XOnlyKey::of(&group.point::<C, F>(f, d)).point();
        for message in 0..4 {
            for s in 0..=n + 1 {
                let mut signature = schnorr::Signature([0; 64]);
                signature.0[..32].copy_from_slice(&group.x_bytes(k));
                signature.0[63] = s as u8;
                if random.below(50) == 0 {
                    signature.0[..32].fill(0xFF);
                }
                rows.push(([message; 3], signature, encoded(f, &key, &mut random)));
            }
        }
    }
    let mut valid = 0;
    for part in parts(rows, F::LANES, &mut random) {
        let rows: Vec<_> = part
            .iter()
            .map(|(message, signature, key)| schnorr::VerifyRow { message, signature: &signature.0, key: *key })
            .collect();
        let mut verdicts = vec![Verdict::Valid; part.len()];
        schnorr::verify_each(OneLane(f), &rows, &mut verdicts);
        for (row, verdict) in rows.iter().zip(verdicts) {
            let single = match row.key.decode(f) {
                Ok(key) => schnorr::verify::<C, _>(
                    OneLane(f),
                    row.message,
                    &schnorr::Signature(*row.signature),
                    &XOnlyKey::of(&key),
                )
                .into(),
                Err(error) => Verdict::Malformed(error.into()),
            };
            assert_eq!(verdict, single);
            valid += usize::from(verdict == Verdict::Valid);
        }
    }
    assert!(valid > 0);
}

/// The whole suite for a curve on a backend: `scheme_suite!(name, Curve, backend)` makes a module of tests; the backend is an
/// expression that answers `Option<F>`, `None` where the CPU lacks it. With `each` behind it, only what works on rows in lanes.
#[macro_export]
macro_rules! scheme_suite {
    ($module:ident, $curve:ty, $engine:literal, $backend:expr) => {
        mod $module {
            $crate::scheme_suite!(@tests $curve, $engine, $backend;
                ecdsa_signs ecdsa_verifies ecdsa_recovers bip340 ecdsa_verifies_each ecdsa_recovers_each bip340_each);
        }
    };
    ($module:ident, $curve:ty, $engine:literal, $backend:expr, each) => {
        mod $module {
            $crate::scheme_suite!(@tests $curve, $engine, $backend;
                ecdsa_verifies_each ecdsa_recovers_each bip340_each);
        }
    };
    (@tests $curve:ty, $engine:literal, $backend:expr; $($name:ident)*) => { $(
        #[test]
        fn $name() {
            match $backend {
                Some(f) => $crate::scheme_suite::$name::<$curve, _>(f),
                None => $crate::skip::skip(
                    concat!(module_path!(), "::", stringify!($name)),
                    $crate::skip::Missing::Engine($engine),
                ),
            }
        }
    )* };
}
