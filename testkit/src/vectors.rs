//! Vector files, read from the folder that the environment variable `WINDLASS_VECTORS` names.
//!
//! Without the variable a test that needs a file is skipped by name; with it, a file that is not there fails the test.

use crate::skip::{self, Missing};
use serde_json::Value;

/// The environment variable that names the folder of vectors.
pub const FOLDER_VARIABLE: &str = "WINDLASS_VECTORS";

/// The text of a vector file, or `None` after recording that `test` is skipped.
pub fn text(test: &str, file: &str) -> Option<String> {
    let Ok(folder) = std::env::var(FOLDER_VARIABLE) else {
        skip::skip(test, Missing::Vectors(file));
        return None;
    };
    let path = std::path::Path::new(&folder).join(file);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// A file that is one JSON value.
pub fn json(test: &str, file: &str) -> Option<Value> {
    text(test, file).map(|text| serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}")))
}

/// A file with a JSON value a line.
pub fn json_lines(test: &str, file: &str) -> Option<Vec<Value>> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}"));
    text(test, file).map(|text| text.lines().filter(|line| !line.is_empty()).map(parse).collect())
}

/// A CSV file whose fields hold no quotes before the last column: the rows behind the header, split into as many fields as it.
pub fn csv(test: &str, file: &str) -> Option<Vec<Vec<String>>> {
    let text = text(test, file)?;
    let columns = text.lines().next().unwrap_or_default().split(',').count();
    let split = |line: &str| line.splitn(columns, ',').map(str::to_owned).collect();
    Some(text.lines().skip(1).filter(|line| !line.is_empty()).map(split).collect())
}

/// The bytes of a hex string.
pub fn hex(text: &str) -> Vec<u8> {
    try_hex(text).unwrap_or_else(|| panic!("not hex: {text}"))
}

/// The bytes of a hex string, or `None` where it is none.
pub fn try_hex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || text.len() % 2 != 0 {
        return None;
    }
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).ok()).collect()
}

/// The N bytes of a hex string of exactly that length.
pub fn hex_array<const N: usize>(text: &str) -> [u8; N] {
    hex(text).try_into().unwrap_or_else(|_| panic!("not {N} bytes: {text}"))
}

/// Bytes as lower-case hex.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Access to JSON by names that must be there.
pub trait Fields {
    /// The string `name`.
    fn string(&self, name: &str) -> &str;
    /// The bytes of the hex string `name`.
    fn bytes(&self, name: &str) -> Vec<u8>;
    /// The array `name`.
    fn list(&self, name: &str) -> &[Value];
}

impl Fields for Value {
    fn string(&self, name: &str) -> &str {
        self[name].as_str().unwrap_or_else(|| panic!("no string {name} in {self}"))
    }
    fn bytes(&self, name: &str) -> Vec<u8> {
        hex(self.string(name))
    }
    fn list(&self, name: &str) -> &[Value] {
        self[name].as_array().unwrap_or_else(|| panic!("no array {name} in {self}"))
    }
}
