//! Σ kᵢ·Pᵢ on public numbers: [`msm`] for points and scalars, [`sum`] for rows and short signed multiples, from which batches of
//! signatures are built. Variable time.

#[doc(hidden)]
pub use crate::choose::method;
use crate::choose::{self, Load};
use crate::pippenger;
use crate::straus::MAX_ENTRIES;
use crate::workspace::{Method, Workspace};
use alloc::vec::Vec;
use curve::point::{AffinePoint, Jacobian};
use curve::vartime::to_affine;
use curve::{CurveParams, formulas::a_zero::Add};
use field::ops::WordsOf;
use field::{Backends, FieldOps, Row, Scalar, Task};

/// One summand of [`sum`]: ±magnitude·row. The work grows with the magnitude's length; 0 costs nothing.
///
/// Windows end at bits 64 and 128: a magnitude of at most 2^63 or 2^127 fits its windows' signed digits, one between that and the
/// next power of two has a digit more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The row's number, below 2^31.
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
/// An entry's row is below 2^31: its number and a sign share 32 bits.
///
/// # Panics
/// When an entry's row is outside `rows`.
pub fn sum<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    workspace: &mut Workspace<B::Bulk>,
    rows: &[Row<WordsOf<C::Field>>],
    entries: &[Entry],
) -> Jacobian<B::One> {
    let load = Load::of(entries);
    let by_straus = match workspace.method {
        Method::Measured => choose::is_few(B::Lanes::LANES, &load),
        Method::Straus => entries.len() <= MAX_ENTRIES,
        Method::Pippenger => false,
    };
    if by_straus {
        return workspace.straus.sum::<C, B>(b, rows, entries);
    }
    pippenger::sum::<C, B>(b, workspace, rows, entries, &load)
}

/// Σ scalarᵢ·pointᵢ, `None` for infinity. Where one slice is longer its rest does not count. Within
/// [`DEFAULT_MEMORY_BYTES`].
pub fn msm<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    points: &[AffinePoint<C>],
    scalars: &[Scalar<C::Order>],
) -> Option<AffinePoint<C>> {
    msm_within(b, points.iter().copied().zip(scalars.iter().copied()), DEFAULT_MEMORY_BYTES)
}

/// Σ scalar·point over all terms, `None` for infinity, with about `memory_bytes`; less than some 200 kB counts as that.
///
/// Each scalar is split into two halves by the curve's endomorphism, of P and of λ·P = (βx, y).
pub fn msm_within<C: CurveParams, B: Backends<C::Field, C::Order>>(
    b: B,
    terms: impl IntoIterator<Item = (AffinePoint<C>, Scalar<C::Order>)>,
    memory_bytes: usize,
) -> Option<AffinePoint<C>> {
    let f = b.one();
    let bytes_a_term = 2 * (size_of::<Row<WordsOf<C::Field>>>() + size_of::<Entry>());
    // Half of the memory for the rows and entries of a chunk, half for its sum.
    let chunk = (memory_bytes / 2 / bytes_a_term).clamp(MIN_CHUNK, MAX_CHUNK);
    let (mut rows, mut entries) = (Vec::new(), Vec::new());
    let mut workspace = Workspace::within(memory_bytes / 2);
    let mut total = Jacobian::infinity(f);
    let mut terms = terms.into_iter();
    loop {
        let some: &mut dyn Iterator<Item = _> = &mut terms;
        f.outline(Halves { f, terms: some.take(chunk), rows: &mut rows, entries: &mut entries });
        if entries.is_empty() {
            return to_affine(f, &total);
        }
        let part = sum::<C, B>(b, &mut workspace, &rows, &entries);
        let before = total;
        f.outline(Add { f, r: &mut total, p: &before, q: &part });
    }
}

/// Rows and entries of terms.
struct Halves<'a, F: FieldOps, I> {
    f: F,
    terms: I,
    rows: &'a mut Vec<Row<WordsOf<F::Prime>>>,
    entries: &'a mut Vec<Entry>,
}

impl<C, F, I> Task for Halves<'_, F, I>
where
    C: CurveParams,
    F: FieldOps<Prime = C::Field>,
    I: Iterator<Item = (AffinePoint<C>, Scalar<C::Order>)>,
{
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, terms, rows, entries } = self;
        let beta = f.constant(&C::GLV.beta);
        rows.clear();
        entries.clear();
        for (point, scalar) in terms {
            for half in C::GLV.split(&scalar) {
                let row = entries.len() as u32;
                entries.push(Entry { row, negative: half.negative, magnitude: half.magnitude });
            }
            let Row { x, y } = *point.row();
            rows.push(Row { x, y });
            rows.push(Row { x: f.store(&f.mul(&f.constant(&x), &beta), 0), y });
        }
    }
}

/// The memory that [`msm`] uses at most, about: 64 MiB.
pub const DEFAULT_MEMORY_BYTES: usize = 64 << 20;
/// Points that are summed together however little memory there is.
const MIN_CHUNK: usize = 256;
/// And at most, however much there is: a term has two rows, whose numbers, with a sign, have 32 bits.
const MAX_CHUNK: usize = 1 << 24;
