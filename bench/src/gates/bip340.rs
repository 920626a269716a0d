//! BIP340's own vectors.

mod figures;

use anyhow::{Context, Result};

use figures::{Figures, VECTORS};

pub(super) struct Vector {
    pub(super) number: u32,
    /// The secret and the auxiliary randomness, where the vector is one of signing too.
    pub(super) signing: Option<([u8; 32], [u8; 32])>,
    pub(super) key: [u8; 32],
    pub(super) message: Vec<u8>,
    pub(super) signature: [u8; 64],
    pub(super) is_valid: bool,
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let nibble = |c: u8| (c as char).to_digit(16).map(|digit| digit as u8);
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(nibble(*high)? << 4 | nibble(*low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

fn array<const N: usize>(text: &str) -> Option<[u8; N]> {
    hex(text)?.try_into().ok()
}

fn vector(figures: &Figures) -> Option<Vector> {
    let (number, [secret, aux], key, message, signature, is_valid) = figures;
    Some(Vector {
        number: *number,
        signing: if secret.is_empty() { None } else { Some((array(secret)?, array(aux)?)) },
        key: array(key)?,
        message: hex(message)?,
        signature: array(signature)?,
        is_valid: *is_valid,
    })
}

pub(super) fn vectors() -> Result<Vec<Vector>> {
    VECTORS.iter().map(|figures| vector(figures).with_context(|| format!("BIP340's vector {}", figures.0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_read() {
        let vectors = vectors().unwrap_or_default();
        let count = |of: fn(&Vector) -> bool| vectors.iter().filter(|vector| of(vector)).count();
        assert_eq!((count(|_| true), count(|v| v.signing.is_some()), count(|v| v.is_valid)), (19, 8, 9));
    }
}
