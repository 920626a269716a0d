//! BIP340 signatures; what is left of the input is the message. windlass beside libsecp256k1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::differential;
use windlass_fuzz::{take, take_secret};

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (secret, aux) = (take_secret(&mut data), take(&mut data));
    differential::schnorr_sign(&secret, data, &aux);
});
