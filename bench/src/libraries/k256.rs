//! RustCrypto's `k256`: pure Rust.

use k256::ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier};
use k256::ecdsa::{RecoveryId, Signature, SigningKey, VerifyingKey};
use k256::elliptic_curve::ops::{MulByGeneratorVartime, MulVartime};
use k256::elliptic_curve::sec1::ToSec1Point;
use k256::elliptic_curve::{Group, PrimeField};
use k256::{AffinePoint, ProjectivePoint, PublicKey, Scalar, SecretKey, schnorr};
use sha2::{Digest, Sha256};

use crate::library::{Job, Library, job, valid};
use crate::suites::secp256k1::{Case, Row};

pub(crate) struct K256;

fn encode_point(point: &AffinePoint) -> Vec<u8> {
    point.to_sec1_point(false).as_bytes().to_vec()
}

fn scalar(bytes: &[u8; 32]) -> Option<Scalar> {
    Scalar::from_repr((*bytes).into()).into_option()
}

/// The affine form, as the other libraries return it; infinity is a refusal.
fn affine(point: ProjectivePoint) -> Option<AffinePoint> {
    (!bool::from(point.is_identity())).then(|| point.to_affine())
}

impl Library for K256 {
    fn name(&self) -> &'static str {
        "k256"
    }

    fn package(&self) -> &'static str {
        "k256"
    }

    fn built(&self) -> String {
        "release profile, default target CPU, features ecdsa and schnorr with the precomputed table".to_owned()
    }

    fn verifies_bip340(&self, key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> Option<bool> {
        let (key, signature) = (schnorr::VerifyingKey::from_slice(key), schnorr::Signature::from_slice(signature));
        Some(key.is_ok_and(|key| signature.is_ok_and(|signature| key.verify_raw(message, &signature).is_ok())))
    }

    fn signs_bip340(&self, secret: &[u8; 32], message: &[u8], aux: &[u8; 32]) -> Option<[u8; 64]> {
        let key = schnorr::SigningKey::from_slice(secret).ok()?;
        Some(key.sign_raw(message, aux).ok()?.to_bytes())
    }

    fn job(&self, row: Row, cases: &[Case]) -> Option<Box<dyn Job>> {
        match row {
            // It prepares nothing for a key.
            Row::EcdsaVerify | Row::PreparedVerify => job(
                cases,
                |case| {
                    let signature = Signature::from_slice(&case.ecdsa_signature).ok()?;
                    Some((case.digest, signature, VerifyingKey::from_sec1_bytes(&case.key).ok()?))
                },
                |(digest, signature, key)| key.verify_prehash(digest, signature).ok(),
                valid,
            ),
            Row::EcdsaVerifyBytes => job(
                cases,
                |case| Some((case.digest, case.ecdsa_signature, case.key)),
                |(digest, signature, key)| {
                    let signature = Signature::from_slice(signature).ok()?;
                    VerifyingKey::from_sec1_bytes(key).ok()?.verify_prehash(digest, &signature).ok()
                },
                valid,
            ),
            Row::SchnorrVerify | Row::SchnorrPreparedVerify => job(
                cases,
                |case| {
                    let signature = schnorr::Signature::from_slice(&case.schnorr_signature).ok()?;
                    Some((case.digest, signature, schnorr::VerifyingKey::from_slice(&case.x_only_key).ok()?))
                },
                |(message, signature, key)| key.verify_raw(message, signature).ok(),
                valid,
            ),
            Row::SchnorrVerifyBytes => job(
                cases,
                |case| Some((case.digest, case.schnorr_signature, case.x_only_key)),
                |(message, signature, key)| {
                    let signature = schnorr::Signature::from_slice(signature).ok()?;
                    schnorr::VerifyingKey::from_slice(key).ok()?.verify_raw(message, &signature).ok()
                },
                valid,
            ),
            Row::EcdsaSign => job(
                cases,
                |case| Some((case.digest, SigningKey::from_slice(&case.secret).ok()?)),
                |(digest, key)| -> Option<Signature> { key.sign_prehash(digest).ok() },
                |signature| signature.to_bytes().to_vec(),
            ),
            Row::SchnorrSign => job(
                cases,
                |case| Some((case.digest, schnorr::SigningKey::from_slice(&case.secret).ok()?, case.aux)),
                |(message, key, aux)| key.sign_raw(message, aux).ok(),
                |signature| signature.to_bytes().to_vec(),
            ),
            Row::KeyCreate => job(
                cases,
                |case| Some(case.secret),
                |secret| Some(*SecretKey::from_slice(secret).ok()?.public_key().as_affine()),
                encode_point,
            ),
            Row::Recover => job(
                cases,
                |case| {
                    let signature = Signature::from_slice(&case.ecdsa_signature).ok()?;
                    Some((case.digest, signature, RecoveryId::from_byte(case.recovery_id)?))
                },
                |(digest, signature, id)| {
                    Some(*VerifyingKey::recover_from_prehash(digest, signature, *id).ok()?.as_affine())
                },
                encode_point,
            ),
            // `diffie_hellman` gives x alone, which is not what is hashed here: the product is the same.
            Row::Ecdh => job(
                cases,
                |case| {
                    let secret = SecretKey::from_slice(&case.secret).ok()?.to_nonzero_scalar();
                    Some((secret, PublicKey::from_sec1_bytes(&case.other_key).ok()?))
                },
                |(secret, key)| {
                    let shared = (key.to_projective() * **secret).to_affine();
                    Some(Sha256::digest(shared.to_sec1_point(true).as_bytes()))
                },
                |shared| shared.to_vec(),
            ),
            Row::TweakAdd => job(
                cases,
                |case| Some((PublicKey::from_sec1_bytes(&case.key).ok()?, case.tweak)),
                |(key, tweak)| {
                    let tweak = ProjectivePoint::mul_by_generator_vartime(&scalar(tweak)?);
                    affine(tweak + key.as_affine())
                },
                encode_point,
            ),
            Row::ParseCompressed => job(
                cases,
                |case| Some(case.key),
                |key| Some(*PublicKey::from_sec1_bytes(key).ok()?.as_affine()),
                encode_point,
            ),
            Row::MulBase | Row::MulBase57 => job(
                cases,
                |case| Some(case.scalars[0]),
                |k| affine(ProjectivePoint::mul_by_generator_vartime(&scalar(k)?)),
                encode_point,
            ),
            Row::Mul | Row::Mul57 => job(
                cases,
                |case| Some((case.scalars[1], PublicKey::from_sec1_bytes(&case.key).ok()?)),
                |(k, key)| affine(key.to_projective().mul_vartime(&scalar(k)?)),
                encode_point,
            ),
            Row::MulAdd | Row::MulAdd57 => job(
                cases,
                |case| Some((case.scalars, PublicKey::from_sec1_bytes(&case.key).ok()?)),
                |([a, b], key)| {
                    let (a, b, key) = (scalar(a)?, scalar(b)?, key.to_projective());
                    affine(ProjectivePoint::mul_by_generator_and_mul_add_vartime(&a, &b, &key))
                },
                encode_point,
            ),
            // Its tagged hash is private, and it has neither BIP32 nor taproot keys.
            Row::Bip32Depth5 | Row::Bip32PrivateDepth5 | Row::TaprootOutputKey | Row::TaggedHash => None,
        }
    }
}
