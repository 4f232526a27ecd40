//! Notes 11.1: the options of a game, including those of the galaxy generator.

use std::sync::Arc;

use heliopause_kernel::SeatSet;
use heliopause_kernel::setting::Setting;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::galaxy::Galaxy;
use crate::ids::EMPIRES;
use crate::name::Name;

pub const RADIUS_MAX: u16 = 200;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    pub generator: Generator,
    /// Whether every empire has its own coordinate frame (notes 8.1).
    pub local_frames: bool,
    /// Percentage of portals that collapse spontaneously in an update (R45).
    pub portal_collapse_percent: u8,
    /// Maximum number of updates for which a portal stays collapsed after a spontaneous collapse.
    pub portal_collapse_turns_max: u32,
    /// Whether the game ends automatically when an empire or alliance has half of the production
    /// (1.0). `None` is `true` if every seat is automated, otherwise `false`.
    pub automatic_victory: Option<bool>,
    /// The last turn. 0 means no limit. `None` also means no limit, unless every seat is automated.
    pub last_turn: Option<u32>,
    /// Names of the empires in seat order. Missing names come from a list.
    pub names: Vec<EmpireNames>,
    pub scenario: Option<Arc<Scenario>>,
}

/// A given initial galaxy. Like all options, the galaxy is public.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scenario {
    pub galaxy: Galaxy,
    /// Empires whose frames the scenario defines. Other frames are random.
    pub framed: SeatSet,
}

/// The range of a percentage.
pub(crate) const PERCENT: (u32, u32) = (0, 100);
const DISTANCE: (u32, u32) = (0, RADIUS_MAX as u32 * 2);

/// Declares the options of the generator, with their defaults, ranges and descriptions.
macro_rules! generator {
    ($($name:ident: $type:ty = $default:literal, $range:expr, $sentence:literal;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Generator {
            /// Radius of the disc. The default is 10, or more if needed to separate the empires.
            pub radius: Option<u16>,
            $(#[doc = $sentence] pub $name: $type,)*
        }

        impl Default for Generator {
            fn default() -> Self {
                Self { radius: None, $($name: $default),* }
            }
        }

        pub(crate) const GENERATED: &[Setting<Options>] = &[$(Setting::number(
            stringify!($name),
            $sentence,
            $range,
            |options: &Options| Some(u32::from(options.generator.$name)),
            |options: &mut Options, value| options.generator.$name = value as $type,
        )),*];
    };
}
generator! {
    homeworld_production: u32 = 12, (1, 1_000),
        "Galaxy: production and initial stockpile of each homeworld.";
    nearby_production: u32 = 10, (0, 1_000),
        "Galaxy: total production of the worlds near each homeworld.";
    nearby_worlds: u16 = 2, (0, 18), "Galaxy: number of worlds near each homeworld.";
    nearby_radius: u16 = 2, (1, 9), "Galaxy: maximum distance of these worlds from the homeworld.";
    world_production_max: u32 = 9, (1, 1_000), "Galaxy: maximum production of any other world.";
    world_percent: u8 = 10, PERCENT, "Galaxy: percentage of free sectors with a world.";
    storm_percent: u8 = 5, PERCENT, "Galaxy: percentage of sectors with an ion storm.";
    nebula_percent: u8 = 5, PERCENT, "Galaxy: percentage of other sectors with a nebula.";
    storm_rating_max: u32 = 10, (1, 1_000), "Galaxy: maximum rating of a storm.";
    storm_fluctuate_percent: u8 = 50, PERCENT, "Galaxy: percentage of storms that fluctuate (R48).";
    wormnets: u16 = 3, (0, 100), "Galaxy: number of wormnets.";
    wormnet_portals_max: u16 = 4, (2, 20), "Galaxy: maximum number of portals in a wormnet.";
    portal_distance_min: u16 = 8, DISTANCE,
        "Galaxy: minimum distance between portals of a wormnet.";
    portal_homeworld_distance_min: u16 = 3, DISTANCE,
        "Galaxy: minimum distance of portals from homeworlds.";
    nebula_homeworld_distance_min: u16 = 2, DISTANCE,
        "Galaxy: minimum distance of nebulae and storms from homeworlds.";
    one_way_percent: u8 = 50, PERCENT,
        "Galaxy: percentage of wormnets with three or more portals that have a one-way \
         portal (R46).";
}

/// Names that the player of an empire may choose at the start (notes 11.3). All are optional.
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

const RADIUS: u16 = 10;

impl Generator {
    pub fn radius_for(&self, empires: usize) -> u16 {
        let needed = (empires * self.spacing()).div_ceil(6);
        self.radius.unwrap_or_else(|| RADIUS.max(needed as u16))
    }

    pub fn empires_max(&self) -> usize {
        let rim = usize::from(self.radius.unwrap_or(RADIUS_MAX)) * 6;
        (rim / self.spacing()).min(*EMPIRES.end())
    }

    /// Returns the minimum distance at which two homeworlds share no nearby sectors.
    fn spacing(&self) -> usize {
        usize::from(self.nearby_radius) * 2 + 1
    }
}

const LAST_UNATTENDED: u32 = 60;

impl Options {
    /// Sets defaults that end a game with only automated seats and no game master.
    pub(crate) fn unattended(self) -> Self {
        Self {
            automatic_victory: self.automatic_victory.or(Some(true)),
            last_turn: self.last_turn.or(Some(LAST_UNATTENDED)),
            ..self
        }
    }

    pub fn automatic_victory(&self) -> bool {
        self.automatic_victory == Some(true)
    }

    pub fn last_turn(&self) -> Option<u32> {
        self.last_turn.filter(|&turn| turn > 0)
    }

    pub fn empires(&self) -> std::ops::RangeInclusive<usize> {
        match &self.scenario {
            Some(scenario) => scenario.galaxy.empires.len()..=scenario.galaxy.empires.len(),
            None => *EMPIRES.start()..=self.generator.empires_max(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_allow_2_to_60_players_and_errors_name_their_field() {
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
    fn rules_16_automated_games_have_a_default_last_turn() {
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
    fn the_default_radius_grows_with_the_number_of_empires() {
        let mut generator = Generator::default();
        assert_eq!(generator.radius_for(2), 10);
        assert_eq!(generator.radius_for(12), 10);
        assert_eq!(generator.radius_for(60), 50);
        generator.radius = Some(10);
        assert_eq!(generator.empires_max(), 12);
    }
}
