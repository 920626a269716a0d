//! Kernels on any number of words against the portable ones, and those against what defines them; words of all zeros and all ones
//! among the random ones, which is where carries go furthest.

extern crate std;
use super::Random;
use crate::kernel::portable::{self as slow, Mont, neg_inverse};
#[cfg(target_arch = "x86_64")]
use crate::kernel::x86_64 as fast;
use std::vec;
use std::vec::Vec;

fn words(random: &mut Random, count: usize) -> Vec<u64> {
    let mut r = Vec::new();
    while r.len() < count {
        r.extend(random.words());
    }
    r.truncate(count);
    if random.word() % 8 == 0 {
        r.fill(u64::MAX);
    }
    r
}

/// x·y by adding x once for each bit of y.
fn shift_and_add(x: &[u64], y: &[u64]) -> Vec<u64> {
    let mut t = vec![0u64; x.len() + y.len()];
    for bit in (0..64 * y.len()).rev() {
        let mut above = 0;
        for word in &mut t {
            (*word, above) = (*word << 1 | above, *word >> 63);
        }
        if y[bit / 64] >> (bit % 64) & 1 == 1 {
            let mut carry = 0;
            for (i, word) in t.iter_mut().enumerate() {
                (*word, carry) = crate::limbs::add_carry(*word, x.get(i).copied().unwrap_or(0), carry);
            }
        }
    }
    t
}

#[test]
fn portable_products() {
    let mut random = Random(0x1985);
    for n in 1..=9 {
        for m in 1..=9 {
            let (a, b) = (words(&mut random, n), words(&mut random, m));
            let mut t = vec![9; n + m];
            slow::mul_words_portable(&mut t, &a, &b);
            let product = shift_and_add(&a, &b);
            assert_eq!(t, product);
            // (t − a·b_top·2^…) by the row that subtracts
            let top = b[m - 1];
            let missing = slow::sub_mul_words_portable(&mut t[m - 1..], &a, top);
            assert_eq!(t[n + m - 1].wrapping_sub(missing), 0);
            let mut lower = vec![9; n + m];
            slow::mul_words_portable(&mut lower[..n + m - 1], &a, &b[..m - 1]);
            assert_eq!(t[..n + m - 1], lower[..n + m - 1]);
        }
        let a = words(&mut random, n);
        let (mut t, mut low) = (vec![9; 2 * n], vec![9; n]);
        slow::sqr_words_portable(&mut t, &a);
        assert_eq!(t, shift_and_add(&a, &a));
        slow::mul_low_words_portable(&mut low, &a, &a);
        assert_eq!(low, t[..n]);
    }
}

/// (t + Q·m) is r·2^(64 n), r being the result: r·2^(64 n) − t is m times something below 2^(64 n), found as its own quotient.
#[test]
fn portable_reduction() {
    let mut random = Random(0x1996);
    for n in (1..=9).cycle().take(400) {
        let mut m = words(&mut random, n);
        m[0] |= 1;
        let k = neg_inverse(m[0]);
        assert_eq!(k.wrapping_mul(m[0]), u64::MAX);
        let given = words(&mut random, 2 * n);
        let mut t = given.clone();
        let carry = slow::redc_words_portable(&mut t, &m, k);
        // Q = −t/m mod 2^(64 n), word by word
        let (mut rest, mut q) = (given[..n].to_vec(), vec![0; n]);
        for i in 0..n {
            q[i] = rest[i].wrapping_mul(k);
            let product = shift_and_add(&m, &[q[i]]);
            let mut carried = 0;
            for j in i..n {
                (rest[j], carried) = crate::limbs::add_carry(rest[j], product[j - i], carried);
            }
        }
        let (mut sum, mut carried) = (shift_and_add(&q, &m), 0);
        for (sum, given) in sum.iter_mut().zip(&given) {
            (*sum, carried) = crate::limbs::add_carry(*sum, *given, carried);
        }
        assert_eq!(sum[..n], vec![0; n]);
        assert_eq!((&sum[n..], carried), (&t[n..], carry));
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn adx_words_are_the_portable_ones() {
    let Some(token) = crate::cpu::Adx::detect() else {
        return testkit::skip::skip(testkit::test_name!(), testkit::skip::Missing::Engine("adx"));
    };
    let mut random = Random(0x2012);
    for blocks in (1..=5).cycle().take(testkit::effort::cases(3_000)) {
        let (n, other) = (8 * blocks, 8 * (1 + random.word() as usize % 5));
        let (a, b) = (words(&mut random, n), words(&mut random, n));
        let c = words(&mut random, other);
        let (mut t, mut u) = (vec![9; n + other], vec![7; n + other]);
        slow::mul_words_portable(&mut t, &a, &c);
        fast::mul_words_adx(token, &mut u, &a, &c);
        assert_eq!(t, u, "product of {n} and {other} words");
        let (mut t, mut u) = (vec![9; 2 * n], vec![7; 2 * n]);
        slow::sqr_words_portable(&mut t, &a);
        fast::sqr_words_adx(token, &mut u, &a);
        assert_eq!(t, u, "square of {n} words");
        slow::mul_low_words_portable(&mut t[..n], &a, &b);
        fast::mul_low_words_adx(token, &mut u[..n], &a, &b);
        assert_eq!(t[..n], u[..n], "lower product of {n} words");
        if n % 16 == 0 {
            slow::mul_low_words_portable(&mut t[..n], &a, &a);
            fast::sqr_low_words_adx(token, &mut u[..n], &a);
            assert_eq!(t[..n], u[..n], "lower square of {n} words");
        }
        let mut m = b.clone();
        m[0] |= 1;
        let k = neg_inverse(m[0]);
        let (mut t, mut u) = (words(&mut random, 2 * n), vec![]);
        u.clone_from(&t);
        assert_eq!(slow::redc_words_portable(&mut t, &m, k), fast::redc_words_adx(token, &mut u, &m, k));
        assert_eq!(t[n..], u[n..], "reduction of {n} words");
        let length = 1 + random.word() as usize % 20;
        let (d, q) = (words(&mut random, length), words(&mut random, 1)[0]);
        let mut t = words(&mut random, length);
        u.clone_from(&t);
        let missing = slow::sub_mul_words_portable(&mut t, &d, q);
        assert_eq!((missing, t), (fast::sub_mul_words_adx(token, &mut u, &d, q), u));
    }
}

/// Pairs (m, b) for which m comes off (2^256 − 1)·b twice: solved for a sum whose quotients are nearly all ones.
const TWICE: [([u64; 4], [u64; 4]); 2] = [
    ([1, 0xf06c_144a_025b_413f, u64::MAX, u64::MAX], [0xe2, 0x5042_9806_9e69_6630, 0xff90_beca_33bf_7bb5, u64::MAX]),
    ([1, 0x19a2_105c_5080_6f01, u64::MAX, u64::MAX], [0x36, 0xaebd_cd79_5913_3ce0, 0xf936_55f8_8597_af4e, u64::MAX]),
];

/// Moduli about 2^255 and 2^256 and with zero words, operands of all ones; and where m comes off twice.
#[test]
fn four_words() {
    let mut random = Random(0x0309);
    let mut twice = 0;
    for i in 0..testkit::effort::cases(100_000).max(TWICE.len()) {
        let mut m = random.words();
        match i % 8 {
            0 => m[1..].fill(u64::MAX),
            1 => m[3] = u64::MAX,
            2 => m[3] = 1 << 63,
            3 => m[2..].fill(0),
            4 => m = [u64::MAX, u64::MAX, u64::MAX, u64::MAX],
            _ => {}
        }
        m[0] |= 1;
        if m == [1, 0, 0, 0] {
            continue;
        }
        let (mut a, mut b) = (random.words(), random.words());
        if i % 3 == 0 {
            a.fill(u64::MAX);
        }
        if i % 5 == 0 {
            b = a;
        }
        if let Some(&planted) = TWICE.get(i) {
            a.fill(u64::MAX);
            (m, b) = planted;
        }
        let oracle = crate::Modulus::new(m);
        let c = Mont::new(m);
        let expected = oracle.mul_montgomery(&oracle.reduce(&a), &oracle.reduce(&b));
        assert_eq!(oracle.reduce(&slow::mul_mont_portable(&a, &b, &c)), expected);
        // the exact sum that the assembly has before it takes m off: at least 2^256 + m?
        twice += u32::from(comes_off_twice(&a, &b, &c));
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = crate::cpu::Adx::detect() {
            assert_eq!(oracle.reduce(&fast::mul_mont_4_adx(token, &a, &b, &c)), expected, "{a:x?} {b:x?} mod {m:x?}");
            let square = oracle.mul_montgomery(&oracle.reduce(&a), &oracle.reduce(&a));
            assert_eq!(oracle.reduce(&fast::sqr_times_mont_4_adx(token, &a, 1, &c)), square);
            let fourth = oracle.mul_montgomery(&square, &square);
            assert_eq!(oracle.reduce(&fast::sqr_times_mont_4_adx(token, &a, 2, &c)), fourth);
            assert_eq!(fast::sqr_times_mont_4_adx(token, &a, 0, &c), a);
        }
    }
    assert_eq!(twice, TWICE.len() as u32, "the rare branch is reached by the planted cases");
}

/// Two words, moduli and operands at their ends among them.
#[test]
fn two_words() {
    let mut random = Random(0x0128);
    for i in 0..testkit::effort::cases(100_000) {
        let ([mut m, mut a, mut b], wide) = ([[0u64; 2]; 3], random.words());
        for (word, from) in [&mut m, &mut a].into_iter().flatten().zip(wide) {
            *word = from;
        }
        b.copy_from_slice(&random.words()[..2]);
        match i % 8 {
            0 => m = [u64::MAX, u64::MAX],
            1 => (a, b) = ([u64::MAX; 2], [u64::MAX; 2]),
            2 => m[1] = 0,
            3 => b = a,
            4 => (a, m[1]) = ([0, 1], 1 << 63),
            _ => {}
        }
        m[0] |= 1;
        let c = Mont::new(m);
        let oracle = crate::Modulus::new(if m == [1, 0] { continue } else { m });
        let expected = oracle.mul_montgomery(&oracle.reduce(&a), &oracle.reduce(&b));
        assert_eq!(oracle.reduce(&slow::mul_mont_portable(&a, &b, &c)), expected);
        assert_eq!(oracle.reduce(&slow::mul_mont_2_portable(&a, &b, &c)), expected, "{a:x?} {b:x?} mod {m:x?}");
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = crate::cpu::Adx::detect() {
            let product = fast::mul_mont_2_adx(token, &a, &b, &c);
            assert_eq!(product, slow::mul_mont_2_portable(&a, &b, &c), "{a:x?} {b:x?} mod {m:x?}");
        }
    }
}

/// Is (a·b + q₀ M + q₁ 2^64 M + (q₂ 2^128 + q₃ 2^192) m)/2^256 at least 2^256 + m, so that m comes off twice?
fn comes_off_twice(a: &[u64; 4], b: &[u64; 4], c: &Mont<4>) -> bool {
    let mut t = [0u64; 10];
    slow::mul_words_portable(&mut t[..8], a, b);
    let add = |t: &mut [u64; 10], at: usize, x: &[u64], q: u64| {
        let mut carry = 0;
        for (i, word) in t.iter_mut().enumerate().skip(at) {
            (*word, carry) = crate::limbs::mul_add_carry(*word, x.get(i - at).copied().unwrap_or(0), q, carry);
        }
    };
    for i in 0..4 {
        if i < 2 {
            // M = 2^64 M' − 1
            let (q, m1) = (t[i], c.m1);
            t[i] = 0;
            add(&mut t, i + 1, &m1, q);
        } else {
            let q = t[i].wrapping_mul(c.k);
            add(&mut t, i, &c.m, q);
        }
    }
    let (_, borrow) = crate::limbs::sub(&[t[4], t[5], t[6], t[7]], &c.m);
    t[8] > borrow
}

/// Random digits, runs of zeros and of all ones.
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
fn element(random: &mut Random, z: usize) -> Vec<u64> {
    let mut x = words(random, slow::block_words(z));
    x.iter_mut().for_each(|digit| *digit &= (1 << 52) - 1);
    let end = x.len() - 8;
    x[..8].fill(0);
    x[end..].fill(0);
    x
}

/// Every number of blocks; operands and moduli with all digits ones, so that carries run through all of them.
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
#[test]
fn almost_blocks() {
    use std::sync::atomic::Ordering;
    let Some(token) = crate::cpu::Ifma::detect() else {
        return testkit::skip::skip(testkit::test_name!(), testkit::skip::Missing::Engine("ifma"));
    };
    let mut random = Random(0x2012_0610);
    let before = fast::RIPPLES.load(Ordering::Relaxed);
    for z in (1..=slow::MAX_BLOCKS).cycle().take(testkit::effort::cases(1_500).max(2 * slow::MAX_BLOCKS)) {
        let n = 8 * z;
        let mut m = element(&mut random, z);
        m[8] |= 1;
        m[7 + n] &= (1 << 50) - 1; // below R/4
        // −1/m mod R, a digit at a time: −1 − m x has to vanish
        let (mut inverse, mut rest) = (vec![0; m.len()], vec![(1u64 << 52) - 1; n]);
        let k = neg_inverse(m[8]).wrapping_neg();
        for i in 0..n {
            let digit = rest[i].wrapping_mul(k) & ((1 << 52) - 1);
            inverse[8 + i] = digit;
            let mut borrow = 0u64;
            for j in i..n {
                let product = u128::from(m[8 + j - i]) * u128::from(digit) + u128::from(borrow);
                let low = product as u64 & ((1 << 52) - 1);
                borrow = (product >> 52) as u64 + u64::from(low > rest[j]);
                rest[j] = rest[j].wrapping_sub(low) & ((1 << 52) - 1);
            }
        }
        let Some(c) = slow::Blocks::new(&m, &inverse) else { unreachable!("elements of z blocks") };
        // below 2m: at most m itself, or half of it, or anything with a smaller top digit
        let below = |random: &mut Random| {
            let mut x = element(random, z);
            x[7 + n] &= m[7 + n] >> 1;
            x
        };
        let (mut a, mut b) = (below(&mut random), below(&mut random));
        match random.word() % 8 {
            0 => a.clone_from(&m),
            1 => b = [vec![0; 8], vec![1], vec![0; n + 7]].concat(),
            2 => b.fill(0),
            _ => {}
        }
        let mut expected = a.clone();
        slow::mul_almost_blocks_portable(&mut expected, &b, &c);
        let mut product = a.clone();
        fast::mul_almost_blocks_ifma(token, &mut product, &b, &c);
        assert_eq!(product, expected, "{z} blocks");
        let mut expected = a.clone();
        slow::mul_almost_blocks_portable(&mut expected, &a, &c);
        let mut square = a.clone();
        fast::sqr_almost_blocks_ifma(token, &mut square, &c);
        assert_eq!(square, expected, "{z} blocks");
    }
    let ripples = fast::RIPPLES.load(Ordering::Relaxed) - before;
    assert!(ripples > 10, "carries rippled {ripples} times");
}

/// Eight moduli a call; digits of all ones in operands and moduli.
#[cfg(all(target_arch = "x86_64", feature = "ifma"))]
#[test]
fn almost_lanes() {
    fn check<const N: usize>(token: crate::cpu::Ifma, random: &mut Random) {
        // Below m, top digits so that m is below R/4.
        let numbers = |random: &mut Random, top: u64| {
            let mut x = [[0; 8]; N];
            for lane in 0..8 {
                let all_ones = random.word() % 4 == 0;
                for row in &mut x {
                    row[lane] = if all_ones { u64::MAX } else { random.word() } & ((1 << 52) - 1);
                }
                x[N - 1][lane] &= top;
            }
            x
        };
        let mut m = numbers(random, (1 << 50) - 1);
        for lane in 0..8 {
            m[0][lane] |= 1;
            m[N - 1][lane] |= 1 << 49;
        }
        let c = slow::Lanes::new(&m);
        let (a, b) = (numbers(random, (1 << 50) - 1), numbers(random, (1 << 49) - 1));
        let (mut product, mut expected) = (a, a);
        fast::mul_almost_lanes_ifma(token, &mut product, &b, &c);
        slow::mul_almost_lanes_portable(&mut expected, &b, &c);
        assert_eq!(product, expected);
    }
    let Some(token) = crate::cpu::Ifma::detect() else {
        return testkit::skip::skip(testkit::test_name!(), testkit::skip::Missing::Engine("ifma"));
    };
    let mut random = Random(0x2012_0611);
    for _ in 0..testkit::effort::cases(20_000) {
        check::<5>(token, &mut random);
        check::<10>(token, &mut random);
    }
}

/// r·R = a·b mod m and r is below 2m, with one digit: all fits into 128 bits.
#[test]
fn almost_lanes_by_definition() {
    const MASK: u64 = (1 << 52) - 1;
    let mut random = Random(0x1985_0611);
    for _ in 0..500 {
        let mut of = |top: u64| [core::array::from_fn(|_| random.word() & top)];
        let (mut m, a, b) = (of(MASK >> 2), of(MASK >> 3), of(MASK >> 3));
        m[0].iter_mut().for_each(|m| *m |= 1 | 1 << 49);
        let mut r = a;
        slow::mul_almost_lanes_portable(&mut r, &b, &slow::Lanes::new(&m));
        for lane in 0..8 {
            let [m, a, b, r] = [m, a, b, r].map(|x| u128::from(x[0][lane]));
            assert!(r < 2 * m && (r << 52) % m == a * b % m);
        }
    }
}
