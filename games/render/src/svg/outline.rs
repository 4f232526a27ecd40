//! Outlines that are drawn at many places of a picture.

use std::fmt::Write as _;

use super::Length;

/// A closed outline. Its path after the first corner is the same for all places.
#[derive(Clone, Debug)]
pub struct Outline {
    first: (f64, f64),
    rest: String,
}

impl Outline {
    pub fn new(corners: &[(f64, f64)]) -> Self {
        debug_assert!(corners.len() > 2, "an outline encloses something");
        let mut rest = String::new();
        for pair in corners.windows(2) {
            let step = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let _ = write!(rest, "l{} {}", Length(step.0), Length(step.1));
        }
        rest.push('z');
        Self { first: corners.first().copied().unwrap_or_default(), rest }
    }

    pub(super) fn write(&self, (x, y): (f64, f64), out: &mut String) {
        debug_assert!(x.is_finite() && y.is_finite(), "an outline is somewhere");
        let (x, y) = (Length(x + self.first.0), Length(y + self.first.1));
        let _ = write!(out, "M{x} {y}{}", self.rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_goes_from_corner_to_corner() {
        let outline = Outline::new(&[(4.0, 0.0), (0.0, 3.0), (-4.5, 0.0)]);
        let mut out = String::new();
        outline.write((100.0, 50.0), &mut out);
        assert_eq!(out, "M104 50l-4 3l-4.5 -3z");
    }
}
