//! Medians over rounds and ratios of medians, with their 95 % bootstrap intervals.
//!
//! The percentile bootstrap (Efron 1979): rounds are drawn with replacement, the same draw for both sides of a ratio since a
//! round measured both under the same conditions; the figure is taken of each draw; the interval is the middle 95 % of those.

use crate::random::Random;

const RESAMPLES: usize = 2000;
/// Of the draws, the same at every run.
pub(crate) const SEED: u64 = 0x5eed;

/// A figure with its interval.
pub(crate) struct Figure {
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

/// The figure that `of` makes of `rounds` rounds, with the middle 95 % of what it makes of as many drawn ones.
fn bootstrap(rounds: usize, mut of: impl FnMut(&[usize]) -> f64) -> Figure {
    let mut random = Random::new(SEED);
    let mut drawn: Vec<usize> = (0..rounds).collect();
    let value = of(&drawn);
    let mut figures: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            drawn.iter_mut().for_each(|round| *round = random.below(rounds));
            of(&drawn)
        })
        .collect();
    figures.sort_unstable_by(f64::total_cmp);
    Figure { value, low: figures[RESAMPLES / 40], high: figures[RESAMPLES - 1 - RESAMPLES / 40] }
}

/// The median of one figure a round.
pub(crate) fn time(figures: &[f64]) -> Figure {
    let mut drawn = vec![0.0; figures.len()];
    bootstrap(figures.len(), |rounds| {
        drawn.iter_mut().zip(rounds).for_each(|(drawn, &round)| *drawn = figures[round]);
        median_in_place(&mut drawn)
    })
}

/// peer ÷ ours, which hold one figure a round, of the same rounds.
pub(crate) fn ratio(ours: &[f64], peer: &[f64]) -> Figure {
    let rounds = ours.len().min(peer.len());
    let (mut drawn_ours, mut drawn_peer) = (vec![0.0; rounds], vec![0.0; rounds]);
    bootstrap(rounds, |drawn| {
        for (i, &round) in drawn.iter().enumerate() {
            drawn_ours[i] = ours[round];
            drawn_peer[i] = peer[round];
        }
        median_in_place(&mut drawn_peer) / median_in_place(&mut drawn_ours)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_the_middle_or_the_mean_of_both_middles() {
        assert_eq!(time(&[3.0, 1.0, 2.0]).value, 2.0);
        assert_eq!(time(&[4.0, 1.0, 2.0, 3.0]).value, 2.5);
    }

    #[test]
    fn the_interval_holds_the_ratio_and_is_tight_without_noise() {
        let noisy = ratio(&[1.0, 1.1, 0.9, 1.0, 1.05], &[2.0, 2.4, 1.8, 2.1, 1.9]);
        assert!(noisy.low <= noisy.value && noisy.value <= noisy.high && noisy.low < noisy.high);
        let exact = ratio(&[2.0; 9], &[3.0; 9]);
        assert_eq!((exact.value, exact.low, exact.high), (1.5, 1.5, 1.5));
    }
}
