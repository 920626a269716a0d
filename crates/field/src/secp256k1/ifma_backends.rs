//! What the engine `ifma` offers: 16 lanes, eight for few rows, and ADX for a single one.
//!
//! Cycles for eight lanes on Zen 4 (one vpmadd52 of 512 bits a cycle, so a product takes 62 at least and a square 42), minima of
//! runs, by the groups of eight that make an element:
//!
//! | groups | product | square | doubling | mixed addition | square root, a lane |
//! |---|---|---|---|---|---|
//! | 1 | 70 | 62 | 431 | 760 | 2085 |
//! | 2 | 65 | 45 | 399 | 670 to 750 | 1570 |
//! | 3 | 64 | 45 | 410 to 450 | 725 | 1570 |
//! | 4 | 87 | 58 | 400 | 655 to 710 | 1970 |
//!
//! Two groups fill the unit. A third adds nothing but rows to fill, a fourth spills. A CPU with two vpmadd52 a cycle may want three
//! (not measured here).

use super::{Adx4x64, FieldPrime, GroupOrder, Ifma8, Ifma16, IfmaOrder};
use crate::{Backends, OneLane};
use arith::cpu::Ifma;

/// The engine's backends on a CPU with AVX-512 IFMA.
#[derive(Clone, Copy, Debug)]
pub struct IfmaBackends(pub Ifma);

/// The same for rows that fill eight lanes at best.
#[derive(Clone, Copy, Debug)]
pub struct IfmaBackends8(pub Ifma);

impl Backends<FieldPrime, GroupOrder> for IfmaBackends {
    type One = Adx4x64;
    type Lanes = Ifma16;
    type Bulk = Ifma16;
    type Spread = Ifma8;
    type Scalars = IfmaOrder<2>;
    type Few = IfmaBackends8;
    const FILLED: usize = 9;

    #[inline(always)]
    fn one(self) -> Self::One {
        Adx4x64::new(self.0.adx())
    }
    #[inline(always)]
    fn lanes(self) -> Self::Lanes {
        Ifma16::new(self.0)
    }
    #[inline(always)]
    fn bulk(self) -> Self::Bulk {
        self.lanes()
    }
    #[inline(always)]
    fn spread(self) -> Self::Spread {
        Ifma8::new(self.0)
    }
    #[inline(always)]
    fn scalars(self) -> Self::Scalars {
        IfmaOrder::new(self.0)
    }
    #[inline(always)]
    fn few(self) -> Self::Few {
        IfmaBackends8(self.0)
    }
}

impl Backends<FieldPrime, GroupOrder> for IfmaBackends8 {
    type One = Adx4x64;
    type Lanes = Ifma8;
    type Bulk = Ifma8;
    type Spread = Ifma8;
    type Scalars = IfmaOrder<1>;
    type Few = OneLane<Adx4x64>;
    const FILLED: usize = 3;

    #[inline(always)]
    fn one(self) -> Self::One {
        Adx4x64::new(self.0.adx())
    }
    #[inline(always)]
    fn lanes(self) -> Self::Lanes {
        Ifma8::new(self.0)
    }
    #[inline(always)]
    fn bulk(self) -> Self::Bulk {
        self.lanes()
    }
    #[inline(always)]
    fn spread(self) -> Self::Spread {
        Ifma8::new(self.0)
    }
    #[inline(always)]
    fn scalars(self) -> Self::Scalars {
        IfmaOrder::new(self.0)
    }
    #[inline(always)]
    fn few(self) -> Self::Few {
        OneLane(self.one())
    }
}
