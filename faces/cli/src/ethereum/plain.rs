//! Signed transactions of types 0 to 3 without a copy: each item of the list is looked at where it lies.
//!
//! `None` is every other transaction (with authorizations, with a blob sidecar, with fees above 2^128, with a v that is
//! neither 27, 28 nor EIP-155's) and every fault: alloy reads them and says what is wrong ([`signed`](super::signed)).

use alloy_rlp::{Encodable as _, Header};

/// What a signature is over, and the signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Signed {
    /// r and s, 32 bytes each.
    pub(super) signature: [u8; 64],
    /// The parity of R's y.
    pub(super) y_is_odd: bool,
}

/// What an item of a transaction's list may be.
#[derive(Clone, Copy)]
enum Item {
    /// A number of at most so many bytes, without leading zeros.
    Number(usize),
    /// 20 bytes, or none: a contract is made.
    To,
    /// 20 bytes.
    Address,
    /// Any bytes.
    Bytes,
    /// A list of lists of an address and a list of 32 bytes each.
    AccessList,
    /// A list of 32 bytes each.
    Hashes,
}

use Item::{AccessList, Address, Bytes, Hashes, Number, To};

/// Nonce, gas price, gas limit, to, value, input.
const LEGACY: &[Item] = &[Number(8), Number(16), Number(8), To, Number(32), Bytes];
/// EIP-2930: chain, nonce, gas price, gas limit, to, value, input, access list.
const ACCESS_LIST: &[Item] = &[Number(8), Number(8), Number(16), Number(8), To, Number(32), Bytes, AccessList];
/// EIP-1559: the fee for the proposer and the highest fee in place of the gas price.
const DYNAMIC_FEE: &[Item] =
    &[Number(8), Number(8), Number(16), Number(16), Number(8), To, Number(32), Bytes, AccessList];
/// EIP-4844, without the sidecar: a fee for blobs and their hashes besides.
const BLOBS: &[Item] = &[
    Number(8),
    Number(8),
    Number(16),
    Number(16),
    Number(8),
    Address,
    Number(32),
    Bytes,
    AccessList,
    Number(16),
    Hashes,
];

/// Reads a transaction and writes what it signs to `unsigned`.
pub(super) fn read(raw: &[u8], unsigned: &mut Vec<u8>) -> Option<Signed> {
    let (kind, mut rest, items) = match raw.split_first()? {
        (0xc0.., _) => (None, raw, LEGACY),
        (1, rest) => (Some(1), rest, ACCESS_LIST),
        (2, rest) => (Some(2), rest, DYNAMIC_FEE),
        (3, rest) => (Some(3), rest, BLOBS),
        _ => return None,
    };
    let fields = take(&mut rest, List::Yes)?;
    if !rest.is_empty() {
        return None;
    }
    let mut rest = fields;
    for item in items {
        check(*item, &mut rest)?;
    }
    let text = fields.get(..fields.len() - rest.len())?;
    let v = u64::from_be_bytes(number(&mut rest)?);
    let mut signature = [0; 64];
    let (r, s) = signature.split_at_mut(32);
    r.copy_from_slice(&number::<32>(&mut rest)?);
    s.copy_from_slice(&number::<32>(&mut rest)?);
    if !rest.is_empty() {
        return None;
    }
    let (y_is_odd, chain_id) = match (kind, v) {
        (Some(_), 0 | 1) => (v == 1, None),
        (None, 27 | 28) => (v == 28, None),
        (None, 35..) => ((v - 35) % 2 == 1, Some((v - 35) / 2)),
        _ => return None,
    };
    unsigned.clear();
    unsigned.extend(kind);
    let appended = chain_id.map_or(0, |id| id.length() + 2);
    Header { list: true, payload_length: text.len() + appended }.encode(unsigned);
    unsigned.extend_from_slice(text);
    if let Some(id) = chain_id {
        id.encode(unsigned);
        unsigned.extend_from_slice(&[0x80, 0x80]);
    }
    Some(Signed { signature, y_is_odd })
}

#[derive(PartialEq)]
enum List {
    Yes,
    No,
}

/// What the list or the string at the beginning holds.
fn take<'a>(rest: &mut &'a [u8], list: List) -> Option<&'a [u8]> {
    let header = Header::decode(rest).ok()?;
    let (payload, after) = rest.split_at_checked(header.payload_length)?;
    *rest = after;
    (header.list == (list == List::Yes)).then_some(payload)
}

/// The number at the beginning, big-endian.
fn number<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let digits = take(rest, List::No)?;
    let mut number = [0; N];
    number.get_mut(N.checked_sub(digits.len())?..)?.copy_from_slice(digits);
    (digits.first() != Some(&0)).then_some(number)
}

fn check(item: Item, rest: &mut &[u8]) -> Option<()> {
    let is_right = match item {
        Number(most) => {
            let digits = take(rest, List::No)?;
            digits.len() <= most && digits.first() != Some(&0)
        }
        To => matches!(take(rest, List::No)?.len(), 0 | 20),
        Address => take(rest, List::No)?.len() == 20,
        Bytes => {
            take(rest, List::No)?;
            true
        }
        Hashes => {
            let mut hashes = take(rest, List::Yes)?;
            while !hashes.is_empty() {
                if take(&mut hashes, List::No)?.len() != 32 {
                    return None;
                }
            }
            true
        }
        AccessList => {
            let mut entries = take(rest, List::Yes)?;
            while !entries.is_empty() {
                let mut entry = take(&mut entries, List::Yes)?;
                check(Address, &mut entry)?;
                check(Hashes, &mut entry)?;
                if !entry.is_empty() {
                    return None;
                }
            }
            true
        }
    };
    is_right.then_some(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::detect::Format;
    use crate::ethereum::signed::read_signed;
    use crate::sample;

    /// What is read here is what alloy reads.
    fn compare(raw: &[u8]) -> bool {
        let (mut unsigned, mut theirs) = (Vec::new(), Vec::new());
        let Some(read) = read(raw, &mut unsigned) else { return false };
        let same = read_signed(raw, &mut theirs).unwrap();
        assert_eq!((read, unsigned), (same, theirs), "{}", const_hex::encode(raw));
        true
    }

    fn samples(rows: u64) -> Vec<Vec<u8>> {
        let mut text = Vec::new();
        sample::write(&sample::Args { format: Format::Ethereum, rows, seed: 4, bad: 0 }, &mut text).unwrap();
        let raw = |line: &str| const_hex::decode(line.split("\"raw\":\"").nth(1)?.trim_end_matches("\"}")).ok();
        String::from_utf8(text).unwrap().lines().map(|line| raw(line).unwrap()).collect()
    }

    #[test]
    fn sample_transactions_are_plain_but_those_with_authorizations() {
        for raw in samples(300) {
            assert_eq!(compare(&raw), raw[0] != 4, "{}", const_hex::encode(raw));
        }
    }

    /// With every byte changed, left out or twice there.
    #[test]
    fn other_bytes_are_read_as_alloy_reads_them_or_not_at_all() {
        for raw in samples(60) {
            for at in 0..raw.len() {
                for change in [1, 2, 0x20, 0x40, 0x80, 0xff] {
                    let mut changed = raw.clone();
                    changed[at] ^= change;
                    compare(&changed);
                }
                for byte in [0, 1, 0x7f, 0x80, 0x81, 0xb8, 0xc0, 0xf8, 27, 28, 37] {
                    let mut changed = raw.clone();
                    changed[at] = byte;
                    compare(&changed);
                }
                let mut changed = raw.clone();
                changed.remove(at);
                compare(&changed);
                compare(&raw[..at]);
            }
            compare(&[&raw[..], &[0]].concat());
        }
    }

    /// Numbers at the edges of what alloy takes.
    #[test]
    fn long_and_padded_numbers() {
        let string = |bytes: &[u8]| match bytes {
            [byte @ ..0x80] => vec![*byte],
            _ => [&[0x80 + bytes.len() as u8], bytes].concat(),
        };
        for place in 0..9 {
            for bytes in 0..34 {
                for first in [0, 1, 0xff] {
                    let mut items: Vec<Vec<u8>> =
                        [&[5][..], &[7], &[9], &[9; 20], &[], &[1, 2], &[37], &[3], &[4]].map(string).to_vec();
                    let mut number = vec![first; bytes];
                    if let Some(last) = number.last_mut() {
                        *last = 38;
                    }
                    items[place] = string(&number);
                    let payload = items.concat();
                    let mut raw = Vec::new();
                    Header { list: true, payload_length: payload.len() }.encode(&mut raw);
                    raw.extend_from_slice(&payload);
                    compare(&raw);
                }
            }
        }
    }
}
