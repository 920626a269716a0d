//! The field suite on every backend, and on each under the layer that checks the contract operation by operation.

use field::ops_verify::Verified;
use field::secp256k1::{Portable4x64, Portable5x52};
use testkit::array8::Array8;
use testkit::field_suite::{field_suite, field_suite_of};

#[test]
fn portable_4x64() {
    field_suite::<_, 4>(Portable4x64::new());
}

#[test]
fn portable_4x64_verified() {
    field_suite_of::<_, 4>(Verified(Portable4x64::new()), 1_000);
}

#[test]
fn portable_5x52() {
    field_suite::<_, 2>(Portable5x52);
}

#[test]
fn array8_of_portable_5x52() {
    field_suite::<_, 1>(Array8(Portable5x52));
}

#[test]
fn portable_5x52_verified() {
    field_suite_of::<_, 2>(Verified(Portable5x52), 1_000);
}

#[test]
fn array8_of_portable_5x52_verified() {
    field_suite_of::<_, 1>(Verified(Array8(Portable5x52)), 1_000);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn adx_4x64() {
    match arith::cpu::Adx::detect() {
        Some(token) => field_suite::<_, 4>(field::secp256k1::Adx4x64::new(token)),
        None => testkit::skip::skip("field::adx_4x64", testkit::skip::Missing::Engine("adx")),
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn adx_4x64_verified() {
    match arith::cpu::Adx::detect() {
        Some(token) => field_suite_of::<_, 4>(Verified(field::secp256k1::Adx4x64::new(token)), 1_000),
        None => testkit::skip::skip("field::adx_4x64_verified", testkit::skip::Missing::Engine("adx")),
    }
}
