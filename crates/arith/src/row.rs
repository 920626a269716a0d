//! A table's row: two arrays of words on one cache line (for four words each).

/// Two canonical arrays of words side by side: an affine point in memory. Table entries have this shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row<W> {
    /// x, canonical.
    pub x: W,
    /// y, canonical.
    pub y: W,
}
