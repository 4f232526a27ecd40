//! 4.1, notes 3: operational ratings of damaged ships.

use std::cmp::Ordering;

/// The damage state of a ship.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damage {
    pub dp: u16,
    /// Damage points of the class, at least 1.
    pub class_dp: u16,
}

impl Damage {
    /// Returns the rating times the square root of the share of damage points left, rounded to the
    /// nearest integer, halves up (R7). Uses integers only: the result is the largest n with
    /// (2n-1)² · `class_dp` ≤ 4 · `rating`² · `dp`.
    pub fn operational(self, rating: u16) -> u16 {
        if self.dp >= self.class_dp {
            return rating;
        }
        let (dp, of, rating) = (u64::from(self.dp), u64::from(self.class_dp), u64::from(rating));
        // Rounding down twice the exact value, then halving and rounding up, rounds the exact
        // value.
        let twice = (4 * rating * rating * dp / of).isqrt();
        twice.div_ceil(2) as u16
    }

    /// Compares operational ratings exactly, by cross-multiplication.
    pub fn cmp_rating(self, other: Self) -> Ordering {
        let one = u32::from(self.dp) * u32::from(other.class_dp);
        one.cmp(&(u32::from(other.dp) * u32::from(self.class_dp)))
    }

    /// Returns the operational rating in thousandths, rounded to the nearest, for display.
    pub fn permille(self) -> u16 {
        if self.dp >= self.class_dp {
            return 1000;
        }
        Self { dp: self.dp, class_dp: self.class_dp }.operational(1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operational(rating: u16, dp: u16, class_dp: u16) -> u16 {
        Damage { dp, class_dp }.operational(rating)
    }

    #[test]
    fn situation_7_and_the_table_of_notes_3() {
        let table = [
            (20, 5, 15, 12),
            (4, 5, 15, 2),
            (2, 5, 15, 1),
            (20, 6, 15, 13),
            (4, 6, 15, 3),
            (4, 4, 15, 2),
            (20, 5, 10, 14),
            (35, 10, 40, 18),
            (2, 10, 40, 1),
            (35, 37, 40, 34),
            (2, 2, 10, 1),
            (2, 1, 10, 1),
            (1, 1, 4, 1),
            (1, 1, 5, 0),
            (1, 2, 5, 1),
            (150, 1, 200, 11),
            (3, 1, 4, 2),
            (20, 15, 15, 20),
            (20, 0, 15, 0),
        ];
        for (rating, dp, class_dp, expected) in table {
            assert_eq!(operational(rating, dp, class_dp), expected, "{rating} at {dp}/{class_dp}");
        }
    }

    #[test]
    fn the_integer_form_matches_the_definition() {
        for class_dp in 1..=60_u16 {
            for dp in 0..class_dp {
                for rating in [0, 1, 2, 3, 5, 20, 35, 99, 150, 9999_u16] {
                    let n = u64::from(operational(rating, dp, class_dp));
                    let fits = |n: u64| {
                        n == 0
                            || (2 * n - 1).pow(2) * u64::from(class_dp)
                                <= 4 * u64::from(rating).pow(2) * u64::from(dp)
                    };
                    assert!(fits(n) && !fits(n + 1), "{rating} at {dp}/{class_dp}");
                }
            }
        }
    }

    #[test]
    fn ratings_compare_exactly() {
        let damage = |dp, class_dp| Damage { dp, class_dp };
        assert_eq!(damage(10, 20).cmp_rating(damage(20, 40)), Ordering::Equal);
        assert_eq!(damage(10, 20).cmp_rating(damage(10, 10)), Ordering::Less);
        assert_eq!(damage(5, 15).permille(), 577);
    }
}
