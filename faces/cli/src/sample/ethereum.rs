//! Sample Ethereum transactions of every type in use.

use std::io::Write as _;
use std::sync::Arc;

use alloy_consensus::{
    EthereumTypedTransaction, SignableTransaction, TxEip1559, TxEip2930, TxEip4844, TxEip7702, TxLegacy,
};
use alloy_eips::eip2718::Encodable2718 as _;
use alloy_eips::eip2930::{AccessList, AccessListItem};
use alloy_eips::eip7702::Authorization;
use alloy_primitives::{Address, B256, Bytes, Signature, TxKind, U256};
use windlass::ecdsa;

use super::{Keys, Nonces, Random, Rows, Signer, Way, push_hex, with_other_s};

/// Transactions by some keys.
pub(super) struct Transactions {
    pub(super) keys: Arc<Keys>,
}

/// A transaction without a blob sidecar.
type Transaction = EthereumTypedTransaction<TxEip4844>;

impl Rows for Transactions {
    fn row(
        &mut self,
        index: u64,
        random: &mut Random,
        nonces: &mut Nonces,
        spoil: Option<Way>,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let way = spoil.map(|spoil| spoil % 5);
        let signer = self.keys.pick(random)?;
        let authority = self.keys.pick(random)?;
        let mut transaction = transaction(index, random, nonces, authority)?;
        let (mut rs, mut odd) = sign(&transaction.signature_hash(), nonces, signer)?;
        let mut from = signer.address;
        match way {
            Some(0) => from = self.keys.other(signer).address,
            Some(1) => (rs, odd) = (with_other_s(&rs)?, !odd),
            Some(2) => change_input(&mut transaction),
            _ => {}
        }
        let (r, s) = (rs.to_compact(), rs.to_compact());
        let (r, s) = (U256::from_be_slice(r.split_at(32).0), U256::from_be_slice(s.split_at(32).1));
        let r = if way == Some(3) { U256::ZERO } else { r };
        let kind = transaction.tx_type() as u8;
        let envelope = transaction.into_envelope(Signature::new(r, s, odd));
        let mut raw = envelope.encoded_2718();
        if way == Some(4) {
            raw.truncate(raw.len() - 5);
        }
        // Writing to a Vec doesn't fail.
        let _ = write!(out, "{{\"type\":{kind},\"from\":\"0x");
        push_hex(out, &from);
        out.extend_from_slice(b"\",\"raw\":\"0x");
        push_hex(out, &raw);
        out.extend_from_slice(b"\"}");
        Some(())
    }
}

/// Signature and parity of R's y.
fn sign(digest: &B256, nonces: &mut Nonces, signer: &Signer) -> Option<(ecdsa::Signature, bool)> {
    let (signature, id) = nonces.next().sign_digest(&digest.0, &signer.key)?;
    Some((signature, id.y_is_odd()))
}

fn transaction(index: u64, random: &mut Random, nonces: &mut Nonces, authority: &Signer) -> Option<Transaction> {
    let kind = random.below(12);
    let (chain_id, nonce, gas_limit) = (1, index, 21_000 + random.below(1_000_000));
    let max_priority_fee_per_gas = u128::from(random.below(2_000_000_000));
    let max_fee_per_gas = max_priority_fee_per_gas + u128::from(random.below(50_000_000_000));
    let to = Address::from_slice(random.bytes().get(12..)?);
    let value = U256::from(random.next());
    let input = input(random);
    let access_list = match random.below(2) {
        0 => AccessList::default(),
        _ => AccessList(vec![AccessListItem { address: to, storage_keys: vec![B256::from(random.bytes())] }]),
    };
    let call = TxKind::Call(to);
    Some(match kind {
        0 | 1 => Transaction::Legacy(TxLegacy {
            chain_id: (kind == 1).then_some(chain_id),
            nonce,
            gas_price: max_fee_per_gas,
            gas_limit,
            to: if random.below(8) == 0 { TxKind::Create } else { call },
            value,
            input,
        }),
        2 => Transaction::Eip2930(TxEip2930 {
            chain_id,
            nonce,
            gas_price: max_fee_per_gas,
            gas_limit,
            to: call,
            value,
            access_list,
            input,
        }),
        3 => Transaction::Eip4844(TxEip4844 {
            chain_id,
            nonce,
            gas_limit,
            max_fee_per_gas,
            max_priority_fee_per_gas,
            to,
            value,
            access_list,
            blob_versioned_hashes: vec![versioned_hash(random)],
            max_fee_per_blob_gas: u128::from(random.below(1_000_000_000)),
            input,
        }),
        4 => Transaction::Eip7702(TxEip7702 {
            chain_id,
            nonce,
            gas_limit,
            max_fee_per_gas,
            max_priority_fee_per_gas,
            to,
            value,
            access_list,
            authorization_list: vec![authorization(random, nonces, authority)?],
            input,
        }),
        _ => Transaction::Eip1559(TxEip1559 {
            chain_id,
            nonce,
            gas_limit,
            max_fee_per_gas,
            max_priority_fee_per_gas,
            to: call,
            value,
            access_list,
            input,
        }),
    })
}

/// Call data: a selector and up to twelve words.
fn input(random: &mut Random) -> Bytes {
    let words = usize::try_from(random.below(13)).unwrap_or(0);
    let mut data = vec![0; 4 + 32 * words];
    random.fill(&mut data);
    data.into()
}

/// The hash of a blob begins with its version.
fn versioned_hash(random: &mut Random) -> B256 {
    let mut hash = random.bytes();
    let [version, ..] = &mut hash;
    *version = 1;
    hash.into()
}

fn authorization(
    random: &mut Random,
    nonces: &mut Nonces,
    authority: &Signer,
) -> Option<alloy_eips::eip7702::SignedAuthorization> {
    let address = Address::from_slice(random.bytes().get(12..)?);
    let authorization = Authorization { chain_id: U256::from(1), address, nonce: random.below(100) };
    let (rs, odd) = sign(&authorization.signature_hash(), nonces, authority)?;
    let compact = rs.to_compact();
    let (r, s) = compact.split_at(32);
    Some(authorization.into_signed(Signature::new(U256::from_be_slice(r), U256::from_be_slice(s), odd)))
}

fn change_input(transaction: &mut Transaction) {
    let input = match transaction {
        Transaction::Legacy(tx) => &mut tx.input,
        Transaction::Eip2930(tx) => &mut tx.input,
        Transaction::Eip1559(tx) => &mut tx.input,
        Transaction::Eip4844(tx) => &mut tx.input,
        Transaction::Eip7702(tx) => &mut tx.input,
    };
    let mut data = input.to_vec();
    if let Some(first) = data.first_mut() {
        *first ^= 1;
    }
    *input = data.into();
}
