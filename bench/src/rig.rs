//! One row: contenders checked against each other, then timed in turns.
//!
//! A round gives every contender one pass over all inputs, in an order drawn anew each round, so that what disturbs the
//! machine for longer than a pass meets all of them. The clock is this thread's CPU time. One pass of everything before
//! the clock starts fills caches, predictors and tables: it is the check itself.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::clock::thread_cpu_ns;
use crate::library::{Answer, Job};
use crate::random::Random;

/// Fewer rounds give no interval worth printing, however short the time asked for.
const LEAST_ROUNDS: usize = 5;

/// Of the order of contenders in each round.
pub(crate) const SEED: u64 = 1;

/// Answers shown in an error are cut here.
const SHOWN: usize = 160;

/// A row ready to be run.
pub(crate) struct Plan {
    pub(crate) suite: &'static str,
    pub(crate) row: String,
    /// How many distinct inputs a pass runs.
    pub(crate) inputs: usize,
    pub(crate) expects: Expects,
    /// Peers first: their answers are what windlass is held against. Then windlass, once an engine.
    pub(crate) contenders: Vec<Contender>,
}

/// How the inputs and the damaged inputs of a row have to be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expects {
    /// No input is refused, every damaged one is.
    Refusals,
    /// No input is refused, every damaged one is answered differently.
    Differences,
    /// It is damaged inputs that are timed: all are refused, and none of what they were made of.
    RefusalsAlone,
}

/// A peer, or windlass on one engine, in one row.
pub(crate) struct Contender {
    pub(crate) library: &'static str,
    /// The package whose version in Cargo.lock names the library's.
    pub(crate) package: &'static str,
    /// The engine to select before each pass; peers have none.
    pub(crate) engine: Option<&'static str>,
    pub(crate) job: Box<dyn Job>,
    /// The same operation on the other inputs: damaged ones, or good ones where damaged ones are timed.
    pub(crate) other: Box<dyn Job>,
}

impl Contender {
    pub(crate) fn name(&self) -> String {
        self.engine.map_or_else(|| self.library.to_owned(), |engine| format!("{} ({engine})", self.library))
    }
}

/// Makes windlass use an engine; peers have none.
pub(crate) fn select(engine: Option<&str>) -> Result<()> {
    let Some(engine) = engine else { return Ok(()) };
    windlass::engine::select(engine).map_err(|error| anyhow::anyhow!("engine {engine}: {error}"))
}

/// What is wrong with each contender: all have to give the first one's answers (the first that has no fault of its own), and to
/// answer good and damaged inputs as `expects` says.
pub(crate) fn faults(contenders: &[Contender], expects: Expects) -> Result<Vec<Option<String>>> {
    let mut expected: Option<(String, Vec<Answer>)> = None;
    let mut faults = Vec::new();
    for contender in contenders {
        select(contender.engine)?;
        let (answers, other) = (contender.job.answers(), contender.other.answers());
        let fault = fault(&answers, &other, expects).or_else(|| differs(&answers, expected.as_ref()?));
        if fault.is_none() && expected.is_none() {
            expected = Some((contender.name(), answers));
        }
        faults.push(fault);
    }
    Ok(faults)
}

/// What a contender's own answers show.
fn fault(answers: &[Answer], other: &[Answer], expects: Expects) -> Option<String> {
    let (good, bad) = if expects == Expects::RefusalsAlone { (other, answers) } else { (answers, other) };
    if good.is_empty() || bad.is_empty() {
        return Some("no inputs".to_owned());
    }
    if let Some(index) = good.iter().position(|answer| *answer == Answer::Refused) {
        return Some(format!("refuses good input {index}"));
    }
    let unseen = |(index, answer): (usize, &Answer)| {
        if expects != Expects::Differences && *answer != Answer::Refused {
            return Some(format!("accepts damaged input {index}"));
        }
        (good.get(index) == Some(answer)).then(|| format!("does not notice the damage of input {index}"))
    };
    bad.iter().enumerate().find_map(unseen)
}

/// Where the answers are not those of the contender that is held to be right.
fn differs(answers: &[Answer], (first, theirs): &(String, Vec<Answer>)) -> Option<String> {
    let index = (0..theirs.len().max(answers.len())).find(|&i| theirs.get(i) != answers.get(i))?;
    let (theirs, ours) = (format!("{:?}", theirs.get(index)), format!("{:?}", answers.get(index)));
    Some(format!("input {index}: {first} says {theirs:.SHOWN$}, it says {ours:.SHOWN$}"))
}

/// Nanoseconds an input, one figure a round, for every contender.
pub(crate) fn measure(contenders: &[&Contender], inputs: usize, seconds: f64) -> Result<Vec<Vec<f64>>> {
    let mut random = Random::new(SEED);
    let mut figures = vec![Vec::new(); contenders.len()];
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    let (start, limit) = (Instant::now(), Duration::from_secs_f64(seconds.max(0.0)));
    let mut round = 0;
    while round < LEAST_ROUNDS || start.elapsed() < limit {
        random.shuffle(&mut order);
        for &index in &order {
            select(contenders[index].engine)?;
            let before = thread_cpu_ns();
            contenders[index].job.pass();
            let spent = thread_cpu_ns() - before;
            figures[index].push(spent as f64 / inputs as f64);
        }
        round += 1;
    }
    Ok(figures)
}
