//! The themes and their colors.

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

/// The fill and edge of a hex.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub fill: Color,
    pub edge: Color,
}

/// The fields of hexes, from best known to unknown.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// A hex that is currently visible, or within reach.
    pub seen: Field,
    /// A hex that is known, or scanned from a distance.
    pub known: Field,
    /// A hex that is unknown, or whose data is outdated.
    pub stale: Field,
    /// A hex with gas and dust that hide its content.
    pub cloud: Field,
    /// A hex in a Death Zone.
    pub waste: Field,
}

#[derive(Clone, Copy, Debug)]
pub struct Bodies {
    pub ocean: Color,
    pub friendly: Color,
    pub hostile: Color,
    pub rock: Color,
    pub metal: Color,
    /// The colors of stars by class: blue, green, yellow, orange, red.
    pub stars: [Color; 5],
    pub portal: Color,
    pub storm: Color,
    pub nebula: Color,
}

#[derive(Clone, Copy, Debug)]
pub struct Earth {
    pub sea: Field,
    pub land: Field,
    pub barred: Field,
    pub sea_name: Color,
}

#[derive(Clone, Debug)]
pub struct Palette {
    /// The colors of the ground, at its center and at its edge.
    pub page: [Color; 2],
    /// The color of stars on the ground. `None` in the light theme.
    pub sky: Option<Color>,
    pub text: Color,
    /// The color of secondary text.
    pub soft: Color,
    pub faint: Color,
    /// The color of outlines that keep letters and icons visible on any background.
    pub halo: Color,
    /// The color of text on an owner's color.
    pub on_owner: Color,
    pub bad: Color,
    pub warning: Color,
    pub good: Color,
    pub fields: Fields,
    pub bodies: Bodies,
    pub earth: Earth,
    pub nobody: Color,
    /// The colors of owners in seat order. Later seats repeat them with a pattern.
    owners: Vec<Color>,
    powers: Vec<Color>,
}

impl Palette {
    pub fn of(theme: Theme) -> &'static Self {
        static PALETTES: LazyLock<[Palette; 3]> =
            LazyLock::new(|| [0, 1, 2].map(|nth| Column(nth).read()));
        &PALETTES[theme as usize]
    }

    pub fn owner(&self, owner: impl Into<Option<Seat>>) -> Color {
        owner.into().map_or(self.nobody, |seat| self.owners[seat.index() % self.owners.len()])
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

/// A column of [`COLORS`]. Missing colors are `-`.
struct Column(usize);

impl Column {
    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Color> + 'a {
        COLORS.lines().filter_map(move |line| {
            let mut cells = line.split_whitespace();
            let is_named = cells.next() == Some(name);
            let number = u32::from_str_radix(cells.nth(self.0)?, 16).ok();
            number.filter(|_| is_named).map(Color::new)
        })
    }

    fn one(&self, name: &str) -> Color {
        self.all(name).next().unwrap_or_else(|| panic!("the palette has no color {name}"))
    }

    fn field(&self, name: &str) -> Field {
        Field { fill: self.one(&format!("{name}-fill")), edge: self.one(&format!("{name}-edge")) }
    }

    fn read(&self) -> Palette {
        Palette {
            page: ["page-center", "page-edge"].map(|name| self.one(name)),
            sky: self.all("sky").next(),
            text: self.one("text"),
            soft: self.one("soft"),
            faint: self.one("faint"),
            halo: self.one("halo"),
            on_owner: self.one("on-owner"),
            bad: self.one("bad"),
            warning: self.one("warning"),
            good: self.one("good"),
            fields: Fields {
                seen: self.field("seen"),
                known: self.field("known"),
                stale: self.field("stale"),
                cloud: self.field("cloud"),
                waste: self.field("waste"),
            },
            bodies: Bodies {
                ocean: self.one("ocean"),
                friendly: self.one("friendly"),
                hostile: self.one("hostile"),
                rock: self.one("rock"),
                metal: self.one("metal"),
                stars: ["blue-star", "green-star", "yellow-star", "orange-star", "red-star"]
                    .map(|name| self.one(name)),
                portal: self.one("portal"),
                storm: self.one("storm"),
                nebula: self.one("nebula"),
            },
            earth: Earth {
                sea: self.field("sea"),
                land: self.field("land"),
                barred: self.field("barred"),
                sea_name: self.one("sea-name"),
            },
            nobody: self.one("nobody"),
            owners: self.all("owner").collect(),
            powers: self.all("power").collect(),
        }
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
        let fields = &palette.fields;
        let mut grounds = palette.page.to_vec();
        grounds.extend(
            [fields.seen, fields.known, fields.stale, palette.earth.sea, palette.earth.land]
                .map(|field| field.fill),
        );
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
            for letters in [palette.text, palette.soft, palette.faint] {
                let ground = least_distance(ColorVision::Usual, letters, &palette.page);
                assert!(ground > 0.35, "{theme}: {letters} on the page: {ground:.3}");
            }
        }
    }
}
