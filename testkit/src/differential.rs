//! windlass beside libsecp256k1: each function takes raw inputs, puts them through both and panics where the answers differ.
//!
//! One function a pair of operations, so that tests, the long run and fuzz targets share them.

use crate::edges::Biased;
use crate::libsecp256k1::{self as peer, Bytes32};
use crate::random::Random;
use crate::vectors::to_hex;
use hmac::{Hmac, KeyInit as _, Mac as _};
use ripemd::Ripemd160;
use sha2::{Digest as _, Sha256, Sha512};
use windlass::bip32::{ChildNumber, ExtendedPrivateKey, Network};
use windlass::{Keypair, LowS, Parity, PublicKey, SecretKey, XOnlyPublicKey, ecdh, ecdsa, schnorr};

/// Where numbers come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// Every 256-bit number alike.
    Uniform,
    /// Edge values more often than not.
    Edges(Biased),
}

impl Source {
    /// 32 bytes.
    pub fn number(&self, random: &mut Random) -> Bytes32 {
        match self {
            Self::Uniform => random.bytes(),
            Self::Edges(biased) => biased.number(random),
        }
    }

    /// 32 bytes that are a secret key.
    fn secret(&self, random: &mut Random) -> Bytes32 {
        loop {
            let number = self.number(random);
            if peer::is_secret(&number) {
                return number;
            }
        }
    }
}

/// One case of everything.
pub fn case(source: &Source, random: &mut Random) {
    secret_keys(&source.number(random), &source.number(random));
    let (secret, other) = (source.secret(random), source.secret(random));
    public_keys(&secret, &other, &source.number(random));
    x_only_keys(&source.number(random), &source.number(random));
    x_only_tweaks(&secret, &source.number(random));
    ecdh_pair(&secret, &other);
    let digest = source.number(random);
    let signature = ecdsa_sign(&secret, &digest, &source.number(random));
    ecdsa_verify_spoiled(source, random, &signature, &digest, &secret);
    recover(&digest, &signature, random.below(4) as u8);
    recover_then_verify(source, random);
    der(&spoiled_der(random, &signature));
    let mut message = vec![0; if random.below(2) == 0 { 32 } else { random.below(200) }];
    random.fill(&mut message);
    let signature = schnorr_sign(&secret, &message, &source.number(random));
    schnorr_verify_spoiled(source, random, &signature, &message, &secret);
    encoding(&spoiled_encoding(source, random, &other));
    let index = random.word() as u32;
    bip32(&[source.number(random), source.number(random)].concat(), &[index, index ^ 1 << 31, random.word() as u32]);
}

/// Which secrets are taken; their negation, sums and products.
pub fn secret_keys(secret: &Bytes32, tweak: &Bytes32) {
    let ours = SecretKey::from_bytes(secret).ok();
    assert_eq!(ours.is_some(), peer::is_secret(secret), "secret {}", to_hex(secret));
    let Some(key) = ours else { return };
    let bytes = |key: SecretKey| *key.to_bytes();
    let inputs = || format!("secret {} tweak {}", to_hex(secret), to_hex(tweak));
    assert_eq!(bytes(key.clone()), *secret);
    assert_eq!(Some(bytes(key.negate())), peer::secret_negate(*secret), "{}", inputs());
    assert_eq!(key.tweak_add(tweak).ok().map(bytes), peer::secret_tweak_add(*secret, tweak), "{}", inputs());
    assert_eq!(key.tweak_mul(tweak).ok().map(bytes), peer::secret_tweak_mul(*secret, tweak), "{}", inputs());
}

/// The key of a secret; its encodings, negation, sums and products. Both secrets are in 1..n.
pub fn public_keys(secret: &Bytes32, other: &Bytes32, tweak: &Bytes32) {
    let inputs = || format!("secrets {} {} tweak {}", to_hex(secret), to_hex(other), to_hex(tweak));
    let (ours, theirs) = pair(secret);
    let (our_other, their_other) = pair(other);
    let encoded = |key: PublicKey| key.to_uncompressed();
    assert_eq!(ours.to_compressed(), theirs.compressed(), "{}", inputs());
    assert_eq!(encoded(ours), theirs.uncompressed(), "{}", inputs());
    let (x, parity) = ours.x_only();
    assert_eq!((x.to_bytes(), parity == Parity::Odd), theirs.x_only(), "{}", inputs());
    assert_eq!(x.with_parity(parity), ours, "{}", inputs());
    assert_eq!(encoded(ours.negate()), theirs.negate().uncompressed(), "{}", inputs());
    let theirs_encoded = |key: Option<peer::PublicKey>| key.map(|key| key.uncompressed());
    assert_eq!(ours.tweak_add(tweak).ok().map(encoded), theirs_encoded(theirs.tweak_add(tweak)), "{}", inputs());
    assert_eq!(ours.tweak_mul(tweak).ok().map(encoded), theirs_encoded(theirs.tweak_mul(tweak)), "{}", inputs());
    let sum = theirs_encoded(peer::PublicKey::combine(&[theirs, their_other]));
    assert_eq!(ours.add(&our_other).ok().map(encoded), sum, "{}", inputs());
    let three = theirs_encoded(peer::PublicKey::combine(&[theirs, their_other, theirs.negate()]));
    assert_eq!(PublicKey::combine(&[ours, our_other, ours.negate()]).ok().map(encoded), three, "{}", inputs());
}

/// Which x are taken; their tweaks.
pub fn x_only_keys(x: &Bytes32, tweak: &Bytes32) {
    let inputs = || format!("x {} tweak {}", to_hex(x), to_hex(tweak));
    let ours = XOnlyPublicKey::from_bytes(x).ok();
    assert_eq!(ours.is_some(), peer::is_x_only(x), "{}", inputs());
    let Some(key) = ours else { return };
    let sum = key.tweak_add(tweak).ok().map(|(key, parity)| (key.to_bytes(), parity == Parity::Odd));
    assert_eq!(sum, peer::x_only_tweak_add(x, tweak), "{}", inputs());
    let (output, is_odd) = sum.unwrap_or((*tweak, false));
    for parity in [Parity::Even, Parity::Odd] {
        let theirs = peer::x_only_tweak_add_check(x, tweak, &output, parity == Parity::Odd);
        assert_eq!(key.tweak_add_check(tweak, &output, parity).is_ok(), theirs, "{}", inputs());
        assert_eq!(theirs, sum.is_some() && is_odd == (parity == Parity::Odd), "{}", inputs());
    }
}

/// The x-only tweak of a key pair. The secret is in 1..n.
pub fn x_only_tweaks(secret: &Bytes32, tweak: &Bytes32) {
    let inputs = || format!("secret {} tweak {}", to_hex(secret), to_hex(tweak));
    let ours = keypair(secret).x_only_tweak_add(tweak).ok();
    let theirs = peer::keypair_tweak_add(secret, tweak);
    assert_eq!(ours.as_ref().map(|pair| *pair.secret().to_bytes()), theirs, "{}", inputs());
    if let (Some(ours), Some(theirs)) = (ours, theirs) {
        assert_eq!(ours.public().to_uncompressed(), pair(&theirs).1.uncompressed(), "{}", inputs());
    }
}

/// Shared secrets. Both secrets are in 1..n.
pub fn ecdh_pair(secret: &Bytes32, other: &Bytes32) {
    let inputs = || format!("secrets {} {}", to_hex(secret), to_hex(other));
    let own = SecretKey::from_bytes(secret).expect("in 1..n");
    let (ours, theirs) = pair(other);
    let x = peer::ecdh_x(secret, &theirs);
    assert_eq!(Some(*ecdh::shared_secret(&own, &ours)), peer::ecdh(secret, &theirs), "{}", inputs());
    assert_eq!(Some(*ecdh::shared_x(&own, &ours)), x, "{}", inputs());
    let with_x_only = ecdh::shared_x_with_x_only(&own, &ours.x_only().0.to_bytes());
    assert_eq!(with_x_only.ok().map(|x| *x), x, "{}", inputs());
}

/// ECDSA signatures with and without extra entropy; answers the one without. The secret is in 1..n.
pub fn ecdsa_sign(secret: &Bytes32, digest: &Bytes32, entropy: &Bytes32) -> [u8; 64] {
    let inputs = || format!("secret {} digest {} entropy {}", to_hex(secret), to_hex(digest), to_hex(entropy));
    let key = SecretKey::from_bytes(secret).expect("in 1..n");
    let ours = ecdsa::sign_digest(digest, &key);
    let theirs = peer::ecdsa_sign(digest, secret, None).expect("the secret is in 1..n");
    assert_eq!(ours.to_compact(), theirs.compact(), "{}", inputs());
    assert_eq!(*ours.to_der(), *theirs.der(), "{}", inputs());
    let (signature, id) = ecdsa::sign_digest_recoverable(digest, &key);
    assert_eq!(
        Some((signature.to_compact(), id.to_u8())),
        peer::ecdsa_sign_recoverable(digest, secret),
        "{}",
        inputs()
    );
    let ours_mixed = ecdsa::sign_digest_with_entropy(digest, &key, entropy);
    let theirs_mixed = peer::ecdsa_sign(digest, secret, Some(entropy)).expect("the secret is in 1..n");
    assert_eq!(ours_mixed.to_compact(), theirs_mixed.compact(), "{}", inputs());
    assert_eq!(ecdsa::verify_digest(digest, &ours, &key.public_key(), LowS::Required), Ok(()), "{}", inputs());
    ours.to_compact()
}

/// Which signatures are taken; the verdicts with low s required and with both halves accepted, and low s itself.
pub fn ecdsa_verify(signature: &[u8; 64], digest: &Bytes32, encoded_key: &[u8]) {
    let inputs = || format!("signature {} digest {} key {}", to_hex(signature), to_hex(digest), to_hex(encoded_key));
    let (Ok(our_key), Some(their_key)) = (PublicKey::parse(encoded_key), peer::PublicKey::parse(encoded_key)) else {
        return;
    };
    let has_zero = signature[..32] == [0; 32] || signature[32..] == [0; 32];
    let ours = ecdsa::Signature::from_compact(signature).ok();
    // The peer takes a half that is 0, and never verifies it; here it is no signature.
    let theirs = peer::Signature::parse_compact(signature);
    assert_eq!(ours.is_some(), theirs.is_some() && !has_zero, "{}", inputs());
    let Some(theirs) = theirs else { return };
    let strict = theirs.verify(digest, &their_key);
    let (low, was_high) = theirs.normalize();
    let either = low.verify(digest, &their_key);
    let Some(ours) = ours else {
        assert!(!strict && !either, "{}", inputs());
        return;
    };
    assert_eq!(ours.is_low_s(), !was_high, "{}", inputs());
    assert_eq!(ours.normalize_s().to_compact(), low.compact(), "{}", inputs());
    assert_eq!(ecdsa::verify_digest(digest, &ours, &our_key, LowS::Required).is_ok(), strict, "{}", inputs());
    assert_eq!(ecdsa::verify_digest(digest, &ours, &our_key, LowS::Accepted).is_ok(), either, "{}", inputs());
}

/// Recovered keys, for an id from 0 to 3.
pub fn recover(digest: &Bytes32, signature: &[u8; 64], id: u8) -> Option<[u8; 65]> {
    let inputs = || format!("signature {} digest {} id {id}", to_hex(signature), to_hex(digest));
    let their_key = peer::recover(digest, signature, id).map(|key| key.uncompressed());
    let parsed_id = ecdsa::RecoveryId::from_u8(id).expect("0 to 3");
    let signature = ecdsa::Signature::from_compact(signature).ok();
    let our_key = signature.and_then(|signature| ecdsa::recover(digest, &signature, parsed_id).ok());
    assert_eq!(our_key.map(|key| key.to_uncompressed()), their_key, "{}", inputs());
    their_key
}

/// DER, strict and lax.
pub fn der(bytes: &[u8]) {
    // The peer turns an integer that does not fit into 0, and never verifies that; here it is no signature.
    let usable = |signature: Option<peer::Signature>| {
        signature.map(|s| s.compact()).filter(|s| s[..32] != [0; 32] && s[32..] != [0; 32])
    };
    let strict = ecdsa::Signature::from_der(bytes).ok().map(|s| s.to_compact());
    assert_eq!(strict, usable(peer::Signature::parse_der(bytes)), "strict DER {}", to_hex(bytes));
    let lax = ecdsa::Signature::from_der_lax(bytes).ok().map(|s| s.to_compact());
    assert_eq!(lax, usable(peer::Signature::parse_der_lax(bytes)), "lax DER {}", to_hex(bytes));
}

/// BIP340 signatures with and without auxiliary randomness; answers the one with it. The secret is in 1..n.
pub fn schnorr_sign(secret: &Bytes32, message: &[u8], aux: &Bytes32) -> [u8; 64] {
    let inputs = || format!("secret {} message {} aux {}", to_hex(secret), to_hex(message), to_hex(aux));
    let pair = keypair(secret);
    let ours = schnorr::sign(message, &pair, aux);
    assert_eq!(Some(ours.0), peer::schnorr_sign(message, secret, Some(aux)), "{}", inputs());
    let without = schnorr::sign_no_aux(message, &pair);
    assert_eq!(Some(without.0), peer::schnorr_sign(message, secret, None), "{}", inputs());
    assert_eq!(schnorr::verify(message, &ours, &pair.x_only().0), Ok(()), "{}", inputs());
    ours.0
}

/// The verdict on a BIP340 signature under a key of 32 bytes.
pub fn schnorr_verify(signature: &[u8; 64], message: &[u8], key: &Bytes32) {
    let inputs = || format!("signature {} message {} key {}", to_hex(signature), to_hex(message), to_hex(key));
    let theirs = peer::schnorr_verify(message, signature, key);
    assert_eq!(schnorr::verify_bytes(message, signature, key).is_ok(), theirs, "{}", inputs());
    let parsed = XOnlyPublicKey::from_bytes(key);
    let ours = parsed.is_ok_and(|key| schnorr::verify(message, &schnorr::Signature(*signature), &key).is_ok());
    assert_eq!(ours, theirs, "{}", inputs());
}

/// Which encodings of keys are taken, hybrid ones by their own name.
pub fn encoding(bytes: &[u8]) {
    let theirs = peer::PublicKey::parse(bytes).map(|key| key.uncompressed());
    let is_hybrid = bytes.len() == 65 && (bytes[0] == 6 || bytes[0] == 7);
    let strict = PublicKey::parse(bytes).ok().map(|key| key.to_uncompressed());
    let hybrid = PublicKey::parse_hybrid(bytes).ok().map(|key| key.to_uncompressed());
    assert_eq!(strict, theirs.filter(|_| !is_hybrid), "key {}", to_hex(bytes));
    assert_eq!(hybrid, theirs.filter(|_| is_hybrid), "key {}", to_hex(bytes));
}

/// BIP32 by the book on the peer's tweaks: a seed of 16 to 64 bytes and the children along the way, each with its texts.
pub fn bip32(seed: &[u8], indices: &[u32]) {
    let inputs = || format!("seed {} indices {indices:?}", to_hex(seed));
    let mac = |key: &[u8], parts: &[&[u8]]| {
        let mut mac = Hmac::<Sha512>::new_from_slice(key).expect("HMAC takes any key");
        parts.iter().for_each(|part| mac.update(part));
        let code: [u8; 64] = mac.finalize().into_bytes().into();
        code
    };
    let halves = |code: [u8; 64]| -> (Bytes32, Bytes32) {
        (code[..32].try_into().expect("32 bytes"), code[32..].try_into().expect("32 bytes"))
    };
    let text = |version: [u8; 4], meta: &[u8], chain: &Bytes32, key: &[u8]| {
        let body = [&version, meta, chain, key].concat();
        let check = Sha256::digest(Sha256::digest(&body));
        bs58::encode([&body, &check[..4]].concat()).into_string()
    };
    let (mut secret, mut chain) = halves(mac(b"Bitcoin seed", &[seed]));
    let mut meta = vec![0; 9]; // depth, parent's fingerprint, index
    let mut ours = ExtendedPrivateKey::from_seed(seed, Network::Mainnet).expect("16 to 64 bytes");
    for at in 0..=indices.len() {
        let public = peer::PublicKey::create(&secret).expect("in 1..n").compressed();
        let xprv = text([0x04, 0x88, 0xAD, 0xE4], &meta, &chain, &[&[0], &secret[..]].concat());
        let xpub = text([0x04, 0x88, 0xB2, 0x1E], &meta, &chain, &public);
        assert_eq!(ours.to_base58().as_str(), xprv, "{}", inputs());
        assert_eq!(ours.to_public().to_base58(), xpub, "{}", inputs());
        let Some(&index) = indices.get(at) else { break };
        let number = index.to_be_bytes();
        let is_hardened = index >> 31 == 1;
        let code = if is_hardened { mac(&chain, &[&[0], &secret, &number]) } else { mac(&chain, &[&public, &number]) };
        let (tweak, next_chain) = halves(code);
        secret = peer::secret_tweak_add(secret, &tweak).expect("all but one in 2^127");
        chain = next_chain;
        let fingerprint = Ripemd160::digest(Sha256::digest(public));
        meta = [&[at as u8 + 1], &fingerprint[..4], &number].concat();
        let child = ours.child(ChildNumber(index)).expect("all but one in 2^127");
        let from_public = ours.to_public().child(ChildNumber(index));
        assert_eq!(from_public.ok(), (!is_hardened).then(|| child.to_public()), "{}", inputs());
        ours = child;
    }
}

fn keypair(secret: &Bytes32) -> Keypair {
    Keypair::from_secret(&SecretKey::from_bytes(secret).expect("in 1..n"))
}

/// The key of a secret in 1..n, from both.
fn pair(secret: &Bytes32) -> (PublicKey, peer::PublicKey) {
    let ours = SecretKey::from_bytes(secret).expect("in 1..n").public_key();
    (ours, peer::PublicKey::create(secret).expect("in 1..n"))
}

/// A good signature and five that are spoiled: a bit of it, r or s replaced, s negated, another digest, another key.
fn ecdsa_verify_spoiled(
    source: &Source,
    random: &mut Random,
    signature: &[u8; 64],
    digest: &Bytes32,
    secret: &Bytes32,
) {
    let key = pair(secret).1.compressed();
    ecdsa_verify(signature, digest, &key);
    ecdsa_verify(&with_flipped_bit(random, signature), digest, &key);
    ecdsa_verify(&with_half_replaced(source, random, signature), digest, &key);
    let mut negated = *signature;
    let s: Bytes32 = negated[32..].try_into().expect("32 bytes");
    negated[32..].copy_from_slice(&peer::secret_negate(s).expect("s is in 1..n"));
    ecdsa_verify(&negated, digest, &key);
    ecdsa_verify(signature, &source.number(random), &key);
    ecdsa_verify(signature, digest, &pair(&source.secret(random)).1.uncompressed());
}

/// A signature from drawn numbers, with the key under which it is valid, if there is one: so r and s are edges and it verifies.
fn recover_then_verify(source: &Source, random: &mut Random) {
    let (digest, id) = (source.number(random), random.below(4) as u8);
    let signature: [u8; 64] =
        [source.number(random), source.number(random)].concat().try_into().expect("twice 32 bytes");
    if let Some(key) = recover(&digest, &signature, id) {
        ecdsa_verify(&signature, &digest, &key);
        ecdsa_verify(&with_flipped_bit(random, &signature), &digest, &key);
    }
}

/// A good signature and four that are spoiled: a bit of it, R or s replaced, another message, another key.
fn schnorr_verify_spoiled(
    source: &Source,
    random: &mut Random,
    signature: &[u8; 64],
    message: &[u8],
    secret: &Bytes32,
) {
    let key = pair(secret).1.x_only().0;
    schnorr_verify(signature, message, &key);
    schnorr_verify(&with_flipped_bit(random, signature), message, &key);
    schnorr_verify(&with_half_replaced(source, random, signature), message, &key);
    schnorr_verify(signature, &[message, &[0]].concat(), &key);
    schnorr_verify(signature, message, &source.number(random));
}

fn with_flipped_bit(random: &mut Random, signature: &[u8; 64]) -> [u8; 64] {
    let (mut spoiled, bit) = (*signature, random.below(512));
    spoiled[bit / 8] ^= 1 << (bit % 8);
    spoiled
}

fn with_half_replaced(source: &Source, random: &mut Random, signature: &[u8; 64]) -> [u8; 64] {
    let (mut spoiled, at) = (*signature, 32 * random.below(2));
    spoiled[at..at + 32].copy_from_slice(&source.number(random));
    spoiled
}

/// A signature's DER as it is, cut, lengthened, or with a byte replaced near its structure.
fn spoiled_der(random: &mut Random, signature: &[u8; 64]) -> Vec<u8> {
    let mut der = peer::Signature::parse_compact(signature).expect("a signature").der();
    match random.below(5) {
        0 => {}
        1 => der.truncate(random.below(der.len())),
        2 => der.push(random.word() as u8),
        3 => {
            let at = random.below(der.len());
            der.insert(at, if random.below(2) == 0 { 0 } else { random.word() as u8 });
        }
        _ => {
            // The head, the first integer's, or the second's.
            let second = 4 + usize::from(der[3]);
            let at = random.below(3) + *random.choose(&[0, 2, second]);
            der[at] = random.word() as u8;
        }
    }
    der
}

/// A key's encoding with any prefix, as it is or with a coordinate replaced; cut or lengthened now and then.
fn spoiled_encoding(source: &Source, random: &mut Random, secret: &Bytes32) -> Vec<u8> {
    let key = pair(secret).1;
    let mut bytes = if random.below(2) == 0 { key.compressed().to_vec() } else { key.uncompressed().to_vec() };
    if random.below(2) == 0 {
        bytes[0] = random.below(9) as u8;
    }
    match random.below(6) {
        0 => bytes[1..33].copy_from_slice(&source.number(random)),
        1 if bytes.len() == 65 => bytes[33..].copy_from_slice(&source.number(random)),
        2 => bytes.truncate(random.below(bytes.len())),
        3 => bytes.push(0),
        _ => {}
    }
    bytes
}
