//! One NIP-01 event read from JSON: the seven fields, each once and of the right form; other fields are ignored.
//! Tags and content are kept as the canonical JSON that the id is made of.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The fields of an event. It is written over from row to row, so that its buffers are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The stated id.
    pub id: [u8; 32],
    /// The author's x-only key.
    pub pubkey: [u8; 32],
    /// The signature.
    pub sig: [u8; 64],
    /// Seconds since 1970.
    pub created_at: i128,
    /// The kind.
    pub kind: u16,
    /// The tags as canonical JSON, brackets included.
    pub tags: Vec<u8>,
    /// The content as canonical JSON, without the quotes around it.
    pub content: Vec<u8>,
    /// Is there a control character that NIP-01 does not escape?
    pub has_other_controls: bool,
}

impl Default for Event {
    fn default() -> Self {
        Self {
            id: [0; 32],
            pubkey: [0; 32],
            sig: [0; 64],
            created_at: 0,
            kind: 0,
            tags: Vec::new(),
            content: Vec::new(),
            has_other_controls: false,
        }
    }
}

impl Event {
    /// Reads an event. The error says what is wrong with the text.
    pub fn parse(&mut self, row: &[u8]) -> Result<(), Cow<'static, str>> {
        self.tags.clear();
        self.content.clear();
        self.has_other_controls = false;
        let mut json = serde_json::Deserializer::from_slice(row);
        let mut inside_tags = false;
        let seed = EventSeed { event: self, inside_tags: &mut inside_tags };
        let end = seed.deserialize(&mut json).and_then(|()| json.end());
        end.map_err(|e| match e.classify() {
            // NIP-01 gives no id to such an event.
            serde_json::error::Category::Data if inside_tags => TAGS_ARE_NONE.into(),
            _ => reason(&e),
        })
    }
}

const TAGS_ARE_NONE: &str = "`tags` is not an array of arrays of strings: id does not match content";

/// A parser's message, with the place counted in the line.
pub(crate) fn reason(error: &serde_json::Error) -> Cow<'static, str> {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    let place = error.column();
    match error.classify() {
        serde_json::error::Category::Data => Cow::Owned(what.to_owned()),
        _ => Cow::Owned(format!("not JSON: {what} at byte {place}")),
    }
}

#[derive(Clone, Copy)]
enum Field {
    Id,
    Pubkey,
    CreatedAt,
    Kind,
    Tags,
    Content,
    Sig,
    Other,
}

const FIELDS: [&str; 7] = ["id", "pubkey", "created_at", "kind", "tags", "content", "sig"];

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Field;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a field's name")
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<Field, E> {
                Ok(match name {
                    "id" => Field::Id,
                    "pubkey" => Field::Pubkey,
                    "created_at" => Field::CreatedAt,
                    "kind" => Field::Kind,
                    "tags" => Field::Tags,
                    "content" => Field::Content,
                    "sig" => Field::Sig,
                    _ => Field::Other,
                })
            }
        }
        deserializer.deserialize_identifier(Name)
    }
}

struct EventSeed<'e> {
    event: &'e mut Event,
    inside_tags: &'e mut bool,
}

impl<'de> DeserializeSeed<'de> for EventSeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for EventSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a Nostr event, one JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Event { id, pubkey, sig, created_at, kind, tags, content, has_other_controls } = self.event;
        let mut seen = [false; FIELDS.len()];
        while let Some(field) = map.next_key::<Field>()? {
            if let (Some(seen), Some(name)) = (seen.get_mut(field as usize), FIELDS.get(field as usize)) {
                // Programs differ in which of two they take: an event must not mean one thing here and another there.
                if std::mem::replace(seen, true) {
                    return Err(A::Error::custom(format_args!("`{name}` twice")));
                }
            }
            match field {
                Field::Id => map.next_value_seed(Hex { name: "id", to: id })?,
                Field::Pubkey => map.next_value_seed(Hex { name: "pubkey", to: pubkey })?,
                Field::Sig => map.next_value_seed(Hex { name: "sig", to: sig })?,
                Field::CreatedAt => *created_at = map.next_value_seed(Integer { name: "created_at" })?,
                Field::Kind => {
                    let n = map.next_value_seed(Integer { name: "kind" })?;
                    *kind = u16::try_from(n).map_err(|_| A::Error::custom("`kind` is not between 0 and 65535"))?;
                }
                Field::Tags => {
                    *self.inside_tags = true;
                    map.next_value_seed(Tags(&mut Canonical { out: tags, other_controls: has_other_controls }))?;
                    *self.inside_tags = false;
                }
                Field::Content => map.next_value_seed(Text {
                    name: "content",
                    to: &mut Canonical { out: content, other_controls: has_other_controls },
                })?,
                Field::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match FIELDS.iter().zip(seen).find(|(_, seen)| !seen) {
            Some((name, _)) => Err(A::Error::custom(format_args!("no `{name}`"))),
            None => Ok(()),
        }
    }
}

/// Lower-case hex of exactly N bytes.
struct Hex<'a, const N: usize> {
    name: &'static str,
    to: &'a mut [u8; N],
}

impl<'de, const N: usize> DeserializeSeed<'de> for Hex<'_, N> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<const N: usize> Visitor<'_> for Hex<'_, N> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} lower-case hex digits as `{}`", 2 * N, self.name)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let lower = !text.bytes().any(|b| b.is_ascii_uppercase());
        // decode_to_slice would take a 0x in front: the length leaves no room for it.
        if lower && text.len() == 2 * N && !text.starts_with("0x") && const_hex::decode_to_slice(text, self.to).is_ok()
        {
            return Ok(());
        }
        Err(E::custom(format_args!("`{}` is not {} lower-case hex digits", self.name, 2 * N)))
    }
}

/// An integer, which JSON writes without a fraction or an exponent.
struct Integer {
    name: &'static str,
}

impl<'de> DeserializeSeed<'de> for Integer {
    type Value = i128;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<i128, D::Error> {
        deserializer.deserialize_u64(self)
    }
}

impl Visitor<'_> for Integer {
    type Value = i128;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an integer of 64 bits as `{}`", self.name)
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<i128, E> {
        Ok(n.into())
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<i128, E> {
        Ok(n.into())
    }
}

/// Canonical JSON text that grows.
struct Canonical<'a> {
    out: &'a mut Vec<u8>,
    other_controls: &'a mut bool,
}

impl Canonical<'_> {
    /// Appends a string's characters: NIP-01's seven escapes, everything else as it is.
    fn escape(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while let Some(at) = rest.iter().position(|&byte| IS_SPECIAL[usize::from(byte)]) {
            let (plain, tail) = rest.split_at(at);
            self.out.extend_from_slice(plain);
            let Some((&special, tail)) = tail.split_first() else { return };
            let letter = match special {
                b'\n' => b'n',
                b'\r' => b'r',
                b'\t' => b't',
                0x08 => b'b',
                0x0c => b'f',
                quote_or_backslash @ (b'"' | b'\\') => quote_or_backslash,
                other => {
                    *self.other_controls = true;
                    self.out.push(other);
                    rest = tail;
                    continue;
                }
            };
            self.out.extend_from_slice(&[b'\\', letter]);
            rest = tail;
        }
        self.out.extend_from_slice(rest);
    }
}

/// Control characters, the quote and the backslash.
const IS_SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

/// A string, without the quotes around it.
struct Text<'a, 'c> {
    name: &'static str,
    to: &'a mut Canonical<'c>,
}

impl<'de> DeserializeSeed<'de> for Text<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a string in `{}`", self.name)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.to.escape(text);
        Ok(())
    }
}

/// An array of arrays of strings.
struct Tags<'a, 'c>(&'a mut Canonical<'c>);

impl<'de> DeserializeSeed<'de> for Tags<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Tags<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of arrays of strings as `tags`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut tags: A) -> Result<(), A::Error> {
        self.0.out.push(b'[');
        let empty = self.0.out.len();
        while tags.next_element_seed(Tag(self.0))?.is_some() {}
        close(self.0.out, empty);
        Ok(())
    }
}

/// One tag; a comma is left behind it.
struct Tag<'a, 'c>(&'a mut Canonical<'c>);

impl<'de> DeserializeSeed<'de> for Tag<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Tag<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of strings in `tags`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.0.out.push(b'[');
        let empty = self.0.out.len();
        loop {
            self.0.out.push(b'"');
            if items.next_element_seed(Text { name: "tags", to: self.0 })?.is_none() {
                self.0.out.pop();
                break;
            }
            self.0.out.extend_from_slice(b"\",");
        }
        close(self.0.out, empty);
        self.0.out.push(b',');
        Ok(())
    }
}

/// Puts the bracket in the place of the last comma; `empty` is the length if there is none.
fn close(out: &mut Vec<u8>, empty: usize) {
    if out.len() > empty {
        out.pop();
    }
    out.push(b']');
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn event(tags: &str, content: &str) -> String {
        let hex = "ab".repeat(32);
        format!(
            r#"{{"id":"{hex}","pubkey":"{hex}","created_at":1,"kind":2,"tags":{tags},"content":{content},"sig":"{hex}{hex}","x":[{{}}]}}"#
        )
    }

    fn parsed(text: &str) -> Result<Event, String> {
        let mut event = Event::default();
        event.parse(text.as_bytes()).map(|()| event).map_err(Cow::into_owned)
    }

    #[test]
    fn tags_and_content_become_canonical() {
        let event = parsed(&event(
            r#" [ [ ] , ["e", "\u00e9\/\n"],["\u0001"] ] "#,
            r#""a\"\\\u000a\r\t\b\f\u001f\ud83d\ude00""#,
        ))
        .unwrap();
        assert_eq!(std::str::from_utf8(&event.tags).unwrap(), "[[],[\"e\",\"é/\\n\"],[\"\u{1}\"]]");
        assert_eq!(std::str::from_utf8(&event.content).unwrap(), "a\\\"\\\\\\n\\r\\t\\b\\f\u{1f}😀");
        assert!(event.has_other_controls);
        assert_eq!(parsed(&self::event("[]", "\"\"")).unwrap().tags, b"[]");
    }

    #[test]
    fn what_is_no_event_is_said() {
        let good = event("[]", "\"\"");
        for (text, says) in [
            (good.replace("\"kind\":2", "\"kind\":65536"), "`kind` is not between"),
            (good.replace("\"kind\":2", "\"kind\":-1"), "`kind` is not between"),
            (good.replace("\"kind\":2", "\"kind\":2.0"), "`kind`"),
            (good.replace("\"kind\":2", "\"kind\":\"2\""), "`kind`"),
            (good.replace("\"kind\":2", "\"kind\":2,\"kind\":2"), "`kind` twice"),
            (good.replace("\"kind\":2", "\"kind\":2,\"\\u006bind\":2"), "`kind` twice"),
            (good.replace("\"kind\":2,", ""), "no `kind`"),
            (good.replace(":1,", ":1e3,"), "`created_at`"),
            (good.replace(":1,", ":18446744073709551616,"), "`created_at`"),
            (good.replacen("ab", "AB", 1), "`id` is not 64 lower-case"),
            (good.replacen("ab", "0x", 1), "`id` is not 64 lower-case"),
            (good.replacen("ab", "", 1), "`id` is not 64 lower-case"),
            (good.replacen("ab", "zz", 1), "`id` is not 64 lower-case"),
            (good.replace("[]", "[\"a\"]"), "`tags`"),
            (good.replace("[]", "[[1]]"), "`tags`"),
            (good.replace("[]", "[[[]]]"), "`tags`"),
            (good.replace("[]", "null"), "`tags`"),
            (good.replace("\"\"", "null"), "`content`"),
            (good.replace("\"\"", "\"\\ud800\""), "not JSON"),
            (good.clone() + "x", "not JSON"),
            (good[..good.len() - 1].to_owned(), "not JSON"),
            ("[]".to_owned(), "a Nostr event"),
            ("[".repeat(1 << 20), "a Nostr event"),
            (good.replace("[{}]", &"[".repeat(1 << 20)), "not JSON"),
            (String::new(), "not JSON"),
        ] {
            let error = parsed(&text).unwrap_err();
            assert!(error.contains(says), "{}: {error}", &text[..text.len().min(300)]);
        }
        let mut bytes = good.into_bytes();
        let at = bytes.len() - 160;
        bytes[at] = 0xff;
        assert!(Event::default().parse(&bytes).is_err());
    }
}
