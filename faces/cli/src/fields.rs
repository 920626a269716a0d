//! What a command for a single value prints: named fields, as text or as one JSON object.

use std::io::{self, Write};

use windlass::{Parity, PublicKey};
use zeroize::Zeroizing;

use crate::ethereum::address_of;
use crate::failure::Failure;

/// Named values in order. They may hold secrets, so they are wiped.
#[derive(Default)]
pub struct Fields {
    fields: Vec<(&'static str, Zeroizing<String>)>,
}

impl Fields {
    /// One more field.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((name, Zeroizing::new(value.into())));
        self
    }

    /// One more field in hex.
    #[must_use]
    pub fn with_hex(self, name: &'static str, bytes: &[u8]) -> Self {
        self.with(name, const_hex::encode(bytes))
    }

    /// A public key in all its forms.
    #[must_use]
    pub fn with_public_key(self, key: &PublicKey) -> Self {
        let (x, parity) = key.x_only();
        self.with_hex("public_key", &key.to_compressed())
            .with_hex("uncompressed", &key.to_uncompressed())
            .with_hex("x_only", &x.to_bytes())
            .with("parity", parity_name(parity))
            .with("ethereum_address", const_hex::encode_prefixed(address_of(key)))
    }

    /// The value of the first field.
    #[must_use]
    pub fn first(&self) -> Option<&str> {
        self.fields.first().map(|(_, value)| value.as_str())
    }

    /// Prints them.
    pub fn print(&self, json: bool) -> Result<(), Failure> {
        let mut text = Zeroizing::new(String::new());
        let width = self.fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (i, (name, value)) in self.fields.iter().enumerate() {
            // Names and values are letters, digits and the like: nothing that JSON escapes.
            if json {
                *text += if i == 0 { "{\"" } else { ",\"" };
                *text += &[name, "\":\"", value, "\""].concat();
            } else {
                *text += &format!("{name:<width$}  {}\n", **value);
            }
        }
        if json {
            *text += "}\n";
        }
        print(text.as_bytes())
    }
}

/// Writes to standard output.
pub fn print(text: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush()).map_err(|e| Failure::writing("the result", &e))
}

/// The word for a parity.
#[must_use]
pub fn parity_name(parity: Parity) -> &'static str {
    match parity {
        Parity::Even => "even",
        Parity::Odd => "odd",
    }
}
