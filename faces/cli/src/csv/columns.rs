//! Which column of a CSV file holds what.

use std::str::FromStr;

use super::split;

/// What the signature is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signed {
    /// A digest of 32 bytes, taken as it stands.
    Digest,
    /// A message, which ECDSA hashes with SHA-256.
    Message,
}

impl Signed {
    /// The name of its column.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Signed::Digest => "digest",
            Signed::Message => "message",
        }
    }
}

/// `--column name=header`: the column that holds `name` is headed `header`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnName {
    name: &'static str,
    header: String,
}

const NAMES: [&str; 4] = ["pubkey", "signature", "digest", "message"];

impl FromStr for ColumnName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, header) = text.split_once('=').ok_or("write it as name=header")?;
        let name = NAMES
            .into_iter()
            .find(|&known| known == name)
            .ok_or_else(|| format!("unknown name `{name}`: it is one of {}", NAMES.join(", ")))?;
        if header.is_empty() {
            return Err("the header's name is empty".to_owned());
        }
        Ok(Self { name, header: header.to_owned() })
    }
}

/// The columns of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    count: usize,
    pubkey: usize,
    signature: usize,
    signed: (Signed, usize),
}

impl Columns {
    /// Finds the columns in a header. The error says which one is missing or twice there.
    pub fn from_header(header: &[u8], names: &[ColumnName]) -> Result<Self, String> {
        let (mut text, mut ends) = (Vec::new(), Vec::new());
        let count = split(&mut csv_core::Reader::new(), header, &mut text, &mut ends)?;
        let mut start = 0;
        let mut headers = Vec::new();
        for &end in ends.iter().take(count) {
            let field = text.get(start..end).unwrap_or_default();
            let field = std::str::from_utf8(field).map_err(|_| "the header is not UTF-8".to_owned())?;
            headers.push(field.trim());
            start = end;
        }
        for (i, a) in names.iter().enumerate() {
            if names.iter().take(i).any(|b| b.name == a.name) {
                return Err(format!("--column gives `{}` twice", a.name));
            }
        }
        let mapped = |name: &str| names.iter().find(|n| n.name == name).map(|n| n.header.as_str());
        let find = |name: &str| -> Result<Option<usize>, String> {
            let wanted = mapped(name).unwrap_or(name);
            let mut at = headers.iter().enumerate().filter(|(_, h)| **h == wanted).map(|(i, _)| i);
            match (at.next(), at.next()) {
                (Some(_), Some(_)) => Err(format!("the header has two columns `{wanted}`")),
                (None, _) if mapped(name).is_some() => {
                    Err(format!("the header has no column `{wanted}`: {}", listed(&headers)))
                }
                (found, _) => Ok(found),
            }
        };
        let need = |name: &str| {
            find(name)?.ok_or_else(|| {
                format!("the header has no column `{name}` (--column {name}=HEADER names it): {}", listed(&headers))
            })
        };
        let signed = match (mapped("digest").is_some(), mapped("message").is_some()) {
            (true, true) => return Err("--column names both a digest and a message: a row has one of them".to_owned()),
            (true, false) => (Signed::Digest, need("digest")?),
            (false, true) => (Signed::Message, need("message")?),
            (false, false) => match (find("digest")?, find("message")?) {
                (Some(_), Some(_)) => {
                    let why = "the header has both `digest` and `message`: choose with --column digest=digest or --column message=message";
                    return Err(why.to_owned());
                }
                (Some(i), None) => (Signed::Digest, i),
                (None, Some(i)) => (Signed::Message, i),
                (None, None) => {
                    let why = "the header has neither `digest` nor `message` (--column digest=HEADER names one)";
                    return Err(format!("{why}: {}", listed(&headers)));
                }
            },
        };
        Ok(Self { count, pubkey: need("pubkey")?, signature: need("signature")?, signed })
    }

    /// How many columns the header has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The key's column, from 0.
    #[must_use]
    pub fn pubkey(&self) -> usize {
        self.pubkey
    }

    /// The signature's column.
    #[must_use]
    pub fn signature(&self) -> usize {
        self.signature
    }

    /// What is signed, and its column.
    #[must_use]
    pub fn signed(&self) -> (Signed, usize) {
        self.signed
    }
}

fn listed(headers: &[&str]) -> String {
    const SHOWN_BYTES: usize = 300;
    let mut list = format!("it has {}", headers.join(", "));
    if list.len() > SHOWN_BYTES {
        list = list.chars().take(SHOWN_BYTES).collect::<String>() + "…";
    }
    list
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn columns(header: &str, names: &[&str]) -> Result<Columns, String> {
        let names: Vec<ColumnName> = names.iter().map(|n| n.parse().unwrap()).collect();
        Columns::from_header(header.as_bytes(), &names)
    }

    #[test]
    fn columns_are_found_by_name_or_by_mapping() {
        let c = columns("id,\"signature\", pubkey ,message", &[]).unwrap();
        assert_eq!((c.pubkey(), c.signature(), c.signed(), c.count()), (2, 1, (Signed::Message, 3), 4));
        let c = columns("k,s,h", &["pubkey=k", "signature=s", "digest=h"]).unwrap();
        assert_eq!((c.pubkey(), c.signature(), c.signed()), (0, 1, (Signed::Digest, 2)));
        // a mapping decides between the two
        let c = columns("pubkey,signature,digest,message", &["message=message"]).unwrap();
        assert_eq!(c.signed(), (Signed::Message, 3));
    }

    #[test]
    fn a_header_that_does_not_say_enough_is_refused() {
        for (header, names, says) in [
            ("pubkey,signature", &[][..], "neither"),
            ("pubkey,digest", &[], "`signature`"),
            ("pubkey,signature,digest,message", &[], "both"),
            ("pubkey,pubkey,signature,digest", &[], "two columns"),
            ("pubkey,signature,digest", &["digest=h"], "no column `h`"),
            ("pubkey,signature,digest", &["digest=digest", "message=digest"], "both"),
            ("a,a,signature,digest", &["pubkey=a", "pubkey=b"], "twice"),
        ] {
            let error = columns(header, names).unwrap_err();
            assert!(error.contains(says), "{header} {names:?}: {error}");
        }
        assert!("key=x".parse::<ColumnName>().is_err());
        assert!("pubkey".parse::<ColumnName>().is_err());
        assert!("pubkey=".parse::<ColumnName>().is_err());
    }
}
