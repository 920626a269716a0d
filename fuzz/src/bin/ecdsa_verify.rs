//! Verdicts on ECDSA signatures; what is left of the input is the key. windlass beside libsecp256k1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::differential;
use windlass_fuzz::take;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (signature, digest) = (take(&mut data), take(&mut data));
    differential::ecdsa_verify(&signature, &digest, data);
});
