//! x^e mod m for every m: odd, even, a power of two, of any length.
//!
//! | modulus | how | module |
//! |---|---|---|
//! | odd | Montgomery products in sliding windows; the base enters by one division | `odd` |
//! | 2^k | truncated products; the exponent mod 2^(k − 2) | `power_of_two` |
//! | odd · 2^k | both, joined by the Chinese remainder theorem | `even` |
//! | many odd ones of up to 512 bits | a power a lane | `many`, `lanes` |
//!
//! Numbers are big-endian bytes of any length, leading zeros included. By definition: modulo 0 the result is 0, modulo 1 it is 0,
//! and x^0 = 1 for every x. Up to 1024 bytes nothing is allocated.
//!
//! Everything is *vartime*: base, exponent and modulus are public. Not for private keys.
//!
//! Generic over [`Kernels`], the words' arithmetic of an engine. Source: A. Menezes, P. van Oorschot, S. Vanstone, "Handbook of
//! Applied Cryptography" (1996), sections 14.3 and 14.6; R. Brent, P. Zimmermann, "Modern Computer Arithmetic" (2010), chapters
//! 1 and 2.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod blocks;
mod choose;
mod digits;
mod division;
mod domain;
mod even;
mod exponent;
mod kernels;
mod lanes;
mod many;
mod modulus;
mod odd;
mod power_of_two;
mod small;
mod window;
mod words;

pub use exponent::Exponent;
pub use kernels::{Kernels, Portable};
pub use many::{Power, modexp_many};
pub use modulus::{Modulus, OutputTooShort, modexp};
