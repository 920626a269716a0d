//! How many cases a test tries: fewer on an emulated CPU, all where someone asks for them.

/// The environment variable that scales the counts of heavy tests, in percent; `full` leaves the counts as they are and leaves
/// nothing out where a usual run tries a part of a product.
pub const PERCENT_VARIABLE: &str = "WINDLASS_TEST_PERCENT";

/// The variable's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    Percent(usize),
    Full,
}

/// One in how many of a list of cases that is always the same is tried: 1 where `WINDLASS_TEST_PERCENT` is 100 or not set.
pub fn one_in() -> usize {
    one_in_of_usual(1)
}

/// One in how many is tried of a list of which a usual run tries one in `usual`.
pub fn one_in_of_usual(usual: usize) -> usize {
    match effort() {
        Effort::Percent(percent) => (usual.max(1) * 100 / percent).max(1),
        Effort::Full => 1,
    }
}

/// Is nothing to be left out?
pub fn is_full() -> bool {
    effort() == Effort::Full
}

/// `count` scaled by `WINDLASS_TEST_PERCENT`, 1 at least.
pub fn cases(count: usize) -> usize {
    match effort() {
        Effort::Percent(percent) => (count * percent / 100).max(1),
        Effort::Full => count,
    }
}

fn effort() -> Effort {
    match std::env::var(PERCENT_VARIABLE) {
        Ok(text) if text == "full" => Effort::Full,
        Ok(text) => Effort::Percent(text.parse().unwrap_or(100).max(1)),
        Err(_) => Effort::Percent(100),
    }
}
