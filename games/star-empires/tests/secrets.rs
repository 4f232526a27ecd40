//! Tests that facts unknown to an empire have no effect on it over whole updates. Two galaxies that
//! differ only in such facts are played side by side, and the empire receives the same events in
//! both.
//!
//! In a normal game, hidden things may become visible over time. Here they are too far away or
//! never act.

use crate::play;

use heliopause_kernel::wire::Write;
use heliopause_kernel::{
    Actor, CloseCause, Dice, Emitted, Game, Seat, SeatChange, Setup, Viewer, Wire,
};
use heliopause_proto::star_empires::v1 as proto;
use heliopause_star_empires::{
    Event, Galaxy, Insight, Line, Options, Order, Ratings, STOCK, Sector, Serial, Sheet, ShipSeen,
    StarEmpires, Strength, View, stock,
};
use heliopause_testing::{Rng, seed};
use play::{Watched, name, own, parsed, sheet};
use proptest::prelude::*;
use prost::Message;
use proto::StormPattern;

const TURNS: usize = 7;

/// Two neighboring empires. In registration order they are between the others, so that foreign
/// ships, lines and dice rolls come before and after theirs.
const NEAR: [usize; 2] = [1, 2];
/// Two empires in a region that the others never reach.
const FAR: [usize; 2] = [0, 3];
const AWAY: Sector = Sector::new(400, 150);

/// A galaxy under construction. Positions may omit what follows from the rest.
struct Site {
    galaxy: proto::Galaxy,
    chance: Rng,
}

const CODES: [&str; 4] = ["QA", "QB", "QC", "QD"];

impl Site {
    fn new(number: u64) -> Self {
        let empire = |(index, code): (usize, &str)| proto::Empire {
            name: format!("Realm{index}"),
            code: code.into(),
            ..proto::Empire::default()
        };
        let empires = CODES.into_iter().enumerate().map(empire).collect();
        let galaxy = proto::Galaxy { empires, ..proto::Galaxy::default() };
        Self { galaxy, chance: Rng::new(number) }
    }

    fn ship(&mut self, owner: usize, class: &str, at: Sector) -> &mut proto::Ship {
        let serial = format!("{}{:05x}", CODES[owner], self.galaxy.ships.len());
        let (owner, ship_class) = (Seat::at(owner).number(), class.to_owned());
        let at = Some(at.write());
        let ship = proto::Ship { owner, serial, ship_class, at, ..proto::Ship::default() };
        self.galaxy.ships.push(ship);
        self.galaxy.ships.last_mut().expect("it was added")
    }

    fn any_ship(&mut self, owner: usize, at: Sector) {
        let class = stock()[1 + self.chance.below(STOCK - 1)].name;
        self.ship(owner, class.as_str(), at);
    }

    fn world(&mut self, name: String, at: Sector, owner: u32) {
        let production = 1 + self.chance.below(9) as u32;
        let (at, stockpile) = (Some(at.write()), 3 * production);
        self.galaxy.worlds.push(proto::World { name, at, production, stockpile, owner, siege: 0 });
    }

    /// Places two empires and random objects around them. Names in a region start with its letter.
    fn settle(&mut self, seats: [usize; 2], center: Sector, letter: char) {
        let homes = [Sector::new(center.o - 2, center.y), Sector::new(center.o + 1, center.y + 1)];
        for (&seat, home) in seats.iter().zip(homes) {
            self.world(format!("{letter}home{seat}"), home, Seat::at(seat).number());
            self.galaxy.empires[seat].homeworld = format!("{letter}home{seat}");
            self.ship(seat, "starbase", home);
            for _ in 0..6 {
                let step = self.chance.below(3) as i16;
                let portal = Sector::new(center.o + step, center.y - step);
                let at = if self.chance.one_in(2) { home } else { portal };
                self.any_ship(seat, at);
            }
        }
        for (index, at) in center.within(4).enumerate().filter(|(_, at)| !homes.contains(at)) {
            match self.chance.below(9) {
                0 | 1 => self.world(format!("{letter}w{index}"), at, 0),
                2 => self.storm(format!("{letter}s{index}"), at),
                _ => {}
            }
        }
        for index in 0..3 {
            let at = Some(Sector::new(center.o + index, center.y - index).write());
            let exits = (0..3).filter(|&exit| exit != index).map(|exit| format!("{letter}p{exit}"));
            let (name, exits) = (format!("{letter}p{index}"), exits.collect());
            self.galaxy.portals.push(proto::Portal { name, at, exits, ..proto::Portal::default() });
        }
    }

    fn storm(&mut self, name: String, at: Sector) {
        let (rating, at) = (self.chance.below(4) as u32, Some(at.write()));
        let kinds = [StormPattern::Constant, StormPattern::Random, StormPattern::Cyclic];
        let pattern = self.chance.pick(&kinds);
        let steps = if pattern == StormPattern::Cyclic { vec![2, -3] } else { Vec::new() };
        let (initial_rating, pattern) = (rating, pattern.into());
        self.galaxy.storms.push(proto::Storm { name, at, rating, initial_rating, pattern, steps });
    }

    /// Starts the game from a position. A scenario would be an option and therefore public. Victory
    /// by half of the production is off, because it would depend on hidden worlds.
    fn play(self, number: u64, local_frames: bool) -> Watched {
        let public = Options { local_frames, portal_collapse_percent: 20, ..Options::default() };
        let (message, scenario) = (StarEmpires::write_options(&public), Some(self.galaxy));
        let options = proto::Options { scenario, ..message.clone() };
        let options = StarEmpires::read_options(&options).expect("a galaxy that can be played");
        let mut dice = Dice::new(seed(number));
        let setup = Setup { options, players: CODES.len() };
        let (game, _) = StarEmpires::new(&setup, &mut dice).expect("a galaxy that can be played");
        let position = proto::Position { options: Some(message), ..game.write_position() };
        let game = StarEmpires::read_position(&position).expect("it holds together");
        Watched::of(game, dice)
    }
}

fn two_parts(near: u64, far: u64) -> Watched {
    let mut site = Site::new(near);
    site.settle(NEAR, Sector::CENTER, 'n');
    site.chance = Rng::new(far);
    site.settle(FAR, AWAY, 'f');
    for _ in 0..site.chance.below(20) {
        site.any_ship(FAR[0], AWAY);
    }
    site.play(near, !near.is_multiple_of(3))
}

/// Returns the near region as a galaxy. The game master's orders for the region are made from it.
fn near_part(galaxy: &Galaxy) -> Galaxy {
    let mut part = galaxy.clone();
    let is_near = |at: Sector| at.distance(Sector::CENTER) < 100;
    part.empires = NEAR.iter().map(|&seat| galaxy.empires[seat].clone()).collect();
    part.worlds.retain(|world| is_near(world.at));
    part.portals.retain(|portal| is_near(portal.at));
    part.storms.retain(|storm| is_near(storm.at));
    part.classes.retain(|class| !class.name.as_str().starts_with("far"));
    part
}

fn far_order(chance: &mut Rng, watched: &Watched) -> Order {
    let (number, y) = (chance.number() % 100_000, AWAY.y - chance.below(9) as i16);
    let orders = [
        format!("ADDSTORM {AWAY} far{number} 3 RANDOM"),
        format!("ADDPORTAL {AWAY} far{number} COLLAPSED 1"),
        format!("ADDWORLD ({},{y}) far{number} 9 40", AWAY.o + 9),
        format!("ADDSHIP {AWAY} Realm0 {} battleship 5 PUBLIC far*", 1 + chance.below(30)),
    ];
    parsed(watched.view(Viewer::GameMaster), &chance.pick(&orders))
}

/// Returns a random sheet of a far empire. Its new classes have other names than those of near
/// empires, because a taken name can be discovered (R38).
fn far_sheet(chance: &mut Rng, watched: &Watched, seat: Seat) -> Sheet {
    let mut sheet = sheet(chance, watched.own(seat));
    for line in &mut sheet.lines {
        if let Line::Design { class, .. } = line {
            *class = name(&format!("far{class}"));
        }
    }
    sheet
}

fn event_bytes(told: &Emitted<Event>, viewer: Viewer) -> Vec<Vec<u8>> {
    told.to(viewer).map(|event| StarEmpires::write_event(event).encode_to_vec()).collect()
}

/// Returns the briefing, and separately the strengths that only default orders use (8.0, R67).
fn briefing(watched: &Watched, seat: Seat) -> (View, Vec<Strength>) {
    let mut view = watched.game.briefing(seat);
    let Insight::Empire(own) = &mut view.insight else { panic!("a seat has an empire") };
    let strengths = std::mem::take(&mut own.strengths);
    (view, strengths)
}

fn abandon(watched: &mut Watched, seat: Seat) {
    watched.change_seat(seat, SeatChange::Abandoned);
}

fn assert_same(one: &Watched, other: &Watched, viewer: Viewer) {
    let bytes =
        |watched: &Watched| StarEmpires::write_view(&watched.game.view(viewer)).encode_to_vec();
    assert!(one.game.view(viewer) == other.game.view(viewer), "{viewer:?}");
    assert!(bytes(one) == bytes(other), "{viewer:?}");
    let Viewer::Seat(seat) = viewer else { return };
    for watched in [one, other] {
        let (told, strengths) = briefing(watched, seat);
        assert!(
            told == watched.game.view(viewer),
            "{viewer:?}: a lease carries the view, and strengths"
        );
        assert!(
            strengths.is_empty() || own(watched, seat).status.abandoned_turns > 0,
            "only if it is abandoned"
        );
    }
    assert!(one.game.offers(seat) == other.game.offers(seat), "{viewer:?}");
    assert_eq!(one.game.pending(), other.game.pending());
    assert_eq!(one.game.progress(), other.game.progress());
    for to in Seat::first(4) {
        assert_eq!(one.game.press(seat, to, false), other.game.press(seat, to, false));
    }
}

/// Submits an order in both games. Results must be equal, and events for the viewers in `blind`.
fn submit_both(sides: &mut [Watched; 2], by: Actor, order: &Order, blind: &[Viewer]) {
    let [one, other] = sides;
    assert_eq!(one.game.judge(by, order), other.game.judge(by, order), "{order:?}");
    assert_eq!(one.game.preview(by, order), other.game.preview(by, order), "{order:?}");
    assert_eq!(one.submit(by, order).err(), other.submit(by, order).err(), "{order:?}");
    for &viewer in blind {
        assert_same(one, other, viewer);
    }
}

proptest! {
    #![proptest_config(heliopause_testing::cases(24))]

    #[test]
    fn distant_events_reveal_nothing(near in any::<u64>(), far in any::<[u64; 2]>()) {
        prop_assume!(far[0] != far[1]);
        let blind: Vec<Viewer> = NEAR.iter().map(|&seat| Viewer::Seat(Seat::at(seat))).chain([Viewer::Spectator]).collect();
        let mut sides = far.map(|far| two_parts(near, far));
        // Default orders play one empire. They use the true strength of ships around it.
        let gone = Seat::at(NEAR[(near % 2) as usize]);
        for side in &mut sides {
            abandon(side, gone);
        }
        let mut chance = Rng::new(near ^ 0xface);
        let mut far = far.map(Rng::new);
        for _ in 0..TURNS {
            // Orders of the game master run in sequence. Those for the near region come first.
            for _ in 0..chance.below(4) {
                let near = near_part(sides[0].game.galaxy());
                let order = play::master_order(&mut chance, &sides[0], &near);
                submit_both(&mut sides, Actor::GameMaster, &order, &blind);
            }
            for seat in NEAR.map(Seat::at) {
                let sheet = sheet(&mut chance, sides[0].own(seat));
                submit_both(&mut sides, Actor::Seat(seat), &Order::Sheet(sheet), &blind);
            }
            for (side, far) in sides.iter_mut().zip(&mut far) {
                for _ in 0..far.below(3) {
                    let order = far_order(far, side);
                    let _ = side.submit(Actor::GameMaster, &order);
                }
                for seat in FAR.map(Seat::at) {
                    let sheet = far_sheet(far, side, seat);
                    let _ = side.submit(Actor::Seat(seat), &Order::Sheet(sheet));
                }
            }
            let told = sides.each_mut().map(|side| side.close(CloseCause::Deadline));
            for &viewer in &blind {
                prop_assert!(event_bytes(&told[0], viewer) == event_bytes(&told[1], viewer), "{:?}", viewer);
                assert_same(&sides[0], &sides[1], viewer);
            }
            prop_assert!(briefing(&sides[0], gone) == briefing(&sides[1], gone), "the lease tells \
                nothing of it");
        }
        let hidden = |seat: usize| sides.each_ref().map(|side| side.game.view(Viewer::Seat(Seat::at(seat))));
        let [one, other] = hidden(FAR[0]);
        prop_assert!(one != other, "the games did differ");
    }
}

/// Returns a game where the neighbor has a ship of an unknown class and, if `hides`, secrets.
fn with_neighbor(number: u64, hides: bool, guarded: bool) -> Watched {
    let neighbor = NEAR[1];
    let mut site = Site::new(number);
    site.settle(NEAR, Sector::CENTER, 'n');
    let ratings = if hides { Ratings::new(70, 90, 7, 9, 12) } else { Ratings::new(1, 2, 0, 0, 12) };
    site.galaxy.classes.push(proto::ShipClass {
        name: "riddle".to_owned(),
        hull: proto::Hull::Gunship.into(),
        ratings: Some(ratings.write()),
        tonnage: 33,
        cost: 20,
        unbuildable: false,
    });
    // The sector must have no world to hold or besiege, and no storm to damage the ship.
    let free = |galaxy: &proto::Galaxy, at: Sector| {
        let at = Some(at.write());
        galaxy.worlds.iter().all(|world| world.at != at)
            && galaxy.storms.iter().all(|storm| storm.at != at)
    };
    let mut near = Sector::CENTER.within(3);
    let beside = near.find(|at| free(&site.galaxy, *at)).expect("there is an empty sector");
    if guarded {
        site.ship(NEAR[0], "station", beside);
        let mut near = Sector::CENTER.within(4);
        let far = near.find(|at| at.distance(beside) >= 2 && free(&site.galaxy, *at));
        site.ship(neighbor, "riddle", far.expect("there is an empty sector"));
    }
    let carrier = site.ship(neighbor, "riddle", beside).serial.clone();
    if hides {
        for _ in 0..12 {
            site.ship(neighbor, "nuke", beside).carrier.clone_from(&carrier);
        }
        let known = stock().map(|class| class.name.to_string()).into_iter();
        let empire = &mut site.galaxy.empires[neighbor];
        empire.navigation = vec!["np0".to_owned()];
        empire.classes = known.chain(["riddle".to_owned()]).collect();
        (empire.contacts, empire.known_empires) = (vec![4], vec![4]);
        empire.grants = vec![proto::Grant { to: 4, all: true, ..proto::Grant::default() }];
    }
    site.play(number, true)
}

proptest! {
    #![proptest_config(heliopause_testing::cases(32))]

    /// The neighbor does nothing that would reveal its secrets, such as fighting.
    #[test]
    fn a_neighbors_secrets_reveal_nothing(number in any::<u64>()) {
        let seat = Seat::at(NEAR[0]);
        let viewer = Viewer::Seat(seat);
        let mut sides = [false, true].map(|hides| with_neighbor(number, hides, false));
        let mut chance = Rng::new(number);
        for turn in 0..TURNS {
            let mut sheet = sheet(&mut chance, sides[0].own(seat));
            sheet.lines.retain(|line| !matches!(line, Line::Fire { .. } | Line::Destruct { .. }));
            submit_both(&mut sides, Actor::Seat(seat), &Order::Sheet(sheet), &[viewer]);
            let told = sides.each_mut().map(|side| side.close(CloseCause::Deadline));
            prop_assert!(event_bytes(&told[0], viewer) == event_bytes(&told[1], viewer), "turn {}", turn);
            assert_same(&sides[0], &sides[1], viewer);
        }
        prop_assert!(sides[0].game.galaxy().ships.len() < sides[1].game.galaxy().ships.len());
    }

    #[test]
    fn r67_a_briefing_adds_only_strengths_around_the_empires_ships(number in any::<u64>()) {
        let seat = Seat::at(NEAR[0]);
        let mut sides = [false, true].map(|hides| with_neighbor(number, hides, true));
        for side in &mut sides {
            abandon(side, seat);
        }
        let mut chance = Rng::new(number);
        for _ in 0..3 {
            let mut sheet = sheet(&mut chance, sides[0].own(seat));
            let stays = |line: &Line| !matches!(line, Line::Fire { .. } | Line::Destruct { .. });
            sheet.lines.retain(stays);
            submit_both(&mut sides, Actor::Seat(seat), &Order::Sheet(sheet), &[Viewer::Seat(seat)]);
            for side in &mut sides {
                side.close(CloseCause::Deadline);
            }
            assert_same(&sides[0], &sides[1], Viewer::Seat(seat));
            let told = sides.each_ref().map(|side| briefing(side, seat).1);
            for (side, strengths) in sides.iter().zip(&told) {
                let own = own(side, seat);
                let present = |row: &&ShipSeen| own.ships.iter().any(|ship| ship.at == row.at);
                let foreign = own.chart.ships.iter().filter(|row| !row.wreck && row.owner != seat).filter(present);
                let mut seen: Vec<(Seat, Serial)> = foreign.map(|row| (row.owner, row.serial)).collect();
                seen.sort_unstable();
                let named: Vec<(Seat, Serial)> = strengths.iter().map(|it| (it.owner, it.serial)).collect();
                prop_assert_eq!(named, seen, "what is visible there, all of it, and nothing else");
                let galaxy = side.game.galaxy();
                for it in strengths {
                    let ship = galaxy.ship_numbered(it.owner, it.serial).expect("it is there");
                    let ship = galaxy.ship(ship);
                    prop_assert_eq!((it.guns, it.dp), (galaxy.guns(ship), ship.dp));
                }
            }
            let known = |it: &&Strength| {
                let own = own(&sides[0], seat);
                let class = own.chart.ships.iter().find(|row| (row.owner, row.serial) == (it.owner, it.serial));
                class.is_some_and(|row| own.classes.iter().any(|class| class.name == row.class))
            };
            let of_known = told.each_ref().map(|list| list.iter().filter(known).copied().collect::<Vec<_>>());
            prop_assert_eq!(&of_known[0], &of_known[1], "what the empire can reckon itself");
            let of_unknown = told.each_ref().map(|list| list.iter().filter(|it| !known(it)).map(|it| it.guns).sum::<u16>());
            prop_assert!(of_unknown[0] < of_unknown[1], "what only default orders may know: {:?}", of_unknown);
        }
    }
}
