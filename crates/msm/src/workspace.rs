//! Memory that sums reuse: it grows to what the largest sum so far needed.

use crate::aggregate::Aggregate;
use crate::batched_affine::{BatchedAffine, Sums};
use crate::sort::Sorted;
use crate::split::Split;
use field::FieldOps;
use field::ops::WordsOf;

/// What a sum keeps in memory while it runs; of no meaning between two sums, but for constants that are kept.
pub struct Workspace<F: FieldOps> {
    /// How many bytes a sum may use beyond what it can't do without.
    pub(crate) memory_bytes: usize,
    pub(crate) sorted: Sorted,
    pub(crate) batched_affine: BatchedAffine<F>,
    pub(crate) buckets: Sums<WordsOf<F::Prime>>,
    pub(crate) split: Split<WordsOf<F::Prime>>,
    pub(crate) aggregate: Aggregate<WordsOf<F::Prime>>,
}

impl<F: FieldOps> Workspace<F> {
    /// What a workspace is held to if nobody says otherwise: 64 MiB.
    pub const DEFAULT_MEMORY_BYTES: usize = 64 << 20;

    /// An empty workspace for [`Self::DEFAULT_MEMORY_BYTES`].
    pub const fn new() -> Self {
        Self::within(Self::DEFAULT_MEMORY_BYTES)
    }

    /// An empty workspace that is held to about so many bytes. Less than a sum can do with counts as that.
    pub const fn within(memory_bytes: usize) -> Self {
        Self {
            memory_bytes,
            sorted: Sorted::new(),
            batched_affine: BatchedAffine::new(),
            buckets: Sums::new(),
            split: Split::new(),
            aggregate: Aggregate::new(),
        }
    }
}

impl<F: FieldOps> Default for Workspace<F> {
    fn default() -> Self {
        Self::new()
    }
}
