//! Whole turns of random play: they run the same however the sheets came in, empires that have
//! nothing break nothing, and there is as much war in them as the other tests need.

use crate::play;

use std::collections::BTreeMap;
use std::sync::Arc;

use heliopause_kernel::{
    Actor, Dice, Emitted, Game, Seat, SeatChange, SeatSet, Setup, Viewer, Wire,
};
use heliopause_star_empires::{
    Astronomics, Deed, Event, Item, MasterOrder, Name, ObjectKind, Options, Order, Scenario,
    Sector, StarEmpires,
};
use play::{Chance, Watched, master_order, options, seed, sheet};
use proptest::prelude::*;
use prost::Message;

const TURNS: usize = 6;

/// What one who takes part hands in for a turn, last sheet last.
struct Handed {
    by: Actor,
    orders: Vec<Order>,
}

/// What all hand in for a turn. What the game master does at once would come before or after the
/// others' orders, so here the master only gives orders that wait.
fn handed(watched: &Watched, chance: &mut Chance) -> Vec<Handed> {
    let mut all = Vec::new();
    for seat in Seat::first(watched.empires()) {
        let sheets = (0..=chance.below(2)).map(|_| Order::Sheet(sheet(chance, watched.own(seat))));
        all.push(Handed { by: Actor::Seat(seat), orders: sheets.collect() });
    }
    let orders =
        (0..chance.below(5)).map(|_| Order::Master(master_order(chance, watched.game.galaxy())));
    let waits = |order: &Order| matches!(order, Order::Master(MasterOrder::Astronomics(_)));
    all.push(Handed { by: Actor::GameMaster, orders: orders.filter(waits).collect() });
    all
}

fn bytes(game: &StarEmpires) -> Vec<u8> {
    game.write_position().encode_to_vec()
}

/// Everything that an update tells anybody, as it goes over the wire.
fn told_bytes(told: &Emitted<Event>, empires: usize) -> Vec<Vec<u8>> {
    let viewers = play::viewers(empires).into_iter();
    viewers
        .flat_map(|viewer| told.to(viewer))
        .map(|event| StarEmpires::write_event(event).encode_to_vec())
        .collect()
}

proptest! {
    #![proptest_config(heliopause_testing::cases(24))]

    /// Notes 1: repeating an update from the same input gives the same result; and the input is the
    /// last sheet of each empire, whoever handed in first.
    #[test]
    fn a_turn_runs_the_same_in_whatever_order_the_sheets_come_in(number in any::<u64>(), empires in 2_usize..=5) {
        let mut chance = Chance(number);
        let options = Options { automatic_victory: None, last_turn: None, ..options(&mut chance) };
        let mut watched = Watched::new(number, empires, options);
        for _ in 0..TURNS {
            let mut all = handed(&watched, &mut chance);
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
                for Handed { by, orders } in &all {
                    for order in orders {
                        again.submit(*by, order);
                    }
                }
                let told = again.close();
                ends.push((bytes(&again.game), told_bytes(&told, empires), again));
            }
            let (game, told, _) = &ends[0];
            for (other, retold, _) in &ends[1..] {
                prop_assert!(game == other && told == retold);
            }
            watched = ends.swap_remove(0).2;
        }
    }

    /// Empires without worlds, without ships and without even a place where a homeworld was; ships
    /// without names; seats that nobody plays; and in the end no world for anybody.
    #[test]
    fn who_has_nothing_breaks_nothing(number in any::<u64>(), empires in 3_usize..=6) {
        have_nothing(number, empires);
    }
}

/// By this number the game master gives every pauper a world before the end.
#[test]
fn who_has_nothing_breaks_nothing_and_may_come_by_a_world() {
    have_nothing(9_579_664_602_986_682_502, 3);
}

fn have_nothing(number: u64, empires: usize) {
    let mut chance = Chance(number);
    let mut watched = with_paupers(number, empires, &mut chance);
    let homeless = |watched: &Watched| {
        watched.game.galaxy().empires.iter().filter(|it| it.is_homeless()).count()
    };
    assert_eq!(homeless(&watched), empires - 1, "all but the first begin without a world");
    for turn in 0..TURNS {
        if watched.game.outcome().is_some() {
            return;
        }
        if turn == TURNS / 2 {
            let names = watched.game.galaxy().worlds.iter().map(|world| world.name).collect();
            let order = Astronomics::RemoveObjects { kind: ObjectKind::World, names };
            watched.submit(Actor::GameMaster, &Order::Master(MasterOrder::Astronomics(order)));
        }
        let seat = Seat::at(chance.below(empires));
        let change = if chance.one_in(2) { SeatChange::Abandoned } else { SeatChange::Taken };
        let told = watched.game.seat_changed(seat, change);
        watched.follow(&told);
        watched.turn(&mut chance);
    }
}

/// A galaxy in which most empires have nothing, or nothing but a few ships without names.
fn with_paupers(number: u64, empires: usize, chance: &mut Chance) -> Watched {
    let options = Options { automatic_victory: None, last_turn: None, ..options(chance) };
    let mut galaxy = Watched::new(number, empires, options.clone()).game.galaxy().clone();
    for seat in Seat::first(empires).skip(1) {
        for world in galaxy.worlds.iter_mut().filter(|world| world.owner == Some(seat)) {
            world.owner = None;
        }
        let empire = &mut galaxy.empires[seat.index()];
        (empire.homeworld, empire.last_homeworld) = (None, None);
        // Its starbase goes, or stands somewhere in space.
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

/// How often ships had which part, worlds changed hands, and empires lost their homeworld.
#[derive(Default)]
struct Chronicle {
    deeds: BTreeMap<Deed, usize>,
    captured: usize,
    lost: usize,
    relocated: usize,
    done: usize,
    refused: usize,
}

impl Chronicle {
    fn note(&mut self, seat: Seat, told: &Emitted<Event>) {
        for event in told.to(Viewer::Seat(seat)) {
            let Event::Reported { report, .. } = event else { continue };
            for result in &report.results {
                match result.fate {
                    heliopause_star_empires::Fate::Refused => self.refused += 1,
                    _ => self.done += 1,
                }
            }
            for news in &report.news {
                match news.item {
                    Item::Ship { ship, deed, .. } if ship.owner == seat => {
                        *self.deeds.entry(deed).or_default() += 1;
                    }
                    Item::Owner { to: Some(to), .. } if to == seat => self.captured += 1,
                    Item::Owner { from: Some(from), .. } if from == seat => self.lost += 1,
                    Item::Homeworld { .. } => self.relocated += 1,
                    _ => {}
                }
            }
        }
    }

    fn count(&self, deed: Deed) -> usize {
        self.deeds.get(&deed).copied().unwrap_or(0)
    }
}

/// Random play is worth as much as what happens in it: here are fixed games, and they are not
/// peaceful.
#[test]
fn random_play_has_battles_captures_and_losses() {
    let mut chronicle = Chronicle::default();
    for number in 0..24 {
        let mut chance = Chance(number);
        let options = Options { automatic_victory: None, last_turn: None, ..options(&mut chance) };
        let mut watched = Watched::new(number, 3 + number as usize % 3, options);
        for _ in 0..10 {
            let told = watched.turn(&mut chance);
            Seat::first(watched.empires()).for_each(|seat| chronicle.note(seat, &told));
        }
    }
    let Chronicle { captured, lost, relocated, done, refused, .. } = chronicle;
    println!("{:?}", chronicle.deeds);
    println!(
        "{captured} captured, {lost} lost, {relocated} relocated; {done} lines done, {refused} \
         refused"
    );
    for deed in [
        Deed::Unloaded,
        Deed::Loaded,
        Deed::Fired,
        Deed::Hit,
        Deed::Collateral,
        Deed::Destroyed,
        Deed::SelfDestructed,
        Deed::AutoRepaired,
        Deed::Departed,
        Deed::Arrived,
        Deed::EnteredPortal,
        Deed::LeftPortal,
        Deed::StormDamage,
        Deed::DestroyedByStorm,
        Deed::Built,
        Deed::Toggled,
    ] {
        assert!(chronicle.count(deed) >= 5, "{deed:?}: {}", chronicle.count(deed));
    }
    assert!(chronicle.count(Deed::Hit) >= 50, "{} hits", chronicle.count(Deed::Hit));
    assert!(
        captured >= 100 && lost >= 50 && relocated >= 5,
        "{captured} captured, {lost} lost, {relocated} relocated"
    );
    assert!(done >= 1_000, "{done} lines done, {refused} refused");
}
