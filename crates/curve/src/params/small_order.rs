//! Subgroups of order 7, 13 and 199 of y² = x³ + b over secp256k1's prime, for exhaustive tests: all points and all scalars go
//! through the code that secp256k1 uses, backends included.
//!
//! Not for cryptography. The curves over this field with a = 0 have six group orders: p + 1 ± t and p + 1 ± (t ± 3v)/2, where
//! t = p + 1 − n is the trace of secp256k1 and 4p = t² + 3v². Three of them have a factor 7, 13 or 199; b = 6, 2 and 4 are the
//! smallest with that order. G = cofactor·R for the first x that lifts to an R outside the subgroup's kernel, projected to the
//! eigenspace of the endomorphism ((φ − λ′)·R, λ′ = −1 − λ), with even y. Orders 7 and 13 divide their curve's order twice.
//! The idea of testing on such groups is libsecp256k1's (`tests_exhaustive`).

use super::{CoefficientA, CurveParams, Glv, Secp256k1, Windows};
use crate::ct::recode::Offsets;
use crate::tables::{self, Tables};
use arith::Modulus;
use arith::limbs::from_hex;
use field::secp256k1::FieldPrime;
use field::{FieldOps, Mask, Prime, Row};

/// A subgroup of small prime order: the type of its order is that of the curve.
macro_rules! small_order {
    ($doc:literal, $curve:ident, $order:ident, $name:literal, n = $n:literal, b = $b:literal,
     x = $x:literal, y = $y:literal, glv = ($lambda:literal, $ga:literal, $gb:literal, $half_bits:literal),
     windows = ($ct_base:literal, $ct_lanes:literal, $ct_point:literal, $base:literal, $point:literal), tables = $tables:ident) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $curve;

        #[doc = concat!("The prime ", $n, ".")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $order;

        impl Prime for $order {
            type Words = [u64; 4];
            type Bytes = [u8; 32];
            const MODULUS: Modulus<[u64; 4]> = Modulus::new([$n, 0, 0, 0]);
            const BITS: u32 = u64::BITS - u64::leading_zeros($n);
        }

        impl CurveParams for $curve {
            type Field = FieldPrime;
            type Order = $order;
            const NAME: &'static str = $name;
            const A: CoefficientA = CoefficientA::Zero;
            const B: [u64; 4] = [$b, 0, 0, 0];
            const GENERATOR: Row<[u64; 4]> = Row { x: from_hex($x), y: from_hex($y) };
            const GLV: Glv<[u64; 4]> = Glv {
                beta: Secp256k1::GLV.beta,
                lambda: [$lambda, 0, 0, 0],
                a: [$ga, 0, 0, 0],
                b: [$gb, 0, 0, 0],
                a_over_n: quotient($ga, $n),
                b_over_n: quotient($gb, $n),
                shift: 128,
                half_bits: $half_bits,
            };
            // More steps than the order has bits, so that additions in every lane meet every exception.
            const WINDOWS: Windows = Windows {
                ct_base: $ct_base,
                ct_lanes: $ct_lanes,
                ct_lane_steps: 3,
                ct_point: $ct_point,
                base: $base,
                point: $point,
                prepared: $ct_point,
            };
            const OFFSETS: Offsets<[u64; 4]> =
                Offsets::new(&$order::MODULUS.m, $order::BITS, &Self::GLV, &Self::WINDOWS);
            const TABLES: Tables<[u64; 4]> = tables::$tables;
            const FIELD_BELOW_TWICE_ORDER: bool = false;

            #[inline(always)]
            fn sqrt<F: FieldOps<Prime = FieldPrime>>(f: F, a: &F::El<1>) -> (F::El<1>, Mask) {
                field::secp256k1::sqrt(f, a)
            }
        }
    };
}

/// 2^128·a/n, rounded to the nearest, for a < n < 2^63.
const fn quotient(a: u64, n: u64) -> [u64; 4] {
    let (a, n) = (a as u128, n as u128);
    let high = (a << 64) / n;
    let rest = (a << 64) % n;
    let low = ((rest << 64) + n / 2) / n; // at most 2^64
    [low as u64, (high + (low >> 64)) as u64, ((high + (low >> 64)) >> 64) as u64, 0]
}

small_order!(
    "Seven points of y² = x³ + 6.",
    Order7,
    Seven,
    "order-7",
    n = 7,
    b = 6,
    x = "976B34C2 8BE19DBB 836D83A6 FF2FEC4A 0DF28BA7 3FBEF210 A42FEE9E C9A0966F",
    y = "E19F1768 583FF383 D20AC149 67D8B00B 9BDAD0BD 735BB1E8 C4DABE72 00B54B60",
    glv = (2, 2, 1, 2),
    windows = (2, 2, 2, 3, 3),
    tables = ORDER_7
);
small_order!(
    "Thirteen points of y² = x³ + 2.",
    Order13,
    Thirteen,
    "order-13",
    n = 13,
    b = 2,
    x = "79EE1C36 AEBD658A FA2E3B40 491D77E7 962476B8 7CA04BCD C151F97C 12902B8A",
    y = "6BDAC934 5C1B6B6D C58FE33C 11C1BBC0 20E7D556 EA475595 E992C4E5 457B4BEA",
    glv = (9, 1, 3, 2),
    windows = (3, 3, 2, 4, 4),
    tables = ORDER_13
);
small_order!(
    "199 points of y² = x³ + 4.",
    Order199,
    OneHundredNinetyNine,
    "order-199",
    n = 199,
    b = 4,
    x = "F2A7AB01 3B1BCC54 06D2AE70 B9828ADE 71855450 A7196AE9 AAD5ADA2 17D6DA24",
    y = "4833012C 2412FF69 F27179EB 8E164917 A5D28C33 3ADC7A2C 4264E07D 0BE58968",
    glv = (92, 2, 13, 4),
    windows = (3, 3, 2, 4, 5),
    tables = ORDER_199
);
