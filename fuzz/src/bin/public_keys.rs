//! Keys of secrets, their sums and products. windlass beside libsecp256k1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::differential;
use windlass_fuzz::{take, take_secret};

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    differential::public_keys(&take_secret(&mut data), &take_secret(&mut data), &take(&mut data));
});
