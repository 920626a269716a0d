//! Order, gzip, several files, bounded memory, interrupts.

use std::io::{Read as _, Write as _};
use std::process::Stdio;

use serde_json::Value;

use crate::process::{Folder, Run, gzip, run, run_command, sample, verify, windlass};

#[test]
fn rows_keep_their_order_whatever_the_threads() {
    let text = sample(&["nostr", "-n", "3000", "--bad", "300"]);
    let (_, one, _) = verify(&["--threads", "1"], text.as_bytes());
    let numbers: Vec<u64> = one.iter().map(|row| row["row"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=3000).collect::<Vec<u64>>());
    for threads in ["2", "3", "16"] {
        let (summary, rows, _) = verify(&["--threads", threads], text.as_bytes());
        assert!(rows == one, "{threads} threads");
        assert_eq!(summary["threads"].to_string(), threads);
    }
}

#[test]
fn the_summary_has_the_fields_that_are_promised() {
    let text = sample(&["ethereum", "-n", "10", "--bad", "5"]);
    let run = run(&["verify", "-", "--json", "-"], text.as_bytes());
    assert_eq!(run.code, 1);
    let summary: Value = serde_json::from_str(&run.out).unwrap();
    let names: Vec<&str> = run.out.split('"').skip(1).step_by(2).filter(|name| !name.is_empty()).collect();
    let want = ["rows", "valid", "invalid", "malformed", "seconds", "rows_per_second", "engine"];
    assert_eq!(names[..7], want);
    assert_eq!(summary.as_object().unwrap().len(), 8);
    assert_eq!((&summary["rows"], &summary["valid"]), (&10.into(), &5.into()));
    assert_eq!((&summary["invalid"], &summary["malformed"]), (&4.into(), &1.into()));
    assert!(summary["seconds"].as_f64().unwrap() > 0.0 && summary["rows_per_second"].as_f64().unwrap() > 0.0);
    assert!(windlass::engine::NAMES.contains(&summary["engine"].as_str().unwrap()));
    // People's summary went to standard error.
    assert!(run.err.contains("10 rows: 5 valid, 4 invalid, 1 malformed"), "{}", run.err);
}

#[test]
fn gzip_is_read_whatever_the_name_and_the_members() {
    let (a, b) = (sample(&["nostr", "-n", "50"]), sample(&["nostr", "-n", "50", "--seed", "2"]));
    let members = [gzip(a.as_bytes()), gzip(b"\n\n"), gzip(&b.as_bytes()[..777]), gzip(&b.as_bytes()[777..])].concat();
    assert_eq!(verify(&[], &members).0["valid"], 100);
    let folder = Folder::new();
    let file = folder.write("events.jsonl", &members);
    assert_eq!(run(&["verify", &file], b"").code, 0);
    for broken in [&members[..members.len() - 9], &members[..members.len() / 2], &members[..3]] {
        let file = folder.write("broken.gz", broken);
        let run = run(&["verify", &file], b"");
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains("broken.gz"), "{run:?}");
    }
    // The rows before the fault are reported.
    let many = gzip(sample(&["nostr", "-n", "3000"]).as_bytes());
    for threads in ["1", "2"] {
        let rows = folder.path("rows");
        let run = run(&["verify", "-", "--threads", threads, "--rows", &rows], &many[..many.len() / 2]);
        assert_eq!(run.code, 2, "{run:?}");
        let rows = std::fs::read_to_string(rows).unwrap().lines().count();
        assert!(rows > 1000 && run.err.contains(&format!("(after {rows} rows)")), "{rows} {run:?}");
    }
    let mut flipped = gzip(a.as_bytes());
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0xff;
    assert_eq!(run(&["verify", "-", "--format", "nostr"], &flipped).code, 2);
}

#[test]
fn several_files_count_from_one_each_and_are_named() {
    let folder = Folder::new();
    let events = folder.write("a.jsonl", sample(&["nostr", "-n", "3"]).as_bytes());
    let records = folder.write("b.csv.gz", &gzip(sample(&["csv", "-n", "2", "--bad", "1"]).as_bytes()));
    let run = run(&["verify", &events, &records, "--rows", "-"], b"");
    assert_eq!(run.code, 1);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let places: Vec<(&str, u64)> =
        rows.iter().map(|row| (row["file"].as_str().unwrap(), row["row"].as_u64().unwrap())).collect();
    let (a, b) = (events.as_str(), records.as_str());
    assert_eq!(places, [(a, 1), (a, 2), (a, 3), (b, 1), (b, 2)]);
    assert!(run.err.contains("b.csv.gz: row "), "{}", run.err);
    assert!(run.err.contains("5 rows: 4 valid, 1 invalid"), "{}", run.err);
}

/// The most memory that a process has had in use, from the system.
#[cfg(target_os = "linux")]
fn peak_bytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_bounded_whatever_comes() {
    let rows = sample(&["nostr", "-n", "2000"]);
    let bomb = ["[".repeat(10_000_000), "\n".to_owned()].concat();
    let event = rows.lines().next().unwrap();
    let long_string = event.replacen("\"content\":\"", &format!("\"content\":\"{}", "\\n".repeat(5_000_000)), 1) + "\n";
    let no_break = "{\"content\":\"".to_owned() + &"x".repeat(40_000_000);
    let short = "x\n".repeat(5_000_000);
    let hex = "02f8".repeat(2_500_000) + "\n";
    for (format, text, times) in [
        ("nostr", rows.as_str(), 5),
        ("nostr", &bomb, 20),
        ("nostr", &long_string, 20),
        ("nostr", &no_break, 5),
        ("nostr", &short, 2),
        ("ethereum", &short, 2),
        ("ethereum", &hex, 20),
    ] {
        let mut child = windlass()
            .args(["verify", "-", "--format", format, "--threads", "2", "--rows", "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        for _ in 0..times {
            pipe.write_all(text.as_bytes()).unwrap();
        }
        // Everything but what fits in the pipe has been read, and the process lives on until the pipe is closed.
        let peak = peak_bytes(child.id());
        drop(pipe);
        let run = Run::from(child.wait_with_output().unwrap());
        assert!(run.code < 2, "{run:?}");
        assert!(peak < 200_000_000, "{peak} bytes for {times} times {}…", &text[..40]);
    }
}

#[test]
fn a_closed_output_is_no_panic() {
    for args in [&["sample", "csv", "-n", "100000"][..], &["verify", "-", "--format", "nostr", "--rows", "-"]] {
        let mut child =
            windlass().args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || drop(pipe.write_all("no event\n".repeat(200_000).as_bytes())));
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0; 10]).unwrap();
        drop(out);
        let run = Run::from(child.wait_with_output().unwrap());
        writer.join().unwrap();
        assert_eq!((run.code, run.err.as_str()), (141, ""));
    }
}

#[test]
#[cfg(unix)]
fn an_interrupt_leaves_a_summary() {
    let mut child = windlass()
        .args(["verify", "-", "--format", "nostr", "--threads", "2", "--rows", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"one\ntwo\n").unwrap();
    // The handler stands before the first row is read; the rows come out when they have been seen.
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let run = Run::from(child.wait_with_output().unwrap());
    drop(pipe);
    assert_eq!(run.code, 130);
    assert!(run.err.contains("interrupted"), "{run:?}");
    assert!(run.err.contains("2 rows: 0 valid, 0 invalid, 2 malformed"), "{run:?}");
    assert_eq!(run.out.lines().count(), 2, "{run:?}");
}

#[test]
fn a_full_disk_is_told() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let text = sample(&["nostr", "-n", "2000"]);
    for flag in ["--rows", "--json"] {
        let run = run_command(windlass().args(["verify", "-", flag, "/dev/full"]), text.as_bytes());
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains("cannot write"), "{run:?}");
    }
}
