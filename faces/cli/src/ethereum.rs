//! Ethereum transactions: the signing hash of the decoded transaction, the key recovered from it and the
//! signature, and the sender = last 20 bytes of keccak256(x || y).
//!
//! A row is the transaction in its EIP-2718 form as hex, or a JSON object with it as `raw` and, if the sender is
//! to be compared, `from`. All types in use: legacy before and after EIP-155, 1 (access list), 2 (dynamic fee),
//! 3 (blobs, with or without the sidecar), 4 (set code). Only the signature is looked at: gas, nonce and chain
//! are for the chain's rules.

mod plain;
mod signed;

use std::borrow::Cow;

use alloy_primitives::keccak256;
use serde::Deserialize;
use windlass::{LowS, PublicKey, ecdsa};

use self::plain::Signed;
use self::signed::read_signed;
use crate::keccak::keccak256_each;
use crate::nostr::json_reason;
use crate::row::{Outcome, RowCheck, Sender, trim_buffer};
use crate::scan::Scan;
use crate::signatures::RecoverRow;
pub use crate::signatures::{RecoverKey, Windlass};

/// Verifies Ethereum transactions.
#[derive(Clone, Copy, Debug)]
pub struct EthereumCheck<R = Windlass> {
    recover: R,
    low_s: LowS,
}

impl<R> EthereumCheck<R> {
    /// With these recovered keys, and with s in the lower half required (as from Homestead on, EIP-2) or not.
    pub fn new(recover: R, low_s: LowS) -> Self {
        Self { recover, low_s }
    }
}

/// Buffers kept from row to row, and the signatures of transactions that have been read.
#[derive(Debug, Default)]
pub struct Scratch {
    raw: Vec<u8>,
    unsigned: Vec<u8>,
    /// What the open transactions sign, one after the other, and where each ends.
    texts: Vec<u8>,
    ends: Vec<usize>,
    read: Vec<RecoverRow>,
    keys: Vec<Option<[u8; 65]>>,
    digests: Vec<[u8; 32]>,
}

/// What a row says about the sender.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stated {
    /// The address, where it is stated.
    from: Option<Sender>,
    /// Is the transaction written with 0x in front?
    prefixed: bool,
}

/// What a JSON row may hold; a field given twice is an error, and others are ignored.
#[derive(Deserialize)]
struct JsonRow<'a> {
    #[serde(borrow)]
    raw: Cow<'a, str>,
    #[serde(borrow, default)]
    from: Option<Cow<'a, str>>,
}

impl<R: RecoverKey> RowCheck for EthereumCheck<R> {
    type Scratch = Scratch;
    type Open = Stated;

    fn read(&self, row: &[u8], scratch: &mut Scratch) -> Result<Stated, Outcome> {
        let read = match row.first() {
            Some(b'{') => match plain_fields(row) {
                Some((raw, from)) => self.read_row(raw, from, scratch),
                None => self.read_json(row, scratch),
            },
            _ => self.read_row(row, None, scratch),
        };
        trim_buffer(&mut scratch.raw);
        trim_buffer(&mut scratch.unsigned);
        read
    }

    fn verify(&self, scratch: &mut Scratch) {
        let Scratch { texts, ends, read, keys, digests, .. } = scratch;
        let mut start = 0;
        let text = |&end: &usize| texts.get(std::mem::replace(&mut start, end)..end).unwrap_or_default();
        let messages: Vec<&[u8]> = ends.iter().map(text).collect();
        digests.clear();
        keccak256_each(&messages, digests);
        for (row, digest) in read.iter_mut().zip(&*digests) {
            row.digest = *digest;
        }
        keys.clear();
        self.recover.recover_each(read, keys);
        // Now those of the keys, of which addresses are parts; of no key that of no bytes.
        let messages: Vec<&[u8]> = keys.iter().map(|key| key.as_ref().map_or(&[][..], coordinates)).collect();
        digests.clear();
        keccak256_each(&messages, digests);
        read.clear();
        ends.clear();
        trim_buffer(texts);
    }

    fn close(&self, stated: Stated, index: usize, scratch: &Scratch) -> Outcome {
        let (Some(Some(_)), Some(digest)) = (scratch.keys.get(index), scratch.digests.get(index)) else {
            return Outcome::invalid("no key gives this signature");
        };
        let address = address_in(digest);
        let prefixed = stated.from.map_or(stated.prefixed, |from| from.prefixed);
        let outcome = if stated.from.is_some_and(|from| from.address != address) {
            Outcome::invalid("recovered sender is not the stated `from`")
        } else {
            Outcome::valid()
        };
        Outcome { sender: Some(Sender { address, prefixed }), ..outcome }
    }
}

impl<R: RecoverKey> EthereumCheck<R> {
    fn read_json(&self, row: &[u8], scratch: &mut Scratch) -> Result<Stated, Outcome> {
        let json: JsonRow<'_> = serde_json::from_slice(row).map_err(|e| Outcome::malformed(json_reason(&e)))?;
        self.read_row(json.raw.as_bytes(), json.from.as_deref().map(str::as_bytes), scratch)
    }

    fn read_row(&self, raw: &[u8], from: Option<&[u8]>, scratch: &mut Scratch) -> Result<Stated, Outcome> {
        let from = from.map(parse_address).transpose()?;
        let (digits, prefixed) = strip_0x(raw);
        scratch.raw.resize(digits.len() / 2, 0);
        if digits.is_empty() || const_hex::decode_to_slice(digits, &mut scratch.raw).is_err() {
            return Err(Outcome::malformed("raw transaction is not hex"));
        }
        let signed = match plain::read(&scratch.raw, &mut scratch.unsigned) {
            Some(signed) => signed,
            None => read_signed(&scratch.raw, &mut scratch.unsigned).map_err(Outcome::malformed)?,
        };
        scratch.read.push(self.recoverable(&signed).map_err(Outcome::invalid)?);
        scratch.texts.extend_from_slice(&scratch.unsigned);
        scratch.ends.push(scratch.texts.len());
        Ok(Stated { from, prefixed })
    }

    /// What the sender is recovered from, still without the digest, or why the signature can't give one.
    fn recoverable(&self, signed: &Signed) -> Result<RecoverRow, &'static str> {
        let rs = ecdsa::Signature::from_compact(&signed.signature).map_err(|_| "r or s is out of range")?;
        if self.low_s == LowS::Required && !rs.is_low_s() {
            return Err("s is in the upper half (--allow-high-s accepts it)");
        }
        // The parity alone: Ethereum has no way to write an r that is x(R) - n.
        let id = ecdsa::RecoveryId::from_u8(signed.y_is_odd.into()).map_err(|_| "parity is not 0 or 1")?;
        Ok(RecoverRow { digest: [0; 32], signature: rs, id })
    }
}

/// The address of a key: the last 20 bytes of keccak256(x || y).
#[must_use]
pub fn address_of(key: &PublicKey) -> [u8; 20] {
    address_in(&keccak256(coordinates(&key.to_uncompressed())).0)
}

/// x and y.
fn coordinates(key: &[u8; 65]) -> &[u8] {
    key.split_at(1).1
}

fn address_in(digest: &[u8; 32]) -> [u8; 20] {
    let mut address = [0; 20];
    address.copy_from_slice(digest.split_at(12).1);
    address
}

fn strip_0x(text: &[u8]) -> (&[u8], bool) {
    let text = text.trim_ascii();
    match text.strip_prefix(b"0x") {
        Some(digits) => (digits, true),
        None => (text, false),
    }
}

/// `raw` and `from` of an object whose strings hold no escapes and whose other members are strings and whole numbers. `None` is
/// every other object and every fault.
fn plain_fields(row: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    let mut scan = Scan::new(row)?;
    let (mut raw, mut from) = (None, None);
    scan.byte(b'{')?;
    loop {
        scan.blanks();
        let name = scan.string()?;
        scan.byte(b':')?;
        scan.blanks();
        let value = match scan.next()? {
            b'"' => scan.long_string()?,
            _ if name == b"raw" || name == b"from" => return None,
            _ => scan.digits(19)?,
        };
        let is_second = match name {
            b"raw" => raw.replace(value).is_some(),
            b"from" => from.replace(value).is_some(),
            // It could be one of the two, written with escapes.
            _ => name.contains(&b'\\'),
        };
        if is_second {
            return None;
        }
        if !scan.another()? {
            break;
        }
    }
    scan.end()?;
    let has_escape = |text: &[u8]| memchr::memchr(b'\\', text).is_some();
    (!has_escape(raw?) && !from.is_some_and(has_escape)).then_some((raw?, from))
}

/// 40 hex digits; the case (EIP-55's checksum) is not looked at.
fn parse_address(text: &[u8]) -> Result<Sender, Outcome> {
    let (digits, prefixed) = strip_0x(text);
    let mut address = [0; 20];
    if digits.starts_with(b"0x") || const_hex::decode_to_slice(digits, &mut address).is_err() {
        return Err(Outcome::malformed("`from` is not an address of 40 hex digits"));
    }
    Ok(Sender { address, prefixed })
}
