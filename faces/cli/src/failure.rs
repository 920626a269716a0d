//! What stops a command: unreadable input or bad usage, exit code 2.

use std::fmt;
use std::io;

/// A message for the user; the program ends with exit code 2.
#[derive(Debug)]
pub struct Failure {
    message: String,
    quiet: bool,
}

impl Failure {
    /// Stops with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), quiet: false }
    }

    /// Writing to standard output or to a file went wrong. Where the reader of a pipe went away there is nobody
    /// to tell: the program ends without a message.
    #[must_use]
    pub fn writing(what: &str, error: &io::Error) -> Self {
        Self { message: format!("cannot write {what}: {error}"), quiet: error.kind() == io::ErrorKind::BrokenPipe }
    }

    /// Did the reader of our output go away?
    #[must_use]
    pub fn is_broken_pipe(&self) -> bool {
        self.quiet
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
