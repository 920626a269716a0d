//! What code for many lanes counts with.

use field::ops::MAX_LANES;

/// 0, 1, 2 …: lane l takes row l.
pub(crate) const LANE_NUMBERS: [u32; MAX_LANES] = {
    let mut numbers = [0; MAX_LANES];
    let mut lane = 1;
    while lane < MAX_LANES {
        numbers[lane] = lane as u32;
        lane += 1;
    }
    numbers
};
