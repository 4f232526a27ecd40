//! 6.4: offers to move, to traverse portals, and to transmit navigation data.

use heliopause_kernel::offer::{Kind, Slot, ValueId};

use super::region::{Region, regions};
use super::{OfferBuilder, extent, number};
use crate::geometry::Coord;
use crate::text::word;

pub(super) fn add_offers(builder: &mut OfferBuilder<'_>) {
    builder.draft.group("Movement");
    let regions = regions(builder);
    let fleets = regions.iter().flat_map(|region| &region.fleets);
    let movers: usize = fleets.map(|(_, ships)| ships.len()).sum();
    for region in regions {
        move_in(builder, &region, movers <= SHIPS_LISTED);
    }
    move_anywhere(builder);
    traverse(builder);
    transmit(builder);
}

/// Maximum number of movers to list individually. Above this number, ships are listed by sector.
const SHIPS_LISTED: usize = 80;

/// 6.4.2: offers one mover per line, because a line with ships from several sectors is rejected.
fn move_in(builder: &mut OfferBuilder<'_>, region: &Region, one_by_one: bool) {
    let mut movers = Vec::new();
    for (at, ships) in &region.fleets {
        if ships.len() > 1 {
            movers.push(builder.draft.value(at.to_string(), ""));
        }
        if one_by_one || ships.len() == 1 {
            movers.extend(ships.iter().map(|&index| builder.ships[index]));
        }
    }
    let goals: Vec<ValueId> = region.goals.iter().map(|&at| builder.place(at)).collect();
    let who = Slot::new("who", "ship", Kind::Pieces(builder.one(&movers)));
    let to = Slot::new("to", "where", Kind::Places(builder.one(&goals)));
    builder.offer("move", [who, to]);
}

/// 6.4.2: adds offers to move to any coordinates within the range of any ship. Ships on board are
/// included, because other lines may unload them.
fn move_anywhere(builder: &mut OfferBuilder<'_>) {
    let lookup = builder.lookup;
    let engines = |&index: &usize| lookup.engines_after_repair(&lookup.ships[index]);
    let ships = builder.crews.clone();
    let reach = |(&at, here): (&Coord, &Vec<usize>)| {
        let range = here.iter().map(engines).max().filter(|&range| range > 0)?;
        Some((at, i16::try_from(range).unwrap_or(i16::MAX)))
    };
    let Some((least, most)) = extent(builder.fleets.iter().filter_map(reach)) else { return };
    let ship = builder.ship(&ships);
    let o = number("o", "o", least.o.into(), most.o.into());
    let y = number("y", "y", least.y.into(), most.y.into());
    builder.offer("move-to", [ship, o, y]);
}

/// 6.4.3: adds offers to traverse portals that ships can reach, to exits with a known connection.
fn traverse(builder: &mut OfferBuilder<'_>) {
    let lookup = builder.lookup;
    let engines = |index: usize| lookup.engines_after_repair(&lookup.ships[index]);
    for row in &lookup.chart.portals {
        let near = |index: usize| {
            let range = engines(index);
            range > 0 && lookup.at(&lookup.ships[index]).distance(row.at) <= u32::from(range)
        };
        let ships = builder.ships_that(near);
        if ships.is_empty() {
            continue;
        }
        let entry = builder.draft.value(word(row.name), "");
        let exits = exits(builder, row.name);
        let ships = builder.ships(&ships);
        let exit = (!exits.is_empty()).then(|| {
            let exits = Kind::Places(builder.one(&exits));
            Slot::new("exit", "leaving at", exits).optional().within(" {}", " to {}")
        });
        let name = word(row.name);
        let fixed = [("entry", name.as_str()), ("exit", "")];
        let fixed = if exit.is_some() { &fixed[..1] } else { &fixed };
        builder.offer_with("traverse", fixed, [ships].into_iter().chain(exit)).at([entry]);
    }
}

fn exits(builder: &mut OfferBuilder<'_>, entry: crate::name::Name) -> Vec<ValueId> {
    let lookup = builder.lookup;
    let Some(entry) = lookup.navigation(entry) else { return Vec::new() };
    let galaxy = &lookup.game.galaxy;
    let exits = galaxy.portal(entry).exits.iter();
    let held = exits.filter(|&&exit| lookup.empire.navigation.contains(exit));
    let mut names: Vec<_> = held.map(|&exit| galaxy.portal(exit).name).collect();
    names.sort_unstable();
    builder.names(names)
}

fn transmit(builder: &mut OfferBuilder<'_>) {
    let lookup = builder.lookup;
    let mut held: Vec<_> =
        lookup.empire.navigation.iter().map(|id| lookup.game.galaxy.portal(id).name).collect();
    held.sort_unstable();
    if held.is_empty() || builder.contacts.is_empty() {
        return;
    }
    let held = builder.names(held);
    let contacts = builder.contacts.clone();
    let portals = Slot::new("portals", "data of", Kind::Places(builder.some(&held)));
    let empires = builder.empires(&contacts);
    builder.offer("transmit", [portals, empires]);
}
