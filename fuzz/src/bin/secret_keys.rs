//! Which secrets are taken; their negation, sums and products. windlass beside libsecp256k1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::differential;
use windlass_fuzz::take;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    differential::secret_keys(&take(&mut data), &take(&mut data));
});
