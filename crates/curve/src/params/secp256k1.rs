//! secp256k1: y² = x³ + 7 over p = 2^256 − 2^32 − 977, a group of prime order n. SEC 2 v2.0, section 2.4.1.

use super::{CoefficientA, CurveParams, Glv, Windows};
use crate::ct::recode::Offsets;
use crate::tables::{self, Tables};
use arith::limbs::from_hex;
use field::secp256k1::{FieldPrime, GroupOrder};
use field::{FieldOps, Mask, Prime, Row};

/// The curve of Bitcoin, Ethereum and Nostr.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Secp256k1;

impl CurveParams for Secp256k1 {
    type Field = FieldPrime;
    type Order = GroupOrder;
    const NAME: &'static str = "secp256k1";
    const A: CoefficientA = CoefficientA::Zero;
    const B: [u64; 4] = [7, 0, 0, 0];
    const GENERATOR: Row<[u64; 4]> = Row {
        x: from_hex("79BE667E F9DCBBAC 55A06295 CE870B07 029BFCDB 2DCE28D9 59F2815B 16F81798"),
        y: from_hex("483ADA77 26A3C465 5DA4FBFC 0E1108A8 FD17B448 A6855419 9C47D08F FB10D4B8"),
    };
    // Not in SEC 2. β and λ are cube roots of 1 that belong together; a and b come from the Euclidean algorithm on (n, λ),
    // stopped at √n; the quotients are (2^384·a + n/2)/n and (2^384·b + n/2)/n. The tests of `params` check all of them.
    const GLV: Glv<[u64; 4]> = Glv {
        beta: from_hex("7AE96A2B 657C0710 6E64479E AC3434E9 9CF04975 12F58995 C1396C28 719501EE"),
        lambda: from_hex("5363AD4C C05C30E0 A5261C02 8812645A 122E22EA 20816678 DF02967C 1B23BD72"),
        a: from_hex("3086D221 A7D46BCD E86C90E4 9284EB15"),
        b: from_hex("E4437ED6 010E8828 6F547FA9 0ABFE4C3"),
        a_over_n: from_hex("3086D221 A7D46BCD E86C90E4 9284EB15 3DAA8A14 71E8CA7F E893209A 45DBB031"),
        b_over_n: from_hex("E4437ED6 010E8828 6F547FA9 0ABFE4C4 221208AC 9DF506C6 1571B4AE 8AC47F71"),
        shift: 384,
        half_bits: 128,
    };
    const WINDOWS: Windows =
        Windows { ct_base: 6, ct_lanes: 4, ct_lane_steps: 8, ct_point: 5, base: 15, point: 5, prepared: 7 };
    const OFFSETS: Offsets<[u64; 4]> =
        Offsets::new(&GroupOrder::MODULUS.m, GroupOrder::BITS, &Self::GLV, &Self::WINDOWS);
    const TABLES: Tables<[u64; 4]> = tables::SECP256K1;
    const FIELD_BELOW_TWICE_ORDER: bool = true;

    #[inline(always)]
    fn sqrt<F: FieldOps<Prime = FieldPrime>>(f: F, a: &F::El<1>) -> (F::El<1>, Mask) {
        field::secp256k1::sqrt(f, a)
    }
}
