//! The themes and their colors.

use std::fmt;

use heliopause_kernel::Seat;

use super::Tint;

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

#[derive(Clone, Copy, Debug)]
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
    owners: &'static [Color],
    powers: &'static [Color; 7],
}

impl Palette {
    pub fn of(theme: Theme) -> &'static Self {
        match theme {
            Theme::Dark => &DARK,
            Theme::Light => &LIGHT,
            Theme::ColorBlind => &COLOR_BLIND,
        }
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

const fn field(fill: u32, edge: u32) -> Field {
    Field { fill: Color::new(fill), edge: Color::new(edge) }
}

const fn colors<const N: usize>(numbers: [u32; N]) -> [Color; N] {
    let mut colors = [Color([0; 3]); N];
    let mut nth = 0;
    while nth < N {
        colors[nth] = Color::new(numbers[nth]);
        nth += 1;
    }
    colors
}

/// Distinguishable colors on a night sky. The red that means danger is excluded.
const NIGHT: [Color; 12] = colors([
    0x4f_d1e8, 0xf5_d547, 0x7e_e06b, 0xd4_8af0, 0xff_9d45, 0x7e_a2ff, 0xff_8ac2, 0x3f_cfa0,
    0xd8_d29a, 0xb3_a6ff, 0xb5_dd4c, 0xd9_a778,
]);

const DARK: Palette = Palette {
    page: colors([0x14_1a30, 0x08_0a14]),
    sky: Some(Color::new(0xff_ffff)),
    text: Color::new(0xf2_f4ff),
    soft: Color::new(0xb9_c2e0),
    faint: Color::new(0x97_a2c9),
    halo: Color::new(0x08_0b16),
    on_owner: Color::new(0x0a_0d18),
    bad: Color::new(0xff_4d4d),
    warning: Color::new(0xff_b03a),
    good: Color::new(0x5f_dd7f),
    fields: Fields {
        seen: field(0x2a_3a69, 0x8e_a4e6),
        known: field(0x1b_2646, 0x46_5688),
        stale: field(0x0f_1529, 0x2f_3a60),
        cloud: field(0x52_4880, 0x7d_72ad),
        waste: field(0x5c_0f1c, 0xa0_1b30),
    },
    bodies: Bodies {
        ocean: Color::new(0x2f_7fd6),
        friendly: Color::new(0x58_b87a),
        hostile: Color::new(0xd8_643d),
        rock: Color::new(0x9a_9da6),
        metal: Color::new(0x4d_525e),
        stars: colors([0x6f_b4ff, 0x6f_dc7c, 0xff_e873, 0xff_ae4d, 0xff_6e62]),
        portal: Color::new(0xc7_9bff),
        storm: Color::new(0xff_5a4d),
        nebula: Color::new(0x8b_7cf8),
    },
    earth: Earth {
        sea: field(0x16_2740, 0x2f_4a6d),
        land: field(0x35_3d52, 0x6f_7a96),
        barred: field(0x1c_202c, 0x4a_5064),
        sea_name: Color::new(0x8f_bfe6),
    },
    nobody: Color::new(0xaa_b2c8),
    owners: &NIGHT,
    powers: &colors([0xf0_6a5c, 0x6f_93f0, 0x5f_c4ee, 0xc4_c6cc, 0x5f_cf78, 0xc9_a2ee, 0xf2_c63a]),
};

/// Distinguishable colors that are dark enough for paper.
const DAY: [Color; 12] = colors([
    0x0b_84a5, 0xb8_8a00, 0x2f_8f3a, 0x9a_3fc0, 0xd0_6a0a, 0x32_55c8, 0xc8_2f86, 0x0f_7f68,
    0x7d_7430, 0x6a_52d8, 0x6b_8a10, 0x8f_5d2c,
]);

const LIGHT: Palette = Palette {
    page: colors([0xfd_fbf5, 0xf3_eee2]),
    sky: None,
    text: Color::new(0x2b_2a27),
    soft: Color::new(0x4f_4b42),
    faint: Color::new(0x6c_675b),
    halo: Color::new(0xff_fdf7),
    on_owner: Color::new(0xff_ffff),
    bad: Color::new(0xd0_021b),
    warning: Color::new(0xb8_6a00),
    good: Color::new(0x1d_8a3a),
    fields: Fields {
        seen: field(0xff_ffff, 0x7d_8cb8),
        known: field(0xec_edf3, 0xa3_aac2),
        stale: field(0xdc_dbd8, 0xb4_b2aa),
        cloud: field(0xc9_bfe2, 0x94_88bd),
        waste: field(0xf3_b8bf, 0xd8_6a78),
    },
    bodies: Bodies {
        ocean: Color::new(0x3f_8fe0),
        friendly: Color::new(0x5f_bf80),
        hostile: Color::new(0xdf_7048),
        rock: Color::new(0xa2_a4aa),
        metal: Color::new(0x66_6c78),
        stars: colors([0x1f_78d8, 0x22_9a36, 0xc9_a000, 0xe0_7b10, 0xd8_3a2e]),
        portal: Color::new(0x7d_3fd0),
        storm: Color::new(0xe8_4a3c),
        nebula: Color::new(0x7a_6cf0),
    },
    earth: Earth {
        sea: field(0xb9_d6e8, 0x7f_a3bb),
        land: field(0xf3_ead2, 0x8d_8368),
        barred: field(0xb9_b4a6, 0x8d_8778),
        sea_name: Color::new(0x2a_5774),
    },
    nobody: Color::new(0x8a_8a90),
    owners: &DAY,
    powers: &colors([0xd9_4b3d, 0x3a_5fb8, 0x2f_93c8, 0x5b_5b5b, 0x3f_9a52, 0x9d_7bc1, 0xc8_9510]),
};

/// Colors that are distinguishable with any color vision: they differ in brightness and in hue.
const CLEAR: [Color; 7] =
    colors([0x58_91fe, 0xf1_ac08, 0x87_ffcd, 0xc3_bcfe, 0xae_5503, 0xed_ff41, 0xa5_8d9a]);

const COLOR_BLIND: Palette = Palette {
    bad: Color::new(0xff_5a5a),
    bodies: Bodies {
        friendly: Color::new(0x4a_90d9),
        ocean: Color::new(0x2f_7fd6),
        hostile: Color::new(0xe0_8a2e),
        stars: colors([0x5a_a0ff, 0x00_c8a0, 0xff_f08a, 0xff_a030, 0xd0_4a20]),
        ..DARK.bodies
    },
    nobody: Color::new(0xff_ffff),
    owners: &CLEAR,
    powers: &CLEAR,
    ..DARK
};

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
