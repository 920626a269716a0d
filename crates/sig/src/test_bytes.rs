//! Bytes of published vectors.

/// The bytes of a hexadecimal text.
pub(crate) fn hex<const N: usize>(text: &str) -> [u8; N] {
    assert_eq!(text.len(), 2 * N);
    core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap_or_default())
}
