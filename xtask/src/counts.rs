//! `cargo xtask counts [--check]`: how many field and point operations, and how many instructions, an operation takes. Prints both
//! and writes `bench/counts.json`; with `--check` fails where a figure of windlass has grown by more than a hundredth since.
//!
//! The program is `testkit/src/bin/counts.rs`; callgrind counts the instructions (Debian: valgrind). It is built with
//! `--cfg windlass_ct_check`, in which the engine `adx` is taken on trust, as valgrind hides that CPU feature. Counts repeat to the
//! instruction where compiler and sources are the same: another compiler's instructions are not compared.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};

use crate::command;

const PROGRAM: &str = "counts";
/// Figures of the peer show where windlass stands; they are no figures of windlass.
const PEER: &str = "libsecp256k1";
const OPERATIONS: [&str; 5] = ["M", "S", "additions", "doublings", "point additions"];

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let is_check = match words {
        [] => false,
        [word] if word == "--check" => true,
        [word, ..] => return Err(format!("what is '{word}'?")),
    };
    let target = command::root().join("target/constant-time");
    let mut cargo = command::cargo();
    cargo.args(["build", "--release", "--package", "windlass-testkit", "--bin", PROGRAM]);
    cargo.args(["--no-default-features", "--features", "libsecp256k1", "--target-dir"]).arg(&target);
    cargo.env("RUSTFLAGS", "--cfg windlass_ct_check");
    command::run(&mut cargo)?;
    let program = target.join("release").join(PROGRAM);
    let listed = |word: &str| -> Result<Vec<Vec<String>>, String> {
        let text = command::output(Command::new(&program).arg(word))?;
        Ok(text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect())
    };

    let mut operations = BTreeMap::new();
    println!("| an operation, on average | {} |\n|---|{}", OPERATIONS.join(" | "), "---:|".repeat(OPERATIONS.len()));
    for words in listed("operations")? {
        let [name, inputs, counts @ ..] = &words[..] else { return Err(format!("{PROGRAM} said {words:?}")) };
        let (inputs, counts) =
            (number(inputs)?, counts.iter().map(|word| number(word)).collect::<Result<Vec<_>, _>>()?);
        let cells: Vec<String> = counts.iter().map(|count| format!("{:.1}", *count as f64 / inputs as f64)).collect();
        println!("| {name} | {} |", cells.join(" | "));
        for (of, count) in OPERATIONS.iter().zip(counts) {
            operations.insert(format!("{name}: {of}"), count);
        }
    }

    let mut instructions = BTreeMap::new();
    println!("\n| an operation, on average | library | instructions |\n|---|---|---:|");
    for words in listed("regions")? {
        let [library, name, inputs] = &words[..] else { return Err(format!("{PROGRAM} said {words:?}")) };
        let count = collected(&program, library, name)?;
        println!("| {name} | {library} | {:.0} |", count as f64 / number(inputs)? as f64);
        instructions.insert(format!("{name}: {library}"), count);
    }

    let file = command::root().join("bench/counts.json");
    if !is_check {
        let figures = json!({ "compiler": compiler()?, "operations": operations, "instructions": instructions });
        let text = serde_json::to_string_pretty(&figures).map_err(|error| error.to_string())? + "\n";
        return std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()));
    }
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let before: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut grown = compare(&before["operations"], &operations);
    if before["compiler"] == compiler()? {
        grown.extend(compare(&before["instructions"], &instructions));
    } else {
        println!("\nskipped: instructions, counted with {}", before["compiler"]);
    }
    match grown[..] {
        [] => Ok(()),
        ref grown => Err(format!("grown, or unknown (`cargo xtask counts` writes them anew):\n{}", grown.join("\n"))),
    }
}

/// What has grown by more than a hundredth, appeared or gone.
fn compare(before: &Value, now: &BTreeMap<String, u64>) -> Vec<String> {
    let known = before.as_object().map(|known| known.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let gone = known.into_iter().filter(|name| !now.contains_key(name)).map(|name| format!("{name}: gone"));
    let grown = now.iter().filter(|(name, _)| !name.ends_with(PEER)).filter_map(|(name, count)| {
        let before = before[name].as_u64();
        let is_more = before.is_none_or(|before| *count * 100 > before * 101);
        is_more
            .then(|| format!("{name}: {count}, was {}", before.map_or("unknown".to_owned(), |count| count.to_string())))
    });
    gone.chain(grown).collect()
}

/// The instructions inside the program's counted region.
fn collected(program: &std::path::Path, library: &str, name: &str) -> Result<u64, String> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*counted_region*"]);
    valgrind.arg("--callgrind-out-file=/dev/null").arg(program).args(["region", library, name]);
    let result = valgrind.output().map_err(|error| format!("valgrind: {error} (Debian: apt-get install valgrind)"))?;
    let said = String::from_utf8_lossy(&result.stderr);
    let count = said.lines().find_map(|line| line.split_once("Collected : ")).map(|(_, count)| count.trim());
    match count {
        Some(count) if result.status.success() && count != "0" => number(count),
        _ => Err(format!("{}: {}\n{said}", command::shown(&valgrind), result.status)),
    }
}

fn compiler() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Ok(command::output(Command::new(rustc).arg("-V"))?.trim().to_owned())
}

fn number(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("'{word}' is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_hundredth_more_is_seen() {
        let before = json!({ "a: M": 1000, "b: adx": 1000, "b: libsecp256k1": 10 });
        let now = |a: u64, b: u64| {
            let names = ["a: M", "b: adx", "b: libsecp256k1"].map(str::to_owned);
            compare(&before, &names.into_iter().zip([a, b, 999]).collect())
        };
        assert_eq!(now(1010, 900), Vec::<String>::new());
        assert_eq!(now(1011, 1000), ["a: M: 1011, was 1000"]);
        let more = BTreeMap::from([("c".to_owned(), 1)]);
        assert_eq!(compare(&before, &more).len(), 4, "three gone, one unknown");
    }
}
