//! 6.8: offers to share scans.

use heliopause_kernel::offer::{Kind, Slot, ValueId};

use super::{OfferBuilder, number};
use crate::empire::Granted;
use crate::geometry::Coord;
use crate::text::word;

pub(super) fn add_offers(builder: &mut OfferBuilder<'_>) {
    builder.draft.group("Scanning");
    deny(builder);
    authorize(builder);
}

fn deny(builder: &mut OfferBuilder<'_>) {
    let lookup = builder.lookup;
    let galaxy = &lookup.game.galaxy;
    let frame = lookup.empire.frame;
    let (mut all, mut some) = (Vec::new(), Vec::new());
    let (mut places, mut crews, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    for grant in
        lookup.empire.grants.iter().filter(|grant| lookup.empire.contacts.contains(grant.to))
    {
        let to = builder.draft.value(word(galaxy.empire(grant.to).name), "");
        all.push(to);
        let Granted::Some { sectors, ships, classes } = &grant.scans else { continue };
        some.push(to);
        places.extend(sectors.iter().map(|&sector| frame.local(sector)));
        crews.extend(ships.iter().filter_map(|serial| lookup.ship(serial.to_name())));
        kinds.extend(classes.iter().map(|&class| galaxy.class(class).name));
    }
    if all.is_empty() {
        return;
    }
    let empires = builder.empires(&all);
    builder.offer("deny", [empires]);
    places.sort_unstable();
    kinds.sort_unstable();
    crews.sort_unstable();
    let places: Vec<ValueId> =
        places.into_iter().map(|at| builder.draft.value(at.to_string(), "")).collect();
    let crews: Vec<ValueId> = crews.into_iter().map(|index| builder.ships[index]).collect();
    let kinds: Vec<ValueId> =
        kinds.into_iter().map(|name| builder.draft.value(word(name), "")).collect();
    let picks = [places, crews, kinds]
        .map(super::distinct)
        .map(|list| (!list.is_empty()).then(|| builder.some(&list)));
    let [places, crews, kinds] = picks;
    let kinds = [
        ("deny-some/sectors", places.map(Kind::Places)),
        ("deny-some/ships", crews.map(Kind::Pieces)),
        ("deny-some/classes", kinds.map(Kind::Words)),
    ];
    for (name, kind) in kinds {
        let Some(kind) = kind else { continue };
        let empires = builder.empires(&some);
        builder.offer(name, [Slot::new("what", "what", kind), empires]);
    }
}

/// 6.8.2: adds offers to share scans. Sectors off the map are included, because ships may see them
/// later.
fn authorize(builder: &mut OfferBuilder<'_>) {
    if builder.contacts.is_empty() {
        return;
    }
    let contacts = builder.contacts.clone();
    let empires = builder.empires(&contacts);
    builder.offer("authorize", [empires.clone()]);
    let (ships, classes) = (builder.crews.clone(), builder.classes.clone());
    if !ships.is_empty() {
        let ships = builder.ships(&ships);
        builder.offer("authorize-ships", [ships, empires.clone()]);
    }
    if !classes.is_empty() {
        let classes = Slot::new("classes", "classes", Kind::Words(builder.some(&classes)));
        builder.offer("authorize-classes", [classes, empires.clone()]);
    }
    let Some((least, most)) = extent(builder) else { return };
    let o = number("o", "o", least.o.into(), most.o.into());
    let y = number("y", "y", least.y.into(), most.y.into());
    builder.offer("authorize-sector", [o, y, empires]);
}

/// Number of sectors beyond the edge of the map that ships may see at the end of the turn.
const MARGIN: i16 = 20;

fn extent(builder: &OfferBuilder<'_>) -> Option<(Coord, Coord)> {
    let at = || builder.lookup.chart.sectors.iter().map(|row| row.at);
    let least = Coord::new(at().map(|at| at.o).min()?, at().map(|at| at.y).min()?);
    let most = Coord::new(at().map(|at| at.o).max()?, at().map(|at| at.y).max()?);
    let low = |number: i16| number.saturating_sub(MARGIN);
    let high = |number: i16| number.saturating_add(MARGIN);
    Some((Coord::new(low(least.o), low(least.y)), Coord::new(high(most.o), high(most.y))))
}
