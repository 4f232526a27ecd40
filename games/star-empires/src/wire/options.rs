//! Encoding of options. Absent values take their defaults.

use std::sync::Arc;

use heliopause_kernel::message;
use heliopause_kernel::setting::{Value, put};
use heliopause_kernel::wire::{Read, Result, Write, inside, rows};
use heliopause_proto::star_empires::v1 as proto;

use super::galaxy::GalaxyReader;
use crate::ids::EMPIRES;
use crate::name::Name;
use crate::options::{EmpireNames, Options, Scenario};
use crate::settings::SETTINGS;

/// Lists the options that have a setting and a contract field of the same name.
macro_rules! settings {
    ($($value:ident: $($name:ident)*;)*) => {
        fn read_settings(message: &proto::Options, options: &mut Options) -> Result<()> {
            $($(put(&SETTINGS, options, stringify!($name), message.$name.map(Value::$value))?;)*)*
            Ok(())
        }

        fn write_settings(options: &Options) -> proto::Options {
            let said = |name: &str| SETTINGS.iter().find(|setting| setting.name == name)?.value(options);
            proto::Options {
                $($($name: if let Some(Value::$value(it)) = said(stringify!($name)) { Some(it) } else { None },)*)*
                empires: Vec::new(),
                scenario: None,
            }
        }
    };
}
settings! {
    Number: radius homeworld_production nearby_production nearby_worlds nearby_radius world_production_max world_percent
        storm_percent nebula_percent storm_rating_max storm_fluctuate_percent wormnets wormnet_portals_max
        portal_distance_min portal_homeworld_distance_min nebula_homeworld_distance_min one_way_percent
        portal_collapse_percent portal_collapse_turns_max last_turn;
    Flag: local_frames automatic_victory;
}

impl Read<proto::Options> for Options {
    fn read(message: &proto::Options) -> Result<Self> {
        let names: Vec<EmpireNames> = inside("empires", rows(&message.empires, *EMPIRES.end()))?;
        let scenario = message
            .scenario
            .as_ref()
            .map(|galaxy| inside("scenario", read_scenario(galaxy, &names)));
        let mut options = Self { names, scenario: scenario.transpose()?, ..Self::default() };
        read_settings(message, &mut options)?;
        options.validate()?;
        Ok(options)
    }
}

impl Write<proto::Options> for Options {
    fn write(&self) -> proto::Options {
        proto::Options {
            empires: self.names.write(),
            scenario: self.scenario.as_deref().and_then(write_scenario),
            ..write_settings(self)
        }
    }
}

message!(Options, proto::Options);

fn read_scenario(message: &proto::Galaxy, names: &[EmpireNames]) -> Result<Arc<Scenario>> {
    let listed: Vec<Name> = names.iter().map(|names| names.empire).collect();
    let scene = GalaxyReader::read(Some(message), &listed)?;
    Ok(Arc::new(Scenario { framed: scene.framed, galaxy: scene.into_galaxy()? }))
}

/// Writes the galaxy of a scenario, without the frames that are random.
fn write_scenario(scenario: &Scenario) -> Option<proto::Galaxy> {
    let mut galaxy = scenario.galaxy.write()?;
    for (seat, empire) in scenario.galaxy.seats().zip(&mut galaxy.empires) {
        if !scenario.framed.contains(seat) {
            empire.frame = None;
        }
    }
    Some(galaxy)
}
