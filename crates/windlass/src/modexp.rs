//! x^e mod m for every m: odd, even, a power of two, of any length.
//!
//! Vartime: base, exponent and modulus are public. Not for private keys.
//!
//! ```
//! use windlass::modexp::{Exponent, Modulus, modexp};
//!
//! let mut out = [0; 4];
//! modexp(&[3], Exponent::new(&[5]), &[100], &mut out)?;
//! assert_eq!(out, [0, 0, 0, 43]);
//!
//! // many powers modulo the same number
//! let modulus = Modulus::new(&[1, 0, 0]); // 2^16
//! modulus.pow(&[3], Exponent::new(&[1, 0]), &mut out)?;
//! assert_eq!(out, [0, 0, 0xF4, 0x01]);
//! # Ok::<(), windlass::modexp::OutputTooShort>(())
//! ```

use crate::engine::{self, Words};
use alloc::vec::Vec;
use core::fmt;
use modexp::Portable;

#[cfg(target_arch = "x86_64")]
use arith::cpu::Adx;
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
use arith::cpu::Ifma;

pub use modexp::{Exponent, OutputTooShort, Power};

/// `out` = `base`^`exponent` mod `modulus`, all big-endian, zeros in front of what is longer than the result.
///
/// By definition 0 for a modulus of 0 (no bytes included) or 1, else 1 for an exponent of 0. Inputs may have any length, none included,
/// and may be the same memory; nothing is allocated up to 1024 bytes each. Vartime.
///
/// # Errors
/// [`OutputTooShort`] if `out` has fewer bytes than the modulus without its leading zeros; then it is as it was.
pub fn modexp(base: &[u8], exponent: Exponent<'_>, modulus: &[u8], out: &mut [u8]) -> Result<(), OutputTooShort> {
    match engine::current().words() {
        #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
        Words::Ifma(k) => modexp::modexp(k, base, exponent, modulus, out),
        #[cfg(target_arch = "x86_64")]
        Words::Adx(k) => modexp::modexp(k, base, exponent, modulus, out),
        Words::Portable => modexp::modexp(Portable, base, exponent, modulus, out),
    }
}

/// Many independent powers, each as [`modexp()`] computes it, and its verdict: what is in one row changes nothing in another. Those modulo
/// odd numbers of up to 512 bits go eight at a time through the lanes of engine ifma. Allocates. Vartime.
///
/// ```
/// use windlass::modexp::{Exponent, Power, modexp_many};
///
/// let mut outs = [[0; 1]; 2];
/// let mut rows: Vec<Power<'_>> = outs
///     .iter_mut()
///     .map(|out| Power { base: &[3], exponent: Exponent::new(&[5]), modulus: &[100], out })
///     .collect();
/// assert_eq!(modexp_many(&mut rows), [Ok(()); 2]);
/// assert_eq!(outs, [[43]; 2]);
/// ```
#[must_use]
pub fn modexp_many(powers: &mut [Power<'_>]) -> Vec<Result<(), OutputTooShort>> {
    match engine::current().words() {
        #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
        Words::Ifma(k) => modexp::modexp_many(k, powers),
        #[cfg(target_arch = "x86_64")]
        Words::Adx(k) => modexp::modexp_many(k, powers),
        Words::Portable => modexp::modexp_many(Portable, powers),
    }
}

/// A modulus for many powers, on the engine that was in use when it was made. Making one allocates, taking powers does not up to
/// 1024 bytes.
#[derive(Clone)]
pub struct Modulus(OfEngine);

/// The modulus as an engine's words have it.
#[derive(Clone)]
enum OfEngine {
    #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
    Ifma(modexp::Modulus<Ifma>),
    #[cfg(target_arch = "x86_64")]
    Adx(modexp::Modulus<Adx>),
    Portable(modexp::Modulus<Portable>),
}

impl fmt::Debug for Modulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Modulus(")?;
        crate::keys::hex(f, self.bytes())?;
        f.write_str(")")
    }
}

impl Modulus {
    /// The modulus with these big-endian bytes.
    #[must_use]
    pub fn new(modulus: &[u8]) -> Self {
        Self(match engine::current().words() {
            #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
            Words::Ifma(k) => OfEngine::Ifma(modexp::Modulus::new(k, modulus)),
            #[cfg(target_arch = "x86_64")]
            Words::Adx(k) => OfEngine::Adx(modexp::Modulus::new(k, modulus)),
            Words::Portable => OfEngine::Portable(modexp::Modulus::new(Portable, modulus)),
        })
    }

    /// The modulus, big-endian, without leading zeros.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
            OfEngine::Ifma(modulus) => modulus.bytes(),
            #[cfg(target_arch = "x86_64")]
            OfEngine::Adx(modulus) => modulus.bytes(),
            OfEngine::Portable(modulus) => modulus.bytes(),
        }
    }

    /// As [`modexp()`].
    ///
    /// # Errors
    /// As [`modexp()`].
    pub fn pow(&self, base: &[u8], exponent: Exponent<'_>, out: &mut [u8]) -> Result<(), OutputTooShort> {
        match &self.0 {
            #[cfg(all(target_arch = "x86_64", feature = "ifma"))]
            OfEngine::Ifma(modulus) => modulus.pow(base, exponent, out),
            #[cfg(target_arch = "x86_64")]
            OfEngine::Adx(modulus) => modulus.pow(base, exponent, out),
            OfEngine::Portable(modulus) => modulus.pow(base, exponent, out),
        }
    }
}
