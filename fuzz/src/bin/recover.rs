//! Recovered keys, and the verdict under them. windlass beside libsecp256k1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::differential;
use windlass_fuzz::take;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (digest, signature, [id]) = (take(&mut data), take(&mut data), take(&mut data));
    if let Some(key) = differential::recover(&digest, &signature, id & 3) {
        differential::ecdsa_verify(&signature, &digest, &key);
    }
});
