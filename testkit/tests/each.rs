//! Rows in lanes on the bundle of every engine.

use field::OneLane;
use field::secp256k1::Portable4x64;
use testkit::array8::ArrayBackends;
use testkit::each_suite::each_suite;

#[test]
fn portable() {
    each_suite(OneLane(Portable4x64::new()));
}

#[test]
fn array_of_eight() {
    each_suite(ArrayBackends(Portable4x64::new()));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn adx() {
    match arith::cpu::Adx::detect() {
        Some(token) => each_suite(OneLane(field::secp256k1::Adx4x64::new(token))),
        None => testkit::skip::skip("each::adx", testkit::skip::Missing::Engine("adx")),
    }
}

#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
#[test]
fn ifma() {
    match arith::cpu::Ifma::detect() {
        Some(token) => each_suite(field::secp256k1::IfmaBackends(token)),
        None => testkit::skip::skip("each::ifma", testkit::skip::Missing::Engine("ifma")),
    }
}
