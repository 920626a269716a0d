//! The 78 bytes of an extended key and their base58check text.
//!
//! version (4) ‖ depth (1) ‖ fingerprint of the parent (4) ‖ child number (4) ‖ chain code (32) ‖ key (33), then the first four
//! bytes of SHA256(SHA256(·)), all in base58: at most 112 characters.
//! Source: BIP32, "Serialization format" and test vector 5 (what must be refused).

use super::ChildNumber;
use crate::error::ParseError;
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Bytes of an extended key.
const KEY_BYTES: usize = 78;
/// With the checksum.
const CHECKED_BYTES: usize = KEY_BYTES + 4;
/// The longest text: 82 · log 256 / log 58.
pub(super) const MAX_TEXT_BYTES: usize = 112;

/// The chain that a key's text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Network {
    /// Texts begin with `xprv` and `xpub`.
    Mainnet,
    /// Texts begin with `tprv` and `tpub`.
    Testnet,
}

/// Which half of a key a text holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Half {
    Private,
    Public,
}

/// The version bytes and what they mean.
const VERSIONS: [([u8; 4], Network, Half); 4] = [
    ([0x04, 0x88, 0xAD, 0xE4], Network::Mainnet, Half::Private),
    ([0x04, 0x88, 0xB2, 0x1E], Network::Mainnet, Half::Public),
    ([0x04, 0x35, 0x83, 0x94], Network::Testnet, Half::Private),
    ([0x04, 0x35, 0x87, 0xCF], Network::Testnet, Half::Public),
];

/// Where a key stands in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The chain that its text is for.
    pub network: Network,
    /// Steps from the master key.
    pub depth: u8,
    /// The parent's fingerprint, zeros for the master key.
    pub parent_fingerprint: [u8; 4],
    /// Its index among the parent's children, 0 for the master key.
    pub child_number: ChildNumber,
}

/// The parts of an extended key's text; secret if the key is.
pub(super) struct Serialized {
    pub(super) chain_code: [u8; 32],
    /// A compressed point, or 0 and a secret key.
    pub(super) key: [u8; 33],
}

impl Drop for Serialized {
    fn drop(&mut self) {
        self.chain_code.zeroize();
        self.key.zeroize();
    }
}
impl ZeroizeOnDrop for Serialized {}

/// Reads a text that must hold this half of a key. The key itself is not looked at.
pub(super) fn decode(text: &str, half: Half) -> Result<(Position, Serialized), ParseError> {
    let mut bytes = [0; CHECKED_BYTES];
    let read = decode_to(text, half, &mut bytes);
    bytes.zeroize();
    read
}

fn decode_to(text: &str, half: Half, bytes: &mut [u8; CHECKED_BYTES]) -> Result<(Position, Serialized), ParseError> {
    // The length is checked first: base58 takes quadratic time.
    if text.len() > MAX_TEXT_BYTES || bs58::decode(text).onto(&mut bytes[..]) != Ok(CHECKED_BYTES) {
        return Err(ParseError::Base58);
    }
    let (payload, sum) = bytes.split_at(KEY_BYTES);
    if checksum(payload) != sum {
        return Err(ParseError::Base58);
    }
    let mut reader = payload;
    let version: [u8; 4] = take(&mut reader)?;
    let [depth] = take(&mut reader)?;
    let parent_fingerprint = take(&mut reader)?;
    let child_number = ChildNumber(u32::from_be_bytes(take(&mut reader)?));
    let serialized = Serialized { chain_code: take(&mut reader)?, key: take(&mut reader)? };
    let known = VERSIONS.iter().find(|(bytes, _, version_half)| *bytes == version && *version_half == half);
    let &(_, network, _) = known.ok_or(ParseError::Base58)?;
    // A master key has no parent.
    if depth == 0 && (parent_fingerprint != [0; 4] || child_number != ChildNumber(0)) {
        return Err(ParseError::Base58);
    }
    Ok((Position { network, depth, parent_fingerprint, child_number }, serialized))
}

/// Writes the text and says how many characters it has. Not constant time in the key: whoever asks for the text of a secret
/// shows it.
pub(super) fn encode(
    position: &Position,
    serialized: &Serialized,
    half: Half,
    text: &mut [u8; MAX_TEXT_BYTES],
) -> usize {
    let version = VERSIONS.iter().find(|(_, network, h)| *network == position.network && *h == half);
    let parts = [
        version.map_or(&[0; 4], |(bytes, _, _)| bytes).as_slice(),
        &[position.depth],
        &position.parent_fingerprint,
        &position.child_number.0.to_be_bytes(),
        &serialized.chain_code,
        &serialized.key,
    ];
    let mut bytes = [0; CHECKED_BYTES];
    let mut at = 0;
    for part in parts {
        bytes[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    let (payload, sum) = bytes.split_at_mut(KEY_BYTES);
    sum.copy_from_slice(&checksum(payload));
    // 112 characters hold every 82 bytes.
    let written = bs58::encode(&bytes[..]).onto(&mut text[..]).unwrap_or(0);
    bytes.zeroize();
    written
}

fn checksum(payload: &[u8]) -> [u8; 4] {
    let hash: [u8; 32] = Sha256::digest(Sha256::digest(payload)).into();
    [hash[0], hash[1], hash[2], hash[3]]
}

fn take<const N: usize>(reader: &mut &[u8]) -> Result<[u8; N], ParseError> {
    let (head, tail) = reader.split_first_chunk().ok_or(ParseError::Length)?;
    *reader = tail;
    Ok(*head)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use core::str;

    /// BIP32, test vector 1, chain m.
    const XPUB: &str = "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";

    #[test]
    fn back_and_forth() {
        let (position, serialized) = decode(XPUB, Half::Public).unwrap();
        assert_eq!((position.network, position.depth), (Network::Mainnet, 0));
        assert_eq!(serialized.key[..2], [0x03, 0x39]);
        let mut text = [0; MAX_TEXT_BYTES];
        let length = encode(&position, &serialized, Half::Public, &mut text);
        assert_eq!(str::from_utf8(&text[..length]), Ok(XPUB));
        assert_eq!(decode(XPUB, Half::Private).err(), Some(ParseError::Base58));
    }

    #[test]
    fn texts_cut_or_changed_are_refused() {
        for end in 0..XPUB.len() {
            assert_eq!(decode(&XPUB[..end], Half::Public).err(), Some(ParseError::Base58));
        }
        for (i, other) in [(4, '0'), (50, 'l'), (60, '2'), (110, '9')] {
            let changed: alloc::string::String =
                XPUB.chars().enumerate().map(|(at, c)| if at == i { other } else { c }).collect();
            assert_eq!(decode(&changed, Half::Public).err(), Some(ParseError::Base58));
        }
        for text in [&alloc::format!("1{XPUB}"), &alloc::format!("{XPUB} "), &"1".repeat(112), &"z".repeat(112), "é"] {
            assert_eq!(decode(text, Half::Public).err(), Some(ParseError::Base58), "{text}");
        }
    }
}
