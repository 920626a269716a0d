//! Suite `secp256k1`: single operations on one core.

use crate::libraries::{libsecp256k1 as reference, windlass::Windlass};
use crate::library::Library;
use crate::random::Random;
use crate::rig::{Contender, Expects, Plan};

/// The suite's name.
pub(crate) const NAME: &str = "secp256k1";

/// Damaged inputs each library has to refuse before it is timed.
const SPOILED: usize = 16;

/// Distinct inputs of every row; below a few hundred a branch predictor learns them.
pub(crate) const CASES: usize = 512;

/// Of all inputs.
pub(crate) const SEED: u64 = 0x7769_6e64_6c61_7373;

macro_rules! rows {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What is timed in each row; what is prepared is not.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Row { $($(#[$doc])* $variant,)* }

        impl Row {
            pub(crate) const ALL: &[Row] = &[$(Row::$variant,)*];

            pub(crate) fn name(self) -> &'static str {
                match self { $(Row::$variant => $name,)* }
            }
        }
    };
}

rows! {
    /// Parsed key, parsed signature, 32-byte digest; high s is refused.
    EcdsaVerify = "ecdsa_verify",
    /// Key from 33 bytes, signature from 64.
    EcdsaVerifyBytes = "ecdsa_verify_bytes",
    /// Parsed x-only key, 32-byte message, signature of 64 bytes.
    SchnorrVerify = "schnorr_verify",
    /// Key from 32 bytes.
    SchnorrVerifyBytes = "schnorr_verify_bytes",
    /// As `ecdsa_verify`, under the keys of four signers in turn, each with what the library can prepare for a key.
    PreparedVerify = "prepared_verify",
    /// As `schnorr_verify`, in the same way.
    SchnorrPreparedVerify = "schnorr_prepared_verify",
    /// RFC 6979, no extra entropy.
    EcdsaSign = "ecdsa_sign",
    /// The key pair is ready; 32 bytes of auxiliary randomness.
    SchnorrSign = "schnorr_sign",
    /// 32 secret bytes to an affine public key.
    KeyCreate = "key_create",
    /// Parsed signature and id to an affine public key.
    Recover = "recover",
    /// SHA-256 of the compressed shared point; both keys parsed.
    Ecdh = "ecdh",
    /// P + t·G, parsed key, t as 32 bytes.
    TweakAdd = "tweak_add",
    /// 33 bytes to an affine public key.
    ParseCompressed = "parse_compressed",
    /// Parsed xpub, five levels without hardened ones.
    Bip32Depth5 = "bip32_depth5",
    /// Parsed xprv, five levels, the first three hardened: the key at the end with its place in the tree.
    Bip32PrivateDepth5 = "bip32_private_depth5",
    /// Parsed internal key, with a Merkle root in every second case.
    TaprootOutputKey = "taproot_output_key",
    /// BIP340 tagged hash of 64 bytes, the tag given as a string.
    TaggedHash = "tagged_hash",
    /// k·G on public data.
    MulBase = "mul_base",
    /// k·G with k < 2^57.
    MulBase57 = "mul_base_57",
    /// k·P on public data.
    Mul = "mul",
    /// k·P with k < 2^57.
    Mul57 = "mul_57",
    /// a·G + b·P on public data.
    MulAdd = "mul_add",
    /// a·G + b·P with a, b < 2^57.
    MulAdd57 = "mul_add_57",
}

/// Signers of the rows with prepared keys: what is kept for them fits caches, as it does for those whose keys are worth it.
const SIGNERS: usize = 4;

/// The tag of row `tagged_hash`.
pub(crate) const TAG: &str = "TapTweak";

/// Levels of rows `bip32_depth5` and `bip32_private_depth5`.
pub(crate) const DEPTH: usize = 5;

/// How many levels of row `bip32_private_depth5` are hardened, from the top, as in m/84'/0'/0'/0/0.
const HARDENED: usize = 3;

/// One input, in standard encodings; each row takes what it needs.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) secret: [u8; 32],
    /// Compressed.
    pub(crate) key: [u8; 33],
    pub(crate) x_only_key: [u8; 32],
    /// A key whose secret is another one, compressed.
    pub(crate) other_key: [u8; 33],
    pub(crate) digest: [u8; 32],
    pub(crate) ecdsa_signature: [u8; 64],
    pub(crate) recovery_id: u8,
    pub(crate) schnorr_signature: [u8; 64],
    pub(crate) aux: [u8; 32],
    pub(crate) tweak: [u8; 32],
    pub(crate) merkle_root: Option<[u8; 32]>,
    pub(crate) message: [u8; 64],
    /// Base58 with `key` in it.
    pub(crate) xpub: String,
    /// Base58 with `secret` in it.
    pub(crate) xprv: String,
    pub(crate) path: [u32; DEPTH],
    /// Scalars a and b of the multiplications, big-endian.
    pub(crate) scalars: [[u8; 32]; 2],
}

impl Case {
    /// The same message, signed under BIP340 by another's key.
    pub(crate) fn take_key_of(&mut self, other: &Case) {
        (self.secret, self.key, self.x_only_key) = (other.secret, other.key, other.x_only_key);
        self.schnorr_signature = reference::sign_schnorr(&self.digest, &self.secret, &self.aux);
    }
}

/// The group order n (SEC 2, 2.4.1): the first scalar out of range.
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xba, 0xae, 0xdc,
    0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
];

/// A coordinate that is on no point: 5³ + 7 = 132 is not a square mod p.
const NO_POINT_X: [u8; 32] = {
    let mut x = [0; 32];
    x[31] = 5;
    x
};

impl Row {
    /// The scalars of the row's multiplication are below 2^57.
    fn has_short_scalars(self) -> bool {
        matches!(self, Row::MulBase57 | Row::Mul57 | Row::MulAdd57)
    }

    /// The keys of the row are prepared.
    fn has_prepared_keys(self) -> bool {
        matches!(self, Row::PreparedVerify | Row::SchnorrPreparedVerify)
    }

    /// The row with every one of `peers` that has the function, and windlass on each of `engines`.
    pub(crate) fn plan(self, peers: &[&dyn Library], engines: &[&'static str]) -> Plan {
        let cases = self.cases();
        let spoiled: Vec<_> = cases.iter().take(SPOILED).enumerate().map(|(i, case)| self.spoil(case, i)).collect();
        let contender = |library: &dyn Library, engine| {
            let (job, other) = (library.job(self, &cases)?, library.job(self, &spoiled)?);
            Some(Contender { library: library.name(), package: library.package(), engine, job, other })
        };
        let theirs = peers.iter().filter_map(|peer| contender(*peer, None));
        let ours = engines.iter().filter_map(|&engine| contender(&Windlass, Some(engine)));
        let contenders = theirs.chain(ours).collect();
        let expects = if self == Row::TaggedHash { Expects::Differences } else { Expects::Refusals };
        Plan { suite: NAME, row: self.name().to_owned(), inputs: cases.len(), expects, contenders }
    }

    /// The cases of this row, the same at every run.
    fn cases(self) -> Vec<Case> {
        self.some_cases(CASES)
    }

    /// The first `count` of the row's cases, which have no end.
    pub(crate) fn some_cases(self, count: usize) -> Vec<Case> {
        let mut random = Random::new(SEED);
        (0..count).map(|index| self.case(index, &mut random)).collect()
    }

    fn case(self, index: usize, random: &mut Random) -> Case {
        // A random 32-byte string is 0 or ≥ n once in 2^128.
        let secret: [u8; 32] = if self.has_prepared_keys() {
            Random::new(SEED + 1 + (index % SIGNERS) as u64).bytes()
        } else {
            random.bytes()
        };
        let (digest, aux) = (random.bytes(), random.bytes());
        let key = reference::public_key(&secret);
        let (ecdsa_signature, recovery_id) = reference::sign_ecdsa(&digest, &secret);
        let scalars = [random.bytes(), random.bytes()].map(|k: [u8; 32]| {
            let mut short = [0; 32];
            short[24..].copy_from_slice(&k[24..]);
            short[24] &= 1; // 56 bits and the one above
            if self.has_short_scalars() { short } else { k }
        });
        let chain_code = random.bytes();
        Case {
            secret,
            key,
            x_only_key: std::array::from_fn(|i| key[i + 1]),
            other_key: reference::public_key(&random.bytes()),
            digest,
            ecdsa_signature,
            recovery_id,
            schnorr_signature: reference::sign_schnorr(&digest, &secret, &aux),
            aux,
            tweak: random.bytes(),
            merkle_root: (index % 2 == 1).then(|| random.bytes()),
            message: random.bytes(),
            xpub: crate::libraries::bitcoin::xpub(&key, &chain_code),
            xprv: crate::libraries::bitcoin::xprv(&secret, &chain_code),
            path: std::array::from_fn(|level| {
                let hardened = self == Row::Bip32PrivateDepth5 && level < HARDENED;
                random.word() as u32 >> 1 | u32::from(hardened) << 31
            }),
            scalars,
        }
    }

    /// The case damaged so that every library has to refuse it (`tagged_hash`, which refuses nothing, has to answer
    /// differently). Two kinds, by `kind`'s parity.
    pub(crate) fn spoil(self, case: &Case, kind: usize) -> Case {
        let mut spoiled = case.clone();
        let first = kind.is_multiple_of(2);
        match self {
            Row::EcdsaVerify
            | Row::EcdsaVerifyBytes
            | Row::PreparedVerify
            | Row::SchnorrVerify
            | Row::SchnorrVerifyBytes
            | Row::SchnorrPreparedVerify
                if first =>
            {
                spoiled.digest[kind % 32] ^= 1;
            }
            Row::EcdsaVerify | Row::EcdsaVerifyBytes | Row::PreparedVerify => spoiled.ecdsa_signature[63] ^= 1,
            Row::SchnorrVerify | Row::SchnorrVerifyBytes | Row::SchnorrPreparedVerify => {
                spoiled.schnorr_signature[63] ^= 1;
            }
            Row::EcdsaSign | Row::SchnorrSign | Row::KeyCreate => spoiled.secret = if first { [0; 32] } else { ORDER },
            Row::Recover => spoiled.ecdsa_signature[..32].copy_from_slice(if first { &NO_POINT_X } else { &ORDER }),
            Row::Ecdh if first => spoiled.secret = [0; 32],
            Row::Ecdh => spoiled.other_key[1..].copy_from_slice(&NO_POINT_X),
            Row::TweakAdd => spoiled.tweak = if first { ORDER } else { reference::negated(&case.secret) },
            Row::ParseCompressed if first => spoiled.key[0] = 8, // 5 is a form that some accept
            Row::ParseCompressed => spoiled.key[1..].copy_from_slice(&NO_POINT_X),
            Row::Bip32Depth5 => spoiled.path[kind % DEPTH] |= 1 << 31,
            // An 'l' is no digit of base58; a changed digit breaks the checksum.
            Row::Bip32PrivateDepth5 if first => spoiled.xprv.replace_range(20..21, "l"),
            Row::Bip32PrivateDepth5 => {
                let other = if spoiled.xprv[40..].starts_with('7') { "8" } else { "7" };
                spoiled.xprv.replace_range(40..41, other);
            }
            Row::TaprootOutputKey => spoiled.x_only_key = NO_POINT_X,
            Row::TaggedHash => spoiled.message[kind % 64] ^= 1,
            Row::MulBase | Row::MulBase57 | Row::Mul | Row::Mul57 | Row::MulAdd | Row::MulAdd57 => {
                spoiled.scalars = [[0; 32]; 2];
            }
        }
        spoiled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_distinct_and_short_scalars_reach_57_bits() {
        let cases = Row::MulAdd57.cases();
        let mut keys: Vec<_> = cases.iter().map(|case| case.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), CASES);
        let bits = |k: &[u8; 32]| {
            256 - k
                .iter()
                .fold((0, true), |(n, lead), b| (if lead { n + b.leading_zeros() } else { n }, lead && *b == 0))
                .0
        };
        assert_eq!(cases.iter().flat_map(|case| case.scalars.iter().map(bits)).max(), Some(57));
    }
}
