//! Notes 11.1: what each option is, and what it may be.

use heliopause_kernel::setting::{Kind, Setting};

use crate::options::{Options, RADIUS_MAX};

const PERCENT: (u32, u32) = (0, 100);
const DISTANCE: (u32, u32) = (0, RADIUS_MAX as u32 * 2);

/// A number of the generator.
macro_rules! generated {
    ($name:ident: $type:ty, $sentence:literal, $range:expr) => {
        Setting::number(
            stringify!($name),
            $sentence,
            $range,
            |options: &Options| Some(u32::from(options.generator.$name)),
            |options: &mut Options, value| options.generator.$name = value as $type,
        )
    };
}

/// The options.
pub(crate) const SETTINGS: &[Setting<Options>] = &[
    Setting::number(
        "radius",
        "Galaxy: its radius in sectors. One that is given limits how many empires there can be.",
        (2, RADIUS_MAX as u32),
        |options: &Options| options.generator.radius.map(u32::from),
        |options: &mut Options, value| options.generator.radius = Some(value as u16),
    )
    .unless_said("10, or as much more as many empires need"),
    generated!(homeworld_production: u32, "Galaxy: production of each homeworld; its stockpile \
        begins as high.", (1, 1_000)),
    generated!(nearby_production: u32, "Galaxy: production of the worlds near each homeworld \
        together.", (0, 1_000)),
    generated!(nearby_worlds: u16, "Galaxy: how many worlds near each homeworld.", (0, 18)),
    generated!(nearby_radius: u16, "Galaxy: how far they are at most.", (1, 9)),
    generated!(world_production_max: u32, "Galaxy: the most that any other world produces.", (1, 1_000)),
    generated!(world_percent: u8, "Galaxy: worlds in a hundred free sectors.", PERCENT),
    generated!(storm_percent: u8, "Galaxy: ion storms in a hundred sectors.", PERCENT),
    generated!(nebula_percent: u8, "Galaxy: nebulae in a hundred other sectors.", PERCENT),
    generated!(storm_rating_max: u32, "Galaxy: the highest rating of a storm.", (1, 1_000)),
    generated!(storm_fluctuate_percent: u8, "Galaxy: storms in a hundred that fluctuate (R48).", PERCENT),
    generated!(wormnets: u16, "Galaxy: how many wormnets.", (0, 100)),
    generated!(wormnet_portals_max: u16, "Galaxy: the most portals of a wormnet.", (2, 20)),
    generated!(portal_distance_min: u16, "Galaxy: the least distance between portals of a wormnet.", DISTANCE),
    generated!(portal_homeworld_distance_min: u16, "Galaxy: the least distance of portals from \
        homeworlds.", DISTANCE),
    generated!(
        nebula_homeworld_distance_min: u16,
        "Galaxy: the least distance of nebulae and storms from homeworlds.",
        DISTANCE
    ),
    generated!(
        one_way_percent: u8,
        "Galaxy: wormnets of three and more portals in a hundred that have a one-way portal (R46).",
        PERCENT
    ),
    Setting::flag(
        "local_frames",
        "Whether every empire has a frame of coordinates of its own.",
        |options: &Options| Some(options.local_frames),
        |options: &mut Options, value| options.local_frames = value,
    ),
    Setting::number(
        "portal_collapse_percent",
        "Portals in a hundred that collapse by themselves in an update (R45).",
        PERCENT,
        |options: &Options| Some(options.portal_collapse_percent.into()),
        |options: &mut Options, value| options.portal_collapse_percent = value as u8,
    ),
    Setting::number(
        "portal_collapse_turns_max",
        "For how many updates they do at most.",
        (1, 100),
        |options: &Options| Some(options.portal_collapse_turns_max),
        |options: &mut Options, value| options.portal_collapse_turns_max = value,
    ),
    Setting::flag(
        "automatic_victory",
        "Whether the game ends by itself when an empire or alliance has half of the production \
         (1.0).",
        |options: &Options| options.automatic_victory,
        |options: &mut Options, value| options.automatic_victory = Some(value),
    )
    .unless_said(
        "no, for the game master declares the winner; yes where automation has every \
        seat",
    ),
    Setting::number(
        "last_turn",
        "The last turn, after which the game ends and points are shares of the production.",
        (1, 100_000),
        |options: &Options| options.last_turn,
        |options: &mut Options, value| options.last_turn = Some(value),
    )
    .or_zero("there is none")
    .unless_said("there is none; 60 where automation has every seat"),
    Setting {
        name: "empires",
        sentence: "Names of the empires, their homeworlds and starbases, in seat order; what is \
            absent is taken from a list.",
        kind: Kind::Message,
    },
    Setting {
        name: "scenario",
        sentence: "A galaxy to begin with instead of a generated one; as all options it is open to \
            everybody.",
        kind: Kind::Message,
    },
];
