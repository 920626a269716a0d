//! BIP340 in batches over RustCrypto's `k256`: the random linear combination that BIP340 describes, as a user of that crate writes
//! it with the one multi-scalar function that it has, `lincomb_vartime`.
//!
//! Σ aᵢ·Rᵢ + Σ aᵢeᵢ·Pᵢ − (Σ aᵢsᵢ)·G = 0 with 128-bit weights aᵢ, the hash of all inputs and the row's number. Where it does not
//! hold the rows are verified one by one.

use k256::elliptic_curve::group::CurveAffine;
use k256::elliptic_curve::ops::{LinearCombination, Reduce};
use k256::elliptic_curve::sec1::ToSec1Point;
use k256::elliptic_curve::{Group, PrimeField};
use k256::{FieldBytes, ProjectivePoint, PublicKey, Scalar, schnorr};
use sha2::{Digest, Sha256};

use crate::library::{Answer, Job, Library, grouped};
use crate::suites::lanes;
use crate::suites::secp256k1::{Case, Row};

pub(crate) struct K256Lincomb;

/// A BIP340 signature with all that it takes, as bytes.
struct Input {
    message: Vec<u8>,
    signature: [u8; 64],
    key: [u8; 32],
}

fn halves(signature: &[u8; 64]) -> Option<(FieldBytes, FieldBytes)> {
    Some((FieldBytes::try_from(&signature[..32]).ok()?, FieldBytes::try_from(&signature[32..]).ok()?))
}

/// The hasher after BIP340's tag.
fn challenge_hasher() -> Sha256 {
    let tag = Sha256::digest(b"BIP0340/challenge");
    Sha256::new().chain_update(tag).chain_update(tag)
}

/// Does the combination of all rows hold? None where a row is malformed.
fn combination_holds(inputs: &[Input]) -> Option<bool> {
    let mut seed = Sha256::new();
    for Input { message, signature, key } in inputs {
        seed.update(message);
        seed.update(signature);
        seed.update(key);
    }
    let seed = seed.finalize();
    let challenge = challenge_hasher();
    let mut terms = Vec::with_capacity(2 * inputs.len() + 1);
    let mut of_generator = Scalar::ZERO;
    for (i, Input { message, signature, key }) in inputs.iter().enumerate() {
        let (r, s) = halves(signature)?;
        let s = Scalar::from_repr(s).into_option()?;
        let nonce_point = schnorr::VerifyingKey::from_bytes(&r).ok()?.as_affine().to_curve();
        let point = schnorr::VerifyingKey::from_slice(key).ok()?.as_affine().to_curve();
        let e = challenge.clone().chain_update(r).chain_update(key).chain_update(message).finalize();
        let e = <Scalar as Reduce<FieldBytes>>::reduce(&e);
        let digest = Sha256::new().chain_update(seed).chain_update((i as u64).to_be_bytes()).finalize();
        let mut low = FieldBytes::default();
        low[16..].copy_from_slice(&digest[16..]);
        let weight = Scalar::from_repr(low).into_option()?;
        of_generator -= weight * s;
        terms.push((nonce_point, weight));
        terms.push((point, weight * e));
    }
    terms.push((ProjectivePoint::GENERATOR, of_generator));
    Some(ProjectivePoint::lincomb_vartime(terms.as_slice()).is_identity().into())
}

fn verify_one(Input { message, signature, key }: &Input) -> bool {
    let signature = schnorr::Signature::from_slice(signature);
    let key = schnorr::VerifyingKey::from_slice(key);
    signature.is_ok_and(|signature| key.is_ok_and(|key| key.verify_raw(message, &signature).is_ok()))
}

fn verify(inputs: &[Input]) -> Vec<bool> {
    if combination_holds(inputs) == Some(true) {
        vec![true; inputs.len()]
    } else {
        inputs.iter().map(verify_one).collect()
    }
}

/// Σ k·P; None for infinity and for scalars of n and above.
fn sum(terms: &[(ProjectivePoint, [u8; 32])]) -> Option<ProjectivePoint> {
    let scalar = |k: &[u8; 32]| Scalar::from_repr((*k).into()).into_option();
    let terms: Option<Vec<_>> = terms.iter().map(|(point, k)| Some((*point, scalar(k)?))).collect();
    let sum = ProjectivePoint::lincomb_vartime(terms?.as_slice());
    (!bool::from(sum.is_identity())).then_some(sum)
}

impl Library for K256Lincomb {
    fn name(&self) -> &'static str {
        "k256 lincomb"
    }

    fn package(&self) -> &'static str {
        "k256"
    }

    fn built(&self) -> String {
        "as k256; batches written over its lincomb_vartime, 128-bit weights, rows one by one where a batch fails"
            .to_owned()
    }

    /// As a batch of two, so that it is the combination that answers.
    fn verifies_bip340(&self, key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> Option<bool> {
        let input = || Input { message: message.to_vec(), signature: *signature, key: *key };
        match verify(&[input(), input()])[..] {
            [first, second] if first == second => Some(first),
            _ => Some(false),
        }
    }

    fn job(&self, _: Row, _: &[Case]) -> Option<Box<dyn Job>> {
        None
    }

    fn many(&self, row: lanes::Row, group: usize, cases: &[Case]) -> Option<Box<dyn Job>> {
        match row {
            lanes::Row::SchnorrVerify | lanes::Row::SchnorrVerifyOneKey | lanes::Row::SchnorrVerifyAllBad => grouped(
                group,
                cases.iter().map(|case| Input {
                    message: case.digest.to_vec(),
                    signature: case.schnorr_signature,
                    key: case.x_only_key,
                }),
                verify,
                |verdicts| verdicts.into_iter().map(Answer::of_verdict).collect(),
            ),
            lanes::Row::Msm => grouped(
                group,
                cases.iter().filter_map(|case| {
                    Some((PublicKey::from_sec1_bytes(&case.key).ok()?.to_projective(), case.scalars[1]))
                }),
                |terms| sum(terms).map(|sum| sum.to_affine()),
                |sum| {
                    let encoded = sum.map(|sum| sum.to_sec1_point(false).as_bytes().to_vec());
                    vec![encoded.map_or(Answer::Refused, Answer::Is)]
                },
            ),
            // ECDSA has no batch without R, and recovery none at all.
            lanes::Row::EcdsaVerify | lanes::Row::EcdsaVerifyBytes | lanes::Row::Recover => None,
        }
    }
}
