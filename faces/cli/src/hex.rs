//! Hex on the command line and in small files: either case, with or without 0x, blanks around it allowed.

use crate::failure::Failure;

/// Any number of bytes. `what` names them in the message, which does not repeat them: they may be a secret.
pub fn bytes(what: &str, text: &str) -> Result<Vec<u8>, Failure> {
    let text = text.trim();
    let digits = text.strip_prefix("0x").unwrap_or(text);
    if digits.starts_with("0x") {
        return Err(Failure::new(format!("{what} is not hex")));
    }
    const_hex::decode(digits).map_err(|_| Failure::new(format!("{what} is not hex")))
}

/// Exactly N bytes.
pub fn array<const N: usize>(what: &str, text: &str) -> Result<[u8; N], Failure> {
    let bytes = bytes(what, text)?;
    let count = bytes.len();
    bytes.try_into().map_err(|_| Failure::new(format!("{what} has {count} bytes, not {N}")))
}
