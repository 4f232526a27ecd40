//! 6.4: ships move, and go through portals; what is known of portals is passed on.

use heliopause_kernel::offer::{Kind, Slot, ValueId, Weight};

use super::field::{Field, fields};
use super::{Teller, number};
use crate::geometry::Coord;
use crate::order::Phase;
use crate::text::word;

pub(super) fn tell(teller: &mut Teller<'_>) {
    teller.draft.group("Movement");
    let fields = fields(teller);
    let movers =
        fields.iter().flat_map(|field| &field.fleets).map(|(_, ships)| ships.len()).sum::<usize>();
    for field in fields {
        move_in(teller, &field, movers <= SHIPS_LISTED);
    }
    move_anywhere(teller);
    traverse(teller);
    transmit(teller);
}

/// So many ships are listed one by one as those that move; if there are more, all of a sector go
/// together.
const SHIPS_LISTED: usize = 80;

/// 6.4.2, what moves in a field: all that is loose in a sector, or a ship. Ships of several sectors
/// in one line are rejected, so it is one of them.
fn move_in(teller: &mut Teller<'_>, field: &Field, one_by_one: bool) {
    let mut movers = Vec::new();
    for (at, ships) in &field.fleets {
        if ships.len() > 1 {
            movers.push(teller.draft.value(at.to_string(), ""));
        }
        if one_by_one || ships.len() == 1 {
            movers.extend(ships.iter().map(|&index| teller.ships[index]));
        }
    }
    let goals: Vec<ValueId> = field.goals.iter().map(|&at| teller.place(at)).collect();
    let who = Slot::new("who", "who", Kind::Pieces(teller.one(&movers)));
    let to = Slot::new("to", "to", Kind::Places(teller.one(&goals)));
    teller
        .say(Phase::Move, "move", "MOVE {who} TO {to}", "{who} moves to {to}")
        .slot(who)
        .slot(to)
        .weighs(Weight::Main);
}

/// 6.4.2, to any sector within reach of any ship, by its coordinates; ships that are on board, too,
/// as other lines may unload them. What has no engines is among them, as a list is sent once for
/// all sentences about ships.
fn move_anywhere(teller: &mut Teller<'_>) {
    let knows = teller.knows;
    let engines = |index: usize| knows.engines_when_moving(&knows.ships[index]);
    let ships = teller.crews.clone();
    let Some((least, most)) = extent(teller, engines) else { return };
    let ship = teller.ship(&ships);
    let o = number("o", "o", least.o.into(), most.o.into());
    let y = number("y", "y", least.y.into(), most.y.into());
    let offer = teller.say(
        Phase::Move,
        "move-to",
        "MOVE {ship} TO ({o},{y})",
        "{ship} moves to sector ({o},{y})",
    );
    offer.slot(ship).slot(o).slot(y).weighs(Weight::Minor);
}

/// The corners of all that ships can reach.
fn extent(teller: &Teller<'_>, engines: impl Fn(usize) -> u16) -> Option<(Coord, Coord)> {
    let mut corners: Option<(Coord, Coord)> = None;
    for (at, here) in &teller.fleets {
        let range = here.iter().map(|&index| engines(index)).max().unwrap_or(0);
        if range == 0 {
            continue;
        }
        let range = range.min(i16::MAX.cast_unsigned()).cast_signed();
        let low = Coord::new(at.o.saturating_sub(range), at.y.saturating_sub(range));
        let high = Coord::new(at.o.saturating_add(range), at.y.saturating_add(range));
        let (least, most) = corners.unwrap_or((low, high));
        let least = Coord::new(least.o.min(low.o), least.y.min(low.y));
        corners = Some((least, Coord::new(most.o.max(high.o), most.y.max(high.y))));
    }
    corners
}

/// 6.4.3: portals that ships can reach by a move of this turn, or are at. The exit is one to which
/// the way is known.
fn traverse(teller: &mut Teller<'_>) {
    let knows = teller.knows;
    let engines = |index: usize| knows.engines_when_moving(&knows.ships[index]);
    for row in &knows.chart.portals {
        let near = |index: usize| {
            let range = engines(index);
            range > 0 && knows.at(&knows.ships[index]).distance(row.at) <= u32::from(range)
        };
        let ships = teller.ships_that(near);
        if ships.is_empty() {
            continue;
        }
        let entry = teller.draft.value(word(row.name), "");
        let exits = exits(teller, row.name);
        let ships = teller.ships(&ships);
        let notation = format!("TRAVERSE {{ships}} THROUGH {}{{exit}}", word(row.name));
        let notation = if exits.is_empty() { notation.replace("{exit}", "") } else { notation };
        let slot = (!exits.is_empty()).then(|| {
            let exits = Kind::Places(teller.one(&exits));
            Slot::new("exit", "leaving at", exits).optional().within(" {}", " to {}")
        });
        let label = if slot.is_some() {
            "{ships} go through the portal{exit}"
        } else {
            "{ships} go through the portal"
        };
        let offer = teller.say(Phase::Traverse, "traverse", notation, label);
        offer.slot(ships).at([entry]);
        if let Some(slot) = slot {
            offer.slot(slot);
        }
    }
}

/// The portals to which the way from an entry is known, by name.
fn exits(teller: &mut Teller<'_>, entry: crate::name::Name) -> Vec<ValueId> {
    let knows = teller.knows;
    let Some(entry) = knows.navigation(entry) else { return Vec::new() };
    let galaxy = &knows.game.galaxy;
    let held = galaxy
        .portal(entry)
        .exits
        .iter()
        .copied()
        .filter(|&exit| knows.empire.navigation.contains(exit));
    let mut names: Vec<_> = held.map(|exit| galaxy.portal(exit).name).collect();
    names.sort_unstable();
    names.into_iter().map(|name| teller.draft.value(word(name), "")).collect()
}

/// 6.4.1.
fn transmit(teller: &mut Teller<'_>) {
    let knows = teller.knows;
    let mut held: Vec<_> =
        knows.empire.navigation.iter().map(|id| knows.game.galaxy.portal(id).name).collect();
    held.sort_unstable();
    if held.is_empty() || teller.contacts.is_empty() {
        return;
    }
    let held: Vec<ValueId> =
        held.into_iter().map(|name| teller.draft.value(word(name), "")).collect();
    let contacts = teller.contacts.clone();
    let portals = Slot::new("portals", "data of", Kind::Places(teller.some(&held)));
    let empires = teller.empires(&contacts);
    let label = "Pass the data of {portals} on to {empires}";
    teller
        .say(Phase::Transmit, "transmit", "TRANSMIT {portals} TO {empires}", label)
        .slot(portals)
        .slot(empires);
}
