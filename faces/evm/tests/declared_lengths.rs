//! Lengths that lie, call data that ends early, prices at their edges.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use num_bigint::BigUint;
use testkit::random::Random;
use windlass_evm::{CallError, ECRECOVER_GAS, Fork, Success, ecrecover, modexp, modexp_gas};

const FORKS: [Fork; 3] = [Fork::Byzantium, Fork::Berlin, Fork::Osaka];

/// 32 bytes of each length, then the data.
fn call(lengths: [&BigUint; 3], data: &[u8]) -> Vec<u8> {
    let mut input = Vec::new();
    for length in lengths {
        let bytes = length.to_bytes_be();
        input.extend(vec![0; 32 - bytes.len()]);
        input.extend(bytes);
    }
    input.extend(data);
    input
}

fn big(number: u128) -> BigUint {
    number.into()
}

#[test]
fn huge_lengths_take_no_memory() {
    let huge: Vec<BigUint> = [31, 32, 33, 53, 60, 61, 63, 64, 65, 128, 255, 256]
        .into_iter()
        .flat_map(|bits| [(big(1) << bits) - 1u32, (big(1) << bits.min(255)) + 1u32])
        .collect();
    let (zero, one) = (big(0), big(1));
    for length in &huge {
        for fork in FORKS {
            // Nothing to compute: only the exponent is long.
            let nothing = modexp(&call([&zero, length, &zero], &[]), u64::MAX, fork);
            match fork {
                Fork::Osaka => assert_eq!(nothing, Err(CallError::TooLong)),
                Fork::Berlin => assert_eq!(nothing, Ok(Success { output: vec![], gas: 200 })),
                _ => assert_eq!(nothing, Ok(Success { output: vec![], gas: 0 })),
            }
            for lengths in
                [[length, &one, &one], [&one, &one, length], [length, length, length], [length, &zero, &zero]]
            {
                for limit in [0, 30_000_000, u64::MAX] {
                    let result = modexp(&call(lengths, &[7; 50]), limit, fork);
                    if lengths[2] == &zero && result.is_ok() {
                        continue; // paid for, and nothing to return
                    }
                    assert!(matches!(result, Err(CallError::OutOfGas | CallError::TooLong)), "{lengths:?} {fork:?}");
                }
            }
            // An exponent that no block pays for.
            let long = modexp(&call([&one, length, &one], &[2, 1]), 30_000_000, fork);
            assert!(matches!(long, Err(CallError::OutOfGas | CallError::TooLong)), "{length} {fork:?}");
        }
    }
}

/// 3^(2^(8·(2^20 − 1))) mod 7 from 98 bytes.
#[test]
fn a_long_exponent_of_zeros() {
    let length = big(1 << 20);
    // The exponent's first byte is the last that is given; its zeros and the modulus are not there, so the modulus is 0.
    let input = call([&big(1), &length, &big(1)], &[3, 1]);
    for fork in [Fork::Byzantium, Fork::Berlin] {
        let result = modexp(&input, 30_000_000, fork).unwrap();
        assert_eq!(result.output, [0]);
    }
}

/// Call data cut anywhere is call data followed by zeros; what follows its end does not count.
#[test]
fn short_and_long_call_data() {
    let mut random = Random::new(198);
    for _ in 0..testkit::effort::cases(300) {
        let lengths = [random.below(40), random.below(40), random.below(40)];
        let mut data = vec![0; lengths.iter().sum()];
        random.fill(&mut data);
        let input = call([&lengths[0].into(), &lengths[1].into(), &lengths[2].into()], &data);
        let cut = random.below(input.len() + 1);
        let mut zeros = input[..cut].to_vec();
        zeros.resize(input.len(), 0);
        let mut long = zeros.clone();
        long.extend([0xFF; 9]);
        for fork in FORKS {
            let expected = modexp(&zeros, u64::MAX, fork);
            assert_eq!(modexp(&input[..cut], u64::MAX, fork), expected);
            assert_eq!(modexp(&long, u64::MAX, fork), expected);
            if cut < input.len() {
                continue;
            }
            let (base, rest) = data.split_at(lengths[0]);
            let (exponent, modulus) = rest.split_at(lengths[1]);
            let [base, exponent, modulus] = [base, exponent, modulus].map(BigUint::from_bytes_be);
            let result = if modulus == big(0) { big(0) } else { base.modpow(&exponent, &modulus) };
            let output = expected.unwrap().output;
            assert_eq!((output.len(), BigUint::from_bytes_be(&output)), (lengths[2], result));
        }
    }
}

/// The formulas of the EIPs as they are printed, on lengths about every edge.
#[test]
fn prices_at_their_edges() {
    let edges = [0u64, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 4096];
    for base in edges {
        for exponent in edges {
            for modulus in edges {
                for head in [&[0; 32], &[0xFF; 32], &[[0; 31].as_slice(), &[1]].concat()[..]] {
                    let mut data = vec![1; base as usize];
                    data.extend(&head[..32.min(exponent as usize)]);
                    let input = call([&base.into(), &exponent.into(), &modulus.into()], &data);
                    let e = BigUint::from_bytes_be(&head[..32.min(exponent as usize)]);
                    let bits = e.bits().saturating_sub(1);
                    let x = base.max(modulus);
                    let iterations = |byte_bits: u64| (byte_bits * exponent.saturating_sub(32) + bits).max(1);
                    let eip198 = match x {
                        0..=64 => x * x,
                        65..=1024 => x * x / 4 + 96 * x - 3072,
                        _ => x * x / 16 + 480 * x - 199_680,
                    } * iterations(8)
                        / 20;
                    let words = x.div_ceil(8);
                    let eip2565 = 200.max(words * words * iterations(8) / 3);
                    let eip7883 = 500.max(if x <= 32 { 16 } else { 2 * words * words } * iterations(16));
                    assert_eq!(modexp_gas(&input, Fork::Byzantium), Some(eip198));
                    assert_eq!(modexp_gas(&input, Fork::Berlin), Some(eip2565));
                    assert_eq!(modexp_gas(&input, Fork::Osaka), Some(eip7883));
                    let too_long = base.max(exponent).max(modulus) > 1024;
                    let ran = modexp(&input[..96], u64::MAX, Fork::Osaka);
                    assert_eq!(matches!(ran, Err(CallError::TooLong)), too_long);
                }
            }
        }
    }
}

#[test]
fn before_byzantium_there_is_none() {
    assert_eq!(modexp(&[], u64::MAX, Fork::Frontier), Err(CallError::NotInThisFork));
    assert_eq!(modexp(&[], 0, Fork::Byzantium), Ok(Success { output: vec![], gas: 0 }));
    assert_eq!("osaka".parse(), Ok(Fork::Osaka));
    assert!("Osaka".parse::<Fork>().is_err());
}

#[test]
fn ecrecover_takes_its_gas_whatever_comes() {
    assert_eq!(ecrecover(&[], ECRECOVER_GAS - 1), Err(CallError::OutOfGas));
    assert_eq!(ecrecover(&[], ECRECOVER_GAS), Ok(Success { output: vec![], gas: 3000 }));
    assert_eq!(ecrecover(&[0xFF; 1000], u64::MAX), Ok(Success { output: vec![], gas: 3000 }));
}
