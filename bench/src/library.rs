//! What the rig knows of a library: a name, a version, how it was built, and the rows it can run.

use std::hint::black_box;

use crate::suites::{
    lanes,
    secp256k1::{Case, Row},
};

/// What a library says to one input. Two libraries agree on an input when their answers are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Invalid, off the curve, out of range: whatever the library calls it.
    Refused,
    /// The verdict "valid" (no bytes) or the result in its standard encoding.
    Is(Vec<u8>),
}

impl Answer {
    pub(crate) fn of_verdict(is_valid: bool) -> Self {
        if is_valid { Self::Is(Vec::new()) } else { Self::Refused }
    }
}

/// One row of one library with its inputs made ready.
pub(crate) trait Job {
    /// What is timed: the operation once on every input.
    fn pass(&self);
    /// What is checked: the answer to every input.
    fn answers(&self) -> Vec<Answer>;
}

/// A library under test. windlass is one of them.
pub(crate) trait Library {
    fn name(&self) -> &'static str;
    /// The package whose version in Cargo.lock names the library's.
    fn package(&self) -> &'static str;
    /// How it was built, for the head of the table.
    fn built(&self) -> String;
    /// A row of suite `secp256k1`; None where the library has no such function.
    fn job(&self, row: Row, cases: &[Case]) -> Option<Box<dyn Job>>;
    /// BIP340 on a message of any length, for the gates; None where the library has no verification.
    fn verifies_bip340(&self, _key: &[u8; 32], _message: &[u8], _signature: &[u8; 64]) -> Option<bool> {
        None
    }
    /// BIP340's signature of a message of any length, for the gates; None where the library doesn't sign.
    fn signs_bip340(&self, _secret: &[u8; 32], _message: &[u8], _aux: &[u8; 32]) -> Option<[u8; 64]> {
        None
    }
    /// A row of suite `lanes`, `group` inputs at a time; None where the library can't do it. A library without functions for
    /// many does them one by one.
    fn many(&self, row: lanes::Row, _group: usize, cases: &[Case]) -> Option<Box<dyn Job>> {
        self.job(row.one_by_one()?, cases)
    }
}

struct Prepared<T, Run, Encode> {
    inputs: Vec<Option<T>>,
    run: Run,
    encode: Encode,
}

impl<T, R, Run: Fn(&T) -> Option<R>, Encode: Fn(&R) -> Vec<u8>> Job for Prepared<T, Run, Encode> {
    #[inline(never)]
    fn pass(&self) {
        for input in self.inputs.iter().flatten() {
            black_box((self.run)(black_box(input)));
        }
    }

    fn answers(&self) -> Vec<Answer> {
        let answer = |input: &Option<T>| input.as_ref().and_then(|ready| (self.run)(ready));
        let encode = |result: R| Answer::Is((self.encode)(&result));
        self.inputs.iter().map(|input| answer(input).map_or(Answer::Refused, encode)).collect()
    }
}

/// A job of three steps: `prepare` (not timed) makes the library's own input of a case, `run` (timed) is the operation,
/// `encode` (not timed) makes the bytes that are compared. A None of the first two is a refusal.
pub(crate) fn job<T: 'static, R: 'static>(
    cases: &[Case],
    prepare: impl Fn(&Case) -> Option<T>,
    run: impl Fn(&T) -> Option<R> + 'static,
    encode: impl Fn(&R) -> Vec<u8> + 'static,
) -> Option<Box<dyn Job>> {
    Some(Box::new(Prepared { inputs: cases.iter().map(prepare).collect(), run, encode }))
}

struct Grouped<T, Run, Answers> {
    group: usize,
    inputs: Vec<T>,
    run: Run,
    answers: Answers,
}

impl<T, R, Run: Fn(&[T]) -> R, Answers: Fn(R) -> Vec<Answer>> Job for Grouped<T, Run, Answers> {
    #[inline(never)]
    fn pass(&self) {
        for group in self.inputs.chunks(self.group) {
            black_box((self.run)(black_box(group)));
        }
    }

    fn answers(&self) -> Vec<Answer> {
        self.inputs.chunks(self.group).flat_map(|group| (self.answers)((self.run)(group))).collect()
    }
}

/// A job on `group` inputs at a time: `inputs` are made ready, `run` (timed) is the operation on a group of them, `answers` (not
/// timed) makes of its result one answer an input, or one a group in a row that has one result a group.
pub(crate) fn grouped<T: 'static, R: 'static>(
    group: usize,
    inputs: impl Iterator<Item = T>,
    run: impl Fn(&[T]) -> R + 'static,
    answers: impl Fn(R) -> Vec<Answer> + 'static,
) -> Option<Box<dyn Job>> {
    Some(Box::new(Grouped { group, inputs: inputs.collect(), run, answers }))
}

/// The encoding of a verdict: no bytes, as "valid" says it all.
pub(crate) fn valid(_: &()) -> Vec<u8> {
    Vec::new()
}
