//! The suites of many multiples on the backends of every engine.

use curve::params::small_order::{Order7, Order13};
use field::OneLane;
use field::secp256k1::{Portable4x64, Portable5x52};
use testkit::array8::ArrayBackends;
use testkit::msm_suite::{secp256k1_suite, small_order_suite};

/// The backend, or a skip by name.
#[cfg(target_arch = "x86_64")]
fn on_adx(test: &str, run: impl Fn(OneLane<field::secp256k1::Adx4x64>)) {
    match arith::cpu::Adx::detect() {
        Some(token) => run(OneLane(field::secp256k1::Adx4x64::new(token))),
        None => testkit::skip::skip(test, testkit::skip::Missing::Engine("adx")),
    }
}

#[test]
fn small_orders_portable() {
    let b = OneLane(Portable4x64::new());
    small_order_suite::<Order7, _>(b);
    small_order_suite::<Order13, _>(b);
}

#[test]
fn small_orders_array8() {
    small_order_suite::<Order7, _>(ArrayBackends(Portable5x52));
    small_order_suite::<Order13, _>(ArrayBackends(Portable5x52));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn small_orders_adx() {
    on_adx("msm::small_orders_adx", |b| {
        small_order_suite::<Order7, _>(b);
        small_order_suite::<Order13, _>(b);
    });
}

#[test]
fn secp256k1_portable() {
    secp256k1_suite(OneLane(Portable4x64::new()));
}

#[test]
fn secp256k1_array8() {
    secp256k1_suite(ArrayBackends(Portable5x52));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn secp256k1_adx() {
    on_adx("msm::secp256k1_adx", secp256k1_suite);
}

#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
mod ifma {
    use super::*;
    use arith::cpu::Ifma;
    use field::secp256k1::{Adx4x64, Ifma8, Ifma16, IfmaBackends};
    use testkit::msm_suite::OneAndLanes;
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
        on_ifma("msm::small_orders_ifma8", |token| {
            small_order_suite::<Order13, _>(OneAndLanes(Adx4x64::new(token.adx()), Ifma8::new(token)));
        });
    }

    #[test]
    fn small_orders_ifma16() {
        on_ifma("msm::small_orders_ifma16", |token| {
            small_order_suite::<Order7, _>(OneAndLanes(Adx4x64::new(token.adx()), Ifma16::new(token)));
        });
    }

    #[test]
    fn secp256k1_ifma() {
        on_ifma("msm::secp256k1_ifma", |token| secp256k1_suite(IfmaBackends(token)));
    }
}
