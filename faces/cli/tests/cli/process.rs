//! Running the program, and a folder for its files.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program, on the engine that the tests run on.
pub(crate) fn windlass() -> Command {
    Command::new(env!("CARGO_BIN_EXE_windlass"))
}

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
        let run = Run {
            code: output.status.code().expect("an exit code"),
            out: text(output.stdout),
            err: text(output.stderr),
        };
        assert!(!run.err.contains("panicked"), "{run:?}");
        run
    }
}

/// Runs it with these arguments and this standard input.
pub(crate) fn run(args: &[&str], stdin: &[u8]) -> Run {
    run_command(windlass().args(args), stdin)
}

pub(crate) fn run_command(command: &mut Command, stdin: &[u8]) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let text = stdin.to_vec();
    // It may end without reading everything.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&text)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("written");
    output.into()
}

/// Verifies standard input; the summary, the rows and the exit code.
pub(crate) fn verify(args: &[&str], stdin: &[u8]) -> (Value, Vec<Value>, i32) {
    let folder = Folder::new();
    let (rows, json) = (folder.path("rows"), folder.path("json"));
    let all = [&["verify", "-", "--rows", &rows, "--json", &json], args].concat();
    let run = run(&all, stdin);
    assert!(run.code < 2, "{run:?}");
    let summary = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    let rows = std::fs::read_to_string(rows).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (summary, rows, run.code)
}

/// The verdicts and reasons of rows.
pub(crate) fn verdicts(rows: &[Value]) -> Vec<(&str, &str)> {
    rows.iter().map(|row| (row["verdict"].as_str().unwrap(), row["reason"].as_str().unwrap_or(""))).collect()
}

/// A folder of its own for a test, which goes with it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        use std::sync::atomic::{AtomicU32, Ordering};
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> String {
        std::fs::write(self.0.join(name), bytes).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Sample rows.
pub(crate) fn sample(args: &[&str]) -> String {
    let run = run(&[&["sample"], args].concat(), b"");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    run.out
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
