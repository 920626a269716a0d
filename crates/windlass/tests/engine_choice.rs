//! How the engine is chosen. The choice is the process's, so each case runs this binary again with its own environment.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};
use windlass::engine::{self, EngineError};
use windlass::{SecretKey, ecdsa};

/// The variable that tells a child which case it is.
const CASE: &str = "WINDLASS_TEST_CASE";

/// Runs `child` below with this engine's name in the environment.
fn run(case: &str, engine: Option<&str>) -> Output {
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    command.args(["child", "--exact", "--nocapture", "--test-threads=1"]).env(CASE, case).env_remove("WINDLASS_ENGINE");
    if let Some(name) = engine {
        command.env("WINDLASS_ENGINE", name);
    }
    let output = command.output().expect("the child runs");
    assert!(output.status.success(), "{case} {engine:?}: {}", String::from_utf8_lossy(&output.stdout));
    output
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Does nothing in the parent; in a child it checks the case.
#[test]
fn child() {
    let Ok(case) = std::env::var(CASE) else { return };
    let named = std::env::var("WINDLASS_ENGINE");
    let operate = || ecdsa::sign_digest(&[1; 32], &SecretKey::from_bytes(&[2; 32]).unwrap());
    let best = engine::available().next().expect("an engine");
    match case.as_str() {
        "default" => {
            let _ = operate();
            assert_eq!(engine::name(), best);
        }
        "named" => {
            let _ = operate();
            assert_eq!(Ok(engine::name()), named.as_deref().map_err(|_| ()));
        }
        "named-first" => {
            assert_eq!(engine::select_from_environment(), Ok(()));
            assert_eq!(Ok(engine::name()), named.as_deref().map_err(|_| ()));
        }
        "bad-first" => {
            assert_eq!(engine::select_from_environment(), Err(EngineError::Unknown));
            assert_eq!(engine::select("portable"), Ok(()));
            let _ = operate();
        }
        "bad" => {
            let _ = (operate(), operate());
            assert_eq!(engine::name(), "portable");
        }
        "overruled" => {
            assert_eq!(engine::select("portable"), Ok(()));
            let _ = operate();
            assert_eq!(engine::name(), "portable");
        }
        other => unreachable!("{other}"),
    }
}

#[test]
fn the_best_engine_without_a_name() {
    assert!(!errors(&run("default", None)).contains("windlass:"));
}

#[test]
fn every_engine_by_its_name() {
    for name in engine::available() {
        run("named", Some(name));
        run("named-first", Some(name));
        run("overruled", Some(name));
    }
}

/// A name that can't be followed is an error where a program asks, and said once where none does.
#[test]
fn a_name_that_is_no_engine() {
    for name in ["", "warp", "ADX", " portable"] {
        assert!(!errors(&run("bad-first", Some(name))).contains("windlass:"));
        assert_eq!(errors(&run("bad", Some(name))).matches("windlass: WINDLASS_ENGINE").count(), 1);
    }
}

#[test]
fn names() {
    assert!(engine::available().all(|name| engine::NAMES.contains(&name)));
    assert!(engine::available().any(|name| name == "portable"), "every machine runs it");
    assert_eq!(engine::select("warp"), Err(EngineError::Unknown));
    for name in engine::NAMES.iter().filter(|name| !engine::available().any(|other| other == **name)) {
        assert_eq!(engine::select(name), Err(EngineError::Unavailable));
    }
}
