//! Division steps on packed words: the twin of the x86-64 kernel of the same name, and the reference for it.

use crate::kernel::barrier;

/// `STEPS` ≤ 20 division steps (f, g, ζ) ← odd(g) and ζ < 0: (g, (g − f)/2, −ζ − 2); odd(g): (f, (g + f)/2, ζ − 1);
/// else (f, g/2, ζ − 1), on words that hold more than f and g.
///
/// A step is linear in (f, g) but for the parity of g, so words w = f + 2^21·a + 2^42·b whose upper fields are even as often as
/// they are halved make the same steps with the fields alongside. Returns (ζ, f's word, g's word). Constant time.
#[inline(always)]
pub fn divsteps_packed_portable<const STEPS: usize>(zeta: i64, f: u64, g: u64) -> (i64, u64, u64) {
    let (mut zeta, mut f, mut g) = (zeta, f, g);
    for _ in 0..STEPS {
        let odd = barrier((g & 1).wrapping_neg());
        let swap = barrier((zeta >> 63) as u64 & odd);
        // −f where the two change places, f where they do not, 0 where g is even.
        let addend = (f ^ swap).wrapping_sub(swap) & odd;
        f ^= (f ^ g) & swap;
        g = (g.wrapping_add(addend) as i64 >> 1) as u64;
        zeta = (zeta ^ swap as i64) - 1;
    }
    (zeta, f, g)
}
