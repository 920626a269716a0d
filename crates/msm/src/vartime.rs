//! Σ kᵢ·Pᵢ on public numbers: [`msm`] for points and scalars, [`sum`] for rows and short signed multiples, from which batches of
//! signatures are built. Variable time.

use crate::pippenger;
use crate::workspace::Workspace;
use alloc::vec::Vec;
use curve::point::{AffinePoint, Jacobian};
use curve::vartime::to_affine;
use curve::{CurveParams, formulas::a_zero::Add};
use field::ops::WordsOf;
use field::{Backends, FieldOps, Row, Scalar};

/// One summand of [`sum`]: ±magnitude·row. The work grows with the magnitude's length; 0 costs nothing.
///
/// Windows end at bits 64 and 128: a magnitude of at most 2^63 or 2^127 fits its windows' signed digits, one between that and the
/// next power of two has a digit more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The row's number.
    pub row: u32,
    /// Is it subtracted?
    pub negative: bool,
    /// How many times.
    pub magnitude: u128,
}

/// Σ ±magnitude·row over all entries; any number of entries may have the same row.
///
/// Each row is a point of the curve, canonical, as [`AffinePoint::row`] gives it; what else stands there gives a meaningless
/// sum. Rows that are equal or opposite, and sums on the way that are infinite, are handled and cost a bounded factor.
///
/// # Panics
/// When an entry's row is outside `rows`.
pub fn sum<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    workspace: &mut Workspace<B::Bulk>,
    rows: &[Row<WordsOf<C::Field>>],
    entries: &[Entry],
) -> Jacobian<B::One> {
    pippenger::sum::<C, B>(b, workspace, rows, entries)
}

/// Σ scalarᵢ·pointᵢ, `None` for infinity. Where one slice is longer its rest does not count. Within
/// [`Workspace::DEFAULT_MEMORY_BYTES`].
pub fn msm<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    points: &[AffinePoint<C>],
    scalars: &[Scalar<C::Order>],
) -> Option<AffinePoint<C>> {
    msm_within(b, points, scalars, Workspace::<B::Bulk>::DEFAULT_MEMORY_BYTES)
}

/// [`msm`] with about `memory_bytes` beyond the slices: less than some 100 kB counts as that.
///
/// Each scalar is split into two halves by the curve's endomorphism, of P and of λ·P = (βx, y).
pub fn msm_within<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    points: &[AffinePoint<C>],
    scalars: &[Scalar<C::Order>],
    memory_bytes: usize,
) -> Option<AffinePoint<C>> {
    let f = b.one();
    let bytes_a_point = 2 * (size_of::<Row<WordsOf<C::Field>>>() + size_of::<Entry>());
    // Half of the memory for the rows and entries of a chunk, half for its sum.
    let chunk = (memory_bytes / 2 / bytes_a_point).max(MIN_CHUNK);
    let count = points.len().min(scalars.len()).min(chunk);
    let mut rows = Vec::with_capacity(2 * count);
    let mut entries = Vec::with_capacity(2 * count);
    let mut workspace = Workspace::within(memory_bytes / 2);
    let mut total = Jacobian::infinity(f);
    let beta = f.constant(&C::GLV.beta);
    for (points, scalars) in points.chunks(chunk).zip(scalars.chunks(chunk)) {
        rows.clear();
        entries.clear();
        for (point, scalar) in points.iter().zip(scalars) {
            for half in C::GLV.split(scalar) {
                entries.push(Entry { row: entries.len() as u32, negative: half.negative, magnitude: half.magnitude });
            }
            let Row { x, y } = *point.row();
            rows.push(Row { x, y });
            rows.push(Row { x: f.store(&f.mul(&f.constant(&x), &beta), 0), y });
        }
        let part = sum::<C, B>(b, &mut workspace, &rows, &entries);
        let before = total;
        f.outline(Add { f, r: &mut total, p: &before, q: &part });
    }
    to_affine(f, &total)
}

/// Points that are summed together however little memory there is.
const MIN_CHUNK: usize = 256;
