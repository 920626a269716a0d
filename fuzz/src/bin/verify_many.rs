//! Rows of every kind from arbitrary bytes, good ones and spoiled ones: `verify_many` and `recover_many` on every engine and within
//! any memory, beside the functions for one signature.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::many_suite::{Case, Input, Key, RecoverCase, Rows, Signature, XOnly, check_recover};
use windlass::ecdsa::{self, RecoveryId};
use windlass::{Keypair, LowS, Parity, SecretKey, engine, schnorr, taproot};
use windlass_fuzz::{take, take_secret};

/// Rows of a call: ragged in every number of lanes, and enough for a combination.
const MOST_ROWS: usize = 80;

/// One of a few secrets, so that keys repeat.
fn secret(data: &mut &[u8]) -> SecretKey {
    let [choice] = take(data);
    let bytes =
        if choice < 0xF0 { std::array::from_fn(|i| (choice & 7) + u8::from(i == 31)) } else { take_secret(data) };
    SecretKey::from_bytes(&bytes).unwrap_or_else(|_| unreachable!("in 1..n"))
}

/// Some bytes exchanged: `count` pairs of a place and what is added there.
fn spoil(bytes: &mut [u8], count: u8, data: &mut &[u8]) {
    for _ in 0..count {
        let [at, with] = take(data);
        let length = bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(usize::from(at) % length) {
            *byte ^= with;
        }
    }
}

/// The next row: a good one of its kind, with some bytes exchanged.
fn input(data: &mut &[u8]) -> Input {
    let [kind, form, damage, place] = take(data);
    let secret = secret(data);
    let pair = Keypair::from_secret(&secret);
    let (digest, low_s) = (take(data), if form & 1 == 0 { LowS::Required } else { LowS::Accepted });
    let of = |at: u8| if place % 4 == at { damage % 4 } else { 0 };
    let mut changed = digest;
    spoil(&mut changed, of(0), data);
    match kind % 4 {
        0 | 1 => {
            let (signed, id) = ecdsa::sign_digest_recoverable(&digest, &secret);
            let mut compact = signed.to_compact();
            spoil(&mut compact, of(1), data);
            let mut der = signed.to_der().to_vec();
            spoil(&mut der, of(1), data);
            der.truncate(der.len().saturating_sub(usize::from(form >> 7)));
            let signature = match form >> 1 & 3 {
                0 => Signature::Der(der),
                1 => ecdsa::Signature::from_compact(&compact).map_or(Signature::Compact(compact), Signature::Parsed),
                _ => Signature::Compact(compact),
            };
            let mut encoded = match form >> 3 & 1 {
                0 => pair.public().to_compressed().to_vec(),
                _ => pair.public().to_uncompressed().to_vec(),
            };
            spoil(&mut encoded, of(2), data);
            encoded.truncate(encoded.len() - usize::from(form >> 6 & 1));
            let key = if form >> 4 & 3 == 0 { Key::Parsed(*pair.public()) } else { Key::Sec1(encoded) };
            let id = RecoveryId::from_u8(id.to_u8() ^ of(3)).unwrap_or(id);
            if kind % 4 == 0 {
                Input::Ecdsa { digest: changed, signature, key, low_s }
            } else {
                Input::EcdsaRecoverable { digest: changed, signature, id, key, low_s }
            }
        }
        2 => {
            let mut signature = schnorr::sign_no_aux(&digest[..usize::from(form % 33)], &pair).0;
            spoil(&mut signature, of(1), data);
            let mut key = pair.x_only().0.to_bytes();
            spoil(&mut key, of(2), data);
            Input::Schnorr { message: changed[..usize::from(form % 33)].to_vec(), signature, key: XOnly::Bytes(key) }
        }
        _ => {
            let root = (form & 2 == 0).then_some(digest);
            let (output, parity) = match taproot::output_key(&pair.x_only().0, root.as_ref()) {
                Ok((output, parity)) => (output.to_bytes(), parity),
                Err(_) => (digest, Parity::Even),
            };
            let (mut output, mut internal) = (output, pair.x_only().0.to_bytes());
            spoil(&mut output, of(1), data);
            spoil(&mut internal, of(2), data);
            let parity = if of(3) == 1 { Parity::Odd } else { parity };
            let merkle_root = root.map(|_| changed);
            Input::TaprootTweak { internal: XOnly::Bytes(internal), merkle_root, output, parity }
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let [memory, repeats] = take(&mut data);
    let (mut cases, mut recoveries) = (Vec::new(), Vec::new());
    while !data.is_empty() && cases.len() < MOST_ROWS {
        let input = input(&mut data);
        if let Input::EcdsaRecoverable { digest, signature: Signature::Parsed(signature), id, .. } = &input {
            recoveries.push(RecoverCase::new("", *digest, *signature, *id));
        }
        let verdict = input.single();
        cases.push(Case { name: String::new(), input, verdict });
    }
    // The same rows again, so that short inputs make combinations too.
    let rows = Rows::new(cases.iter().cycle().take(cases.len() * (1 + usize::from(repeats % 4))));
    for name in engine::available() {
        assert_eq!(engine::select(name), Ok(()));
        rows.check();
        rows.check_within(usize::from(memory) << 12);
        check_recover(&recoveries.iter().collect::<Vec<_>>());
    }
});
