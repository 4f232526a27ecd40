//! Tests of whole turns of random play.

use crate::play;

use std::collections::BTreeMap;
use std::sync::Arc;

use heliopause_kernel::{
    Actor, CloseCause, Dice, Emitted, Game, Seat, SeatChange, SeatSet, Setup, Viewer, Wire,
};
use heliopause_star_empires::{
    Astronomics, Event, Fate, Item, MasterOrder, Name, ObjectKind, Options, Order, Scenario,
    Sector, StarEmpires,
};
use heliopause_testing::{Rng, seed};
use play::{Watched, begin, master_order, options, own, parsed, sheet, turn};
use proptest::prelude::*;
use prost::Message;

const TURNS: usize = 6;

struct Submission {
    by: Actor,
    orders: Vec<Order>,
}

/// Returns random orders of each empire and of the game master. Immediate orders of the game master
/// are left out, because their effect depends on the sequence of submissions.
fn submissions(watched: &Watched, chance: &mut Rng) -> Vec<Submission> {
    let mut all = Vec::new();
    for seat in Seat::first(watched.seats()) {
        let sheets = (0..=chance.below(2)).map(|_| Order::Sheet(sheet(chance, watched.own(seat))));
        all.push(Submission { by: Actor::Seat(seat), orders: sheets.collect() });
    }
    let galaxy = watched.game.galaxy();
    let orders = (0..chance.below(5)).map(|_| master_order(chance, watched, galaxy));
    let waits = |order: &Order| matches!(order, Order::Master(MasterOrder::Astronomics(_)));
    all.push(Submission { by: Actor::GameMaster, orders: orders.filter(waits).collect() });
    all
}

fn bytes(game: &StarEmpires) -> Vec<u8> {
    game.write_position().encode_to_vec()
}

fn event_bytes(told: &Emitted<Event>, watched: &Watched) -> Vec<Vec<u8>> {
    watched
        .views()
        .flat_map(|(viewer, _)| told.to(viewer))
        .map(|event| StarEmpires::write_event(event).encode_to_vec())
        .collect()
}

proptest! {
    #![proptest_config(heliopause_testing::cases(24))]

    /// Notes 1: only the last sheet of each empire counts.
    #[test]
    fn a_turn_does_not_depend_on_the_order_of_submission(number in any::<u64>(), empires in 2_usize..=5) {
        let mut chance = Rng::new(number);
        let options = Options { automatic_victory: None, last_turn: None, ..options(&mut chance) };
        let mut watched = begin(number, empires, options);
        for _ in 0..TURNS {
            let mut all = submissions(&watched, &mut chance);
            let mut ends = Vec::new();
            for round in 0..4 {
                let mut again = Watched::of(watched.game.clone(), watched.dice.clone());
                match round {
                    0 | 1 => {}
                    2 => all.reverse(),
                    _ => {
                        let by = chance.below(all.len());
                        all.rotate_left(by);
                    }
                }
                for Submission { by, orders } in &all {
                    for order in orders {
                        let _ = again.submit(*by, order);
                    }
                }
                let told = again.close(CloseCause::Deadline);
                ends.push((bytes(&again.game), event_bytes(&told, &again), again));
            }
            let (game, told, _) = &ends[0];
            for (other, retold, _) in &ends[1..] {
                prop_assert!(game == other && told == retold);
            }
            watched = ends.swap_remove(0).2;
        }
    }

    /// Without a name, sentences would fall back to the player's name.
    #[test]
    fn every_empire_in_an_event_has_a_name_for_its_reader(number in any::<u64>(), empires in 2_usize..=5) {
        let mut chance = Rng::new(number);
        let options = options(&mut chance);
        let mut watched = begin(number, empires, options);
        for _ in 0..6 {
            if watched.game.outcome().is_some() {
                break;
            }
            let told = turn(&mut watched, &mut chance);
            for told in &told {
                let Some(reader) = told.audience.reader() else { continue };
                let called = |seat: Seat| {
                    let called = watched.game.seat_name(seat, reader);
                    called.unwrap_or_else(|| panic!("{reader:?} is told of {seat}: {:?}", told.event))
                };
                StarEmpires::describe(&told.event, &called);
            }
            for seat in Seat::first(empires) {
                for other in Seat::first(empires) {
                    let known = own(&watched, seat).empires.iter().find(|seen| seen.seat == other);
                    let known = known.map(|seen| seen.name.to_string().replace('_', " "));
                    prop_assert_eq!(watched.game.seat_name(other, Viewer::Seat(seat)), known);
                    prop_assert_eq!(watched.game.seat_name(other, Viewer::Spectator), None);
                }
            }
        }
    }

    /// Some empires lack worlds, ships, ship names or players. In the end there are no worlds.
    #[test]
    fn empires_without_possessions_cause_no_panic(number in any::<u64>(), empires in 3_usize..=6) {
        play_with_empty_empires(number, empires);
    }
}

#[test]
fn empires_without_possessions_can_be_given_a_world() {
    let mut chance = Rng::new(3);
    let mut watched = with_empty_empires(3, 3, &mut chance);
    let galaxy = watched.game.galaxy();
    let worlds = galaxy.worlds.iter().filter(|world| world.owner.is_none());
    let gifts = worlds.zip(galaxy.empires.iter().filter(|empire| empire.is_homeless()));
    let gifts =
        gifts.map(|(world, empire)| format!("MODIFYWORLD {} 7 50 {}", world.name, empire.name));
    for gift in gifts.collect::<Vec<_>>() {
        let order = parsed(watched.view(Viewer::GameMaster), &gift);
        watched.submit(Actor::GameMaster, &order).expect("a world and an empire");
    }
    (0..TURNS).for_each(|_| drop(turn(&mut watched, &mut chance)));
}

fn play_with_empty_empires(number: u64, empires: usize) {
    let mut chance = Rng::new(number);
    let mut watched = with_empty_empires(number, empires, &mut chance);
    let homeless = |watched: &Watched| {
        watched.game.galaxy().empires.iter().filter(|it| it.is_homeless()).count()
    };
    assert_eq!(homeless(&watched), empires - 1, "all but the first begin without a world");
    for number in 0..TURNS {
        if watched.game.outcome().is_some() {
            return;
        }
        if number == TURNS / 2 {
            let names = watched.game.galaxy().worlds.iter().map(|world| world.name).collect();
            let order = Astronomics::RemoveObjects { kind: ObjectKind::World, names };
            let _ =
                watched.submit(Actor::GameMaster, &Order::Master(MasterOrder::Astronomics(order)));
        }
        let seat = Seat::at(chance.below(empires));
        let change = if chance.one_in(2) { SeatChange::Abandoned } else { SeatChange::Taken };
        watched.change_seat(seat, change);
        turn(&mut watched, &mut chance);
    }
}

fn with_empty_empires(number: u64, empires: usize, chance: &mut Rng) -> Watched {
    let options = Options { automatic_victory: None, last_turn: None, ..options(chance) };
    let mut galaxy = begin(number, empires, options.clone()).game.galaxy().clone();
    for seat in Seat::first(empires).skip(1) {
        for world in galaxy.worlds.iter_mut().filter(|world| world.owner == Some(seat)) {
            world.owner = None;
        }
        let empire = &mut galaxy.empires[seat.index()];
        (empire.homeworld, empire.last_homeworld) = (None, None);
        if chance.one_in(2) {
            galaxy.ships.retain(|ship| ship.owner != seat);
        }
        let at = Sector::new(chance.below(5) as i16, chance.below(5) as i16);
        for ship in galaxy.ships.iter_mut().filter(|ship| ship.owner == seat) {
            (ship.name, ship.at) = (Name::NONE, at);
        }
    }
    let scenario = Some(Arc::new(Scenario { galaxy, framed: SeatSet::EMPTY }));
    let mut dice = Dice::new(seed(number));
    let setup = Setup { options: Options { scenario, ..options }, players: empires };
    let (game, _) = StarEmpires::new(&setup, &mut dice).expect("who has nothing may play");
    Watched::of(game, dice)
}

/// Counts the deeds of the seat's ships, its gains and losses, and the lines that were not refused.
fn count(tally: &mut BTreeMap<String, usize>, seat: Seat, told: &Emitted<Event>) {
    for event in told.to(Viewer::Seat(seat)) {
        let Event::Reported { report, .. } = event else { continue };
        let done = report.results.iter().filter(|result| result.fate != Fate::Refused);
        let done = done.map(|_| "done".to_owned());
        let news = report.news.iter().filter_map(|news| match news.item {
            Item::Ship { ship, kind, .. } => (ship.owner == seat).then(|| format!("{kind:?}")),
            Item::Owner { to: Some(to), .. } if to == seat => Some("captured".to_owned()),
            Item::Owner { from: Some(from), .. } if from == seat => Some("lost".to_owned()),
            Item::Homeworld { .. } => Some("relocated".to_owned()),
            _ => None,
        });
        for kind in done.chain(news) {
            *tally.entry(kind).or_default() += 1;
        }
    }
}

/// Random play must exercise the rules, so these fixed games must have enough combat.
#[test]
fn random_play_has_battles_captures_and_losses() {
    let mut tally = BTreeMap::new();
    for number in 0..24 {
        let mut chance = Rng::new(number);
        let options = Options { automatic_victory: None, last_turn: None, ..options(&mut chance) };
        let mut watched = begin(number, 3 + number as usize % 3, options);
        for _ in 0..10 {
            let told = turn(&mut watched, &mut chance);
            Seat::first(watched.seats()).for_each(|seat| count(&mut tally, seat, &told));
        }
    }
    let often = "Unloaded Loaded Fired Collateral Destroyed SelfDestructed AutoRepaired Departed \
        Arrived EnteredPortal LeftPortal StormDamage DestroyedByStorm Built Toggled relocated";
    let least = [("Hit", 50), ("captured", 100), ("lost", 50), ("done", 1_000)];
    for (kind, least) in often.split_whitespace().map(|kind| (kind, 5)).chain(least) {
        let found = tally.get(kind).copied().unwrap_or(0);
        assert!(found >= least, "{kind}: {found} of {tally:?}");
    }
}
