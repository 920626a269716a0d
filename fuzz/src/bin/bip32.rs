//! BIP32 from a seed along two children. windlass beside libsecp256k1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::differential;
use windlass_fuzz::take;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (first, second) = (u32::from_be_bytes(take(&mut data)), u32::from_be_bytes(take(&mut data)));
    differential::bip32(&take::<64>(&mut data), &[first, second]);
});
