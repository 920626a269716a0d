//! The engine that `WINDLASS_ENGINE` names is the one in use: a suite that runs on another one by mistake proves nothing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use windlass::engine;

#[test]
fn the_named_engine_is_in_use() {
    let available: Vec<&str> = engine::available().collect();
    engine::select_from_environment().unwrap();
    match std::env::var("WINDLASS_ENGINE") {
        Ok(name) => assert_eq!(engine::name(), name),
        Err(_) => assert_eq!(Some(&engine::name()), available.first(), "the best one"),
    }
}
