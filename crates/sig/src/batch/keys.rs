//! The distinct keys of a batch: rows of one key share its point, its square root and its multiple.
//!
//! Keys are told apart by x; a key with an odd y is the negated one. A hash table with open addressing finds them. Its hash
//! function is drawn for each batch, so that nobody can choose keys that collide; and it looks at [`MAX_PROBES`] places at most,
//! then takes the key as a new one: that costs a multiple of a point, never a verdict, and time stays linear.

use alloc::vec::Vec;
use curve::CurveParams;
use curve::encode::Encoded;
use field::ops::WordsOf;

/// No key.
const EMPTY: u32 = u32::MAX;
/// Places that are looked at for a key.
const MAX_PROBES: usize = 16;

/// The keys and the table that finds them.
pub(super) struct Keys<C: CurveParams> {
    /// Each with an even y: x alone, or the point.
    keys: Vec<Encoded<C>>,
    /// The keys whose x no point has.
    bad: Vec<bool>,
    /// Numbers of keys; its length is a power of two.
    table: Vec<u32>,
    /// The hash function.
    multipliers: [u64; 4],
}

impl<C: CurveParams> Keys<C> {
    pub(super) fn new() -> Self {
        Self { keys: Vec::new(), bad: Vec::new(), table: Vec::new(), multipliers: [0; 4] }
    }

    /// Forgets all keys; makes room for those of so many rows, and takes a hash function that nobody can foretell.
    pub(super) fn clear(&mut self, rows: usize, multipliers: [u64; 4]) {
        self.keys.clear();
        self.bad.clear();
        self.table.clear();
        self.table.resize((2 * rows).next_power_of_two().max(16), EMPTY);
        self.multipliers = multipliers;
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// At most `count` keys from this number on.
    pub(super) fn group(&self, first: usize, count: usize) -> &[Encoded<C>] {
        let rest = self.keys.get(first..).unwrap_or_default();
        rest.get(..count).unwrap_or(rest)
    }

    /// No point has this key's x.
    pub(super) fn set_bad(&mut self, number: usize) {
        if let Some(bad) = self.bad.get_mut(number) {
            *bad = true;
        }
    }

    pub(super) fn is_bad(&self, number: u32) -> bool {
        self.bad.get(number as usize).is_some_and(|bad| *bad)
    }

    /// The number of this key: that of an earlier one with the same x, or a new one. Its y is even.
    #[inline]
    pub(super) fn number(&mut self, key: &Encoded<C>) -> u32 {
        // Without a table, before the first batch, no key is found.
        let mask = self.table.len().wrapping_sub(1);
        let mut place = self.hash(key.x_words()) as usize & mask;
        let new = self.keys.len() as u32;
        for _ in 0..MAX_PROBES {
            match self.table.get_mut(place) {
                Some(number) if *number == EMPTY => {
                    *number = new;
                    break;
                }
                Some(number) => match self.keys.get(*number as usize) {
                    Some(other) if other.x_words() == key.x_words() => return *number,
                    _ => place = (place + 1) & mask,
                },
                None => break,
            }
        }
        self.keys.push(*key);
        self.bad.push(false);
        new
    }

    /// Products of neighbouring words with the drawn numbers mixed in, both halves of them.
    #[inline]
    fn hash(&self, x: &WordsOf<C::Field>) -> u64 {
        let mut hash = 0u64;
        for (i, pair) in x.as_ref().chunks(2).enumerate() {
            let [a, b] = [0, 1].map(|j| {
                let word = pair.get(j).copied().unwrap_or(0);
                word ^ self.multipliers[(2 * i + j) % 4].rotate_left(i as u32)
            });
            let product = u128::from(a) * u128::from(b);
            hash = hash.rotate_left(23) ^ product as u64 ^ (product >> 64) as u64;
        }
        hash ^ hash >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use curve::{Parity, Secp256k1};

    /// Before a batch is started there is no table: every key is a new one.
    #[test]
    fn keys_without_a_table() {
        let mut keys = Keys::<Secp256k1>::new();
        let key = Encoded::Lift([1, 0, 0, 0], Parity::Even);
        assert_eq!([keys.number(&key), keys.number(&key)], [0, 1]);
    }

    /// Equal keys have one number, and different ones never, whatever collides.
    #[test]
    fn numbers_of_keys() {
        let drawn = [0x9E37_79B9_7F4A_7C15, 0xF39C_C060_5CED_C834, 0x1082_276B_F3A2_7251, 0xF86C_6A11_D0C1_8E95];
        for multipliers in [[0; 4], drawn] {
            let mut keys = Keys::<Secp256k1>::new();
            keys.clear(300, multipliers);
            for round in 0..3 {
                for i in 0..100 {
                    // With multipliers of 0 all these collide, and most find no place in the table.
                    let key = Encoded::Lift([i, 0, i << 50, 0], Parity::Even);
                    let number = keys.number(&key);
                    assert_eq!(keys.group(number as usize, 1), [key]);
                    assert!(multipliers == [0; 4] && round > 0 || u64::from(number) == i);
                }
            }
        }
    }
}
