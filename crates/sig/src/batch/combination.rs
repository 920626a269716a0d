//! Σ wᵢ·(gᵢ·G + fᵢ·Kᵢ − Rᵢ) over some equations, and the weighted scalars that it is made of.
//!
//! 1. w = a + b·λ, w·g and w·f mod n, in lanes of scalars, once for each equation.
//! 2. For each R the multiples −a of it and −b of λ·R; for each key the halves of its Σ w·f; for G those of Σ w·g.
//! 3. [`msm::vartime::sum`].
//!
//! Cost: 3 products mod n a row and a decomposition a key; the sum.

use super::{Batch, Verdict};
use arith::Words;
use core::ops::Range;
use curve::endomorphism::Half;
use curve::{CurveParams, Jacobian};
use field::ops::{MAX_LANES, WordsOf};
use field::{Backends, FieldOps, Prime, Scalar, Task};
use msm::vartime::Entry;

/// What an equation gives to the sum, weighted.
#[derive(Clone, Copy)]
pub(super) struct Products<Q: Prime> {
    /// w·g.
    base: Scalar<Q>,
    /// w·f.
    factor: Scalar<Q>,
}

impl<C: CurveParams, B: Backends<C::Field, C::Order>> Batch<C, B> {
    /// Draws the weights and multiplies by them.
    pub(super) fn weigh(&mut self) {
        self.weights.clear();
        self.weights.resize(self.equations.len(), [0; 2]);
        self.transcript.clone().weights().fill(&mut self.weights);
        self.products.clear();
        self.products.resize(self.equations.len(), Products { base: Scalar::ZERO, factor: Scalar::ZERO });
        self.sums.clear();
        self.sums.resize(self.keys.len(), Scalar::ZERO);
        let s = self.b.scalars();
        s.outline(Weigh { s, batch: self });
    }

    /// The sum over the equations that are not settled.
    pub(super) fn sum(&mut self, equations: Range<usize>) -> Jacobian<B::One> {
        let (n, k) = (self.equations.len() as u32, self.keys.len() as u32);
        self.entries.clear();
        let mut base = Scalar::ZERO;
        let first = equations.start as u32;
        let (Some(part), Some(weights), Some(products)) = (
            self.equations.get(equations.clone()),
            self.weights.get(equations.clone()),
            self.products.get(equations.clone()),
        ) else {
            return Jacobian::infinity(self.b.one());
        };
        for (((i, equation), weight), products) in (first..).zip(part).zip(weights).zip(products) {
            if equation.nonce.is_some() {
                self.entries.push(minus(i, weight[0]));
                self.entries.push(minus(n + i, weight[1]));
                base = base.add(&products.base);
                if let Some(sum) = self.sums.get_mut(equation.key as usize) {
                    *sum = sum.add(&products.factor);
                }
            }
        }
        for equation in part {
            if let Some(sum) = self.sums.get_mut(equation.key as usize) {
                let sum = core::mem::replace(sum, Scalar::ZERO);
                if !sum.is_zero() {
                    let row = 2 * n + equation.key;
                    let [low, high] = C::GLV.split(&sum);
                    self.entries.extend([plus(row, low), plus(row + k, high)]);
                }
            }
        }
        let row = 2 * (n + k);
        let [low, high] = C::GLV.split(&base);
        self.entries.extend([plus(row, low), plus(row + 1, high)]);
        msm::vartime::sum::<C, B>(self.b, &mut self.workspace, &self.points, &self.entries)
    }

    /// The equations that are not settled hold.
    pub(super) fn accept(&mut self, equations: Range<usize>, verdicts: &mut [Verdict]) {
        for equation in self.equations.get_mut(equations).unwrap_or_default() {
            if equation.nonce.is_some() {
                equation.settle(Verdict::Valid, verdicts);
            }
        }
    }
}

fn minus(row: u32, weight: i64) -> Entry {
    Entry { row, negative: weight > 0, magnitude: weight.unsigned_abs().into() }
}

fn plus(row: u32, half: Half) -> Entry {
    Entry { row, negative: half.negative, magnitude: half.magnitude }
}

/// w·g and w·f of all equations.
struct Weigh<'a, C: CurveParams, B: Backends<C::Field, C::Order>> {
    s: B::Scalars,
    batch: &'a mut Batch<C, B>,
}

impl<C: CurveParams, B: Backends<C::Field, C::Order>> Task for Weigh<'_, C, B> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Self { s, batch } = self;
        let lanes = B::Scalars::LANES;
        let lambda = s.constant(&C::GLV.lambda);
        // a + 2^63 and b + 2^63 are loaded, and 2^63·(1 + λ) is taken off again.
        let bias = Scalar::<C::Order>::from_u64(1 << 63);
        let bias = bias.add(&bias.mul(&Scalar::from_words_reduced(&C::GLV.lambda))).neg();
        let bias = s.constant(bias.words());
        let [mut a, mut b, mut base, mut factor] = [[<WordsOf<C::Order>>::ZERO; MAX_LANES]; 4];
        let groups = batch.equations.chunks(lanes).zip(batch.weights.chunks(lanes));
        for ((equations, weights), products) in groups.zip(batch.products.chunks_mut(lanes)) {
            for (lane, (equation, weight)) in equations.iter().zip(weights).enumerate() {
                set(&mut a[lane], weight[0]);
                set(&mut b[lane], weight[1]);
                base[lane] = *equation.base.words();
                factor[lane] = *equation.factor.words();
            }
            // w = a + bλ
            let w = s.add::<1, 1, 2>(&s.mul(&s.load(&b[..lanes]), &lambda), &s.load(&a[..lanes]));
            let w = s.carry::<3>(&s.add(&w, &bias));
            let base_products = s.mul(&w, &s.load(&base[..lanes]));
            let factor_products = s.mul(&w, &s.load(&factor[..lanes]));
            s.store_all(&base_products, &mut base[..lanes]);
            s.store_all(&factor_products, &mut factor[..lanes]);
            for (lane, products) in products.iter_mut().enumerate() {
                products.base = Scalar::from_words(base[lane]).unwrap_or(Scalar::ZERO);
                products.factor = Scalar::from_words(factor[lane]).unwrap_or(Scalar::ZERO);
            }
        }
    }
}

/// weight + 2^63.
#[inline(always)]
fn set<W: Words>(words: &mut W, weight: i64) {
    if let Some(word) = words.as_mut().first_mut() {
        *word = weight as u64 ^ 1 << 63;
    }
}
