//! Formats lengths in SVG.

use std::fmt;

/// A length, formatted with one decimal at most, several times faster than with `{:.1}`. Large
/// pictures consist mostly of lengths.
#[derive(Clone, Copy, Debug)]
pub struct Length(pub f64);

const DIGITS: usize = 24;

impl Length {
    #[expect(clippy::cast_possible_truncation, reason = "no picture is so large")]
    fn write(self, digits: &mut [u8; DIGITS]) -> &str {
        let tenths = (self.0 * 10.0).round() as i64;
        let mut at = digits.len();
        let mut put = |digit: u8| {
            at -= 1;
            digits[at] = digit;
        };
        let (mut whole, tenth) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
        if tenth > 0 {
            put(digit(tenth));
            put(b'.');
        }
        loop {
            put(digit(whole % 10));
            whole /= 10;
            if whole == 0 {
                break;
            }
        }
        if tenths < 0 {
            put(b'-');
        }
        std::str::from_utf8(&digits[at..]).unwrap_or_default()
    }

    pub(super) fn push(self, out: &mut String) {
        out.push_str(self.write(&mut [0; DIGITS]));
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.write(&mut [0; DIGITS]))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "it is less than ten")]
fn digit(number: u64) -> u8 {
    b'0' + number as u8
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
