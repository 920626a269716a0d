//! What `cargo xtask counts` counts: field and point operations, by a counting backend, and instructions, by callgrind.
//!
//! `counts operations` prints a line for each operation: its name, its inputs, and
//! [`Counts::all`](testkit::counted::Counts::all) of all of them together. `counts regions` prints a line for each that has a region: a
//! library, a name, and the inputs. `counts region LIBRARY NAME` does it inside [`counted_region`], after once outside, so that tables
//! stand. A library is an engine of windlass or libsecp256k1.
#![allow(clippy::unwrap_used, reason = "a program of the tests fails by panicking")]

use std::hint::black_box;
use std::process::ExitCode;

use curve::{AffinePoint, Encoded, Secp256k1, encode};
use field::secp256k1::{FieldPrime, GroupOrder, Portable4x64};
use field::{Backends, OneLane, Scalar, SecretScalar};
use sig::ecdsa::{self, LowS, RecoveryId, Signature};
use sig::keys::{self, XOnlyKey};
use sig::many::Verdict;
use sig::{HmacSha256, ecdh, schnorr};
use testkit::counted::{self, Counted};
use testkit::libsecp256k1 as peer;
use testkit::random::Random;

/// Inputs of a single operation.
const SINGLE: usize = 32;
/// Sizes of batches.
const SIZES: [usize; 7] = [1, 4, 16, 64, 256, 1024, 4096];
/// The size of the batches whose instructions are counted.
const BATCH: usize = 64;

/// A key and what it signed, in bytes and as each library keeps it.
struct Input {
    digest: [u8; 32],
    secret_bytes: [u8; 32],
    key_bytes: [u8; 33],
    x_only_bytes: [u8; 32],
    ecdsa_bytes: [u8; 64],
    schnorr: schnorr::Signature,
    secret: SecretScalar<GroupOrder>,
    key: AffinePoint<Secp256k1>,
    ecdsa: Signature<GroupOrder>,
    id: RecoveryId,
    peer_key: peer::PublicKey,
    peer_ecdsa: peer::Signature,
}

/// Made by libsecp256k1.
fn inputs(count: usize) -> Vec<Input> {
    let mut random = Random::new(20);
    let input = |_| {
        let (digest, secret_bytes) = (random.bytes(), random.bytes());
        let peer_key = peer::PublicKey::create(&secret_bytes).unwrap();
        let (ecdsa_bytes, id) = peer::ecdsa_sign_recoverable(&digest, &secret_bytes).unwrap();
        let key_bytes = peer_key.compressed();
        let key = encode::parse_compressed(Portable4x64::new(), &key_bytes).unwrap();
        Input {
            digest,
            secret_bytes,
            key_bytes,
            x_only_bytes: peer_key.x_only().0,
            ecdsa_bytes,
            schnorr: schnorr::Signature(peer::schnorr_sign(&digest, &secret_bytes, Some(&[0; 32])).unwrap()),
            secret: keys::parse_secret(&secret_bytes).unwrap(),
            key,
            ecdsa: Signature::from_compact(&ecdsa_bytes).unwrap(),
            id: RecoveryId::from_u8(id).unwrap(),
            peer_key,
            peer_ecdsa: peer::Signature::parse_compact(&ecdsa_bytes).unwrap(),
        }
    };
    (0..count).map(input).collect()
}

/// An operation, done once for all its inputs.
struct Operation<'a> {
    name: String,
    inputs: usize,
    run: Box<dyn Fn() + 'a>,
}

/// One that takes an input at a time and answers whether it went well.
fn single<'a>(name: &str, inputs: &'a [Input], one: impl Fn(&Input) -> bool + 'a) -> Operation<'a> {
    let inputs = inputs.get(..SINGLE).unwrap_or(inputs);
    let run = move || inputs.iter().for_each(|input| assert!(black_box(one(input))));
    Operation { name: name.to_owned(), inputs: inputs.len(), run: Box::new(run) }
}

/// windlass' single operations.
fn singles<'a, B: Backends<FieldPrime, GroupOrder>>(b: B, inputs: &'a [Input]) -> Vec<Operation<'a>> {
    let f = b.one();
    let verify = move |input: &Input, key: &AffinePoint<Secp256k1>| {
        ecdsa::verify_digest(b, &input.digest, &input.ecdsa, key, LowS::Required).is_ok()
    };
    vec![
        single("ecdsa_verify", inputs, move |input| verify(input, &input.key)),
        single("ecdsa_verify_bytes", inputs, move |input| {
            encode::parse_compressed(f, &input.key_bytes).is_ok_and(|key| verify(input, &key))
        }),
        single("schnorr_verify_bytes", inputs, move |input| {
            XOnlyKey::<Secp256k1>::parse(f, &input.x_only_bytes)
                .is_ok_and(|key| schnorr::verify(b, &input.digest, &input.schnorr, &key).is_ok())
        }),
        single("recover", inputs, move |input| {
            ecdsa::recover::<Secp256k1, _>(b, &input.digest, &input.ecdsa, input.id) == Ok(input.key)
        }),
        single("key_create", inputs, move |input| keys::public_key::<Secp256k1, _>(b, &input.secret) == input.key),
        single("ecdsa_sign", inputs, move |input| {
            ecdsa::sign_digest::<Secp256k1, _, HmacSha256>(b, &input.digest, &input.secret, None).0 == input.ecdsa
        }),
        single("schnorr_sign", inputs, move |input| {
            schnorr::sign(b, &input.digest, &input.secret, &input.key, &[0; 32]) == input.schnorr
        }),
        single("ecdh", inputs, move |input| ecdh::shared_secret(b, &input.secret, &input.key)[..] != input.digest[..]),
        single("tweak_add", inputs, move |input| keys::tweak_add(b, &input.key, &input.digest).is_ok()),
    ]
}

/// windlass' verification of `size` rows at once: BIP340 by one combination, ECDSA each for itself.
fn batches<'a, B: Backends<FieldPrime, GroupOrder>>(b: B, inputs: &'a [Input], size: usize) -> [Operation<'a>; 2] {
    let inputs = inputs.get(..size).unwrap_or(inputs);
    let all_valid = |verdicts: &[Verdict]| assert!(verdicts.iter().all(|verdict| verdict.is_valid()));
    let schnorr_rows: Vec<_> = inputs
        .iter()
        .map(|input| schnorr::VerifyRow {
            message: &input.digest,
            signature: &input.schnorr.0,
            key: Encoded::<Secp256k1>::from_x_only(&input.x_only_bytes).unwrap(),
        })
        .collect();
    let ecdsa_rows: Vec<_> = inputs
        .iter()
        .map(|input| ecdsa::VerifyRow::<Secp256k1> {
            z: Scalar::from_digest(&input.digest),
            signature: input.ecdsa,
            key: keys::encoded_public(&input.key_bytes).unwrap(),
            low_s: LowS::Required,
        })
        .collect();
    let together = move || {
        let mut verdicts = vec![Verdict::Invalid; schnorr_rows.len()];
        schnorr::verify_batch(b, &schnorr_rows, &[7; 32], &mut verdicts);
        all_valid(&verdicts);
    };
    let each = move || {
        let mut verdicts = vec![Verdict::Invalid; ecdsa_rows.len()];
        ecdsa::verify_each(b, &ecdsa_rows, &mut verdicts);
        all_valid(&verdicts);
    };
    [
        Operation { name: format!("schnorr_verify_batch/{size}"), inputs: size, run: Box::new(together) },
        Operation { name: format!("ecdsa_verify_each/{size}"), inputs: size, run: Box::new(each) },
    ]
}

/// libsecp256k1's operations, by the names of windlass'.
fn peers(inputs: &[Input]) -> Vec<Operation<'_>> {
    vec![
        single("ecdsa_verify", inputs, |input| input.peer_ecdsa.verify(&input.digest, &input.peer_key)),
        single("ecdsa_verify_bytes", inputs, |input| {
            let signature = peer::Signature::parse_compact(&input.ecdsa_bytes).unwrap();
            peer::PublicKey::parse(&input.key_bytes).is_some_and(|key| signature.verify(&input.digest, &key))
        }),
        single("schnorr_verify_bytes", inputs, |input| {
            peer::schnorr_verify(&input.digest, &input.schnorr.0, &input.x_only_bytes)
        }),
        single("recover", inputs, |input| peer::recover(&input.digest, &input.ecdsa_bytes, input.id.to_u8()).is_some()),
        single("key_create", inputs, |input| peer::PublicKey::create(&input.secret_bytes).is_some()),
        single("ecdsa_sign", inputs, |input| peer::ecdsa_sign(&input.digest, &input.secret_bytes, None).is_some()),
        single("ecdh", inputs, |input| peer::ecdh(&input.secret_bytes, &input.peer_key).is_some()),
        single("tweak_add", inputs, |input| input.peer_key.tweak_add(&input.digest).is_some()),
    ]
}

/// Where callgrind counts: it knows the function by this name.
#[inline(never)]
fn counted_region(run: &dyn Fn()) {
    run();
}

fn print_operations() {
    let b = OneLane(Counted(Portable4x64::new()));
    let inputs = inputs(SIZES[SIZES.len() - 1]);
    let mut operations = singles(b, &inputs);
    operations.extend(SIZES.iter().flat_map(|&size| batches(b, &inputs, size)));
    for Operation { name, inputs, run } in operations {
        let counts = counted::of(run).all().map(|count| count.to_string());
        println!("{name} {inputs} {}", counts.join(" "));
    }
}

#[cfg(all(target_arch = "x86_64", windlass_ct_check))]
fn adx() -> field::secp256k1::Adx4x64 {
    // SAFETY: valgrind executes BMI2, ADX and AVX2 on every x86-64 host that has them, though it hides ADX from detection.
    field::secp256k1::Adx4x64::new(unsafe { arith::cpu::Adx::assume() })
}

#[cfg(all(target_arch = "x86_64", not(windlass_ct_check)))]
fn adx() -> field::secp256k1::Adx4x64 {
    field::secp256k1::Adx4x64::new(arith::cpu::Adx::detect().unwrap())
}

/// The libraries whose instructions are counted.
const LIBRARIES: [&str; 3] = ["portable", "adx", "libsecp256k1"];

fn regions<'a>(library: &str, inputs: &'a [Input]) -> Vec<Operation<'a>> {
    fn ours<'a, B: Backends<FieldPrime, GroupOrder>>(b: B, inputs: &'a [Input]) -> Vec<Operation<'a>> {
        let mut operations = singles(b, inputs);
        operations.extend(batches(b, inputs, BATCH));
        operations
    }
    match library {
        "portable" => ours(OneLane(Portable4x64::new()), inputs),
        #[cfg(target_arch = "x86_64")]
        "adx" => ours(OneLane(adx()), inputs),
        _ => peers(inputs),
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["operations"] => print_operations(),
        ["regions"] => {
            let inputs = inputs(BATCH);
            for library in LIBRARIES {
                for Operation { name, inputs, .. } in regions(library, &inputs) {
                    println!("{library} {name} {inputs}");
                }
            }
        }
        ["region", library, name] if LIBRARIES.contains(library) => {
            let inputs = inputs(BATCH);
            let operations = regions(library, &inputs);
            let Some(Operation { run, .. }) = operations.iter().find(|operation| operation.name == *name) else {
                eprintln!("{library} has no '{name}'");
                return ExitCode::from(2);
            };
            run();
            counted_region(run);
        }
        _ => {
            eprintln!("usage: counts operations | regions | region LIBRARY NAME");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
