//! Ethereum's precompiled contracts on windlass: from call data to output and gas, fork by fork.
//!
//! | address | function | since | gas |
//! |---|---|---|---|
//! | 0x01 | [`ecrecover`] | Frontier | 3000 |
//! | 0x05 | [`modexp`] | Byzantium | [`modexp_gas`]: EIP-198, EIP-2565 (Berlin), EIP-7883 with the bounds of EIP-7823 (Osaka) |
//!
//! P256VERIFY (EIP-7951) is not here: the library has no P-256 yet.
//!
//! Call data may be shorter than what it declares, then zeros follow, or longer, then the rest does not count. Lengths may be
//! declared up to 2^256 − 1: the gas is settled first, and memory is taken only for what was paid. No input panics.
//!
//! ```
//! use windlass_evm::{Fork, modexp};
//!
//! // 3^5 mod 100: three lengths of 32 bytes, then a byte each
//! let mut input = [0; 99];
//! (input[31], input[63], input[95]) = (1, 1, 1);
//! input[96..].copy_from_slice(&[3, 5, 100]);
//! let result = modexp(&input, u64::MAX, Fork::Osaka)?;
//! assert_eq!((result.output, result.gas), (vec![43], 500));
//! # Ok::<(), windlass_evm::CallError>(())
//! ```
#![forbid(unsafe_code)]

mod ecrecover;
mod modexp;

pub use ecrecover::{ECRECOVER_GAS, address, ecrecover, recover_address};
pub use modexp::{MAX_LENGTH, modexp, modexp_gas};

use core::fmt;
use core::str::FromStr;

/// The forks at which a precompile here came or changed its price.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fork {
    /// The first.
    Frontier,
    /// MODEXP comes: EIP-198.
    Byzantium,
    /// MODEXP's price by EIP-2565.
    Berlin,
    /// MODEXP's price by EIP-7883, its operands bounded by EIP-7823.
    Osaka,
}

impl Fork {
    /// All, oldest first.
    pub const ALL: [Self; 4] = [Self::Frontier, Self::Byzantium, Self::Berlin, Self::Osaka];

    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Frontier => "frontier",
            Self::Byzantium => "byzantium",
            Self::Berlin => "berlin",
            Self::Osaka => "osaka",
        }
    }
}

/// No fork here has this name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownFork;

impl fmt::Display for UnknownFork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown fork")
    }
}

impl core::error::Error for UnknownFork {}

impl FromStr for Fork {
    type Err = UnknownFork;
    fn from_str(name: &str) -> Result<Self, UnknownFork> {
        Self::ALL.into_iter().find(|fork| fork.name() == name).ok_or(UnknownFork)
    }
}

/// What a call that ran gives back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Success {
    /// The output. That of a signature which is none is empty: it is paid for nevertheless.
    pub output: Vec<u8>,
    /// The gas that the call costs.
    pub gas: u64,
}

/// Why a call fails; it then takes all the gas it was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallError {
    /// The gas limit is below the price.
    OutOfGas,
    /// An operand is longer than EIP-7823 allows, or, before Osaka, than [`MAX_LENGTH`].
    TooLong,
    /// There is no such precompile before a later fork.
    NotInThisFork,
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OutOfGas => "out of gas",
            Self::TooLong => "an operand is too long",
            Self::NotInThisFork => "not a precompile in this fork",
        })
    }
}

impl core::error::Error for CallError {}

/// The `N` bytes at `at`, zeros where the input ends.
fn padded<const N: usize>(input: &[u8], at: usize) -> [u8; N] {
    let mut bytes = [0; N];
    let there = input.get(at..).unwrap_or_default();
    for (byte, &given) in bytes.iter_mut().zip(there) {
        *byte = given;
    }
    bytes
}
