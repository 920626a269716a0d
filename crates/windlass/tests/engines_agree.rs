//! Verdicts and bytes that differ between engines: every edge value as every input, on each of them. Carries that one kernel
//! dropped were found after billions of random trials elsewhere (golang/go#20040). A test binary of its own, as it changes the engine.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use testkit::edges;
use testkit::oracle::Curve;
use windlass::{LowS, PreparedKey, PublicKey, SecretKey, ecdsa, engine};

#[test]
fn engines_agree() {
    let curve = Curve::secp256k1();
    let numbers = edges::bytes(&curve);
    let used = engine::name();
    let mut answers: Vec<Vec<String>> = Vec::new();
    for name in engine::available() {
        engine::select(name).unwrap();
        let mut lines = Vec::new();
        for (i, a) in numbers.iter().enumerate() {
            let b = &numbers[(i * 7 + 3) % numbers.len()];
            lines.push(format!("{:?}", PublicKey::parse(&[&[2], &a[..]].concat())));
            lines.push(format!("{:?}", windlass::vartime::mul_base(a)));
            if let Ok(secret) = SecretKey::from_bytes(a) {
                let public = secret.public_key();
                assert_eq!(windlass::vartime::mul_base(a), Some(public));
                let (signature, id) = ecdsa::sign_digest_recoverable(b, &secret);
                lines.push(format!("{public:?} {signature:?} {id:?}"));
                lines.push(format!("{:?} {:?}", public.tweak_add(b), public.tweak_mul(b)));
                lines.push(format!("{:?}", windlass::vartime::mul_add(a, b, &public)));
                assert!(ecdsa::verify_digest(b, &signature, &public, LowS::Required).is_ok());
                let prepared = PreparedKey::new(&public);
                assert!(prepared.verify_ecdsa_digest(b, &signature, LowS::Required).is_ok());
                assert_eq!(ecdsa::recover(b, &signature, id), Ok(public));
            }
        }
        answers.push(lines);
    }
    engine::select(used).unwrap();
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}
