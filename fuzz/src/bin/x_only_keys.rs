//! Which x are taken; their tweaks. windlass beside libsecp256k1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::differential;
use windlass_fuzz::take;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    differential::x_only_keys(&take(&mut data), &take(&mut data));
});
