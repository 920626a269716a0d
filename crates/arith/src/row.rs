//! What tables are made of: rows, two arrays of words on one cache line (for four words each), and columns, a word a lane.

/// Two canonical arrays of words side by side: an affine point in memory. Table entries have this shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row<W> {
    /// x, canonical.
    pub x: W,
    /// y, canonical.
    pub y: W,
}

/// Words of eight lanes side by side, on a cache line of their own. Tables in which every lane has entries of its own are made of
/// them: word by word, each word of all lanes together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Column(pub [u64; 8]);
