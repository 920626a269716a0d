//! (1/a₁, …, 1/aₙ) for the price of one inversion and 3(n − 1) products.
//!
//! 1. Forward: pᵢ = a₁·…·aᵢ, kept where the inverses will stand.
//! 2. t = 1/pₙ.
//! 3. Backward: 1/aᵢ = t·pᵢ₋₁, then t ← t·aᵢ = 1/pᵢ₋₁.
//!
//! A zero counts as 1 in the products, and its inverse is 0. With lanes the last product of each lane is inverted by products across
//! the lanes ([`invert`]), so that there is one inversion whatever the number of lanes.
//!
//! Source: P. Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", Math. Comp. 48 (1987),
//! section 10.3.1. Vartime.

use crate::ops::{FieldOps, Mask, Prime, Task, WordsOf};
use crate::order::Scalar;
use arith::Words;

/// What the method asks of elements.
trait Arithmetic: Copy {
    type Element: Copy;
    fn mul(self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// 1/a for a ≠ 0.
    fn invert(self, a: &Self::Element) -> Self::Element;
    /// a, or 1 where a = 0; and in how many lanes that is.
    fn zeros_to_one(self, a: &Self::Element) -> (Self::Element, usize);
    /// r, or 0 where a = 0.
    fn zero_where_zero(self, r: &Self::Element, a: &Self::Element) -> Self::Element;
}

/// Steps 1 to 3. Answers for as many elements as both slices have; returns how many zeros there were.
#[inline(always)]
fn batch_invert<A: Arithmetic>(f: A, elements: &[A::Element], inverses: &mut [A::Element]) -> usize {
    let count = elements.len().min(inverses.len());
    let (elements, inverses) = (&elements[..count], &mut inverses[..count]);
    let zeros = forward(f, elements, inverses);
    if let Some(product) = inverses.last().copied() {
        let inverse = f.invert(&product);
        backward(f, elements, inverses, inverse);
    }
    zeros
}

/// `products[i]` = a₁·…·aᵢ, zeros as ones; how many zeros there are. Both slices have the same length.
#[inline(always)]
fn forward<A: Arithmetic>(f: A, elements: &[A::Element], products: &mut [A::Element]) -> usize {
    let mut zeros = 0;
    let mut before: Option<&A::Element> = None;
    for (a, product) in elements.iter().zip(products) {
        let (a, zero) = f.zeros_to_one(a);
        zeros += zero;
        *product = match before {
            Some(before) => f.mul(before, &a),
            None => a,
        };
        before = Some(product);
    }
    zeros
}

/// The inverses from the products and t = 1/(a₁·…·aₙ). Both slices have the same length.
#[inline(always)]
fn backward<A: Arithmetic>(f: A, elements: &[A::Element], products: &mut [A::Element], t: A::Element) {
    let mut t = t;
    for (i, a) in elements.iter().enumerate().rev() {
        // Each place still holds its own product; the one below it is what the inverse needs.
        if i == 0 {
            products[i] = f.zero_where_zero(&t, a);
        } else {
            products[i] = f.zero_where_zero(&f.mul(&t, &products[i - 1]), a);
            t = f.mul(&t, &f.zeros_to_one(a).0);
        }
    }
}

/// `inverses[i]` = 1/`elements[i]` modulo the order, 0 for 0, for as many as both slices have; returns how many zeros there were.
/// Vartime.
pub fn batch_invert_scalars_vartime<Q: Prime>(elements: &[Scalar<Q>], inverses: &mut [Scalar<Q>]) -> usize {
    batch_invert(OfScalars(core::marker::PhantomData), elements, inverses)
}

/// `inverses[i]` = 1/`elements[i]` in the field and in every lane, 0 for 0, for as many as both slices have; returns how many zeros
/// there were, of all lanes. Vartime.
#[inline(always)]
pub fn batch_invert_vartime<F: FieldOps>(f: F, elements: &[F::El<1>], inverses: &mut [F::El<1>]) -> usize {
    f.outline(BatchInvert { f, elements, inverses })
}

/// Step 1 by hand, for elements that are not kept in a list: the product of one more, not 0, and of those before it.
#[inline(always)]
pub fn product<F: FieldOps>(f: F, a: &F::El<1>, before: Option<&F::El<1>>) -> F::El<1> {
    match before {
        Some(before) => f.mul(before, a),
        None => *a,
    }
}

/// Step 3 by hand: 1/a of the last element, from the inverse of the product up to it and the product of those before it; the inverse becomes
/// that of the latter.
#[inline(always)]
pub fn reciprocal<F: FieldOps>(f: F, inverse: &mut F::El<1>, a: &F::El<1>, before: Option<&F::El<1>>) -> F::El<1> {
    let Some(before) = before else { return *inverse };
    let reciprocal = f.mul(inverse, before);
    *inverse = f.mul(inverse, a);
    reciprocal
}

/// [`batch_invert_vartime`] as a function of its own.
struct BatchInvert<'a, F: FieldOps> {
    f: F,
    elements: &'a [F::El<1>],
    inverses: &'a mut [F::El<1>],
}

impl<F: FieldOps> Task for BatchInvert<'_, F> {
    type Out = usize;
    #[inline(always)]
    fn run(self) -> usize {
        let Self { f, elements, inverses } = self;
        batch_invert(OfField(f), elements, inverses)
    }
}

/// 1/a in every lane, 0 for 0: one inversion, and products across the lanes. Constant time.
#[inline(always)]
pub fn invert<F: FieldOps>(f: F, a: &F::El<1>) -> F::El<1> {
    invert_across(f, a, F::Prime::invert)
}

/// 1/a in every lane, 0 for 0: one inversion, and products across the lanes. Vartime.
#[inline(always)]
pub fn invert_vartime<F: FieldOps>(f: F, a: &F::El<1>) -> F::El<1> {
    invert_across(f, a, F::Prime::invert_vartime)
}

/// 1/a in every lane by `invert` of a single element.
///
/// Every lane gets the product of all other lanes: while the number of lanes is even, times what stands half of them away, which
/// leaves half as many products to meet; then times each of the rest. The inverse of the product of all lanes, times the others',
/// is the lane's own.
#[inline(always)]
fn invert_across<F: FieldOps>(f: F, a: &F::El<1>, invert: fn(&WordsOf<F::Prime>) -> WordsOf<F::Prime>) -> F::El<1> {
    if F::LANES == 1 {
        return f.load(&[invert(&f.store(a, 0))]);
    }
    let mut others = *a;
    let product = f.outline(Others { f, a, others: &mut others });
    let inverse = f.constant(&invert(&product));
    f.outline(TimesUnlessZero { f, r: &mut others, inverse: &inverse, a });
    others
}

/// Lane l of `others` gets the product of the other lanes, zeros as ones; answers the product of all.
struct Others<'a, F: FieldOps> {
    f: F,
    a: &'a F::El<1>,
    others: &'a mut F::El<1>,
}

impl<F: FieldOps> Task for Others<'_, F> {
    type Out = WordsOf<F::Prime>;
    #[inline(always)]
    fn run(self) -> Self::Out {
        let Self { f, a, others } = self;
        let mut product = *a;
        f.select_to(&mut product, Mask(!f.is_zero(a).0), &f.constant(&Words::ONE));
        *others = f.constant(&Words::ONE);
        let mut distance = F::LANES;
        while distance % 2 == 0 {
            distance /= 2;
            let other = f.rotate(&product, distance);
            *others = f.mul(others, &other);
            product = f.mul(&product, &other);
        }
        let part = product;
        for by in 1..distance {
            let other = f.rotate(&part, by);
            *others = f.mul(others, &other);
            product = f.mul(&product, &other);
        }
        f.store(&product, 0)
    }
}

/// r times `inverse`, and 0 where a = 0.
struct TimesUnlessZero<'a, F: FieldOps> {
    f: F,
    r: &'a mut F::El<1>,
    inverse: &'a F::El<1>,
    a: &'a F::El<1>,
}

impl<F: FieldOps> Task for TimesUnlessZero<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, r, inverse, a } = self;
        *r = f.mul(r, inverse);
        f.select_to(r, Mask(!f.is_zero(a).0), &f.constant(&Words::ZERO));
    }
}

/// Public scalars.
#[derive(Clone, Copy)]
struct OfScalars<Q>(core::marker::PhantomData<Q>);

impl<Q: Prime> Arithmetic for OfScalars<Q> {
    type Element = Scalar<Q>;
    #[inline(always)]
    fn mul(self, a: &Scalar<Q>, b: &Scalar<Q>) -> Scalar<Q> {
        a.mul(b)
    }
    #[inline(always)]
    fn invert(self, a: &Scalar<Q>) -> Scalar<Q> {
        a.invert_vartime()
    }
    #[inline(always)]
    fn zeros_to_one(self, a: &Scalar<Q>) -> (Scalar<Q>, usize) {
        if a.is_zero() { (Scalar::ONE, 1) } else { (*a, 0) }
    }
    #[inline(always)]
    fn zero_where_zero(self, r: &Scalar<Q>, a: &Scalar<Q>) -> Scalar<Q> {
        if a.is_zero() { *a } else { *r }
    }
}

/// Elements of a backend.
#[derive(Clone, Copy)]
struct OfField<F>(F);

impl<F: FieldOps> OfField<F> {
    #[inline(always)]
    fn keep_nonzero(self, r: &F::El<1>, a: &F::El<1>, instead: &WordsOf<F::Prime>) -> (F::El<1>, Mask) {
        let zero = self.0.is_zero(a);
        let mut r = *r;
        self.0.select_to(&mut r, Mask(!zero.0), &self.0.constant(instead));
        (r, zero)
    }
}

impl<F: FieldOps> Arithmetic for OfField<F> {
    type Element = F::El<1>;
    #[inline(always)]
    fn mul(self, a: &F::El<1>, b: &F::El<1>) -> F::El<1> {
        self.0.mul(a, b)
    }
    #[inline(always)]
    fn invert(self, a: &F::El<1>) -> F::El<1> {
        invert_vartime(self.0, a)
    }
    #[inline(always)]
    fn zeros_to_one(self, a: &F::El<1>) -> (F::El<1>, usize) {
        let (r, zero) = self.keep_nonzero(a, a, &Words::ONE);
        (r, zero.0.count_ones() as usize)
    }
    #[inline(always)]
    fn zero_where_zero(self, r: &F::El<1>, a: &F::El<1>) -> F::El<1> {
        self.keep_nonzero(r, a, &Words::ZERO).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secp256k1::{FieldPrime, GroupOrder, Portable5x52};

    #[test]
    fn scalars_with_and_without_zeros() {
        let scalar = Scalar::<GroupOrder>::from_u64;
        for n in 0..12u64 {
            for zeros in 0..1u64 << n.min(6) {
                let mut elements = [Scalar::ZERO; 12];
                for i in 0..n {
                    elements[i as usize] = scalar(if zeros >> i & 1 == 1 { 0 } else { 3 + i });
                }
                let (elements, mut inverses) = (&elements[..n as usize], [Scalar::ONE; 12]);
                let count = batch_invert_scalars_vartime(elements, &mut inverses[..n as usize]);
                assert_eq!(count, zeros.count_ones() as usize);
                for (a, inverse) in elements.iter().zip(&inverses) {
                    assert_eq!(*inverse, a.invert_vartime());
                }
            }
        }
    }

    #[test]
    fn the_shorter_slice_counts() {
        let elements = [2, 3, 5].map(Scalar::<GroupOrder>::from_u64);
        let mut inverses = [Scalar::ZERO; 2];
        batch_invert_scalars_vartime(&elements, &mut inverses);
        assert_eq!(inverses, [elements[0].invert_vartime(), elements[1].invert_vartime()]);
        let mut inverses = [Scalar::ZERO; 4];
        batch_invert_scalars_vartime(&elements, &mut inverses);
        assert_eq!(inverses[2..], [elements[2].invert_vartime(), Scalar::ZERO]);
    }

    #[test]
    fn elements_of_a_backend() {
        let f = Portable5x52;
        let words: [[u64; 4]; 5] = [[7, 0, 0, 1], [0; 4], FieldPrime::MODULUS.neg(&[1, 0, 0, 0]), [0; 4], [5, 6, 7, 8]];
        let elements = words.map(|w| f.load(&[w]));
        let mut inverses = elements;
        assert_eq!(batch_invert_vartime(f, &elements, &mut inverses), 2);
        for (i, w) in words.iter().enumerate() {
            let expected = FieldPrime::MODULUS.invert(w);
            assert_eq!(f.store(&inverses[i], 0), expected);
            assert_eq!(f.store(&invert(f, &elements[i]), 0), expected);
            assert_eq!(f.store(&invert_vartime(f, &elements[i]), 0), expected);
        }
    }
}
