//! Points: [`AffinePoint`] in memory, on its curve by construction; [`Affine`], [`Jacobian`], [`Xyzz`] and [`Projective`] in a
//! backend's elements, one point or one a lane, as the formulas need them.
//!
//! | type | x, y | infinity |
//! |---|---|---|
//! | [`AffinePoint`], [`Affine`] | themselves | none |
//! | [`Jacobian`] | X/Z², Y/Z³ | Z = 0 |
//! | [`Xyzz`] | X/ZZ, Y/ZZZ, ZZ³ = ZZZ² | ZZ = 0 |
//! | [`Projective`] | X/Z, Y/Z | (0 : Y : 0) |

use crate::encode::DecodeError;
use crate::params::{CoefficientA, CurveParams};
use arith::{Words, ct_check, limbs};
use core::fmt;
use field::ops::WordsOf;
use field::{FieldOps, Mask, Prime, Row};
use zeroize::Zeroize;

/// A point of the curve `C` other than infinity: canonical coordinates that satisfy the equation.
///
/// Every way to make one checks that or computes it from points that do.
pub struct AffinePoint<C: CurveParams> {
    row: Row<WordsOf<C::Field>>,
}

impl<C: CurveParams> Clone for AffinePoint<C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: CurveParams> Copy for AffinePoint<C> {}
impl<C: CurveParams> PartialEq for AffinePoint<C> {
    fn eq(&self, other: &Self) -> bool {
        self.row == other.row
    }
}
impl<C: CurveParams> Eq for AffinePoint<C> {}
impl<C: CurveParams> fmt::Debug for AffinePoint<C> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |out: &mut fmt::Formatter<'_>, words: &WordsOf<C::Field>| {
            words.as_ref().iter().rev().try_for_each(|word| write!(out, "{word:016x}"))
        };
        write!(out, "{}(", C::NAME)?;
        hex(out, &self.row.x)?;
        out.write_str(", ")?;
        hex(out, &self.row.y)?;
        out.write_str(")")
    }
}
impl<C: CurveParams> Zeroize for AffinePoint<C> {
    /// Overwrites the coordinates with the generator's, so that what remains is a point.
    fn zeroize(&mut self) {
        self.row.x.zeroize();
        self.row.y.zeroize();
        self.row = C::GENERATOR;
    }
}

impl<C: CurveParams> AffinePoint<C> {
    /// G.
    pub const GENERATOR: Self = Self { row: C::GENERATOR };

    /// The point (x, y), if both are below p and the equation holds. Constant time but for the error.
    ///
    /// # Errors
    /// [`DecodeError::OutOfRange`], [`DecodeError::NotOnCurve`].
    #[inline]
    pub fn from_coordinates<F: FieldOps<Prime = C::Field>>(
        f: F,
        x: &WordsOf<C::Field>,
        y: &WordsOf<C::Field>,
    ) -> Result<Self, DecodeError> {
        let p = &C::Field::MODULUS.m;
        if !limbs::less_than(x, p) || !limbs::less_than(y, p) {
            return Err(DecodeError::OutOfRange);
        }
        let (xe, ye) = (f.constant(x), f.constant(y));
        let difference = f.carry::<3>(&f.sub(&f.sqr(&ye), &right_side::<C, F>(f, &xe)));
        match f.is_zero(&difference) {
            Mask(0) => Err(DecodeError::NotOnCurve),
            _ => Ok(Self { row: Row { x: *x, y: *y } }),
        }
    }

    /// The point whose coordinates a computation on points gave: canonical and on the curve, which a debug build checks.
    #[inline]
    pub(crate) fn from_computed(row: Row<WordsOf<C::Field>>) -> Self {
        debug_assert!(cfg!(windlass_ct_check) || on_curve::<C>(&row), "a computed point is on the curve");
        Self { row }
    }

    /// A point that was computed from a secret made public: from here on branches may depend on it. `why` states what makes
    /// that safe.
    #[inline]
    #[must_use]
    pub fn declassify(mut self, why: &'static str) -> Self {
        let _ = why;
        ct_check::declassify(&mut self.row);
        self
    }

    /// The coordinates side by side.
    #[inline(always)]
    pub fn row(&self) -> &Row<WordsOf<C::Field>> {
        &self.row
    }

    /// x, little-endian words.
    #[inline(always)]
    pub fn x_words(&self) -> &WordsOf<C::Field> {
        &self.row.x
    }

    /// y, little-endian words.
    #[inline(always)]
    pub fn y_words(&self) -> &WordsOf<C::Field> {
        &self.row.y
    }

    /// Is y odd?
    #[inline]
    pub fn y_is_odd(&self) -> bool {
        self.y_parity() == 1
    }

    /// y mod 2, for callers whose point is secret.
    #[inline(always)]
    pub fn y_parity(&self) -> u64 {
        self.row.y.as_ref().first().map_or(0, |word| word & 1)
    }

    /// −P.
    #[inline]
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { row: Row { x: self.row.x, y: C::Field::MODULUS.neg(&self.row.y) } }
    }

    /// P in a backend's elements, the same in every lane.
    #[inline(always)]
    pub fn load<F: FieldOps<Prime = C::Field>>(&self, f: F) -> Affine<F> {
        Affine { x: f.constant(&self.row.x), y: f.constant(&self.row.y) }
    }
}

/// x³ + ax + b.
#[inline(always)]
pub(crate) fn right_side<C: CurveParams, F: FieldOps<Prime = C::Field>>(f: F, x: &F::El<1>) -> F::El<1> {
    match C::A {
        CoefficientA::Zero => f.carry::<2>(&f.add(&f.mul(&f.sqr(x), x), &f.constant(&C::B))),
    }
}

/// The equation, by the oracle's arithmetic.
fn on_curve<C: CurveParams>(row: &Row<WordsOf<C::Field>>) -> bool {
    let p = &C::Field::MODULUS;
    let cube = p.mul(&p.mul(&row.x, &row.x), &row.x);
    match C::A {
        CoefficientA::Zero => p.mul(&row.y, &row.y) == p.add(&cube, &C::B),
    }
}

/// (x, y), never infinite.
#[derive(Clone, Copy)]
pub struct Affine<F: FieldOps> {
    /// x.
    pub x: F::El<1>,
    /// y.
    pub y: F::El<1>,
}

/// (X/Z², Y/Z³); infinite where Z = 0.
#[derive(Clone, Copy)]
pub struct Jacobian<F: FieldOps> {
    /// X.
    pub x: F::El<1>,
    /// Y.
    pub y: F::El<1>,
    /// Z.
    pub z: F::El<1>,
}

/// (X/ZZ, Y/ZZZ) with ZZ³ = ZZZ²; infinite where ZZ = 0.
#[derive(Clone, Copy)]
pub struct Xyzz<F: FieldOps> {
    /// X.
    pub x: F::El<1>,
    /// Y.
    pub y: F::El<1>,
    /// ZZ.
    pub zz: F::El<1>,
    /// ZZZ.
    pub zzz: F::El<1>,
}

/// (X/Z, Y/Z); infinite where Z = 0, and then X = 0.
#[derive(Clone, Copy)]
pub struct Projective<F: FieldOps> {
    /// X.
    pub x: F::El<1>,
    /// Y.
    pub y: F::El<1>,
    /// Z.
    pub z: F::El<1>,
}

/// 1 in every lane.
#[inline(always)]
pub(crate) fn one<F: FieldOps>(f: F) -> F::El<1> {
    f.constant(&WordsOf::<F::Prime>::ONE)
}

/// 0 in every lane.
#[inline(always)]
pub(crate) fn zero<F: FieldOps>(f: F) -> F::El<1> {
    f.constant(&WordsOf::<F::Prime>::ZERO)
}

impl<F: FieldOps> Affine<F> {
    /// (0, 0) in every lane, on no curve: a place to load points to.
    #[inline(always)]
    pub fn place(f: F) -> Self {
        Self { x: zero(f), y: zero(f) }
    }

    /// Keeps self in the lanes of `keep`, takes `other` elsewhere.
    #[inline(always)]
    pub fn select(&mut self, f: F, keep: Mask, other: &Self) {
        f.select_to(&mut self.x, keep, &other.x);
        f.select_to(&mut self.y, keep, &other.y);
    }
}

impl<F: FieldOps> From<(F, &Affine<F>)> for Jacobian<F> {
    #[inline(always)]
    fn from((f, p): (F, &Affine<F>)) -> Self {
        Self { x: p.x, y: p.y, z: one(f) }
    }
}

impl<F: FieldOps> Jacobian<F> {
    /// Infinity in every lane.
    #[inline(always)]
    pub fn infinity(f: F) -> Self {
        Self { x: one(f), y: one(f), z: zero(f) }
    }

    /// q in the lanes of `finite`, infinity elsewhere. Vartime in the mask.
    #[inline(always)]
    pub fn from_affine_in(f: F, q: &Affine<F>, finite: Mask) -> Self {
        let mut r = Self::from((f, q));
        if finite != Mask::all(F::LANES) {
            r.select(f, finite, &Self::infinity(f));
        }
        r
    }

    /// The lanes in which it is infinite.
    #[inline(always)]
    pub fn is_infinite(&self, f: F) -> Mask {
        f.is_zero(&self.z)
    }

    /// Keeps self in the lanes of `keep`, takes `other` elsewhere.
    #[inline(always)]
    pub fn select(&mut self, f: F, keep: Mask, other: &Self) {
        f.select_to(&mut self.x, keep, &other.x);
        f.select_to(&mut self.y, keep, &other.y);
        f.select_to(&mut self.z, keep, &other.z);
    }
}

impl<F: FieldOps> From<(F, &Affine<F>)> for Xyzz<F> {
    #[inline(always)]
    fn from((f, p): (F, &Affine<F>)) -> Self {
        Self { x: p.x, y: p.y, zz: one(f), zzz: one(f) }
    }
}

impl<F: FieldOps> Xyzz<F> {
    /// Infinity in every lane.
    #[inline(always)]
    pub fn infinity(f: F) -> Self {
        Self { x: one(f), y: one(f), zz: zero(f), zzz: zero(f) }
    }

    /// Keeps self in the lanes of `keep`, takes `other` elsewhere.
    #[inline(always)]
    pub fn select(&mut self, f: F, keep: Mask, other: &Self) {
        f.select_to(&mut self.x, keep, &other.x);
        f.select_to(&mut self.y, keep, &other.y);
        f.select_to(&mut self.zz, keep, &other.zz);
        f.select_to(&mut self.zzz, keep, &other.zzz);
    }

    /// Lane l gets the point of lane l + `by`: see [`FieldOps::rotate`].
    #[inline(always)]
    #[must_use]
    pub fn rotate(&self, f: F, by: usize) -> Self {
        let [x, y, zz, zzz] = [&self.x, &self.y, &self.zz, &self.zzz].map(|a| f.rotate(a, by));
        Self { x, y, zz, zzz }
    }

    /// The same point, which must be finite, as (X·ZZZ : Y·ZZ : ZZ·ZZZ). 3M.
    #[inline(always)]
    pub fn to_projective(&self, f: F) -> Projective<F> {
        Projective { x: f.mul(&self.x, &self.zzz), y: f.mul(&self.y, &self.zz), z: f.mul(&self.zz, &self.zzz) }
    }

    /// The same point with Z = ZZ: (X·ZZ, Y·ZZZ, ZZ). 2M.
    #[inline(always)]
    pub fn to_jacobian(&self, f: F) -> Jacobian<F> {
        Jacobian { x: f.mul(&self.x, &self.zz), y: f.mul(&self.y, &self.zzz), z: self.zz }
    }
}

impl<F: FieldOps> Projective<F> {
    /// Infinity in every lane.
    #[inline(always)]
    pub fn infinity(f: F) -> Self {
        Self { x: zero(f), y: one(f), z: zero(f) }
    }

    /// Lane l gets the point of lane l + `by`: see [`FieldOps::rotate`].
    #[inline(always)]
    #[must_use]
    pub fn rotate(&self, f: F, by: usize) -> Self {
        Self { x: f.rotate(&self.x, by), y: f.rotate(&self.y, by), z: f.rotate(&self.z, by) }
    }

    /// (X·Z : Y : Z³), and (0 : 1 : 0) where Z = 0. 2M + 1S.
    #[inline(always)]
    pub fn from_jacobian(f: F, p: &Jacobian<F>) -> Self {
        let mut y = p.y;
        f.select_to(&mut y, Mask(!p.is_infinite(f).0), &one(f));
        Self { x: f.mul(&p.x, &p.z), y, z: f.mul(&f.sqr(&p.z), &p.z) }
    }

    /// (X·Z, Y·Z², Z), the same point, infinity included. 2M + 1S.
    #[inline(always)]
    pub fn to_jacobian(&self, f: F) -> Jacobian<F> {
        Jacobian { x: f.mul(&self.x, &self.z), y: f.mul(&self.y, &f.sqr(&self.z)), z: self.z }
    }
}

macro_rules! wiped {
    ($($point:ident { $($coordinate:ident),* })*) => { $(
        impl<F: FieldOps> Zeroize for $point<F> {
            #[inline(always)]
            fn zeroize(&mut self) {
                $( self.$coordinate.zeroize(); )*
            }
        }
    )* };
}
wiped! { Affine { x, y } Jacobian { x, y, z } Xyzz { x, y, zz, zzz } Projective { x, y, z } }
