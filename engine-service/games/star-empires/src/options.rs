//! Notes 11.1: the options.

use std::sync::Arc;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Malformed, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::galaxy::Galaxy;
use crate::name::Name;

/// The fewest and the most empires.
pub const EMPIRES: std::ops::RangeInclusive<usize> = 2..=60;

/// The largest radius of a galaxy.
pub const RADIUS_MAX: u16 = 200;

/// The rules options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How a galaxy is generated.
    pub generator: Generator,
    /// Whether every empire has a frame of coordinates of its own (notes 8.1).
    pub local_frames: bool,
    /// Portals in a hundred that collapse by themselves in an update (R45).
    pub portal_collapse_percent: u8,
    /// For how many updates they do at most.
    pub portal_collapse_turns_max: u32,
    /// Whether the game ends by itself when an empire or alliance has half of the production (1.0).
    /// `None` is no, unless automation has every seat.
    pub automatic_victory: Option<bool>,
    /// The last turn; 0 is none. `None` is none too, unless automation has every seat.
    pub last_turn: Option<u32>,
    /// Names of the empires in seat order; where there is none, a list gives one.
    pub names: Vec<EmpireNames>,
    /// A galaxy to begin with instead of a generated one.
    pub scenario: Option<Arc<Scenario>>,
}

/// A galaxy to begin with. Everybody may read it, as all options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scenario {
    /// What there is.
    pub galaxy: Galaxy,
    /// The empires whose frames are given; the others' are drawn.
    pub framed: SeatSet,
}

/// The options of the galaxy generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Generator {
    /// The radius of the disc; `None` is 10, or as much more as the empires need so that their
    /// nearby worlds lie apart.
    pub radius: Option<u16>,
    pub homeworld_production: u32,
    /// Production of the worlds near each homeworld together.
    pub nearby_production: u32,
    /// How many worlds near each homeworld.
    pub nearby_worlds: u16,
    /// How far they are at most.
    pub nearby_radius: u16,
    /// The most that any other world produces.
    pub world_production_max: u32,
    /// Worlds in a hundred free sectors.
    pub world_percent: u8,
    /// Ion storms in a hundred sectors.
    pub storm_percent: u8,
    /// Nebulae in a hundred other sectors.
    pub nebula_percent: u8,
    /// The highest rating of a storm.
    pub storm_rating_max: u32,
    /// Storms in a hundred that fluctuate (R48).
    pub storm_fluctuate_percent: u8,
    pub wormnets: u16,
    /// The most portals of a wormnet.
    pub wormnet_portals_max: u16,
    /// The least distance between portals of a wormnet.
    pub portal_distance_min: u16,
    /// The least distance of portals from homeworlds.
    pub portal_homeworld_distance_min: u16,
    /// The least distance of nebulae and storms from homeworlds.
    pub nebula_homeworld_distance_min: u16,
    /// Wormnets of three and more portals in a hundred that have a one-way portal (R46).
    pub one_way_percent: u8,
}

/// What the player of an empire may choose at the start (notes 11.3). Any of them may be none.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::EmpireNames)]
pub struct EmpireNames {
    #[wire(or_default)]
    pub empire: Name,
    #[wire(or_default)]
    pub homeworld: Name,
    #[wire(or_default)]
    pub starbase: Name,
}

impl Default for Generator {
    fn default() -> Self {
        Self {
            radius: None,
            homeworld_production: 12,
            nearby_production: 10,
            nearby_worlds: 2,
            nearby_radius: 2,
            world_production_max: 9,
            world_percent: 10,
            storm_percent: 5,
            nebula_percent: 5,
            storm_rating_max: 10,
            storm_fluctuate_percent: 50,
            wormnets: 3,
            wormnet_portals_max: 4,
            portal_distance_min: 8,
            portal_homeworld_distance_min: 3,
            nebula_homeworld_distance_min: 2,
            one_way_percent: 50,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            generator: Generator::default(),
            local_frames: true,
            portal_collapse_percent: 2,
            portal_collapse_turns_max: 3,
            automatic_victory: None,
            last_turn: None,
            names: Vec::new(),
            scenario: None,
        }
    }
}

/// The radius of a galaxy that is not said to be another.
const RADIUS: u16 = 10;

impl Generator {
    /// The radius for so many empires.
    pub fn radius_for(&self, empires: usize) -> u16 {
        let needed = (empires * self.spacing()).div_ceil(6);
        self.radius.unwrap_or_else(|| RADIUS.max(needed as u16))
    }

    /// The most empires that find room on the rim.
    pub fn empires_max(&self) -> usize {
        let rim = usize::from(self.radius.unwrap_or(RADIUS_MAX)) * 6;
        (rim / self.spacing()).min(*EMPIRES.end())
    }

    /// The least distance of homeworlds at which no two share a nearby sector.
    fn spacing(&self) -> usize {
        usize::from(self.nearby_radius) * 2 + 1
    }
}

/// The last turn where automation has every seat, if it is not said.
const LAST_UNATTENDED: u32 = 60;

impl Options {
    /// These options where automation has every seat: no player and no game master is there to end
    /// the game.
    pub(crate) fn unattended(self) -> Self {
        Self {
            automatic_victory: self.automatic_victory.or(Some(true)),
            last_turn: self.last_turn.or(Some(LAST_UNATTENDED)),
            ..self
        }
    }

    /// Whether half of the production ends the game (1.0).
    pub fn automatic_victory(&self) -> bool {
        self.automatic_victory == Some(true)
    }

    /// The last turn, if there is one.
    pub fn last_turn(&self) -> Option<u32> {
        self.last_turn.filter(|&turn| turn > 0)
    }

    /// How many empires these options allow: those of the scenario, or as many as find room.
    pub fn empires(&self) -> std::ops::RangeInclusive<usize> {
        match &self.scenario {
            Some(scenario) => scenario.galaxy.empires.len()..=scenario.galaxy.empires.len(),
            None => *EMPIRES.start()..=self.generator.empires_max(),
        }
    }

    /// Whether the options can be played; names the field at fault.
    pub fn validate(&self) -> Result<(), Malformed> {
        heliopause_kernel::setting::check(crate::settings::SETTINGS, self)?;
        if self.names.len() > *EMPIRES.end() {
            return Err(Malformed::field(
                "empires",
                format!("it names more than {} empires", EMPIRES.end()),
            ));
        }
        let names = self.names.iter().map(|names| names.empire);
        distinct("empires.empire", names)?;
        distinct("empires.homeworld", self.names.iter().map(|names| names.homeworld))?;
        let empires = self.empires();
        if empires.is_empty() || !EMPIRES.contains(empires.end()) {
            let field = if self.scenario.is_some() { "scenario.empires" } else { "radius" };
            return Err(Malformed::field(field, "There must be room for 2 to 60 empires."));
        }
        let Some(scenario) = &self.scenario else { return Ok(()) };
        scenario.galaxy.integrity().map_err(|fault| {
            let field = format!("scenario.{}", fault.field);
            Malformed::field(field, fault.message)
        })
    }
}

fn distinct(field: &'static str, names: impl Iterator<Item = Name>) -> Result<(), Malformed> {
    let mut names: Vec<Name> = names.filter(|name| !name.is_none()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Malformed::field(field, format!("{} is named twice", pair[0]))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_can_be_played_by_2_to_60_and_each_fault_names_its_field() {
        assert_eq!(Options::default().validate(), Ok(()));
        assert_eq!(Options::default().empires(), 2..=60);
        let fault = |change: fn(&mut Options)| {
            let mut options = Options::default();
            change(&mut options);
            options.validate().unwrap_err().field.into_owned()
        };
        assert_eq!(fault(|o| o.generator.radius = Some(1)), "radius");
        assert_eq!(fault(|o| o.generator.homeworld_production = 0), "homeworld_production");
        assert_eq!(fault(|o| o.generator.nearby_radius = 10), "nearby_radius");
        assert_eq!(fault(|o| o.generator.world_percent = 101), "world_percent");
        assert_eq!(fault(|o| o.generator.wormnet_portals_max = 1), "wormnet_portals_max");
        assert_eq!(fault(|o| o.portal_collapse_turns_max = 0), "portal_collapse_turns_max");
        assert_eq!(fault(|o| o.scenario = Some(Arc::default())), "scenario.empires");
        let twice = |o: &mut Options| {
            let names =
                EmpireNames { empire: Name::new("Kratos").unwrap(), ..EmpireNames::default() };
            o.names = vec![names, names];
        };
        assert_eq!(fault(twice), "empires.empire");
    }

    #[test]
    fn rules_16_a_galaxy_of_automated_empires_has_a_last_turn_unless_its_options_say_another() {
        let last =
            |said| Options { last_turn: said, ..Options::default() }.unattended().last_turn();
        assert_eq!(
            (last(None), last(Some(0)), last(Some(7))),
            (Some(LAST_UNATTENDED), None, Some(7))
        );
        assert_eq!(Options::default().last_turn(), None);
        let ends = |said| {
            Options { automatic_victory: said, ..Options::default() }
                .unattended()
                .automatic_victory()
        };
        assert_eq!(
            (ends(None), ends(Some(false)), Options::default().automatic_victory()),
            (true, false, false)
        );
    }

    #[test]
    fn the_radius_grows_with_the_empires_unless_it_is_said() {
        let mut generator = Generator::default();
        assert_eq!(generator.radius_for(2), 10);
        assert_eq!(generator.radius_for(12), 10);
        assert_eq!(generator.radius_for(60), 50);
        generator.radius = Some(10);
        assert_eq!(generator.empires_max(), 12);
    }
}
