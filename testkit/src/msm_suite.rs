//! Sums of many multiples on the backends of an engine: every case against scalars mod n, where the points are known multiples of
//! G, so that the expected point comes from one multiplication.

use crate::effort::cases;
use crate::random::Random;
use curve::vartime::{mul_base, to_affine};
use curve::{AffinePoint, CurveParams, Secp256k1};
use field::secp256k1::{FieldPrime, Portable4x64};
use field::{Backends, FieldOps, OneLane, Prime, Row, Scalar, WordsField};
use msm::vartime::{Entry, msm, msm_within, sum};
use msm::{Method, Workspace};

type Words = [u64; 4];
type ScalarOf<C> = Scalar<<C as CurveParams>::Order>;

/// A bundle for groups of any order: these backends, and scalars in words.
#[derive(Clone, Copy, Debug)]
pub struct OneAndLanes<F, L>(pub F, pub L);

impl<P: Prime, Q: Prime, F: FieldOps<Prime = P>, L: FieldOps<Prime = P>> Backends<P, Q> for OneAndLanes<F, L> {
    type One = F;
    type Lanes = L;
    type Bulk = L;
    type Spread = L;
    type Scalars = WordsField<Q>;
    type Few = OneLane<F>;
    const FILLED: usize = 3;

    fn one(self) -> F {
        self.0
    }
    fn lanes(self) -> L {
        self.1
    }
    fn bulk(self) -> L {
        self.1
    }
    fn spread(self) -> L {
        self.1
    }
    fn scalars(self) -> Self::Scalars {
        WordsField::new()
    }
    fn few(self) -> OneLane<F> {
        OneLane(self.0)
    }
}

/// k·G, by the portable engine.
fn multiple<C: CurveParams<Field = FieldPrime>>(k: &ScalarOf<C>) -> Option<AffinePoint<C>> {
    let f = Portable4x64::new();
    to_affine(f, &mul_base::<C, _>(f, k))
}

/// A sum in the making: rows, the multiples of G that they are, and entries.
struct Sum<C: CurveParams> {
    rows: Vec<Row<Words>>,
    logarithms: Vec<ScalarOf<C>>,
    entries: Vec<Entry>,
}

impl<C: CurveParams<Field = FieldPrime>> Sum<C> {
    /// Rows k·G for these k, none of which is 0.
    fn new(logarithms: Vec<ScalarOf<C>>) -> Self {
        let rows = logarithms.iter().map(|k| *multiple::<C>(k).unwrap().row()).collect();
        Self { rows, logarithms, entries: Vec::new() }
    }

    fn push(&mut self, row: usize, negative: bool, magnitude: u128) {
        self.entries.push(Entry { row: row as u32, negative, magnitude });
    }

    fn expected(&self) -> Option<AffinePoint<C>> {
        let mut total = ScalarOf::<C>::ZERO;
        for entry in &self.entries {
            let k = ScalarOf::<C>::from_be_bytes_reduced(&entry.magnitude.to_be_bytes());
            let term = k.mul(&self.logarithms[entry.row as usize]);
            total = if entry.negative { total.sub(&term) } else { total.add(&term) };
        }
        multiple(&total)
    }

    /// The sum is the expected one, whatever the memory.
    #[track_caller]
    fn check<B: Backends<FieldPrime, C::Order>>(&self, b: B, workspaces: &mut [Workspace<B::Bulk>], what: &str) {
        let expected = self.expected();
        for (i, workspace) in workspaces.iter_mut().enumerate() {
            let sum = sum::<C, B>(b, workspace, &self.rows, &self.entries);
            assert_eq!(to_affine(b.one(), &sum), expected, "{what}, workspace {i}");
        }
    }
}

/// A workspace for each method, and one that makes Pippenger's passes single windows.
fn workspaces<F: FieldOps>() -> [Workspace<F>; 3] {
    [
        Workspace::new().by(Method::Pippenger),
        Workspace::new().by(Method::Straus),
        Workspace::within(0).by(Method::Pippenger),
    ]
}

/// A magnitude of every length, with runs of ones and zeros.
fn magnitude(random: &mut Random) -> u128 {
    let k = u128::from(random.word()) << 64 | u128::from(random.word());
    let length = random.below(129) as u32;
    match random.below(8) {
        0 => 0,
        1 => u128::MAX.checked_shr(length).unwrap_or(0),
        2 => 1u128.checked_shl(length).unwrap_or(u128::MAX),
        3 => (1u128 << 127 | 1 << 63).wrapping_add(u128::from(random.word() >> 62)),
        4 => k >> 64,
        5 => k.checked_shr(length).unwrap_or(1),
        _ => k >> random.below(2),
    }
}

/// Every pair of scalars and points of a small group, by lists of two to four entries, and long lists in which most sums on the
/// way meet equal points, opposite points and infinity. Magnitudes are scalars plus multiples of n, so that all windows work.
///
/// # Panics
/// At the first disagreement.
pub fn small_order_suite<C: CurveParams<Field = FieldPrime>, B: Backends<FieldPrime, C::Order>>(b: B) {
    let n = C::Order::MODULUS.m[0] as usize;
    let mut random = Random::new(11);
    let mut workspaces = workspaces();
    let all: Vec<_> = (1..n as u64).map(ScalarOf::<C>::from_u64).collect();
    let lifted = |random: &mut Random, k: usize| match random.below(3) {
        0 => k as u128,
        1 => k as u128 + n as u128 * u128::from(random.word() >> 16),
        _ => k as u128 + n as u128 * (magnitude(random) / (2 * n as u128)),
    };
    let mut case = Sum::<C>::new(all.clone());
    let step = if n > 10 { 3 } else { 1 };
    for p in 1..n {
        for q in 1..n {
            for k in 0..n {
                for l in ((k + p) % step..n).step_by(step) {
                    case.entries.clear();
                    case.push(p - 1, random.below(2) == 1, lifted(&mut random, k));
                    case.push(q - 1, random.below(2) == 1, lifted(&mut random, l));
                    case.check(b, &mut workspaces[..2], "two entries");
                }
            }
        }
    }
    for round in 0..cases(60) {
        for count in [3, 4, 5, 9, 24, 25, 70, 200] {
            case.entries.clear();
            for _ in 0..count {
                let k = random.below(n);
                let k = lifted(&mut random, k);
                // In half of the rounds few different points, so that whole buckets agree.
                let row = random.below(if round % 2 == 0 { n - 1 } else { 2 });
                case.push(row, random.below(2) == 1, k);
            }
            case.check(b, &mut workspaces, "many entries");
        }
    }
    // Points and scalars through the endomorphism.
    let points: Vec<AffinePoint<C>> = all.iter().map(|k| multiple::<C>(k).unwrap()).collect();
    for p in 0..n - 1 {
        for q in 0..n - 1 {
            for k in 0..n as u64 {
                for l in ((k as usize + p) % step..n).step_by(step) {
                    let l = l as u64;
                    let scalars = [k, l].map(ScalarOf::<C>::from_u64);
                    let expected = scalars[0].mul(&all[p]).add(&scalars[1].mul(&all[q]));
                    assert_eq!(msm(b, &[points[p], points[q]], &scalars), multiple(&expected), "{p} {q} {k} {l}");
                }
            }
        }
    }
}

/// Sizes around the lanes and up to a thousand, with edge scalars, equal, opposite and λ-related points, infinite sums.
///
/// # Panics
/// At the first disagreement.
pub fn secp256k1_suite<B: Backends<FieldPrime, <Secp256k1 as CurveParams>::Order>>(b: B) {
    type S = ScalarOf<Secp256k1>;
    let mut random = Random::new(12);
    let mut workspaces = workspaces();
    let scalar = |random: &mut Random| S::from_words_reduced(&random.words());
    let lambda = S::from_words_reduced(&Secp256k1::GLV.lambda);
    let minus_one = S::ONE.neg();
    let sizes: Vec<usize> = (0..=40).chain([64, 100, 300, 1000]).collect();
    for &count in &sizes {
        for kind in 0..6 {
            if count > 64 && kind > 0 && cases(100) < 100 {
                continue;
            }
            // Kinds: distinct; all equal; P and −P; P, λP, λ²P; few; distinct again with other entries.
            let base = scalar(&mut random);
            let related = [S::ONE, lambda, lambda.mul(&lambda), minus_one, lambda.neg()];
            let logarithms = (0..count.max(1))
                .map(|i| match kind {
                    1 => base,
                    2 => {
                        if i % 2 == 0 {
                            base
                        } else {
                            base.neg()
                        }
                    }
                    3 => base.mul(&related[i % 5]),
                    4 => S::from_u64(1 + i as u64 % 4),
                    _ => scalar(&mut random),
                })
                .collect();
            let mut case = Sum::<Secp256k1>::new(logarithms);
            for i in 0..count {
                let k = match kind {
                    1 | 2 if count % 3 == 0 => 0xDEAD_BEEF_0123_4567_89AB,
                    5 => magnitude(&mut random) >> 64,
                    _ => magnitude(&mut random),
                };
                case.push(i, random.below(2) == 1, k);
                if i % 7 == 0 {
                    case.push(random.below(count), i % 2 == 0, magnitude(&mut random));
                }
            }
            case.check(b, &mut workspaces, &format!("{count} entries, kind {kind}"));
            // Twice the same entries with opposite signs: infinity.
            let opposite: Vec<Entry> =
                case.entries.iter().map(|entry| Entry { negative: !entry.negative, ..*entry }).collect();
            case.entries.extend(opposite);
            case.check(b, &mut workspaces[..2], &format!("{count} entries and their opposites, kind {kind}"));
        }
    }
    for &count in &sizes {
        let logarithms: Vec<S> = (0..count)
            .map(|i| match i % 5 {
                0 => scalar(&mut random),
                1 => lambda,
                2 => minus_one,
                3 => S::from_u64(i as u64),
                _ => S::ONE,
            })
            .collect();
        let mut scalars: Vec<S> = (0..count)
            .map(|i| match i % 7 {
                0 => S::ZERO,
                1 => minus_one,
                2 => S::ONE,
                3 => lambda,
                _ => scalar(&mut random),
            })
            .collect();
        let points: Vec<_> = logarithms.iter().map(|k| multiple::<Secp256k1>(k).unwrap()).collect();
        let total = |scalars: &[S]| scalars.iter().zip(&logarithms).fold(S::ZERO, |sum, (a, b)| sum.add(&a.mul(b)));
        let expected = multiple(&total(&scalars));
        assert_eq!(msm(b, &points, &scalars), expected, "{count} points");
        if count == 0 {
            continue;
        }
        assert_eq!(
            msm_within(b, points.iter().copied().zip(scalars.iter().copied()), 0),
            expected,
            "{count} points in little memory"
        );
        // The rest of a longer slice does not count.
        assert_eq!(msm(b, &points[..count - 1], &scalars), multiple(&total(&scalars[..count - 1])));
        assert_eq!(msm(b, &points, &scalars[..count - 1]), multiple(&total(&scalars[..count - 1])));
        // The last scalar makes the sum infinite.
        let others = total(&scalars[..count - 1]);
        scalars[count - 1] = others.mul(&logarithms[count - 1].invert_vartime()).neg();
        assert_eq!(msm(b, &points, &scalars), None, "{count} points, an infinite sum");
    }
}
