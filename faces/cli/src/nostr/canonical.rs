//! Events that are written as NIP-01 wants the id's text to be: tags and content of the row are then parts of it as they
//! stand, and no string is copied, unescaped and escaped again.
//!
//! `None` is every other event and every fault: [`Event`](super::Event) reads it.

use sha2::{Digest as _, Sha256};

use crate::scan::Scan;
use crate::signatures::SchnorrRow;

/// The signature of an event, and the id of what it holds.
pub(super) struct Canonical {
    pub(super) signed: SchnorrRow,
    pub(super) id: [u8; 32],
}

/// Reads an event. `text` is a buffer.
pub(super) fn read(row: &[u8], text: &mut Vec<u8>) -> Option<Canonical> {
    let mut scan = Scan::new(row)?;
    let (mut id, mut pubkey, mut sig) = (None, None, None);
    let (mut created_at, mut kind, mut tags, mut content) = (None, None, None, None);
    scan.byte(b'{')?;
    loop {
        scan.blanks();
        let name = scan.string()?;
        scan.byte(b':')?;
        scan.blanks();
        let is_second = match name {
            b"id" => id.replace(scan.lower_hex::<32>()?).is_some(),
            b"pubkey" => pubkey.replace(scan.lower_hex::<32>()?).is_some(),
            // 19 digits are below 2^64.
            b"created_at" => created_at.replace(scan.digits(19)?).is_some(),
            b"kind" => kind.replace(scan.digits(5)?).is_some(),
            b"tags" => tags.replace(arrays_of_strings(&mut scan)?).is_some(),
            b"content" => content.replace(scan.long_string()?).is_some(),
            b"sig" => sig.replace(scan.lower_hex::<64>()?).is_some(),
            _ => return None,
        };
        if is_second {
            return None;
        }
        if !scan.another()? {
            break;
        }
    }
    scan.end()?;
    let ((_, message), (pubkey, key), (_, signature), kind) = (id?, pubkey?, sig?, kind?);
    std::str::from_utf8(kind).ok()?.parse::<u16>().ok()?;
    text.clear();
    text.reserve(row.len());
    for part in [b"[0,\"", pubkey, b"\",", created_at?, b",", kind, b",", tags?, b",\"", content?, b"\"]"] {
        text.extend_from_slice(part);
    }
    Some(Canonical { signed: SchnorrRow { message, signature, key }, id: Sha256::digest(&*text).into() })
}

/// An array of arrays of strings without a blank between them.
fn arrays_of_strings<'a>(scan: &mut Scan<'a>) -> Option<&'a [u8]> {
    let array = scan.clone();
    scan.byte(b'[')?;
    list(scan, |scan| {
        scan.exactly(b'[')?;
        list(scan, |scan| scan.string().map(drop))
    })?;
    array.until(scan)
}

/// The items of an array and the bracket after them.
fn list<'a>(scan: &mut Scan<'a>, mut item: impl FnMut(&mut Scan<'a>) -> Option<()>) -> Option<()> {
    if scan.next() == Some(b']') {
        return scan.exactly(b']');
    }
    loop {
        item(scan)?;
        match scan.next()? {
            b',' => scan.exactly(b',')?,
            _ => return scan.exactly(b']'),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::detect::Format;
    use crate::nostr::{Event, id_of};
    use crate::sample;

    /// What is read here is what the parser reads, and of sample events all are.
    fn compare(row: &[u8]) -> bool {
        let mut event = Event::default();
        let parsed = event.parse(row);
        let Some(read) = read(row, &mut Vec::new()) else { return false };
        assert_eq!(parsed, Ok(()), "{}", row.escape_ascii());
        let SchnorrRow { message, signature, key } = read.signed;
        assert_eq!((message, signature, key), (event.id, event.sig, event.pubkey));
        assert_eq!(read.id, id_of(&event), "{}", row.escape_ascii());
        true
    }

    fn samples(rows: u64) -> Vec<Vec<u8>> {
        let mut text = Vec::new();
        sample::write(&sample::Args { format: Format::Nostr, rows, seed: 3, bad: 0 }, &mut text).unwrap();
        text.trim_ascii().split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn sample_events_are_canonical() {
        for row in samples(300) {
            assert!(compare(&row), "{}", row.escape_ascii());
        }
    }

    /// With every byte changed, left out or twice there.
    #[test]
    fn other_texts_are_read_as_the_parser_reads_them_or_not_at_all() {
        for row in samples(6) {
            for at in 0..row.len() {
                for byte in
                    [0, b' ', b'"', b'\\', b',', b':', b'[', b']', b'{', b'}', b'0', b'9', b'A', b'n', b'u', 0xc3]
                {
                    let mut changed = row.clone();
                    changed[at] = byte;
                    compare(&changed);
                    changed.insert(at, row[at]);
                    compare(&changed);
                }
                let mut shorter = row.clone();
                shorter.remove(at);
                compare(&shorter);
                compare(&row[..at]);
            }
        }
    }

    #[test]
    fn blanks_and_the_order_of_fields_are_free_but_in_tags() {
        let (hex, sig) = ("ab".repeat(32), "cd".repeat(64));
        let event = |tags: &str, kind: &str| {
            format!(
                "{{ \"sig\" :\"{sig}\",  \"tags\": {tags} , \"kind\":{kind},\"content\":\"\\\"\\n é\",\"id\":\"{hex}\",\"created_at\":0,\"pubkey\":\"{hex}\"}} "
            )
        };
        for tags in ["[]", "[[]]", "[[],[]]", "[[\"a\"],[\"b\",\"\",\"c\\\\\"]]"] {
            assert!(compare(event(tags, "65535").as_bytes()), "{tags}");
        }
        for tags in
            ["[ ]", "[[] ]", "[[\"a\", \"b\"]]", "[[\"\\u0041\"]]", "[[],]", "[,]", "[\"a\"]", "[[1]]", "{}", "[[]"]
        {
            assert!(!compare(event(tags, "1").as_bytes()), "{tags}");
        }
        assert!(!compare(event("[]", "65536").as_bytes()));
        assert!(!compare(event("[]", "1,\"kind\":1").as_bytes()));
        assert!(!compare(event("[]", "1,\"x\":1").as_bytes()));
    }
}
