//! MODEXP, 0x05: base^exponent mod modulus. EIP-198; prices by EIP-2565 and EIP-7883, bounds by EIP-7823.
//!
//! Call data: the lengths of base, exponent and modulus, 32 bytes each, then the three. The price depends on the lengths and on
//! the bits of the exponent's first 32 bytes:
//!
//! | | complexity of x = max(base length, modulus length), w = ⌈x/8⌉ | a byte of the exponent above 32 | price |
//! |---|---|---|---|
//! | EIP-198 | x², x²/4 + 96 x − 3072 above 64, x²/16 + 480 x − 199680 above 1024 | 8 | product / 20 |
//! | EIP-2565 | w² | 8 | product / 3, at least 200 |
//! | EIP-7883 | 16, 2 w² above 32 bytes | 16 | product, at least 500 |

use crate::{CallError, Fork, Success, padded};
use windlass::modexp::{self, Exponent};

/// The longest base and modulus that are computed with before Osaka: 2^20 bytes. The price of a longer one is beyond 3·10^9
/// gas in every fork, more than any block holds. The exponent has no such bound: zeros that follow it take no memory.
pub const MAX_LENGTH: u64 = 1 << 20;
/// EIP-7823.
const OSAKA_MAX_LENGTH: u64 = 1024;

/// The declared lengths; what does not fit into 64 bits is `u64::MAX`, which no gas pays for.
#[derive(Clone, Copy)]
struct Lengths {
    base: u64,
    exponent: u64,
    modulus: u64,
}

impl Lengths {
    fn of(input: &[u8]) -> Self {
        let length = |at| {
            let [high @ .., a, b, c, d, e, f, g, h] = padded::<32>(input, at);
            if high.iter().any(|&byte| byte != 0) { u64::MAX } else { u64::from_be_bytes([a, b, c, d, e, f, g, h]) }
        };
        Self { base: length(0), exponent: length(32), modulus: length(64) }
    }
}

/// The declared bytes at `at` that are there; zeros follow.
fn declared(input: &[u8], at: u64, length: u64) -> &[u8] {
    let start = usize::try_from(at).unwrap_or(usize::MAX).min(input.len());
    let there = &input[start..];
    let end = usize::try_from(length).unwrap_or(usize::MAX).min(there.len());
    &there[..end]
}

/// What a call costs, `None` beyond 64 bits; the precompile must be there in the fork.
#[must_use]
pub fn modexp_gas(input: &[u8], fork: Fork) -> Option<u64> {
    gas(input, Lengths::of(input), fork)
}

fn gas(input: &[u8], lengths: Lengths, fork: Fork) -> Option<u64> {
    let x = u128::from(lengths.base.max(lengths.modulus));
    let words = x.div_ceil(8);
    let byte_bits = if fork >= Fork::Osaka { 16 } else { 8 };
    let iterations = iterations(input, lengths, byte_bits);
    let price = match fork {
        Fork::Frontier | Fork::Byzantium => {
            let complexity = match x {
                0..=64 => x * x,
                65..=1024 => x * x / 4 + 96 * x - 3072,
                _ => (x * x / 16).saturating_add(480 * x) - 199_680,
            };
            complexity.saturating_mul(iterations) / 20
        }
        Fork::Berlin => ((words * words).saturating_mul(iterations) / 3).max(200),
        Fork::Osaka => {
            let complexity = if x <= 32 { 16 } else { 2 * words * words };
            complexity.saturating_mul(iterations).max(500)
        }
    };
    u64::try_from(price).ok()
}

/// How often the exponent makes the loop run: its bits less one, as far as the first 32 bytes and the length say; at least 1.
fn iterations(input: &[u8], lengths: Lengths, byte_bits: u128) -> u128 {
    let head_length = lengths.exponent.min(32);
    let head = declared(input, lengths.base.saturating_add(96), head_length);
    let bits = head
        .iter()
        .position(|&byte| byte != 0)
        .map_or(0, |zeros| 8 * (u128::from(head_length) - zeros as u128) - u128::from(head[zeros].leading_zeros()));
    let above = u128::from(lengths.exponent - head_length);
    (byte_bits * above + bits.saturating_sub(1)).max(1)
}

/// base^exponent mod modulus in as many bytes as the modulus is declared to have; 0 modulo 0.
///
/// # Errors
/// [`CallError`].
pub fn modexp(input: &[u8], gas_limit: u64, fork: Fork) -> Result<Success, CallError> {
    if fork < Fork::Byzantium {
        return Err(CallError::NotInThisFork);
    }
    let lengths = Lengths::of(input);
    if fork >= Fork::Osaka && lengths.base.max(lengths.exponent).max(lengths.modulus) > OSAKA_MAX_LENGTH {
        return Err(CallError::TooLong);
    }
    let gas = gas(input, lengths, fork).filter(|&gas| gas <= gas_limit).ok_or(CallError::OutOfGas)?;
    if lengths.modulus == 0 {
        return Ok(Success { output: Vec::new(), gas });
    }
    if lengths.base.max(lengths.modulus) > MAX_LENGTH {
        return Err(CallError::TooLong);
    }
    let exponent_at = lengths.base.saturating_add(96);
    let modulus_at = exponent_at.saturating_add(lengths.exponent);
    let base = with_zeros(declared(input, 96, lengths.base), lengths.base);
    let exponent = declared(input, exponent_at, lengths.exponent);
    let exponent = Exponent::new(exponent).with_zero_bytes(lengths.exponent - exponent.len() as u64);
    let modulus = with_zeros(declared(input, modulus_at, lengths.modulus), lengths.modulus);
    let mut output = vec![0; modulus.len()];
    // The output has as many bytes as the modulus.
    modexp::modexp(&base, exponent, &modulus, &mut output).map_err(|_| CallError::TooLong)?;
    Ok(Success { output, gas })
}

/// The bytes with the zeros behind them that their declared length says.
fn with_zeros(bytes: &[u8], length: u64) -> std::borrow::Cow<'_, [u8]> {
    let mut padded = std::borrow::Cow::Borrowed(bytes);
    if bytes.len() as u64 != length {
        padded.to_mut().resize(length as usize, 0);
    }
    padded
}
