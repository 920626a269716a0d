//! Derivation paths: `m/44'/0'/0'/0/1`.

use crate::error::ParseError;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// Indices from here on are hardened: they derive from the secret key.
const HARDENED: u32 = 1 << 31;

/// The index of a child key, hardened from 2^31 on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChildNumber(pub u32);

impl ChildNumber {
    /// Does the child derive from the secret key only?
    pub const fn is_hardened(self) -> bool {
        self.0 >= HARDENED
    }
}

impl fmt::Display for ChildNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 % HARDENED)?;
        f.write_str(if self.is_hardened() { "'" } else { "" })
    }
}

/// The indices from one key down to another.
///
/// Its text: indices below 2^31 in decimal, parted by `/`, hardened ones with `'`, `h` or `H` after them; before them `m/`
/// or nothing. `m` alone is the key itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DerivationPath(Vec<ChildNumber>);

impl DerivationPath {
    /// The path through these children.
    pub fn new(children: impl IntoIterator<Item = ChildNumber>) -> Self {
        Self(children.into_iter().collect())
    }

    /// The indices, from the first derivation to the last.
    pub fn children(&self) -> &[ChildNumber] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a DerivationPath {
    type Item = ChildNumber;
    type IntoIter = core::iter::Copied<core::slice::Iter<'a, ChildNumber>>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

impl FromStr for DerivationPath {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "m" {
            return Ok(Self::default());
        }
        text.strip_prefix("m/").unwrap_or(text).split('/').map(child).collect::<Result<_, _>>().map(Self)
    }
}

fn child(text: &str) -> Result<ChildNumber, ParseError> {
    let digits = text.strip_suffix(['\'', 'h', 'H']);
    let hardened = digits.is_some();
    let digits = digits.unwrap_or(text);
    // `u32::from_str` takes a plus sign, a path does not.
    let index = match digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u32>()) {
        Some(Ok(index)) if index < HARDENED => index,
        _ => return Err(ParseError::Path),
    };
    Ok(ChildNumber(if hardened { index | HARDENED } else { index }))
}

impl fmt::Display for DerivationPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("m")?;
        self.into_iter().try_for_each(|child| write!(f, "/{child}"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn texts_of_paths() {
        for (text, canonical) in [
            ("m", "m"),
            ("m/0", "m/0"),
            ("m/44'/0h/0H/0/1", "m/44'/0'/0'/0/1"),
            ("2147483647'/2147483647", "m/2147483647'/2147483647"),
        ] {
            assert_eq!(text.parse::<DerivationPath>().unwrap().to_string(), canonical);
        }
        for text in [
            "",
            "/",
            "m/",
            "M/0",
            "m//0",
            "m/0/",
            "m/m/123",
            "a/0",
            "m/+1",
            "m/-1",
            "m/ 1",
            "m/1.5",
            "m/'",
            "m/0''",
            "m/2147483648",
            "m/4294967296",
            "m/99999999999999999999",
            "m0",
            "m/0x1",
            "m/١",
        ] {
            assert_eq!(text.parse::<DerivationPath>(), Err(ParseError::Path), "{text}");
        }
    }
}
