//! Memory that sums reuse: it grows to what the largest sum so far needed.

use crate::aggregate::Aggregate;
use crate::batched_affine::{BatchedAffine, Sums};
use crate::sort::Sorted;
use crate::split::Split;
use crate::straus::Straus;
use field::FieldOps;
use field::ops::WordsOf;

/// How a sum is found. All methods give the same point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The one that measured faster for so many entries, on such an engine.
    Measured,
    /// Straus', for at most a thousand entries; more go by Pippenger's.
    Straus,
    /// Pippenger's.
    Pippenger,
}

/// What a sum keeps in memory while it runs; of no meaning between two sums, but for constants that are kept.
pub struct Workspace<F: FieldOps> {
    /// How many bytes a pass may use beyond what it can't do without.
    pub(crate) memory_bytes: usize,
    pub(crate) method: Method,
    pub(crate) straus: Straus<F>,
    pub(crate) sorted: Sorted,
    pub(crate) batched_affine: BatchedAffine<F>,
    pub(crate) buckets: Sums<WordsOf<F::Prime>>,
    pub(crate) split: Split<WordsOf<F::Prime>>,
    pub(crate) aggregate: Aggregate<WordsOf<F::Prime>>,
}

impl<F: FieldOps> Workspace<F> {
    /// An empty workspace that is held to nothing but what a sum needs to be fast: a few megabytes for its passes, and for each
    /// entry some 20 bytes.
    pub const fn new() -> Self {
        Self::within(usize::MAX)
    }

    /// An empty workspace whose passes are held to about so many bytes. Less than a pass can do with counts as that.
    pub const fn within(memory_bytes: usize) -> Self {
        Self {
            memory_bytes,
            method: Method::Measured,
            straus: Straus::new(),
            sorted: Sorted::new(),
            batched_affine: BatchedAffine::new(),
            buckets: Sums::new(),
            split: Split::new(),
            aggregate: Aggregate::new(),
        }
    }

    /// The workspace for sums by this method.
    #[must_use]
    pub fn by(mut self, method: Method) -> Self {
        self.method = method;
        self
    }
}

impl<F: FieldOps> Default for Workspace<F> {
    fn default() -> Self {
        Self::new()
    }
}
