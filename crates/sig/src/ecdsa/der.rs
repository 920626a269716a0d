//! `SEQUENCE { INTEGER r, INTEGER s }`: strict DER, and the lax form that Bitcoin took before BIP66.
//!
//! Strict: definite lengths in their shortest form, no byte before, between or after, integers positive and without a zero
//! byte that the sign does not need (ITU-T X.690, sections 8.1.3, 8.3 and 10.1; BIP66 without the hash type). An INTEGER that
//! is well-formed but not in 1..n is out of range, not ill-formed.
//!
//! Lax: what consensus accepted until BIP66 was enforced, and what old blocks contain.
//! 1. The sequence's length is read over: any value, and the long form with as many bytes as the input has.
//! 2. An integer's length may be in the long form with leading zero bytes.
//! 3. Integers may have leading zero bytes, and a set top bit does not make them negative.
//! 4. What follows s is read over.

use super::Signature;
use crate::error::ParseError;
use core::fmt;
use core::ops::Deref;
use field::{ByteArray, Prime, Scalar};

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
/// A length byte with this bit counts the length bytes that follow.
const LONG_FORM: u8 = 0x80;

/// Bytes of the longest signature: order of 521 bits, so two integers of 66 bytes and a sequence length of two bytes.
const MAX_BYTES: usize = 3 + 2 * (2 + 66);

/// The DER encoding of a signature, on the stack: at most 72 bytes for a group order of 256 bits. Derefs to its bytes.
#[derive(Clone, Copy)]
pub struct DerSignature {
    bytes: [u8; MAX_BYTES],
    length: usize,
}

impl DerSignature {
    fn push(&mut self, bytes: &[u8]) {
        if let Some(room) = self.bytes.get_mut(self.length..self.length + bytes.len()) {
            room.copy_from_slice(bytes);
            self.length += bytes.len();
        }
    }
}

impl Deref for DerSignature {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or(&[])
    }
}
impl AsRef<[u8]> for DerSignature {
    fn as_ref(&self) -> &[u8] {
        self
    }
}
impl PartialEq for DerSignature {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
impl Eq for DerSignature {}
impl fmt::Debug for DerSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl<Q: Prime> Signature<Q> {
    /// The signature of a strict DER encoding.
    ///
    /// # Errors
    /// [`ParseError::Der`] with the offset of the first byte that breaks a rule (the input's length if a byte is missing);
    /// [`ParseError::OutOfRange`] if r or s is well-formed but not in 1..n.
    pub fn from_der(bytes: &[u8]) -> Result<Self, ParseError> {
        let mut reader = Reader { bytes, at: 0 };
        reader.tag(SEQUENCE)?;
        let length_at = reader.at;
        let length = reader.strict_length()?;
        if length != reader.left() {
            return Err(ParseError::Der(length_at));
        }
        let r = reader.strict_integer()?;
        let s = reader.strict_integer()?;
        if reader.left() > 0 {
            return Err(ParseError::Der(reader.at));
        }
        Self::new(scalar(r)?, scalar(s)?)
    }

    /// The signature of an encoding that Bitcoin accepted before BIP66: see the [module](self).
    ///
    /// # Errors
    /// As [`from_der`](Self::from_der). (libsecp256k1's lax parser turns numbers out of range into a signature that never
    /// verifies; here they are an error.)
    pub fn from_der_lax(bytes: &[u8]) -> Result<Self, ParseError> {
        let mut reader = Reader { bytes, at: 0 };
        reader.tag(SEQUENCE)?;
        let length_at = reader.at;
        let first = reader.byte()?;
        if first & LONG_FORM != 0 {
            reader.take(usize::from(first & !LONG_FORM)).map_err(|_| ParseError::Der(length_at))?;
        }
        let r = reader.lax_integer()?;
        let s = reader.lax_integer()?;
        Self::new(scalar(r)?, scalar(s)?)
    }

    /// The DER encoding.
    pub fn to_der(&self) -> DerSignature {
        let (r, s) = self.to_compact();
        let (r, s) = (Integer::new(r.as_ref()), Integer::new(s.as_ref()));
        let mut der = DerSignature { bytes: [0; MAX_BYTES], length: 0 };
        der.push(&[SEQUENCE]);
        // Orders of at most 521 bits: every length fits a byte, and an integer's the short form.
        let length = (r.encoded_bytes() + s.encoded_bytes()) as u8;
        if length < LONG_FORM {
            der.push(&[length]);
        } else {
            der.push(&[LONG_FORM | 1, length]);
        }
        for integer in [r, s] {
            der.push(&[INTEGER, integer.content_bytes() as u8]);
            if integer.sign_byte {
                der.push(&[0]);
            }
            der.push(integer.digits);
        }
        der
    }
}

/// A positive INTEGER to be written.
struct Integer<'a> {
    /// Does a zero byte keep it positive?
    sign_byte: bool,
    /// Big-endian without leading zeros.
    digits: &'a [u8],
}

impl<'a> Integer<'a> {
    fn new(number: &'a [u8]) -> Self {
        let digits = without_leading_zeros(number);
        Self { sign_byte: digits.first().is_none_or(|&top| top & 0x80 != 0), digits }
    }
    fn content_bytes(&self) -> usize {
        usize::from(self.sign_byte) + self.digits.len()
    }
    fn encoded_bytes(&self) -> usize {
        2 + self.content_bytes()
    }
}

fn without_leading_zeros(number: &[u8]) -> &[u8] {
    number.iter().position(|&byte| byte != 0).and_then(|first| number.get(first..)).unwrap_or(&[])
}

/// The number, big-endian of any length, if it is below n.
fn scalar<Q: Prime>(number: &[u8]) -> Result<Scalar<Q>, ParseError> {
    let digits = without_leading_zeros(number);
    let mut bytes = Q::Bytes::ZERO;
    let start = Q::Bytes::LEN.checked_sub(digits.len()).ok_or(ParseError::OutOfRange)?;
    if let Some(low) = bytes.as_mut().get_mut(start..) {
        low.copy_from_slice(digits);
    }
    Scalar::from_be_bytes(bytes.as_ref()).ok_or(ParseError::OutOfRange)
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// At most the length of `bytes`.
    at: usize,
}

impl<'a> Reader<'a> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn byte(&mut self) -> Result<u8, ParseError> {
        let byte = self.bytes.get(self.at).ok_or(ParseError::Der(self.at))?;
        self.at += 1;
        Ok(*byte)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], ParseError> {
        let end = self.at.checked_add(count).ok_or(ParseError::Der(self.at))?;
        let taken = self.bytes.get(self.at..end).ok_or(ParseError::Der(self.at))?;
        self.at = end;
        Ok(taken)
    }

    fn tag(&mut self, tag: u8) -> Result<(), ParseError> {
        let at = self.at;
        if self.byte()? == tag { Ok(()) } else { Err(ParseError::Der(at)) }
    }

    /// A length in its shortest form; one length byte is enough for every order in use.
    fn strict_length(&mut self) -> Result<usize, ParseError> {
        let at = self.at;
        let first = self.byte()?;
        if first < LONG_FORM {
            return Ok(usize::from(first));
        }
        if first != LONG_FORM | 1 {
            return Err(ParseError::Der(at));
        }
        let length = self.byte()?;
        if length < LONG_FORM { Err(ParseError::Der(at + 1)) } else { Ok(usize::from(length)) }
    }

    /// The content of a positive INTEGER without superfluous bytes.
    fn strict_integer(&mut self) -> Result<&'a [u8], ParseError> {
        self.tag(INTEGER)?;
        let length_at = self.at;
        let length = self.strict_length()?;
        if length == 0 || length > self.left() {
            return Err(ParseError::Der(length_at));
        }
        let content_at = self.at;
        let content = self.take(length)?;
        match content {
            [top, ..] if top & 0x80 != 0 => Err(ParseError::Der(content_at)),
            [0, next, ..] if next & 0x80 == 0 => Err(ParseError::Der(content_at)),
            _ => Ok(content),
        }
    }

    /// The content of an INTEGER under the lax rules.
    fn lax_integer(&mut self) -> Result<&'a [u8], ParseError> {
        self.tag(INTEGER)?;
        let length_at = self.at;
        let first = self.byte()?;
        let length = if first & LONG_FORM == 0 {
            usize::from(first)
        } else {
            let long = self.take(usize::from(first & !LONG_FORM)).map_err(|_| ParseError::Der(length_at))?;
            let digits = without_leading_zeros(long);
            if digits.len() >= 4 {
                return Err(ParseError::Der(length_at));
            }
            digits.iter().fold(0, |length, &byte| length << 8 | usize::from(byte))
        };
        self.take(length).map_err(|_| ParseError::Der(length_at))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use field::secp256k1::GroupOrder;

    type Sig = Signature<GroupOrder>;

    /// r = 1, s = 128: the shortest form of each kind.
    const SMALL: [u8; 9] = [0x30, 7, 2, 1, 1, 2, 2, 0, 0x80];

    #[test]
    fn strict_form_is_the_only_one() {
        let signature = Sig::from_der(&SMALL).unwrap();
        assert_eq!(signature.s(), &Scalar::from_u64(128));
        assert_eq!(*signature.to_der(), SMALL);
        // Each change of a single bit that still parses gives another signature: no two encodings of one.
        for at in 0..SMALL.len() {
            for bit in 0..8 {
                let mut changed = SMALL;
                changed[at] ^= 1 << bit;
                match Sig::from_der(&changed) {
                    Ok(other) => assert_eq!(*other.to_der(), changed),
                    Err(error) => assert!(matches!(error, ParseError::Der(_) | ParseError::OutOfRange)),
                }
            }
        }
    }

    #[test]
    fn the_error_says_where() {
        for (der, at) in [
            (&[][..], 0),
            (&[0x31, 6], 0),
            (&[0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0], 1), // indefinite length
            (&[0x30, 0x81, 6, 2, 1, 1, 2, 1, 1], 2),    // long form of a short length
            (&[0x30, 6, 2, 1, 1, 2, 1, 1, 0], 1),       // a byte after the sequence
            (&[0x30, 7, 2, 1, 1, 2, 1, 1, 0], 8),       // a byte after s
            (&[0x30, 6, 3, 1, 1, 2, 1, 1], 2),          // not an INTEGER
            (&[0x30, 5, 2, 0, 2, 1, 1], 3),             // r is empty
            (&[0x30, 7, 2, 2, 0, 1, 2, 1, 1], 4),       // a zero byte too many
            (&[0x30, 6, 2, 1, 0x81, 2, 1, 1], 4),       // negative
            (&[0x30, 6, 2, 1, 1, 2, 2, 1], 6),          // s is cut off
        ] {
            assert_eq!(Sig::from_der(der), Err(ParseError::Der(at)), "{der:02x?}");
        }
        assert_eq!(Sig::from_der(&[0x30, 6, 2, 1, 0, 2, 1, 1]), Err(ParseError::OutOfRange));
    }

    #[test]
    fn lax_rules_one_by_one() {
        let signature = Sig::from_der(&SMALL).unwrap();
        for lax in [
            &[0x30, 0, 2, 1, 1, 2, 2, 0, 0x80][..], // 1: the sequence's length is read over
            &[0x30, 0x83, 9, 9, 9, 2, 1, 1, 2, 2, 0, 0x80],
            &[0x30, 7, 2, 0x82, 0, 1, 1, 2, 0x81, 2, 0, 0x80], // 2: long forms
            &[0x30, 7, 2, 0x85, 0, 0, 0, 0, 1, 1, 2, 2, 0, 0x80],
            &[0x30, 7, 2, 3, 0, 0, 1, 2, 1, 0x80], // 3: padded, and "negative"
            &[0x30, 7, 2, 1, 1, 2, 2, 0, 0x80, 1, 2, 3], // 4: what follows
        ] {
            assert_eq!(Sig::from_der_lax(lax), Ok(signature), "{lax:02x?}");
            assert!(Sig::from_der(lax).is_err());
        }
        for refused in [
            &[][..],
            &[0x30],
            &[0x30, 0x84, 0, 0, 0],                      // length bytes are cut off
            &[0x30, 7, 2, 0x84, 1, 0, 0, 1, 1, 2, 1, 1], // a length of four digits
            &[0x30, 7, 2, 5, 1, 2, 1, 1],                // r is cut off
        ] {
            assert!(matches!(Sig::from_der_lax(refused), Err(ParseError::Der(_))), "{refused:02x?}");
        }
        // An empty integer is 0, and 0 is out of range.
        assert_eq!(Sig::from_der_lax(&[0x30, 5, 2, 0, 2, 1, 1]), Err(ParseError::OutOfRange));
    }

    #[test]
    fn the_longest_signature() {
        let largest = Scalar::<GroupOrder>::ONE.neg();
        let signature = Sig::new(largest, largest).unwrap();
        assert_eq!(signature.to_der().len(), 72);
        assert_eq!(Sig::from_der(&signature.to_der()), Ok(signature));
        assert_eq!(Sig::from_der_lax(&signature.to_der()), Ok(signature));
    }
}
