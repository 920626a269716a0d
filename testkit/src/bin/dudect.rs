//! Does the time of an operation tell anything of its secret? Welch's t-test between a fixed secret and random ones, on the real code.
//! Source: Reparaz, Balasch, Verbauwhede, "Dude, is my code constant time?", DATE 2017.
//!
//! 1. Two pools of equal size hold the secrets of both classes: one value everywhere, or distinct ones. A class and a place are drawn;
//!    the secret is copied from there to where the operation reads it. Nothing but the value tells the classes apart.
//! 2. The time stamp counter is read before and after. The first times set thresholds, which crop what interrupts cost.
//! 3. t = (mean₀ − mean₁) / √(var₀/n₀ + var₁/n₁) of the times as they are, of those below each threshold, and of the squares of their
//!    distances from the mean. The largest |t| stands for all; above 4.5 the classes differ.
//!
//! `dudect OPERATION MEASUREMENTS` prints that |t| and the test that it comes from, on the engine in use; `dudect list` the operations.
//! `cargo xtask dudect` runs all. Not part of the usual suite: a busy machine needs many measurements.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a check fails by panicking")]

use std::hint::black_box;
use std::process::ExitCode;

use testkit::random::Random;
use windlass::bip32::{ChildNumber, ExtendedPrivateKey, Network};
use windlass::{Keypair, SecretKey, ecdh, ecdsa, schnorr};

/// Secrets of a class.
const POOL: usize = 1024;
/// Measurements that set the thresholds and count in no test.
const FIRST: usize = 10_000;
/// Thresholds.
const CROPS: usize = 20;
/// No test speaks of fewer measurements of a class.
const LEAST: f64 = 1000.0;

/// Mean and variance of a stream (Welford).
#[derive(Clone, Copy, Default)]
struct Stream {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Stream {
    fn push(&mut self, x: f64) {
        self.count += 1.0;
        let off = x - self.mean;
        self.mean += off / self.count;
        self.squares += off * (x - self.mean);
    }

    fn variance_of_mean(self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }
}

/// Welch's t of two classes; 0 while there are few.
#[derive(Clone, Copy, Default)]
struct Test([Stream; 2]);

impl Test {
    fn t(self) -> f64 {
        let [a, b] = self.0;
        if a.count < LEAST || b.count < LEAST {
            return 0.0;
        }
        let (off, variance) = (a.mean - b.mean, a.variance_of_mean() + b.variance_of_mean());
        // A clock of coarse steps can give the same time always.
        if off == 0.0 { 0.0 } else { off / variance.sqrt() }
    }
}

/// Both classes' times of `run`, which reads the secret.
fn times<T: Clone>(pools: &[Vec<T>; 2], count: usize, run: impl Fn(&T), mut each: impl FnMut(usize, f64)) {
    let mut random = Random::new(20);
    for _ in 0..count {
        let draw = random.word() as usize;
        let class = draw & 1;
        let secret = black_box(pools[class][draw / 2 % POOL].clone());
        let before = stamp();
        run(&secret);
        let after = stamp();
        each(class, after.wrapping_sub(before) as f64);
    }
}

/// The largest |t| and its test.
fn largest<T: Clone>(pools: &[Vec<T>; 2], count: usize, run: impl Fn(&T)) -> (f64, String) {
    let mut first = Vec::with_capacity(FIRST);
    times(pools, FIRST, &run, |_, time| first.push(time));
    first.sort_unstable_by(f64::total_cmp);
    // Denser towards the shortest times, which are the least disturbed.
    let threshold =
        |i: usize| first[((1.0 - 0.5f64.powf(10.0 * (i + 1) as f64 / CROPS as f64)) * FIRST as f64) as usize];
    let thresholds: [f64; CROPS] = std::array::from_fn(threshold);
    let usual = first[FIRST / 2];
    let (mut plain, mut second, mut cropped) = (Test::default(), Test::default(), [Test::default(); CROPS]);
    times(pools, count, &run, |class, time| {
        plain.0[class].push(time);
        // The second order is about the spread, for which one interrupt would count as much as all else.
        if time <= thresholds[CROPS - 1] {
            let off = time - usual;
            second.0[class].push(off * off);
        }
        for (test, threshold) in cropped.iter_mut().zip(thresholds) {
            if time <= threshold {
                test.0[class].push(time);
            }
        }
    });
    let named = [("all".to_owned(), plain), ("squares".to_owned(), second)].into_iter();
    let cropped =
        cropped.into_iter().zip(thresholds).map(|(test, threshold)| (format!("at most {threshold} ticks"), test));
    let tests = named.chain(cropped).map(|(name, test)| (test.t().abs(), name));
    tests.max_by(|(a, _), (b, _)| a.total_cmp(b)).unwrap()
}

/// The pools of what `make` makes of a key: of the key 1, and of random ones.
fn pools<T: Clone>(make: impl Fn([u8; 32]) -> T) -> [Vec<T>; 2] {
    let mut random = Random::new(21);
    let mut one = [0; 32];
    one[31] = 1;
    [(0..POOL).map(|_| make(one)).collect(), (0..POOL).map(|_| make(random.bytes())).collect()]
}

fn secret(bytes: [u8; 32]) -> SecretKey {
    SecretKey::from_bytes(&bytes).unwrap()
}

/// An operation's name, and its largest |t| after so many measurements.
type Operation = (&'static str, fn(usize) -> (f64, String));

const OPERATIONS: [Operation; 8] = [
    ("key_create", |count| {
        largest(&pools(secret), count, |key| {
            black_box(key.public_key());
        })
    }),
    ("ecdsa_sign", |count| {
        largest(&pools(secret), count, |key| {
            black_box(ecdsa::sign_digest(&[0x17; 32], key));
        })
    }),
    ("schnorr_sign", |count| {
        largest(&pools(|bytes| Keypair::from_secret(&secret(bytes))), count, |pair| {
            black_box(schnorr::sign(&[0x17; 32], pair, &[0; 32]));
        })
    }),
    ("ecdh", |count| {
        let peer = secret([3; 32]).public_key();
        largest(&pools(secret), count, |key| {
            black_box(ecdh::shared_secret(key, &peer));
        })
    }),
    ("tweak_add", |count| {
        largest(&pools(secret), count, |key| {
            black_box(key.tweak_add(&[5; 32]).is_ok());
        })
    }),
    ("tweak_mul", |count| {
        largest(&pools(secret), count, |key| {
            black_box(key.tweak_mul(&[5; 32]).is_ok());
        })
    }),
    ("bip32_child", |count| {
        let make = |seed: [u8; 32]| ExtendedPrivateKey::from_seed(&seed, Network::Mainnet).unwrap();
        largest(&pools(make), count, |parent| {
            black_box(parent.child(ChildNumber(7)).is_ok());
        })
    }),
    // A multiplication in variable time by a secret key: what must be found.
    ("planted", |count| {
        largest(&pools(|bytes| bytes), count, |key| {
            black_box(windlass::vartime::mul_base(key));
        })
    }),
];

/// The time stamp counter, once all before it is done.
#[cfg(target_arch = "x86_64")]
fn stamp() -> u64 {
    use core::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: both instructions are in every x86-64.
    unsafe {
        _mm_lfence();
        let stamp = _rdtsc();
        _mm_lfence();
        stamp
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn stamp() -> u64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["list"] => OPERATIONS.iter().for_each(|(name, _)| println!("{name}")),
        [name, count] => {
            let operation = OPERATIONS.iter().find(|(of, _)| of == name);
            let (Some((_, operation)), Ok(count)) = (operation, count.parse()) else {
                eprintln!("what is '{name} {count}'?");
                return ExitCode::from(2);
            };
            let (t, test) = operation(count);
            println!("{t:.2} {test}");
        }
        _ => {
            eprintln!("usage: dudect list | OPERATION MEASUREMENTS");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
