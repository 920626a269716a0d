//! Many independent powers: those modulo odd numbers of up to 512 bits in lanes where the engine has them, the others one by one.

use crate::lanes;
use crate::modulus::{OutputTooShort, is_trivial, modexp};
use crate::words::significant;
use crate::{Exponent, Kernels, choose};
use alloc::vec::Vec;

/// One of many powers, all big-endian, as for [`modexp`].
#[derive(Debug)]
pub struct Power<'a> {
    /// x.
    pub base: &'a [u8],
    /// e.
    pub exponent: Exponent<'a>,
    /// m.
    pub modulus: &'a [u8],
    /// Where x^e mod m is written.
    pub out: &'a mut [u8],
}

/// Every power as [`modexp`] computes it, and its verdict; what one row is changes nothing in another. Allocates. Vartime.
pub fn modexp_many<K: Kernels>(k: K, powers: &mut [Power<'_>]) -> Vec<Result<(), OutputTooShort>> {
    let mut verdicts: Vec<_> = powers.iter().map(|_| Ok(())).collect();
    let (mut short, mut long) = (Vec::new(), Vec::new());
    for (row, power) in powers.iter_mut().enumerate() {
        let modulus = significant(power.modulus);
        let in_lanes = choose::suits_lanes::<K>(modulus.len(), power.exponent)
            && modulus.last().is_some_and(|last| last & 1 == 1)
            && power.out.len() >= modulus.len()
            && !is_trivial(power.base, power.exponent, modulus, power.out);
        match (in_lanes, modulus.len()) {
            (true, ..=32) => short.push((power.exponent.bits(), row)),
            (true, _) => long.push((power.exponent.bits(), row)),
            (false, _) => verdicts[row] = modexp(k, power.base, power.exponent, power.modulus, power.out),
        }
    }
    grouped::<K, 5>(k, powers, &mut verdicts, short);
    grouped::<K, 10>(k, powers, &mut verdicts, long);
    verdicts
}

/// Eight rows at a time, those whose exponents are about as long together: the longest decides how many steps all take.
fn grouped<K: Kernels, const N: usize>(
    k: K,
    powers: &mut [Power<'_>],
    verdicts: &mut [Result<(), OutputTooShort>],
    mut rows: Vec<(u64, usize)>,
) {
    rows.sort_unstable();
    for group in rows.chunks(8) {
        let rows = || group.iter().map(|&(_, row)| row);
        // Exponents of which one is twice another's length would wait for each other.
        let even = group.first().zip(group.last()).is_some_and(|((least, _), (most, _))| *most <= 2 * least);
        if group.len() >= choose::lanes_from(N) && even {
            lanes::pow::<K, N>(k, powers, rows());
        } else {
            for row in rows() {
                let power = &mut powers[row];
                verdicts[row] = modexp(k, power.base, power.exponent, power.modulus, power.out);
            }
        }
    }
}
