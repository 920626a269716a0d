//! Every operation on a secret, with the secret's memory marked as undefined to valgrind's memcheck, which then reports each
//! branch and each address that depends on it. Started by `cargo xtask constant-time`, which builds it with
//! `--cfg windlass_ct_check`.
//!
//! `constant_time ENGINE` runs all operations on an engine; `constant_time ENGINE PLANTED` runs one fault that must be reported.
//! For valgrind, which knows no AVX-512, `array` stands in for the engine with lanes: the same text over eight portable elements.
//! What an operation makes public (a signature, a public key, whether a number is in range) the library declares public itself.
#![allow(clippy::unwrap_used, reason = "a check fails by panicking")]

use std::process::ExitCode;

#[cfg(not(windlass_ct_check))]
fn main() -> ExitCode {
    eprintln!("built without --cfg windlass_ct_check, secrets are not marked: use cargo xtask constant-time");
    ExitCode::from(2)
}

#[cfg(windlass_ct_check)]
fn main() -> ExitCode {
    use arith::ct_check;

    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(engine) = words.first() else {
        eprintln!("usage: constant_time ENGINE [PLANTED]");
        return ExitCode::from(2);
    };
    if !ct_check::is_active() {
        eprintln!("valgrind does not run this: nothing would be seen");
        return ExitCode::from(3);
    }
    if engine == "array" {
        match words.get(1).map(String::as_str) {
            None => lanes::all(),
            Some("planted-lanes") => planted::lanes(testkit::array8::Array8(field::secp256k1::Portable4x64::new())),
            Some(word) => {
                eprintln!("what is '{word}'?");
                return ExitCode::from(2);
            }
        }
        return ExitCode::SUCCESS;
    }
    if let Err(error) = windlass::engine::select(engine) {
        eprintln!("{engine}: {error}");
        return ExitCode::from(4);
    }
    if windlass::engine::name() != engine {
        eprintln!("{engine} was asked for, {} is in use", windlass::engine::name());
        return ExitCode::from(4);
    }
    match words.get(1).map(String::as_str) {
        None => operations::all(),
        Some("planted-branch") => planted::branch(),
        Some("planted-index") => planted::index(),
        Some("planted-vartime") => planted::vartime(),
        #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
        Some("planted-lanes") if engine == "ifma" => {
            let token = arith::cpu::Ifma::detect().unwrap();
            planted::lanes(field::secp256k1::Ifma8::new(token));
        }
        Some(word) => {
            eprintln!("what is '{word}'?");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS // with reports, valgrind puts its own code in place of this one
}

/// `bytes`, secret from here on.
#[cfg(windlass_ct_check)]
fn secret<const N: usize>(mut bytes: [u8; N]) -> [u8; N] {
    arith::ct_check::poison(&mut bytes);
    bytes
}

#[cfg(windlass_ct_check)]
mod operations {
    use super::secret;
    use arith::ct_check;
    use std::hint::black_box;
    use windlass::bip32::{ChildNumber, ExtendedPrivateKey, Network};
    use windlass::{Keypair, PublicKey, SecretKey, XOnlyPublicKey, ecdh, ecdsa, schnorr, taproot};

    /// Runs one operation and names it if memcheck reported something.
    pub(super) fn run<T>(name: &str, operation: impl FnOnce() -> T) -> T {
        let before = ct_check::reports();
        let result = black_box(operation());
        let reports = ct_check::reports() - before;
        println!("{name}: {reports} reports");
        result
    }

    /// Every operation that takes a secret.
    pub(super) fn all() {
        let digest = [0x17; 32];
        let peer = PublicKey::parse(&SecretKey::from_bytes(&[3; 32]).unwrap().public_key().to_compressed()).unwrap();
        let x_only: XOnlyPublicKey = peer.x_only().0;
        let key = run("SecretKey::from_bytes", || SecretKey::from_bytes(&secret([0x42; 32])).unwrap());
        run("SecretKey::to_bytes", || key.to_bytes());
        run("SecretKey::negate", || key.negate());
        run("SecretKey::tweak_add", || key.tweak_add(&secret([5; 32])).is_ok());
        run("SecretKey::tweak_mul", || key.tweak_mul(&secret([6; 32])).is_ok());
        let public = run("SecretKey::public_key", || key.public_key());
        run("PublicKey::to_compressed", || public.to_compressed());
        let pair = run("Keypair::from_secret", || Keypair::from_secret(&key));
        run("Keypair::x_only", || pair.x_only());
        run("Keypair::x_only_tweak_add", || pair.x_only_tweak_add(&[7; 32]).is_ok());
        run("ecdsa::sign_digest", || ecdsa::sign_digest(&digest, &key));
        run("ecdsa::sign_digest_with_entropy", || ecdsa::sign_digest_with_entropy(&digest, &key, &secret([8; 32])));
        run("ecdsa::sign_digest_recoverable", || ecdsa::sign_digest_recoverable(&digest, &key));
        run("ecdsa::sign_message", || ecdsa::sign_message(b"message", &key));
        let signature = run("schnorr::sign", || schnorr::sign(&digest, &pair, &secret([9; 32])));
        run("schnorr::sign_no_aux", || schnorr::sign_no_aux(&digest, &pair));
        // What came out is public: verifying it may branch.
        run("schnorr::verify", || schnorr::verify(&digest, &signature, &pair.x_only().0).unwrap());
        run("ecdh::shared_secret", || ecdh::shared_secret(&key, &peer));
        run("ecdh::shared_x", || ecdh::shared_x(&key, &peer));
        run("ecdh::shared_x_with_x_only", || ecdh::shared_x_with_x_only(&key, &x_only.to_bytes()).is_ok());
        run("taproot::tweak_keypair", || taproot::tweak_keypair(&pair, Some(&[1; 32])).is_ok());
        let master =
            run("ExtendedPrivateKey::from_seed", || ExtendedPrivateKey::from_seed(&secret([1; 64]), Network::Mainnet));
        let master = master.unwrap();
        let child = run("ExtendedPrivateKey::child, hardened", || master.child(ChildNumber(1 << 31)).unwrap());
        let child = run("ExtendedPrivateKey::child", || child.child(ChildNumber(7)).unwrap());
        run("ExtendedPrivateKey::to_public", || child.to_public());
        // Values at the ends: 1 and n − 1.
        let mut one = [0; 32];
        one[31] = 1;
        let last = *SecretKey::from_bytes(&one).unwrap().negate().to_bytes();
        for bytes in [one, last] {
            let key = SecretKey::from_bytes(&secret(bytes)).unwrap();
            run("SecretKey::public_key, an edge", || key.public_key());
            run("ecdh::shared_x, an edge", || ecdh::shared_x(&key, &peer));
            run("ecdsa::sign_digest, an edge", || ecdsa::sign_digest(&digest, &key));
            run("schnorr::sign, an edge", || schnorr::sign(&digest, &Keypair::from_secret(&key), &[0; 32]));
        }
    }
}

/// The operations that run in lanes where there are some.
#[cfg(windlass_ct_check)]
mod lanes {
    use super::operations::run;
    use super::secret;
    use curve::{AffinePoint, Secp256k1};
    use field::SecretScalar;
    use field::secp256k1::{GroupOrder, Portable4x64};
    use sig::HmacSha256;
    use sig::bip32::{ChildNumber, ExtendedPrivateKey, Network};
    use sig::{ecdh, ecdsa, keys, schnorr};
    use testkit::array8::ArrayBackends;

    /// All of them.
    pub(super) fn all() {
        let b = ArrayBackends(Portable4x64::new());
        let mut one = [0; 32];
        one[31] = 1;
        let last = *SecretScalar::<GroupOrder>::from_be_bytes(&one).unwrap().negate().to_be_bytes();
        for bytes in [[0x42; 32], [0x81; 32], one, last] {
            let key: SecretScalar<GroupOrder> = keys::parse_secret(&secret(bytes)).unwrap();
            let public: AffinePoint<Secp256k1> = run("keys::public_key in lanes", || keys::public_key(b, &key));
            run("ecdsa::sign_digest in lanes", || {
                ecdsa::sign_digest::<Secp256k1, _, HmacSha256>(b, &[0x17; 32], &key, Some(&secret([8; 32])))
            });
            let peer = AffinePoint::<Secp256k1>::GENERATOR.negate();
            run("ecdh::shared_secret in lanes", || ecdh::shared_secret(b, &key, &peer));
            run("schnorr::sign in lanes", || schnorr::sign(b, &[0x17; 32], &key, &public, &secret([9; 32])));
        }
        let master = ExtendedPrivateKey::from_seed(&secret([1; 64]), Network::Mainnet).unwrap();
        let child = run("ExtendedPrivateKey::child in lanes", || master.child(b, ChildNumber(7)).unwrap());
        run("ExtendedPrivateKey::to_public in lanes", || child.to_public(b));
    }
}

#[cfg(windlass_ct_check)]
mod planted {
    use super::secret;
    use std::hint::black_box;

    #[inline(never)]
    fn one_way() -> u64 {
        black_box(1)
    }

    #[inline(never)]
    fn other_way() -> u64 {
        black_box(2)
    }

    /// A branch by a secret bit.
    pub(super) fn branch() {
        let [byte] = secret([3]);
        black_box(if black_box(byte) & 1 == 1 { one_way() } else { other_way() });
    }

    /// A table read at a secret index.
    pub(super) fn index() {
        let (table, [byte]) = (black_box([7u64; 256]), secret([3]));
        black_box(table[usize::from(black_box(byte))]);
    }

    /// The rows of lanes read at secret numbers, and not from the whole table.
    pub(super) fn lanes<F: field::FieldOps<Prime = field::secp256k1::FieldPrime>>(f: F) {
        use curve::{AffinePoint, Secp256k1, point::Affine};
        let rows = [*AffinePoint::<Secp256k1>::GENERATOR.row(); 8];
        let numbers = secret([1, 2, 3, 4, 5, 6, 7, 0]).map(u32::from);
        let mut q = Affine::place(f);
        f.load_to(&mut q.x, &mut q.y, &rows, &numbers);
        black_box(q);
    }

    /// A variable-time multiplication with a secret key as the factor: the library does not lose the mark on the way.
    pub(super) fn vartime() {
        let key = windlass::SecretKey::from_bytes(&secret([3; 32])).unwrap().negate();
        black_box(windlass::vartime::mul_base(&key.to_bytes()));
    }
}
