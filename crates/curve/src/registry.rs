//! The one list of curves.

use crate::params::{CurveParams, Secp256k1};
use field::Prime;

/// What is known of a curve without its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name, lower case.
    pub name: &'static str,
    /// The object identifier in certificates and keys (SEC 2 v2.0, appendix A; RFC 5480).
    pub oid: &'static str,
    /// Bits of the field's characteristic.
    pub field_bits: u32,
    /// Bits of the group's order.
    pub order_bits: u32,
}

const fn entry<C: CurveParams>(oid: &'static str) -> Entry {
    Entry { name: C::NAME, oid, field_bits: <C::Field as Prime>::BITS, order_bits: <C::Order as Prime>::BITS }
}

/// Every curve for users; the small test groups of [`crate::params::small_order`] are none.
pub const CURVES: &[Entry] = &[entry::<Secp256k1>("1.3.132.0.10")];

/// The curve of this name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    CURVES.iter().find(|curve| curve.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_by_name() {
        assert_eq!(by_name("secp256k1").map(|curve| (curve.oid, curve.order_bits)), Some(("1.3.132.0.10", 256)));
        assert_eq!(by_name("order-7"), None);
    }
}
