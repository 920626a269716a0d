//! The curve suites on every backend.

use curve::params::small_order::{Order7, Order13, Order199};
use field::FieldOps;
use field::ops_verify::Verified;
use field::secp256k1::{FieldPrime, Portable4x64, Portable5x52};
use testkit::array8::{Array8, ArrayBackends};
use testkit::curve_suite::{secp256k1_suite, secret_multiples_suite, small_order_suite};

fn small_orders<F: FieldOps<Prime = FieldPrime>>(f: F) {
    small_order_suite::<Order7, F>(f);
    small_order_suite::<Order13, F>(f);
    small_order_suite::<Order199, F>(f);
}

/// The backend, or a skip by name.
#[cfg(target_arch = "x86_64")]
fn on_adx(test: &str, run: impl Fn(field::secp256k1::Adx4x64)) {
    match arith::cpu::Adx::detect() {
        Some(token) => run(field::secp256k1::Adx4x64::new(token)),
        None => testkit::skip::skip(test, testkit::skip::Missing::Engine("adx")),
    }
}

#[test]
fn small_orders_portable_4x64() {
    small_orders(Portable4x64::new());
}

/// Every formula and multiplication with every limb and value checked, on the element whose limbs grow.
#[test]
fn small_orders_under_the_contract() {
    small_order_suite::<Order7, _>(Verified(Portable5x52));
    small_order_suite::<Order13, _>(Verified(Portable5x52));
    small_order_suite::<Order7, _>(Verified(Array8(Portable5x52)));
}

#[test]
fn small_orders_portable_5x52() {
    small_orders(Portable5x52);
}

#[test]
fn small_orders_array8_of_portable_5x52() {
    small_orders(Array8(Portable5x52));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn small_orders_adx_4x64() {
    on_adx("curve::small_orders_adx_4x64", small_orders);
}

#[test]
fn secp256k1_portable_4x64() {
    secp256k1_suite(Portable4x64::new());
}

#[test]
fn secp256k1_portable_5x52() {
    secp256k1_suite(Portable5x52);
}

#[test]
fn secp256k1_array8_of_portable_5x52() {
    secp256k1_suite(Array8(Portable5x52));
}

#[test]
fn secret_multiples_array8_of_portable_4x64() {
    secret_multiples_suite(ArrayBackends(Portable4x64::new()));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn secp256k1_adx_4x64() {
    on_adx("curve::secp256k1_adx_4x64", secp256k1_suite);
}

#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
mod ifma {
    use super::*;
    use arith::cpu::Ifma;
    use field::secp256k1::{Ifma8, Ifma16, IfmaBackends};
    use testkit::skip::{Missing, skip};

    /// The token, or a skip by name.
    fn on_ifma(test: &str, run: impl Fn(Ifma)) {
        match Ifma::detect() {
            Some(token) => run(token),
            None => skip(test, Missing::Engine("ifma")),
        }
    }

    #[test]
    fn small_orders_ifma8() {
        on_ifma("curve::small_orders_ifma8", |token| small_orders(Ifma8::new(token)));
    }

    /// As above, on the limbs of vectors.
    #[test]
    fn small_orders_ifma8_under_the_contract() {
        on_ifma("curve::small_orders_ifma8_under_the_contract", |token| {
            small_order_suite::<Order7, _>(Verified(Ifma8::new(token)));
        });
    }

    #[test]
    fn small_orders_ifma16() {
        on_ifma("curve::small_orders_ifma16", |token| {
            small_order_suite::<Order7, _>(Ifma16::new(token));
            small_order_suite::<Order13, _>(Ifma16::new(token));
        });
    }

    #[test]
    fn secret_multiples_ifma() {
        on_ifma("curve::secret_multiples_ifma", |token| secret_multiples_suite(IfmaBackends(token)));
    }

    #[test]
    fn secp256k1_ifma8() {
        on_ifma("curve::secp256k1_ifma8", |token| secp256k1_suite(Ifma8::new(token)));
    }

    #[test]
    fn secp256k1_ifma16() {
        on_ifma("curve::secp256k1_ifma16", |token| secp256k1_suite(Ifma16::new(token)));
    }
}
