//! What stands in the head of a table: machine, compiler, commit, date.

use std::process::Command;

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let out = Command::new(program).args(arguments).output().ok().filter(|out| out.status.success())?;
    Some(String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// The commit of the checkout that was built, marked where the tree differs from it.
pub(crate) fn commit() -> String {
    let git = |arguments: &[&str]| output("git", &[&["-C", env!("CARGO_MANIFEST_DIR")], arguments].concat());
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return "unknown".to_owned() };
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|lines| !lines.is_empty());
    if changed { format!("{commit} with changes") } else { commit }
}

pub(crate) fn date() -> String {
    output("date", &["-u", "+%Y-%m-%d %H:%M UTC"]).unwrap_or_else(|| "unknown".to_owned())
}

/// The load of the last minute.
pub(crate) fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}

/// The name of a record made now: the day, then the commit.
pub(crate) fn record_name() -> String {
    let day = output("date", &["-u", "+%Y-%m-%d"]).unwrap_or_else(|| "unknown".to_owned());
    format!("{day}-{}", commit().replace(' ', "-"))
}

/// All that a record keeps of the machine: the command, the compiler, the CPU.
pub(crate) fn description() -> String {
    // Of a file's path, its name says enough.
    let word = |word: String| word.rsplit_once('/').map_or(word.clone(), |(_, name)| name.to_owned());
    let words: Vec<String> = std::env::args().skip(1).map(word).collect();
    let command = format!("cargo run --release --manifest-path bench/Cargo.toml -- {}", words.join(" "));
    let rustc = output("rustc", &["-vV"]).unwrap_or_default();
    // The rest is the host's business.
    let shown =
        |line: &&str| !["Vulnerability", "Hypervisor", "Virtualization", "NUMA"].iter().any(|w| line.starts_with(w));
    let lscpu = output("lscpu", &[]).unwrap_or_default();
    let lscpu: Vec<&str> = lscpu.lines().filter(shown).collect();
    format!("{command}\n{}, load {} after the run\n\n{rustc}\n\n{}\n", date(), load(), lscpu.join("\n"))
}

pub(crate) fn machine() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpuinfo.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split(':').nth(1)).unwrap_or("unknown").trim().to_owned()
    };
    let threads = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let (model, family, number) = (field("model name"), field("cpu family"), field("model"));
    let system = output("uname", &["-sr"]).unwrap_or_default();
    let system = system.split('-').next().unwrap_or_default(); // what follows is the distributor's
    format!("{model} (family {family}, model {number}), {threads} CPUs, {system}")
}

pub(crate) fn compiler() -> String {
    let flags = env!("BENCH_RUSTFLAGS");
    let flags = if flags.is_empty() { String::new() } else { format!(", RUSTFLAGS {flags}") };
    format!("{}, opt-level {}{flags}", env!("BENCH_RUSTC"), env!("BENCH_OPT_LEVEL"))
}

/// The version of a package in the bench's lock file. Where the lock holds several, the bench's own choice.
pub(crate) fn locked_version(package: &str) -> String {
    const LOCK: &str = include_str!("../Cargo.lock");
    let quoted = |line: &str| line.split('"').nth(1).unwrap_or_default().to_owned();
    let blocks = || LOCK.split("\n\n").filter(|block| block.contains("[[package]]"));
    let own = blocks().find(|block| block.contains("name = \"windlass-bench\"")).unwrap_or_default();
    let prefix = format!("{package} ");
    let chosen = own.lines().map(quoted).find_map(|entry| entry.strip_prefix(&prefix).map(str::to_owned));
    chosen.unwrap_or_else(|| {
        let name = format!("name = \"{package}\"");
        let block = blocks().find(|block| block.lines().any(|line| line == name)).unwrap_or_default();
        block.lines().find(|line| line.starts_with("version = ")).map_or_else(|| "unknown".to_owned(), quoted)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_come_from_the_lock_file() {
        assert!(locked_version("k256").starts_with("0.14."));
        assert!(locked_version("secp256k1-sys").starts_with("0.14."), "not the one that crate bitcoin brings");
        assert_eq!(locked_version("no-such-package"), "unknown");
    }
}
