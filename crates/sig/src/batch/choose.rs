//! Lanes or a sum, and how a sum is taken apart, as measured.

/// Equations that are checked by themselves before [`PROBED_FROM`] or more are summed.
pub(super) const PROBED: usize = 16;
/// From so many equations on, that costs less than it saves where most are wrong.
pub(super) const PROBED_FROM: usize = 257;

/// From so many equations on a sum is faster than `lanes` lanes, one by one.
pub(super) const fn summed_from(lanes: usize) -> usize {
    if lanes == 1 { 4 } else { 48 }
}

/// How many of `equations` equations, whose sum is not O, are summed apart: an eighth, and not less than what a sum is good for.
/// If that is more than half of them, they are checked one by one.
pub(super) fn part(equations: usize, lanes: usize) -> usize {
    (equations / 8).max(if lanes == 1 { 24 } else { 64 })
}
