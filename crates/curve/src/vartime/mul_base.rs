//! k·G for a public scalar: Σ dᵢ·2^(w i)·G with odd digits from the constant-time table, no doublings.
//!
//! k odd is Σ dᵢ·2^(w i), |dᵢ| odd and below 2^w, i < m, exactly if k < 2^(w m): with e = (k + 2^(w m) − 1)/2 its window i is
//! (dᵢ + 2^w − 1)/2. For an even k: (k + 1)·G − G, or infinity for 0.
//!
//! Cost: ⌈(bits of k)/w⌉ mixed additions, one more for an even k: 43 for 256 bits. Vartime: the loop follows the scalar's length.
//! Source: see [`crate::ct::mul_base`].

use crate::formulas::a_zero::add_mixed_any_in;
use crate::params::CurveParams;
use crate::point::{Affine, AffinePoint, Jacobian};
use arith::Words;
use field::{FieldOps, Mask, Scalar, Task};

/// k·G. Every lane has the result. Vartime.
#[inline]
pub fn mul_base<C: CurveParams, F: FieldOps<Prime = C::Field>>(f: F, k: &Scalar<C::Order>) -> Jacobian<F> {
    f.outline(MulBase::<C, F> { f, k })
}

struct MulBase<'a, C: CurveParams, F: FieldOps<Prime = C::Field>> {
    f: F,
    k: &'a Scalar<C::Order>,
}

impl<C: CurveParams, F: FieldOps<Prime = C::Field>> Task for MulBase<'_, C, F> {
    type Out = Jacobian<F>;
    #[inline(always)]
    fn run(self) -> Jacobian<F> {
        let Self { f, k } = self;
        let w = C::WINDOWS.ct_base;
        let entries = 1u32 << (w - 1);
        let bits = length(k.words());
        let (mut places, mut q) = ([Jacobian::infinity(f); 2], Affine::<F>::place(f));
        let [p, spare] = &mut places;
        let (mut p, mut spare) = (p, spare);
        let everywhere = Mask::all(F::LANES);
        // e + ½ = (k | 1)/2 + 2^(w m)/2: window i of it is window i of k >> 1, and the top one has the bit w − 1 besides.
        let windows = bits.div_ceil(w);
        for i in 0..windows {
            let top = if i + 1 == windows { 1 << (w - 1) } else { 0 };
            let v = k.bits(w * i + 1, w) as u32 & ((1 << w) - 1) | top;
            let negative = v >> (w - 1) == 0;
            let entry = if negative { entries - 1 - v } else { v - entries };
            f.load_to(&mut q.x, &mut q.y, C::TABLES.windows, &[i * entries + entry; 32][..F::LANES]);
            f.negate_in(&mut q.y, if negative { everywhere } else { Mask(0) });
            if i == 0 {
                *p = Jacobian::from((f, &q));
            } else {
                add_mixed_any_in(f, &mut p, &mut spare, &q, everywhere);
            }
        }
        if windows > 0 && !k.is_odd() {
            let minus_g = AffinePoint::<C>::GENERATOR.negate().load(f);
            add_mixed_any_in(f, &mut p, &mut spare, &minus_g, everywhere);
        }
        *p
    }
}

/// Bits up to the highest that is 1.
#[inline(always)]
fn length<W: Words>(words: &W) -> u32 {
    let words = words.as_ref();
    match words.iter().rposition(|&word| word != 0) {
        Some(top) => 64 * top as u32 + 64 - words[top].leading_zeros(),
        None => 0,
    }
}
