//! Choices.

use heliopause_kernel::Listed;
use heliopause_proto::stellar_conquest::v1 as proto;

use super::battle::write_shots;
use super::names::{write_if, write_names, write_planet, write_ship_numbers, write_techs, write_unit_ids, write_word};
use super::order;
use super::politics::AREAS;
use super::sheet::{ITEMS, write_payment, write_production as write_production_sheet};
use crate::battle::UnitId;
use crate::campaign::outer_space::DecreeColony;
use crate::choices::{
    AlikeTargets, Choices, ColonyChoices, LandingChoices, ProductionChoices, RaidChoices, RouteChoice, VoyageChoices,
    WithdrawChoices,
};
use crate::order::Order;

pub(super) fn write(choices: &Choices) -> proto::Choices {
    let kill = |&(planet, millions): &(crate::cards::PlanetId, u16)| proto::KillChoices {
        planet: Some(write_planet(planet)),
        millions: u32::from(millions),
    };
    proto::Choices {
        listed: choices.listed.iter().map(write_listed).collect(),
        setup: choices.setup.as_ref().map(|(points, technologies)| proto::SetupChoices {
            points: *points,
            technologies: write_techs(technologies.iter().copied()),
        }),
        voyages: choices.voyages.iter().map(write_voyage).collect(),
        posts: write_names(&choices.posts),
        aims: choices.aims.iter().map(write_aim).collect(),
        withdraw: choices.withdraw.as_ref().map(write_withdraw),
        attacks: choices.attacks.iter().copied().map(write_planet).collect(),
        scuttle: choices.scuttle.iter().copied().map(order::write_factories).collect(),
        raze: choices.raze.iter().copied().map(order::write_factories).collect(),
        kill: choices.kill.iter().map(kill).collect(),
        landings: choices.landings.iter().map(write_landing).collect(),
        production: choices.production.as_ref().map(write_production),
        recall: choices.recall.as_ref().map(|(ships, half_points)| proto::RecallChoices {
            ships: write_ship_numbers(ships),
            half_points: *half_points,
        }),
        prescribed: choices.prescribed.as_ref().map(|prescribed| proto::PrescribedChoices {
            shots: write_shots(&prescribed.shots),
            alike: prescribed.alike.iter().map(write_group).collect(),
        }),
        raids: choices.raids.iter().map(write_raid).collect(),
        places: choices.places.as_ref().map(|places| proto::PlaceChoices {
            places: write_names(&places.places),
            destinations: write_names(&places.destinations),
        }),
        decree: choices.decree.as_ref().map(|decree| proto::DecreeChoices {
            colonies: decree.colonies.iter().map(write_decree_colony).collect(),
            usual: Some(write_production_sheet(&decree.usual)),
            posts: write_names(&decree.posts),
        }),
    }
}

fn write_raid(raid: &RaidChoices) -> proto::RaidChoices {
    proto::RaidChoices {
        from_star: raid.from.to_string(),
        ships: write_ship_numbers(&raid.ships),
        targets: write_names(&raid.targets),
    }
}

fn write_decree_colony(colony: &DecreeColony) -> proto::DecreeColony {
    proto::DecreeColony {
        planet: Some(write_planet(colony.planet)),
        output: colony.output,
        emigrants: u32::from(colony.emigrants),
        bonus: u32::from(colony.bonus),
        least: colony.least,
        most: colony.most,
        areas: colony.areas.iter().map(|&area| write_word(&AREAS, area)).collect(),
        weapons: colony.weapons.iter().map(|&item| write_word(&ITEMS, item)).collect(),
        shield: colony.shield,
    }
}

fn write_listed(listed: &Listed<Order>) -> proto::ListedOrder {
    proto::ListedOrder {
        order: Some(order::write(&listed.order)),
        label: listed.label.clone(),
        rule: listed.rule.to_owned(),
    }
}

fn write_voyage(voyage: &VoyageChoices) -> proto::VoyageChoices {
    proto::VoyageChoices {
        ships: write_ship_numbers(&voyage.ships),
        at: write_if(voyage.at),
        routes: voyage.routes.iter().map(write_route).collect(),
        reach: write_names(&voyage.reach),
    }
}

fn write_route(route: &RouteChoice) -> proto::RouteChoice {
    proto::RouteChoice {
        destination: write_if(route.destination),
        path: write_names(&route.path),
        turns: u32::from(route.turns),
        safe: route.safe.map(|safe| safe as u32),
        round_clouds: route.round_clouds,
    }
}

fn write_aim((unit, targets): &(UnitId, Vec<(UnitId, u8)>)) -> proto::AimChoices {
    let target =
        |&(unit, hits): &(UnitId, u8)| proto::TargetChoice { unit: u32::from(unit.0), hits_of_36: u32::from(hits) };
    proto::AimChoices { unit: u32::from(unit.0), targets: targets.iter().map(target).collect() }
}

fn write_withdraw(withdraw: &WithdrawChoices) -> proto::WithdrawChoices {
    proto::WithdrawChoices {
        units: write_unit_ids(&withdraw.units),
        forced: withdraw.forced,
        destinations: write_names(&withdraw.destinations),
    }
}

fn write_landing(landing: &LandingChoices) -> proto::LandingChoices {
    proto::LandingChoices {
        ships: write_ship_numbers(&landing.ships),
        planet: Some(write_planet(landing.planet)),
        fewest: landing.fewest,
        most: landing.most,
        room: landing.room,
    }
}

fn write_production(production: &ProductionChoices) -> proto::ProductionChoices {
    proto::ProductionChoices {
        colonies: production.colonies.iter().map(write_colony).collect(),
        research: production.research.iter().copied().map(write_payment).collect(),
        posts: write_names(&production.posts),
        grant: production.grant,
    }
}

fn write_colony(colony: &ColonyChoices) -> proto::ColonyChoices {
    let item = |&(item, count): &(crate::prices::Item, u32)| proto::Build { item: write_word(&ITEMS, item), count };
    proto::ColonyChoices {
        planet: Some(write_planet(colony.planet)),
        output: colony.output,
        emigrants: u32::from(colony.emigrants),
        bonus_limit: u32::from(colony.bonus_limit),
        items: colony.items.iter().map(item).collect(),
        evacuate: colony.evacuate,
    }
}

fn write_group(alike: &AlikeTargets) -> proto::UnitGroup {
    proto::UnitGroup { by: write_unit_ids(&alike.guns), targets: write_unit_ids(&alike.ships) }
}
