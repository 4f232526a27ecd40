//! Means and their confidence intervals.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::json;

/// A mean with its 95% confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub mean: f64,
    /// Half the width of the interval. Infinite with fewer than two samples.
    pub margin: f64,
}

impl Estimate {
    /// Estimates the mean from independent samples, using Student's t-distribution.
    pub fn of(samples: &[f64]) -> Self {
        let count = samples.len() as f64;
        if samples.len() < 2 {
            return Self { mean: samples.first().copied().unwrap_or(0.0), margin: f64::INFINITY };
        }
        let mean = samples.iter().sum::<f64>() / count;
        let squares: f64 = samples.iter().map(|sample| (sample - mean) * (sample - mean)).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        Self { mean, margin: student_975(count - 1.0) * error }
    }

    pub fn low(self) -> f64 {
        self.mean - self.margin
    }

    pub fn high(self) -> f64 {
        self.mean + self.margin
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ± {:.3}", self.mean, self.margin)
    }
}

impl Serialize for Estimate {
    /// Writes infinite limits as null, because JSON has no infinity.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        json!({ "mean": self.mean, "low": self.low(), "high": self.high() }).serialize(to)
    }
}

/// Returns the 97.5% quantile of Student's distribution. The error is at most 2% for 4 or more
/// degrees of freedom.
fn student_975(degrees: f64) -> f64 {
    let z = 1.959_964_f64;
    let (z3, z5) = (z * z * z, z * z * z * z * z);
    let first = (z3 + z) / 4.0;
    let second = (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0;
    z + first / degrees + second / (degrees * degrees)
}

/// A sequential test of whether the mean of samples is above 0, in standard deviations of a sample:
/// "the effect is 0" against "the effect is at least [`effect`](Self::effect)". Both hypotheses are
/// wrongly accepted in at most 5% of tests.
///
/// This is the generalized sequential probability ratio test for normal samples of unknown
/// variance. It needs no unit, so the same test fits the scores of every game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub effect: f64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Better,
    NotBetter,
    Undecided,
}

impl Sprt {
    /// The logarithm of (1 - 5%) / 5%, for errors of 5% of both kinds.
    pub const BOUND: f64 = 2.944_439;

    /// Returns the logarithm of the ratio of the likelihoods of both hypotheses, each with the
    /// standard deviation that fits it best.
    pub fn ratio(self, samples: &[f64]) -> f64 {
        let count = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / count.max(1.0);
        let square = samples.iter().map(|sample| sample * sample).sum::<f64>() / count.max(1.0);
        if square <= 0.0 {
            return 0.0;
        }
        // The deviation s maximizes -ln s - square / 2s² + effect * mean / s - effect² / 2.
        let likelihood = |effect: f64| {
            let product = effect * mean;
            let deviation = (product * product / 4.0 + square).sqrt() - product / 2.0;
            let fit = square / (2.0 * deviation * deviation) - product / deviation;
            -deviation.ln() - fit - effect * effect / 2.0
        };
        count * (likelihood(self.effect) - likelihood(0.0))
    }

    pub fn verdict(self, samples: &[f64]) -> Verdict {
        match self.ratio(samples) {
            ratio if ratio >= Self::BOUND => Verdict::Better,
            ratio if ratio <= -Self::BOUND => Verdict::NotBetter,
            _ => Verdict::Undecided,
        }
    }

    /// Returns the number of samples after which the test is decided, if it is.
    pub(super) fn decided(self, samples: &[f64]) -> Option<usize> {
        (1..=samples.len()).find(|&count| self.verdict(&samples[..count]) != Verdict::Undecided)
    }
}

pub(super) fn percentile<T: Copy>(sorted: &[T], percent: usize) -> Option<T> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((sorted.len() * percent / 100).min(last)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Rng;

    #[test]
    fn intervals_use_students_distribution() {
        // Standard deviation sqrt(2.5), 4 degrees of freedom: t = 2.776.
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!((estimate.mean - 3.0).abs() < 1e-12);
        assert!((estimate.margin - 2.776 * (2.5_f64 / 5.0).sqrt()).abs() < 0.05, "{estimate:?}");
        assert!(estimate.low() < 3.0 && estimate.high() > 3.0);
    }

    #[test]
    fn one_sample_has_an_infinite_margin() {
        assert!(Estimate::of(&[0.5]).margin.is_infinite());
        assert!(Estimate::of(&[]).margin.is_infinite());
    }

    #[test]
    fn quantiles_of_student() {
        for (degrees, quantile) in [(5.0, 2.571), (10.0, 2.228), (30.0, 2.042), (199.0, 1.972)] {
            assert!((student_975(degrees) / quantile - 1.0).abs() < 0.01, "{degrees}");
        }
    }

    /// Returns numbers with this mean and a standard deviation of 1.
    fn normal(mean: f64, purpose: &str) -> impl Iterator<Item = f64> {
        let mut chance = Rng::new(b"normal", purpose);
        std::iter::from_fn(move || {
            let uniform = |number: u64| (number >> 11) as f64 / (1_u64 << 53) as f64;
            let sum: f64 = (0..12).map(|_| uniform(chance.number())).sum();
            Some(sum - 6.0 + mean)
        })
    }

    #[test]
    fn both_errors_of_the_sequential_test_are_at_most_5_percent() {
        let sprt = Sprt { effect: 0.5 };
        for (mean, wrong) in [(0.0, Verdict::Better), (0.5, Verdict::NotBetter)] {
            let (mut errors, mut needed) = (0, 0);
            for number in 0..400 {
                let samples: Vec<f64> = normal(mean, &number.to_string()).take(400).collect();
                let count = sprt.decided(&samples).expect("400 samples decide");
                errors += u32::from(sprt.verdict(&samples[..count]) == wrong);
                needed += count;
            }
            // 5% of 400, and two standard deviations.
            assert!(errors <= 29, "{errors} of 400 tests with mean {mean} are wrong");
            assert!((6_000..16_000).contains(&needed), "{needed} samples");
        }
    }

    #[test]
    fn the_sequential_test_has_no_unit_and_needs_several_samples() {
        let sprt = Sprt { effect: 0.5 };
        let samples = [1.0, 2.5, -0.5, 3.0];
        let ratio = sprt.ratio(&samples);
        assert!((sprt.ratio(&samples.map(|sample| 40.0 * sample)) - ratio).abs() < 1e-9);
        assert_eq!(sprt.decided(&[1.0; 20]), Some(7), "equal samples");
        assert_eq!(sprt.verdict(&[]), Verdict::Undecided);
        assert_eq!(sprt.decided(&[0.0; 200]), None, "samples that say nothing");
        assert_eq!(sprt.verdict(&[-1.0; 7]), Verdict::NotBetter);
    }

    #[test]
    fn percentiles_of_sorted_samples() {
        let samples: Vec<u32> = (0..200).collect();
        assert_eq!(percentile(&samples, 99), Some(198));
        assert_eq!(percentile(&samples, 50), Some(100));
        assert_eq!(percentile(&samples[..1], 99), Some(0));
        assert_eq!(percentile::<u32>(&[], 99), None);
    }
}
