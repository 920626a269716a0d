//! The pair (r, s), both in 1..n.

use crate::error::ParseError;
use core::fmt;
use field::{ByteArray, Prime, Scalar};

/// Must s be in the lower half, 1..=(n − 1)/2?
///
/// (r, s) and (r, n − s) verify alike; a rule that only the lower one counts makes a signature unique.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LowS {
    /// The upper half does not verify: Bitcoin's policy, Ethereum's rule, libsecp256k1's `verify`.
    Required,
    /// Both halves verify: the standards, and Bitcoin's consensus.
    Accepted,
}

/// An ECDSA signature for a group of order `Q`: r and s in 1..n.
pub struct Signature<Q: Prime> {
    r: Scalar<Q>,
    s: Scalar<Q>,
}

impl<Q: Prime> Clone for Signature<Q> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<Q: Prime> Copy for Signature<Q> {}
impl<Q: Prime> PartialEq for Signature<Q> {
    fn eq(&self, other: &Self) -> bool {
        self.r == other.r && self.s == other.s
    }
}
impl<Q: Prime> Eq for Signature<Q> {}
impl<Q: Prime> fmt::Debug for Signature<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signature").field("r", &self.r).field("s", &self.s).finish()
    }
}

impl<Q: Prime> Signature<Q> {
    /// The signature (r, s).
    ///
    /// # Errors
    /// [`ParseError::OutOfRange`] if r or s is 0.
    pub fn new(r: Scalar<Q>, s: Scalar<Q>) -> Result<Self, ParseError> {
        if r.is_zero() || s.is_zero() { Err(ParseError::OutOfRange) } else { Ok(Self { r, s }) }
    }

    /// r ‖ s, big-endian, each as long as `Q::Bytes`: 64 bytes for a group order of 256 bits.
    ///
    /// # Errors
    /// [`ParseError::Length`]; [`ParseError::OutOfRange`] unless r and s are in 1..n: nothing is reduced.
    pub fn from_compact(bytes: &[u8]) -> Result<Self, ParseError> {
        if bytes.len() != 2 * Q::Bytes::LEN {
            return Err(ParseError::Length);
        }
        let (r, s) = bytes.split_at(Q::Bytes::LEN);
        match (Scalar::from_be_bytes(r), Scalar::from_be_bytes(s)) {
            (Some(r), Some(s)) => Self::new(r, s),
            _ => Err(ParseError::OutOfRange),
        }
    }

    /// The bytes of r and of s, big-endian: joined, they are the compact form.
    pub fn to_compact(&self) -> (Q::Bytes, Q::Bytes) {
        (self.r.to_be_bytes(), self.s.to_be_bytes())
    }

    /// r.
    #[inline(always)]
    pub fn r(&self) -> &Scalar<Q> {
        &self.r
    }

    /// s.
    #[inline(always)]
    pub fn s(&self) -> &Scalar<Q> {
        &self.s
    }

    /// Is s at most (n − 1)/2?
    pub fn is_low_s(&self) -> bool {
        !self.s.is_high()
    }

    /// The signature with s in the lower half, which verifies exactly if this one does under [`LowS::Accepted`].
    pub fn normalize_s(&self) -> Self {
        Self { r: self.r, s: if self.s.is_high() { self.s.neg() } else { self.s } }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use field::secp256k1::GroupOrder;

    type N = Scalar<GroupOrder>;

    #[test]
    fn both_numbers_are_in_range_or_refused() {
        let one = N::ONE.to_be_bytes();
        let largest = N::ONE.neg().to_be_bytes();
        let mut order = largest;
        order[31] += 1; // n ends in 41
        for (r, s, ok) in [
            (one, largest, true),
            (largest, one, true),
            ([0; 32], one, false),
            (one, [0; 32], false),
            (order, one, false),
            (one, order, false),
            ([0xFF; 32], [0xFF; 32], false),
        ] {
            let parsed = Signature::<GroupOrder>::from_compact(&[r, s].concat());
            assert_eq!(
                parsed.map(|signature| signature.to_compact()),
                if ok { Ok((r, s)) } else { Err(ParseError::OutOfRange) }
            );
        }
        for length in [0, 1, 63, 65] {
            assert_eq!(Signature::<GroupOrder>::from_compact(&[1; 65][..length]), Err(ParseError::Length));
        }
    }

    #[test]
    fn the_two_halves_meet_in_the_middle() {
        let half = N::from_u64(2).invert_vartime().sub(&N::ONE); // (n − 1)/2
        let low = Signature::new(N::ONE, half).unwrap();
        let high = Signature::new(N::ONE, half.neg()).unwrap();
        assert!(low.is_low_s() && !high.is_low_s());
        assert_eq!(low.normalize_s(), low);
        assert_eq!(high.normalize_s(), low);
    }
}
