//! Seats that players choose, and lots for the others.

use heliopause_kernel::{Dice, Draw, Seat, Viewer};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, ErrorReason, Event, Game, GameStatus, OpenSeat, SeatChange, event, seat,
};
use heliopause_table::{Fault, Reader, Table, chain, verify::Verifier};
use planned_seat::Plan;
use prost::Message as _;
use step::Kind;

const SECRET: [u8; 32] = [9; 32];
const FRANCE: u32 = 3;

fn person(id: &str) -> Person {
    Person { player_id: id.to_owned(), name: id.to_uppercase() }
}

fn open() -> Plan {
    Plan::Open(OpenSeat {})
}

fn taken(id: &str) -> Plan {
    Plan::Taken(Taken { player: Some(person(id)), ..Taken::default() })
}

fn kept(id: &str) -> Plan {
    Plan::ReservedFor(person(id))
}

fn bot(level: &str) -> Plan {
    Plan::Automated(AutomatedSeat { level: level.to_owned(), ..AutomatedSeat::default() })
}

/// A game of Diplomacy of Ann's, with its journal.
struct Scene {
    table: Table,
    journal: Vec<Entry>,
    now: i64,
}

impl Scene {
    fn new(plans: Vec<(Plan, u32)>) -> Self {
        Self::with(SECRET, plans, |_| {}).expect("a table")
    }

    fn with(
        secret: [u8; 32],
        plans: Vec<(Plan, u32)>,
        change: impl FnOnce(&mut Created),
    ) -> Result<Self, Fault> {
        let (plans, chosen): (Vec<_>, Vec<_>) = plans.into_iter().unzip();
        let mut created = Created {
            kind: "diplomacy".to_owned(),
            seats: plans.into_iter().map(|plan| PlannedSeat { plan: Some(plan) }).collect(),
            lots: Some(Lots { chosen }),
            host: Some(person("ann")),
            seed_commitment: chain::commitment(&secret).to_vec().into(),
            game_id: "table".to_owned(),
            ..Created::default()
        };
        change(&mut created);
        let (table, taken) = Table::lay(created, secret, "ann", 0)?;
        Ok(Self { table, journal: vec![taken.entry], now: 0 })
    }

    fn take(&mut self, by: &str, kind: Kind) -> Result<(), Fault> {
        self.now += 1;
        let step = Step { by: by.to_owned(), kind: Some(kind), ..Step::default() };
        let before = self.table.snapshot();
        match self.table.take(step, self.now) {
            Ok(taken) => self.journal.push(taken.entry),
            Err(fault) => {
                assert_eq!(self.table.snapshot(), before, "a refused step has changed nothing");
                return Err(fault);
            }
        }
        Ok(())
    }

    fn join(&mut self, id: &str, seat: u32) -> Result<(), Fault> {
        let player = Some(person(id));
        self.take(id, Kind::Joined(Joined { player, seat, ..Joined::default() }))
    }

    fn start(&mut self) {
        let fill = Some(AutomatedSeat::default());
        self.take("ann", Kind::StartCalled(StartCalled { fill })).expect("it starts");
    }

    fn game(&self) -> Game {
        self.table.describe(Reader { player_id: "ann" })
    }

    fn seat_of(&self, id: &str) -> u32 {
        self.table.seat_of(id).map(Seat::number).expect("a seat")
    }

    /// The player or the level of automation at each seat.
    fn sitting(&self) -> Vec<String> {
        let name = |seat: heliopause_proto::v1::Seat| match seat.occupant {
            Some(seat::Occupant::Player(name)) => name,
            Some(seat::Occupant::Automated(by)) => by.level,
            other => format!("{other:?}"),
        };
        self.game().seats.into_iter().map(name).collect()
    }

    /// All that a viewer is told, from the first entry on.
    fn events(&self, viewer: Viewer) -> Vec<Event> {
        let reader = self.table.subscriber(viewer);
        self.journal.iter().flat_map(|entry| reader.events_of(entry).collect::<Vec<_>>()).collect()
    }

    fn verify(&self) {
        let mut verifier = Verifier::new(SECRET);
        self.journal.iter().for_each(|entry| verifier.entry(&entry.encode_to_vec()));
        let report = verifier.finish();
        assert_eq!((report.fault, report.replayed), (None, self.journal.len() as u64));
        let again = Table::load(&self.table.snapshot(), SECRET).expect("a snapshot");
        assert_eq!(again.snapshot(), self.table.snapshot());
    }
}

/// Ann and Bob, with automation of three levels.
fn plans() -> Vec<(Plan, u32)> {
    let levels = ["random", "random", "standard", "strong", "strong"].map(bot);
    [taken("ann"), open()].into_iter().chain(levels).map(|plan| (plan, 0)).collect()
}

#[test]
fn lots_are_the_shuffle_of_the_dice_and_every_seat_comes_up() {
    let mut seats = std::collections::BTreeSet::new();
    for first in 0..40 {
        let secret = [first; 32];
        let mut scene = Scene::with(secret, plans(), |_| {}).expect("a table");
        scene.start();
        let seed = chain::dice_seed(&secret, std::iter::empty());
        let mut free: Vec<u32> = (1..=7).collect();
        Dice::new(seed).shuffle(Draw::new("lots"), &mut free);
        assert_eq!(scene.seat_of("ann"), free[0]);
        let sitting = scene.sitting();
        for (place, who) in ["ANN", "standard", "random", "random", "standard", "strong", "strong"]
            .into_iter()
            .enumerate()
        {
            assert_eq!(sitting[free[place] as usize - 1], who, "place {}", place + 1);
        }
        seats.insert(free[0]);
    }
    assert_eq!(seats.len(), 7, "Ann plays each power now and then");
}

#[test]
fn a_chosen_seat_is_kept_and_nobody_else_can_choose_it() {
    let mut plans = plans();
    plans[6].1 = 2;
    let mut scene = Scene::new(plans);
    let taken = scene.join("bob", 2).expect_err("automation has England");
    assert_eq!(taken.reason, ErrorReason::NoOpenSeat);
    assert_eq!(taken.message, "You cannot choose England: it is not open to you.");
    assert_eq!(scene.join("bob", 8).expect_err("no such seat").field.as_deref(), Some("seat"));
    scene.join("bob", FRANCE).expect("France is free");
    let game = scene.game();
    assert!(game.lots_pending && game.roles[2] == "France");
    let roles: Vec<&str> = game.seats.iter().map(|seat| seat.role.as_str()).collect();
    assert_eq!(roles[..2], ["by lot", "France"]);
    let chosen: Vec<_> = game.seats.iter().map(|seat| seat.chosen_seat).collect();
    assert_eq!(chosen, [None, Some(3), None, None, None, None, Some(2)]);
    scene.start();
    assert_eq!(scene.seat_of("bob"), FRANCE);
    assert_eq!(scene.sitting()[1], "strong");
    let game = scene.game();
    assert!(!game.lots_pending);
    assert!(game.seats.iter().all(|seat| seat.chosen_seat.is_none()));
    assert_eq!(game.seats[2].role, "France");
    assert_eq!(game.your_seat, Some(scene.seat_of("ann")));
    scene.verify();
}

#[test]
fn the_creator_chooses_and_who_leaves_gives_their_choice_back() {
    let mut plans = plans();
    plans[0].1 = 4;
    let mut scene = Scene::new(plans);
    scene.join("bob", FRANCE).expect("France is free");
    scene.take("bob", Kind::Left(Left {})).expect("they may leave");
    scene.join("cid", FRANCE).expect("France is free again");
    scene.start();
    assert_eq!((scene.seat_of("ann"), scene.seat_of("cid")), (4, FRANCE));
    scene.verify();
}

#[test]
fn a_seat_kept_for_a_player_may_be_named() {
    let mut plans = plans();
    plans[1] = (kept("bob"), FRANCE);
    plans[2].0 = kept("cid");
    let mut scene = Scene::new(plans);
    let other = scene.join("bob", 5).expect_err("France is kept for Bob");
    assert_eq!(other.message, "You cannot choose Italy: France is kept for you.");
    scene.join("bob", 0).expect("it is kept for him");
    scene.join("cid", 5).expect("Cid may choose");
    scene.start();
    assert_eq!((scene.seat_of("bob"), scene.seat_of("cid")), (FRANCE, 5));
}

#[test]
fn plans_name_seats_that_exist_and_each_once() {
    for (first, second, text) in [
        (8, 0, "There is no seat 8; players have seats 1 to 7."),
        (2, 2, "Another plan is for seat 2."),
    ] {
        let mut plans = plans();
        (plans[0].1, plans[1].1) = (first, second);
        let fault = Scene::with(SECRET, plans, |_| {}).err().expect("it is refused");
        assert_eq!(fault.message, text);
        assert!(fault.field.is_some_and(|field| field.ends_with("].seat")));
    }
}

#[test]
fn without_lots_seats_are_in_order() {
    let mut scene = Scene::with(SECRET, plans(), |created| created.lots = None).expect("a table");
    scene.join("bob", 0).expect("a seat");
    scene.start();
    assert_eq!((scene.seat_of("ann"), scene.seat_of("bob")), (1, 2));
    let drawn = scene.events(Viewer::Spectator).into_iter().any(|event| {
        matches!(event.body, Some(event::Body::SeatChanged(changed))
            if changed.change() == SeatChange::Drawn)
    });
    assert!(!drawn);
}

/// What somebody wrote before the start, as a seat reads it: from whom, to whom, and the text.
fn letters(scene: &Scene, seat: u32) -> Vec<(Option<u32>, Vec<u32>, String)> {
    let viewer = Viewer::Seat(Seat::numbered(seat).expect("a seat"));
    let letter = |event: Event| match event.body {
        Some(event::Body::Message(message)) => {
            Some((message.from_seat, message.to_seats, message.text))
        }
        _ => None,
    };
    scene.events(viewer).into_iter().filter_map(letter).collect()
}

#[test]
fn letters_of_the_lobby_follow_their_players_and_reach_nobody_else() {
    let mut plans = plans();
    plans[2].0 = open();
    let mut scene = Scene::new(plans);
    scene.join("bob", 0).expect("a seat");
    scene.join("cid", 1).expect("Austria is free");
    let write = |from_seat, to: u32, text: &str| {
        let (to_seats, text) = (vec![to], text.to_owned());
        Kind::MessageSent(MessageSent { from_seat, to_seats, text, ..MessageSent::default() })
    };
    scene.take("ann", write(1, 2, "secret")).expect("a letter");
    let told = scene.table.told(Viewer::Seat(Seat::at(0)));
    scene.start();
    let (ann, bob, cid) = (scene.seat_of("ann"), scene.seat_of("bob"), scene.seat_of("cid"));
    assert!(cid == 1 && ann != 1, "another has the seat with the number of Ann's place");
    let letter = (Some(ann), vec![bob], "secret".to_owned());
    for seat in 1..=7 {
        let reads = [ann, bob].contains(&seat);
        assert_eq!(letters(&scene, seat), if reads { vec![letter.clone()] } else { Vec::new() });
        let viewer = Viewer::Seat(Seat::numbered(seat).expect("a seat"));
        let events = scene.events(viewer);
        assert!(events.iter().map(|event| event.number).eq(1..=scene.table.told(viewer)));
    }
    let ann = Viewer::Seat(Seat::numbered(ann).expect("a seat"));
    let after = scene.table.subscriber(ann).told_before(scene.journal.last().expect("the start"));
    assert_eq!(after, told, "her numbers go on");
    assert_eq!(scene.table.message_entries(Seat::numbered(bob)).len(), 1);
    assert_eq!(scene.table.message_entries(Seat::numbered(cid)).len(), 0);
    scene.verify();
}

#[test]
fn lots_are_drawn_after_entropy_is_revealed_and_follow_from_it() {
    let drawn = |entropy: &[u8]| {
        let mut plans = plans();
        let entropy_commitment = chain::sha256(&[entropy]).to_vec().into();
        plans[0].0 = Plan::Taken(Taken { player: Some(person("ann")), entropy_commitment });
        let mut scene = Scene::new(plans);
        scene.start();
        assert_eq!(scene.table.status(), GameStatus::Revealing);
        assert!(scene.game().lots_pending);
        let entropy = entropy.to_vec().into();
        scene.take("ann", Kind::EntropyRevealed(EntropyRevealed { entropy })).expect("revealed");
        scene.verify();
        scene.sitting()
    };
    assert_ne!(drawn(b"one"), drawn(b"two"));
}

#[test]
fn an_anonymous_game_tells_no_names_with_the_lots() {
    let mut scene =
        Scene::with(SECRET, plans(), |created| created.anonymous = true).expect("a table");
    scene.join("bob", 0).expect("a seat");
    scene.start();
    let bob = Viewer::Seat(scene.table.seat_of("bob").expect("a seat"));
    for viewer in [Viewer::Spectator, bob] {
        for event in scene.events(viewer) {
            assert!(!event.text.contains("ANN"), "{}", event.text);
            if let Some(event::Body::SeatChanged(changed)) = event.body {
                assert_eq!(changed.seat.expect("a seat").player_id, "");
            }
        }
    }
    scene.verify();
}

#[test]
fn a_letter_of_a_place_is_not_sent_again_for_its_seat() {
    let mut plans = plans();
    plans[0].1 = 2;
    let mut scene = Scene::new(plans);
    scene.join("bob", 0).expect("a seat");
    let sent =
        MessageSent { from_seat: 1, to_all: true, text: "hi".into(), ..MessageSent::default() };
    let step = |from_seat| Step {
        by: "ann".to_owned(),
        request_id: "once".to_owned(),
        kind: Some(Kind::MessageSent(MessageSent { from_seat, ..sent.clone() })),
        ..Step::default()
    };
    scene.table.take(step(1), 10).expect("a letter");
    scene.now = 10;
    scene.start();
    let again = scene.table.answered(&step(scene.seat_of("ann"))).expect_err("it was done");
    assert_eq!(again.reason, ErrorReason::RequestIdReused);
}
