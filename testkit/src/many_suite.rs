//! Many signatures at once, held against one at a time: `verify_many` and `recover_many` on the engine in use.
//!
//! [`Input`] is a row that owns its bytes, [`Case`] one with its name and with what the functions for one signature say of it.
//! [`signer`] makes good rows and rows with given exponents, [`faults`] every way in which a row can fail alone, [`forgeries`] sets
//! of rows whose faults cancel each other, [`exceptional`] valid rows that meet equal, opposite and infinite points on the way, and
//! [`classes`] picks one of these for each step that handles it.

pub mod classes;
pub mod exceptional;
pub mod faults;
pub mod forgeries;
pub mod signer;

use windlass::ecdsa::{self, RecoveryId};
use windlass::many::{self, EcdsaSignature, RecoverRow, Row, Verdict};
use windlass::{Invalid, LowS, Parity, ParseError, PublicKey, XOnlyPublicKey, schnorr, taproot};

/// A public key, parsed or as bytes.
#[derive(Clone, Debug)]
pub enum Key {
    /// Parsed.
    Parsed(PublicKey),
    /// SEC 1, or what pretends to be.
    Sec1(Vec<u8>),
}

impl Key {
    fn parse(&self) -> Result<PublicKey, ParseError> {
        match self {
            Self::Parsed(key) => Ok(*key),
            Self::Sec1(bytes) => PublicKey::parse(bytes),
        }
    }

    fn borrow(&self) -> many::Key<'_> {
        match self {
            Self::Parsed(key) => many::Key::Parsed(key),
            Self::Sec1(bytes) => many::Key::Sec1(bytes),
        }
    }
}

/// An x-only key, parsed or as bytes.
#[derive(Clone, Debug)]
pub enum XOnly {
    /// Parsed.
    Parsed(XOnlyPublicKey),
    /// x.
    Bytes([u8; 32]),
}

impl XOnly {
    fn parse(&self) -> Result<XOnlyPublicKey, ParseError> {
        match self {
            Self::Parsed(key) => Ok(*key),
            Self::Bytes(bytes) => XOnlyPublicKey::from_bytes(bytes),
        }
    }

    fn borrow(&self) -> many::XOnlyKey<'_> {
        match self {
            Self::Parsed(key) => many::XOnlyKey::Parsed(key),
            Self::Bytes(bytes) => many::XOnlyKey::Bytes(bytes),
        }
    }
}

/// An ECDSA signature, parsed or as bytes.
#[derive(Clone, Debug)]
pub enum Signature {
    /// Parsed.
    Parsed(ecdsa::Signature),
    /// r ‖ s.
    Compact([u8; 64]),
    /// DER, or what pretends to be.
    Der(Vec<u8>),
}

impl Signature {
    fn parse(&self) -> Result<ecdsa::Signature, ParseError> {
        match self {
            Self::Parsed(signature) => Ok(*signature),
            Self::Compact(bytes) => ecdsa::Signature::from_compact(bytes),
            Self::Der(bytes) => ecdsa::Signature::from_der(bytes),
        }
    }

    fn borrow(&self) -> EcdsaSignature<'_> {
        match self {
            Self::Parsed(signature) => EcdsaSignature::Parsed(signature),
            Self::Compact(bytes) => EcdsaSignature::Compact(bytes),
            Self::Der(bytes) => EcdsaSignature::Der(bytes),
        }
    }
}

/// A row with everything that it is made of.
#[derive(Clone, Debug)]
pub enum Input {
    /// ECDSA.
    Ecdsa {
        /// What is signed.
        digest: [u8; 32],
        /// The signature.
        signature: Signature,
        /// The signer.
        key: Key,
        /// Is a high s refused?
        low_s: LowS,
    },
    /// ECDSA with the recovery id.
    EcdsaRecoverable {
        /// What is signed.
        digest: [u8; 32],
        /// The signature.
        signature: Signature,
        /// Which R.
        id: RecoveryId,
        /// The signer.
        key: Key,
        /// Is a high s refused?
        low_s: LowS,
    },
    /// BIP340.
    Schnorr {
        /// What is signed.
        message: Vec<u8>,
        /// The signature.
        signature: [u8; 64],
        /// The signer.
        key: XOnly,
    },
    /// A taproot output.
    TaprootTweak {
        /// The internal key.
        internal: XOnly,
        /// The script tree.
        merkle_root: Option<[u8; 32]>,
        /// x of the output key.
        output: [u8; 32],
        /// Parity of the output key.
        parity: Parity,
    },
}

impl Input {
    /// The row that borrows from it.
    pub fn row(&self) -> Row<'_> {
        match self {
            Self::Ecdsa { digest, signature, key, low_s } => {
                Row::Ecdsa { digest, signature: signature.borrow(), key: key.borrow(), low_s: *low_s }
            }
            Self::EcdsaRecoverable { digest, signature, id, key, low_s } => Row::EcdsaRecoverable {
                digest,
                signature: signature.borrow(),
                id: *id,
                key: key.borrow(),
                low_s: *low_s,
            },
            Self::Schnorr { message, signature, key } => Row::Schnorr { message, signature, key: key.borrow() },
            Self::TaprootTweak { internal, merkle_root, output, parity } => Row::TaprootTweak {
                internal: internal.borrow(),
                merkle_root: merkle_root.as_ref(),
                output,
                parity: *parity,
            },
        }
    }

    /// What the functions for one signature say.
    pub fn single(&self) -> Verdict {
        self.verify().unwrap_or_else(Verdict::Malformed)
    }

    fn verify(&self) -> Result<Verdict, ParseError> {
        let verdict = |holds| if holds { Verdict::Valid } else { Verdict::Invalid };
        Ok(match self {
            Self::Ecdsa { digest, signature, key, low_s } => {
                let (key, signature) = (key.parse()?, signature.parse()?);
                verdict(ecdsa::verify_digest(digest, &signature, &key, *low_s).is_ok())
            }
            Self::EcdsaRecoverable { digest, signature, id, key, low_s } => {
                let (key, signature) = (key.parse()?, signature.parse()?);
                let recovered = ecdsa::recover(digest, &signature, *id) == Ok(key);
                let verifies = ecdsa::verify_digest(digest, &signature, &key, *low_s).is_ok();
                verdict(recovered && verifies)
            }
            Self::Schnorr { message, signature, key } => {
                verdict(schnorr::verify(message, &schnorr::Signature(*signature), &key.parse()?).is_ok())
            }
            Self::TaprootTweak { internal, merkle_root, output, parity } => {
                let tweaked = taproot::output_key(&internal.parse()?, merkle_root.as_ref());
                verdict(tweaked.is_ok_and(|(key, odd)| key.to_bytes() == *output && odd == *parity))
            }
        })
    }
}

/// A row, what it is, and the verdict on it alone.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is right or wrong with it.
    pub name: String,
    /// The row.
    pub input: Input,
    /// The verdict of the functions for one signature.
    pub verdict: Verdict,
}

impl Case {
    /// A case that was made to be valid, or not to be: its single verdict has to agree.
    pub fn new(name: impl Into<String>, input: Input, is_valid: bool) -> Self {
        let (name, verdict) = (name.into(), input.single());
        assert_eq!(verdict.is_valid(), is_valid, "{name}: {verdict:?} {input:?}");
        Self { name, input, verdict }
    }

    /// A valid case.
    pub fn valid(name: impl Into<String>, input: Input) -> Self {
        Self::new(name, input, true)
    }

    /// A case that is not valid.
    pub fn bad(name: impl Into<String>, input: Input) -> Self {
        Self::new(name, input, false)
    }
}

/// A call's rows: cases that are put where others stood and taken away again.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    rows: Vec<Row<'a>>,
    cases: Vec<&'a Case>,
}

impl<'a> Rows<'a> {
    /// These cases in this order.
    pub fn new(cases: impl IntoIterator<Item = &'a Case>) -> Self {
        let cases: Vec<&Case> = cases.into_iter().collect();
        Self { rows: cases.iter().map(|case| case.input.row()).collect(), cases }
    }

    /// How many rows.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Puts a case at `index`; answers the one that stood there.
    pub fn put(&mut self, index: usize, case: &'a Case) -> &'a Case {
        self.rows[index] = case.input.row();
        std::mem::replace(&mut self.cases[index], case)
    }

    /// `verify_many` answers for each row as for it alone, and for all what the rows' answers say.
    pub fn check(&self) {
        self.compare(&many::verify_many(&self.rows), "the default");
    }

    /// [`check`](Self::check) within some memory.
    pub fn check_within(&self, memory_bytes: usize) {
        self.compare(&many::verify_many_within(&self.rows, memory_bytes), &format!("{memory_bytes} bytes"));
    }

    /// [`check`](Self::check) with cases at some indices, which are taken away again.
    pub fn check_with(&mut self, planted: &[(usize, &'a Case)]) {
        let stood: Vec<(usize, &Case)> = planted.iter().map(|&(index, case)| (index, self.put(index, case))).collect();
        self.check();
        for (index, case) in stood.into_iter().rev() {
            self.put(index, case);
        }
    }

    fn compare(&self, verdicts: &many::Verdicts, memory: &str) {
        assert_eq!(verdicts.len(), self.cases.len());
        let all = self.cases.iter().all(|case| case.verdict.is_valid());
        let wrong = verdicts.iter().zip(&self.cases).position(|(verdict, case)| verdict != case.verdict);
        if let Some(index) = wrong {
            let faults: Vec<_> = self.cases.iter().enumerate().filter(|(_, case)| !case.verdict.is_valid()).collect();
            let faults: Vec<String> = faults.iter().map(|(at, case)| format!("{at}: {}", case.name)).collect();
            panic!(
                "row {index} of {}, '{}', within {memory}: {:?}, alone {:?}; faults at {faults:?}",
                self.len(),
                self.cases[index].name,
                verdicts.get(index),
                self.cases[index].verdict,
            );
        }
        assert_eq!(verdicts.all_valid(), all);
    }
}

/// A signature whose key is asked for, and the answer for it alone.
#[derive(Clone, Debug)]
pub struct RecoverCase {
    /// What is special.
    pub name: String,
    /// What is signed.
    pub digest: [u8; 32],
    /// The signature.
    pub signature: ecdsa::Signature,
    /// Which R.
    pub id: RecoveryId,
    /// The key, or that there is none.
    pub key: Result<PublicKey, Invalid>,
}

impl RecoverCase {
    /// With the answer of the function for one.
    pub fn new(name: impl Into<String>, digest: [u8; 32], signature: ecdsa::Signature, id: RecoveryId) -> Self {
        let key = ecdsa::recover(&digest, &signature, id);
        Self { name: name.into(), digest, signature, id, key }
    }

    fn row(&self) -> RecoverRow<'_> {
        RecoverRow { digest: &self.digest, signature: &self.signature, id: self.id }
    }
}

/// `recover_many` answers for each as for it alone.
pub fn check_recover(cases: &[&RecoverCase]) {
    let rows: Vec<RecoverRow<'_>> = cases.iter().map(|case| case.row()).collect();
    let keys = many::recover_many(&rows);
    assert_eq!(keys.len(), cases.len());
    for (index, (key, case)) in keys.iter().zip(cases).enumerate() {
        assert_eq!(*key, case.key, "row {index} of {}, '{}'", cases.len(), case.name);
    }
}
