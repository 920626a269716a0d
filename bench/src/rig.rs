//! One row: contenders checked against each other, then timed in turns.
//!
//! A round gives every contender one pass over all inputs, in an order drawn anew each round, so that what disturbs the
//! machine for longer than a pass meets all of them. The clock is this thread's CPU time. One pass of everything before
//! the clock starts fills caches, predictors and tables: it is the check itself.

use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

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
    fn name(&self) -> String {
        self.engine.map_or_else(|| self.library.to_owned(), |engine| format!("{} ({engine})", self.library))
    }

    fn select(&self) -> Result<()> {
        let Some(engine) = self.engine else { return Ok(()) };
        windlass::engine::select(engine).map_err(|error| anyhow::anyhow!("engine {engine}: {error}"))
    }
}

/// All contenders give the first one's answers, and answer good and damaged inputs as `expects` says.
pub(crate) fn check(contenders: &[Contender], expects: Expects) -> Result<()> {
    let mut expected: Option<(String, Vec<Answer>)> = None;
    for contender in contenders {
        contender.select()?;
        let name = contender.name();
        let (answers, other) = (contender.job.answers(), contender.other.answers());
        ensure!(!answers.is_empty() && !other.is_empty(), "{name}: no inputs");
        let (good, bad) = if expects == Expects::RefusalsAlone { (&other, &answers) } else { (&answers, &other) };
        if let Some(index) = good.iter().position(|answer| *answer == Answer::Refused) {
            bail!("{name} refuses good input {index}");
        }
        for (index, answer) in bad.iter().enumerate() {
            ensure!(
                expects == Expects::Differences || *answer == Answer::Refused,
                "{name} accepts damaged input {index}"
            );
            ensure!(good.get(index) != Some(answer), "{name} does not notice the damage of input {index}");
        }
        match &expected {
            None => expected = Some((name, answers)),
            Some((first, theirs)) => {
                if let Some(index) = (0..theirs.len().max(answers.len())).find(|&i| theirs.get(i) != answers.get(i)) {
                    let (theirs, ours) = (format!("{:?}", theirs.get(index)), format!("{:?}", answers.get(index)));
                    bail!("input {index}: {first} says {theirs:.SHOWN$}, {name} says {ours:.SHOWN$}");
                }
            }
        }
    }
    Ok(())
}

/// Nanoseconds an input, one figure a round, for every contender.
pub(crate) fn measure(contenders: &[Contender], inputs: usize, seconds: f64) -> Result<Vec<Vec<f64>>> {
    let mut random = Random::new(SEED);
    let mut figures = vec![Vec::new(); contenders.len()];
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    let (start, limit) = (Instant::now(), Duration::from_secs_f64(seconds.max(0.0)));
    let mut round = 0;
    while round < LEAST_ROUNDS || start.elapsed() < limit {
        random.shuffle(&mut order);
        for &index in &order {
            contenders[index].select()?;
            let before = thread_cpu_ns();
            contenders[index].job.pass();
            let spent = thread_cpu_ns() - before;
            figures[index].push(spent as f64 / inputs as f64);
        }
        round += 1;
    }
    Ok(figures)
}
