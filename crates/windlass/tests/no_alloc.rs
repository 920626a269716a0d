//! No operation on a single signature or key allocates: counted on every engine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use testkit::counting::{Counting, allocations};
use windlass::ecdsa::{RecoveryId, Signature};
use windlass::modexp::{self, Exponent};
use windlass::{
    Keypair, LowS, PreparedKey, PublicKey, SecretKey, XOnlyPublicKey, ecdh, ecdsa, engine, schnorr, taproot, vartime,
};

#[global_allocator]
static COUNTING: Counting = Counting;

/// What this thread allocates.
#[test]
fn single_operations_do_not_allocate() {
    assert!(allocations(|| vec![0u8; 1]) > 0, "the counter counts");
    for name in engine::available() {
        engine::select(name).unwrap();
        let (secret, tweak, digest) = (SecretKey::from_bytes(&[0x42; 32]).unwrap(), [0x33; 32], [0x55; 32]);
        let pair = Keypair::from_secret(&secret);
        let (public, x_only) = (*pair.public(), pair.x_only().0);
        let (signature, id) = ecdsa::sign_digest_recoverable(&digest, &secret);
        let schnorr_signature = schnorr::sign(&digest, &pair, &tweak);
        let (compressed, uncompressed, x) = (public.to_compressed(), public.to_uncompressed(), x_only.to_bytes());
        let (der, compact) = (signature.to_der(), signature.to_compact());
        let message = [0xA5u8; 1000];
        let prepared = PreparedKey::new(&public);
        let root = Some(&tweak);
        let counted = [
            ("key create", allocations(|| SecretKey::from_bytes(&tweak).unwrap().public_key())),
            ("secret tweaks", allocations(|| secret.tweak_add(&tweak).unwrap().tweak_mul(&tweak).unwrap().negate())),
            ("parse compressed", allocations(|| PublicKey::parse(&compressed))),
            ("parse uncompressed", allocations(|| PublicKey::parse(&uncompressed))),
            ("parse x-only", allocations(|| XOnlyPublicKey::from_bytes(&x))),
            ("serialise", allocations(|| (public.to_compressed(), public.to_uncompressed(), public.x_only()))),
            ("public tweaks", allocations(|| public.tweak_add(&tweak).unwrap().tweak_mul(&tweak))),
            ("combine", allocations(|| PublicKey::combine(&[public, public, public.negate()]))),
            ("parse DER", allocations(|| (Signature::from_der(&der), Signature::from_der_lax(&der)))),
            ("parse compact", allocations(|| Signature::from_compact(&compact).unwrap().normalize_s().to_der())),
            ("ECDSA sign", allocations(|| ecdsa::sign_digest(&digest, &secret))),
            ("ECDSA sign with entropy", allocations(|| ecdsa::sign_digest_with_entropy(&digest, &secret, &tweak))),
            ("ECDSA verify", allocations(|| ecdsa::verify_digest(&digest, &signature, &public, LowS::Required))),
            ("ECDSA verify, false", allocations(|| ecdsa::verify_digest(&tweak, &signature, &public, LowS::Required))),
            (
                "ECDSA verify a message",
                allocations(|| ecdsa::verify_message(&message, &signature, &public, LowS::Required)),
            ),
            (
                "prepared key",
                allocations(|| {
                    (
                        prepared.verify_ecdsa_digest(&digest, &signature, LowS::Required),
                        prepared.verify_schnorr(&digest, &schnorr_signature),
                    )
                }),
            ),
            ("recover", allocations(|| ecdsa::recover(&digest, &signature, id))),
            ("recover, wrong id", allocations(|| ecdsa::recover(&digest, &signature, RecoveryId::from_u8(3).unwrap()))),
            ("Schnorr sign", allocations(|| schnorr::sign(&message, &pair, &tweak))),
            ("Schnorr verify", allocations(|| schnorr::verify(&digest, &schnorr_signature, &x_only))),
            ("Schnorr verify bytes", allocations(|| schnorr::verify_bytes(&message, &schnorr_signature.0, &x))),
            ("ECDH", allocations(|| (ecdh::shared_secret(&secret, &public), ecdh::shared_x_with_x_only(&secret, &x)))),
            ("taproot", allocations(|| (taproot::output_key(&x_only, root), taproot::tweak_keypair(&pair, root)))),
            ("tagged hash", allocations(|| taproot::tagged_hash(b"tag", &[&message, &digest]))),
            ("vartime", allocations(|| (vartime::mul_base(&tweak), vartime::mul_add(&tweak, &digest, &public)))),
        ];
        for (name, modulus) in
            [("odd", 0..0), ("even", 1020..1024), ("half of it twos", 512..1024), ("2^8191", 1..1024)]
        {
            let (mut number, exponent) = ([0xFF; 1024], [0xFF; 40]);
            number[0] = 0x80;
            number[modulus].fill(0);
            let mut out = [0; 1024];
            let power = || modexp::modexp(&[0xEF; 1024], Exponent::new(&exponent), &number, &mut out);
            assert_eq!(allocations(power), 0, "a power modulo a number of 1024 bytes, {name}");
        }
        for (operation, count) in counted {
            assert_eq!(count, 0, "{operation} on {name} allocates");
        }
    }
}
