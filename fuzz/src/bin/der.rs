//! ECDSA signatures in DER, strict and lax. windlass beside libsecp256k1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::differential;

fuzz_target!(|data: &[u8]| {
    differential::der(data);
});
