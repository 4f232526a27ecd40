//! Options: what is absent takes its default.

use std::sync::Arc;

use heliopause_kernel::Malformed;
use heliopause_kernel::setting::{Value, put};
use heliopause_proto::star_empires::v1 as proto;

use super::names::{read_list, read_name_if, write_name};
use super::position::{read_galaxy, write_galaxy};
use crate::name::Name;
use crate::options::{EMPIRES, EmpireNames, Generator, Options, Scenario};
use crate::settings::SETTINGS;

pub(super) fn read(message: &proto::Options) -> Result<Options, Malformed> {
    let names = read_list(&message.empires, *EMPIRES.end(), "empires", read_names)?;
    let scenario = message.scenario.as_ref().map(|galaxy| read_scenario(galaxy, &names)).transpose()?;
    let mut options = Options { names, scenario, ..Options::default() };
    let number = |value: Option<u32>| value.map(Value::Number);
    let flag = |value: Option<bool>| value.map(Value::Flag);
    for (name, value) in [
        ("radius", number(message.radius)),
        ("homeworld_production", number(message.homeworld_production)),
        ("nearby_production", number(message.nearby_production)),
        ("nearby_worlds", number(message.nearby_worlds)),
        ("nearby_radius", number(message.nearby_radius)),
        ("world_production_max", number(message.world_production_max)),
        ("world_percent", number(message.world_percent)),
        ("storm_percent", number(message.storm_percent)),
        ("nebula_percent", number(message.nebula_percent)),
        ("storm_rating_max", number(message.storm_rating_max)),
        ("storm_fluctuate_percent", number(message.storm_fluctuate_percent)),
        ("wormnets", number(message.wormnets)),
        ("wormnet_portals_max", number(message.wormnet_portals_max)),
        ("portal_distance_min", number(message.portal_distance_min)),
        ("portal_homeworld_distance_min", number(message.portal_homeworld_distance_min)),
        ("nebula_homeworld_distance_min", number(message.nebula_homeworld_distance_min)),
        ("one_way_percent", number(message.one_way_percent)),
        ("local_frames", flag(message.local_frames)),
        ("portal_collapse_percent", number(message.portal_collapse_percent)),
        ("portal_collapse_turns_max", number(message.portal_collapse_turns_max)),
        ("automatic_victory", flag(message.automatic_victory)),
        ("last_turn", number(message.last_turn)),
    ] {
        put(SETTINGS, &mut options, name, value)?;
    }
    options.validate()?;
    Ok(options)
}

pub(super) fn write(options: &Options) -> proto::Options {
    proto::Options {
        local_frames: Some(options.local_frames),
        portal_collapse_percent: Some(options.portal_collapse_percent.into()),
        portal_collapse_turns_max: Some(options.portal_collapse_turns_max),
        automatic_victory: options.automatic_victory,
        last_turn: options.last_turn,
        empires: options.names.iter().map(write_names).collect(),
        scenario: options.scenario.as_deref().map(write_scenario),
        ..write_generator(&options.generator)
    }
}

fn write_generator(generator: &Generator) -> proto::Options {
    proto::Options {
        radius: generator.radius.map(u32::from),
        homeworld_production: Some(generator.homeworld_production),
        nearby_production: Some(generator.nearby_production),
        nearby_worlds: Some(generator.nearby_worlds.into()),
        nearby_radius: Some(generator.nearby_radius.into()),
        world_production_max: Some(generator.world_production_max),
        world_percent: Some(generator.world_percent.into()),
        storm_percent: Some(generator.storm_percent.into()),
        nebula_percent: Some(generator.nebula_percent.into()),
        storm_rating_max: Some(generator.storm_rating_max),
        storm_fluctuate_percent: Some(generator.storm_fluctuate_percent.into()),
        wormnets: Some(generator.wormnets.into()),
        wormnet_portals_max: Some(generator.wormnet_portals_max.into()),
        portal_distance_min: Some(generator.portal_distance_min.into()),
        portal_homeworld_distance_min: Some(generator.portal_homeworld_distance_min.into()),
        nebula_homeworld_distance_min: Some(generator.nebula_homeworld_distance_min.into()),
        one_way_percent: Some(generator.one_way_percent.into()),
        ..proto::Options::default()
    }
}

fn read_names(message: &proto::EmpireNames, field: &str) -> Result<EmpireNames, Malformed> {
    Ok(EmpireNames {
        empire: read_name_if(&message.empire, &format!("{field}.empire"))?,
        homeworld: read_name_if(&message.homeworld, &format!("{field}.homeworld"))?,
        starbase: read_name_if(&message.starbase, &format!("{field}.starbase"))?,
    })
}

fn write_names(names: &EmpireNames) -> proto::EmpireNames {
    proto::EmpireNames {
        empire: write_name(names.empire),
        homeworld: write_name(names.homeworld),
        starbase: write_name(names.starbase),
    }
}

fn read_scenario(message: &proto::Galaxy, names: &[EmpireNames]) -> Result<Arc<Scenario>, Malformed> {
    let listed: Vec<Name> = names.iter().map(|names| names.empire).collect();
    let read = read_galaxy(message, &listed, "scenario")?;
    Ok(Arc::new(Scenario { galaxy: read.galaxy, framed: read.framed }))
}

/// Frames that are drawn stay absent.
fn write_scenario(scenario: &Scenario) -> proto::Galaxy {
    let mut galaxy = write_galaxy(&scenario.galaxy);
    for (seat, empire) in scenario.galaxy.seats().zip(&mut galaxy.empires) {
        if !scenario.framed.contains(seat) {
            empire.frame = None;
        }
    }
    galaxy
}
