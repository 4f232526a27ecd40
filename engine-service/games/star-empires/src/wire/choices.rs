//! Choices.

use heliopause_proto::star_empires::v1 as proto;

use super::names::{write_coord, write_hull, write_name, write_names, write_ratings, write_serial, write_serials};
use crate::choices::{Choices, HullChoices, ShipChoices, WorldChoices};

pub(super) fn write(choices: &Choices) -> proto::Choices {
    proto::Choices {
        ships: choices.ships.iter().map(write_ship).collect(),
        worlds: choices.worlds.iter().map(write_world).collect(),
        transmit: write_names(&choices.transmit),
        give: write_names(&choices.give),
        contacts: write_names(&choices.contacts),
        hulls: choices.hulls.iter().map(write_hull_choices).collect(),
    }
}

fn write_ship(ship: &ShipChoices) -> proto::ShipChoices {
    proto::ShipChoices {
        ship: write_serial(ship.ship),
        at: Some(write_coord(ship.at)),
        unload: ship.unload,
        carriers: write_serials(&ship.carriers),
        destruct: ship.destruct,
        targets: write_names(&ship.targets),
        range: ship.range.into(),
        portals: write_names(&ship.portals),
        damage: ship.damage.into(),
    }
}

fn write_world(world: &WorldChoices) -> proto::WorldChoices {
    let build = |&(class, most)| proto::BuildChoice { ship_class: write_name(class), most };
    proto::WorldChoices {
        world: write_name(world.world),
        stockpile: world.stockpile,
        build: world.build.iter().map(build).collect(),
        ship: world.ship,
    }
}

fn write_hull_choices(hull: &HullChoices) -> proto::HullChoices {
    proto::HullChoices {
        hull: write_hull(hull.hull),
        least: Some(write_ratings(hull.least)),
        most: Some(write_ratings(hull.most)),
    }
}
