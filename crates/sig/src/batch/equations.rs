//! Rows as equations g·G + f·K = R, with the checks of ranges that a single verification makes, and R and K lifted in lanes.
//!
//! An equation that a range refuses takes no part in the sum. It still waits for its key: a key that is none is reported first.

use super::Batch;
use crate::ecdsa::{self, LowS};
use crate::error::ParseError;
use crate::many::Verdict;
use crate::schnorr;
use crate::tagged_hash::TaggedHash;
use arith::limbs;
use curve::encode::Encoded;
use curve::{AffinePoint, CurveParams, Parity};
use field::batch_inverse::batch_invert_scalars_vartime;
use field::ops::{MAX_LANES, WordsOf};
use field::{Backends, FieldOps, Mask, Prime, Row, Scalar, Task};

/// BIP340 signatures that are hashed before they become equations.
pub(super) const SCHNORR_TOGETHER: usize = 64;
/// s that are inverted together.
pub(super) const DIVIDED_TOGETHER: usize = 128;

/// g·G + f·K = R.
#[derive(Clone, Copy)]
pub(super) struct Equation<C: CurveParams> {
    /// Where its verdict goes.
    pub(super) at: u32,
    /// The number of K.
    pub(super) key: u32,
    /// x and the parity of y of R; `None` for an equation that is settled.
    pub(super) nonce: Option<(WordsOf<C::Field>, Parity)>,
    /// g.
    pub(super) base: Scalar<C::Order>,
    /// f.
    pub(super) factor: Scalar<C::Order>,
}

/// What is hashed before a row's parts: which parts follow.
const SCHNORR: u8 = 0;
const RECOVERABLE: u8 = 0x10;
const TAPROOT: u8 = 0x20;

impl<C, B> Batch<C, B>
where
    C: CurveParams<Field: Prime<Bytes = [u8; 32]>>,
    B: Backends<C::Field, C::Order>,
{
    /// Takes in BIP340 signatures, whose verdicts go to `at`.
    pub fn push_schnorr(&mut self, at: &[u32], rows: &[schnorr::VerifyRow<'_, C>], verdicts: &mut [Verdict]) {
        let f = self.b.lanes();
        let mut pairs = [[[0; 32]; 2]; SCHNORR_TOGETHER];
        for (at, rows) in at.chunks(SCHNORR_TOGETHER).zip(rows.chunks(SCHNORR_TOGETHER)) {
            let challenges = schnorr::challenges::<C, _>(f, rows);
            for (([first, second], e), row) in pairs.iter_mut().zip(&challenges).zip(rows) {
                first.copy_from_slice(e.to_be_bytes().as_ref());
                second.copy_from_slice(&row.signature[32..]);
            }
            self.transcript.pairs(f, SCHNORR, pairs.get(..rows.len()).unwrap_or(&pairs));
            for ((at, row), e) in at.iter().zip(rows).zip(&challenges) {
                let (nonce, base) = schnorr::parse::<C>(row.signature).unzip();
                let nonce = nonce.map(|x| (x, Parity::Even));
                let pushed = self.push(*at, &row.key, nonce, base.unwrap_or(Scalar::ZERO), e.neg());
                if let (Err(error), Some(place)) = (pushed, verdicts.get_mut(*at as usize)) {
                    *place = Verdict::Malformed(error);
                }
            }
        }
    }

    /// Takes in an ECDSA signature with its recovery id.
    ///
    /// # Errors
    /// [`ParseError`] if the key has two coordinates that are no point: the row is not taken in.
    pub fn push_recoverable(&mut self, at: u32, row: &ecdsa::RecoverableRow<'_, C>) -> Result<(), ParseError> {
        let ecdsa::RecoverableRow { digest, signature, id, key, low_s } = row;
        let refused = *low_s == LowS::Required && !signature.is_low_s();
        let x = ecdsa::recover::nonce_x::<C>(signature, *id).filter(|_| !refused);
        let Some(x) = x else { return self.refuse(at, key) };
        let z = Scalar::<C::Order>::from_digest(*digest);
        let (r, s) = signature.to_compact();
        let (parity, _) = self.even(key)?;
        let mut parts = [0; 128];
        parts[..32].copy_from_slice(r.as_ref());
        parts[32..64].copy_from_slice(s.as_ref());
        parts[64..96].copy_from_slice(z.to_be_bytes().as_ref());
        limbs::to_be_bytes(key.x_words(), &mut parts[96..]);
        self.transcript.row(RECOVERABLE | id.to_u8() << 1 | parity as u8, [&parts, &[]]);
        self.divisors.push((self.equations.len() as u32, *signature.s()));
        self.push(at, key, Some((x, Parity::from_is_odd(id.y_is_odd()))), z, *signature.r())
    }

    /// Takes in an internal key, whose y is taken as even, the root of its script tree, and the output key that they should give.
    ///
    /// # Errors
    /// As [`push_recoverable`](Self::push_recoverable).
    pub fn push_taproot(
        &mut self,
        at: u32,
        internal: &Encoded<C>,
        merkle_root: Option<&[u8; 32]>,
        output: &[u8; 32],
        parity: Parity,
    ) -> Result<(), ParseError> {
        let mut x = [0; 32];
        limbs::to_be_bytes(internal.x_words(), &mut x);
        let tweak = TaggedHash::TAP_TWEAK.hash(&[&x, merkle_root.map_or(&[], |root| root)]);
        let output_x = below_p::<C>(output);
        let Some((x, t)) = output_x.zip(Scalar::from_be_bytes(&tweak)) else { return self.refuse(at, internal) };
        self.transcript.row(TAPROOT | parity as u8, [&tweak, output]);
        self.push(at, internal, Some((x, parity)), t, Scalar::ONE)
    }

    /// An equation that does not hold, whatever the key is.
    fn refuse(&mut self, at: u32, key: &Encoded<C>) -> Result<(), ParseError> {
        self.push(at, key, None, Scalar::ZERO, Scalar::ZERO)
    }

    fn push(
        &mut self,
        at: u32,
        key: &Encoded<C>,
        nonce: Option<(WordsOf<C::Field>, Parity)>,
        base: Scalar<C::Order>,
        factor: Scalar<C::Order>,
    ) -> Result<(), ParseError> {
        // Keys are kept by x and with an even y: what is no point must not stand for one that is.
        let (parity, even) = self.even(key)?;
        let key = self.keys.number(&even);
        let factor = if parity == Parity::Odd { factor.neg() } else { factor };
        self.equations.push(Equation { at, key, nonce, base, factor });
        Ok(())
    }

    /// The key with an even y, and the parity of the key itself. One that has both coordinates is checked.
    fn even(&self, key: &Encoded<C>) -> Result<(Parity, Encoded<C>), ParseError> {
        let point = match key {
            Encoded::Lift(x, parity) => return Ok((*parity, Encoded::Lift(*x, Parity::Even))),
            Encoded::Point(point) => *point,
            Encoded::Check(_) => key.decode(self.b.one())?,
        };
        let parity = Parity::from_is_odd(point.y_is_odd());
        Ok((parity, Encoded::Point(if parity == Parity::Odd { point.negate() } else { point })))
    }
}

impl<C: CurveParams, B: Backends<C::Field, C::Order>> Batch<C, B> {
    /// z/s and r/s where s is still to divide: an inversion for each [`DIVIDED_TOGETHER`].
    pub(super) fn divide(&mut self) {
        let (mut s, mut inverses) = ([Scalar::ONE; DIVIDED_TOGETHER], [Scalar::ONE; DIVIDED_TOGETHER]);
        for divisors in self.divisors.chunks(DIVIDED_TOGETHER) {
            for (s, (_, divisor)) in s.iter_mut().zip(divisors) {
                *s = *divisor;
            }
            batch_invert_scalars_vartime(&s[..divisors.len()], &mut inverses);
            for (inverse, (number, _)) in inverses.iter().zip(divisors) {
                if let Some(equation) = self.equations.get_mut(*number as usize) {
                    equation.base = equation.base.mul(inverse);
                    equation.factor = equation.factor.mul(inverse);
                }
            }
        }
    }

    /// Brings the keys, G and λ times all of them to `points`. Equations that were refused, or whose key is no point, are settled.
    pub(super) fn lift_keys(&mut self, verdicts: &mut [Verdict]) {
        let (f, n, k) = (self.b.lanes(), self.equations.len(), self.keys.len());
        self.points.clear();
        self.points.resize(2 * (n + k + 1), C::GENERATOR);
        let (keys, generator) = self.points[2 * n..].split_at_mut(2 * k);
        let g = [Encoded::<C>::Point(AffinePoint::GENERATOR)];
        f.outline(LiftRows { f, encoded: &g, rows: generator, first: 0, stride: 1 });
        for first in (0..k).step_by(B::Lanes::LANES) {
            let group = self.keys.group(first, B::Lanes::LANES);
            let count = group.len();
            let good = f.outline(LiftRows { f, encoded: group, rows: keys, first, stride: k });
            for lane in (0..count).filter(|lane| good.0 >> lane & 1 == 0) {
                self.keys.set_bad(first + lane);
            }
        }
        for equation in &mut self.equations {
            if self.keys.is_bad(equation.key) {
                equation.settle(Verdict::Malformed(ParseError::NotOnCurve), verdicts);
            } else if equation.nonce.is_none() {
                equation.settle(Verdict::Invalid, verdicts);
            }
        }
    }

    /// Brings R and λ·R to `points`. Equations whose R is no point are settled.
    pub(super) fn lift_nonces(&mut self, verdicts: &mut [Verdict]) {
        let (f, n) = (self.b.lanes(), self.equations.len());
        let mut encoded = [Encoded::<C>::Point(AffinePoint::GENERATOR); MAX_LANES];
        for (number, equations) in self.equations.chunks_mut(B::Lanes::LANES).enumerate() {
            for (encoded, equation) in encoded.iter_mut().zip(&*equations) {
                *encoded = match equation.nonce {
                    Some((x, parity)) => Encoded::Lift(x, parity),
                    None => Encoded::Point(AffinePoint::GENERATOR),
                };
            }
            let (encoded, first) = (&encoded[..equations.len()], number * B::Lanes::LANES);
            let good = f.outline(LiftRows { f, encoded, rows: &mut self.points, first, stride: n });
            for (lane, equation) in equations.iter_mut().enumerate() {
                if equation.nonce.is_some() && good.0 >> lane & 1 == 0 {
                    equation.settle(Verdict::Invalid, verdicts);
                }
            }
        }
    }
}

impl<C: CurveParams> Equation<C> {
    /// Gives the verdict; the equation counts no more.
    pub(super) fn settle(&mut self, verdict: Verdict, verdicts: &mut [Verdict]) {
        self.nonce = None;
        if let Some(place) = verdicts.get_mut(self.at as usize) {
            *place = verdict;
        }
    }
}

/// A coordinate below p.
fn below_p<C: CurveParams>(bytes: &[u8]) -> Option<WordsOf<C::Field>> {
    limbs::from_be_bytes(bytes).filter(|x| limbs::less_than(x, &C::Field::MODULUS.m))
}

/// Points and λ times them to `rows`, from `first` and from `first + stride` on; the lanes in which there is a point. Others get G.
struct LiftRows<'a, C: CurveParams, F> {
    f: F,
    encoded: &'a [Encoded<C>],
    rows: &'a mut [Row<WordsOf<C::Field>>],
    first: usize,
    stride: usize,
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for LiftRows<'_, C, F> {
    type Out = Mask;

    #[inline(always)]
    fn run(self) -> Mask {
        let Self { f, encoded, rows, first, stride } = self;
        let (point, good) = Encoded::decode_each(f, encoded);
        let mut at = [0; MAX_LANES];
        for (lane, at) in at.iter_mut().enumerate() {
            *at = (first + lane) as u32;
        }
        f.store_rows(&point.x, &point.y, rows, &at[..encoded.len()]);
        let x = f.mul(&point.x, &f.constant(&C::GLV.beta));
        for at in &mut at {
            *at += stride as u32;
        }
        f.store_rows(&x, &point.y, rows, &at[..encoded.len()]);
        good
    }
}
