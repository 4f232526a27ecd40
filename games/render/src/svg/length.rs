//! Formats lengths in SVG.

use std::fmt;

/// A length, formatted with one decimal at most. Integers are formatted several times faster than
/// with `{:.1}`, and large pictures consist mostly of lengths.
#[derive(Clone, Copy, Debug)]
pub struct Length(pub f64);

impl fmt::Display for Length {
    #[expect(clippy::cast_possible_truncation, reason = "no picture is so large")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        if tenths < 0 {
            f.write_str("-")?;
        }
        write!(f, "{}", tenths.unsigned_abs() / 10)?;
        match tenths.unsigned_abs() % 10 {
            0 => Ok(()),
            tenth => write!(f, ".{tenth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_formatted_minimally() {
        for (length, text) in [
            (0.0, "0"),
            (-0.04, "0"),
            (0.06, "0.1"),
            (-0.06, "-0.1"),
            (12.0, "12"),
            (99.96, "100"),
            (-1234.56, "-1234.6"),
            (10_203.4, "10203.4"),
        ] {
            assert_eq!(Length(length).to_string(), text);
        }
    }
}
