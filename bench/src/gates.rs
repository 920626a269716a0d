//! `gates`: what every library has to get right before a clock starts.
//!
//! | gate | |
//! |---|---|
//! | BIP340 | the standard's 19 vectors, the 8 that sign included |
//! | signs | a thousand signatures of each scheme, over messages of its own, that libsecp256k1's C functions verify |
//! | verifies | a thousand of each scheme by every library that signs |
//! | same bytes | a thousand signatures of each scheme are those of libsecp256k1, byte for byte |
//! | s + 1, r + 1, message | a thousand of each scheme, changed, are refused |
//! | one of 64 | in batches of 64 one row is bad, each place once: it is refused and no other |
//!
//! windlass passes through them on each engine. A library that fails one is shown as failed and not timed.

mod bip340;

use std::fmt;

use anyhow::{Result, bail};

use crate::libraries::{libsecp256k1 as reference, peers, windlass::Windlass};
use crate::library::{Answer, Job, Library};
use crate::rig::select;
use crate::suites::lanes;
use crate::suites::secp256k1::{Case, Row};

/// How much every gate does.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Signatures of a scheme.
    signatures: usize,
    /// Batches of a scheme.
    batches: usize,
}

/// What `gates` asks for and a run that is to be believed; 64 batches have a bad row at each place once.
pub(crate) const WHOLE: Effort = Effort { signatures: 1000, batches: BATCH };

/// For a run that tries out a row.
pub(crate) const SHORT: Effort = Effort { signatures: 20, batches: 1 };

/// Rows of a batch.
const BATCH: usize = 64;

/// A library, windlass once an engine.
#[derive(Clone, Copy)]
pub(crate) struct Contestant<'a> {
    pub(crate) library: &'a dyn Library,
    pub(crate) engine: Option<&'static str>,
}

impl Contestant<'_> {
    pub(crate) fn name(&self) -> String {
        self.engine.map_or_else(|| self.library.name().to_owned(), |engine| format!("windlass ({engine})"))
    }
}

/// What a gate says of a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// So many of so many.
    Passed(usize),
    /// The library has no such function.
    Lacks,
    /// What went wrong first.
    Failed(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed(count) => write!(f, "{count}/{count}"),
            Self::Lacks => f.write_str("–"),
            Self::Failed(_) => f.write_str("FAILED"),
        }
    }
}

/// Both schemes: the row that signs, the one that verifies from bytes, and the batch.
const SCHEMES: [Scheme; 2] = [
    Scheme { name: "ECDSA", sign: Row::EcdsaSign, verify: Row::EcdsaVerifyBytes, many: lanes::Row::EcdsaVerifyBytes },
    Scheme { name: "BIP340", sign: Row::SchnorrSign, verify: Row::SchnorrVerifyBytes, many: lanes::Row::SchnorrVerify },
];

#[derive(Clone, Copy)]
struct Scheme {
    name: &'static str,
    sign: Row,
    verify: Row,
    many: lanes::Row,
}

impl Scheme {
    fn is_ecdsa(self) -> bool {
        self.sign == Row::EcdsaSign
    }

    fn signature(self, case: &mut Case) -> &mut [u8; 64] {
        if self.is_ecdsa() { &mut case.ecdsa_signature } else { &mut case.schnorr_signature }
    }

    /// By the C functions themselves, whatever a library's module makes of them.
    fn is_valid(self, case: &Case) -> bool {
        if self.is_ecdsa() {
            reference::verify_ecdsa_bytes(&case.digest, &case.ecdsa_signature, &case.key).is_some()
        } else {
            reference::verify_schnorr_bytes(&case.digest, &case.schnorr_signature, &case.x_only_key).is_some()
        }
    }
}

/// Signatures of a scheme by a library: cases that hold them.
struct Signed {
    scheme: usize,
    by: String,
    cases: Vec<Case>,
}

struct Inputs {
    /// Signed by libsecp256k1.
    cases: Vec<Case>,
    /// Signed by each library, over messages of its own. Only what libsecp256k1 verifies.
    signed: Vec<Signed>,
    vectors: Vec<bip340::Vector>,
    batches: usize,
}

/// The number in big-endian bytes plus one.
fn plus_one(number: &mut [u8]) {
    for byte in number.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return;
        }
    }
}

/// `cases` signed by a library, with the first refusal or invalid signature as the error; None where it doesn't sign.
fn sign(library: &dyn Library, scheme: Scheme, cases: &[Case], nth: u8) -> Option<Result<Vec<Case>, String>> {
    let mut cases = cases.to_vec();
    // A message of its own for each signer: deterministic signatures would be the same otherwise.
    cases.iter_mut().for_each(|case| case.digest[0] ^= nth);
    let answers = library.job(scheme.sign, &cases)?.answers();
    for (index, case) in cases.iter_mut().enumerate() {
        let signature = match answers.get(index) {
            Some(Answer::Is(bytes)) => <[u8; 64]>::try_from(&bytes[..]).ok(),
            _ => None,
        };
        let Some(signature) = signature else {
            return Some(Err(format!("{}: no signature of input {index}", scheme.name)));
        };
        *scheme.signature(case) = signature;
        if !scheme.is_valid(case) {
            return Some(Err(format!("{}: signature {index} is invalid", scheme.name)));
        }
    }
    Some(Ok(cases))
}

/// The first answer of a job that isn't as `expected`: (what it was about, valid?).
fn differs(job: Option<Box<dyn Job>>, expected: impl Fn(usize) -> bool, count: usize) -> Option<Option<usize>> {
    let answers = job?.answers();
    let wrong = |i: &usize| answers.get(*i).is_none_or(|answer| (*answer != Answer::Refused) != expected(*i));
    Some((0..count.max(answers.len())).find(wrong))
}

/// Sums up what both schemes said: None for a scheme that the library hasn't.
fn both(schemes: impl Iterator<Item = Option<Result<usize, String>>>) -> Outcome {
    let mut sum: Option<usize> = None;
    for said in schemes.flatten() {
        match said {
            Ok(count) => sum = Some(sum.unwrap_or(0) + count),
            Err(text) => return Outcome::Failed(text),
        }
    }
    sum.map_or(Outcome::Lacks, Outcome::Passed)
}

fn bip340_vectors(inputs: &Inputs, library: &dyn Library) -> Outcome {
    for bip340::Vector { number, signing, key, message, signature, is_valid } in &inputs.vectors {
        match library.verifies_bip340(key, message, signature) {
            None => return Outcome::Lacks,
            Some(verdict) if verdict != *is_valid => {
                return Outcome::Failed(format!("BIP340's vector {number}: {verdict}"));
            }
            Some(_) => {}
        }
        let signed = signing.and_then(|(secret, aux)| library.signs_bip340(&secret, message, &aux));
        if signed.is_some_and(|signed| signed != *signature) {
            return Outcome::Failed(format!("BIP340's vector {number}: another signature"));
        }
    }
    Outcome::Passed(inputs.vectors.len())
}

fn signs(inputs: &Inputs, library: &dyn Library) -> Outcome {
    both(SCHEMES.iter().map(|scheme| Some(sign(library, *scheme, &inputs.cases, 0x55)?.map(|cases| cases.len()))))
}

fn verifies(inputs: &Inputs, library: &dyn Library) -> Outcome {
    both(inputs.signed.iter().map(|Signed { scheme, by, cases }| {
        let scheme = SCHEMES[*scheme];
        let job = verification(library, scheme, cases);
        let refused = differs(job, |_| true, cases.len())?;
        Some(refused.map_or(Ok(cases.len()), |i| Err(format!("{}: refuses signature {i} of {by}", scheme.name))))
    }))
}

fn same_bytes(inputs: &Inputs, library: &dyn Library) -> Outcome {
    both(SCHEMES.iter().map(|scheme| {
        let answers = library.job(scheme.sign, &inputs.cases)?.answers();
        let differs = |(i, case): (usize, &Case)| {
            let expected = Answer::Is(scheme.signature(&mut case.clone()).to_vec());
            (answers.get(i) != Some(&expected)).then_some(i)
        };
        let first = inputs.cases.iter().enumerate().find_map(differs);
        Some(first.map_or(Ok(answers.len()), |i| Err(format!("{}: signature {i} has other bytes", scheme.name))))
    }))
}

/// A library's verification from bytes; its batch where it has nothing else.
fn verification(library: &dyn Library, scheme: Scheme, cases: &[Case]) -> Option<Box<dyn Job>> {
    library.job(scheme.verify, cases).or_else(|| library.many(scheme.many, BATCH, cases))
}

/// What `spoil` makes of every input is refused.
fn refuses(inputs: &Inputs, library: &dyn Library, what: &str, spoil: impl Fn(Scheme, &mut Case, usize)) -> Outcome {
    both(SCHEMES.iter().map(|scheme| {
        let mut cases = inputs.cases.clone();
        cases.iter_mut().enumerate().for_each(|(i, case)| spoil(*scheme, case, i));
        let accepted = differs(verification(library, *scheme, &cases), |_| false, cases.len())?;
        Some(accepted.map_or(Ok(cases.len()), |i| Err(format!("{}: accepts input {i} with {what}", scheme.name))))
    }))
}

fn s_plus_one(inputs: &Inputs, library: &dyn Library) -> Outcome {
    refuses(inputs, library, "s + 1", |scheme, case, _| plus_one(&mut scheme.signature(case)[32..]))
}

fn r_plus_one(inputs: &Inputs, library: &dyn Library) -> Outcome {
    refuses(inputs, library, "r + 1", |scheme, case, _| plus_one(&mut scheme.signature(case)[..32]))
}

fn message_bit(inputs: &Inputs, library: &dyn Library) -> Outcome {
    refuses(inputs, library, "a flipped bit of the message", |_, case, i| case.digest[i / 8 % 32] ^= 1 << (i % 8))
}

fn one_of_64(inputs: &Inputs, library: &dyn Library) -> Outcome {
    both(SCHEMES.iter().map(|scheme| {
        let is_bad = |i: usize| i % BATCH == i / BATCH;
        let mut cases: Vec<Case> = inputs.cases.iter().cycle().take(BATCH * inputs.batches).cloned().collect();
        cases.iter_mut().enumerate().filter(|(i, _)| is_bad(*i)).for_each(|(_, case)| case.digest[31] ^= 1);
        let wrong = differs(library.many(scheme.many, BATCH, &cases), |i| !is_bad(i), cases.len())?;
        Some(wrong.map_or(Ok(cases.len()), |i| {
            let verdict = if is_bad(i) { "accepts the bad row" } else { "refuses a good row" };
            Err(format!("{}: {verdict} {} of a batch of {BATCH}", scheme.name, i % BATCH))
        }))
    }))
}

type Gate = fn(&Inputs, &dyn Library) -> Outcome;

const GATES: [(&str, Gate); 8] = [
    ("BIP340", bip340_vectors),
    ("signs", signs),
    ("verifies", verifies),
    ("same bytes", same_bytes),
    ("s + 1", s_plus_one),
    ("r + 1", r_plus_one),
    ("message", message_bit),
    ("one of 64", one_of_64),
];

/// What all gates say of all contestants.
pub(crate) struct Findings(Vec<(String, Vec<Outcome>)>);

impl Findings {
    /// How a contestant failed, if it did.
    pub(crate) fn fault(&self, name: &str) -> Option<&str> {
        let outcomes = self.0.iter().filter(|(of, _)| of == name).flat_map(|(_, outcomes)| outcomes);
        outcomes
            .filter_map(|outcome| if let Outcome::Failed(text) = outcome { Some(text.as_str()) } else { None })
            .next()
    }

    /// The names of those that failed.
    pub(crate) fn failed(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).filter(|name| self.fault(name).is_some()).collect()
    }

    fn markdown(&self) -> String {
        let names = GATES.map(|(name, _)| name).join(" | ");
        let mut text = format!("| library | {names} |\n|---|{}\n", "---:|".repeat(GATES.len()));
        for (name, outcomes) in &self.0 {
            let cells: Vec<String> = outcomes.iter().map(Outcome::to_string).collect();
            text += &format!("| {name} | {} |\n", cells.join(" | "));
        }
        for name in self.failed() {
            text += &format!("\n{name}: {}\n", self.fault(name).unwrap_or_default());
        }
        text
    }
}

/// Every contestant through every gate.
pub(crate) fn examine(contestants: &[Contestant<'_>], effort: Effort) -> Result<Findings> {
    let cases = Row::MulAdd.some_cases(effort.signatures);
    let mut signed = Vec::new();
    for (nth, contestant) in contestants.iter().enumerate() {
        select(contestant.engine)?;
        for (scheme, of) in SCHEMES.iter().enumerate() {
            if let Some(Ok(cases)) = sign(contestant.library, *of, &cases, nth as u8) {
                signed.push(Signed { scheme, by: contestant.name(), cases });
            }
        }
    }
    let inputs = Inputs { cases, signed, vectors: bip340::vectors()?, batches: effort.batches };
    let mut findings = Vec::new();
    for contestant in contestants {
        select(contestant.engine)?;
        let outcomes = GATES.iter().map(|(_, gate)| gate(&inputs, contestant.library)).collect();
        findings.push((contestant.name(), outcomes));
    }
    Ok(Findings(findings))
}

/// All of `peers`, then windlass on each of `engines`.
pub(crate) fn contestants<'a>(peers: &[&'a dyn Library], engines: &[&'static str]) -> Vec<Contestant<'a>> {
    let theirs = peers.iter().map(|&library| Contestant { library, engine: None });
    theirs.chain(engines.iter().map(|&engine| Contestant { library: &Windlass, engine: Some(engine) })).collect()
}

pub(crate) fn run() -> Result<()> {
    let (peers, engines) = (peers(), windlass::engine::available().collect::<Vec<_>>());
    let peers: Vec<&dyn Library> = peers.iter().map(Box::as_ref).collect();
    let findings = examine(&contestants(&peers, &engines), WHOLE)?;
    print!("{}", findings.markdown());
    match findings.failed()[..] {
        [] => Ok(()),
        ref failed => bail!("failed: {}", failed.join(", ")),
    }
}

#[cfg(test)]
mod tests;
