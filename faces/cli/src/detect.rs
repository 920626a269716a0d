//! Which format is a file in, where the user did not say? The first row that tells decides; if none does, the
//! file's name; if that doesn't either, the user must say.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::failure::Failure;
use crate::input::{Input, Source};

/// What the rows of a file are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Format {
    /// NIP-01 events, one JSON object a line
    Nostr,
    /// signed transactions, one a line, as hex or as JSON with `raw`
    Ethereum,
    /// a header, then one signature a record
    Csv,
}

impl Format {
    /// The name as `--format` takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Nostr => "nostr",
            Format::Ethereum => "ethereum",
            Format::Csv => "csv",
        }
    }
}

/// How far into a file the format is looked for.
const PEEK_BYTES: usize = 64 << 10;

/// The format of what comes. `None` for an input without any row.
pub fn detect(input: &mut Input, source: &Source) -> Result<Option<Format>, Failure> {
    let mut scanned = 0;
    loop {
        let seen = input.peeked();
        let all = input.peeked_all() || seen.len() >= PEEK_BYTES;
        let unseen = seen.get(scanned..).unwrap_or_default();
        let complete =
            if all { seen.len() } else { memchr::memrchr(b'\n', unseen).map_or(scanned, |last| scanned + last) };
        let lines = seen.get(scanned..complete).unwrap_or_default();
        if let Some(format) = lines.split(|&b| b == b'\n').find_map(of_line) {
            return Ok(Some(format));
        }
        scanned = complete;
        if all {
            // Blank lines are no rows: so much of the first row is looked at, however many come before it.
            if input.peeked_all() || !input.drop_blank_lines() {
                break;
            }
            scanned = 0;
        }
        input.peek_more(PEEK_BYTES).map_err(|e| source.failure(&e))?;
    }
    let seen = input.peeked();
    let first = seen.split(|&b| b == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty());
    if first.is_none() && input.peeked_all() {
        return Ok(None);
    }
    let by_name = match source {
        Source::File(path) => of_name(path),
        Source::Stdin => None,
    };
    let by_bracket = matches!(first, Some([b'{' | b'[', ..])).then_some(Format::Nostr);
    by_name.or(by_bracket).map(Some).ok_or_else(|| {
        Failure::new(format!("{}: cannot tell the format: say --format nostr, ethereum or csv", source.name()))
    })
}

/// The names that tell events from transactions.
#[derive(Deserialize)]
struct Names {
    sig: Option<IgnoredAny>,
    content: Option<IgnoredAny>,
    raw: Option<IgnoredAny>,
}

fn of_line(line: &[u8]) -> Option<Format> {
    let line = line.trim_ascii();
    if line.starts_with(b"{") {
        let (event, transaction) = match serde_json::from_slice::<Names>(line) {
            Ok(names) => (names.sig.is_some() || names.content.is_some(), names.raw.is_some()),
            // Broken, or only the beginning of a long line.
            Err(_) => {
                let has = |name: &[u8]| memchr::memmem::find(line, name).is_some();
                (has(b"\"sig\":") || has(b"\"content\":"), has(b"\"raw\":"))
            }
        };
        return match (event, transaction) {
            (true, false) => Some(Format::Nostr),
            (false, true) => Some(Format::Ethereum),
            _ => None,
        };
    }
    let digits = line.strip_prefix(b"0x").unwrap_or(line);
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit) {
        return Some(Format::Ethereum);
    }
    let is_text = !line.starts_with(b"[") && std::str::from_utf8(line).is_ok();
    (is_text && line.contains(&b',')).then_some(Format::Csv)
}

fn of_name(path: &Path) -> Option<Format> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name.rsplit_once('.')?.1 {
        "csv" => Some(Format::Csv),
        "jsonl" | "ndjson" | "json" => Some(Format::Nostr),
        "hex" | "rlp" => Some(Format::Ethereum),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells() {
        for (line, format) in [
            (r#"{"id":"","pubkey":"","tags":[["t","raw"]],"content":"","sig":""}"#, Some(Format::Nostr)),
            (r#"{"chain":"mainnet","pubkey":"04","sighash":"00","raw":"02"}"#, Some(Format::Ethereum)),
            (r#"{"from":"00","raw":"02f8"#, Some(Format::Ethereum)),
            (r#"{"id":"","content":"\"raw\":"#, Some(Format::Nostr)),
            (r#"{"x":"#, None),
            ("0x02f86b", Some(Format::Ethereum)),
            ("F86B01", Some(Format::Ethereum)),
            ("pubkey,signature,digest\r", Some(Format::Csv)),
            ("", None),
            ("hello", None),
            ("[[[[,", None),
        ] {
            assert_eq!(of_line(line.as_bytes()), format, "{line}");
        }
        assert_eq!(of_line(b"\xff,\xfe"), None);
    }

    #[test]
    fn a_name_tells() {
        assert_eq!(of_name(Path::new("a/b.CSV.gz")), Some(Format::Csv));
        assert_eq!(of_name(Path::new("events.jsonl")), Some(Format::Nostr));
        assert_eq!(of_name(Path::new("events")), None);
    }
}
