//! Every way in which a row can fail alone, with the valid rows beside it that differ in the one thing: both halves of s, x(R) of
//! n and above, all four recovery ids.
//!
//! Where a range check could be forgotten in silence the row is one that would hold if the number were reduced: r + n and s + n of
//! valid ECDSA signatures, a key's x + p under which the signature verifies.

use super::signer::{Kind, Signed, Signer, coordinates, other, pair, recovery_id};
use super::{Case, Input, Key, RecoverCase, Signature, XOnly};
use crate::oracle::{bytes32, from_bytes};
use num_bigint::BigUint;
use windlass::{LowS, ecdsa};

fn number(x: u32) -> BigUint {
    BigUint::from(x)
}

/// A coordinate of no point: 5³ + 7 is no square mod p.
const NO_POINT: u32 = 5;

/// The row with other things in it than it was made with.
struct Changed {
    digest: [u8; 32],
    signature: Signature,
    key: Key,
    id: u8,
    low_s: LowS,
}

impl Changed {
    fn of(signed: &Signed) -> Self {
        let key = Key::Sec1(signed.key.to_compressed().to_vec());
        let signature = Signature::Compact(signed.compact());
        Self { digest: signed.digest(), signature, key, id: signed.id, low_s: LowS::Accepted }
    }

    fn input(self, kind: Kind) -> Input {
        let Self { digest, signature, key, id, low_s } = self;
        match kind {
            Kind::EcdsaRecoverable => Input::EcdsaRecoverable { digest, signature, id: recovery_id(id), key, low_s },
            _ => Input::Ecdsa { digest, signature, key, low_s },
        }
    }
}

/// The rows of a kind that are special, most of them bad.
pub fn of_kind(kind: Kind, signer: &mut Signer) -> Vec<Case> {
    match kind {
        Kind::Ecdsa | Kind::EcdsaRecoverable => {
            let mut cases = encodings(kind, signer);
            cases.extend(ranges(kind, signer));
            cases.extend(equations(kind, signer));
            cases
        }
        Kind::Schnorr => schnorr(signer),
        Kind::TaprootTweak => taproot_tweak(signer),
    }
}

/// Keys and signatures that are none.
fn encodings(kind: Kind, signer: &mut Signer) -> Vec<Case> {
    let curve = signer.curve.clone();
    let signed = signer.any_ecdsa();
    let (short, long) = (signed.key.to_compressed(), signed.key.to_uncompressed());
    let (x, y) = (&long[1..33], &long[33..]);
    let is_odd = short[0] & 1;
    let (p, none) = (bytes32(&curve.p), bytes32(&number(NO_POINT)));
    let keys: [(&str, Vec<u8>); 20] = [
        ("no bytes of a key", vec![]),
        ("key 00", vec![0]),
        ("key 00 and x", [&[0], x].concat()),
        ("key 01", [&[1], x].concat()),
        ("key 04 without y", [&[4], x].concat()),
        ("key 05", [&[5], x, y].concat()),
        ("hybrid key", [&[6 | is_odd], x, y].concat()),
        ("hybrid key of the wrong parity", [&[7 - is_odd], x, y].concat()),
        ("key 02 with y", [&[2], x, y].concat()),
        ("key without prefix", x.to_vec()),
        ("compressed key cut", short[..32].to_vec()),
        ("compressed key and a byte", [&short[..], &[0]].concat()),
        ("uncompressed key cut", long[..64].to_vec()),
        ("uncompressed key and a byte", [&long[..], &[0]].concat()),
        ("x without a point", [&[2], &none[..]].concat()),
        ("x and y of no point", [&[4], x, x].concat()),
        ("x = p", [&[2], &p[..]].concat()),
        ("x = 2^256 - 1", [&[3], &[0xFF; 32][..]].concat()),
        ("y = p", [&[4], x, &p].concat()),
        ("zeros for x and y", [&[4][..], &[0; 64]].concat()),
    ];
    let mut cases = Vec::new();
    for (name, bytes) in keys {
        cases.push(Case::bad(name, Changed { key: Key::Sec1(bytes), ..Changed::of(&signed) }.input(kind)));
    }
    let opposite = Key::Sec1([&[short[0] ^ 1], x].concat());
    cases.push(Case::bad("the key negated", Changed { key: opposite, ..Changed::of(&signed) }.input(kind)));
    let der = ecdsa::Signature::from_compact(&signed.compact()).expect("in range").to_der().to_vec();
    cases.push(Case::valid(
        "DER",
        Changed { signature: Signature::Der(der.clone()), ..Changed::of(&signed) }.input(kind),
    ));
    let mut long_form = der.clone();
    long_form.splice(1..2, [0x81, der[1]]);
    for (name, bytes) in [
        ("no bytes of a signature", vec![]),
        ("DER cut", der[..der.len() - 1].to_vec()),
        ("DER and a byte", [&der[..], &[0]].concat()),
        ("DER with a long length", long_form),
        ("DER of zeros", vec![0x30, 6, 2, 1, 0, 2, 1, 0]),
        ("compact bytes as DER", signed.compact().to_vec()),
    ] {
        cases.push(Case::bad(name, Changed { signature: Signature::Der(bytes), ..Changed::of(&signed) }.input(kind)));
    }
    let both = Changed { key: Key::Sec1(vec![0]), signature: Signature::Der(vec![]), ..Changed::of(&signed) };
    cases.push(Case::bad("neither key nor signature", both.input(kind)));
    cases
}

/// r, s and coordinates that are valid if they are reduced; r and s out of range; x(R) of n and above.
fn ranges(kind: Kind, signer: &mut Signer) -> Vec<Case> {
    let curve = signer.curve.clone();
    let (n, p) = (&curve.n, &curve.p);
    let with = |name: &str, signed: &Signed, r: &BigUint, s: &BigUint, is_valid: bool| {
        let changed = Changed { signature: Signature::Compact(pair(r, s)), ..Changed::of(signed) };
        Case::new(name, changed.input(kind), is_valid)
    };
    let mut cases = Vec::new();
    let zero = number(0);
    let top = (number(1) << 256u32) - 1u32;

    let signed = signer.any_ecdsa();
    for (name, bad) in [("0", &zero), ("n", n), ("2^256 - 1", &top)] {
        cases.push(with(&format!("r = {name}"), &signed, bad, &signed.s, false));
        cases.push(with(&format!("s = {name}"), &signed, &signed.r, bad, false));
    }
    cases.push(with("r = s = 0", &signed, &zero, &zero, false));

    // s = u₂·r small.
    let (k, u1) = (signer.scalar(), signer.scalar());
    let nonce_point = signer.point(&k);
    let r = coordinates(&nonce_point).0 % n;
    let u2 = number(7) * curve.invert_scalar(&r) % n;
    let small_s = signer.recoverable(&u1, &u2, &nonce_point).expect("a key");
    assert_eq!(small_s.s, number(7));
    cases.push(with("s = 7", &small_s, &small_s.r, &small_s.s, true));
    cases.push(with("s + n", &small_s, &small_s.r, &(&small_s.s + n), false));

    // x(R) small, and x(R) = n + a little.
    for (beyond, from) in [(false, number(1)), (true, n + 1u32)] {
        let nonce_point = (0..).find_map(|i: u32| signer.lift(&(&from + i))).expect("half of all x");
        let (u1, u2) = (signer.scalar(), signer.scalar());
        let signed = signer.recoverable(&u1, &u2, &nonce_point).expect("a key");
        assert_eq!(signed.id, u8::from(beyond) << 1);
        let name = if beyond { "x(R) above n" } else { "x(R) small" };
        cases.push(with(name, &signed, &signed.r, &signed.s, true));
        cases.push(with(&format!("{name}, r + n"), &signed, &(&signed.r + n), &signed.s, false));
        cases.push(with(&format!("{name}, r + 1"), &signed, &(&signed.r + 1u32), &signed.s, false));
        if kind == Kind::EcdsaRecoverable {
            for id in (0..4).filter(|id| *id != signed.id) {
                let changed = Changed { id, ..Changed::of(&signed) };
                cases.push(Case::bad(format!("{name}, id {id} for {}", signed.id), changed.input(kind)));
            }
        }
    }

    // r + n = x(R) + p: x(R) mod p, where r + n is no x at all.
    let nonce_point = (1..).find_map(|i: u32| signer.lift(&number(i))).expect("half of all x");
    let (u1, u2) = (signer.scalar(), signer.scalar());
    let signed = signer.recoverable(&u1, &u2, &nonce_point).expect("a key");
    let r = &signed.r + p - n;
    // z/s and r/s, and so R, are those of the row above.
    let scale = &r * curve.invert_scalar(&signed.r) % n;
    let (z, s) = (&signed.z * &scale % n, &signed.s * &scale % n);
    let beyond = Signed { z, r, s, ..signed };
    cases.push(Case::bad("r + n = x(R) + p", beyond.input(kind)));

    // A key with a small x, of unknown exponent.
    let key = (1..).find_map(|i: u32| signer.lift(&number(i))).expect("half of all x");
    let signed = loop {
        let (u1, u2) = (signer.scalar(), signer.scalar());
        if let Some(signed) = signer.ecdsa(&u1, &u2, &key) {
            break signed;
        }
    };
    let (x, y) = (key.to_uncompressed()[1..33].to_vec(), key.to_uncompressed()[33..].to_vec());
    let beyond = bytes32(&(from_bytes(&x) + p));
    for (name, bytes, is_valid) in [
        ("x of the key small", [&[2], &x[..]].concat(), true),
        ("x of the key small, uncompressed", [&[4], &x[..], &y].concat(), true),
        ("x of the key + p", [&[2], &beyond[..]].concat(), false),
        ("x of the key + p, uncompressed", [&[4], &beyond[..], &y].concat(), false),
    ] {
        cases.push(Case::new(name, Changed { key: Key::Sec1(bytes), ..Changed::of(&signed) }.input(kind), is_valid));
    }
    cases
}

/// Rows in which everything is in range and the equation fails, or holds by a point that is infinite.
fn equations(kind: Kind, signer: &mut Signer) -> Vec<Case> {
    let curve = signer.curve.clone();
    let n = &curve.n;
    let mut cases = Vec::new();
    let signed = signer.any_ecdsa();
    let low = if &signed.s + &signed.s < *n { signed.s.clone() } else { n - &signed.s };
    let flipped = signed.s != low;
    let (low_id, high_id) = (signed.id ^ u8::from(flipped), signed.id ^ u8::from(!flipped));
    let high = n - &low;
    for (name, s, id, low_s, is_valid) in [
        ("low s, required", &low, low_id, LowS::Required, true),
        ("low s, accepted", &low, low_id, LowS::Accepted, true),
        ("high s, required", &high, high_id, LowS::Required, false),
        ("high s, accepted", &high, high_id, LowS::Accepted, true),
    ] {
        let changed = Changed { signature: Signature::Compact(pair(&signed.r, s)), id, low_s, ..Changed::of(&signed) };
        cases.push(Case::new(name, changed.input(kind), is_valid));
    }
    // s → n − s without its id: R and −R have one x, so only the id tells.
    let negated = Changed { signature: Signature::Compact(pair(&signed.r, &(n - &signed.s))), ..Changed::of(&signed) };
    cases.push(Case::new("s negated", negated.input(kind), kind == Kind::Ecdsa));
    if kind == Kind::EcdsaRecoverable {
        for id in (0..4).filter(|id| *id != signed.id) {
            let changed = Changed { id, ..Changed::of(&signed) };
            cases.push(Case::bad(format!("id {id} for {}", signed.id), changed.input(kind)));
        }
    }
    let mut digest = signed.digest();
    digest[31] ^= 1;
    cases.push(Case::bad("another digest", Changed { digest, ..Changed::of(&signed) }.input(kind)));
    let d = signer.scalar();
    let key = Key::Parsed(signer.point(&d));
    cases.push(Case::bad("another key", Changed { key, ..Changed::of(&signed) }.input(kind)));
    for (name, r, s) in [
        ("s + 1", signed.r.clone(), (&signed.s + 1u32) % n),
        ("s - 1", signed.r.clone(), (&signed.s + n - 1u32) % n),
        ("r and s exchanged", signed.s.clone(), signed.r.clone()),
        ("r negated", n - &signed.r, signed.s.clone()),
    ] {
        let changed = Changed { signature: Signature::Compact(pair(&r, &s)), ..Changed::of(&signed) };
        cases.push(Case::bad(name, changed.input(kind)));
    }
    let no_point =
        Changed { signature: Signature::Compact(pair(&number(NO_POINT), &signed.s)), ..Changed::of(&signed) };
    cases.push(Case::bad("no point has this r", no_point.input(kind)));
    // No point has this r, and the sum is G, which lanes without a point are filled with.
    let (d, r, s) = (signer.scalar(), number(NO_POINT), signer.scalar());
    let z = (&s + n - &r * &d % n) % n;
    let filled = Signed { z, r, s, id: 0, key: signer.point(&d) };
    cases.push(Case::bad("no point has this r, and the sum is G", filled.input(kind)));
    // z = −r·d: u₁·G + u₂·Q is infinite, for any s.
    let d = signer.scalar();
    let key = signer.point(&d);
    let r = signer.any_ecdsa().r; // of some point
    let infinite = Signed { z: curve.negate_scalar(&(&r * &d)), r, s: signer.scalar(), id: 0, key };
    cases.push(Case::bad("u1 G + u2 Q infinite", infinite.input(kind)));
    // z = 0: valid with R = u₂·Q alone.
    let u2 = signer.scalar();
    let of_key = signer.ecdsa(&number(0), &u2, &key).expect("R");
    cases.push(Case::valid("digest 0", of_key.input(kind)));
    // z = n is 0 as well: digests are reduced.
    let reduced = Signed { z: n.clone(), ..of_key };
    cases.push(Case::valid("digest n", reduced.input(kind)));
    cases
}

fn schnorr(signer: &mut Signer) -> Vec<Case> {
    let curve = signer.curve.clone();
    let (n, p) = (&curve.n, &curve.p);
    let (d, k, message) = (signer.scalar(), signer.scalar(), signer.random.bytes::<32>());
    let key = signer.x(&d);
    let good = signer.schnorr_raw(&d, &signer.even(&k), &message);
    let (r, s) = (from_bytes(&good[..32]), from_bytes(&good[32..]));
    let top = (number(1) << 256u32) - 1u32;
    let input = |signature: [u8; 64], key: [u8; 32], message: &[u8]| Input::Schnorr {
        message: message.to_vec(),
        signature,
        key: XOnly::Bytes(key),
    };
    let mut cases = vec![Case::valid("good", input(good, key, &message))];
    let mut bad = |name: &str, signature: [u8; 64], key: [u8; 32], message: &[u8]| {
        cases.push(Case::bad(name, input(signature, key, message)));
    };
    for (name, r, s) in [
        ("s + 1", &r, &((&s + 1u32) % n)),
        ("s - 1", &r, &((&s + n - 1u32) % n)),
        ("s negated", &r, &(n - &s)),
        ("s = 0", &r, &number(0)),
        ("s = n", &r, n),
        ("s = n + 1", &r, &(n + 1u32)),
        ("s = 2^256 - 1", &r, &top),
        ("r = 0", &number(0), &s),
        ("no point has this r", &number(NO_POINT), &s),
        ("another point's r", &from_bytes(&signer.x(&number(3))), &s),
        ("r = p", p, &s),
        ("r = p + 1, which is a point's x if reduced", &(p + 1u32), &s),
        ("r = 2^256 - 1", &top, &s),
        ("r and s exchanged", &s, &r),
    ] {
        bad(name, pair(r, s), key, &message);
    }
    bad("all zero", [0; 64], key, &message);
    let mut other_message = message;
    other_message[0] ^= 0x80;
    bad("another message", good, key, &other_message);
    bad("a byte more", good, key, &[&message[..], &[0]].concat());
    bad("a byte less", good, key, &message[..31]);
    bad("no message", good, key, &[]);
    bad("another key", good, signer.x(&number(2)), &message);
    bad("no point has this key", good, bytes32(&number(NO_POINT)), &message);
    bad("key 0", good, [0; 32], &message);
    bad("key = p", good, bytes32(p), &message);
    bad("key = p + 1, which is a point's x if reduced", good, bytes32(&(p + 1u32)), &message);
    bad("key = 2^256 - 1", good, [0xFF; 32], &message);
    // The equation holds with −R, whose y is odd.
    let odd = n - signer.even(&k);
    bad("y(R) odd", signer.schnorr_raw(&d, &odd, &message), key, &message);
    // s·G = e·P: R would be infinite, whatever r says.
    for (name, r) in [("s G = e P", signer.x(&k)), ("s G = e P, r = 0", [0; 32])] {
        let s = signer.challenge(&r, &key, &message) * signer.even(&d) % n;
        bad(name, pair(&from_bytes(&r), &s), key, &message);
    }
    // No point has this r, and the sum is G, which lanes without a point are filled with.
    let r = bytes32(&number(NO_POINT));
    let s = (signer.challenge(&r, &key, &message) * signer.even(&d) + 1u32) % n;
    bad("no point has this r, and the sum is G", pair(&number(NO_POINT), &s), key, &message);
    // The equation of the key −P.
    let (r_bytes, even) = (signer.x(&k), signer.even(&d));
    let s = (signer.even(&k) + signer.challenge(&r_bytes, &key, &message) * (n - even)) % n;
    bad("signed as if the key were the odd one", pair(&from_bytes(&r_bytes), &s), key, &message);
    cases
}

fn taproot_tweak(signer: &mut Signer) -> Vec<Case> {
    let curve = signer.curve.clone();
    let p = &curve.p;
    let mut cases = Vec::new();
    for merkle_root in [None, Some(signer.random.bytes())] {
        let d = signer.scalar();
        let good = signer.point(&d).x_only().0;
        let (output, parity) = windlass::taproot::output_key(&good, merkle_root.as_ref()).expect("a key");
        let (internal, output) = (good.to_bytes(), output.to_bytes());
        let input = |internal: [u8; 32], merkle_root, output, parity| Input::TaprootTweak {
            internal: XOnly::Bytes(internal),
            merkle_root,
            output,
            parity,
        };
        cases.push(Case::valid("good", input(internal, merkle_root, output, parity)));
        let none = bytes32(&number(NO_POINT));
        let mut flipped = output;
        flipped[31] ^= 1;
        for (name, input) in [
            ("the other parity", input(internal, merkle_root, output, other(parity))),
            ("another root", input(internal, Some([7; 32]), output, parity)),
            ("another internal key", input(signer.x(&number(3)), merkle_root, output, parity)),
            ("no point has this internal key", input(none, merkle_root, output, parity)),
            ("internal key p", input(bytes32(p), merkle_root, output, parity)),
            ("internal key 2^256 - 1", input([0xFF; 32], merkle_root, output, parity)),
            ("another output", input(internal, merkle_root, flipped, parity)),
            ("another point for output", input(internal, merkle_root, signer.x(&number(5)), parity)),
            ("no point has this output", input(internal, merkle_root, none, parity)),
            ("output p", input(internal, merkle_root, bytes32(p), parity)),
            ("output 0", input(internal, merkle_root, [0; 32], parity)),
            ("output 2^256 - 1", input(internal, merkle_root, [0xFF; 32], parity)),
        ] {
            cases.push(Case::bad(name, input));
        }
        // An internal key that is a point's x if it is reduced, with the output that belongs to these bytes.
        let small = (1..).find_map(|i: u32| signer.lift(&number(i))).expect("half of all x");
        let beyond = bytes32(&(from_bytes(&small.x_only().0.to_bytes()) + p));
        let root = merkle_root.map_or(Vec::new(), |root| root.to_vec());
        let tweak = crate::oracle::tagged_hash("TapTweak", &[&beyond, &root]);
        let (sum, parity) = small.tweak_add(&tweak).expect("a key").x_only();
        cases.push(Case::bad("internal key + p", input(beyond, merkle_root, sum.to_bytes(), parity)));
    }
    cases
}

/// Signatures whose recovery fails or is special: no R, an infinite key, all four ids.
pub fn recoveries(signer: &mut Signer) -> Vec<RecoverCase> {
    let curve = signer.curve.clone();
    let n = &curve.n;
    let mut cases = Vec::new();
    let mut push = |name: String, z: &BigUint, r: &BigUint, s: &BigUint, id: u8, has_key: bool| {
        let signature = ecdsa::Signature::from_compact(&pair(r, s)).expect("in range");
        let case = RecoverCase::new(name, bytes32(z), signature, recovery_id(id));
        assert_eq!(case.key.is_ok(), has_key, "{}", case.name);
        cases.push(case);
    };
    let signed = signer.any_ecdsa();
    for id in 0..2 {
        push(format!("id {id}"), &signed.z, &signed.r, &signed.s, id, true);
        push(format!("high or low s, id {id}"), &signed.z, &signed.r, &(n - &signed.s), id, true);
        push(format!("digest 0, id {id}"), &number(0), &signed.r, &signed.s, id, true);
        push(format!("no R, id {id}"), &signed.z, &number(NO_POINT), &signed.s, id, false);
    }
    for id in 2..4 {
        push(format!("r + n beyond p, id {id}"), &signed.z, &signed.r, &signed.s, id, false);
        push(format!("r + n = p, id {id}"), &signed.z, &(&curve.p - n), &signed.s, id, false);
    }
    // r and r + n are both x of points: four keys.
    let is_point = |x: &BigUint| signer.lift(x).is_some();
    let r = (1..).map(number).find(|r| is_point(r) && is_point(&(r + n))).expect("a quarter of all");
    for id in 0..4 {
        push(format!("one of four keys, id {id}"), &signed.z, &r, &signed.s, id, true);
    }
    let r = (1..).map(number).find(|r| is_point(r) && !is_point(&(r + n))).expect("a quarter of all");
    push("r + n is no point's x".to_owned(), &signed.z, &r, &signed.s, 2, false);
    // s·R = z·G: the key is infinite.
    let k = signer.scalar();
    let (x, y_is_odd) = coordinates(&signer.point(&k));
    let s = signer.scalar();
    let z = &s * &k % n;
    push("an infinite key".to_owned(), &z, &x, &s, u8::from(y_is_odd), false);
    push("R of the other parity".to_owned(), &z, &x, &s, u8::from(!y_is_odd), true);
    cases
}
