//! What an engine offers to work on many rows at once: an element for one, a wide one for many, and scalars.

use crate::{FieldOps, Interleaved, Prime};

/// The backends of an engine, for a curve over `P` whose group has the order `Q`. The value proves the CPU features.
pub trait Backends<P: Prime, Q: Prime>: Copy + Send + Sync + 'static {
    /// One element: what a single operation runs on.
    type One: FieldOps<Prime = P>;
    /// As many elements as are worth handling at once; the same as `One` on an engine without lanes.
    type Lanes: FieldOps<Prime = P>;
    /// What chains run on that have nothing to do with each other: square roots, running products. The same as `Lanes` on an engine
    /// that has some; elsewhere several elements in turn, so that they fill each other's waits.
    type Bulk: FieldOps<Prime = P>;
    /// The lanes over which one operation spreads its parts, 8 at most; the same as `One` where that doesn't pay.
    type Spread: FieldOps<Prime = P>;
    /// Scalars, in as many lanes as the engine likes.
    type Scalars: FieldOps<Prime = Q>;
    /// What serves rows that are too few to fill `Lanes`: fewer lanes, in the end one; itself where there is one.
    type Few: Backends<P, Q>;
    /// From so many rows on, the last lanes may stay empty: `Few` would take longer.
    const FILLED: usize;

    /// The backend of one element.
    fn one(self) -> Self::One;
    /// The wide backend.
    fn lanes(self) -> Self::Lanes;
    /// The backend of independent chains.
    fn bulk(self) -> Self::Bulk;
    /// The backend of the parts of one operation.
    fn spread(self) -> Self::Spread;
    /// The scalars' backend.
    fn scalars(self) -> Self::Scalars;
    /// The backends for few rows.
    fn few(self) -> Self::Few;
}

/// Chains side by side on an engine without lanes. Measured (OPTIMIZATIONS.md, "many multiples"): two give half of the gain, eight
/// lose it again.
const CHAINS: usize = 4;

/// The backends of an engine without lanes, made of its one.
#[derive(Clone, Copy, Debug)]
pub struct OneLane<F>(pub F);

impl<P: Prime, Q: Prime, F: FieldOps<Prime = P>> Backends<P, Q> for OneLane<F> {
    type One = F;
    type Lanes = F;
    type Bulk = Interleaved<F, CHAINS>;
    type Spread = F;
    type Scalars = crate::WordsField<Q>;
    type Few = Self;
    const FILLED: usize = 1;

    #[inline(always)]
    fn one(self) -> F {
        self.0
    }
    #[inline(always)]
    fn lanes(self) -> F {
        self.0
    }
    #[inline(always)]
    fn bulk(self) -> Self::Bulk {
        Interleaved(self.0)
    }
    #[inline(always)]
    fn spread(self) -> F {
        self.0
    }
    #[inline(always)]
    fn scalars(self) -> Self::Scalars {
        crate::WordsField::new()
    }
    #[inline(always)]
    fn few(self) -> Self {
        self
    }
}
