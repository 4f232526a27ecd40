//! What each option is, and what it may be.

use heliopause_kernel::setting::{Kind, Setting};

use crate::options::{
    FIRST_YEAR, LAST_YEAR, LONGEST_NAME, Leftover, MOST_EMPIRES, Options, PressRule,
};
use crate::position::Variant;

const NAMES: Setting<Options> = Setting {
    name: "names",
    sentence: "What the empires are called, in seat order; those without a name here have usual \
        ones (R20).",
    kind: Kind::Names { most: MOST_EMPIRES, length: LONGEST_NAME },
};

const VICTORY_CENTERS: Setting<Options> = Setting::number(
    "victory_centers",
    "The supply centers that win (D8.7).",
    (1, 34),
    |options: &Options| Some(options.victory_centers.into()),
    |options: &mut Options, value| options.victory_centers = value as u8,
);

/// The words of the press rule, in the order of [`PRESS`].
const PRESS_WORDS: &[(&str, &str)] = &[
    ("PRESS_RULE_FULL", "anything to anybody"),
    ("PRESS_RULE_PUBLIC", "only what everybody reads"),
    ("PRESS_RULE_NONE", "nothing"),
];

/// Press rules in the order of their words.
pub(crate) const PRESS: [PressRule; 3] = [PressRule::Full, PressRule::Public, PressRule::None];

const PRESS_SETTING: Setting<Options> = Setting::word(
    "press",
    "What players may write to each other (D9).",
    PRESS_WORDS,
    |options: &Options| PRESS.iter().position(|rule| *rule == options.press).unwrap_or_default(),
    |options: &mut Options, value| options.press = PRESS[value],
);

const ANONYMOUS: Setting<Options> = Setting::flag(
    "anonymous_press",
    "Whether messages may hide who sends them; not where there are none.",
    |options: &Options| Some(options.anonymous_press),
    |options: &mut Options, value| options.anonymous_press = value,
);

/// What may become of powers without a player, in the order of the words.
pub(crate) const LEFTOVER: [Leftover; 2] = [Leftover::CivilDisorder, Leftover::Automated];

const LEFTOVER_SETTING: Setting<Options> = Setting::word(
    "leftover",
    "What becomes of powers without a player (D8.6).",
    &[
        ("LEFTOVER_CIVIL_DISORDER", "they are in civil disorder and have no seat"),
        ("LEFTOVER_AUTOMATED", "automation plays them"),
    ],
    |options: &Options| {
        LEFTOVER.iter().position(|leftover| *leftover == options.leftover).unwrap_or_default()
    },
    |options: &mut Options, value| options.leftover = LEFTOVER[value],
);

const STALEMATE: Setting<Options> = Setting::number(
    "stalemate_years",
    "After so many years without a center that changes hands the game is drawn (R22).",
    (1, 255),
    |options: &Options| Some(options.stalemate_years.into()),
    |options: &mut Options, value| options.stalemate_years = value as u8,
)
.or_zero("never");

const LAST: Setting<Options> = Setting::number(
    "last_year",
    "The game is drawn after the fall of this year.",
    (FIRST_YEAR as u32, LAST_YEAR as u32),
    |options: &Options| Some(options.last_year.into()),
    |options: &mut Options, value| options.last_year = value as u16,
)
.or_zero("never");

/// The options of both games.
pub(crate) const ALL: &[Setting<Options>] =
    &[NAMES, VICTORY_CENTERS, PRESS_SETTING, ANONYMOUS, LEFTOVER_SETTING, STALEMATE, LAST];

/// The powers of the standard game have their names.
const STANDARD: &[Setting<Options>] =
    &[VICTORY_CENTERS, PRESS_SETTING, ANONYMOUS, LEFTOVER_SETTING, STALEMATE, LAST];

/// Every empire has a player.
const SPACE: &[Setting<Options>] =
    &[NAMES, VICTORY_CENTERS, PRESS_SETTING, ANONYMOUS, STALEMATE, LAST];

/// The options of a game.
pub(crate) const fn settings(variant: Variant) -> &'static [Setting<Options>] {
    match variant {
        Variant::Standard => STANDARD,
        Variant::OuterSpace => SPACE,
    }
}
