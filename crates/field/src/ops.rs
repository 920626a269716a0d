//! The contract of a prime field as the point formulas see it: one element, or one a lane.

pub use arith::{Column, Row};
use arith::{Modulus, Words, kernel::barrier};
use zeroize::Zeroize;

/// An odd prime: a field's characteristic or a group's order.
pub trait Prime: Copy + Send + Sync + 'static {
    /// Canonical elements: little-endian words, below the prime.
    type Words: Words + Zeroize;
    /// The prime with its Montgomery constants, for portable generic arithmetic and as the oracle of fast backends.
    const MODULUS: Modulus<Self::Words>;
    /// Bits of the prime.
    const BITS: u32;
    /// Big-endian bytes of an element, as the encodings have it: `[u8; 32]`.
    type Bytes: ByteArray;

    /// a·b mod the prime, canonical. A prime with a form of its own overrides it.
    #[inline]
    fn mul(a: &Self::Words, b: &Self::Words) -> Self::Words {
        Self::MODULUS.mul(a, b)
    }
    /// a mod the prime, for every `a` that fits the words. A prime with a form of its own overrides it.
    #[inline]
    fn reduce(a: &Self::Words) -> Self::Words {
        Self::MODULUS.reduce(a)
    }
    /// 1/a mod the prime, and 0 for 0; `a` is canonical. One function a prime: it is long.
    #[inline(never)]
    fn invert(a: &Self::Words) -> Self::Words {
        Self::MODULUS.invert(a)
    }
    /// 1/a mod the prime, and 0 for 0; `a` is canonical. Vartime.
    #[inline(never)]
    fn invert_vartime(a: &Self::Words) -> Self::Words {
        Self::MODULUS.invert_vartime(a)
    }
}

/// An array of bytes. Implemented for every `[u8; N]`.
pub trait ByteArray:
    Copy + Eq + core::fmt::Debug + AsRef<[u8]> + AsMut<[u8]> + Zeroize + Send + Sync + 'static
{
    /// How many bytes.
    const LEN: usize;
    /// All bytes zero.
    const ZERO: Self;
}

impl<const N: usize> ByteArray for [u8; N] {
    const LEN: usize = N;
    const ZERO: Self = [0; N];
}

/// Canonical words of a prime.
pub type WordsOf<Q> = <Q as Prime>::Words;

/// One bit a lane, lane 0 lowest.
///
/// Constant-time code may hold a mask that depends on a secret; it may not ask [`Mask::any`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mask(pub u32);

impl Mask {
    /// Every one of `lanes` lanes.
    #[inline(always)]
    pub const fn all(lanes: usize) -> Self {
        Self(u32::MAX >> (32 - lanes))
    }

    /// Is a lane set? Vartime.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// The lanes set in both.
    #[inline(always)]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The lanes set in either.
    #[inline(always)]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The most lanes that an element may have: a mask has a bit for each.
pub const MAX_LANES: usize = u32::BITS as usize;

/// Generic code that a backend compiles as one function of its own, with its CPU features on.
///
/// `run` is `#[inline(always)]` and a method: closures and functions passed as values lose the features.
pub trait Task {
    /// What the task answers.
    type Out;
    /// The work.
    fn run(self) -> Self::Out;
}

/// A prime field over one element (`LANES` = 1) or one element a lane. The value is a zero-sized proof of the CPU features.
///
/// `El<M>` has limbs and a value of at most M times those of a product; each bound is checked when code is generated, so in
/// tests and engines, not by `cargo check`. Every method is `#[inline(always)]`, straight-line and constant time, except where
/// it says "vartime". Lanes are independent.
///
/// A forgotten carry does not build:
///
/// ```compile_fail,E0080
/// use windlass_field::{FieldOps, secp256k1::Portable5x52};
/// let f = Portable5x52;
/// let a = f.constant(&[7, 0, 0, 0]);
/// let loose: <Portable5x52 as FieldOps>::El<3> = f.sub(&a, &a);
/// f.mul(&loose, &a); // carry before multiplying
/// ```
///
/// and with it does:
///
/// ```
/// use windlass_field::{FieldOps, secp256k1::Portable5x52};
/// let f = Portable5x52;
/// let a = f.constant(&[7, 0, 0, 0]);
/// let loose: <Portable5x52 as FieldOps>::El<3> = f.sub(&a, &a);
/// f.mul(&f.carry(&loose), &a);
/// ```
///
/// Nor does a sum that its type does not hold:
///
/// ```compile_fail,E0080
/// use windlass_field::{FieldOps, secp256k1::Portable5x52};
/// let f = Portable5x52;
/// let a = f.constant(&[7, 0, 0, 0]);
/// let sum: <Portable5x52 as FieldOps>::El<1> = f.add(&a, &a);
/// ```
pub trait FieldOps: Copy + Send + Sync + 'static {
    /// The prime.
    type Prime: Prime;
    /// An element, or one a lane, whose limbs and value are at most `M` times those of a product.
    type El<const M: u32>: Copy + Zeroize;
    /// How many elements an `El` holds, at most [`MAX_LANES`].
    const LANES: usize;
    /// The largest `M` that a product accepts.
    const MUL_MAX: u32;

    /// Runs `task` as a function of its own: the one door to the backend's CPU features.
    fn outline<T: Task>(self, task: T) -> T::Out;

    /// The canonical `c` in every lane.
    fn constant(self, c: &WordsOf<Self::Prime>) -> Self::El<1>;
    /// Lane l gets the canonical `lanes[l]`, or what [`FieldOps::residue`] gave; `lanes` has LANES elements or more.
    fn load(self, lanes: &[WordsOf<Self::Prime>]) -> Self::El<1>;
    /// Lane l gets the point `rows[at[l]]`; `at` has LANES elements or more. Vartime in `at`.
    ///
    /// # Panics
    /// When an index is outside `rows`.
    fn load_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, rows: &[Row<WordsOf<Self::Prime>>], at: &[u32]);
    /// Lane l gets the point `rows[at[l]]`, reading all of `rows` whatever `at` says: for secret indices. Zero where the index is outside.
    fn lookup_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, rows: &[Row<WordsOf<Self::Prime>>], at: &[u32]);
    /// The canonical words of a lane.
    fn store<const A: u32>(self, a: &Self::El<A>, lane: usize) -> WordsOf<Self::Prime>;

    /// a + b; A + B ≤ R.
    fn add<const A: u32, const B: u32, const R: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<R>;
    /// a − b; A + 2B ≤ R.
    fn sub<const A: u32, const B: u32, const R: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<R>;
    /// K·a; K·A ≤ R.
    fn times<const K: u32, const A: u32, const R: u32>(self, a: &Self::El<A>) -> Self::El<R>;
    /// The same element with the limbs of a product.
    fn carry<const A: u32>(self, a: &Self::El<A>) -> Self::El<1>;
    /// Keeps r in the lanes of `keep`, takes `other` elsewhere.
    fn select_to(self, r: &mut Self::El<1>, keep: Mask, other: &Self::El<1>);
    /// The lanes in which a = 0 mod p.
    fn is_zero(self, a: &Self::El<1>) -> Mask;
    /// K·a·b; A, B ≤ MUL_MAX, K ≤ 4.
    fn mul_k<const K: u32, const A: u32, const B: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<1>;
    /// K·a²; A ≤ MUL_MAX, K ≤ 4.
    fn sqr_k<const K: u32, const A: u32>(self, a: &Self::El<A>) -> Self::El<1>;

    /// Lane l gets entry `at[l]` of its own column, column l mod 8, reading all of `table` whatever `at` says: for secret indices.
    /// Zero where the index is outside.
    ///
    /// An entry is as many [`Column`]s as two elements have words: x of all columns word by word, then y, canonical.
    #[inline(always)]
    fn lookup_lanes_to(self, x: &mut Self::El<1>, y: &mut Self::El<1>, table: &[Column], at: &[u32]) {
        let [mut xs, mut ys] = [[<WordsOf<Self::Prime>>::ZERO; MAX_LANES]; 2];
        let words = <WordsOf<Self::Prime>>::LEN;
        for (i, entry) in (0u64..).zip(table.chunks_exact(2 * words)) {
            let (entry_x, entry_y) = entry.split_at(words);
            for (lane, at) in at.iter().enumerate().take(Self::LANES) {
                let other = i ^ u64::from(*at);
                let here = barrier(((other.wrapping_sub(1) & !other) >> 63).wrapping_neg()); // its top bit: other = 0
                for (word, column) in xs[lane].as_mut().iter_mut().zip(entry_x) {
                    *word |= column.0[lane % 8] & here;
                }
                for (word, column) in ys[lane].as_mut().iter_mut().zip(entry_y) {
                    *word |= column.0[lane % 8] & here;
                }
            }
        }
        *x = self.load(&xs);
        *y = self.load(&ys);
        xs.zeroize();
        ys.zeroize();
    }
    /// k·a for a public k of at most 32.
    #[inline(always)]
    fn times_small(self, k: u32, a: &Self::El<1>) -> Self::El<32> {
        let mut words = <WordsOf<Self::Prime>>::ZERO;
        if let Some(word) = words.as_mut().first_mut() {
            *word = u64::from(k);
        }
        self.times::<1, 1, 32>(&self.mul(a, &self.constant(&words)))
    }
    /// a·b.
    #[inline(always)]
    fn mul<const A: u32, const B: u32>(self, a: &Self::El<A>, b: &Self::El<B>) -> Self::El<1> {
        self.mul_k::<1, A, B>(a, b)
    }
    /// a².
    #[inline(always)]
    fn sqr<const A: u32>(self, a: &Self::El<A>) -> Self::El<1> {
        self.sqr_k::<1, A>(a)
    }
    /// a^(2^times).
    #[inline(always)]
    fn sqr_times(self, a: &Self::El<1>, times: u32) -> Self::El<1> {
        let mut r = *a;
        for _ in 0..times {
            r = self.sqr(&r);
        }
        r
    }
    /// Words congruent to a lane's element, not always canonical: what [`FieldOps::load`] and [`FieldOps::load_to`] of every
    /// backend of the prime take as well.
    #[inline(always)]
    fn residue<const A: u32>(self, a: &Self::El<A>, lane: usize) -> WordsOf<Self::Prime> {
        self.store(a, lane)
    }
    /// `out[l]` = the canonical words of lane l; `out` has LANES elements or more.
    #[inline(always)]
    fn store_all<const A: u32>(self, a: &Self::El<A>, out: &mut [WordsOf<Self::Prime>]) {
        for (lane, out) in out.iter_mut().enumerate().take(Self::LANES) {
            *out = self.store(a, lane);
        }
    }
    /// `rows[at[l]]` = the canonical (x, y) of lane l, for every lane that `at` has. Vartime in `at`.
    ///
    /// # Panics
    /// When an index is outside `rows`.
    #[inline(always)]
    fn store_rows(self, x: &Self::El<1>, y: &Self::El<1>, rows: &mut [Row<WordsOf<Self::Prime>>], at: &[u32]) {
        for (lane, at) in at.iter().enumerate().take(Self::LANES) {
            rows[*at as usize] = Row { x: self.store(x, lane), y: self.store(y, lane) };
        }
    }
    /// The lanes whose canonical integer is odd.
    #[inline(always)]
    fn is_odd(self, a: &Self::El<1>) -> Mask {
        let odd = |lane| self.store(a, lane).as_ref().first().map_or(0, |word| word & 1) as u32;
        Mask((0..Self::LANES).fold(0, |mask, lane| mask | odd(lane) << lane))
    }
    /// Lane l gets lane l + `by` of a, lane l + `by` − LANES where there is none; `by` is below LANES.
    #[inline(always)]
    fn rotate(self, a: &Self::El<1>, by: usize) -> Self::El<1> {
        let mut words = [<WordsOf<Self::Prime>>::ZERO; MAX_LANES];
        self.store_all(a, &mut words);
        words[..Self::LANES].rotate_left(by);
        self.load(&words)
    }
    /// a becomes −a in the lanes of `negative`.
    #[inline(always)]
    fn negate_in(self, a: &mut Self::El<1>, negative: Mask) {
        let zero = self.constant(&WordsOf::<Self::Prime>::ZERO);
        let minus = self.carry::<3>(&self.sub(&zero, a));
        self.select_to(a, Mask(!negative.0), &minus);
    }

    // Fused forms: a backend overrides those that it can do with one reduction.

    /// a·b − c.
    #[inline(always)]
    fn mul_sub<const A: u32, const B: u32>(self, a: &Self::El<A>, b: &Self::El<B>, c: &Self::El<1>) -> Self::El<1> {
        self.carry::<3>(&self.sub(&self.mul(a, b), c))
    }
    /// a·b + c.
    #[inline(always)]
    fn mul_add<const A: u32, const B: u32>(self, a: &Self::El<A>, b: &Self::El<B>, c: &Self::El<1>) -> Self::El<1> {
        self.carry::<2>(&self.add(&self.mul(a, b), c))
    }
    /// a² − c; C ≤ 3.
    #[inline(always)]
    fn sqr_sub<const A: u32, const C: u32>(self, a: &Self::El<A>, c: &Self::El<C>) -> Self::El<1> {
        self.carry::<7>(&self.sub(&self.sqr(a), c))
    }
    /// a·b + c·d.
    #[inline(always)]
    fn mul_add_mul<const A: u32, const B: u32, const C: u32, const D: u32>(
        self,
        a: &Self::El<A>,
        b: &Self::El<B>,
        c: &Self::El<C>,
        d: &Self::El<D>,
    ) -> Self::El<1> {
        self.carry::<2>(&self.add(&self.mul(a, b), &self.mul(c, d)))
    }
    /// a·b − c·d.
    #[inline(always)]
    fn mul_sub_mul<const A: u32, const B: u32, const C: u32, const D: u32>(
        self,
        a: &Self::El<A>,
        b: &Self::El<B>,
        c: &Self::El<C>,
        d: &Self::El<D>,
    ) -> Self::El<1> {
        self.carry::<3>(&self.sub(&self.mul(a, b), &self.mul(c, d)))
    }
    /// a·b − 2c².
    #[inline(always)]
    fn mul_sub_2sqr<const A: u32, const B: u32, const C: u32>(
        self,
        a: &Self::El<A>,
        b: &Self::El<B>,
        c: &Self::El<C>,
    ) -> Self::El<1> {
        let s: Self::El<2> = self.times::<2, 1, 2>(&self.sqr(c));
        self.carry::<5>(&self.sub(&self.mul(a, b), &s))
    }

    // Results that outlive the formula are written in their place: wide lanes then leave no copy.

    /// r = K·a·b.
    #[inline(always)]
    fn mul_k_to<const K: u32, const A: u32, const B: u32>(self, r: &mut Self::El<1>, a: &Self::El<A>, b: &Self::El<B>) {
        *r = self.mul_k::<K, A, B>(a, b);
    }
    /// r = a² − c; C ≤ 3.
    #[inline(always)]
    fn sqr_sub_to<const A: u32, const C: u32>(self, r: &mut Self::El<1>, a: &Self::El<A>, c: &Self::El<C>) {
        *r = self.sqr_sub(a, c);
    }
    /// r = a·b − c·d.
    #[inline(always)]
    fn mul_sub_mul_to<const A: u32, const B: u32, const C: u32, const D: u32>(
        self,
        r: &mut Self::El<1>,
        a: &Self::El<A>,
        b: &Self::El<B>,
        c: &Self::El<C>,
        d: &Self::El<D>,
    ) {
        *r = self.mul_sub_mul(a, b, c, d);
    }
    /// r = a·b − 2c².
    #[inline(always)]
    fn mul_sub_2sqr_to<const A: u32, const B: u32, const C: u32>(
        self,
        r: &mut Self::El<1>,
        a: &Self::El<A>,
        b: &Self::El<B>,
        c: &Self::El<C>,
    ) {
        *r = self.mul_sub_2sqr(a, b, c);
    }

    // Whole point operations as one kernel: `false` means "not here", a constant, so that the formula's text follows.

    /// (x, y, z) becomes its double on y² = x³ + b in Jacobian coordinates, if the backend has a kernel for it.
    #[inline(always)]
    fn double_a_zero(self, _x: &mut Self::El<1>, _y: &mut Self::El<1>, _z: &mut Self::El<1>) -> bool {
        false
    }
    /// (x, y, z) becomes (x, y, z) + (qx, qy), incomplete as the formula's text is (z becomes 0 exactly where it does not hold
    /// or the sum is infinite), if the backend has a kernel for it.
    #[inline(always)]
    fn add_mixed(
        self,
        _x: &mut Self::El<1>,
        _y: &mut Self::El<1>,
        _z: &mut Self::El<1>,
        _qx: &Self::El<1>,
        _qy: &Self::El<1>,
    ) -> bool {
        false
    }
}
