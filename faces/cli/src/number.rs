//! Natural numbers of any size on the command line and in files: hex after 0x, else decimal.

use std::io::Read;
use std::path::Path;

use crate::failure::Failure;
use crate::input::Source;

/// The longest text that is read as a number: 2^20 characters.
const LONGEST: usize = 1 << 20;

/// The big-endian bytes of a number, or of the number in a file for `@FILE`; `@-` is standard input. `what` names it in messages.
pub fn bytes(what: &str, text: &str) -> Result<Vec<u8>, Failure> {
    match text.strip_prefix('@') {
        None => parse(what, text),
        Some(file) => {
            let mut text = String::new();
            let source = Source::from_argument(Path::new(file));
            let read = match &source {
                Source::Stdin => std::io::stdin().lock().take(LONGEST as u64 + 1).read_to_string(&mut text),
                Source::File(path) => {
                    std::fs::File::open(path).and_then(|file| file.take(LONGEST as u64 + 1).read_to_string(&mut text))
                }
            };
            read.map_err(|e| Failure::new(format!("cannot read {}: {e}", source.name())))?;
            parse(what, &text)
        }
    }
}

fn parse(what: &str, text: &str) -> Result<Vec<u8>, Failure> {
    let text = text.trim();
    if text.len() > LONGEST {
        return Err(Failure::new(format!("{what} has more than {LONGEST} characters")));
    }
    let bytes = match text.strip_prefix("0x") {
        Some(digits) if digits.len() % 2 == 1 => const_hex::decode(["0", digits].concat()).ok(),
        // A second prefix is none.
        Some(digits) if !digits.starts_with("0x") => const_hex::decode(digits).ok(),
        Some(_) => None,
        None => from_decimal(text),
    };
    bytes.ok_or_else(|| Failure::new(format!("{what} is no number: decimal digits, or hex digits after 0x")))
}

/// The big-endian bytes of decimal digits, one at least.
fn from_decimal(digits: &str) -> Option<Vec<u8>> {
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let mut words: Vec<u64> = Vec::new();
    let mut rest = digits;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.len().min(19));
        let mut carry = u128::from(chunk.parse::<u64>().ok()?);
        for word in &mut words {
            let sum = u128::from(*word) * 10u128.pow(chunk.len() as u32) + carry;
            (*word, carry) = (sum as u64, sum >> 64);
        }
        if carry > 0 {
            words.push(carry as u64);
        }
        rest = after;
    }
    Some(words.iter().rev().flat_map(|word| word.to_be_bytes()).collect())
}

/// The decimal digits of big-endian bytes.
#[must_use]
pub fn to_decimal(bytes: &[u8]) -> String {
    const CHUNK: u128 = 10_000_000_000_000_000_000;
    let mut words: Vec<u64> =
        bytes.rchunks(8).map(|chunk| chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))).collect();
    let mut chunks = Vec::new();
    while words.iter().any(|&word| word != 0) {
        let mut rest = 0;
        for word in words.iter_mut().rev() {
            let wide = rest << 64 | u128::from(*word);
            (*word, rest) = ((wide / CHUNK) as u64, wide % CHUNK);
        }
        chunks.push(rest);
    }
    let mut text = chunks.pop().unwrap_or(0).to_string();
    text.extend(chunks.iter().rev().map(|chunk| format!("{chunk:019}")));
    text
}

/// Hex after 0x, without leading zeros: `0x0` is zero.
#[must_use]
pub fn to_hex(bytes: &[u8]) -> String {
    let digits = const_hex::encode(bytes);
    match digits.trim_start_matches('0') {
        "" => "0x0".to_owned(),
        digits => format!("0x{digits}"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        for (decimal, hex) in [
            ("0", "0x0"),
            ("255", "0xff"),
            ("18446744073709551616", "0x10000000000000000"),
            ("10000000000000000000", "0x8ac7230489e80000"),
            ("340282366920938463463374607431768211455", "0xffffffffffffffffffffffffffffffff"),
            ("100000000000000000000000000000000000000000", "0x125dfa371a19e6f7cb54395ca0000000000"),
        ] {
            assert_eq!(to_hex(&bytes("", decimal).unwrap()), hex);
            assert_eq!(to_decimal(&bytes("", hex).unwrap()), decimal);
        }
        for bad in ["", " ", "0x0x1", "0xg", "12a", "-1", "+1", "1 2"] {
            assert!(bytes("", bad).is_err(), "{bad}");
        }
        assert_eq!((bytes("", "0x").unwrap(), bytes("", " 007\n").unwrap().last()), (vec![], Some(&7)));
    }
}
