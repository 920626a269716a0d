//! Bad usage and unreadable input: exit code 2 and a message that says what and where.

use crate::process::{Folder, run, run_command, sample, windlass};

fn fails(args: &[&str], stdin: &[u8], says: &str) {
    let run = run(args, stdin);
    assert_eq!(run.code, 2, "{args:?}: {run:?}");
    assert!(run.err.contains(says), "{args:?}: {run:?}");
}

#[test]
fn unreadable_input_is_named() {
    let folder = Folder::new();
    let good = folder.write("good.jsonl", sample(&["nostr", "-n", "2"]).as_bytes());
    let missing = folder.path("missing.jsonl");
    fails(&["verify", &missing], b"", "missing.jsonl");
    // Before any work, and before an output is written over.
    let rows = folder.write("rows", b"precious");
    fails(&["verify", &good, &missing, "--rows", &rows], b"", "missing.jsonl");
    assert_eq!(std::fs::read(&rows).unwrap(), b"precious");
    fails(&["verify", &folder.path("")], b"", "is a directory");
    fails(&["verify", "-", "-"], b"", "twice");
    fails(&["verify", &good, "--rows", &good], b"", "overwrite the input");
    fails(&["verify", &good, "--json", &good], b"", "overwrite the input");
    fails(&["verify", &good, "--json", "-", "--rows", "-"], b"", "same output");
    fails(&["verify", &good, "--json", &folder.path("no/where")], b"", "no/where");
    // Said before the rows are looked at, not after.
    assert_eq!(run(&["verify", &good, "--json", &folder.path("no/where")], b"").out, "");
    fails(&["verify", &good, "--rows", &folder.path("no/where")], b"", "no/where");
}

/// A file by another name is the same file: nothing is lost where an output is the input or another output.
#[test]
fn one_file_by_two_names() {
    let folder = Folder::new();
    let rows = sample(&["nostr", "-n", "2"]);
    let good = folder.write("good.jsonl", rows.as_bytes());
    std::fs::create_dir(folder.path("below")).unwrap();
    let mut names = vec![folder.path("./good.jsonl"), folder.path("below/../good.jsonl")];
    if cfg!(unix) {
        names.push(folder.path("hard.jsonl"));
        std::fs::hard_link(&good, folder.path("hard.jsonl")).unwrap();
    }
    for name in &names {
        fails(&["verify", &good, "--rows", name], b"", "overwrite the input");
        fails(&["verify", &good, "--json", name], b"", "overwrite the input");
        fails(&["verify", name, "--rows", &good], b"", "overwrite the input");
    }
    assert_eq!(std::fs::read(&good).unwrap(), rows.as_bytes());
    // Whether it is there already or not.
    for _ in 0..2 {
        let (new, same) = (folder.path("new"), folder.path("below/../new"));
        fails(&["verify", &good, "--rows", &new, "--json", &same], b"", "same output");
        std::fs::write(new, b"old").unwrap();
    }
}

/// Standard input is a file too.
#[cfg(unix)]
#[test]
fn standard_input_is_not_overwritten() {
    let folder = Folder::new();
    let rows = sample(&["nostr", "-n", "2"]);
    let good = folder.write("good.jsonl", rows.as_bytes());
    let mut command = windlass();
    command.args(["verify", "-", "--rows", &good]).stdin(std::fs::File::open(&good).unwrap());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read(&good).unwrap(), rows.as_bytes());
}

#[test]
fn a_format_that_nothing_tells_must_be_said() {
    fails(&["verify", "-"], b"hello\nworld\n", "--format");
    fails(&["verify", "-"], b"\xff\xff\xff", "--format");
    let folder = Folder::new();
    // Before an output is written over, whichever of the files it is.
    let (good, dark) = (folder.write("good", sample(&["nostr", "-n", "2"]).as_bytes()), folder.write("dark", b"hello"));
    let (headless, flags) = (folder.write("x.csv", b"a,b,c\n"), ["--column", "digest=x"]);
    let (rows, json) = (folder.write("rows", b"precious"), folder.write("json", b"too"));
    let outputs = ["--rows", &rows, "--json", &json];
    for (files, stdin, says) in [
        (&["-"][..], &b"hello"[..], "--format"),
        (&["-"], b"\xff,\xff", "--format"),
        (&[&dark], b"", "--format"),
        (&[&good, &dark], b"", "--format"),
        (&[&good, &headless], b"", "neither"),
        (&[&good, flags[0], flags[1]], b"", "is for csv"),
        (&["-", "--format", "csv"], b"a,b\n", "neither"),
    ] {
        fails(&[&["verify"], files, &outputs].concat(), stdin, says);
        assert_eq!(std::fs::read(&rows).unwrap(), b"precious", "{files:?}");
        assert_eq!(std::fs::read(&json).unwrap(), b"too", "{files:?}");
    }
    let new = folder.path("new");
    fails(&["verify", "-", "--rows", &new], b"hello", "--format");
    assert!(!std::path::Path::new(&new).exists());
    // The name tells where the rows don't.
    for (name, format) in [("x.jsonl", "nostr"), ("x.ndjson", "nostr")] {
        let file = folder.write(name, b"hello\nworld");
        let run = run(&["verify", &file], b"");
        assert_eq!(run.code, 1, "{name} {format}: {run:?}");
        assert!(run.out.contains("2 malformed"), "{run:?}");
    }
    // A broken first row doesn't hide the format.
    let text = sample(&["ethereum", "-n", "2"]);
    let run = run(&["verify", "-"], format!("hello\n{text}").as_bytes());
    assert!(run.out.contains("3 rows: 2 valid, 0 invalid, 1 malformed"), "{run:?}");
}

#[test]
fn flags_that_mean_nothing_are_refused() {
    let (events, records) = (sample(&["nostr", "-n", "1"]), sample(&["csv", "-n", "1"]));
    for args in [
        &["--column", "digest=x"][..],
        &["--scheme", "ecdsa-secp256k1"],
        &["--encoding", "der"],
        &["--allow-hybrid"],
        &["--allow-high-s"],
    ] {
        fails(&[&["verify", "-"], args].concat(), events.as_bytes(), "is for");
        fails(&[&["verify", "-", "--format", "nostr"], args].concat(), events.as_bytes(), "is for");
    }
    let schnorr = ["verify", "-", "--scheme", "schnorr-secp256k1"];
    for (args, says) in [
        (&["--encoding", "der"][..], "64 bytes"),
        (&["--encoding", "der-lax"], "64 bytes"),
        (&["--allow-high-s"], "ECDSA"),
        (&["--allow-hybrid"], "ECDSA"),
    ] {
        fails(&[&schnorr, args].concat(), records.as_bytes(), says);
    }
    for args in [
        &["verify"][..],
        &["verify", "-", "--threads", "0"],
        &["verify", "-", "--threads", "100000"],
        &["verify", "-", "--format", "xml"],
        &["verify", "-", "--column", "key=x"],
        &["verify", "-", "--encoding", "guess"],
        &["frobnicate"],
        &[],
        &["sample", "nostr"],
        &["sample", "nostr", "-n", "x"],
    ] {
        assert_eq!(run(args, b"").code, 2, "{args:?}");
    }
}

#[test]
fn a_header_must_have_the_columns() {
    fails(&["verify", "-", "--format", "csv"], b"a,b,c\n1,2,3\n", "`digest` nor `message`");
    fails(&["verify", "-"], b"pubkey,sig,digest\n1,2,3\n", "--column signature=HEADER");
    fails(&["verify", "-", "--column", "signature=nope"], b"pubkey,sig,digest\n1,2,3\n", "nope");
    fails(&["verify", "-"], b"pubkey,signature,digest,message\n", "choose");
    fails(&["verify", "-", "--format", "csv"], b"\xff\xfe,b\n", "not UTF-8");
    fails(&["verify", "-", "--format", "csv"], b"\"pubkey,signature,digest\n", "can't be read");
}

#[test]
fn the_engine_of_the_environment_must_exist() {
    for command in [&["engines"][..], &["verify", "-"], &["selftest"]] {
        let run = run_command(windlass().args(command).env("WINDLASS_ENGINE", "steam"), b"");
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains("steam") && run.err.contains("portable"), "{run:?}");
    }
    for engine in windlass::engine::available() {
        let run = run_command(windlass().arg("engines").env("WINDLASS_ENGINE", engine), b"");
        assert_eq!(run.code, 0);
        let line = run.out.lines().find(|line| line.starts_with(engine)).unwrap();
        assert!(line.ends_with("in use"), "{run:?}");
        let text = sample(&["nostr", "-n", "5"]);
        let run = run_command(windlass().args(["verify", "-"]).env("WINDLASS_ENGINE", engine), text.as_bytes());
        assert!(run.out.contains(&format!("engine {engine}")), "{run:?}");
    }
}

#[test]
fn every_command_explains_itself_with_an_example() {
    for command in [
        &[][..],
        &["verify"],
        &["sample"],
        &["engines"],
        &["selftest"],
        &["key"],
        &["key", "new"],
        &["key", "public"],
        &["key", "inspect"],
        &["sign"],
        &["recover"],
        &["derive"],
        &["derive", "bip32"],
        &["derive", "taproot"],
    ] {
        let run = run(&[command, &["--help"]].concat(), b"");
        assert_eq!(run.code, 0);
        assert!(run.out.contains("Example"), "{command:?}: {}", run.out);
        assert!(run.out.lines().all(|line| line.chars().count() <= 125), "{command:?}: {}", run.out);
    }
    assert!(run(&["--version"], b"").out.starts_with("windlass 0."));
}
