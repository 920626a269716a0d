//! What verifying and recovering many rows share: every row by itself, in lanes, with inversions in common.
//!
//! Rows are worked on some at a time, so memory does not grow with their number. A row that is refused, or whose key is none,
//! takes part with another point: nothing about it reaches its neighbours.

use alloc::vec::Vec;
use arith::Words;
use curve::encode::Encoded;
use curve::{Affine, CurveParams};
use field::batch_inverse::batch_invert_vartime;
use field::ops::{MAX_LANES, WordsOf};
use field::{Backends, FieldOps, Mask, Prime, Scalar, Task};

/// Rows worked on together: enough for an inversion to cost little.
pub(crate) const ROWS_AT_ONCE: usize = 128;

/// How many rows the wide lanes take: all, or all but the last ones if these would fill too few lanes of a group.
pub(crate) fn wide_rows<C: CurveParams, B: Backends<C::Field, C::Order>>(_b: B, rows: usize) -> usize {
    let last = rows % B::Lanes::LANES;
    if last < B::FILLED { rows - last } else { rows }
}

/// Points in groups of LANES, and in which lanes of each there is one.
pub(crate) fn decode<C: CurveParams, F: FieldOps<Prime = C::Field>>(
    f: F,
    encoded: &[Encoded<C>],
) -> (Vec<Affine<F>>, Vec<Mask>) {
    encoded.chunks(F::LANES).map(|encoded| Encoded::decode_each(f, encoded)).unzip()
}

/// Is lane `row` mod LANES of its group set?
pub(crate) fn is_set<F: FieldOps>(_f: F, groups: &[Mask], row: usize) -> bool {
    groups.get(row / F::LANES).is_some_and(|mask| mask.0 >> (row % F::LANES) & 1 == 1)
}

/// A row's x/d and y/d.
pub(crate) struct Quotients<Q: Prime> {
    /// x/d.
    pub(crate) x: Vec<Scalar<Q>>,
    /// y/d.
    pub(crate) y: Vec<Scalar<Q>>,
}

/// x/d and y/d for every (d, x, y), 0 where d = 0. One inversion.
pub(crate) fn quotients<Q: Prime, S: FieldOps<Prime = Q>>(s: S, rows: &[[Scalar<Q>; 3]]) -> Quotients<Q> {
    s.outline(QuotientsTask { s, rows })
}

struct QuotientsTask<'a, Q: Prime, S> {
    s: S,
    rows: &'a [[Scalar<Q>; 3]],
}

impl<Q: Prime, S: FieldOps<Prime = Q>> Task for QuotientsTask<'_, Q, S> {
    type Out = Quotients<Q>;

    #[inline(always)]
    fn run(self) -> Quotients<Q> {
        let Self { s, rows } = self;
        let mut words = [[<WordsOf<Q>>::ONE; MAX_LANES]; 3];
        let (mut d, mut x, mut y) = (Vec::new(), Vec::new(), Vec::new());
        for group in rows.chunks(S::LANES) {
            for (l, row) in group.iter().enumerate() {
                for (words, scalar) in words.iter_mut().zip(row) {
                    words[l] = *scalar.words();
                }
            }
            d.push(s.load(&words[0]));
            x.push(s.load(&words[1]));
            y.push(s.load(&words[2]));
        }
        let mut inverses = d.clone();
        batch_invert_vartime(s, &d, &mut inverses);
        let mut out = Quotients { x: Vec::with_capacity(rows.len()), y: Vec::with_capacity(rows.len()) };
        for (((x, y), inverse), group) in x.iter().zip(&y).zip(&inverses).zip(rows.chunks(S::LANES)) {
            let [quotient, _, _] = &mut words;
            s.store_all(&s.mul(x, inverse), quotient);
            out.x.extend(quotient.iter().take(group.len()).map(|words| scalar(*words)));
            s.store_all(&s.mul(y, inverse), quotient);
            out.y.extend(quotient.iter().take(group.len()).map(|words| scalar(*words)));
        }
        out
    }
}

/// The scalar of canonical words.
#[inline(always)]
fn scalar<Q: Prime>(words: WordsOf<Q>) -> Scalar<Q> {
    Scalar::from_words(words).unwrap_or(Scalar::ZERO)
}
