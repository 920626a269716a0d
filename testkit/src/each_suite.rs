//! Verifying and recovering rows of secp256k1 in lanes, on an engine's bundle: every row's answer is that of the function for one
//! signature, whatever stands beside it.

use crate::random::Random;
use curve::{AffinePoint, CurveParams, Encoded, Parity, Secp256k1, vartime};
use field::secp256k1::{FieldPrime, GroupOrder};
use field::{Backends, FieldOps, Prime, Row, Scalar, SecretScalar};
use sig::ecdsa::{self, LowS, RecoverRow, RecoveryId, Signature, VerifyRow};
use sig::keys::{self, XOnlyKey};
use sig::many::Verdict;
use sig::{Invalid, schnorr};

type C = Secp256k1;
type S = Scalar<GroupOrder>;

/// Sizes of parts: each up to two wide elements and one row, and one of many groups.
fn sizes<B: Backends<FieldPrime, GroupOrder>>() -> impl Iterator<Item = usize> {
    (1..2 * B::Lanes::LANES + 2).chain([150])
}

fn scalar(random: &mut Random) -> S {
    match random.below(8) {
        0 => S::from_u64(1 + random.below(40) as u64),
        1 => S::from_u64(1 + random.below(40) as u64).neg(),
        _ => S::from_words_reduced(&random.words()),
    }
}

/// (z, signature, key, id): one in two verifies; keys meet G's multiples, some sums are infinite.
fn signed<B: Backends<FieldPrime, GroupOrder>>(
    b: B,
    random: &mut Random,
) -> (S, Signature<GroupOrder>, AffinePoint<C>, RecoveryId) {
    loop {
        let (d, k, mut z) = (scalar(random), scalar(random), scalar(random));
        let secret = SecretScalar::from(d);
        let Some((signature, id)) = ecdsa::sign_with_nonce::<C, _>(b, &z, &secret, &SecretScalar::from(k)) else {
            continue;
        };
        let key = keys::public_key::<C, _>(b, &secret);
        let mut signature = signature;
        match random.below(8) {
            0 => z = z.add(&S::ONE),
            1 => signature = Signature::new(*signature.s(), *signature.r()).unwrap(),
            2 => z = signature.r().mul(&d).neg(), // z + r·d = 0: the sum is infinite
            3 => signature = Signature::new(*signature.r(), signature.s().neg()).unwrap(),
            _ => {}
        }
        return (z, signature, key, id);
    }
}

/// The point in one of the forms in which a row may bring it; now and then coordinates of none.
fn encoded(point: &AffinePoint<C>, random: &mut Random) -> Encoded<C> {
    let parity = Parity::from_is_odd(point.y_is_odd());
    match random.below(12) {
        0 => Encoded::Check(Row { x: *point.y_words(), y: *point.x_words() }),
        1 => Encoded::Lift([5, 0, 0, 0], parity), // x = 5 is on no point
        2 => Encoded::Check(Row { x: FieldPrime::MODULUS.m, y: *point.y_words() }),
        3..6 => Encoded::Point(*point),
        6..9 => Encoded::Check(*point.row()),
        _ => Encoded::Lift(*point.x_words(), parity),
    }
}

/// ECDSA.
///
/// # Panics
/// At the first disagreement.
pub fn ecdsa_verifies_each<B: Backends<FieldPrime, GroupOrder>>(b: B) {
    let mut random = Random::new(11);
    for size in sizes::<B>() {
        let rows: Vec<VerifyRow<C>> = (0..size)
            .map(|_| {
                let (z, signature, key, _) = signed(b, &mut random);
                let low_s = if random.below(2) == 0 { LowS::Required } else { LowS::Accepted };
                VerifyRow { z, signature, key: encoded(&key, &mut random), low_s }
            })
            .collect();
        let mut verdicts = vec![Verdict::Valid; size];
        ecdsa::verify_each(b, &rows, &mut verdicts);
        for (i, (row, verdict)) in rows.iter().zip(verdicts).enumerate() {
            let single = match row.key.decode(b.one()) {
                Ok(key) => ecdsa::verify_integer(b, &row.z, &row.signature, &key, row.low_s).into(),
                // A coordinate that is not below p is refused where bytes are parsed.
                Err(_) => Verdict::Malformed(sig::ParseError::NotOnCurve),
            };
            assert_eq!(verdict, single, "row {i} of {size}");
        }
    }
}

/// Recovery.
///
/// # Panics
/// At the first disagreement.
pub fn ecdsa_recovers_each<B: Backends<FieldPrime, GroupOrder>>(b: B) {
    let mut random = Random::new(12);
    for size in sizes::<B>() {
        let rows: Vec<RecoverRow<C>> = (0..size)
            .map(|_| {
                let (z, signature, _, id) = signed(b, &mut random);
                let id = if random.below(4) == 0 { RecoveryId::from_u8(random.below(4) as u8).unwrap() } else { id };
                RecoverRow { z, signature, id }
            })
            .collect();
        // A row whose key would be infinite: R = G with s = z.
        let mut rows = rows;
        if random.below(2) == 0 {
            let r = S::from_words_reduced(&C::GENERATOR.x);
            let z = scalar(&mut random);
            let id = RecoveryId::from_u8((C::GENERATOR.y[0] & 1) as u8).unwrap();
            rows[random.below(size)] = RecoverRow { z, signature: Signature::new(r, z).unwrap(), id };
        }
        let mut recovered = vec![Err(Invalid); size];
        ecdsa::recover_each(b, &rows, &mut recovered);
        for (i, (row, key)) in rows.iter().zip(recovered).enumerate() {
            let digest = row.z.to_be_bytes();
            let single = ecdsa::recover::<C, _>(b, digest.as_ref(), &row.signature, row.id);
            assert_eq!(key, single, "row {i} of {size}");
        }
    }
}

/// BIP340.
///
/// # Panics
/// At the first disagreement.
pub fn bip340_verifies_each<B: Backends<FieldPrime, GroupOrder>>(b: B) {
    let mut random = Random::new(13);
    for size in sizes::<B>() {
        let parts: Vec<_> = (0..size)
            .map(|_| {
                let secret = SecretScalar::from(scalar(&mut random));
                let public = keys::public_key::<C, _>(b, &secret);
                let message = random.bytes::<32>()[..random.below(33)].to_vec();
                let mut signature = schnorr::sign::<C, _>(b, &message, &secret, &public, &random.bytes::<32>());
                match random.below(8) {
                    0 => signature.0[random.below(64)] ^= 1,
                    1 => signature.0[..32].fill(0xFF),
                    2 => signature.0[32..].fill(0xFF),
                    3 => {
                        let s = S::from_be_bytes(&signature.0[32..]).unwrap().neg();
                        signature.0[32..].copy_from_slice(s.to_be_bytes().as_ref());
                    }
                    _ => {}
                }
                (message, signature, encoded(XOnlyKey::of(&public).point(), &mut random))
            })
            .collect();
        let rows: Vec<_> = parts
            .iter()
            .map(|(message, signature, key)| schnorr::VerifyRow { message, signature: &signature.0, key: *key })
            .collect();
        let mut verdicts = vec![Verdict::Valid; size];
        schnorr::verify_each(b, &rows, &mut verdicts);
        for (i, (row, verdict)) in rows.iter().zip(verdicts).enumerate() {
            let single = match row.key.decode(b.one()) {
                Ok(key) => {
                    schnorr::verify(b, row.message, &schnorr::Signature(*row.signature), &XOnlyKey::of(&key)).into()
                }
                Err(_) => Verdict::Malformed(sig::ParseError::NotOnCurve),
            };
            assert_eq!(verdict, single, "row {i} of {size}");
        }
    }
}

/// Sums that pass through infinity, in every lane by turns and in all: 2·G + 1·(−2)·G and its like, next to ordinary ones.
///
/// # Panics
/// At the first disagreement.
pub fn exceptional_lanes<B: Backends<FieldPrime, GroupOrder>>(b: B) {
    let f = b.lanes();
    let lanes = B::Lanes::LANES;
    let mut random = Random::new(14);
    let mut workspace = vartime::EachWorkspace::new();
    let times = |k: &S| vartime::to_affine::<C, _>(b.one(), &vartime::mul_base::<C, _>(b.one(), k)).unwrap();
    for turn in 0..=lanes {
        let mut rows: Vec<(S, S, S)> =
            (0..lanes).map(|_| (scalar(&mut random), scalar(&mut random), scalar(&mut random))).collect();
        for (l, (a, b, k)) in rows.iter_mut().enumerate() {
            if l == turn || turn == lanes {
                *k = S::from_u64(1 + random.below(33) as u64);
                *k = if random.below(2) == 0 { k.neg() } else { *k };
                match random.below(3) {
                    0 => *a = b.mul(k).neg(), // infinite
                    1 => *a = b.mul(k),       // a doubling at the end, as it were
                    _ => (*a, *b) = (S::from_u64(random.below(40) as u64), S::from_u64(random.below(40) as u64)),
                }
            }
        }
        let encoded: Vec<_> = rows.iter().map(|(.., k)| Encoded::Point(times(k))).collect();
        let (points, _) = Encoded::decode_each(f, &encoded);
        let column = |i: usize| rows.iter().map(|(a, b, _)| [*a, *b][i]).collect::<Vec<_>>();
        let mut sums = [curve::Jacobian::infinity(f)];
        vartime::mul_double_base_each::<C, _>(f, &mut workspace, &column(0), &[points], &column(1), &mut sums);
        let mut affine = vec![None; lanes];
        vartime::to_affine_batch::<C, _>(f, &sums, &mut affine);
        for (l, (a, b_scalar, k)) in rows.iter().enumerate() {
            let expected = a.add(&b_scalar.mul(k));
            let expected = if expected.is_zero() { None } else { Some(times(&expected)) };
            assert_eq!(affine[l], expected, "lane {l}, turn {turn}");
        }
    }
}

/// The suite on a bundle.
pub fn each_suite<B: Backends<FieldPrime, GroupOrder>>(b: B) {
    exceptional_lanes(b);
    ecdsa_verifies_each(b);
    ecdsa_recovers_each(b);
    bip340_verifies_each(b);
}
