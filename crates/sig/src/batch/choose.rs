//! Lanes or a sum, and how a sum is taken apart, as measured: OPTIMIZATIONS.md has the figures.

/// Fewer equations are never summed.
pub(crate) const SUMMED_FROM: usize = summed_from(1);

/// From so many equations on a sum is faster than `lanes` lanes, one by one.
pub(super) const fn summed_from(lanes: usize) -> usize {
    if lanes == 1 { 12 } else { 32 }
}

/// How many of `equations` equations are checked by themselves before the others are summed: some per cent of a good batch's time,
/// against a sum for nothing where most are wrong.
pub(super) fn probed(equations: usize, lanes: usize) -> usize {
    match lanes {
        1 => (equations / 64).min(16),
        _ if equations > 256 => 16,
        _ => 0,
    }
}

/// How many of `equations` equations, whose sum is not O, are summed apart: an eighth, and not less than what a sum is good for.
/// If that is more than half of them, they are checked one by one.
pub(super) fn part(equations: usize, lanes: usize) -> usize {
    (equations / 8).max(if lanes == 1 { 24 } else { 144 })
}
