//! Medians over rounds, and the 95 % bootstrap interval of a ratio of medians.
//!
//! The percentile bootstrap (Efron 1979): rounds are drawn with replacement, the same draw for both sides since a round
//! measured both under the same conditions; the ratio is taken of the medians of each draw; the interval is the middle
//! 95 % of those ratios.

use crate::random::Random;

const RESAMPLES: usize = 2000;
const SEED: u64 = 0x5eed;

/// peer ÷ ours with its interval.
pub(crate) struct Ratio {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Reorders `values`. NaN where there is none.
fn median_in_place(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

pub(crate) fn median(values: &[f64]) -> f64 {
    median_in_place(&mut values.to_vec())
}

/// `ours` and `peer` hold one figure a round, of the same rounds.
pub(crate) fn ratio(ours: &[f64], peer: &[f64]) -> Ratio {
    let rounds = ours.len().min(peer.len());
    let mut random = Random::new(SEED);
    let (mut drawn_ours, mut drawn_peer) = (vec![0.0; rounds], vec![0.0; rounds]);
    let mut ratios: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            for i in 0..rounds {
                let round = random.below(rounds);
                drawn_ours[i] = ours[round];
                drawn_peer[i] = peer[round];
            }
            median_in_place(&mut drawn_peer) / median_in_place(&mut drawn_ours)
        })
        .collect();
    ratios.sort_unstable_by(f64::total_cmp);
    Ratio {
        value: median(peer) / median(ours),
        low: ratios[RESAMPLES / 40],
        high: ratios[RESAMPLES - 1 - RESAMPLES / 40],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_the_middle_or_the_mean_of_both_middles() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn the_interval_holds_the_ratio_and_is_tight_without_noise() {
        let noisy = ratio(&[1.0, 1.1, 0.9, 1.0, 1.05], &[2.0, 2.4, 1.8, 2.1, 1.9]);
        assert!(noisy.low <= noisy.value && noisy.value <= noisy.high && noisy.low < noisy.high);
        let exact = ratio(&[2.0; 9], &[3.0; 9]);
        assert_eq!((exact.value, exact.low, exact.high), (1.5, 1.5, 1.5));
    }
}
