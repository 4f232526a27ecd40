//! Notes 11.1: descriptions and limits of the options.

use std::sync::LazyLock;

use heliopause_kernel::Malformed;
use heliopause_kernel::setting::{Kind, Setting, check};
use heliopause_kernel::wire::inside;

use crate::ids::EMPIRES;
use crate::name::Name;
use crate::options::{GENERATED, Options, PERCENT, RADIUS_MAX};

pub(crate) static SETTINGS: LazyLock<Vec<Setting<Options>>> =
    LazyLock::new(|| [&[RADIUS][..], GENERATED, OTHERS].concat());

const RADIUS: Setting<Options> = Setting::number(
    "radius",
    "Galaxy: radius in sectors. Setting it limits the number of empires.",
    (2, RADIUS_MAX as u32),
    |options: &Options| options.generator.radius.map(u32::from),
    |options: &mut Options, value| options.generator.radius = Some(value as u16),
)
.unless_said("10, or more for many empires");

const OTHERS: &[Setting<Options>] = &[
    Setting::flag(
        "local_frames",
        "Whether each empire has its own coordinates.",
        |options: &Options| Some(options.local_frames),
        |options: &mut Options, value| options.local_frames = value,
    ),
    Setting::number(
        "portal_collapse_percent",
        "Percentage of portals that collapse at random in an update (R45).",
        PERCENT,
        |options: &Options| Some(options.portal_collapse_percent.into()),
        |options: &mut Options, value| options.portal_collapse_percent = value as u8,
    ),
    Setting::number(
        "portal_collapse_turns_max",
        "Maximum number of updates for which a portal collapses at random.",
        (1, 100),
        |options: &Options| Some(options.portal_collapse_turns_max),
        |options: &mut Options, value| options.portal_collapse_turns_max = value,
    ),
    Setting::flag(
        "automatic_victory",
        "Whether the game ends automatically when an empire or alliance has half of the \
         production (1.0).",
        |options: &Options| options.automatic_victory,
        |options: &mut Options, value| options.automatic_victory = Some(value),
    )
    .unless_said("no: the game master declares the winner; yes if automation has every seat"),
    Setting::number(
        "last_turn",
        "Last turn. The game then ends, and points are shares of the production.",
        (1, 100_000),
        |options: &Options| options.last_turn,
        |options: &mut Options, value| options.last_turn = Some(value),
    )
    .or_zero("none")
    .unless_said("none; 60 if automation has every seat"),
    Setting {
        name: "empires",
        sentence: "Names of the empires, their homeworlds and starbases, in seat order. Missing \
            names are taken from a list.",
        kind: Kind::Message,
    },
    Setting {
        name: "scenario",
        sentence: "Initial galaxy instead of a generated one. Like all options, it is public.",
        kind: Kind::Message,
    },
];

impl Options {
    /// Checks the options. Returns the first invalid field with the reason.
    pub fn validate(&self) -> Result<(), Malformed> {
        check(&SETTINGS, self)?;
        if self.names.len() > *EMPIRES.end() {
            return Err(Malformed::field(
                "empires",
                format!(
                    "{} names are too many; the maximum is {}",
                    self.names.len(),
                    EMPIRES.end()
                ),
            ));
        }
        let names = self.names.iter().map(|names| names.empire);
        distinct("empires.empire", names)?;
        distinct("empires.homeworld", self.names.iter().map(|names| names.homeworld))?;
        let empires = self.empires();
        if empires.is_empty() || !EMPIRES.contains(empires.end()) {
            let field = if self.scenario.is_some() { "scenario.empires" } else { "radius" };
            let (least, most) = (*EMPIRES.start(), *EMPIRES.end());
            let text = format!(
                "the galaxy has room for {} empires; it must have room for {least} to {most}",
                empires.end()
            );
            return Err(Malformed::field(field, text));
        }
        let Some(scenario) = &self.scenario else { return Ok(()) };
        inside("scenario", scenario.galaxy.integrity())
    }
}

fn distinct(field: &'static str, names: impl Iterator<Item = Name>) -> Result<(), Malformed> {
    let mut names: Vec<Name> = names.filter(|name| !name.is_none()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Malformed::field(field, format!("{} is listed twice", pair[0]))),
        None => Ok(()),
    }
}
