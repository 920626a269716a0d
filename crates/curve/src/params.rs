//! y² = x³ + ax + b over a prime field, as data: what a curve is to the code of this crate.

pub mod secp256k1;
pub mod small_order;

use crate::ct::recode::Offsets;
use crate::tables::Tables;
use field::ops::WordsOf;
use field::{FieldOps, Mask, Prime, Row};

pub use secp256k1::Secp256k1;

/// The coefficient a, which decides the family of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CoefficientA {
    /// a = 0: `formulas::a_zero` and `formulas::complete`.
    Zero,
}

/// A curve's group of prime order n, and how this crate multiplies in it.
///
/// The order is odd, so no point of the group has y = 0.
pub trait CurveParams: Copy + Send + Sync + 'static {
    /// The field's characteristic p.
    type Field: Prime;
    /// The group's order n.
    type Order: Prime<Words = WordsOf<Self::Field>, Bytes = <Self::Field as Prime>::Bytes>;
    /// The name in [`crate::registry`] and on the command line.
    const NAME: &'static str;
    /// a.
    const A: CoefficientA;
    /// b, canonical.
    const B: WordsOf<Self::Field>;
    /// G, canonical coordinates.
    const GENERATOR: Row<WordsOf<Self::Field>>;
    /// The endomorphism and the lattice that halves scalars by it.
    const GLV: Glv<WordsOf<Self::Field>>;
    /// The widths of windows.
    const WINDOWS: Windows;
    /// What the recodings of secret scalars add.
    const OFFSETS: Offsets<WordsOf<Self::Field>>;
    /// Multiples of G.
    const TABLES: Tables<WordsOf<Self::Field>>;
    /// Is p < 2n? Then a coordinate x has at most two values below p for one value mod n.
    const FIELD_BELOW_TWICE_ORDER: bool;

    /// A square root of `a` in every lane that has one, and these lanes.
    fn sqrt<F: FieldOps<Prime = Self::Field>>(f: F, a: &F::El<1>) -> (F::El<1>, Mask);
}

/// The endomorphism (x, y) ↦ (βx, y) of a curve with a = 0 and p = 1 mod 3, which is multiplication by λ, and the short vectors
/// (a, −b), (a + b, a) of the lattice {(u, v): u + vλ = 0 mod n}.
///
/// λ² + λ + 1 = 0 mod n and n = a² + ab + b² (norms of Eisenstein integers), so a = bλ mod n gives both vectors.
/// Source: R. Gallant, R. Lambert, S. Vanstone, "Faster point multiplication on elliptic curves with efficient endomorphisms",
/// CRYPTO 2001, sections 3 and 4.
#[derive(Clone, Copy, Debug)]
pub struct Glv<W> {
    /// β, a cube root of 1 mod p.
    pub beta: W,
    /// λ, a cube root of 1 mod n.
    pub lambda: W,
    /// a.
    pub a: W,
    /// b.
    pub b: W,
    /// 2^shift·a/n, rounded to the nearest.
    pub a_over_n: W,
    /// 2^shift·b/n, rounded to the nearest.
    pub b_over_n: W,
    /// The binary point of the two quotients.
    pub shift: u32,
    /// The halves of every scalar are below 2^half_bits in absolute value.
    pub half_bits: u32,
}

/// Bits of windows. An entry of a table is d·P for an odd d: d stays below n, so that none is the point at infinity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Windows {
    /// Constant time, k·G: 2^(w−1) entries for each of ⌈bits/w⌉ windows.
    pub ct_base: u32,
    /// Constant time, k·G in [`LANES`]: 2^(w−1) entries for each lane and step.
    pub ct_lanes: u32,
    /// Steps of that: `LANES`·steps·w ≥ bits.
    pub ct_lane_steps: u32,
    /// Constant time, k·P: 2^(w−1) entries.
    pub ct_point: u32,
    /// Vartime, G and 2^⌈bits/2⌉·G: wNAF, 2^(w−2) entries for each.
    pub base: u32,
    /// Vartime, P: wNAF, 2^(w−2) entries.
    pub point: u32,
    /// Vartime, a prepared P: 2^(w−1) entries for each window of half a scalar; 2^w is at most n.
    pub prepared: u32,
}

impl Windows {
    /// How many windows the constant-time multiplication of G has.
    pub const fn count_ct_base(&self, order_bits: u32) -> u32 {
        order_bits.div_ceil(self.ct_base)
    }

    /// Bits of k that a lane takes.
    pub const fn lane_bits(&self) -> u32 {
        self.ct_lanes * self.ct_lane_steps
    }

    /// How many fixed windows each half of G's scalar has, whose odd digits pick rows of G's odd multiples: such a digit has one
    /// bit less than one in wNAF.
    pub const fn count_odd_base(&self, order_bits: u32) -> u32 {
        base_split(order_bits).div_ceil(self.base - 1)
    }

    /// Bits of these windows: as few as so many allow.
    pub const fn odd_base(&self, order_bits: u32) -> u32 {
        base_split(order_bits).div_ceil(self.count_odd_base(order_bits))
    }

    /// How many windows of `ct_point` bits each half of P's scalar has: a sign and `half_bits`.
    pub const fn count_ct_point(&self, half_bits: u32) -> u32 {
        (half_bits + 1).div_ceil(self.ct_point)
    }

    /// How many windows of `prepared` bits each half of P's scalar has: a sign and `half_bits`.
    pub const fn count_prepared(&self, half_bits: u32) -> u32 {
        (half_bits + 1).div_ceil(self.prepared)
    }
}

/// Over so many lanes k·G is spread: a [`Column`](field::Column) has a word for each.
pub const LANES: u32 = 8;

/// Where the vartime multiplication of G splits its scalar: k = low + 2^split·high.
pub const fn base_split(order_bits: u32) -> u32 {
    order_bits.div_ceil(2)
}

#[cfg(test)]
pub(crate) mod tests;
