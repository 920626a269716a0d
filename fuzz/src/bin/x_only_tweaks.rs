//! The x-only tweak of a key pair. windlass beside libsecp256k1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::differential;
use windlass_fuzz::{take, take_secret};

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    differential::x_only_tweaks(&take_secret(&mut data), &take(&mut data));
});
