//! Options: what is absent takes its default.

use std::sync::Arc;

use heliopause_kernel::message;
use heliopause_kernel::setting::{Value, put};
use heliopause_kernel::wire::{Read, Result, Write, inside, rows};
use heliopause_proto::star_empires::v1 as proto;

use super::galaxy::Scene;
use crate::name::Name;
use crate::options::{EMPIRES, EmpireNames, Options, Scenario};
use crate::settings::SETTINGS;

/// Reads and writes the options that have a setting: how each is a number or flag in the rules.
macro_rules! settings {
    ($($name:ident: $value:ident($($of:ident).+),)*) => {
        fn read_settings(message: &proto::Options, options: &mut Options) -> Result<()> {
            $(put(SETTINGS, options, stringify!($name), message.$name.map(Value::$value))?;)*
            Ok(())
        }

        fn write_settings(options: &Options) -> proto::Options {
            proto::Options {
                $($name: options.$($of).+.write(),)*
                empires: Vec::new(),
                scenario: None,
            }
        }
    };
}
settings! {
    radius: Number(generator.radius),
    homeworld_production: Number(generator.homeworld_production),
    nearby_production: Number(generator.nearby_production),
    nearby_worlds: Number(generator.nearby_worlds),
    nearby_radius: Number(generator.nearby_radius),
    world_production_max: Number(generator.world_production_max),
    world_percent: Number(generator.world_percent),
    storm_percent: Number(generator.storm_percent),
    nebula_percent: Number(generator.nebula_percent),
    storm_rating_max: Number(generator.storm_rating_max),
    storm_fluctuate_percent: Number(generator.storm_fluctuate_percent),
    wormnets: Number(generator.wormnets),
    wormnet_portals_max: Number(generator.wormnet_portals_max),
    portal_distance_min: Number(generator.portal_distance_min),
    portal_homeworld_distance_min: Number(generator.portal_homeworld_distance_min),
    nebula_homeworld_distance_min: Number(generator.nebula_homeworld_distance_min),
    one_way_percent: Number(generator.one_way_percent),
    local_frames: Flag(local_frames),
    portal_collapse_percent: Number(portal_collapse_percent),
    portal_collapse_turns_max: Number(portal_collapse_turns_max),
    automatic_victory: Flag(automatic_victory),
    last_turn: Number(last_turn),
}

impl Read<proto::Options> for Options {
    fn read(message: &proto::Options) -> Result<Self> {
        let names: Vec<EmpireNames> = inside("empires", rows(&message.empires, *EMPIRES.end()))?;
        let scenario = message.scenario.as_ref().map(|galaxy| inside("scenario", read_scenario(galaxy, &names)));
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
            scenario: self.scenario.as_deref().map(write_scenario),
            ..write_settings(self)
        }
    }
}

message!(Options, proto::Options);

fn read_scenario(message: &proto::Galaxy, names: &[EmpireNames]) -> Result<Arc<Scenario>> {
    let listed: Vec<Name> = names.iter().map(|names| names.empire).collect();
    let Scene { galaxy, framed, .. } = Scene::read(message, &listed)?;
    Ok(Arc::new(Scenario { galaxy, framed }))
}

/// Frames that are drawn stay absent.
fn write_scenario(scenario: &Scenario) -> proto::Galaxy {
    let mut galaxy: proto::Galaxy = scenario.galaxy.write();
    for (seat, empire) in scenario.galaxy.seats().zip(&mut galaxy.empires) {
        if !scenario.framed.contains(seat) {
            empire.frame = None;
        }
    }
    galaxy
}
