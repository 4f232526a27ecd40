//! Situations 63, 64 and 67 to 73.

use heliopause_kernel::{Game, SeatSet, Viewer};

use crate::chart::{Chart, FleetSeen, SectorSeen, Status, rows_at};
use crate::empire::{Grant, Granted};
use crate::geometry::Coord;
use crate::objects::Pattern;
use crate::reason::Reason;
use crate::report::Item;
use crate::testing::{Site, line, name};

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

/// Foreign ships in a sector of a map: names of those on short-range scan, and the count of each
/// fleet, with its class or a question mark.
fn sighted(site: &Site, empire: &str, (o, y): (i16, i16)) -> String {
    let (chart, at) = (chart(site, empire), Coord::new(o, y));
    let ships = rows_at(&chart.ships, at).iter();
    let ships = ships.map(|row| format!("{}{}", row.name, if row.wreck { "+" } else { "" }));
    let fleet = |row: &FleetSeen| {
        let class = row.identity.map_or("?".to_owned(), |(_, class)| class.to_string());
        format!("{}x{class}", row.count)
    };
    let fleets = rows_at(&chart.fleets, at).iter().map(fleet);
    ships.chain(fleets).collect::<Vec<_>>().join(" ")
}

fn grant_all(site: &mut Site, from: &str, to: &str) {
    let to = site.seat(to);
    let grants = &mut site.empire(from).grants;
    grants.push(Grant { to, scans: Granted::All });
    grants.sort_by_key(|grant| grant.to);
}

/// Nobody knows anybody.
fn strangers(site: &mut Site) {
    for empire in &mut site.galaxy().empires {
        (empire.contacts, empire.heard_of) = Default::default();
    }
}

fn met(site: &Site, empire: &str, other: &str) -> bool {
    site.game.galaxy.empire(site.seat(empire)).contacts.contains(site.seat(other))
}

#[test]
fn rule_6_8_3_of_two_last_sights_the_later_counts_whoever_had_it() {
    let mut site = Site::new(3);
    strangers(&mut site);
    grant_all(&mut site, "B", "A");
    site.world("Ember", EAST, "B", 4, 0);
    site.storm("Rage", EAST, 3, Pattern::Constant);
    site.ships("B", "Guard", "gunship", EAST);
    site.ships("A", "Eye", "probe", EAST);
    site.ships("C", "Lion", "battleship", EAST);
    site.orders("C", [line::fire("Lion", "B")]).play();
    let shown = rows_at(&chart(&site, "A").worlds, Coord::new(EAST.0, EAST.1))[0];
    assert_eq!(
        shown.owner, None,
        "B's ship was lost before 6.3.6, and A's saw what that made of the world"
    );
    assert!(!sector(&site, "A", EAST).unwrap().shared);
}

/// A is the reader and B the owner of the private ship `Fox`; C is somebody else. Makes the states
/// of notes 8.8.
fn transponder(state: &str) -> impl Fn(&mut Site) {
    move |site: &mut Site| {
        let (reader, other) = (site.seat("A"), site.seat("C"));
        let ship = &mut site.galaxy().ships[0];
        match state {
            "public" => ship.public = true,
            "identified" => ship.identified.insert(reader).then_some(()).unwrap(),
            "other identified" => ship.identified.insert(other).then_some(()).unwrap(),
            "concealed" => ship.concealed.insert(reader).then_some(()).unwrap(),
            _ => {}
        }
    }
}

#[test]
fn situation_63_rows_of_notes_8_8() {
    let rows = [
        ("public", "1xbattleship", "Fox"),
        ("identified", "1xbattleship", "Fox"),
        ("neutral", "1x?", "Fox"),
        ("other identified", "1x?", ""),
        ("concealed", "1x?", ""),
    ];
    for (state, on_scan, shared) in rows {
        let set = transponder(state);
        // A's own long-range scan.
        let mut site = Site::new(3);
        site.ships("B", "Fox", "battleship", EAST);
        site.ships("A", "Eye", "probe", (0, 0));
        set(&mut site);
        site.close();
        assert_eq!(sighted(&site, "A", EAST), on_scan, "{state}, own scan");
        // B shares with A, whose own scan shows nothing there.
        let mut site = Site::new(3);
        site.ships("B", "Fox", "battleship", EAST);
        set(&mut site);
        grant_all(&mut site, "B", "A");
        site.close();
        assert_eq!(sighted(&site, "A", EAST), shared, "{state}, shared by its owner");
        let row = sector(&site, "A", EAST).unwrap();
        assert!(row.status == Status::Visible && row.shared);
        // Both: a ship is never counted twice, and a hidden one stays unidentified tonnage.
        site.ships("A", "Eye", "probe", (0, 0));
        site.close();
        let both = if shared.is_empty() { on_scan } else { shared };
        assert_eq!(sighted(&site, "A", EAST), both, "{state}, own scan and shared");
        // R54: C, who stands beside it, passes on what C sees, whatever the transponder says
        // towards A.
        let mut site = Site::new(3);
        site.ships("B", "Fox", "battleship", EAST);
        site.ships("C", "Owl", "carrier", EAST);
        set(&mut site);
        grant_all(&mut site, "C", "A");
        site.close();
        assert_eq!(sighted(&site, "A", EAST), "Fox Owl", "{state}, shared by a third party");
    }
}

#[test]
fn r54_a_third_party_shares_its_long_range_scan_as_it_sees_it() {
    let mut site = Site::new(3);
    site.ships("B", "Fox", "battleship", EAST);
    site.ships("C", "Owl", "probe", (0, 0));
    transponder("other identified")(&mut site);
    grant_all(&mut site, "C", "A");
    site.close();
    assert_eq!(sighted(&site, "A", EAST), "1xbattleship", "it identifies itself to C");
    assert_eq!(status(&site, "A", EAST), Some(Status::Scanned));
}

#[test]
fn situation_64_public_ships_cannot_be_concealed_and_sets_survive_public_mode() {
    let mut site = Site::new(2);
    site.ships("A", "Lion", "battleship", (0, 0));
    site.galaxy().ships[0].public = true;
    site.orders("A", [line::conceal("Lion", "B")]);
    let played = site.play();
    assert_eq!(played.said("A", 0), format!("Lion {}", Reason::TransponderPublic));
    site.orders("A", [line::toggle(false, "Lion"), line::identify("Lion", "B")]);
    site.play();
    site.orders("A", [line::toggle(true, "Lion")]);
    site.play();
    site.orders("A", [line::toggle(false, "Lion")]);
    site.play();
    let (ship, reader) = (site.ship("A", "Lion"), site.seat("B"));
    assert!(!ship.public && ship.identified.contains(reader));
}

#[test]
fn situation_67_a_nebula_hides_what_it_holds_and_nothing_behind_it() {
    let mut site = Site::new(2);
    site.ships("A", "Eye", "probe", (0, 0));
    site.storm("Mist", (2, 0), 0, Pattern::Constant);
    site.ships("B", "Fox", "gunship", (2, 0));
    site.ships("B", "Owl", "gunship", EAST);
    site.close();
    assert_eq!(sighted(&site, "A", EAST), "1x?");
    assert_eq!(sighted(&site, "A", (2, 0)), "");
    let hidden = sector(&site, "A", (2, 0)).unwrap();
    assert_eq!((hidden.status, hidden.obscured, hidden.scanned), (Status::Stale, true, None));
    assert_eq!(rows_at(&chart(&site, "A").storms, Coord::new(2, 0))[0].name, name("Mist"));
    assert_eq!(status(&site, "A", EAST), Some(Status::Scanned));
}

#[test]
fn situation_68_a_dormant_storm_blinds_like_a_nebula() {
    let mut site = Site::new(2);
    site.ships("A", "Eye", "probe", (0, 0));
    site.storm("Gale", (0, 0), 0, Pattern::Cyclic(Box::new([-3])));
    site.close();
    let seen: Vec<Status> = chart(&site, "A").sectors.iter().map(|row| row.status).collect();
    assert_eq!(seen, [Status::Visible]);
}

#[test]
fn situation_69_cargo_adds_nothing_to_unidentified_tonnage() {
    let mut site = Site::new(2);
    site.ships("A", "Eye", "probe", (0, 0));
    site.ships("B", "Base", "station", EAST);
    site.ships("B", "Wasp", "fighter", EAST);
    site.load("B", "Wasp", "Base");
    site.close();
    let fleets = rows_at(&chart(&site, "A").fleets, Coord::new(3, 0)).to_vec();
    assert_eq!(fleets, [FleetSeen { at: Coord::new(3, 0), identity: None, count: 1, tonnage: 20 }]);
}

#[test]
fn situation_70_what_was_shared_is_not_passed_on() {
    let mut site = Site::new(3);
    site.ships("A", "Lion", "battleship", EAST);
    grant_all(&mut site, "A", "B");
    grant_all(&mut site, "B", "C");
    site.close();
    assert_eq!(status(&site, "B", EAST), Some(Status::Visible));
    assert_eq!(status(&site, "C", EAST), None);
    // R56: when A sees it no more, B's memory is not passed on either.
    site.galaxy().ships[0].at = crate::geometry::Sector::new(9, 9);
    site.close();
    assert_eq!(status(&site, "B", EAST), Some(Status::Stale));
    assert_eq!(status(&site, "C", EAST), None);
}

#[test]
fn situation_71_shared_scans_name_owners_but_make_no_contact() {
    let mut site = Site::new(4);
    site.world("Ember", EAST, "C", 5, 0);
    site.ships("C", "Guard", "battleship", EAST);
    site.ships("A", "Eye", "probe", (0, 0));
    strangers(&mut site);
    grant_all(&mut site, "A", "B");
    site.close();
    let world = *chart(&site, "B").world_at(Coord::new(3, 0)).unwrap();
    assert_eq!(
        (world.owner, world.stockpile.is_some(), world.siege),
        (Some(site.seat("C")), true, None)
    );
    assert!(!met(&site, "B", "C") && met(&site, "A", "C"));
    let (from, to) = (site.seat("B"), site.seat("C"));
    assert_eq!(site.game.press(from, to, false).unwrap_err().reason, "no-contact");
    let view = site.game.view(Viewer::Seat(from));
    let names: Vec<_> =
        view.own().unwrap().empires.iter().map(|seen| (seen.name, seen.contact)).collect();
    assert_eq!(
        names,
        ["A", "B", "C"].map(|seen| (name(seen), false)),
        "names are known, but not D's"
    );
}

#[test]
fn contacts_come_from_own_scans_only() {
    let mut site = Site::new(3);
    site.ships("A", "Eye", "probe", (0, 0));
    site.ships("B", "Fox", "gunship", EAST);
    site.ships("C", "Owl", "gunship", (0, 0));
    strangers(&mut site);
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
fn r55_a_picture_does_not_tell_where_a_ship_went_afterwards() {
    let mut site = Site::new(2);
    site.ships("B", "Guard", "battleship", EAST);
    site.ships("B", "Rover", "gunship", EAST);
    site.ships("A", "Eye", "probe", EAST);
    site.orders("B", [line::fire("Guard", "A"), line::go("Rover", (4, 0))]);
    site.close();
    let [picture] = &site.game.knowledge[0].report.pictures[..] else { panic!("one picture") };
    let places: Vec<_> = picture.seen.ships.iter().map(|row| (row.name, row.at)).collect();
    let at = picture.seen.sectors[0].at;
    assert_eq!(places, [(name("Eye"), at), (name("Guard"), at), (name("Rover"), at)]);
}

#[test]
fn situation_72_a_lost_ship_shows_its_sector_as_it_was_when_it_was_lost() {
    let mut site = Site::new(2);
    site.world("Ember", EAST, "B", 5, 50);
    site.ships("B", "Guard", "battleship", EAST);
    site.ships("A", "Eye", "probe", EAST);
    site.orders("B", [line::fire("Guard", "A"), line::build("Ember", "1", "gunship", "Late")]);
    site.close();
    assert!(site.find("A", "Eye").is_none() && site.find("B", "Late").is_some());
    let report = &site.game.knowledge[0].report;
    let [picture] = &report.pictures[..] else { panic!("one picture: {:?}", report.pictures) };
    assert_eq!(picture.section, "6.3.4".parse().unwrap());
    let names: Vec<_> = picture.seen.ships.iter().map(|row| (row.name, row.wreck)).collect();
    assert_eq!(names, [(name("Eye"), true), (name("Guard"), false)]);
    assert_eq!(picture.seen.worlds[0].stockpile, Some(50));
    let row = sector(&site, "A", EAST).unwrap();
    assert_eq!((row.status, row.scanned), (Status::Stale, Some(1)));
    assert_eq!(sighted(&site, "A", EAST), "");
    let world = chart(&site, "A").world_at(Coord::new(3, 0)).unwrap();
    assert_eq!(
        (world.name, world.owner, world.stockpile),
        (name("Ember"), Some(site.seat("B")), None)
    );
}

#[test]
fn situation_73_a_signed_message_makes_a_contact_and_an_anonymous_one_does_not() {
    let mut site = Site::new(2);
    let (one, two) = (site.seat("A"), site.seat("B"));
    site.galaxy().empires[1].contacts = SeatSet::EMPTY;
    assert!(site.game.press(one, two, true).is_ok() && site.game.press(two, one, true).is_err());
    assert!(site.game.messaged(one, two, true).is_empty());
    assert!(!met(&site, "B", "A"));
    let mut view = site.game.view(Viewer::Seat(two));
    let told = site.game.messaged(one, two, false);
    assert!(met(&site, "B", "A") && site.game.press(two, one, false).is_ok());
    for event in told.to(Viewer::Seat(two)) {
        crate::StarEmpires::update(&mut view, event);
    }
    assert_eq!(view, site.game.view(Viewer::Seat(two)));
    assert!(site.game.messaged(one, two, false).is_empty(), "a contact is made once");
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
