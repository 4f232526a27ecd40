//! Lots for seats.

use heliopause_kernel::{Dice, Draw, Seat, Viewer};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{AutomatedSeat, ErrorReason, Event, GameStatus, event, seat};
use heliopause_table::{Fault, chain};
use planned_seat::Plan;
use prost::Message as _;
use step::Kind;

use crate::scene::{Scene, hosted, message, open, person, planned, step, taken};

const SECRET: [u8; 32] = [9; 32];
/// Its seat on the classic board.
const FRANCE: u32 = 3;

fn bot(level: &str) -> PlannedSeat {
    planned(Plan::Automated(AutomatedSeat { level: level.to_owned(), ..AutomatedSeat::default() }))
}

fn game(plans: Vec<(PlannedSeat, u32)>) -> Scene {
    changed(SECRET, plans, |_| {}).expect("a table")
}

fn changed(
    secret: [u8; 32],
    plans: Vec<(PlannedSeat, u32)>,
    change: impl FnOnce(&mut Created),
) -> Result<Scene, Fault> {
    let (seats, chosen) = plans.into_iter().unzip();
    let mut created = Created {
        seats,
        lots: Some(Lots { chosen }),
        pace: None,
        start_when_full: false,
        ..hosted("diplomacy", &["ann"])
    };
    change(&mut created);
    Scene::with(secret, created)
}

fn start(scene: &mut Scene) {
    scene.start("ann", Some(AutomatedSeat::default()));
}

impl Scene {
    fn join(&mut self, id: &str, seat: u32) -> Result<(), Fault> {
        let player = Some(person(id));
        self.apply(id, Kind::Joined(Joined { player, seat, ..Joined::default() }))
    }

    fn occupants(&self) -> Vec<String> {
        let name = |seat: heliopause_proto::v1::Seat| match seat.occupant {
            Some(seat::Occupant::Player(name)) => name,
            Some(seat::Occupant::Automated(by)) => by.level,
            other => format!("{other:?}"),
        };
        self.seen("ann").seats.into_iter().map(name).collect()
    }

    fn events(&self, viewer: Viewer) -> Vec<Event> {
        let reader = self.table.subscriber(viewer);
        self.entries.iter().flat_map(|entry| reader.events_of(entry).collect::<Vec<_>>()).collect()
    }
}

fn plans() -> Vec<(PlannedSeat, u32)> {
    let levels = ["random", "random", "standard", "strong", "strong"].map(bot);
    [taken("ann"), open()].into_iter().chain(levels).map(|plan| (plan, 0)).collect()
}

#[test]
fn lots_shuffle_seats_and_reach_every_seat() {
    let mut seats = std::collections::BTreeSet::new();
    for first in 0..40 {
        let secret = [first; 32];
        let mut scene = changed(secret, plans(), |_| {}).expect("a table");
        start(&mut scene);
        let seed = chain::dice_seed(&secret, std::iter::empty());
        let mut free: Vec<u32> = (1..=7).collect();
        Dice::new(seed).shuffle(Draw::new("lots"), &mut free);
        assert_eq!(scene.seat_of("ann"), free[0]);
        let occupants = scene.occupants();
        for (place, who) in ["ANN", "standard", "random", "random", "standard", "strong", "strong"]
            .into_iter()
            .enumerate()
        {
            assert_eq!(occupants[free[place] as usize - 1], who, "place {}", place + 1);
        }
        seats.insert(free[0]);
    }
    assert_eq!(seats.len(), 7, "Ann plays each power now and then");
}

fn lobby_messages(scene: &Scene, seat: u32) -> Vec<(Option<u32>, Vec<u32>, String)> {
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
fn lobby_messages_follow_their_players_only() {
    let mut plans = plans();
    plans[2].0 = open();
    let mut scene = game(plans);
    scene.join("bob", 0).expect("a seat");
    scene.join("cid", 1).expect("Austria is free");
    scene.does("ann", Kind::MessageSent(message(1, &[2], "secret")));
    let before = scene.table.event_count(Viewer::Seat(Seat::at(0)));
    start(&mut scene);
    let (ann, bob, cid) = (scene.seat_of("ann"), scene.seat_of("bob"), scene.seat_of("cid"));
    assert!(cid == 1 && ann != 1, "another has the seat with the number of Ann's place");
    let letter = (Some(ann), vec![bob], "secret".to_owned());
    for seat in 1..=7 {
        let reads = [ann, bob].contains(&seat);
        let read = if reads { vec![letter.clone()] } else { Vec::new() };
        assert_eq!(lobby_messages(&scene, seat), read);
        let viewer = Viewer::Seat(Seat::numbered(seat).expect("a seat"));
        let events = scene.events(viewer);
        assert!(events.iter().map(|event| event.number).eq(1..=scene.table.event_count(viewer)));
    }
    let ann = Viewer::Seat(Seat::numbered(ann).expect("a seat"));
    let after =
        scene.table.subscriber(ann).event_count_before(scene.entries.last().expect("the start"));
    assert_eq!(after, before, "her event numbers continue");
    assert_eq!(scene.table.message_entries(Seat::numbered(bob)).len(), 1);
    assert_eq!(scene.table.message_entries(Seat::numbered(cid)).len(), 0);
    scene.verify();
}

fn taking(id: &str, preferences: &[u32]) -> Taken {
    Taken { player: Some(person(id)), preferences: preferences.to_vec(), ..Taken::default() }
}

#[test]
fn preferred_seats_are_given_in_an_order_drawn_by_lot() {
    let mut french = std::collections::BTreeSet::new();
    for first in 0..20 {
        let secret = [first; 32];
        let mut plans = plans();
        for (place, (id, wishes)) in
            [("ann", vec![FRANCE, 1]), ("bob", vec![FRANCE, 2]), ("cid", Vec::new())]
                .into_iter()
                .enumerate()
        {
            plans[place].0 = planned(Plan::Taken(taking(id, &wishes)));
        }
        let mut scene = changed(secret, plans, |_| {}).expect("a table");
        start(&mut scene);
        let seed = chain::dice_seed(&secret, std::iter::empty());
        let (mut free, mut order): (Vec<u32>, _) = ((1..=7).collect(), ["ann", "bob"]);
        Dice::new(seed).shuffle(Draw::new("lots"), &mut free);
        Dice::new(seed).shuffle(Draw::new("preferences"), &mut order);
        assert_eq!(scene.seat_of(order[0]), FRANCE);
        let second = if order[1] == "ann" { 1 } else { 2 };
        assert_eq!(scene.seat_of(order[1]), second);
        free.retain(|seat| ![FRANCE, second].contains(seat));
        assert_eq!(scene.seat_of("cid"), free[0], "the others get the seats that are left");
        assert_eq!(scene.occupants()[free[1] as usize - 1], "random", "in order");
        scene.verify();
        french.insert(order[0]);
    }
    assert_eq!(french.len(), 2, "each gets the first preference now and then");
}

#[test]
fn preferences_belong_to_a_player_and_not_to_a_place() {
    let mut plans = plans();
    plans[1].0 = planned(Plan::Taken(taking("bob", &[FRANCE])));
    let drawn = |leaves: bool| {
        let mut scene = game(plans.clone());
        if leaves {
            scene.apply("bob", Kind::Left(Left {})).expect("they may leave");
            scene.join("cid", 0).expect("a seat");
        }
        start(&mut scene);
        scene.seat_of(if leaves { "cid" } else { "bob" })
    };
    let seed = chain::dice_seed(&SECRET, std::iter::empty());
    let mut free: Vec<u32> = (1..=7).collect();
    Dice::new(seed).shuffle(Draw::new("lots"), &mut free);
    assert_eq!((drawn(false), drawn(true)), (FRANCE, free[1]));
    assert_ne!(free[1], FRANCE, "this secret tells the two apart");
}

#[test]
fn lots_depend_on_revealed_entropy() {
    let drawn = |entropy: &[u8]| {
        let mut plans = plans();
        let people = ["ann", "bob"].map(|id| (id, [entropy, id.as_bytes()].concat()));
        for (plan, (id, entropy)) in plans.iter_mut().zip(&people) {
            let entropy_commitment = chain::sha256(&[entropy]).to_vec().into();
            plan.0 = planned(Plan::Taken(Taken { entropy_commitment, ..taking(id, &[]) }));
        }
        let mut scene = game(plans);
        start(&mut scene);
        assert_eq!(scene.status(), GameStatus::Revealing);
        assert!(scene.seen("ann").lots_pending);
        for (id, entropy) in people.clone() {
            scene.does(id, Kind::EntropyRevealed(EntropyRevealed { entropy: entropy.into() }));
        }
        scene.verify();
        let state = TableState::decode(&*scene.table.snapshot()).expect("a snapshot");
        for (seat, (_, entropy)) in state.seats.iter().zip(&people) {
            let commitment = chain::sha256(&[entropy]);
            assert_eq!(
                (&seat.entropy[..], &seat.entropy_commitment[..]),
                (&entropy[..], &commitment[..])
            );
        }
        scene.occupants()
    };
    assert_ne!(drawn(b"one"), drawn(b"two"));
}

#[test]
fn lots_of_anonymous_games_hide_names() {
    let mut scene = changed(SECRET, plans(), |created| created.anonymous = true).expect("a table");
    scene.join("bob", 0).expect("a seat");
    assert!(scene.events.iter().any(|event| event.text.starts_with("Place 2 takes place 2;")));
    start(&mut scene);
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
fn messages_of_a_place_cannot_be_retried_from_the_seat() {
    let mut plans = plans();
    plans[0].1 = 2;
    let mut scene = game(plans);
    scene.join("bob", 0).expect("a seat");
    let sent =
        MessageSent { from_seat: 1, to_all: true, text: "hi".into(), ..MessageSent::default() };
    let letter = |from_seat| Step {
        request_id: "once".to_owned(),
        ..step("ann", Kind::MessageSent(MessageSent { from_seat, ..sent.clone() }))
    };
    scene.apply_step(letter(1)).expect("a letter");
    start(&mut scene);
    let again = scene.table.answered(&letter(scene.seat_of("ann"))).expect_err("it was done");
    assert_eq!(again.reason, ErrorReason::RequestIdReused);
}
