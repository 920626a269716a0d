//! Call data of go-ethereum, ethereumjs, ethereum/tests and boringssl: outputs and gas.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use serde_json::Value;
use testkit::test_name;
use testkit::vectors::{self, Fields as _};
use windlass_evm::{CallError, ECRECOVER_GAS, Fork, ecrecover, modexp, modexp_gas};

/// Every row's output, in the given forks, and its gas where the row has it.
fn check_modexp(test: &str, file: &str, forks: &[Fork]) {
    let Some(rows) = vectors::json(test, file) else { return };
    let rows = rows.as_array().unwrap();
    assert!(rows.len() > 10);
    for row in rows {
        let (input, name) = (row.bytes("Input"), row.string("Name"));
        for &fork in forks {
            let result = modexp(&input, u64::MAX, fork).unwrap_or_else(|error| panic!("{name}, {fork:?}: {error}"));
            assert_eq!(vectors::to_hex(&result.output), row.string("Expected"), "{name}, {fork:?}");
            assert_eq!(modexp_gas(&input, fork), Some(result.gas), "{name}");
            if let Some(gas) = row["Gas"].as_u64() {
                assert_eq!(result.gas, gas, "{name}, {fork:?}");
            }
            assert_eq!(modexp(&input, result.gas, fork), Ok(result.clone()), "{name}");
            if result.gas > 0 {
                assert_eq!(modexp(&input, result.gas - 1, fork), Err(CallError::OutOfGas), "{name}");
            }
        }
    }
}

#[test]
fn modexp_of_geth_fork_by_fork() {
    check_modexp(test_name!(), "evm/geth-modexp.json", &[Fork::Byzantium]);
    check_modexp(test_name!(), "evm/geth-modexp_eip2565.json", &[Fork::Berlin]);
    check_modexp(test_name!(), "evm/geth-modexp_eip7883.json", &[Fork::Osaka]);
}

#[test]
fn modexp_of_ethereumjs() {
    check_modexp(test_name!(), "evm/ethereumjs-modexp.json", &[Fork::Byzantium, Fork::Berlin, Fork::Osaka]);
}

#[test]
fn modexp_of_ethereum_tests() {
    check_modexp(test_name!(), "evm/ethereum-tests-modexp.json", &[Fork::Byzantium, Fork::Berlin]);
}

/// a^e mod m as numbers, put into call data.
#[test]
fn modexp_of_boringssl() {
    let Some(rows) = vectors::json_lines(test_name!(), "evm/boringssl-mod_exp.jsonl") else { return };
    let bytes = |row: &Value, name: &str| {
        let text = row.string(name);
        vectors::hex(&format!("{}{text}", if text.len() % 2 == 1 { "0" } else { "" }))
    };
    let mut checked = 0;
    for row in &rows {
        let [a, e, m, expected] = ["A", "E", "M", "ModExp"].map(|name| bytes(row, name));
        let mut input = Vec::new();
        for number in [&a, &e, &m] {
            input.extend([[0; 24].as_slice(), &(number.len() as u64).to_be_bytes()].concat());
        }
        input.extend([a, e, m].concat());
        let output = modexp(&input, u64::MAX, Fork::Osaka).unwrap().output;
        let strip = |bytes: &[u8]| bytes.iter().copied().skip_while(|&byte| byte == 0).collect::<Vec<_>>();
        assert_eq!(strip(&output), strip(&expected), "{row}");
        checked += 1;
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn ecrecover_of_geth_and_ethereum_tests() {
    for (file, least) in [("evm/geth-ecRecover.json", 5), ("evm/ethereum-tests-ecrecover.json", 200)] {
        let Some(rows) = vectors::json(test_name!(), file) else { return };
        let rows = rows.as_array().unwrap();
        assert!(rows.len() >= least, "{file}");
        for row in rows {
            let result = ecrecover(&row.bytes("Input"), ECRECOVER_GAS).unwrap();
            assert_eq!(vectors::to_hex(&result.output), row.string("Expected"), "{}", row.string("Name"));
            assert_eq!(result.gas, row["Gas"].as_u64().unwrap_or(ECRECOVER_GAS));
        }
    }
}
