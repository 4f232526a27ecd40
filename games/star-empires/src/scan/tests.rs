//! Tests of maps, reports and contact lists.

use heliopause_kernel::{Game, SeatSet, Viewer};

use crate::chart::{Chart, SectorSeen, Status};
use crate::geometry::Coord;
use crate::report::Item;
use crate::testing::{Site, name};

const EAST: (i16, i16) = (3, 0);

fn chart<'a>(site: &'a Site, empire: &str) -> &'a Chart {
    &site.game.knowledge[site.seat(empire).index()].chart
}

fn sector(site: &Site, empire: &str, (o, y): (i16, i16)) -> Option<SectorSeen> {
    chart(site, empire).sector(Coord::new(o, y)).copied()
}

fn status(site: &Site, empire: &str, at: (i16, i16)) -> Option<Status> {
    sector(site, empire, at).map(|row| row.status)
}

fn clear_contacts(site: &mut Site) {
    for empire in &mut site.galaxy().empires {
        (empire.contacts, empire.known_empires) = Default::default();
    }
}

fn met(site: &Site, empire: &str, other: &str) -> bool {
    site.game.galaxy.empire(site.seat(empire)).contacts.contains(site.seat(other))
}

#[test]
fn contacts_come_from_own_scans_only() {
    let mut site = Site::new(3);
    site.ships("A", "Eye", "probe", (0, 0));
    site.ships("B", "Fox", "gunship", EAST);
    site.ships("C", "Owl", "gunship", (0, 0));
    clear_contacts(&mut site);
    let told = site.close();
    assert!(!met(&site, "A", "B"), "a ship that does not identify itself is nobody's");
    assert!(met(&site, "A", "C") && met(&site, "C", "A"));
    let mut view = site.game.view(Viewer::Seat(site.seat("A")));
    let contact = |report: &crate::report::Report| {
        report.news.iter().filter(|news| matches!(news.item, Item::Contact { .. })).count()
    };
    assert_eq!(contact(&view.own().unwrap().report), 1);
    assert!(told.to(Viewer::Seat(site.seat("A"))).count() == 2);
    site.galaxy().ships.iter_mut().for_each(|ship| ship.public = true);
    site.close();
    view = site.game.view(Viewer::Seat(site.seat("A")));
    assert!(met(&site, "A", "B"));
    assert_eq!(contact(&view.own().unwrap().report), 1);
}

#[test]
fn r55_a_picture_does_not_reveal_where_a_ship_went() {
    let mut site = Site::new(2);
    site.ships("B", "Guard", "battleship", EAST);
    site.ships("B", "Rover", "gunship", EAST);
    site.ships("A", "Eye", "probe", EAST);
    site.orders("B", ["FIRE Guard AT A", "MOVE Rover TO (4,0)"]);
    site.close();
    let [picture] = &site.game.knowledge[0].report.last_scans[..] else { panic!("one picture") };
    let places: Vec<_> = picture.seen.ships.iter().map(|row| (row.name, row.at)).collect();
    let at = picture.seen.sectors[0].at;
    assert_eq!(places, [(name("Eye"), at), (name("Guard"), at), (name("Rover"), at)]);
}

#[test]
fn situation_73_a_signed_message_makes_a_contact_and_an_anonymous_one_does_not() {
    let mut site = Site::new(2);
    let (one, two) = (site.seat("A"), site.seat("B"));
    site.galaxy().empires[1].contacts = SeatSet::EMPTY;
    assert!(site.game.press(one, two, true).is_ok() && site.game.press(two, one, true).is_err());
    assert!(site.game.message_delivered(one, two, true).is_empty());
    assert!(!met(&site, "B", "A"));
    let mut view = site.game.view(Viewer::Seat(two));
    let told = site.game.message_delivered(one, two, false);
    assert!(met(&site, "B", "A") && site.game.press(two, one, false).is_ok());
    for event in told.to(Viewer::Seat(two)) {
        crate::StarEmpires::update(&mut view, event);
    }
    assert_eq!(view, site.game.view(Viewer::Seat(two)));
    assert!(site.game.message_delivered(one, two, false).is_empty(), "a contact is made once");
    assert_eq!(
        told.to(Viewer::Seat(one)).count(),
        0,
        "the sender is not told what they did not know"
    );
}

#[test]
fn a_former_owner_knows_that_its_world_is_lost() {
    let mut site = Site::new(2);
    site.world("Ember", EAST, "A", 5, 7);
    site.ships("A", "Guard", "battleship", EAST);
    site.close();
    assert_eq!(chart(&site, "A").world_at(Coord::new(3, 0)).unwrap().owner, Some(site.seat("A")));
    site.galaxy().ships[0].at = crate::geometry::Sector::new(9, 9);
    site.galaxy().worlds[0].owner = None;
    site.close();
    let world = chart(&site, "A").world_at(Coord::new(3, 0)).unwrap();
    assert_eq!((world.owner, world.stockpile), (None, None));
    assert_eq!(status(&site, "A", EAST), Some(Status::Stale));
}

#[test]
fn r60_memory_of_a_removed_object_stays_until_the_sector_is_scanned_again() {
    let mut site = Site::new(2);
    site.world("Ember", EAST, "", 5, 7);
    site.ships("A", "Eye", "probe", (0, 0));
    site.close();
    site.galaxy().ships[0].at = crate::geometry::Sector::new(20, 20);
    site.close();
    site.galaxy().worlds.clear();
    site.close();
    let row = *chart(&site, "A").world_at(Coord::new(3, 0)).unwrap();
    assert_eq!((row.production, row.stockpile), (5, None));
    site.galaxy().ships[0].at = crate::geometry::Sector::new(0, 0);
    site.close();
    assert!(chart(&site, "A").world_at(Coord::new(3, 0)).is_none());
}
