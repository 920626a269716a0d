//! Eight elements of any one-lane backend side by side, as strict as the strictest vector backend: a product accepts only
//! `El<1>`. The twin of vector code on any machine, and the proof that formulas carry where lanes need it.

use field::{Backends, FieldOps, Interleaved, OneLane, Prime, WordsField};

/// How many lanes.
pub const LANES: usize = 8;

/// Eight lanes of `F`.
pub type Array8<F> = Interleaved<F, LANES>;

/// The backend.
#[allow(non_snake_case, reason = "the constructor of the type of this name")]
pub const fn Array8<F>(f: F) -> Array8<F> {
    Interleaved(f)
}

/// The bundle of an engine with lanes, on any machine: one element is `F`, a wide one eight of it, scalars stand in eight lanes.
#[derive(Clone, Copy, Debug)]
pub struct ArrayBackends<F>(pub F);

impl<P: Prime, Q: Prime, F: FieldOps<Prime = P>> Backends<P, Q> for ArrayBackends<F> {
    type One = F;
    type Lanes = Array8<F>;
    type Bulk = Array8<F>;
    type Spread = Array8<F>;
    type Scalars = Array8<WordsField<Q>>;
    type Few = OneLane<F>;
    const FILLED: usize = 3;

    fn one(self) -> F {
        self.0
    }
    fn lanes(self) -> Array8<F> {
        Array8(self.0)
    }
    fn bulk(self) -> Array8<F> {
        Array8(self.0)
    }
    fn spread(self) -> Array8<F> {
        Array8(self.0)
    }
    fn scalars(self) -> Self::Scalars {
        Array8(WordsField::new())
    }
    fn few(self) -> OneLane<F> {
        OneLane(self.0)
    }
}
