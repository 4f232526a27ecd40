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

pub(super) fn percentile<T: Copy>(sorted: &[T], percent: usize) -> Option<T> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((sorted.len() * percent / 100).min(last)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn percentiles_of_sorted_samples() {
        let samples: Vec<u32> = (0..200).collect();
        assert_eq!(percentile(&samples, 99), Some(198));
        assert_eq!(percentile(&samples, 50), Some(100));
        assert_eq!(percentile(&samples[..1], 99), Some(0));
        assert_eq!(percentile::<u32>(&[], 99), None);
    }
}
