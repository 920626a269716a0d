//! `cargo xtask lanes`: the code that runs in lanes is vector instructions, and not calls of them.
//!
//! A vector operation compiles to its instruction only inside a function that has the CPU's features; elsewhere it becomes a call,
//! right and fifty times slower. A closure, or a function passed as a value, is such a place even within a task. This builds the
//! command line and disassembles it: a function with the features that calls a vector operation is a fault; a function without them
//! that calls some is named, for it may be one that matters. Needs `objdump` (Debian: binutils).

use crate::command;
use std::collections::BTreeMap;
use std::process::Command;

/// The function into which a backend's `outline` compiles a task.
const WITH_FEATURES: &str = "with_features";
/// Part of the name of every vector operation.
const OPERATION: &str = "core_arch::x86::avx512";

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    command::no_more(words)?;
    let target = command::root().join("target/lanes");
    let mut cargo = command::cargo();
    cargo.args(["build", "--release", "--package", "windlass-cli", "--target-dir"]).arg(&target);
    command::run(&mut cargo)?;
    let program = target.join("release/windlass");
    let text = command::output(Command::new("objdump").args(["-d", "-C", "--no-show-raw-insn"]).arg(program))
        .map_err(|error| format!("{error} (Debian: apt-get install binutils)"))?;
    let calls = calls_by_function(&text);
    let (inside, outside): (Vec<_>, Vec<_>) = calls.iter().partition(|(function, _)| function.contains(WITH_FEATURES));
    outside.iter().for_each(|(function, count)| println!("without features: {count} calls in {function}"));
    if !text.contains(WITH_FEATURES) {
        return Err("no function with features: are there lanes?".to_owned());
    }
    if inside.is_empty() {
        println!("lanes: no task calls a vector operation");
        return Ok(());
    }
    let faults: Vec<_> = inside.iter().map(|(function, count)| format!("{count} calls in {function}")).collect();
    Err(format!("vector operations are called in tasks\n{}", faults.join("\n")))
}

/// How many calls of vector operations each function of a disassembly has, those with none aside.
fn calls_by_function(disassembly: &str) -> BTreeMap<&str, usize> {
    let mut calls = BTreeMap::new();
    let mut function = "";
    for line in disassembly.lines() {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            function = name;
        } else if line.contains("call") && line.contains(OPERATION) && !function.contains(OPERATION) {
            *calls.entry(function).or_default() += 1;
        }
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_by_function() {
        let text = "\
0000000000001000 <a::with_features>:
    1000:\tvpaddq %zmm0,%zmm1,%zmm2
    1006:\tcall   2000 <core::core_arch::x86::avx512f::_mm512_add_epi64>
    100b:\tcall   3000 <memcpy>
0000000000001100 <<b::C as b::D>::run::{{closure}}>:
    1100:\tcall   2000 <core::core_arch::x86::avx512f::_mm512_add_epi64>
    1105:\tcall   2000 <core::core_arch::x86::avx512ifma::_mm512_madd52lo_epu64>
0000000000001200 <d>:
    1200:\tcall   2000 <core::core_arch::x86::cpuid::__cpuid_count>";
        let calls = calls_by_function(text);
        assert_eq!(
            calls.into_iter().collect::<Vec<_>>(),
            [("<b::C as b::D>::run::{{closure}}", 2), ("a::with_features", 1)]
        );
    }
}
