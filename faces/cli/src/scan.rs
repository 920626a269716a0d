//! JSON whose strings can be taken from the text as they stand: what most programs write. It is read without a parser,
//! without a copy; whatever is otherwise, faults too, is `None`, and the caller asks the parser.
//!
//! Short strings are told by words of eight bytes: the first byte that is zero is where `(w − 01…01) & !w & 80…80` has its
//! lowest bit (Mycroft 1987; bits above the lowest may be wrong and are not looked at).

/// A text that is read from its beginning.
#[derive(Clone, Debug)]
pub struct Scan<'a> {
    rest: &'a [u8],
}

impl<'a> Scan<'a> {
    /// From the beginning of a row. `None` if it is not UTF-8 or holds control characters, which no string may.
    #[must_use]
    pub fn new(row: &'a [u8]) -> Option<Self> {
        let any_control = row.iter().fold(false, |any, &byte| any | (byte < 0x20));
        (!any_control && simdutf8::basic::from_utf8(row).is_ok()).then_some(Self { rest: row })
    }

    /// Blanks, if there are any.
    pub fn blanks(&mut self) {
        while let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// This byte, and blanks before it.
    #[must_use]
    pub fn byte(&mut self, byte: u8) -> Option<()> {
        self.blanks();
        self.exactly(byte)
    }

    /// This byte, without blanks before it.
    #[must_use]
    pub fn exactly(&mut self, byte: u8) -> Option<()> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        (first == byte).then_some(())
    }

    /// The byte that comes, without taking it.
    #[must_use]
    pub fn next(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// The text from here to where `later` is, without the blanks that come first.
    #[must_use]
    pub fn until(mut self, later: &Self) -> Option<&'a [u8]> {
        self.blanks();
        self.rest.get(..self.rest.len().checked_sub(later.rest.len())?)
    }

    /// `,` or the end of an object, and blanks before it: is there another member?
    #[must_use]
    pub fn another(&mut self) -> Option<bool> {
        self.blanks();
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        match first {
            b',' => Some(true),
            b'}' => Some(false),
            _ => None,
        }
    }

    /// The end of the text, and blanks before it.
    #[must_use]
    pub fn end(&mut self) -> Option<()> {
        self.blanks();
        self.rest.is_empty().then_some(())
    }

    /// A whole number without sign, of at most `most` digits, as its digits.
    #[must_use]
    pub fn digits(&mut self, most: usize) -> Option<&'a [u8]> {
        self.blanks();
        let count = self.rest.iter().take(most + 1).take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at_checked(count)?;
        // No fraction, no exponent, and no zero in front.
        let ends = !matches!(rest.first(), Some(b'.' | b'e' | b'E'));
        let is_number = matches!(digits, [b'0'] | [b'1'..=b'9', ..]);
        self.rest = rest;
        (ends && is_number && count <= most).then_some(digits)
    }

    /// The text between the quotes of a short string whose escapes are NIP-01's: what it is in canonical JSON.
    #[must_use]
    pub fn string(&mut self) -> Option<&'a [u8]> {
        self.string_by(special)
    }

    /// [`string`](Self::string), for strings that may be long.
    #[must_use]
    pub fn long_string(&mut self) -> Option<&'a [u8]> {
        self.string_by(|text| memchr::memchr2(b'"', b'\\', text))
    }

    #[inline]
    fn string_by(&mut self, special: impl Fn(&[u8]) -> Option<usize>) -> Option<&'a [u8]> {
        self.exactly(b'"')?;
        let text = self.rest;
        let mut at = 0;
        loop {
            at += special(text.get(at..)?)?;
            match text.get(at..)? {
                [b'"', rest @ ..] => {
                    self.rest = rest;
                    return text.get(..at);
                }
                [b'\\', b'n' | b'r' | b't' | b'b' | b'f' | b'"' | b'\\', ..] => at += 2,
                _ => return None,
            }
        }
    }

    /// A string of lower-case hex of exactly N bytes: its digits, and what they are.
    #[must_use]
    pub fn lower_hex<const N: usize>(&mut self) -> Option<(&'a [u8], [u8; N])> {
        self.exactly(b'"')?;
        let (digits, rest) = self.rest.split_at_checked(2 * N)?;
        self.rest = rest;
        self.exactly(b'"')?;
        // In ASCII, capitals are 0x40 to 0x5f.
        let any_capital = digits.iter().fold(false, |any, &byte| any | (byte & 0x60 == 0x40));
        let mut bytes = [0; N];
        // A 0x in front would leave too few digits.
        (!any_capital && const_hex::decode_to_slice(digits, &mut bytes).is_ok()).then_some((digits, bytes))
    }
}

/// Where the first quote or backslash is, looked for in words: good for short strings.
#[inline]
fn special(text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    const HIGH: u64 = 0x80 * ONES;
    let mut at = 0;
    let mut rest = text;
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
        let found = (zeros(word ^ (0x22 * ONES)) | zeros(word ^ (0x5c * ONES))) & HIGH;
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
        rest = tail;
    }
    Some(at + rest.iter().position(|&byte| byte == b'"' || byte == b'\\')?)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_first_special_byte_is_found_wherever_it_is() {
        for length in 0..40 {
            for plain in [b'a', b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa2, 0xdc, 0xff, 0] {
                let mut text = vec![plain; length];
                assert_eq!(special(&text), None);
                for at in 0..length {
                    for byte in [b'"', b'\\'] {
                        // With another special one behind it too, and with one that is nearly special.
                        for behind in [plain, b'"', b'\\', b'"' + 1, b'\\' + 1] {
                            text[at] = byte;
                            text[at + 1..].fill(behind);
                            assert_eq!(special(&text), Some(at), "{length} {plain} {byte} {behind}");
                        }
                    }
                    text[at..].fill(plain);
                }
            }
        }
    }

    #[test]
    fn strings_and_numbers() {
        for (text, want) in [
            (r#""a\n\"b\\" rest"#, Some(r#"a\n\"b\\"#)),
            ("\"\"", Some("")),
            (r#""a\u0041""#, None),
            (r#""a\/""#, None),
            ("\"open", None),
            ("\"open\\\"", None),
            ("\"open\\", None),
            ("x", None),
            ("", None),
        ] {
            let scan = Scan::new(text.as_bytes()).unwrap();
            assert_eq!(scan.clone().string(), want.map(str::as_bytes), "{text}");
            assert_eq!(scan.clone().long_string(), want.map(str::as_bytes), "{text}");
        }
        let digits = |text: &'static str| Scan::new(text.as_bytes())?.digits(5);
        assert_eq!(digits(" 12345,"), Some(&b"12345"[..]));
        assert_eq!(digits("0}"), Some(&b"0"[..]));
        for text in ["123456", "01", "-1", "1.0", "1e3", "", "x"] {
            assert_eq!(digits(text), None, "{text}");
        }
        let hex = |text: &'static str| Scan::new(text.as_bytes())?.lower_hex::<2>();
        assert_eq!(hex("\"09af\""), Some((&b"09af"[..], [9, 0xaf])));
        for text in ["\"09aF\"", "\"0x12\"", "\"12g4\"", "\"123\"", "\"12345\"", "\"1234", "1234\""] {
            assert_eq!(hex(text), None, "{text}");
        }
        for bytes in [&b"\"\xff\""[..], b"\"\x1f\"", b"\t\"\""] {
            assert!(Scan::new(bytes).is_none());
        }
    }
}
