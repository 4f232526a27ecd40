//! The exponential function of the cost tables (4.2). The function uses only additions,
//! multiplications and divisions, which give the same bits on every machine. The `exp` of a
//! platform may differ.

const E: f64 = std::f64::consts::E;

/// Returns e to the power of `x`, for `0 <= x <= 700`.
pub(crate) fn exp(x: f64) -> f64 {
    debug_assert!((0.0..=700.0).contains(&x));
    let whole = x.floor();
    let part = x - whole;
    // Taylor series of e^part for part < 1. The last term is below the precision of `f64`.
    let mut sum = 1.0;
    for n in (1..=22).rev() {
        sum = 1.0 + part / f64::from(n) * sum;
    }
    let mut power = 1.0;
    for _ in 0..whole as u32 {
        power *= E;
    }
    power * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_agrees_with_the_platform() {
        for step in 0..1400 {
            let x = f64::from(step) / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-13, "{x}");
        }
    }
}
