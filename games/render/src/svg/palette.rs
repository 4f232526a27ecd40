//! The themes and their colors.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use heliopause_kernel::Seat;

use super::Tint;

/// The colors: one per line, with a column for each theme.
const COLORS: &str = include_str!("palette.txt");

heliopause_kernel::vocabulary! {
    /// A theme: a set of colors for pictures.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Theme {
        #[default]
        Dark = "dark",
        Light = "light",
        /// A few colors on a night sky that are distinguishable with any color vision.
        ColorBlind = "color-blind",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color([u8; 3]);

impl Color {
    pub const fn new(number: u32) -> Self {
        let [_, red, green, blue] = number.to_be_bytes();
        Self([red, green, blue])
    }

    #[must_use]
    pub fn towards(self, other: Self, percent: u8) -> Self {
        let part = |one: u8, other: u8| {
            let (one, other, percent) = (u32::from(one), u32::from(other), u32::from(percent));
            u8::try_from((one * (100 - percent) + other * percent) / 100).unwrap_or(u8::MAX)
        };
        let ([red, green, blue], [r, g, b]) = (self.0, other.0);
        Self([part(red, r), part(green, g), part(blue, b)])
    }

    #[cfg(test)]
    pub(super) fn channels(self) -> [u8; 3] {
        self.0
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The colors of a theme.
#[derive(Clone, Debug)]
pub struct Palette {
    /// The colors by their names in `palette.txt`.
    named: HashMap<&'static str, Color>,
    /// The colors of owners in seat order. Later seats repeat them with a pattern.
    owners: Vec<Color>,
    powers: Vec<Color>,
}

impl Palette {
    pub fn of(theme: Theme) -> &'static Self {
        static PALETTES: LazyLock<[Palette; 3]> = LazyLock::new(|| [1, 2, 3].map(Palette::read));
        &PALETTES[theme as usize]
    }

    /// Reads a column of [`COLORS`]. Missing colors are `-`.
    fn read(column: usize) -> Self {
        let row = |line: &'static str| {
            let cells: Vec<&str> = line.split_whitespace().collect();
            let number = u32::from_str_radix(cells.get(column)?, 16).ok()?;
            Some((cells[0], Color::new(number)))
        };
        let rows = || COLORS.lines().filter(|line| !line.starts_with('#')).filter_map(row);
        let all = |name| rows().filter(move |(own, _)| *own == name).map(|(_, color)| color);
        let (owners, powers) = (all("owner").collect(), all("power").collect());
        Self { named: rows().collect(), owners, powers }
    }

    /// Returns the color with this name, or a mixture of two colors such as `sky+40%halo`.
    ///
    /// # Panics
    /// If the palette has no such color.
    pub fn color(&self, name: &str) -> Color {
        let mixed = name.split_once('+').and_then(|(base, rest)| {
            let (percent, other) = rest.split_once('%')?;
            Some(self.color(base).towards(self.color(other), percent.parse().ok()?))
        });
        let color = mixed.or_else(|| self.find(name));
        color.unwrap_or_else(|| panic!("the palette has no color {name}"))
    }

    pub fn find(&self, name: &str) -> Option<Color> {
        self.named.get(name).copied()
    }

    pub fn owner(&self, owner: impl Into<Option<Seat>>) -> Color {
        owner.into().map_or_else(
            || self.color("nobody"),
            |seat| self.owners[seat.index() % self.owners.len()],
        )
    }

    /// Returns the fill of an owner, with a pattern if an earlier seat has the same color.
    pub fn tint(&self, owner: impl Into<Option<Seat>>) -> Tint {
        let owner = owner.into();
        match owner {
            Some(seat) if seat.index() >= self.owners.len() => Tint::Pattern(seat),
            Some(_) | None => Tint::Flat(self.owner(owner)),
        }
    }

    pub fn power(&self, seat: Seat) -> Color {
        self.powers[seat.index() % self.powers.len()]
    }

    /// Returns the seats that repeat an earlier seat's color, each with its color and pattern.
    pub(super) fn patterns(&self, seats: usize) -> impl Iterator<Item = (Seat, Color, Pattern)> {
        Seat::first(seats).skip(self.owners.len()).map(|seat| {
            let nth = seat.index() / self.owners.len() - 1;
            (seat, self.owner(seat), Pattern::ALL[nth % Pattern::ALL.len()])
        })
    }
}

heliopause_kernel::vocabulary! {
    /// Strokes in a square of 6 by 6 that distinguish seats with the same color.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Pattern {
        Rising = "M-1 7L7 -1M-1 1L1 -1M5 7L7 5",
        Dots = "M1.5 1.5h1.4v1.4h-1.4zM4.5 4.5h1.4v1.4h-1.4z",
        Level = "M0 1.5H6M0 4.5H6",
        Upright = "M1.5 0V6M4.5 0V6",
        Falling = "M-1 -1L7 7M5 -1L7 1M-1 5L1 7",
        Grid = "M0 3H6M3 0V6",
        Crossed = "M0 0L6 6M0 6L6 0",
        Broken = "M0 1.5H3M3 4.5H6",
    }
}

#[cfg(test)]
mod tests {
    use super::super::vision::{ColorVision, least_distance};
    use super::*;

    #[test]
    fn first_seven_owners_are_distinguishable_with_any_vision() {
        let palette = Palette::of(Theme::ColorBlind);
        let owners: Vec<Color> = Seat::first(7).map(|seat| palette.owner(seat)).collect();
        let grounds = ["page-center", "page-edge", "seen-fill", "known-fill", "stale-fill"];
        let grounds = [grounds.as_slice(), &["sea-fill", "land-fill"]].concat();
        let grounds: Vec<Color> = grounds.into_iter().map(|name| palette.color(name)).collect();
        for sight in ColorVision::ALL {
            for (nth, owner) in owners.iter().enumerate() {
                let others = least_distance(sight, *owner, &owners[nth + 1..]);
                assert!(others > 0.14, "{sight}: {owner} is too near to another: {others:.3}");
                let ground = least_distance(sight, *owner, &grounds);
                assert!(ground > 0.16, "{sight}: {owner} is too near to the ground: {ground:.3}");
            }
        }
    }

    #[test]
    fn owners_with_a_shared_colour_have_distinct_patterns() {
        for theme in Theme::ALL {
            let palette = Palette::of(theme);
            let told: Vec<(Color, Option<Pattern>)> = Seat::first(60)
                .map(|seat| {
                    let pattern = palette.patterns(60).find(|(other, ..)| *other == seat);
                    (palette.owner(seat), pattern.map(|(_, _, pattern)| pattern))
                })
                .collect();
            for (nth, one) in told.iter().enumerate() {
                assert!(!told[..nth].contains(one), "{theme}: seat {} is {one:?} too", nth + 1);
            }
        }
    }

    #[test]
    fn text_is_readable_on_every_ground() {
        for theme in Theme::ALL {
            let palette = Palette::of(theme);
            let page = ["page-center", "page-edge"].map(|name| palette.color(name));
            for letters in ["text", "soft", "faint"].map(|name| palette.color(name)) {
                let ground = least_distance(ColorVision::Usual, letters, &page);
                assert!(ground > 0.35, "{theme}: {letters} on the page: {ground:.3}");
            }
        }
    }
}
