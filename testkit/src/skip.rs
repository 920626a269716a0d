//! The one way in which a test says that it could not run here: it prints a line, and appends it to the file that the
//! environment variable `WINDLASS_SKIPS` names, so that `cargo xtask test` can count skips by name.
//!
//! A line is `test<TAB>kind<TAB>detail`.

use std::io::Write as _;

/// The environment variable that names the file which collects skips.
pub const FILE_VARIABLE: &str = "WINDLASS_SKIPS";

/// What the machine lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing<'a> {
    /// A file of the vectors' folder.
    Vectors(&'a str),
    /// The CPU features of an engine.
    Engine(&'a str),
}

/// Records that `test` does not run for want of `missing`. The caller returns.
pub fn skip(test: &str, missing: Missing<'_>) {
    let (kind, detail) = match missing {
        Missing::Vectors(file) => ("vectors", file),
        Missing::Engine(name) => ("engine", name),
    };
    println!("skipped: {test}: no {kind} {detail}");
    if let Ok(path) = std::env::var(FILE_VARIABLE) {
        // One write of a short line to a file opened for appending: lines of parallel tests do not mix.
        let mut file =
            std::fs::OpenOptions::new().create(true).append(true).open(path).expect("the file of skips opens");
        file.write_all(format!("{test}\t{kind}\t{detail}\n").as_bytes()).expect("the file of skips is writable");
    }
}

/// The path of the test in which it stands, as `skip` and the vectors' loaders want it.
#[macro_export]
macro_rules! test_name {
    () => {{
        fn here() {}
        fn name_of<T>(_: T) -> &'static str {
            core::any::type_name::<T>()
        }
        name_of(here).trim_end_matches("::here")
    }};
}
