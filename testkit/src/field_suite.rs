//! Everything that [`FieldOps`] promises, for any backend, in every lane, against the Montgomery oracle.
//!
//! Operands: edges × edges, then random ones ([`RANDOM_CASES`]); each method also on the loosest limbs that its types admit.
//! A backend takes the suite by one line: `field_suite::<_, 2>(Portable5x52)`.

use crate::effort::cases;
use crate::random::Random;
use arith::{Column, Modulus, Row, Words};
use field::batch_inverse::{batch_invert_vartime, invert, invert_vartime};
use field::ops::WordsOf;
use field::ops_verify::{Inspect, value_of};
use field::{FieldOps, Mask, Prime, Task};

/// Random pairs of operands after the edges.
pub const RANDOM_CASES: usize = 100_000;

/// Runs every check. `M` is the loosest factor to try: MUL_MAX, or 4 where that is larger.
///
/// # Panics
/// At the first disagreement.
pub fn field_suite<F: Inspect, const M: u32>(f: F) {
    field_suite_of::<F, M>(f, RANDOM_CASES);
}

/// [`field_suite`] with its own count of random cases.
///
/// # Panics
/// At the first disagreement.
pub fn field_suite_of<F: Inspect, const M: u32>(f: F, random_cases: usize) {
    assert_eq!(M, F::MUL_MAX.min(4), "the loosest factor that the backend accepts");
    let mut random = Random::new(0x5EED);
    let edges = edges::<F::Prime>();
    let pairs: Vec<_> = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect();
    for batch in pairs.chunks(F::LANES) {
        Case::<F>::new(f, &mut random, &edges, |lane| batch[lane % batch.len()]).run::<M>();
    }
    for _ in 0..cases(random_cases).div_ceil(F::LANES) {
        let operands: Vec<_> = (0..F::LANES).map(|_| (any::<F>(&mut random), any::<F>(&mut random))).collect();
        Case::<F>::new(f, &mut random, &edges, |lane| operands[lane]).run::<M>();
    }
    zeros(f);
    f.outline(LooseFactors::<F, M> { f, random: &mut random, random_cases });
    inverses(f, &mut random, &edges);
    tables(f, &mut random);
}

/// Numbers near 0, p and its half, the limits of words and of limbs of 52 bits, words of all zeros and all ones.
pub fn edges<Q: Prime>() -> Vec<Q::Words> {
    let m = Q::MODULUS;
    let mut all = Vec::new();
    let small = |k: u64| {
        let mut words = Q::Words::ZERO;
        words.as_mut()[0] = k;
        m.reduce(&words)
    };
    for k in 0..4 {
        all.extend([small(k), m.neg(&small(k))]);
    }
    let half = Q::MODULUS.mul(&m.neg(&small(1)), &Q::invert(&small(2)));
    all.extend([half, m.neg(&half)]);
    let mut power = small(1);
    for bit in 1..Q::BITS {
        power = m.add(&power, &power);
        if bit % 64 == 0 || bit % 52 == 0 || bit == Q::BITS - 1 || bit == 33 {
            all.extend([power, m.sub(&power, &small(1)), m.neg(&power)]);
        }
    }
    for i in 0..Q::Words::LEN {
        let mut ones = Q::Words::ZERO;
        ones.as_mut()[i] = u64::MAX;
        all.push(m.reduce(&ones));
    }
    all
}

/// A canonical number; words of all zeros or all ones are frequent.
fn any<F: FieldOps>(random: &mut Random) -> WordsOf<F::Prime> {
    let mut words = WordsOf::<F::Prime>::ZERO;
    let pattern = random.word();
    for (i, word) in words.as_mut().iter_mut().enumerate() {
        *word = match pattern >> (4 * i) & 15 {
            0 => 0,
            1 => u64::MAX,
            _ => random.word(),
        };
    }
    F::Prime::reduce(&words)
}

/// Four operands a lane.
struct Case<F: FieldOps> {
    f: F,
    m: Modulus<WordsOf<F::Prime>>,
    /// By operand, then by lane.
    words: [Vec<WordsOf<F::Prime>>; 4],
    mask: Mask,
}

/// A case's checks as a task.
struct Check<'a, F: FieldOps, const M: u32>(&'a Case<F>);

impl<F: Inspect, const M: u32> Task for Check<'_, F, M> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        self.0.check::<M>();
    }
}

impl<F: Inspect> Case<F> {
    fn new(
        f: F,
        random: &mut Random,
        edges: &[WordsOf<F::Prime>],
        pair: impl Fn(usize) -> (WordsOf<F::Prime>, WordsOf<F::Prime>),
    ) -> Self {
        let mut third = || if random.word() & 3 == 0 { *random.choose(edges) } else { any::<F>(random) };
        let [c, d] = [0; 2].map(|_| (0..F::LANES).map(|_| third()).collect());
        let mask = Mask(random.word() as u32).and(Mask::all(F::LANES));
        let (a, b) = (0..F::LANES).map(pair).unzip();
        Self { f, m: F::Prime::MODULUS, words: [a, b, c, d], mask }
    }

    /// The result `r` in every lane, from the lane's four operands. Limbs within their type, value by limbs and by `store`.
    #[track_caller]
    fn is<const R: u32>(&self, r: &F::El<R>, expected: impl Fn(&Self, [WordsOf<F::Prime>; 4]) -> WordsOf<F::Prime>) {
        for lane in 0..F::LANES {
            let operands = [0, 1, 2, 3].map(|i| self.words[i][lane]);
            let expected = expected(self, operands);
            assert_eq!(self.f.store(r, lane), expected, "lane {lane} of {operands:x?}");
            for i in 0..F::LIMBS {
                assert!(self.f.limb(r, lane, i) <= self.f.limb_limit(R, i), "lane {lane}, limb {i} of {operands:x?}");
            }
        }
    }

    fn k(&self, k: u32, a: &WordsOf<F::Prime>) -> WordsOf<F::Prime> {
        (0..k).fold(Words::ZERO, |sum, _| self.m.add(&sum, a))
    }

    /// Every check as one function with the backend's features: the code that formulas get.
    fn run<const M: u32>(&self) {
        self.f.outline(Check::<F, M>(self));
    }

    #[inline(always)]
    fn check<const M: u32>(&self) {
        let f = self.f;
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| f.load(&self.words[i]));
        self.is(&a, |_, [a, ..]| a);
        self.sums(&a, &b);
        self.products(&a, &b);
        self.fused(&a, &b, &c, &d);
        self.choices(&a, &b);
        self.stores(&a, &b);
        self.points(&a, &b, &c, &d);
    }

    #[inline(always)]
    fn sums(&self, a: &F::El<1>, b: &F::El<1>) {
        let f = self.f;
        let sum: F::El<2> = f.add(a, b);
        self.is(&sum, |s, [a, b, ..]| s.m.add(&a, &b));
        let difference: F::El<3> = f.sub(a, b);
        self.is(&difference, |s, [a, b, ..]| s.m.sub(&a, &b));
        self.is(&f.carry(&difference), |s, [a, b, ..]| s.m.sub(&a, &b));
        let far: F::El<8> = f.sub(&sum, &difference);
        self.is(&far, |s, [_, b, ..]| s.m.add(&b, &b));
        self.is(&f.carry(&far), |s, [_, b, ..]| s.m.add(&b, &b));
        let (two, three, four): (F::El<2>, F::El<3>, F::El<4>) =
            (f.times::<2, 1, 2>(a), f.times::<3, 1, 3>(a), f.times::<4, 1, 4>(a));
        self.is(&two, |s, [a, ..]| s.k(2, &a));
        self.is(&three, |s, [a, ..]| s.k(3, &a));
        self.is(&four, |s, [a, ..]| s.k(4, &a));
        let eight: F::El<8> = f.times::<8, 1, 8>(a);
        self.is(&f.carry(&eight), |s, [a, ..]| s.k(8, &a));
    }

    #[inline(always)]
    fn products(&self, a: &F::El<1>, b: &F::El<1>) {
        let f = self.f;
        self.is(&f.mul(a, b), |s, [a, b, ..]| s.m.mul(&a, &b));
        self.is(&f.sqr(a), |s, [a, ..]| s.m.mul(&a, &a));
        self.is(&f.mul_k::<2, 1, 1>(a, b), |s, [a, b, ..]| s.k(2, &s.m.mul(&a, &b)));
        self.is(&f.mul_k::<3, 1, 1>(a, b), |s, [a, b, ..]| s.k(3, &s.m.mul(&a, &b)));
        self.is(&f.mul_k::<4, 1, 1>(a, b), |s, [a, b, ..]| s.k(4, &s.m.mul(&a, &b)));
        self.is(&f.sqr_k::<2, 1>(a), |s, [a, ..]| s.k(2, &s.m.mul(&a, &a)));
        self.is(&f.sqr_k::<3, 1>(a), |s, [a, ..]| s.k(3, &s.m.mul(&a, &a)));
        self.is(&f.sqr_k::<4, 1>(a), |s, [a, ..]| s.k(4, &s.m.mul(&a, &a)));
        self.is(&f.sqr_times(a, 0), |_, [a, ..]| a);
        self.is(&f.sqr_times(a, 3), |s, [a, ..]| (0..3).fold(a, |a, _| s.m.mul(&a, &a)));
        let mut r = *a;
        f.mul_k_to::<3, 1, 1>(&mut r, a, b);
        self.is(&r, |s, [a, b, ..]| s.k(3, &s.m.mul(&a, &b)));
    }

    #[inline(always)]
    fn fused(&self, a: &F::El<1>, b: &F::El<1>, c: &F::El<1>, d: &F::El<1>) {
        let f = self.f;
        self.is(&f.mul_sub(a, b, c), |s, [a, b, c, _]| s.m.sub(&s.m.mul(&a, &b), &c));
        self.is(&f.mul_add(a, b, c), |s, [a, b, c, _]| s.m.add(&s.m.mul(&a, &b), &c));
        for k in [0, 3, 21, 32] {
            self.is(&f.carry(&f.times_small(k, a)), |s, [a, ..]| s.k(k, &a));
        }
        self.is(&f.sqr_sub(a, c), |s, [a, _, c, _]| s.m.sub(&s.m.mul(&a, &a), &c));
        let three: F::El<3> = f.times::<3, 1, 3>(c);
        self.is(&f.sqr_sub(a, &three), |s, [a, _, c, _]| s.m.sub(&s.m.mul(&a, &a), &s.k(3, &c)));
        self.is(&f.mul_add_mul(a, b, c, d), |s, [a, b, c, d]| s.m.add(&s.m.mul(&a, &b), &s.m.mul(&c, &d)));
        self.is(&f.mul_sub_mul(a, b, c, d), |s, [a, b, c, d]| s.m.sub(&s.m.mul(&a, &b), &s.m.mul(&c, &d)));
        self.is(&f.mul_sub_2sqr(a, b, c), |s, [a, b, c, _]| s.m.sub(&s.m.mul(&a, &b), &s.k(2, &s.m.mul(&c, &c))));
        let mut r = *a;
        f.sqr_sub_to(&mut r, a, &three);
        self.is(&r, |s, [a, _, c, _]| s.m.sub(&s.m.mul(&a, &a), &s.k(3, &c)));
        f.mul_sub_mul_to(&mut r, a, b, c, d);
        self.is(&r, |s, [a, b, c, d]| s.m.sub(&s.m.mul(&a, &b), &s.m.mul(&c, &d)));
        f.mul_sub_2sqr_to(&mut r, a, b, c);
        self.is(&r, |s, [a, b, c, _]| s.m.sub(&s.m.mul(&a, &b), &s.k(2, &s.m.mul(&c, &c))));
    }

    #[inline(always)]
    fn choices(&self, a: &F::El<1>, b: &F::El<1>) {
        let (f, keep) = (self.f, self.mask);
        let mut r = *a;
        f.select_to(&mut r, keep, b);
        for lane in 0..F::LANES {
            let from = usize::from(keep.0 >> lane & 1 == 0);
            assert_eq!(f.store(&r, lane), self.words[from][lane], "lane {lane}: select_to {keep:?}");
        }
        r = *a;
        f.negate_in(&mut r, keep);
        for lane in 0..F::LANES {
            let a = self.words[0][lane];
            let expected = if keep.0 >> lane & 1 == 1 { self.m.neg(&a) } else { a };
            assert_eq!(f.store(&r, lane), expected, "lane {lane}: negate_in {keep:?} of {a:x?}");
        }
        let zeros = |words: &[WordsOf<F::Prime>]| {
            Mask(words.iter().enumerate().fold(0, |mask, (l, w)| mask | u32::from(*w == Words::ZERO) << l))
        };
        assert_eq!(f.is_zero(a), zeros(&self.words[0]), "is_zero");
        // Zero by another way than loading it: a − b where both are the same in the lanes of `keep`.
        let mut same = *b;
        f.select_to(&mut same, Mask(!keep.0), a);
        let difference = f.carry::<3>(&f.sub(a, &same));
        let expected: Vec<_> = (0..F::LANES)
            .map(|l| if keep.0 >> l & 1 == 1 { Words::ZERO } else { self.m.sub(&self.words[0][l], &self.words[1][l]) })
            .collect();
        assert_eq!(f.is_zero(&difference), zeros(&expected), "is_zero of a difference");
    }

    /// Every way out of the representation, from a product and from a loose form, and rotations.
    #[inline(always)]
    fn stores(&self, a: &F::El<1>, b: &F::El<1>) {
        let (f, words) = (self.f, &self.words);
        let differences: Vec<_> = words[0].iter().zip(&words[1]).map(|(a, b)| self.m.sub(a, b)).collect();
        let difference: F::El<3> = f.sub(a, b);
        let mut out = vec![Words::ZERO; F::LANES + 1];
        f.store_all(a, &mut out);
        assert_eq!(out[..F::LANES], words[0], "store_all");
        f.store_all(&difference, &mut out);
        assert_eq!(out[..F::LANES], differences, "store_all of a difference");
        assert_eq!(out[F::LANES], Words::ZERO, "store_all writes its lanes alone");
        let zero = Row { x: Words::ZERO, y: Words::ZERO };
        // Every other row, backwards; the last lanes have no row where `at` ends early.
        let lanes = F::LANES - self.mask.0 as usize % F::LANES.min(3);
        let at: Vec<u32> = (0..lanes as u32).rev().map(|l| 2 * l).collect();
        let mut rows = vec![zero; 2 * F::LANES];
        f.store_rows(a, &f.carry(&difference), &mut rows, &at);
        for lane in 0..lanes {
            let expected = Row { x: words[0][lane], y: differences[lane] };
            assert_eq!(rows[at[lane] as usize], expected, "lane {lane}: store_rows");
            assert_eq!(rows[at[lane] as usize + 1], zero, "lane {lane}: store_rows writes its rows alone");
        }
        for (x, words) in [(*a, &words[0]), (f.carry(&difference), &differences)] {
            let odd = words.iter().enumerate().fold(0, |mask, (l, w)| mask | (w.as_ref()[0] as u32 & 1) << l);
            assert_eq!(f.is_odd(&x), Mask(odd), "is_odd");
        }
        for by in 0..F::LANES {
            f.store_all(&f.rotate(a, by), &mut out);
            let rotated = words[0].iter().cycle().skip(by).take(F::LANES);
            assert!(out[..F::LANES].iter().eq(rotated), "rotate by {by}");
        }
    }

    /// The whole point operations, where there are kernels, against the formulas as polynomials (so off the curve too), as
    /// points: X/Z² and Y/Z³, and Z = 0 in the same cases.
    #[inline(always)]
    fn points(&self, a: &F::El<1>, b: &F::El<1>, c: &F::El<1>, d: &F::El<1>) {
        let f = self.f;
        let (mut x, mut y, mut z) = (*a, *b, *c);
        if f.double_a_zero(&mut x, &mut y, &mut z) {
            for lane in 0..F::LANES {
                let [p, ..] = self.point_operands(lane);
                self.same_point(lane, [&x, &y, &z], self.double(p));
            }
        }
        let (mut x, mut y, mut z) = (*a, *b, *c);
        if f.add_mixed(&mut x, &mut y, &mut z, d, b) {
            for lane in 0..F::LANES {
                let [p, q] = self.point_operands(lane);
                self.same_point(lane, [&x, &y, &z], self.add_mixed(p, q));
            }
            // The same affine point: both H and R are 0, so Z is.
            let one = f.constant(&Words::ONE);
            let (mut x, mut y, mut z) = (*a, *b, one);
            f.add_mixed(&mut x, &mut y, &mut z, a, b);
            assert_eq!(f.is_zero(&z), Mask::all(F::LANES));
        }
    }

    fn point_operands(&self, lane: usize) -> [[WordsOf<F::Prime>; 3]; 2] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| self.words[i][lane]);
        [[a, b, c], [d, b, Words::ONE]]
    }

    fn double(&self, [x, y, z]: [WordsOf<F::Prime>; 3]) -> [WordsOf<F::Prime>; 3] {
        let m = &self.m;
        let (e, s) = (self.k(3, &m.mul(&x, &x)), m.mul(&y, &y));
        let d = self.k(4, &m.mul(&x, &s));
        let x3 = m.sub(&m.mul(&e, &e), &self.k(2, &d));
        let y3 = m.sub(&m.mul(&e, &m.sub(&d, &x3)), &self.k(8, &m.mul(&s, &s)));
        [x3, y3, self.k(2, &m.mul(&y, &z))]
    }

    fn add_mixed(
        &self,
        [x, y, z]: [WordsOf<F::Prime>; 3],
        [qx, qy, _]: [WordsOf<F::Prime>; 3],
    ) -> [WordsOf<F::Prime>; 3] {
        let m = &self.m;
        let zz = m.mul(&z, &z);
        let h = m.sub(&m.mul(&qx, &zz), &x);
        let r = m.sub(&m.mul(&qy, &m.mul(&zz, &z)), &y);
        let hh = m.mul(&h, &h);
        let (hhh, v) = (m.mul(&h, &hh), m.mul(&x, &hh));
        let x3 = m.sub(&m.sub(&m.mul(&r, &r), &hhh), &self.k(2, &v));
        let y3 = m.sub(&m.mul(&r, &m.sub(&v, &x3)), &m.mul(&y, &hhh));
        [x3, y3, m.mul(&z, &h)]
    }

    #[track_caller]
    fn same_point(&self, lane: usize, r: [&F::El<1>; 3], [x, y, z]: [WordsOf<F::Prime>; 3]) {
        let m = &self.m;
        let [rx, ry, rz] = r.map(|e| self.f.store(e, lane));
        let operands = self.point_operands(lane);
        assert_eq!(rz == Words::ZERO, z == Words::ZERO, "lane {lane}: Z of {operands:x?}");
        let (zz, rzz) = (m.mul(&z, &z), m.mul(&rz, &rz));
        assert_eq!(m.mul(&rx, &zz), m.mul(&x, &rzz), "lane {lane}: X of {operands:x?}");
        assert_eq!(m.mul(&ry, &m.mul(&zz, &z)), m.mul(&y, &m.mul(&rzz, &rz)), "lane {lane}: Y of {operands:x?}");
    }
}

/// Steps from one comparison to the next: an error never heals.
const STEPS: usize = 64;

/// `count` rounds of products of every kind in each lane, the results being the next operands, beside a backend of one lane.
///
/// # Panics
/// At the first disagreement.
pub fn products_suite<F, O>(f: F, oracle: O, count: usize)
where
    F: FieldOps,
    O: FieldOps<Prime = F::Prime>,
{
    assert_eq!(O::LANES, 1);
    let mut random = Random::new(0xF01D);
    let mut out = vec![<WordsOf<F::Prime>>::ZERO; F::LANES];
    for _ in 0..cases(count).div_ceil(STEPS) {
        let words: [Vec<_>; 4] = core::array::from_fn(|_| (0..F::LANES).map(|_| any::<F>(&mut random)).collect());
        let mut results = core::array::from_fn(|i| f.load(&words[i]));
        f.outline(Products { f, operands: &mut results });
        let expected: Vec<[_; 4]> = (0..F::LANES)
            .map(|lane| {
                let mut results = core::array::from_fn(|i| oracle.load(&words[i][lane..=lane]));
                oracle.outline(Products { f: oracle, operands: &mut results });
                core::array::from_fn(|i| oracle.store(&results[i], 0))
            })
            .collect();
        for (i, result) in results.iter().enumerate() {
            f.store_all(result, &mut out);
            for (lane, (words, expected)) in out.iter().zip(&expected).enumerate() {
                assert_eq!(*words, expected[i], "lane {lane}, result {i}");
            }
        }
    }
}

/// [`STEPS`] times: (a, b, c, d) becomes (a² − 3c, ab − cd, ab − 2c², ab·(4a(c − d)) − a).
struct Products<'a, F: FieldOps> {
    f: F,
    operands: &'a mut [F::El<1>; 4],
}

impl<F: FieldOps> Task for Products<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, operands: [a, b, c, d] } = self;
        for _ in 0..STEPS {
            let ab = f.mul(a, b);
            let c3: F::El<3> = f.times::<3, 1, 3>(c);
            let difference: F::El<3> = f.sub(c, d);
            let factor = f.mul_k::<4, 1, 1>(a, &f.carry(&difference));
            let (sqr_sub, mul_sub) = (f.sqr_sub(a, &c3), f.mul_sub(&ab, &factor, a));
            let (mul_sub_mul, mul_sub_2sqr) = (f.mul_sub_mul(a, b, c, d), f.mul_sub_2sqr(a, b, c));
            (*a, *b, *c, *d) = (sqr_sub, mul_sub_mul, mul_sub_2sqr, mul_sub);
        }
    }
}

/// 0 and p in the limbs of a product are zero, their neighbours are not.
fn zeros<F: Inspect>(f: F) {
    let p = F::Prime::MODULUS.m;
    let limb = |i: usize| {
        let at = |word: usize| u128::from(p.as_ref().get(word).copied().unwrap_or(0));
        let from = i * F::LIMB_BITS as usize;
        let wide = (at(from / 64) | at(from / 64 + 1) << 64) >> (from % 64);
        wide as u64 & u64::MAX >> (64 - F::LIMB_BITS)
    };
    let is = |e: F::El<1>, value: WordsOf<F::Prime>| {
        let zero = if value == Words::ZERO { Mask::all(F::LANES) } else { Mask(0) };
        assert_eq!(f.is_zero(&e), zero, "is_zero of {value:x?}");
        for lane in 0..F::LANES {
            assert_eq!(f.store(&e, lane), value, "store");
        }
    };
    is(f.with_limbs::<1>(|_| 0), Words::ZERO);
    is(f.with_limbs::<1>(limb), Words::ZERO);
    is(f.with_limbs::<1>(|i| limb(i) + u64::from(i == 0)), Words::ONE);
    is(f.with_limbs::<1>(|i| limb(i) - u64::from(i == 0)), F::Prime::MODULUS.neg(&Words::ONE));
}

/// [`loose_factors`] as one function with the backend's features.
struct LooseFactors<'a, F, const M: u32> {
    f: F,
    random: &'a mut Random,
    random_cases: usize,
}

impl<F: Inspect, const M: u32> Task for LooseFactors<'_, F, M> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        loose_factors::<F, M>(self.f, self.random, self.random_cases);
    }
}

/// Every method that takes loose operands, on limbs at their bound, one below, at random below, and zero.
#[inline(always)]
fn loose_factors<F: Inspect, const M: u32>(f: F, random: &mut Random, random_cases: usize) {
    let m = F::Prime::MODULUS;
    for round in 0..cases(random_cases / 50) {
        let mut seeds = [0u64; 4];
        seeds.fill_with(|| random.word());
        let limb = |m: u32, i: usize, seed: u64| {
            let limit = f.limb_limit(m, i);
            match seed >> (8 * i) & 7 {
                _ if round == 0 => limit,
                0..=2 => limit,
                3 => limit - 1,
                4 => 0,
                _ => ((u128::from(seed.rotate_left(13 * i as u32)) * u128::from(limit)) >> 64) as u64,
            }
        };
        let [a, b, c, d] = seeds.map(|seed| f.with_limbs::<M>(|i| limb(M, i, seed)));
        let one = f.with_limbs::<1>(|i| limb(1, i, seeds[3]));
        let three = f.with_limbs::<3>(|i| limb(3, i, seeds[2]));
        let [va, vb, vc, vd] = [&a, &b, &c, &d].map(|x| value_of(f, x, 0));
        let (v1, v3) = (value_of(f, &one, 0), value_of(f, &three, 0));
        let k = |k: u32, a: &WordsOf<F::Prime>| (0..k).fold(Words::ZERO, |sum, _| m.add(&sum, a));
        let is = |what: &str, r: &F::El<1>, expected: WordsOf<F::Prime>| {
            for lane in 0..F::LANES {
                assert_eq!(f.store(r, lane), expected, "{what}, lane {lane}, round {round}");
                for i in 0..F::LIMBS {
                    assert!(f.limb(r, lane, i) <= f.limb_limit(1, i), "{what}, limb {i}, round {round}");
                }
            }
        };
        let ab = m.mul(&va, &vb);
        for lane in 0..F::LANES {
            assert_eq!(f.store(&a, lane), va, "store, round {round}");
        }
        is("carry", &f.carry(&a), va);
        is("carry", &f.carry(&three), v3);
        is("mul", &f.mul(&a, &b), ab);
        is("4 mul", &f.mul_k::<4, M, M>(&a, &b), k(4, &ab));
        is("3 sqr", &f.sqr_k::<3, M>(&a), k(3, &m.mul(&va, &va)));
        is("sum", &f.carry::<8>(&f.add(&a, &b)), m.add(&va, &vb));
        is("difference", &f.carry::<12>(&f.sub(&a, &b)), m.sub(&va, &vb));
        is("multiple", &f.carry::<12>(&f.times::<3, M, 12>(&a)), k(3, &va));
        is("mul_sub", &f.mul_sub(&a, &b, &one), m.sub(&ab, &v1));
        is("mul_add", &f.mul_add(&a, &b, &one), m.add(&ab, &v1));
        is("times_small", &f.carry(&f.times_small(32, &one)), k(32, &v1));
        is("sqr_sub", &f.sqr_sub(&a, &three), m.sub(&m.mul(&va, &va), &v3));
        is("mul_add_mul", &f.mul_add_mul(&a, &b, &c, &d), m.add(&ab, &m.mul(&vc, &vd)));
        is("mul_sub_mul", &f.mul_sub_mul(&a, &b, &c, &d), m.sub(&ab, &m.mul(&vc, &vd)));
        is("mul_sub_2sqr", &f.mul_sub_2sqr(&a, &b, &c), m.sub(&ab, &k(2, &m.mul(&vc, &vc))));
        let mut negative = one;
        f.negate_in(&mut negative, Mask::all(F::LANES));
        is("negate_in", &negative, m.neg(&v1));
        // Multiples of p in the loosest form are zero, one more is not.
        let zero = f.carry::<12>(&f.sub(&a, &a));
        assert_eq!(f.is_zero(&zero), Mask::all(F::LANES), "a − a, round {round}");
        let nought = f.carry::<3>(&f.sub(&one, &one));
        assert_eq!(f.is_zero(&nought), Mask::all(F::LANES));
        let next = f.carry::<2>(&f.add(&nought, &f.constant(&Words::ONE)));
        assert_eq!(f.is_zero(&next), Mask(0));
    }
}

/// Inverses of single elements and of batches, zeros in any lane among them.
fn inverses<F: Inspect>(f: F, random: &mut Random, edges: &[WordsOf<F::Prime>]) {
    for round in 0..cases(60) {
        let lanes: Vec<_> = (0..F::LANES * (1 + round % 5))
            .map(|_| match random.below(4) {
                0 => Words::ZERO,
                1 => *random.choose(edges),
                _ => any::<F>(random),
            })
            .collect();
        let elements: Vec<_> = lanes.chunks(F::LANES).map(|words| f.load(words)).collect();
        let mut batch = elements.clone();
        let zeros = batch_invert_vartime(f, &elements, &mut batch);
        assert_eq!(zeros, lanes.iter().filter(|&words| *words == Words::ZERO).count());
        for ((a, inverse), words) in elements.iter().zip(&batch).zip(lanes.chunks(F::LANES)) {
            let (alone, vartime) = (invert(f, a), invert_vartime(f, a));
            for (lane, words) in words.iter().enumerate() {
                let expected = F::Prime::MODULUS.invert(words);
                assert_eq!(f.store(inverse, lane), expected, "batch_invert_vartime, lane {lane} of {words:x?}");
                assert_eq!(f.store(&alone, lane), expected, "invert, lane {lane} of {words:x?}");
                assert_eq!(f.store(&vartime, lane), expected, "invert_vartime, lane {lane} of {words:x?}");
            }
        }
    }
}

/// The columns of an entry: eight rows, word by word.
fn columns_of<W: Words>(rows: &[Row<W>; 8]) -> Vec<Column> {
    let word = |row: &Row<W>, i: usize| if i < W::LEN { row.x.as_ref()[i] } else { row.y.as_ref()[i - W::LEN] };
    (0..2 * W::LEN).map(|i| Column(std::array::from_fn(|lane| word(&rows[lane], i)))).collect()
}

/// Loading by public and by secret indices, in tables of several sizes.
fn tables<F: Inspect>(f: F, random: &mut Random) {
    let all: Vec<_> = (0..40).map(|_| Row { x: any::<F>(random), y: any::<F>(random) }).collect();
    let zero = Row { x: Words::ZERO, y: Words::ZERO };
    for len in [1, 2, 16, 32, 40] {
        let rows = &all[..len];
        for round in 0..50u32 {
            let at: Vec<u32> = (0..F::LANES as u32).map(|lane| (lane * 7 + round) % len as u32).collect();
            let (mut x, mut y) = (f.constant(&Words::ZERO), f.constant(&Words::ZERO));
            f.load_to(&mut x, &mut y, rows, &at);
            let (mut sx, mut sy) = (x, y);
            let beyond: Vec<u32> = at.iter().map(|i| i + if round % 5 == 0 { len as u32 } else { 0 }).collect();
            f.lookup_to(&mut sx, &mut sy, rows, &beyond);
            for lane in 0..F::LANES {
                let row = rows[at[lane] as usize];
                assert_eq!((f.store(&x, lane), f.store(&y, lane)), (row.x, row.y), "load_to {at:?}");
                let row = rows.get(beyond[lane] as usize).unwrap_or(&zero);
                assert_eq!((f.store(&sx, lane), f.store(&sy, lane)), (row.x, row.y), "lookup_to {beyond:?}");
            }
            // Lane l's column has the rows from l on.
            let row = |entry: usize, lane: usize| &rows[(entry + lane % 8) % len];
            let columns: Vec<Column> =
                (0..len).flat_map(|entry| columns_of(&std::array::from_fn(|lane| *row(entry, lane)))).collect();
            f.lookup_lanes_to(&mut sx, &mut sy, &columns, &beyond);
            for lane in 0..F::LANES {
                let row = if (beyond[lane] as usize) < len { row(beyond[lane] as usize, lane) } else { &zero };
                assert_eq!((f.store(&sx, lane), f.store(&sy, lane)), (row.x, row.y), "lookup_lanes_to {beyond:?}");
            }
        }
    }
}
