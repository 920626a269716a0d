//! Lanes or a sum, and how a sum is taken apart, as measured: OPTIMIZATIONS.md has the figures.

/// Fewer equations are never summed.
pub(crate) const SUMMED_FROM: usize = summed_from(1);

/// From so many equations on a sum is faster than `lanes` lanes, one by one.
pub(super) const fn summed_from(lanes: usize) -> usize {
    if lanes == 1 { 12 } else { 32 }
}

/// How many equations are checked by themselves at most.
const MOST_PROBED: usize = 16;

/// How many of `equations` equations are checked by themselves before the others are summed: some per cent of a good batch's time,
/// against a sum for nothing where most are wrong.
pub(super) fn probed(equations: usize, lanes: usize) -> usize {
    match lanes {
        1 => (equations / 64).min(MOST_PROBED),
        _ if equations > 256 => MOST_PROBED,
        _ => 0,
    }
}

/// The fewest equations for which a part's sum is good.
const fn least_part(lanes: usize) -> usize {
    if lanes == 1 { 24 } else { 144 }
}

/// How many of `equations` equations, whose sum is not O, are summed apart: an eighth, and not less than what a sum is good for.
/// `None` if that is more than half of them: they are checked one by one.
pub(super) fn part(equations: usize, lanes: usize) -> Option<usize> {
    let part = (equations / 8).max(least_part(lanes));
    (equations >= 2 * part).then_some(part)
}

/// How so many equations under so many keys are worked on, without the numbers that change all the time: whether they are
/// summed and by which method, whether some are checked before, how deep a sum is taken apart, and whether by eighths. Tests plant
/// faults where this changes.
pub(super) fn plan(equations: usize, keys: usize, lanes: usize) -> [usize; 6] {
    let probed = probed(equations, lanes);
    let parts = core::iter::successors(part(equations, lanes), |size| part(*size, lanes));
    // Two words a weight, and four a key's factor; G's are a key's.
    let words = 2 * equations + 4 * (keys + 1);
    [
        usize::from(equations >= summed_from(lanes)),
        msm::vartime::method(lanes, words, 2),
        probed.min(1),
        probed / MOST_PROBED,
        parts.count(),
        usize::from(part(equations, lanes) > Some(least_part(lanes))),
    ]
}
