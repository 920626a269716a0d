//! `cargo xtask layers`: dependencies point downwards only, and unsafe code stands only where it may.
//!
//! Directions: field → arith; curve → field; msm → curve; sig → curve, msm; modexp → arith; windlass → all of them; a face →
//! windlass only; nothing → a face, but the command line → evm. A crate may also name what lies below the crates it may name. Test dependencies may add
//! `testkit`. Below `sig` the only crate from outside is `zeroize`; no library crate has a build script.

use crate::command;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A library crate: what it may depend on in the workspace, and whether it may depend on crates from outside at will.
struct Layer {
    name: &'static str,
    below: &'static [&'static str],
    open: bool,
}

const LIBRARY: &[Layer] = &[
    Layer { name: "windlass-arith", below: &[], open: false },
    Layer { name: "windlass-field", below: &["windlass-arith"], open: false },
    Layer { name: "windlass-curve", below: &["windlass-arith", "windlass-field"], open: false },
    Layer { name: "windlass-msm", below: &["windlass-arith", "windlass-field", "windlass-curve"], open: false },
    Layer {
        name: "windlass-sig",
        below: &["windlass-arith", "windlass-field", "windlass-curve", "windlass-msm"],
        open: true,
    },
    Layer { name: "windlass-modexp", below: &["windlass-arith"], open: false },
    Layer {
        name: "windlass",
        below: &[
            "windlass-arith",
            "windlass-field",
            "windlass-curve",
            "windlass-msm",
            "windlass-sig",
            "windlass-modexp",
        ],
        open: true,
    },
];

/// The names of the library crates, lowest first.
pub(crate) fn library() -> impl Iterator<Item = &'static str> {
    LIBRARY.iter().map(|layer| layer.name)
}

/// Crates from outside that every layer may use.
const OUTSIDE: &[&str] = &["zeroize"];
/// A face that uses another one: the command line runs the precompiles.
const FACE_ON_FACE: &[(&str, &str)] = &[("windlass-cli", "windlass-evm")];
const TESTKIT: &str = "windlass-testkit";
const TOOLS: &[&str] = &[TESTKIT, "xtask"];

/// Files and folders, from the workspace's root, in which the word `unsafe` may stand.
const UNSAFE_PLACES: &[&str] = &[
    "crates/arith/src/kernel", // kernel.rs and kernel/
    "crates/arith/src/cpu.rs",
    "crates/arith/src/ct_check.rs",
    "crates/windlass/src/engine",
    "faces/capi",
    "testkit/src", // the peer's C functions, the counting allocator
];

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    command::no_more(words)?;
    let mut faults = wrong_dependencies(&metadata()?);
    faults.extend(unsafe_code(command::root())?);
    if faults.is_empty() {
        println!("layers: every dependency points downwards, unsafe code stands only where it may");
        return Ok(());
    }
    Err(format!("{} faults\n{}", faults.len(), faults.join("\n")))
}

/// What `cargo metadata` says of the workspace's own crates.
fn metadata() -> Result<Value, String> {
    let text = command::output(command::cargo().args(["metadata", "--format-version", "1", "--no-deps", "--offline"]))?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
}

/// The dependencies that point the wrong way.
fn wrong_dependencies(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let name = |package: &Value| package["name"].as_str().unwrap_or_default().to_owned();
    let members: Vec<String> = packages.iter().map(name).collect();
    let mut faults = Vec::new();
    for package in packages {
        let user = name(package);
        let layer = LIBRARY.iter().find(|layer| layer.name == user);
        let is_face = package["manifest_path"].as_str().is_some_and(|path| path.contains("/faces/"));
        if layer.is_none() && !is_face && !TOOLS.contains(&user.as_str()) {
            faults.push(format!("{user}: no layer, no face and no tool: give it a place in xtask/src/layers.rs"));
        }
        for dependency in package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default() {
            let used = name(dependency);
            let for_tests = dependency["kind"] == "dev";
            let allowed = if for_tests && used == TESTKIT {
                true
            } else if !members.contains(&used) {
                for_tests || layer.is_none_or(|layer| layer.open || OUTSIDE.contains(&used.as_str()))
            } else if let Some(layer) = layer {
                layer.below.contains(&used.as_str())
            } else if is_face {
                used == "windlass" || FACE_ON_FACE.contains(&(user.as_str(), used.as_str()))
            } else {
                LIBRARY.iter().any(|layer| layer.name == used) || used == TESTKIT
            };
            if !allowed {
                faults.push(format!("{user} may not depend on {used}"));
            }
        }
        let has_build_script = package["targets"].as_array().is_some_and(|targets| {
            targets
                .iter()
                .any(|target| target["kind"].as_array().is_some_and(|kind| kind.contains(&"custom-build".into())))
        });
        if layer.is_some() && has_build_script {
            faults.push(format!("{user} has a build script"));
        }
    }
    faults
}

/// The places of `unsafe` outside [`UNSAFE_PLACES`].
fn unsafe_code(root: &Path) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for folder in ["crates", "faces", "testkit", "xtask"] {
        rust_files(&root.join(folder), &mut files)?;
    }
    let mut faults = Vec::new();
    for file in files {
        let shown = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
        if UNSAFE_PLACES.iter().any(|place| shown.starts_with(place)) || is_lane_backend(&shown) {
            continue;
        }
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{shown}: {error}"))?;
        faults.extend(lines_with_unsafe(&text).map(|line| format!("{shown}:{line}: unsafe code has no place here")));
    }
    Ok(faults)
}

/// A backend whose lanes are AVX-512's: `crates/field/src/PRIME/ifma*`.
fn is_lane_backend(file: &str) -> bool {
    let inside = file.strip_prefix("crates/field/src/").and_then(|path| path.split_once('/'));
    inside.is_some_and(|(_prime, path)| path.starts_with("ifma"))
}

/// The numbers of the lines in which the keyword stands, comments and strings aside.
fn lines_with_unsafe(text: &str) -> impl Iterator<Item = usize> + '_ {
    let has_keyword = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        let outside_strings: String = code.split('"').step_by(2).collect();
        outside_strings.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe")
    };
    text.lines().enumerate().filter(move |(_, line)| has_keyword(line)).map(|(at, _)| at + 1)
}

/// Every Rust file below `folder`, build results aside; a folder that is not there has none.
fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            rust_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_workspace_keeps_its_directions() {
        assert_eq!(wrong_dependencies(&metadata().unwrap()), [""; 0]);
        assert_eq!(unsafe_code(command::root()).unwrap(), [""; 0]);
    }

    /// The workspace with one dependency more.
    fn planted(user: &str, used: &str, kind: Value) -> Vec<String> {
        let mut metadata = metadata().unwrap();
        let packages = metadata["packages"].as_array_mut().unwrap();
        let package = packages.iter_mut().find(|package| package["name"] == user).unwrap();
        package["dependencies"].as_array_mut().unwrap().push(json!({"name": used, "kind": kind}));
        wrong_dependencies(&metadata)
    }

    #[test]
    fn a_planted_wrong_way_dependency_is_seen() {
        let upwards = ["windlass-field may not depend on windlass-curve"];
        assert_eq!(planted("windlass-field", "windlass-curve", Value::Null), upwards);
        assert_eq!(planted("windlass-field", "windlass-curve", json!("dev")), upwards);
        assert_eq!(planted("windlass-field", "windlass-arith", Value::Null), [""; 0]);
        assert_eq!(planted("windlass-field", "rand", Value::Null), ["windlass-field may not depend on rand"]);
        assert_eq!(planted("windlass-field", "rand", json!("dev")), [""; 0]);
        assert_eq!(planted("windlass-field", TESTKIT, json!("dev")), [""; 0]);
        assert_eq!(planted("windlass-field", TESTKIT, Value::Null).len(), 1);
    }

    #[test]
    fn a_planted_build_script_is_seen() {
        let mut metadata = metadata().unwrap();
        let package =
            metadata["packages"].as_array_mut().unwrap().iter_mut().find(|package| package["name"] == "windlass-arith");
        package.unwrap()["targets"].as_array_mut().unwrap().push(json!({"kind": ["custom-build"]}));
        assert_eq!(wrong_dependencies(&metadata), ["windlass-arith has a build script"]);
    }

    #[test]
    fn a_face_may_use_the_facade_alone() {
        let face = |used: &str| {
            wrong_dependencies(&json!({"packages": [
                {"name": "windlass", "manifest_path": "/w/crates/windlass/Cargo.toml", "dependencies": [], "targets": []},
                {"name": "windlass-sig", "manifest_path": "/w/crates/sig/Cargo.toml", "dependencies": [], "targets": []},
                {"name": "windlass-cli", "manifest_path": "/w/faces/cli/Cargo.toml", "targets": [],
                 "dependencies": [{"name": used, "kind": null}]}]}))
        };
        assert_eq!(face("windlass"), [""; 0]);
        assert_eq!(face("clap"), [""; 0]);
        assert_eq!(face("windlass-sig"), ["windlass-cli may not depend on windlass-sig"]);
    }

    #[test]
    fn a_lane_backend_is_known_by_its_place() {
        assert!(is_lane_backend("crates/field/src/secp256k1/ifma_5x52.rs"));
        assert!(is_lane_backend("crates/field/src/secp256k1/ifma_5x52/vector.rs"));
        assert!(!is_lane_backend("crates/field/src/ifma.rs"));
        assert!(!is_lane_backend("crates/curve/src/vartime/ifma.rs"));
    }

    #[test]
    fn the_keyword_is_found_outside_comments_and_strings() {
        let text = "unsafe { f() }\n// unsafe\nlet s = \"unsafe\";\n#![deny(unsafe_code)]\n    unsafe fn g() {}";
        assert_eq!(lines_with_unsafe(text).collect::<Vec<_>>(), [1, 5]);
    }
}
