//! Which code runs: the only place that asks the CPU.
//!
//! An *engine* is a field backend with everything built on it. All engines give the same bytes and the same verdicts; they
//! differ in speed.
//!
//! | name | needs | what it is |
//! |---|---|---|
//! | `ifma` | what `adx` needs, AVX-512 (F, BW, DQ, VL) and IFMA | `adx`, and vectors of 52-bit limbs: many signatures in 16 lanes, the parts of one in eight |
//! | `adx` | x86-64 with BMI2, ADX and AVX2 | four 64-bit words, assembly; table scans on 256-bit vectors |
//! | `portable` | nothing | four 64-bit words in Rust |
//!
//! The engine is chosen for the whole process, at the first operation: the best one that the CPU has or, with the feature
//! `std`, the one that the environment variable `WINDLASS_ENGINE` names. [`select`] changes it at any time, from any thread.
//!
//! An operation can't report that `WINDLASS_ENGINE` holds a name that is unknown or that the CPU can't run, and must not run the
//! engine that someone wanted to avoid. A program that heeds the variable therefore calls [`select_from_environment`] first
//! and shows its error. If none does, the first operation says so once on standard error and `portable`, which every machine
//! can run, is used: never a panic, and never in silence.

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};
use field::secp256k1::Portable4x64;

#[cfg(target_arch = "x86_64")]
use {arith::cpu::Adx, field::secp256k1::Adx4x64};
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
use {arith::cpu::Ifma, field::secp256k1::IfmaBackends};

/// The names that this version knows, best first. Without the feature `ifma` that engine is never available.
pub const NAMES: &[&str] = &["ifma", "adx", "portable"];

/// Why an engine was not selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineError {
    /// No engine has this name.
    Unknown,
    /// This CPU can't run the engine.
    Unavailable,
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "unknown engine",
            Self::Unavailable => "this CPU can't run the engine",
        })
    }
}

impl core::error::Error for EngineError {}

/// An engine, with the proof that this CPU can run it.
#[derive(Clone, Copy)]
pub(crate) enum Engine {
    #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
    Ifma(IfmaBackends),
    #[cfg(target_arch = "x86_64")]
    Adx(Adx4x64),
    Portable(Portable4x64),
}

/// What an engine works on one signature with.
#[derive(Clone, Copy)]
pub(crate) enum One {
    #[cfg(target_arch = "x86_64")]
    Adx(Adx4x64),
    Portable(Portable4x64),
}

/// What an engine works on words with.
#[derive(Clone, Copy)]
pub(crate) enum Words {
    #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
    Ifma(Ifma),
    #[cfg(target_arch = "x86_64")]
    Adx(Adx),
    Portable,
}

impl Engine {
    #[inline]
    pub(crate) fn words(self) -> Words {
        match self {
            #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
            Self::Ifma(b) => Words::Ifma(b.0),
            #[cfg(target_arch = "x86_64")]
            Self::Adx(_) => adx().map_or(Words::Portable, Words::Adx),
            Self::Portable(_) => Words::Portable,
        }
    }

    #[inline]
    pub(crate) fn one(self) -> One {
        match self {
            #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
            Self::Ifma(b) => One::Adx(Adx4x64::new(b.0.adx())),
            #[cfg(target_arch = "x86_64")]
            Self::Adx(f) => One::Adx(f),
            Self::Portable(f) => One::Portable(f),
        }
    }
}

/// Evaluates `$body` with `$f` bound to the backend's token of the engine in use: once a whole operation.
macro_rules! with_engine {
    ($f:ident => $body:expr) => {
        match $crate::engine::current().one() {
            #[cfg(target_arch = "x86_64")]
            $crate::engine::One::Adx($f) => $body,
            $crate::engine::One::Portable($f) => $body,
        }
    };
}
pub(crate) use with_engine;

/// Evaluates `$body` with `$b` bound to what the engine in use offers for many rows ([`field::Backends`]).
macro_rules! with_backends {
    ($b:ident => $body:expr) => {
        match $crate::engine::current() {
            #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
            $crate::engine::Engine::Ifma($b) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::engine::Engine::Adx(f) => {
                let $b = field::OneLane(f);
                $body
            }
            $crate::engine::Engine::Portable(f) => {
                let $b = field::OneLane(f);
                $body
            }
        }
    };
}
pub(crate) use with_backends;

/// [`CHOICE`] before the first operation.
const NOT_YET: u8 = 0;
const PORTABLE: u8 = 1;
const ADX: u8 = 2;
const IFMA: u8 = 3;

/// The engine in use, by number. It guards no other memory, so relaxed order is enough.
static CHOICE: AtomicU8 = AtomicU8::new(NOT_YET);

/// The engine of this number, if this CPU can run it.
#[inline]
fn of_number(number: u8) -> Option<Engine> {
    match number {
        PORTABLE => Some(Engine::Portable(Portable4x64::new())),
        #[cfg(target_arch = "x86_64")]
        ADX => adx().map(|token| Engine::Adx(Adx4x64::new(token))),
        #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
        IFMA => Ifma::detect().map(|token| Engine::Ifma(IfmaBackends(token))),
        _ => None,
    }
}

#[cfg(all(target_arch = "x86_64", not(windlass_ct_check)))]
#[inline]
fn adx() -> Option<Adx> {
    Adx::detect()
}

#[cfg(all(target_arch = "x86_64", windlass_ct_check))]
fn adx() -> Option<Adx> {
    // SAFETY: this build runs under valgrind only, which executes BMI2, ADX and AVX2 on every x86-64 host that has them, though
    // it hides ADX from detection; where the host lacks them the check ends with an illegal instruction.
    #[allow(unsafe_code, reason = "valgrind hides adx though it executes it")]
    Some(unsafe { Adx::assume() })
}

fn number_of(name: &str) -> Result<u8, EngineError> {
    let number = match name {
        "ifma" => IFMA,
        "adx" => ADX,
        "portable" => PORTABLE,
        _ => return Err(EngineError::Unknown),
    };
    if of_number(number).is_some() { Ok(number) } else { Err(EngineError::Unavailable) }
}

fn best() -> u8 {
    [IFMA, ADX].into_iter().find(|number| of_number(*number).is_some()).unwrap_or(PORTABLE)
}

/// The engine in use.
#[inline]
pub(crate) fn current() -> Engine {
    match of_number(CHOICE.load(Ordering::Relaxed)) {
        Some(engine) => engine,
        None => first(),
    }
}

/// Chooses at the first operation, unless another thread has just done so.
#[cold]
fn first() -> Engine {
    let number = match from_environment() {
        Ok(number) => number,
        Err(error) => {
            complain(error);
            PORTABLE
        }
    };
    let chosen = match CHOICE.compare_exchange(NOT_YET, number, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => number,
        Err(other) => other,
    };
    of_number(chosen).unwrap_or(Engine::Portable(Portable4x64::new()))
}

/// The engine that `WINDLASS_ENGINE` names, the best one if it is not set.
#[cfg(feature = "std")]
fn from_environment() -> Result<u8, EngineError> {
    match std::env::var_os("WINDLASS_ENGINE") {
        None => Ok(best()),
        Some(name) => number_of(name.to_str().ok_or(EngineError::Unknown)?),
    }
}

#[cfg(not(feature = "std"))]
fn from_environment() -> Result<u8, EngineError> {
    Ok(best())
}

#[cfg(feature = "std")]
fn complain(error: EngineError) {
    std::eprintln!("windlass: WINDLASS_ENGINE: {error}; using portable");
}

#[cfg(not(feature = "std"))]
fn complain(_: EngineError) {}

/// The engines that this machine can run, best first.
pub fn available() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied().filter(|name| number_of(name).is_ok())
}

/// The name of the engine in use; chooses it if no operation has done so yet.
pub fn name() -> &'static str {
    match current() {
        #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
        Engine::Ifma(_) => "ifma",
        #[cfg(target_arch = "x86_64")]
        Engine::Adx(_) => "adx",
        Engine::Portable(_) => "portable",
    }
}

/// Uses this engine from now on, in the whole process.
///
/// # Errors
/// [`EngineError`] if no engine has this name or this CPU can't run it; the engine in use stays.
pub fn select(name: &str) -> Result<(), EngineError> {
    CHOICE.store(number_of(name)?, Ordering::Relaxed);
    Ok(())
}

/// Uses the engine that `WINDLASS_ENGINE` names, the best one if the variable is not set. Programs call it before anything else
/// and report the error. Only with the feature `std`.
///
/// # Errors
/// As [`select`].
#[cfg(feature = "std")]
pub fn select_from_environment() -> Result<(), EngineError> {
    CHOICE.store(from_environment()?, Ordering::Relaxed);
    Ok(())
}
