//! A signed transaction taken apart: its signature, and the text that the signature is over.
//!
//! alloy says whether the bytes are a transaction. The text that is signed is cut out of them: the type, and the
//! list without its last three items (parity, r, s); after EIP-155 a legacy transaction has the chain's number
//! and two zeros in their place.

use alloy_consensus::transaction::RlpEcdsaDecodableTx as _;
use alloy_consensus::{Transaction as _, TxEnvelope, TxLegacy};
use alloy_eips::eip2718::{Decodable2718 as _, Eip2718Error};
use alloy_rlp::{Encodable as _, Error, Header};

use super::plain::Signed;

/// Decodes a transaction and writes what it signs to `unsigned`. The error says what is wrong with the bytes.
pub(super) fn read_signed(raw: &[u8], unsigned: &mut Vec<u8>) -> Result<Signed, String> {
    let transaction = decode(raw)?;
    unsigned.clear();
    // alloy has accepted the bytes, so they are lists and items as they should be.
    signing_text(raw, &transaction, unsigned).ok_or("not a transaction: its list is broken")?;
    let mut signature = [0u8; 64];
    let (r, s) = signature.split_at_mut(32);
    r.copy_from_slice(&transaction.signature().r().to_be_bytes::<32>());
    s.copy_from_slice(&transaction.signature().s().to_be_bytes::<32>());
    Ok(Signed { signature, y_is_odd: transaction.signature().v() })
}

fn decode(raw: &[u8]) -> Result<TxEnvelope, String> {
    let decoded = match decode_exact(raw) {
        Err(Eip2718Error::RlpError(Error::Overflow)) => match with_narrow_fees(raw) {
            Some(narrow) => decode_exact(&narrow),
            None => Err(Error::Overflow.into()),
        },
        other => other,
    };
    decoded.map_err(|e| match e {
        Eip2718Error::UnexpectedType(kind) => format!("transaction type {kind} is not known"),
        Eip2718Error::RlpError(e) => format!("not a transaction: {e}"),
        other => format!("not a transaction: {other}"),
    })
}

/// A list is a legacy transaction; everything else begins with its type.
fn decode_exact(raw: &[u8]) -> Result<TxEnvelope, Eip2718Error> {
    let Some(0xc0..) = raw.first() else { return TxEnvelope::decode_2718_exact(raw) };
    let mut rest = raw;
    let transaction = TxLegacy::rlp_decode_signed(&mut rest)?;
    if rest.is_empty() { Ok(transaction.into()) } else { Err(Error::UnexpectedLength.into()) }
}

/// Type (0 for legacy), and the transaction's list: a blob transaction with its sidecar is a list that begins
/// with that list.
fn list(raw: &[u8]) -> Option<(u8, &[u8])> {
    let (&first, rest) = raw.split_first()?;
    if first >= 0xc0 {
        return Some((0, payload(raw)?));
    }
    let outer = payload(rest)?;
    match outer.first() {
        Some(0xc0..) => Some((first, payload(outer)?)),
        _ => Some((first, outer)),
    }
}

/// What the list at the beginning of `bytes` holds.
fn payload(mut bytes: &[u8]) -> Option<&[u8]> {
    let header = Header::decode(&mut bytes).ok()?;
    bytes.get(..header.payload_length).filter(|_| header.list)
}

/// The items of a list, each with its header.
fn items(mut payload: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let mut rest = payload;
        let header = Header::decode(&mut rest).ok()?;
        let length = payload.len() - rest.len() + header.payload_length;
        let (item, rest) = payload.split_at_checked(length)?;
        payload = rest;
        Some(item)
    })
}

fn signing_text(raw: &[u8], transaction: &TxEnvelope, out: &mut Vec<u8>) -> Option<()> {
    let (kind, fields) = list(raw)?;
    // The lengths of the items, the last three of them of the signature.
    let mut last = [0; 3];
    let mut all = 0;
    for item in items(fields) {
        last.rotate_left(1);
        *last.last_mut()? = item.len();
        all += item.len();
    }
    let unsigned = fields.get(..all.checked_sub(last.iter().sum())?)?;
    let chain_id = transaction.chain_id().filter(|_| kind == 0);
    let appended = chain_id.map_or(0, |id| id.length() + 2);
    if kind != 0 {
        out.push(kind);
    }
    Header { list: true, payload_length: unsigned.len() + appended }.encode(out);
    out.extend_from_slice(unsigned);
    if let Some(id) = chain_id {
        id.encode(out);
        out.extend_from_slice(&[0x80, 0x80]);
    }
    Some(())
}

/// The transaction with fees above 2^128 set to zero. Fees may have 256 bits, and alloy's have 128: so it still
/// says whether all the rest is well formed.
fn with_narrow_fees(raw: &[u8]) -> Option<Vec<u8>> {
    let (kind, fields) = list(raw)?;
    let fees: &[usize] = match kind {
        0 => &[1],
        1 => &[2],
        3 => &[2, 3, 9],
        _ => &[2, 3],
    };
    let mut narrow = Vec::with_capacity(fields.len());
    for (i, item) in items(fields).enumerate() {
        // A string of 17 to 32 bytes without a leading zero.
        let is_wide = matches!(item, [0x91..=0xa0, 1..=0xff, ..]);
        narrow.extend_from_slice(if is_wide && fees.contains(&i) { &[0x80] } else { item });
    }
    let mut out = if kind == 0 { Vec::new() } else { vec![kind] };
    Header { list: true, payload_length: narrow.len() }.encode(&mut out);
    out.extend_from_slice(&narrow);
    Some(out)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use alloy_consensus::{SignableTransaction as _, TxEip4844, TxEip4844WithSidecar};
    use alloy_eips::eip2718::Encodable2718 as _;
    use alloy_eips::eip4844::BlobTransactionSidecar;
    use alloy_primitives::{B256, Signature, U256, keccak256};

    #[test]
    fn a_blob_transaction_signs_the_same_with_and_without_its_sidecar() {
        let tx = TxEip4844 { chain_id: 1, blob_versioned_hashes: vec![B256::repeat_byte(1)], ..Default::default() };
        let signature = Signature::new(U256::from(1), U256::from(2), true);
        let hash = tx.signature_hash();
        let bare = TxEnvelope::from(tx.clone().into_signed(signature)).encoded_2718();
        let sidecar = BlobTransactionSidecar::new(vec![Default::default()], vec![[3; 48].into()], vec![[4; 48].into()]);
        let tx =
            TxEip4844WithSidecar { tx, sidecar: alloy_eips::eip7594::BlobTransactionSidecarVariant::Eip4844(sidecar) };
        let full = TxEnvelope::from(tx.into_signed(signature)).encoded_2718();
        assert!(full.len() > bare.len() + 131_072);
        for raw in [bare, full] {
            let mut unsigned = Vec::new();
            let signed = read_signed(&raw, &mut unsigned).unwrap();
            assert_eq!((signed.signature[31], signed.signature[63], signed.y_is_odd), (1, 2, true));
            assert_eq!(keccak256(&unsigned), hash);
        }
    }
}
