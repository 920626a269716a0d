//! The progress bar on a terminal: rows so far, rate, remaining time. Nothing where standard error is no terminal.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::report::grouped;

/// A bar that follows the bytes read.
pub struct Progress {
    bar: ProgressBar,
    position: Arc<AtomicU64>,
    start: Instant,
}

impl Progress {
    /// For this many bytes in all, where that is known. `position` says how many have been read.
    #[must_use]
    pub fn new(total: Option<u64>, position: Arc<AtomicU64>) -> Self {
        let (bar, template) = match total {
            Some(bytes) => (ProgressBar::new(bytes), "{bar:30} {percent:>3} %  {msg}  {eta} left"),
            None => (ProgressBar::new_spinner(), "{spinner} {msg}  {elapsed}"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, position, start: Instant::now() }
    }

    /// So many rows are through.
    pub fn rows(&self, rows: u64) {
        if self.bar.is_hidden() {
            return;
        }
        let millis = self.start.elapsed().as_millis().max(1);
        let rate = u64::try_from(u128::from(rows) * 1000 / millis).unwrap_or(u64::MAX);
        self.bar.set_message(format!("{} rows  {} a second", grouped(rows), grouped(rate)));
        self.bar.set_position(self.position.load(Ordering::Relaxed));
    }

    /// Writes a line to standard error, above the bar.
    pub fn note(&self, line: &str) {
        // Nobody to tell if standard error is closed.
        self.bar.suspend(|| drop(writeln!(io::stderr(), "windlass: {line}")));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
