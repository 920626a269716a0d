//! Secrets come from a file or from standard input, never from the command line, where other users see them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use windlass::SecretKey;
use zeroize::Zeroizing;

use crate::failure::Failure;

/// The longest secret file: an extended key has 111 characters, a seed 128 digits.
const SECRET_BYTES: usize = 4096;

/// The text of a secret file (`-`: standard input), without blanks around it.
pub fn read_text(path: &Path) -> Result<Zeroizing<String>, Failure> {
    let (name, reader): (String, Box<dyn Read>) = if path.as_os_str() == "-" {
        ("standard input".to_owned(), Box::new(io::stdin()))
    } else {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|e| Failure::new(format!("{name}: {e}")))?;
        (name, Box::new(file))
    };
    // One allocation, so that growing leaves no copy behind.
    let mut text = Zeroizing::new(String::with_capacity(SECRET_BYTES + 1));
    let read = reader.take(SECRET_BYTES as u64 + 1).read_to_string(&mut text);
    read.map_err(|e| Failure::new(format!("{name}: {e}")))?;
    if text.len() > SECRET_BYTES {
        return Err(Failure::new(format!("{name}: longer than {SECRET_BYTES} bytes, so no secret")));
    }
    Ok(Zeroizing::new(text.trim().to_owned()))
}

/// A secret key: 64 hex digits.
pub fn read_key(path: &Path) -> Result<SecretKey, Failure> {
    let text = read_text(path)?;
    let digits = text.strip_prefix("0x").unwrap_or(&text);
    let mut bytes = Zeroizing::new([0u8; 32]);
    let name = path.display();
    if digits.starts_with("0x") || const_hex::decode_to_slice(digits, bytes.as_mut()).is_err() {
        return Err(Failure::new(format!("{name}: a secret key is 64 hex digits")));
    }
    SecretKey::from_bytes(&bytes).map_err(|_| Failure::new(format!("{name}: the secret key is 0 or not below n")))
}

/// Bytes from the operating system.
pub fn random() -> Result<Zeroizing<[u8; 32]>, Failure> {
    let mut bytes = Zeroizing::new([0u8; 32]);
    getrandom::fill(bytes.as_mut()).map_err(|e| Failure::new(format!("no randomness from the system: {e}")))?;
    Ok(bytes)
}
