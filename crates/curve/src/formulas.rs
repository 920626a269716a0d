//! Point addition and doubling, one file a family. Generic over the backend; a lane holds an independent point.

pub mod a_zero;
pub mod affine;
pub mod complete;
pub mod xyzz;

use field::{Prime, SecretInversion};

/// Work of another kind that runs beside a formula: the formula lets it take steps between its products, so that it fills what
/// they leave idle.
pub trait Beside {
    /// The next piece of the work. `done` is what the formula has just computed: [`core::hint::black_box`] keeps the compiler from
    /// computing it later, where its only use is.
    fn step<T, const N: usize>(&mut self, done: [&mut T; N]);
}

impl<Q: Prime> Beside for SecretInversion<Q> {
    #[inline(always)]
    fn step<T, const N: usize>(&mut self, done: [&mut T; N]) {
        core::hint::black_box(done);
        SecretInversion::step(self);
    }
}

/// No other work.
pub struct Nothing;

impl Beside for Nothing {
    #[inline(always)]
    fn step<T, const N: usize>(&mut self, _: [&mut T; N]) {}
}
