//! 6.8: offers to share scans.

use heliopause_kernel::offer::{Kind, Slot, ValueId};

use super::{OfferBuilder, extent, number};
use crate::empire::Granted;
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
    let places = builder.sectors(places);
    let crews: Vec<ValueId> = crews.into_iter().map(|index| builder.ships[index]).collect();
    let kinds = builder.names(kinds);
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
    let sectors = builder.lookup.chart.sectors.iter();
    let Some((least, most)) = extent(sectors.map(|row| (row.at, MARGIN))) else { return };
    let o = number("o", "o", least.o.into(), most.o.into());
    let y = number("y", "y", least.y.into(), most.y.into());
    builder.offer("authorize-sector", [o, y, empires]);
}

/// Number of sectors beyond the edge of the map that ships may see at the end of the turn.
const MARGIN: i16 = 20;
