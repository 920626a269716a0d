//! Many threads that meet at the first use of everything: bn#6, tlsfuzzer/python-ecdsa#176 and secp256k1-kmp#89 name
//! libraries in which a shared table or context was then changed under another's feet. A test binary of its own, so that
//! nothing is chosen or computed before.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Barrier;
use std::thread;
use windlass::{LowS, SecretKey, ecdsa, engine};

#[test]
fn sixty_four_threads_at_once() {
    const THREADS: usize = 64;
    let start = Barrier::new(THREADS);
    let run = |seed: u8| {
        start.wait();
        let secret = SecretKey::from_bytes(&[seed + 1; 32]).unwrap();
        let (public, digest) = (secret.public_key(), [seed; 32]);
        let signature = ecdsa::sign_digest(&digest, &secret);
        assert!(ecdsa::verify_digest(&digest, &signature, &public, LowS::Required).is_ok());
        assert!(ecdsa::verify_digest(&[!seed; 32], &signature, &public, LowS::Required).is_err());
        (engine::name(), signature.to_compact())
    };
    let answers: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS as u8).map(|seed| scope.spawn(move || run(seed))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|(name, _)| *name == answers[0].0), "one engine for all");
    // The same again, alone.
    for (seed, (_, signature)) in (0..THREADS as u8).zip(&answers) {
        let secret = SecretKey::from_bytes(&[seed + 1; 32]).unwrap();
        assert_eq!(ecdsa::sign_digest(&[seed; 32], &secret).to_compact(), *signature);
    }
}
