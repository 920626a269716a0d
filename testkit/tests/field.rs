//! The field suite on every backend, and on each under the layer that checks the contract operation by operation.

use field::ops_verify::Verified;
use field::secp256k1::{Portable4x64, Portable5x52};
use testkit::array8::Array8;
use testkit::field_suite::{field_suite, field_suite_of, products_suite};

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

#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
mod ifma {
    use super::*;
    use arith::cpu::Ifma;
    use field::WordsField;
    use field::secp256k1::{Ifma8, Ifma16, Ifma24, IfmaOrder};
    use testkit::skip::{Missing, skip};

    /// The token, or a skip by name.
    fn on_ifma(test: &str, run: impl Fn(Ifma)) {
        match Ifma::detect() {
            Some(token) => run(token),
            None => skip(test, Missing::Engine("ifma")),
        }
    }

    #[test]
    fn ifma8() {
        on_ifma("field::ifma8", |token| field_suite::<_, 1>(Ifma8::new(token)));
    }

    #[test]
    fn ifma8_verified() {
        on_ifma("field::ifma8_verified", |token| field_suite_of::<_, 1>(Verified(Ifma8::new(token)), 1_000));
    }

    #[test]
    fn ifma16() {
        on_ifma("field::ifma16", |token| field_suite::<_, 1>(Ifma16::new(token)));
    }

    #[test]
    fn a_million_products_in_8_lanes() {
        on_ifma("field::a_million_products_in_8_lanes", |token| {
            products_suite(Ifma8::new(token), Portable4x64::new(), 1_000_000);
        });
    }

    #[test]
    fn products_in_16_lanes() {
        on_ifma("field::products_in_16_lanes", |token| {
            products_suite(Ifma16::new(token), Portable4x64::new(), 100_000);
        });
    }

    #[test]
    fn products_in_24_lanes() {
        on_ifma("field::products_in_24_lanes", |token| {
            products_suite(Ifma24::new(token), Portable4x64::new(), 100_000);
        });
    }

    #[test]
    fn products_in_16_lanes_mod_n() {
        on_ifma("field::products_in_16_lanes_mod_n", |token| {
            products_suite(IfmaOrder::<2>::new(token), WordsField::new(), 100_000);
        });
    }

    #[test]
    fn order_in_8_lanes() {
        on_ifma("field::order_in_8_lanes", |token| field_suite::<_, 1>(IfmaOrder::<1>::new(token)));
    }

    #[test]
    fn order_in_16_lanes_verified() {
        on_ifma("field::order_in_16_lanes_verified", |token| {
            field_suite_of::<_, 1>(Verified(IfmaOrder::<2>::new(token)), 1_000);
        });
    }
}
