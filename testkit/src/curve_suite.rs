//! Everything that the curve layer promises, for any backend, in every lane.
//!
//! On a group of small order: all pairs of points through every formula, the exceptional ones and infinity in several
//! representations included, and all scalars through every multiplication; what comes out is looked up among the multiples of G
//! that the big-integer oracle gave. On secp256k1: edges of scalars times points that meet G's multiples.
//! A backend takes a suite by one line: `small_order_suite::<Order13, _>(Portable5x52)`.

use crate::effort::cases;
use crate::oracle::{self, Curve, Point};
use crate::random::Random;
use arith::{Modulus, Row, limbs};
use curve::formulas::Nothing;
use curve::formulas::a_zero::{
    Add, AddMixed, Double, add_mixed_any_in, add_mixed_in, add_mixed_to, add_to, double_in, double_to,
};
use curve::formulas::complete::{add_complete_to, add_mixed_complete_to, double_complete_to};
use curve::formulas::xyzz::{AddMixedXyzz, add_mixed_xyzz_to, add_xyzz_to, double_affine_xyzz_to};
use curve::vartime::straus::{Step, Straus, Term};
use curve::{
    Affine, AffinePoint, CurveParams, Encoded, Jacobian, Parity, Projective, Secp256k1, Xyzz, choose, ct, encode,
    vartime,
};
use field::secp256k1::{FieldPrime, GroupOrder};
use field::{Backends, FieldOps, Mask, OneLane, Prime, Scalar, SecretScalar, Task};
use num_bigint::BigUint;
use std::marker::PhantomData;
use std::sync::LazyLock;

type Words = [u64; 4];
const P: Modulus<Words> = FieldPrime::MODULUS;

/// The curve as the oracle has it.
pub fn oracle_of<C: CurveParams<Field = FieldPrime>>() -> Curve {
    let number = |words: &Words| oracle::from_bytes(&bytes(words));
    Curve {
        p: number(&P.m),
        a: BigUint::ZERO,
        b: number(&C::B),
        g: (number(&C::GENERATOR.x), number(&C::GENERATOR.y)),
        n: number(&C::Order::MODULUS.m),
    }
}

fn bytes(words: &Words) -> [u8; 32] {
    let mut out = [0; 32];
    limbs::to_be_bytes(words, &mut out);
    out
}

fn row(point: &Point) -> Option<Row<Words>> {
    let words = |x: &BigUint| limbs::from_be_bytes::<Words>(&oracle::bytes32(x)).unwrap();
    point.as_ref().map(|(x, y)| Row { x: words(x), y: words(y) })
}

/// The affine point of Z, and X and Y over these powers of it.
fn divide(x: Words, y: Words, z: Words, powers: [u32; 2]) -> Option<Row<Words>> {
    if z == [0; 4] {
        return None;
    }
    let inverse = P.invert(&z);
    let [x, y] = [(x, powers[0]), (y, powers[1])].map(|(a, power)| (0..power).fold(a, |a, _| P.mul(&a, &inverse)));
    Some(Row { x, y })
}

/// Is it this point in a lane? X = x·Z² and Y = y·Z³.
fn is_point<F: FieldOps<Prime = FieldPrime>>(f: F, p: &Jacobian<F>, lane: usize, point: Option<Row<Words>>) -> bool {
    let (x, y, z) = (f.store(&p.x, lane), f.store(&p.y, lane), f.store(&p.z, lane));
    let zz = P.mul(&z, &z);
    match point {
        None => z == [0; 4],
        Some(row) => z != [0; 4] && x == P.mul(&row.x, &zz) && y == P.mul(&row.y, &P.mul(&zz, &z)),
    }
}

fn projective_lane<F: FieldOps<Prime = FieldPrime>>(f: F, p: &Projective<F>, lane: usize) -> Option<Row<Words>> {
    let (x, y, z) = (f.store(&p.x, lane), f.store(&p.y, lane), f.store(&p.z, lane));
    assert!(z != [0; 4] || (x == [0; 4] && y != [0; 4]), "infinity is (0 : Y : 0)");
    divide(x, y, z, [1, 1])
}

fn xyzz_lane<F: FieldOps<Prime = FieldPrime>>(f: F, p: &Xyzz<F>, lane: usize) -> Option<Row<Words>> {
    let (zz, zzz) = (f.store(&p.zz, lane), f.store(&p.zzz, lane));
    assert_eq!(P.mul(&zz, &P.mul(&zz, &zz)), P.mul(&zzz, &zzz), "ZZ³ = ZZZ²");
    let x = divide(f.store(&p.x, lane), [0; 4], zz, [1, 1])?.x;
    let y = divide(f.store(&p.y, lane), [0; 4], zzz, [1, 1])?.x;
    Some(Row { x, y })
}

/// Coordinates by lane.
struct Lanes([Vec<Words>; 3]);

impl Lanes {
    /// The points in Jacobian (`weights` 2, 3) or homogeneous coordinates (1, 1), with a random Z each.
    fn new(points: &[Option<Row<Words>>], weights: [u32; 2], random: &mut Random) -> Self {
        let mut lanes = Self(Default::default());
        for point in points {
            let z = match random.below(3) {
                0 => [1, 0, 0, 0],
                _ => P.add(&P.reduce(&random.words()), &[1, 0, 0, 0]),
            };
            let times = |a: Words, power: u32| (0..power).fold(a, |a, _| P.mul(&a, &z));
            let [x, y, z] = match point {
                Some(row) => [times(row.x, weights[0]), times(row.y, weights[1]), z],
                None if weights[1] == 1 => [[0; 4], z, [0; 4]],
                None => match random.below(4) {
                    0 => [[1, 0, 0, 0], [1, 0, 0, 0], [0; 4]],
                    1 => [times(z, 1), times(z, 2), [0; 4]],
                    2 => [[0; 4], z, [0; 4]],
                    _ => [[0; 4]; 3],
                },
            };
            for (lane, value) in lanes.0.iter_mut().zip([x, y, z]) {
                lane.push(value);
            }
        }
        lanes
    }

    fn jacobian<F: FieldOps<Prime = FieldPrime>>(&self, f: F) -> Jacobian<F> {
        Jacobian { x: f.load(&self.0[0]), y: f.load(&self.0[1]), z: f.load(&self.0[2]) }
    }

    fn projective<F: FieldOps<Prime = FieldPrime>>(&self, f: F) -> Projective<F> {
        Projective { x: f.load(&self.0[0]), y: f.load(&self.0[1]), z: f.load(&self.0[2]) }
    }

    fn xyzz<F: FieldOps<Prime = FieldPrime>>(&self, f: F) -> Xyzz<F> {
        let zz: Vec<Words> = self.0[2].iter().map(|z| P.mul(z, z)).collect();
        let zzz: Vec<Words> = self.0[2].iter().zip(&zz).map(|(z, zz)| P.mul(z, zz)).collect();
        Xyzz { x: f.load(&self.0[0]), y: f.load(&self.0[1]), zz: f.load(&zz), zzz: f.load(&zzz) }
    }
}

/// The multiples of G: entry k is k·G.
struct Group {
    points: Vec<Option<Row<Words>>>,
}

impl Group {
    fn new<C: CurveParams<Field = FieldPrime>>() -> Self {
        let curve = oracle_of::<C>();
        let n = C::Order::MODULUS.m[0];
        let mut points = vec![None];
        for _ in 1..n {
            let last = points.last().unwrap();
            points.push(curve.add(last, &curve.generator()));
        }
        assert_eq!(curve.add(points.last().unwrap(), &curve.generator()), None, "the order");
        Self { points: points.iter().map(row).collect() }
    }

    fn order(&self) -> usize {
        self.points.len()
    }

    /// k·G for any k.
    fn at(&self, k: usize) -> Option<Row<Words>> {
        self.points[k % self.order()]
    }

    fn affine<C: CurveParams<Field = FieldPrime>, F: FieldOps<Prime = FieldPrime>>(
        &self,
        f: F,
        k: usize,
    ) -> AffinePoint<C> {
        let row = self.at(k).expect("not infinity");
        AffinePoint::from_coordinates(f, &row.x, &row.y).unwrap()
    }
}

/// Every formula on all pairs of points and every multiplication by all scalars.
///
/// # Panics
/// At the first disagreement.
pub fn small_order_suite<C: CurveParams<Field = FieldPrime>, F: FieldOps<Prime = FieldPrime>>(f: F) {
    let group = Group::new::<C>();
    formulas::<C, F>(f, &group);
    multiplications::<C, F>(f, &group);
    conversions::<C, F>(f, &group);
    straus_by_lane(f, &group);
    sums_by_lane::<C, F>(f, &group);
    if F::LANES == 8 {
        sums_of_lanes::<C, F>(f, &group);
    }
}

/// A task, so that vectors are.
struct LaneSum<'a, C, F: FieldOps>(F, &'a Projective<F>, PhantomData<C>);

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for LaneSum<'_, C, F> {
    type Out = Projective<F>;
    #[inline(always)]
    fn run(self) -> Projective<F> {
        ct::lane_sum::lane_sum::<C, F, F>(self.0, self.0, self.1)
    }
}

/// The sum of all lanes: every pair of points on every level of it, then lanes of any points.
fn sums_of_lanes<C: CurveParams<Field = FieldPrime>, F: FieldOps<Prime = FieldPrime>>(f: F, group: &Group) {
    let n = group.order();
    let mut random = Random::new(9);
    let step = if n > 20 { 11 } else { 1 };
    let pairs = (0..n).flat_map(|i| (0..n).step_by(step).map(move |j| (i, j)));
    let mut all: Vec<[usize; 8]> = pairs
        .flat_map(|(i, j)| [[i, j, 0, 0, 0, 0, 0, 0], [i, 0, j, 0, 0, 0, 0, 0], [0, 0, 0, i, 0, 0, 0, j]])
        .chain((0..n).map(|i| [i; 8]))
        .collect();
    all.extend((0..cases(1000)).map(|_| std::array::from_fn(|_| random.below(n))));
    for lanes in all {
        let p = Lanes::new(&lanes.map(|k| group.at(k)), [1, 1], &mut random).projective(f);
        let sum = f.outline(LaneSum::<C, F>(f, &p, PhantomData));
        assert_everywhere(f, &sum.to_jacobian(f), group.at(lanes.iter().sum()), &("lane_sum", lanes));
    }
}

fn formulas<C: CurveParams<Field = FieldPrime>, F: FieldOps<Prime = FieldPrime>>(f: F, group: &Group) {
    let n = group.order();
    let mut random = Random::new(n as u64);
    let mut pairs: Vec<(usize, usize)> = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).collect();
    // Each pair meets each lane on the smallest groups, and the exceptional ones do on all.
    let exceptional: Vec<_> =
        (0..n).flat_map(|i| [(i, i), (i, n - i), (0, i), (i, 0)]).map(|(i, j)| (i, j % n)).collect();
    if n < 20 {
        (1..F::LANES).for_each(|_| pairs.extend_from_within(..n * n));
    }
    (1..F::LANES).for_each(|_| pairs.extend_from_slice(&exceptional));
    for i in (1..pairs.len()).rev() {
        pairs.swap(i, random.below(i + 1));
    }
    // The last lanes of the last batch repeat.
    while pairs.len() % F::LANES != 0 {
        pairs.push(*random.choose(&exceptional));
    }
    // All lanes exceptional in the same way.
    let alike: Vec<_> = exceptional.iter().flat_map(|&pair| vec![pair; F::LANES]).collect();
    for batch in pairs.chunks(F::LANES).chain(alike.chunks(F::LANES)) {
        let pairs = Pairs { group, batch, random: &mut random };
        f.outline(Incomplete { f, pairs });
        let pairs = Pairs { group, batch, random: &mut random };
        f.outline(Complete::<C, F> { f, pairs, curve: PhantomData });
    }
}

/// A pair of points in each lane, by their exponents.
struct Pairs<'a> {
    group: &'a Group,
    batch: &'a [(usize, usize)],
    random: &'a mut Random,
}

impl Pairs<'_> {
    fn rows(&self, exponent: impl Fn(usize, usize) -> usize) -> Vec<Option<Row<Words>>> {
        self.batch.iter().map(|&(i, j)| self.group.at(exponent(i, j))).collect()
    }

    /// The second points as an affine one, and the lanes in which they are not infinite: affine formulas do not take infinity.
    /// 1·G stands in, in lanes that are not looked at.
    fn affine<F: FieldOps<Prime = FieldPrime>>(&self, f: F) -> (Affine<F>, u32) {
        let rows = self.rows(|_, j| j);
        let finite = rows.iter().enumerate().fold(0, |mask, (l, row)| mask | u32::from(row.is_some()) << l);
        let [x, y] = [|row: Row<Words>| row.x, |row: Row<Words>| row.y]
            .map(|of| rows.iter().map(|row| row.or(self.group.at(1)).map(of).unwrap()).collect::<Vec<_>>());
        (Affine { x: f.load(&x), y: f.load(&y) }, finite)
    }
}

fn lanes<F: FieldOps>(_f: F, mask: Mask) -> impl Iterator<Item = usize> {
    (0..F::LANES).filter(move |l| mask.0 >> l & 1 == 1)
}

/// The formulas that no curve is needed for, as one function with the backend's features: the code that engines get.
struct Incomplete<'a, F> {
    f: F,
    pairs: Pairs<'a>,
}

impl<F: FieldOps<Prime = FieldPrime>> Task for Incomplete<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        check_incomplete(self.f, self.pairs);
    }
}

/// The complete formulas in the same way.
struct Complete<'a, C, F> {
    f: F,
    pairs: Pairs<'a>,
    curve: PhantomData<C>,
}

impl<C: CurveParams<Field = FieldPrime>, F: FieldOps<Prime = FieldPrime>> Task for Complete<'_, C, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        check_complete::<C, F>(self.f, self.pairs);
    }
}

#[inline(always)]
fn check_incomplete<F: FieldOps<Prime = FieldPrime>>(f: F, pairs: Pairs<'_>) {
    let (left, right, sums) = (pairs.rows(|i, _| i), pairs.rows(|_, j| j), pairs.rows(|i, j| i + j));
    let doubles = pairs.rows(|i, _| 2 * i);
    let (q, finite) = pairs.affine(f);
    let Pairs { group, batch, random } = pairs;
    let lanes = |mask| lanes(f, mask);
    let only = Mask(finite & (random.word() as u32 | random.word() as u32));
    let which = |condition: &dyn Fn(usize, usize) -> bool| {
        Mask(batch.iter().enumerate().fold(0, |mask, (l, &(i, j))| mask | u32::from(condition(i, j)) << l))
    };
    let n = group.order();
    let x_agrees = which(&|i, j| i == j || i + j == n);

    // Jacobian.
    let p = Lanes::new(&left, [2, 3], random).jacobian(f);
    let q_jacobian = Lanes::new(&right, [2, 3], random).jacobian(f);
    let mut r = Jacobian::infinity(f);
    double_to(f, &mut r, &p);
    lanes(Mask::all(F::LANES)).for_each(|l| assert!(is_point(f, &r, l, doubles[l]), "double_to {:?}", batch[l]));
    f.outline(Double { f, r: &mut r, p: &p });
    lanes(Mask::all(F::LANES)).for_each(|l| assert!(is_point(f, &r, l, doubles[l]), "Double {:?}", batch[l]));
    let mut places = [p, Jacobian::infinity(f)];
    let [now, spare] = &mut places;
    let (mut now, mut spare) = (now, spare);
    double_in(f, &mut now, &mut spare);
    lanes(Mask::all(F::LANES)).for_each(|l| assert!(is_point(f, now, l, doubles[l]), "double_in {:?}", batch[l]));

    let exceptional = add_mixed_to(f, &mut r, &p, &q);
    let expected = x_agrees.or(which(&|i, _| i == 0));
    assert_eq!(exceptional.and(Mask(finite)), expected.and(Mask(finite)), "{batch:?}");
    lanes(Mask(finite & !exceptional.0))
        .for_each(|l| assert!(is_point(f, &r, l, sums[l]), "add_mixed_to {:?}", batch[l]));
    let mut places = [p, Jacobian::infinity(f)];
    let [now, spare] = &mut places;
    let (mut now, mut spare) = (now, spare);
    add_mixed_in(f, &mut now, &mut spare, &q);
    assert_eq!(now.is_infinite(f).and(Mask(finite)), expected.and(Mask(finite)), "{batch:?}");
    lanes(Mask(finite & !exceptional.0))
        .for_each(|l| assert!(is_point(f, now, l, sums[l]), "add_mixed_in {:?}", batch[l]));
    f.outline(AddMixed { f, r: &mut r, p: &p, q: &q, only });
    for l in 0..F::LANES {
        let expected = if only.0 >> l & 1 == 1 { sums[l] } else { left[l] };
        assert!(is_point(f, &r, l, expected), "AddMixed {:?}", batch[l]);
    }
    let mut places = [p, Jacobian::infinity(f)];
    let [now, spare] = &mut places;
    let (mut now, mut spare) = (now, spare);
    add_mixed_any_in(f, &mut now, &mut spare, &q, only);
    for l in 0..F::LANES {
        let expected = if only.0 >> l & 1 == 1 { sums[l] } else { left[l] };
        assert!(is_point(f, now, l, expected), "add_mixed_any_in {:?}", batch[l]);
    }
    let exceptional = add_to(f, &mut r, &p, &q_jacobian);
    assert_eq!(exceptional, x_agrees.or(which(&|i, j| i == 0 || j == 0)), "{batch:?}");
    lanes(Mask(!exceptional.0)).for_each(|l| assert!(is_point(f, &r, l, sums[l]), "add_to {:?}", batch[l]));
    f.outline(Add { f, r: &mut r, p: &p, q: &q_jacobian });
    lanes(Mask::all(F::LANES)).for_each(|l| assert!(is_point(f, &r, l, sums[l]), "Add {:?}", batch[l]));

    // XYZZ.
    let p = Lanes::new(&left, [2, 3], random).xyzz(f);
    let mut r = Xyzz::infinity(f);
    let q_xyzz = Lanes::new(&right, [2, 3], random).xyzz(f);
    let exceptional = add_xyzz_to(f, &mut r, &p, &q_xyzz);
    assert_eq!(exceptional, x_agrees.or(which(&|i, j| i == 0 || j == 0)), "{batch:?}");
    assert_eq!(f.is_zero(&r.zz), exceptional, "ZZ = 0 there and only there");
    lanes(Mask(!exceptional.0).and(Mask::all(F::LANES)))
        .for_each(|l| assert_eq!(xyzz_lane(f, &r, l), sums[l], "add_xyzz_to {:?}", batch[l]));
    let exceptional = add_mixed_xyzz_to(f, &mut r, &p, &q);
    assert_eq!(exceptional.and(Mask(finite)), expected.and(Mask(finite)), "{batch:?}");
    lanes(Mask(finite & !exceptional.0))
        .for_each(|l| assert_eq!(xyzz_lane(f, &r, l), sums[l], "add_mixed_xyzz_to {:?}", batch[l]));
    f.outline(AddMixedXyzz { f, r: &mut r, p: &p, q: &q, only });
    for l in 0..F::LANES {
        let expected = if only.0 >> l & 1 == 1 { sums[l] } else { left[l] };
        assert_eq!(xyzz_lane(f, &r, l), expected, "AddMixedXyzz {:?}", batch[l]);
        assert!(is_point(f, &r.to_jacobian(f), l, expected));
    }
    double_affine_xyzz_to(f, &mut r, &q);
    lanes(Mask(finite)).for_each(|l| assert_eq!(xyzz_lane(f, &r, l), group.at(2 * batch[l].1), "{:?}", batch[l]));
}

#[inline(always)]
fn check_complete<C: CurveParams<Field = FieldPrime>, F: FieldOps<Prime = FieldPrime>>(f: F, pairs: Pairs<'_>) {
    let (left, right, sums) = (pairs.rows(|i, _| i), pairs.rows(|_, j| j), pairs.rows(|i, j| i + j));
    let doubles = pairs.rows(|i, _| 2 * i);
    let (q, finite) = pairs.affine(f);
    let Pairs { batch, random, .. } = pairs;
    let p = Lanes::new(&left, [1, 1], random).projective(f);
    let q_projective = Lanes::new(&right, [1, 1], random).projective(f);
    let mut r = Projective::infinity(f);
    add_complete_to::<C, F>(f, &mut r, &p, &q_projective);
    for l in 0..F::LANES {
        assert_eq!(projective_lane(f, &r, l), sums[l], "add_complete_to {:?}", batch[l]);
        assert!(is_point(f, &r.to_jacobian(f), l, sums[l]));
        let back = Projective::from_jacobian(f, &r.to_jacobian(f));
        assert_eq!(projective_lane(f, &back, l), sums[l]);
    }
    add_mixed_complete_to::<C, F>(f, &mut r, &p, &q);
    lanes(f, Mask(finite))
        .for_each(|l| assert_eq!(projective_lane(f, &r, l), sums[l], "add_mixed_complete_to {:?}", batch[l]));
    double_complete_to::<C, F>(f, &mut r, &p);
    lanes(f, Mask::all(F::LANES))
        .for_each(|l| assert_eq!(projective_lane(f, &r, l), doubles[l], "double_complete_to {:?}", batch[l]));
}

/// All lanes hold the point.
fn assert_everywhere<F: FieldOps<Prime = FieldPrime>>(
    f: F,
    p: &Jacobian<F>,
    expected: Option<Row<Words>>,
    what: &dyn std::fmt::Debug,
) {
    (0..F::LANES).step_by(F::LANES.max(2) - 1).for_each(|l| assert!(is_point(f, p, l, expected), "{what:?}"));
}

fn multiplications<C: CurveParams<Field = FieldPrime>, F: FieldOps<Prime = FieldPrime>>(f: F, group: &Group) {
    let n = group.order();
    let scalar = |k: usize| Scalar::<C::Order>::from_u64(k as u64);
    let secret = |k: usize| SecretScalar::from(scalar(k));
    // Lanes that all do the same need not do it for every point of the largest group.
    let step = if F::LANES > 1 && n > 20 { 11 } else { 1 };
    for k in 0..n {
        assert_everywhere(f, &vartime::mul_base::<C, F>(f, &scalar(k)), group.at(k), &("vartime::mul_base", k));
        let multiples = [
            ct::mul_base_windows::<C, F>(f, &secret(k)),
            choose::mul_base::<C, _>(OneLane(f), &secret(k), &mut Nothing),
        ];
        for (i, p) in multiples.iter().enumerate() {
            assert_everywhere(f, &p.to_jacobian(f), group.at(k), &("ct::mul_base", i, k));
        }
        for j in (1..n).step_by(step) {
            let p = group.affine::<C, F>(f, j);
            assert_everywhere(f, &vartime::mul(f, &p, &scalar(k)), group.at(k * j), &("vartime::mul", k, j));
            let multiples = [ct::mul_point_windows(f, &secret(k), &p), choose::mul_point(OneLane(f), &secret(k), &p)];
            for (i, multiple) in multiples.iter().enumerate() {
                assert_everywhere(f, &multiple.to_jacobian(f), group.at(k * j), &("ct::mul_point", i, k, j));
            }
        }
    }
    // All points on the smallest groups, those that meet G's multiples on the largest.
    let all: Vec<usize> = (1..n).collect();
    let some = [1, 2, 3, n / 2, n - 2, n - 1];
    for &j in if n < 20 { &all[..] } else { &some[..] } {
        let p = group.affine::<C, F>(f, j);
        for a in 0..n {
            for b in (0..n).step_by(step) {
                let sum = vartime::mul_double_base(f, &scalar(a), &p, &scalar(b));
                assert_everywhere(f, &sum, group.at(a + b * j), &("mul_double_base", a, b, j));
                let sum = choose::mul_double_base(OneLane(f), &scalar(a), &p, &scalar(b));
                assert!(is_point(f, &sum, 0, group.at(a + b * j)), "spread: {a}·G + {b}·{j}·G");
            }
        }
    }
}

fn conversions<C: CurveParams<Field = FieldPrime>, F: FieldOps<Prime = FieldPrime>>(f: F, group: &Group) {
    let n = group.order();
    let mut random = Random::new(3);
    let order = C::Order::MODULUS;
    for k in 0..n {
        let p = Lanes::new(&vec![group.at(k); F::LANES], [2, 3], &mut random).jacobian(f);
        let affine = vartime::to_affine::<C, F>(f, &p);
        assert_eq!(affine.map(|p| *p.row()), group.at(k));
        for r in 0..n as u64 {
            let expected = group.at(k).is_some_and(|row| order.reduce(&row.x) == [r, 0, 0, 0]);
            assert_eq!(vartime::x_equals_order_residue::<C, F>(f, &p, &Scalar::from_u64(r)), expected, "{k} {r}");
        }
        let Some(affine) = affine else { continue };
        assert_eq!(ct::to_affine::<C, F>(f, &Projective::from_jacobian(f, &p)), affine);
        assert_eq!(Some(*affine.negate().row()), group.at(n - k));
        assert_eq!(encode::parse_compressed(f, &encode::to_compressed(&affine)), Ok(affine));
        assert_eq!(encode::parse_uncompressed(f, &encode::to_uncompressed(&affine)), Ok(affine));
    }
    let points: Vec<Jacobian<F>> = (0..n)
        .map(|k| {
            let lanes: Vec<_> = (0..F::LANES).map(|l| group.at(k + l)).collect();
            Lanes::new(&lanes, [2, 3], &mut random).jacobian(f)
        })
        .collect();
    let mut rows = vec![None; n * F::LANES];
    vartime::to_affine_batch::<C, F>(f, &points, &mut rows);
    for (i, p) in rows.iter().enumerate() {
        assert_eq!(p.map(|p| *p.row()), group.at(i / F::LANES + i % F::LANES));
    }
}

/// The ladder over points of its own in every lane and over a term that the lanes share.
fn straus_by_lane<F: FieldOps<Prime = FieldPrime>>(f: F, group: &Group) {
    let n = group.order();
    let mut random = Random::new(4);
    for _ in 0..cases(200) {
        let k: Vec<Vec<usize>> = (0..4).map(|_| (0..F::LANES).map(|_| 1 + random.below(n - 1)).collect()).collect();
        let points: Vec<Affine<F>> = k
            .iter()
            .map(|k| {
                let rows: Vec<_> = k.iter().map(|&k| group.at(k).unwrap()).collect();
                let mut point = Affine::place(f);
                f.load_to(&mut point.x, &mut point.y, &rows, &(0..F::LANES as u32).collect::<Vec<_>>());
                point
            })
            .collect();
        let mut steps: Vec<_> = (0..4).map(|at| Step { doublings: 2, term: 0, at }).collect();
        steps.insert(2, Step { doublings: 1, term: 0, at: 0 });
        let sum = f.outline(Straus { f, summands: &points[..], steps: &steps, last_doublings: 1 });
        for l in 0..F::LANES {
            let k: Vec<_> = k.iter().map(|k| k[l]).collect();
            let expected = ((((k[0] * 4 + k[1]) * 2 + k[0]) * 4 + k[2]) * 4 + k[3]) * 2;
            assert!(is_point(f, &sum, l, group.at(expected)), "{k:?}");
        }
        let g: Vec<_> = (1..4).map(|d| group.at(d).unwrap()).collect();
        let digits: Vec<i16> = (0..4).map(|_| random.below(7) as i16 - 3).collect();
        let terms = [Term { rows: &g, digits: &digits }];
        let sum = f.outline(Straus { f, summands: &terms[..], steps: &steps, last_doublings: 1 });
        let d: Vec<_> = digits.iter().map(|d| usize::from(d.rem_euclid(n as i16) as u16)).collect();
        let expected = ((((d[0] * 4 + d[1]) * 2 + d[0]) * 4 + d[2]) * 4 + d[3]) * 2;
        assert_everywhere(f, &sum, group.at(expected), &digits);
    }
    let none = f.outline(Straus::<F, [Affine<F>]> { f, summands: &[], steps: &[], last_doublings: 5 });
    assert_eq!(none.is_infinite(f), Mask::all(F::LANES));
}

/// a·G + b·P with all of a, b and P of its own in every lane, in groups of lanes that share inversions, some not full: all
/// triples on the smallest groups, a part that has every exceptional sum on the largest.
fn sums_by_lane<C: CurveParams<Field = FieldPrime>, F: FieldOps<Prime = FieldPrime>>(f: F, group: &Group) {
    let n = group.order();
    let mut random = Random::new(6);
    let mut triples: Vec<[usize; 3]> = match n {
        0..20 => (0..n).flat_map(|a| (0..n).flat_map(move |b| (1..n).map(move |j| [a, b, j]))).collect(),
        _ => (0..cases(4000))
            .map(|_| {
                let [a, b, j] = [random.below(n), random.below(n), 1 + random.below(n - 1)];
                match random.below(4) {
                    0 => [a, b, [1, 2, n - 1][random.below(3)]],
                    1 => [(n - b) * j % n, b, j], // infinite
                    _ => [a, b, j],
                }
            })
            .collect(),
    };
    for i in (1..triples.len()).rev() {
        triples.swap(i, random.below(i + 1));
    }
    let mut workspace = vartime::EachWorkspace::new();
    let mut rest = &triples[..];
    while !rest.is_empty() {
        let (some, behind) = rest.split_at(rest.len().min(1 + random.below(3 * F::LANES)));
        rest = behind;
        let encoded: Vec<_> = some.iter().map(|&[.., j]| Encoded::Point(group.affine::<C, F>(f, j))).collect();
        let points: Vec<_> = encoded.chunks(F::LANES).map(|e| Encoded::decode_each(f, e).0).collect();
        let scalars = |i: usize| some.iter().map(|s| Scalar::from_u64(s[i] as u64)).collect::<Vec<_>>();
        let mut sums = vec![Jacobian::infinity(f); points.len()];
        vartime::mul_double_base_each::<C, F>(f, &mut workspace, &scalars(0), &points, &scalars(1), &mut sums);
        let mut affine = vec![None; some.len()];
        vartime::to_affine_batch::<C, F>(f, &sums, &mut affine);
        let r: Vec<_> = some.iter().map(|_| Scalar::from_u64(random.below(n) as u64)).collect();
        for (i, &[a, b, j]) in some.iter().enumerate() {
            let (sum, lane, expected) = (&sums[i / F::LANES], i % F::LANES, group.at(a + b * j));
            assert!(is_point(f, sum, lane, expected), "{a} + {b}·{j}, lane {lane}");
            assert_eq!(affine[i].map(|p| *p.row()), expected);
            let x = expected.map(|row| Scalar::<C::Order>::from_words_reduced(&row.x));
            let equal = vartime::x_equals_order_residue_each::<C, F>(f, sum, &r[i - lane..]);
            assert_eq!(equal.0 >> lane & 1 == 1, x == Some(r[i]));
        }
    }
}

/// Scalars a, b, k and the point (a + b·k)·G.
type Sum = (Words, Words, Words, Option<Row<Words>>);

/// Sums on secp256k1, by the oracle: once for all backends.
static SUMS: LazyLock<Vec<Sum>> = LazyLock::new(|| {
    let curve = Curve::secp256k1();
    let n = &curve.n;
    let powers: Vec<Point> =
        std::iter::successors(Some(curve.generator()), |p| Some(curve.add(p, p))).take(256).collect();
    let mul =
        |k: &BigUint| (0..k.bits()).filter(|&i| k.bit(i)).fold(None, |sum, i| curve.add(&sum, &powers[i as usize]));
    let words = |k: &BigUint| limbs::from_be_bytes::<Words>(&oracle::bytes32(k)).unwrap();
    let number = |k: u64| BigUint::from(k);
    let lambda = crate::edges::lambda();
    let half = BigUint::from(1u32) << 128u32;
    let mut scalars: Vec<BigUint> = [0u64, 1, 2, 3, 31, 32, (1 << 57) - 1].map(number).to_vec();
    scalars.extend([
        &half - 1u32,
        half.clone(),
        &half + 1u32,
        lambda.clone(),
        n - 1u32,
        n - 2u32,
        n - &lambda,
        n >> 1u32,
    ]);
    let mut points: Vec<BigUint> = (1..=32).map(number).collect();
    points.extend([n - 1u32, n - 2u32, lambda.clone(), n - &lambda, &lambda * 2u32 % n]);
    let mut random = Random::new(5);
    let mut sums = Vec::new();
    for k in &points {
        for _ in 0..cases(30) {
            let a = match random.below(3) {
                0 => oracle::from_bytes(&random.bytes::<32>()) % n,
                _ => random.choose(&scalars).clone(),
            };
            let b = match random.below(5) {
                0 => a.clone(),                           // u₁ = u₂
                1 => (n - &a) % n,                        // u₁ = −u₂
                2 => (n - &a) * k.modinv(n).unwrap() % n, // the sum is infinite
                3 => oracle::from_bytes(&random.bytes::<32>()) % n,
                _ => random.choose(&scalars).clone(),
            };
            sums.push((words(&a), words(&b), words(k), row(&mul(&((&a + &b * k) % n)))));
        }
    }
    sums
});

/// Edge scalars, points that meet G's multiples, u₁ = ±u₂ and sums that are infinite, on secp256k1.
///
/// # Panics
/// At the first disagreement.
pub fn secp256k1_suite<F: FieldOps<Prime = FieldPrime>>(f: F) {
    type S = Scalar<<Secp256k1 as CurveParams>::Order>;
    for (a, b, k, expected) in SUMS.iter() {
        let [a, b, k] = [a, b, k].map(|words| S::from_words(*words).unwrap());
        let p = vartime::to_affine::<Secp256k1, F>(f, &vartime::mul_base::<Secp256k1, F>(f, &k)).unwrap();
        let what = (a, b, k);
        let sum = vartime::mul_double_base(f, &a, &p, &b);
        assert_everywhere(f, &sum, *expected, &what);
        assert!(is_point(f, &choose::mul_double_base(OneLane(f), &a, &p, &b), 0, *expected), "spread: {what:?}");
        let x_mod_n = expected.map(|row| S::from_words_reduced(&row.x));
        for r in [x_mod_n, Some(a), Some(S::ZERO)].into_iter().flatten() {
            assert_eq!(vartime::x_equals_order_residue::<Secp256k1, F>(f, &sum, &r), Some(r) == x_mod_n, "{what:?}");
        }
        // a·G and b·P apart, in constant time and not, add up to the same.
        let secret = SecretScalar::from(a);
        let left = [
            ct::mul_base_windows::<Secp256k1, F>(f, &secret),
            choose::mul_base::<Secp256k1, _>(OneLane(f), &secret, &mut Nothing),
        ];
        let secret = SecretScalar::from(b);
        let right = [ct::mul_point_windows(f, &secret, &p), choose::mul_point(OneLane(f), &secret, &p)];
        let mut both = Jacobian::infinity(f);
        for (left, right) in left.iter().zip(&right) {
            f.outline(Add { f, r: &mut both, p: &left.to_jacobian(f), q: &right.to_jacobian(f) });
            assert_everywhere(f, &both, *expected, &what);
        }
        let right = vartime::mul(f, &p, &b);
        for left in [vartime::mul_base::<Secp256k1, F>(f, &a), choose::mul_public_base::<Secp256k1, _>(OneLane(f), &a)]
        {
            f.outline(Add { f, r: &mut both, p: &left, q: &right });
            assert_everywhere(f, &both, *expected, &what);
        }
    }
    secp256k1_by_lane(f);
}

/// k·P for secret k: edge scalars, among them n ± k for k up to 64, with points ±G, ±λG, ±λ²G and small multiples, and random ones.
/// As windows on one element and variable-time code have it.
///
/// # Panics
/// At the first disagreement.
pub fn secret_multiples_suite<B: Backends<FieldPrime, GroupOrder>>(b: B) {
    type C = Secp256k1;
    type S = Scalar<GroupOrder>;
    let f = b.one();
    let lambda = S::from_words_reduced(&C::GLV.lambda);
    let mut random = Random::new(8);
    let mut any = || S::from_be_bytes_reduced(&random.bytes::<32>());
    let small = |k: std::ops::RangeInclusive<u64>| k.map(S::from_u64).flat_map(|k| [k, k.neg()]);
    let units = [lambda, lambda.neg(), lambda.mul(&lambda), lambda.mul(&lambda).neg()];
    let powers = (0..256).scan(S::ONE, |power, _| {
        let k = *power;
        *power = k.add(&k);
        Some(k)
    });
    let mut scalars: Vec<S> = small(0..=64).chain(units).chain(powers).collect();
    // Halves as long as they get: the corners of the lattice's cell.
    let [u, v] = [C::GLV.a, C::GLV.b].map(|words| S::from_words_reduced(&words));
    let half = S::from_words_reduced(&C::OFFSETS.half);
    for (u, v) in [(u, v.neg()), (u.add(&v), u), (u.add(&u).add(&v), u.sub(&v)), (v, u.add(&v))] {
        let corner = u.add(&v.mul(&lambda)).mul(&half);
        scalars.extend(small(0..=2).flat_map(|k| [corner.add(&k), corner.add(&k.mul(&lambda))]));
    }
    scalars.extend((0..cases(200)).map(|_| any()));
    let points: Vec<S> = small(1..=4).chain(units).chain((0..4).map(|_| any())).collect();
    for k in &points {
        let p = vartime::to_affine::<C, _>(f, &vartime::mul_base::<C, _>(f, k)).unwrap();
        for scalar in &scalars {
            let secret = SecretScalar::from(*scalar);
            let expected = vartime::to_affine::<C, _>(f, &vartime::mul(f, &p, scalar));
            for multiple in [choose::mul_point(b, &secret, &p), ct::mul_point_windows(f, &secret, &p)] {
                assert_eq!(vartime::to_affine::<C, _>(f, &multiple.to_jacobian(f)), expected, "{scalar:?}·{k:?}·G");
            }
        }
    }
}

/// The same sums with each lane its own, after all of them, and a part, have been through the encodings.
fn secp256k1_by_lane<F: FieldOps<Prime = FieldPrime>>(f: F) {
    type C = Secp256k1;
    type S = Scalar<<C as CurveParams>::Order>;
    let of = |words: &Words| S::from_words(*words).unwrap();
    let mut random = Random::new(7);
    let mut workspace = vartime::EachWorkspace::new();
    let mut rest = &SUMS[..];
    while !rest.is_empty() {
        let (some, behind) = rest.split_at(rest.len().min(1 + random.below(3 * F::LANES)));
        rest = behind;
        let points: Vec<AffinePoint<C>> = some
            .iter()
            .map(|(_, _, k, _)| vartime::to_affine(f, &vartime::mul_base::<C, F>(f, &of(k))).unwrap())
            .collect();
        // One in eight is no point.
        let mut bad = Vec::new();
        let encoded: Vec<Encoded<C>> = points
            .iter()
            .map(|p| {
                bad.push(random.below(8) == 0);
                let wrong = u64::from(bad[bad.len() - 1]);
                let mut x = *p.x_words();
                while wrong == 1 && encode::lift_x::<C, F>(f, &x, Parity::Even).is_ok() {
                    x = P.add(&x, &[1, 0, 0, 0]);
                }
                let y = P.add(p.y_words(), &[wrong, 0, 0, 0]);
                match random.below(3) {
                    0 if wrong == 0 => Encoded::Point(*p),
                    1 => Encoded::Check(Row { x: *p.x_words(), y }),
                    _ => Encoded::Lift(x, Parity::from_is_odd(p.y_is_odd())),
                }
            })
            .collect();
        let decoded: Vec<_> = encoded.chunks(F::LANES).map(|e| Encoded::decode_each(f, e)).collect();
        let points: Vec<_> = decoded.iter().map(|(p, _)| *p).collect();
        let a: Vec<_> = some.iter().map(|(a, ..)| of(a)).collect();
        let b: Vec<_> = some.iter().map(|(_, b, ..)| of(b)).collect();
        let mut sums = vec![Jacobian::infinity(f); points.len()];
        vartime::mul_double_base_each::<C, F>(f, &mut workspace, &a, &points, &b, &mut sums);
        for (i, (.., expected)) in some.iter().enumerate() {
            let lane = i % F::LANES;
            let good = decoded[i / F::LANES].1.0 >> lane & 1 == 1;
            assert_eq!(good, !bad[i], "{:?}", encoded[i]);
            assert_eq!(encoded[i].decode(f).is_ok(), good);
            assert!(!good || is_point(f, &sums[i / F::LANES], lane, *expected), "{:?} lane {lane}", some[i]);
        }
    }
}
