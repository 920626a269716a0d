//! Every key, nonce, message and signature of ECDSA and BIP340 on the groups of order 7 and 13, on every backend and on the
//! element of eight lanes; on the smaller group also under the layer that checks the field's contract.

use curve::params::small_order::{Order7, Order13};
use field::ops_verify::Verified;
use field::secp256k1::{Portable4x64, Portable5x52};
use testkit::array8::Array8;
use testkit::scheme_suite;

scheme_suite!(order_7_portable, super::Order7, "portable", Some(super::Portable4x64::new()));
scheme_suite!(order_7_under_the_contract, super::Order7, "portable", Some(super::Verified(super::Portable5x52)));
scheme_suite!(order_7_array_of_eight, super::Order7, "array", Some(super::Array8(super::Portable5x52)));
scheme_suite!(order_13_portable, super::Order13, "portable", Some(super::Portable4x64::new()));
scheme_suite!(order_13_array_of_eight, super::Order13, "array", Some(super::Array8(super::Portable5x52)));

#[cfg(target_arch = "x86_64")]
fn adx() -> Option<field::secp256k1::Adx4x64> {
    arith::cpu::Adx::detect().map(field::secp256k1::Adx4x64::new)
}
#[cfg(target_arch = "x86_64")]
scheme_suite!(order_7_adx, super::Order7, "adx", super::adx());
#[cfg(target_arch = "x86_64")]
scheme_suite!(order_13_adx, super::Order13, "adx", super::adx());

/// The lanes that the engine has for many rows.
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
fn ifma16() -> Option<field::secp256k1::Ifma16> {
    arith::cpu::Ifma::detect().map(field::secp256k1::Ifma16::new)
}
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
scheme_suite!(order_7_ifma16, super::Order7, "ifma", super::ifma16(), each);
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
scheme_suite!(order_13_ifma16, super::Order13, "ifma", super::ifma16(), each);

#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
fn ifma8() -> Option<field::secp256k1::Ifma8> {
    arith::cpu::Ifma::detect().map(field::secp256k1::Ifma8::new)
}
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
scheme_suite!(order_7_ifma8, super::Order7, "ifma", super::ifma8());
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
scheme_suite!(order_13_ifma8, super::Order13, "ifma", super::ifma8());
