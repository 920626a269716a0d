//! Sets of rows whose faults cancel where a combination has weights that are equal, that the rows' places decide, or that leave
//! something out; and sets that are valid though they look as if they could cancel.
//!
//! A single equation is gᵢ·G + fᵢ·Kᵢ − Rᵢ = 0: s is g for BIP340, z/s for ECDSA; of a taproot output R itself is chosen. With errors
//! δᵢ in gᵢ, or δᵢ·G in Rᵢ, the combination is off by Σ aᵢδᵢ: zero where the weights are what the forger took them for.

use super::signer::{Kind, Signer, pair};
use super::{Case, Input, Signature, XOnly};
use crate::oracle::{bytes32, from_bytes};
use num_bigint::BigUint;
use windlass::{LowS, XOnlyPublicKey, taproot};

/// Rows that go into one call together.
#[derive(Clone, Debug)]
pub struct Set {
    /// What they have in common.
    pub name: String,
    /// The rows.
    pub cases: Vec<Case>,
}

impl Set {
    /// A row alone.
    pub fn of_one(case: Case) -> Self {
        Self { name: case.name.clone(), cases: vec![case] }
    }

    /// The rows at `first` and from there on at some distance, round the end of `size` rows; none where two would meet.
    pub fn places(&self, first: usize, distance: usize, size: usize) -> Option<Vec<(usize, &Case)>> {
        let places: Vec<_> =
            self.cases.iter().enumerate().map(|(i, case)| ((first + i * distance) % size, case)).collect();
        let mut indices: Vec<usize> = places.iter().map(|place| place.0).collect();
        indices.sort_unstable();
        indices.dedup();
        (indices.len() == places.len()).then_some(places)
    }

    fn new(name: &str, inputs: Vec<Input>, is_valid: bool) -> Self {
        let case = |(i, input)| Case::new(format!("{name}, row {i}"), input, is_valid);
        Self { name: name.to_owned(), cases: inputs.into_iter().enumerate().map(case).collect() }
    }
}

/// The row with δ added to g: to s for BIP340, δ·s to z for ECDSA; −δ·G to R for taproot.
fn with_error(signer: &Signer, input: &Input, error: &BigUint) -> Input {
    let n = &signer.curve.n;
    let s = |compact: &[u8; 64]| from_bytes(&compact[32..]);
    let moved = |digest: &[u8; 32], compact: &[u8; 64]| bytes32(&((from_bytes(digest) + error * s(compact)) % n));
    match input.clone() {
        Input::Schnorr { message, signature, key } => {
            let signature = pair(&from_bytes(&signature[..32]), &((s(&signature) + error) % n));
            Input::Schnorr { message, signature, key }
        }
        Input::EcdsaRecoverable { digest, signature: Signature::Compact(compact), id, key, low_s } => {
            let (digest, signature) = (moved(&digest, &compact), Signature::Compact(compact));
            Input::EcdsaRecoverable { digest, signature, id, key, low_s }
        }
        Input::Ecdsa { digest, signature: Signature::Compact(compact), key, low_s } => {
            let (digest, signature) = (moved(&digest, &compact), Signature::Compact(compact));
            Input::Ecdsa { digest, signature, key, low_s }
        }
        Input::TaprootTweak { internal, merkle_root, output, parity } => {
            let output = XOnlyPublicKey::from_bytes(&output).expect("a point").with_parity(parity);
            let output = signer.combine(&(n - error % n), &BigUint::from(1u32), &output).expect("not infinite");
            let (x, parity) = output.x_only();
            Input::TaprootTweak { internal, merkle_root, output: x.to_bytes(), parity }
        }
        other => panic!("not compact: {other:?}"),
    }
}

/// `count` good rows, of one key or of as many.
fn good(signer: &mut Signer, kind: Kind, count: usize, one_key: bool) -> Vec<Input> {
    let first = signer.scalar();
    let mut rows = Vec::new();
    while rows.len() < count {
        let d = if one_key { first.clone() } else { signer.scalar() };
        if kind == Kind::Schnorr {
            let (k, message) = (signer.scalar(), signer.random.bytes::<32>());
            rows.push(signer.schnorr(&d, &k, &message));
        } else if kind == Kind::TaprootTweak {
            let (internal, root) = (signer.point(&d).x_only().0, signer.random.bytes());
            let (output, parity) = taproot::output_key(&internal, Some(&root)).expect("a key");
            let (internal, output) = (XOnly::Parsed(internal), output.to_bytes());
            rows.push(Input::TaprootTweak { internal, merkle_root: Some(root), output, parity });
        } else {
            let (key, u1, u2) = (signer.point(&d), signer.scalar(), signer.scalar());
            rows.push(signer.ecdsa(&u1, &u2, &key).expect("random numbers do not meet").input(kind));
        }
    }
    rows
}

/// All sets of a kind.
pub fn of_kind(kind: Kind, signer: &mut Signer) -> Vec<Set> {
    let mut sets = Vec::new();
    let n = signer.curve.n.clone();
    let one = BigUint::from(1u32);
    let minus = |x: &BigUint| (&n - x % &n) % &n;
    for one_key in [true, false] {
        let of = if one_key { "one key" } else { "two keys" };
        let rows = good(signer, kind, 2, one_key);
        sets.push(Set::new(&format!("good, {of}"), rows.clone(), true));
        let mut cancelling = |name: &str, errors: [&BigUint; 2]| {
            let inputs = rows.iter().zip(errors).map(|(row, error)| with_error(signer, row, error)).collect();
            sets.push(Set::new(&format!("{name}, {of}"), inputs, false));
        };
        cancelling("g1 + 1, g2 - 1", [&one, &minus(&one)]);
        let error = BigUint::from(0x1234_5678_9ABC_DEFFu64) << 100u32;
        cancelling("g1 + x, g2 - x", [&error, &minus(&error)]);
        // Weights that places alone decide: 1, 2; 0, 1 and neighbours; powers of two.
        for weights in [[1u32, 2], [2, 3], [1, 3], [1, 256], [2, 4]].map(|pair| pair.map(BigUint::from)) {
            let name = format!("weights {} and {}", weights[0], weights[1]);
            cancelling(&name, [&weights[1], &minus(&weights[0])]);
        }
        let lambda = crate::edges::lambda();
        cancelling("weights that differ by lambda", [&lambda, &minus(&one)]);
        let rows = good(signer, kind, 3, one_key);
        let errors = [&BigUint::from(5u32), &BigUint::from(6u32), &minus(&BigUint::from(11u32))];
        let inputs = rows.iter().zip(errors).map(|(row, error)| with_error(signer, row, error)).collect();
        sets.push(Set::new(&format!("three errors that cancel, {of}"), inputs, false));
        if kind != Kind::TaprootTweak {
            sets.push(Set::new(&format!("s exchanged, {of}"), swap_s(&rows[..2]), false));
        }
    }
    let row = good(signer, kind, 1, true).remove(0);
    sets.push(Set::new("one row twice", vec![row.clone(), row.clone()], true));
    sets.push(Set::new("one row three times", vec![row.clone(), row.clone(), row.clone()], true));
    let spoiled = with_error(signer, &row, &one);
    sets.push(Set::new("one bad row twice", vec![spoiled.clone(), spoiled], false));
    sets.extend(negated(kind, signer));
    sets
}

fn swap_s(rows: &[Input]) -> Vec<Input> {
    let compact = |row: &Input| match row {
        Input::Schnorr { signature, .. } => *signature,
        Input::Ecdsa { signature: Signature::Compact(compact), .. }
        | Input::EcdsaRecoverable { signature: Signature::Compact(compact), .. } => *compact,
        other => panic!("no s in {other:?}"),
    };
    let with_s = |row: &Input, s: &[u8]| {
        let mut bytes = compact(row);
        bytes[32..].copy_from_slice(s);
        match row.clone() {
            Input::Schnorr { message, key, .. } => Input::Schnorr { message, signature: bytes, key },
            Input::Ecdsa { digest, key, low_s, .. } => {
                Input::Ecdsa { digest, signature: Signature::Compact(bytes), key, low_s }
            }
            Input::EcdsaRecoverable { digest, id, key, low_s, .. } => {
                Input::EcdsaRecoverable { digest, signature: Signature::Compact(bytes), id, key, low_s }
            }
            other => panic!("no s in {other:?}"),
        }
    };
    vec![with_s(&rows[0], &compact(&rows[1])[32..]), with_s(&rows[1], &compact(&rows[0])[32..])]
}

/// Pairs in which everything is the other's negative: R and −R, P and −P, s and n − s.
fn negated(kind: Kind, signer: &mut Signer) -> Vec<Set> {
    let n = signer.curve.n.clone();
    let (d, k, message) = (signer.scalar(), signer.scalar(), signer.random.bytes::<32>());
    match kind {
        Kind::TaprootTweak => Vec::new(),
        Kind::Schnorr => {
            // s₂ = −s₁: the points' sums cancel, and x-only bytes of R and P are the same.
            let signature = signer.schnorr_raw(&d, &signer.even(&k), &message);
            let s = from_bytes(&signature[32..]);
            let key = XOnly::Bytes(signer.x(&d));
            let row = |signature| Input::Schnorr { message: message.to_vec(), signature, key: key.clone() };
            let negative = pair(&from_bytes(&signature[..32]), &(&n - &s));
            let odd = signer.schnorr_raw(&d, &(&n - signer.even(&k)), &message);
            let both = |name: &str, other| Set {
                name: name.to_owned(),
                cases: vec![
                    Case::valid(format!("{name}, the good one"), row(signature)),
                    Case::bad(format!("{name}, the bad one"), row(other)),
                ],
            };
            let twice = Set::new("y(R) odd twice", vec![row(odd), row(odd)], false);
            vec![both("s and n - s", negative), both("R and -R", odd), twice]
        }
        Kind::Ecdsa | Kind::EcdsaRecoverable => {
            // (r, s) and (r, n − s) with R and −R are both valid, and their equations are each other's negatives.
            let (key, u1, u2) = (signer.point(&d), signer.scalar(), signer.scalar());
            let signed = signer.ecdsa(&u1, &u2, &key).expect("random numbers do not meet");
            let mut negative = signed.clone();
            negative.s = &n - &signed.s;
            negative.id ^= 1;
            // The key −Q with the digest's negative.
            let mut opposite = signed.clone();
            opposite.key = signed.key.negate();
            opposite.z = (&n - &signed.z) % &n;
            opposite.id ^= 1;
            let inputs = |rows: [&super::signer::Signed; 2]| rows.map(|row| row.input(kind)).to_vec();
            let mut sets = vec![
                Set::new("R and -R, s and n - s", inputs([&signed, &negative]), true),
                Set::new("Q and -Q, z and -z", inputs([&signed, &opposite]), true),
            ];
            if let Input::EcdsaRecoverable { digest, signature, id, key, .. } = negative.input(kind) {
                let high = [&signed, &negative].map(|row| (row, &row.s + &row.s > n));
                let required = Input::EcdsaRecoverable { digest, signature, id, key, low_s: LowS::Required };
                sets.push(Set {
                    name: "one of R and -R under a low s".to_owned(),
                    cases: vec![
                        Case::valid("the first, either s", signed.input(kind)),
                        Case::new("the second, low s", required, !high[1].1),
                    ],
                });
            }
            sets
        }
    }
}
