//! 6.8: who may see what ships see.

use heliopause_kernel::offer::{Kind, Slot, ValueId, Weight};

use super::{Teller, number};
use crate::empire::Granted;
use crate::geometry::Coord;
use crate::order::Phase;
use crate::text::word;

pub(super) fn tell(teller: &mut Teller<'_>) {
    teller.draft.group("Scanning");
    deny(teller);
    authorize(teller);
}

/// 6.8.1: what was granted before.
fn deny(teller: &mut Teller<'_>) {
    let knows = teller.knows;
    let galaxy = &knows.game.galaxy;
    let frame = knows.empire.frame;
    let (mut all, mut some) = (Vec::new(), Vec::new());
    let (mut places, mut crews, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    for grant in knows.empire.grants.iter().filter(|grant| knows.empire.contacts.contains(grant.to))
    {
        let to = teller.draft.value(word(galaxy.empire(grant.to).name), "");
        all.push(to);
        let Granted::Some { sectors, ships, classes } = &grant.scans else { continue };
        some.push(to);
        places.extend(sectors.iter().map(|&sector| frame.local(sector)));
        crews.extend(ships.iter().filter_map(|serial| knows.ship(serial.to_name())));
        kinds.extend(classes.iter().map(|&class| galaxy.class(class).name));
    }
    if all.is_empty() {
        return;
    }
    let empires = teller.empires(&all);
    teller
        .say(Phase::Deny, "deny", "DENY ALL TO {empires}", "Show {empires} nothing any more")
        .slot(empires);
    places.sort_unstable();
    kinds.sort_unstable();
    crews.sort_unstable();
    let places: Vec<ValueId> =
        places.into_iter().map(|at| teller.draft.value(at.to_string(), "")).collect();
    let crews: Vec<ValueId> = crews.into_iter().map(|index| teller.ships[index]).collect();
    let kinds: Vec<ValueId> =
        kinds.into_iter().map(|name| teller.draft.value(word(name), "")).collect();
    let picks = [places, crews, kinds]
        .map(super::distinct)
        .map(|list| (!list.is_empty()).then(|| teller.some(&list)));
    let [places, crews, kinds] = picks;
    let kinds = [
        (
            places.map(Kind::Places),
            "DENY {what} TO {empires}",
            "Do not show {empires} sectors {what} any more",
        ),
        (
            crews.map(Kind::Pieces),
            "DENY {what} TO {empires}",
            "Do not show {empires} what {what} see any more",
        ),
        (
            kinds.map(Kind::Words),
            "DENY CLASS {what} TO {empires}",
            "Do not show {empires} what classes {what} see any more",
        ),
    ];
    for (kind, notation, label) in kinds {
        let Some(kind) = kind else { continue };
        let empires = teller.empires(&some);
        teller
            .say(Phase::Deny, "deny-some", notation, label)
            .slot(Slot::new("what", "what", kind))
            .slot(empires);
    }
}

/// 6.8.2. Sectors are any on the map and around it: ships see more when the turn is over.
fn authorize(teller: &mut Teller<'_>) {
    if teller.contacts.is_empty() {
        return;
    }
    let contacts = teller.contacts.clone();
    let empires = teller.empires(&contacts);
    let offer = teller.say(
        Phase::Authorize,
        "authorize",
        "AUTHORIZE ALL TO {empires}",
        "Show {empires} all that is seen",
    );
    offer.slot(empires.clone());
    let (ships, classes) = (teller.crews.clone(), teller.classes.clone());
    if !ships.is_empty() {
        let ships = teller.ships(&ships);
        let label = "Show {empires} what {ships} see";
        let offer = teller.say(
            Phase::Authorize,
            "authorize-ships",
            "AUTHORIZE {ships} TO {empires}",
            label,
        );
        offer.slot(ships).slot(empires.clone()).weighs(Weight::Minor);
    }
    if !classes.is_empty() {
        let classes = Slot::new("classes", "classes", Kind::Words(teller.some(&classes)));
        let label = "Show {empires} what all of {classes} see";
        let offer = teller.say(
            Phase::Authorize,
            "authorize-classes",
            "AUTHORIZE CLASS {classes} TO {empires}",
            label,
        );
        offer.slot(classes).slot(empires.clone()).weighs(Weight::Minor);
    }
    let Some((least, most)) = extent(teller) else { return };
    let o = number("o", "o", least.o.into(), most.o.into());
    let y = number("y", "y", least.y.into(), most.y.into());
    let label = "Show {empires} sector ({o},{y})";
    let offer =
        teller.say(Phase::Authorize, "authorize-sector", "AUTHORIZE ({o},{y}) TO {empires}", label);
    offer.slot(o).slot(y).slot(empires).weighs(Weight::Minor);
}

/// How far around the map ships may see at the end of the turn.
const BEYOND: i16 = 20;

/// The corners of the map, and some way beyond it.
fn extent(teller: &Teller<'_>) -> Option<(Coord, Coord)> {
    let at = || teller.knows.chart.sectors.iter().map(|row| row.at);
    let least = Coord::new(at().map(|at| at.o).min()?, at().map(|at| at.y).min()?);
    let most = Coord::new(at().map(|at| at.o).max()?, at().map(|at| at.y).max()?);
    let low = |number: i16| number.saturating_sub(BEYOND);
    let high = |number: i16| number.saturating_add(BEYOND);
    Some((Coord::new(low(least.o), low(least.y)), Coord::new(high(most.o), high(most.y))))
}
