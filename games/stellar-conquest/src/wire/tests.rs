//! Tests that values round-trip through messages and that invalid input is rejected.

use heliopause_kernel::wire::{ROWS_MAX, Read, Write};
use heliopause_kernel::{Game, Seat, SeatSet, Viewer, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::{
    Campaign, Colony, ColonySeen, Event, Fate, Glimpse, Grouping, Hold, Killed, Marker, Occupation,
    Options, OwnEvent, Politics, PoliticsEvent, Post, ShipNumber, Sighting, StellarConquest, Table,
    TableEvent, Variant, War, WarKind,
};
use crate::tables::outer_space::POWERS_MAX;
use crate::tables::{Fleet, Place, ShipKind, Tech};
use crate::testing::{Scene, place, seat, star};

fn sighting() -> Sighting {
    Sighting { at: place("P18"), of: seat(2), fleet: Fleet::new([1, 2, 3, 4, 5]), turn: 7 }
}

/// Creates a game that uses every feature of a position.
pub(crate) fn rich() -> StellarConquest {
    let mut scene = Scene::conquest(3);
    scene.explored(seat(1), "Alcor", 24);
    scene.explored(seat(2), "Hydrae", 44);
    scene.explored(seat(3), "Hydrae", 44);
    scene.explored(seat(1), "Sadir", 12);
    scene.ships(seat(1), "L18", &[(ShipKind::Corvette, 2), (ShipKind::Transport, 3)]);
    scene.ships(seat(2), "P18", &[(ShipKind::Fighter, 1)]);
    scene.ships(seat(3), "Q11", &[(ShipKind::Scout, 2)]);
    let marker = Marker::numbered(3);
    scene.happen(&Event::Own(OwnEvent::Formed {
        seat: seat(1),
        ships: vec![ShipNumber(1)],
        marker,
    }));
    scene.happen(&Event::Table(TableEvent::Grouped {
        groups: Grouping { seat: seat(1), at: place("L18"), groups: 2 },
    }));
    scene.colony(seat(1), "Alcor", 0, |colony| Colony { population: 20, factories: 5, ..colony });
    let hold = Hold::Occupied(Occupation { by: seat(2), waits: true });
    scene.colony(seat(3), "Hydrae", 1, |colony| Colony { control: hold, ..colony });
    scene.owns(seat(1), &[Tech::IndustrialTechnology, Tech::Speed3]);
    scene.owns(seat(2), &[Tech::Fighter]);
    scene.happen(&Event::Table(TableEvent::PostChanged {
        post: Post { seat: seat(1), star: star("Alcor") },
        up: true,
    }));
    scene.happen(&Event::Table(TableEvent::ColonyShown {
        colony: Post { seat: seat(1), star: star("Alcor") },
    }));
    scene.happen(&Event::Own(OwnEvent::Sighted {
        seat: seat(1),
        sighting: Sighting { turn: 1, ..sighting() },
    }));
    let glimpse = Glimpse { number: 1, star: star("Alcor"), of: seat(2), turn: 1 };
    scene.happen(&Event::Own(OwnEvent::Glimpsed { seat: seat(1), glimpse }));
    scene.happen(&Event::GlimpseKept { seat: seat(1), number: 1, sighting: sighting() });
    let seen = ColonySeen {
        owner: seat(3),
        conqueror: Some(seat(2)),
        shield: false,
        bases: None,
        people: None,
        turn: 1,
    };
    scene.happen(&Event::Own(OwnEvent::Surveyed {
        seat: seat(1),
        star: star("Sadir"),
        colonies: [Some(seen), None, None],
    }));
    scene.happen(&Event::Own(OwnEvent::PeopleKilled {
        seat: seat(1),
        killed: Killed { star: star("Alcor"), millions: 2 },
    }));
    assert_eq!(scene.game.check(), Ok(()));
    scene.game
}

#[test]
fn positions_may_omit_derived_values() {
    let game = rich();
    let mut message = game.write_position();
    message.decided.clear();
    message.table.as_mut().unwrap().groups.clear();
    for power in &mut message.powers {
        (power.next_ship, power.next_colony) = (0, 0);
        power.ships.reverse();
        power.colonies.reverse();
        for colony in &mut power.colonies {
            (colony.planet_type, colony.capacity, colony.orbit, colony.mineral_rich) =
                (0, 0, 0, false);
        }
    }
    message.secrets.as_mut().unwrap().decks.clear();
    let read = StellarConquest::read_position(&message).unwrap();
    assert_eq!(read.table(), game.table());
    assert_eq!(read.power(seat(1)), game.power(seat(1)));
    let blue: Vec<u32> =
        read.truth().secrets.decks[0].iter().rev().map(|card| card.number()).collect();
    assert_eq!(blue, (1..=11).collect::<Vec<u32>>());
}

fn table(message: &mut proto::Position) -> &mut proto::Table {
    message.table.as_mut().unwrap()
}

#[test]
fn position_errors_name_the_field() {
    let names = |field: &str, change: fn(&mut proto::Position)| {
        let mut message = rich().write_position();
        change(&mut message);
        assert_eq!(StellarConquest::read_position(&message).unwrap_err().field, field);
    };
    names("table", |message| message.table = None);
    names("table.players", |message| table(message).players = 9);
    names("table.turn", |message| table(message).turn = 45);
    names("table.order[2]", |message| table(message).order = vec![1, 2, 9]);
    names("table.entries[1]", |message| table(message).entries[1] = "Z99".to_owned());
    names("table.stage", |message| table(message).stage = None);
    names("table.fate", |message| table(message).fate = Some(proto::Fate::default()));
    names("table.posts", |message| table(message).posts[0].seat = 2);
    names("powers", |message| message.powers.truncate(2));
    names("powers[0].ships[1].at", |message| message.powers[0].ships[1].at = "Sol".to_owned());
    names("powers[0].ships[1].kind", |message| message.powers[0].ships[1].kind = 77);
    names("powers[0].ships", |message| message.powers[0].ships[1].number = 1);
    names("powers[0].ships", |message| message.powers[0].ships[4].steps = 9);
    names("powers[0].next_ship", |message| message.powers[0].next_ship = u32::MAX);
    names("powers[0].colonies", |message| message.powers[0].colonies[0].population = 0);
    names("powers[0].colonies[0].control", |message| message.powers[0].colonies[0].control = 3);
    names("powers[0].colonies[0].population", |message| {
        message.powers[0].colonies[0].population = 70_000;
    });
    names("powers[1].conquered_colonies", |message| message.powers[1].conquered_colonies.clear());
    names("powers", |message| message.powers[0].sightings[0].seat = 4);
    names("secrets", |message| message.secrets.as_mut().unwrap().decks[0] = 78);
    names("secrets.cards[0].card", |message| message.secrets.as_mut().unwrap().cards[0].card = 79);
    names("decided", |message| message.decided = vec![0; 9]);
}

#[test]
fn lists_from_outside_have_a_limit() {
    let ships = vec![1; ROWS_MAX + 1];
    let kind = Some(proto::order::Kind::Recall(proto::Recall { ships }));
    assert_eq!(
        StellarConquest::read_order(&proto::Order { kind }).unwrap_err().field,
        "recall.ships"
    );
    let colonies = vec![proto::ColonyPlan::default(); crate::state::sheet::LINES_MAX + 1];
    let kind =
        Some(proto::order::Kind::Produce(proto::Produce { colonies, ..proto::Produce::default() }));
    assert_eq!(
        StellarConquest::read_order(&proto::Order { kind }).unwrap_err().field,
        "produce.colonies"
    );
    assert_eq!(
        StellarConquest::read_order(&proto::Order { kind: None }).unwrap_err().field,
        "kind"
    );
}

#[test]
fn views_contain_known_planets_and_the_captains_score() {
    let message = StellarConquest::write_view(&rich().view(Viewer::Seat(seat(1))));
    let charts = message.power.unwrap().charts;
    let alcor = charts.iter().find(|chart| chart.star == "Alcor").unwrap();
    assert_eq!((alcor.card, alcor.planets.len(), alcor.planets[0].capacity), (24, 2, 80));
    assert!(message.score.is_none());
    let fate = Scene::fate().game;
    let score =
        |viewer| StellarConquest::write_view(&fate.view(viewer)).score.map(|score| score.total);
    assert_eq!(score(Viewer::Seat(Fate::captain())), Some(0));
    assert_eq!(score(Viewer::GameMaster), Some(0));
    assert_eq!((score(Viewer::Seat(Fate::pirates())), score(Viewer::Spectator)), (None, None));
}

#[test]
fn place_names_are_read_in_any_case() {
    let read = |name: &str| Place::read(&name.to_owned());
    assert_eq!(read("p18"), Ok(Place::named("P18")));
    assert!(read("").is_err());
    assert_eq!(Option::<Place>::read(&String::new()), Ok(None));
}

fn war() -> War {
    let sides = [SeatSet::one(seat(1)), SeatSet::one(seat(2)).with(seat(4))];
    War { kind: WarKind::Total, sides, truce: true, success: vec![1, 2, 0, 3] }
}

#[test]
fn political_lists_have_a_limit_and_no_duplicate_stars() {
    let mut politics = Politics::default();
    politics.claims[star("Alcor").index()] = Some(seat(2));
    let message: proto::Politics = politics.write();
    let mut twice = message.clone();
    twice.claims.push(twice.claims[0].clone());
    assert_eq!(Politics::read(&twice).unwrap_err().field, "claims");
    let priorities = vec![1; POWERS_MAX + 1];
    let many = proto::Politics { priorities, ..message };
    assert_eq!(Politics::read(&many).unwrap_err().field, "priorities");
}

#[test]
fn space_10_2_positions_have_the_success_of_each_power() {
    for (written, read) in [(vec![], vec![0, 0]), (vec![3], vec![3, 0]), (vec![3, 1], vec![3, 1])] {
        let sides = [SeatSet::one(seat(1)), SeatSet::one(seat(2))];
        let war = Some(War { sides, success: written, ..war() });
        let campaign = Campaign::OuterSpace(Box::new(Politics { war, ..Politics::default() }));
        let table = Table { campaign, ..Table::new(Options::of(Variant::OuterSpace), 2) };
        let table = Table::read(&Write::<proto::Table>::write(&table)).expect("it is read");
        let politics = table.campaign.politics().expect("it is Alone in Outer Space");
        assert_eq!(politics.war.as_ref().unwrap().success, read);
    }
}

#[test]
fn events_with_impossible_seats_are_rejected() {
    let (nobody, sides) = (Seat::at(POWERS_MAX), war().sides);
    let fault = |event| {
        let message = StellarConquest::write_event(&Event::Politics(event));
        StellarConquest::read_event(&message).unwrap_err().to_string()
    };
    let joined = PoliticsEvent::Joined { seat: nobody, against: seat(1) };
    assert_eq!(fault(joined), "politics.joined.seat: expected a seat from 1 to 4");
    let war = War { sides: [SeatSet::one(nobody), sides[1]], ..war() };
    assert_eq!(
        fault(PoliticsEvent::WarBegan(war)),
        "politics.war_began.one_side[0]: expected a seat from 1 to 4"
    );
    let ended = PoliticsEvent::IncidentEnded { pair: [seat(1), nobody] };
    assert_eq!(fault(ended), "politics.incident_ended.seats[1]: expected a seat from 1 to 4");
}
