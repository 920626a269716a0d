//! windlass through its facade. Which engine runs is the rig's choice, made before each pass.

use std::cell::RefCell;
use std::rc::Rc;

use windlass::bip32::{DerivationPath, ExtendedPrivateKey, ExtendedPublicKey};
use windlass::ecdsa::{self, RecoveryId};
use windlass::many::{self, EcdsaSignature, RecoverRow, verify_many};
use windlass::{
    Keypair, LowS, Parity, PreparedKey, PublicKey, SecretKey, XOnlyPublicKey, ecdh, schnorr, taproot, vartime,
};

use crate::library::{Answer, Job, Library, grouped, job, valid};
use crate::suites::lanes;
use crate::suites::secp256k1::{Case, Row, TAG};

pub(crate) struct Windlass;

fn encode_key(key: &PublicKey) -> Vec<u8> {
    key.to_uncompressed().to_vec()
}

/// Rows that borrow from what is made here, which lives as long as the process.
fn borrowed<T: 'static, R>(made: impl Iterator<Item = T>, row: impl Fn(&'static T) -> R) -> impl Iterator<Item = R> {
    Box::leak(made.collect::<Vec<T>>().into_boxed_slice()).iter().map(row)
}

/// A job of `verify_many` on `group` rows at a time.
fn verify_job(group: usize, rows: impl Iterator<Item = many::Row<'static>>) -> Option<Box<dyn Job>> {
    grouped(group, rows, verify_many, |verdicts| {
        verdicts.iter().map(|verdict| Answer::of_verdict(verdict.is_valid())).collect()
    })
}

fn path(case: &Case) -> Option<DerivationPath> {
    let levels: Vec<String> =
        case.path.iter().map(|i| if i >> 31 == 1 { format!("{}'", i << 1 >> 1) } else { i.to_string() }).collect();
    format!("m/{}", levels.join("/")).parse().ok()
}

/// Prepared keys, each made once.
#[derive(Default)]
struct Signers(RefCell<Vec<([u8; 33], Rc<PreparedKey>)>>);

impl Signers {
    fn get(&self, key: &[u8; 33]) -> Option<Rc<PreparedKey>> {
        let mut signers = self.0.borrow_mut();
        if let Some((_, prepared)) = signers.iter().find(|(bytes, _)| bytes == key) {
            return Some(Rc::clone(prepared));
        }
        let prepared = Rc::new(PreparedKey::new(&PublicKey::parse(key).ok()?));
        signers.push((*key, Rc::clone(&prepared)));
        Some(prepared)
    }
}

impl Library for Windlass {
    fn name(&self) -> &'static str {
        "windlass"
    }

    fn package(&self) -> &'static str {
        "windlass"
    }

    fn built(&self) -> String {
        "release profile, default target CPU".to_owned()
    }

    fn verifies_bip340(&self, key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> Option<bool> {
        Some(schnorr::verify_bytes(message, signature, key).is_ok())
    }

    fn signs_bip340(&self, secret: &[u8; 32], message: &[u8], aux: &[u8; 32]) -> Option<[u8; 64]> {
        let pair = Keypair::from_secret(&SecretKey::from_bytes(secret).ok()?);
        Some(schnorr::sign(message, &pair, aux).0)
    }

    fn job(&self, row: Row, cases: &[Case]) -> Option<Box<dyn Job>> {
        match row {
            Row::EcdsaVerify => job(
                cases,
                |case| {
                    let signature = ecdsa::Signature::from_compact(&case.ecdsa_signature).ok()?;
                    Some((case.digest, signature, PublicKey::parse(&case.key).ok()?))
                },
                |(digest, signature, key)| ecdsa::verify_digest(digest, signature, key, LowS::Required).ok(),
                valid,
            ),
            Row::EcdsaVerifyBytes => job(
                cases,
                |case| Some((case.digest, case.ecdsa_signature, case.key)),
                |(digest, signature, key)| {
                    let signature = ecdsa::Signature::from_compact(signature).ok()?;
                    let key = PublicKey::parse(key).ok()?;
                    ecdsa::verify_digest(digest, &signature, &key, LowS::Required).ok()
                },
                valid,
            ),
            Row::PreparedVerify => {
                let signers = Signers::default();
                job(
                    cases,
                    |case| {
                        let signature = ecdsa::Signature::from_compact(&case.ecdsa_signature).ok()?;
                        Some((case.digest, signature, signers.get(&case.key)?))
                    },
                    |(digest, signature, key)| key.verify_ecdsa_digest(digest, signature, LowS::Required).ok(),
                    valid,
                )
            }
            Row::SchnorrPreparedVerify => {
                let signers = Signers::default();
                job(
                    cases,
                    |case| Some((case.digest, schnorr::Signature(case.schnorr_signature), signers.get(&case.key)?)),
                    |(message, signature, key)| key.verify_schnorr(message, signature).ok(),
                    valid,
                )
            }
            Row::SchnorrVerify => job(
                cases,
                |case| {
                    let key = XOnlyPublicKey::from_bytes(&case.x_only_key).ok()?;
                    Some((case.digest, schnorr::Signature(case.schnorr_signature), key))
                },
                |(message, signature, key)| schnorr::verify(message, signature, key).ok(),
                valid,
            ),
            Row::SchnorrVerifyBytes => job(
                cases,
                |case| Some((case.digest, case.schnorr_signature, case.x_only_key)),
                |(message, signature, key)| schnorr::verify_bytes(message, signature, key).ok(),
                valid,
            ),
            Row::EcdsaSign => job(
                cases,
                |case| Some((case.digest, SecretKey::from_bytes(&case.secret).ok()?)),
                |(digest, key)| Some(ecdsa::sign_digest(digest, key)),
                |signature| signature.to_compact().to_vec(),
            ),
            Row::SchnorrSign => job(
                cases,
                |case| {
                    let key = Keypair::from_secret(&SecretKey::from_bytes(&case.secret).ok()?);
                    Some((case.digest, key, case.aux))
                },
                |(message, key, aux)| Some(schnorr::sign(message, key, aux)),
                |signature| signature.0.to_vec(),
            ),
            Row::KeyCreate => job(
                cases,
                |case| Some(case.secret),
                |secret| Some(SecretKey::from_bytes(secret).ok()?.public_key()),
                encode_key,
            ),
            Row::Recover => job(
                cases,
                |case| {
                    let signature = ecdsa::Signature::from_compact(&case.ecdsa_signature).ok()?;
                    Some((case.digest, signature, RecoveryId::from_u8(case.recovery_id).ok()?))
                },
                |(digest, signature, id)| ecdsa::recover(digest, signature, *id).ok(),
                encode_key,
            ),
            Row::Ecdh => job(
                cases,
                |case| Some((SecretKey::from_bytes(&case.secret).ok()?, PublicKey::parse(&case.other_key).ok()?)),
                |(secret, key)| Some(ecdh::shared_secret(secret, key)),
                |shared| shared.to_vec(),
            ),
            Row::TweakAdd => job(
                cases,
                |case| Some((PublicKey::parse(&case.key).ok()?, case.tweak)),
                |(key, tweak)| key.tweak_add(tweak).ok(),
                encode_key,
            ),
            Row::ParseCompressed => job(cases, |case| Some(case.key), |key| PublicKey::parse(key).ok(), encode_key),
            Row::Bip32Depth5 => job(
                cases,
                |case| Some((ExtendedPublicKey::from_base58(&case.xpub).ok()?, path(case)?)),
                |(key, path)| key.derive(path).ok(),
                |key| key.to_base58().into_bytes(),
            ),
            Row::Bip32PrivateDepth5 => job(
                cases,
                |case| Some((ExtendedPrivateKey::from_base58(&case.xprv).ok()?, path(case)?)),
                |(key, path)| key.derive(path).ok(),
                |key| key.to_base58().as_bytes().to_vec(),
            ),
            Row::TaprootOutputKey => job(
                cases,
                |case| Some((XOnlyPublicKey::from_bytes(&case.x_only_key).ok()?, case.merkle_root)),
                |(key, root)| taproot::output_key(key, root.as_ref()).ok(),
                |(key, parity)| [&key.to_bytes()[..], &[u8::from(*parity == Parity::Odd)]].concat(),
            ),
            Row::TaggedHash => job(
                cases,
                |case| Some(case.message),
                |message| Some(taproot::tagged_hash(TAG.as_bytes(), &[message])),
                |hash| hash.to_vec(),
            ),
            Row::MulBase | Row::MulBase57 => job(cases, |case| Some(case.scalars[0]), vartime::mul_base, encode_key),
            Row::Mul | Row::Mul57 => job(
                cases,
                |case| Some((case.scalars[1], PublicKey::parse(&case.key).ok()?)),
                |(k, key)| vartime::mul(k, key),
                encode_key,
            ),
            Row::MulAdd | Row::MulAdd57 => job(
                cases,
                |case| Some((case.scalars, PublicKey::parse(&case.key).ok()?)),
                |([a, b], key)| vartime::mul_add(a, b, key),
                encode_key,
            ),
        }
    }

    fn many(&self, row: lanes::Row, group: usize, cases: &[Case]) -> Option<Box<dyn Job>> {
        let cases = cases.iter();
        let low_s = LowS::Required;
        match row {
            lanes::Row::EcdsaVerify => verify_job(
                group,
                borrowed(
                    cases.filter_map(|case| {
                        let signature = ecdsa::Signature::from_compact(&case.ecdsa_signature).ok()?;
                        Some((case.digest, signature, PublicKey::parse(&case.key).ok()?))
                    }),
                    move |(digest, signature, key)| many::Row::Ecdsa {
                        digest,
                        signature: signature.into(),
                        key: key.into(),
                        low_s,
                    },
                ),
            ),
            lanes::Row::EcdsaVerifyBytes => verify_job(
                group,
                borrowed(
                    cases.map(|case| (case.digest, case.ecdsa_signature, case.key)),
                    move |(digest, signature, key)| many::Row::Ecdsa {
                        digest,
                        signature: EcdsaSignature::Compact(signature),
                        key: key[..].into(),
                        low_s,
                    },
                ),
            ),
            lanes::Row::SchnorrVerify | lanes::Row::SchnorrVerifyOneKey | lanes::Row::SchnorrVerifyAllBad => {
                verify_job(
                    group,
                    borrowed(
                        cases.map(|case| (case.digest, case.schnorr_signature, case.x_only_key)),
                        |(message, signature, key)| many::Row::Schnorr { message, signature, key: key.into() },
                    ),
                )
            }
            lanes::Row::Recover => grouped(
                group,
                borrowed(
                    cases.filter_map(|case| {
                        let signature = ecdsa::Signature::from_compact(&case.ecdsa_signature).ok()?;
                        Some((case.digest, signature, RecoveryId::from_u8(case.recovery_id).ok()?))
                    }),
                    |(digest, signature, id)| RecoverRow { digest, signature, id: *id },
                ),
                many::recover_many,
                |keys| {
                    keys.iter()
                        .map(|key| key.as_ref().map_or(Answer::Refused, |key| Answer::Is(encode_key(key))))
                        .collect()
                },
            ),
            lanes::Row::Msm => grouped(
                group,
                cases.filter_map(|case| Some((case.scalars[1], PublicKey::parse(&case.key).ok()?))),
                vartime::msm,
                |sum| vec![sum.as_ref().map_or(Answer::Refused, |sum| Answer::Is(encode_key(sum)))],
            ),
        }
    }
}
