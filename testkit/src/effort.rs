//! How many cases a test tries: fewer on an emulated CPU.

/// The environment variable that scales the counts of heavy tests, in percent.
pub const PERCENT_VARIABLE: &str = "WINDLASS_TEST_PERCENT";

/// `count` scaled by `WINDLASS_TEST_PERCENT`, 1 at least.
pub fn cases(count: usize) -> usize {
    let percent = std::env::var(PERCENT_VARIABLE).ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    (count * percent / 100).max(1)
}
