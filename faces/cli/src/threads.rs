//! How many threads a command works with.

use std::num::NonZeroUsize;

const MAX_THREADS: usize = 1024;

/// The value of a `--threads`.
pub fn parse(text: &str) -> Result<NonZeroUsize, String> {
    let threads: NonZeroUsize = text.parse().map_err(|_| format!("a number from 1 to {MAX_THREADS}"))?;
    if threads.get() > MAX_THREADS { Err(format!("a number from 1 to {MAX_THREADS}")) } else { Ok(threads) }
}

/// One a core.
#[must_use]
pub fn one_a_core() -> NonZeroUsize {
    let most = NonZeroUsize::MIN.saturating_add(MAX_THREADS - 1);
    std::thread::available_parallelism().map_or(NonZeroUsize::MIN, |cores| cores.min(most))
}
