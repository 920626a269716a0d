//! Verdicts on BIP340 signatures; what is left of the input is the message. windlass beside libsecp256k1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::differential;
use windlass_fuzz::take;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (signature, key) = (take(&mut data), take(&mut data));
    differential::schnorr_verify(&signature, data, &key);
});
