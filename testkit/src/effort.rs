//! How many cases a test tries: fewer on an emulated CPU.

/// The environment variable that scales the counts of heavy tests, in percent.
pub const PERCENT_VARIABLE: &str = "WINDLASS_TEST_PERCENT";

/// One in how many of a list of cases that is always the same is tried: 1 where `WINDLASS_TEST_PERCENT` is 100 or not set.
pub fn one_in() -> usize {
    (100 / percent()).max(1)
}

/// `count` scaled by `WINDLASS_TEST_PERCENT`, 1 at least.
pub fn cases(count: usize) -> usize {
    (count * percent() / 100).max(1)
}

fn percent() -> usize {
    let percent = std::env::var(PERCENT_VARIABLE).ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    percent.max(1)
}
