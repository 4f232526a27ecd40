//! Lists of orders, in every kind of game: no reveal and no die is ever undone, and a refusal uses
//! only the seat's view.

use heliopause_games::games;
use heliopause_kernel::{Seat, Viewer, Wire};
use heliopause_proto::starships_at_large::v1::{self as starships, Marker};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    ErrorReason, Event, GameOrder, GamePosition, SandboxAutomation, Verdict, event, game_order,
    game_position,
};
use heliopause_table::registry::{KINDS, Kind};
use heliopause_table::{AppliedStep, Fault, Table, lists};
use heliopause_testing::Rng;
use proptest::prelude::*;
use step::Kind as Does;

use crate::scene::{SECRET, Scene, in_sandbox, step};

const OWNER: &str = "ann";
const WAYS_MAX: u64 = 400;

pub(crate) fn create(
    kind: &str,
    players: usize,
    position: Option<GamePosition>,
    automated: Vec<SandboxAutomation>,
) -> Table {
    let sandbox = Sandbox { position, automated, ..Sandbox::default() };
    Scene::new(in_sandbox(kind, players, sandbox)).table
}

pub(crate) fn players_of(kind: &Kind) -> usize {
    let described = kind.describe();
    (described.players_min as usize + 1).min(described.players_max as usize)
}

fn given(table: &Table, seat: Seat, orders: &[GameOrder]) -> OrdersGiven {
    let decision_state = table.decision_state(seat);
    OrdersGiven {
        seat: seat.number(),
        phase: decision_state.phase,
        revision: decision_state.revision,
        orders: orders.to_vec(),
        ..OrdersGiven::default()
    }
}

fn give(table: &mut Table, seat: Seat, orders: &[GameOrder]) -> Result<AppliedStep, Fault> {
    let given = given(table, seat, orders);
    table.apply(step(OWNER, Does::OrdersGiven(given)), 0)
}

pub(crate) fn seats(table: &Table) -> Vec<Seat> {
    (1..=64).map_while(|number| table.acting_seat(OWNER, Some(number)).ok()).collect()
}

pub(crate) fn asked(table: &Table) -> Vec<Seat> {
    seats(table).into_iter().filter(|&seat| table.decision_state(seat).decision.is_some()).collect()
}

fn offered(table: &Table, seat: Seat) -> Vec<String> {
    table.offers(seat).iter().flat_map(|offers| offers.lines(WAYS_MAX)).collect()
}

fn read(table: &Table, seat: Seat, line: &str) -> GameOrder {
    let orders = table.parse(Some(seat), line).expect("what is offered is read");
    orders.into_iter().next().expect("a line holds an order")
}

pub(crate) fn play_on(table: &mut Table, steps: usize, chance: &mut Rng) -> Vec<GameOrder> {
    let mut known = Vec::new();
    for _ in 0..steps {
        let Some(seat) = chance.any(&asked(table)) else { break };
        let lines = offered(table, seat);
        if let Some(line) = chance.any(&lines).filter(|_| !chance.one_in(4)) {
            let order = read(table, seat, &line);
            known.push(order.clone());
            give(table, seat, &[order]).expect("what is offered is taken");
        } else {
            let closed = step(OWNER, Does::PhaseClosed(PhaseClosed {}));
            table.apply(closed, 0).expect("a sandbox closes its phases");
        }
    }
    known
}

fn random_list(table: &Table, seat: Seat, known: &[GameOrder], chance: &mut Rng) -> Vec<GameOrder> {
    let now = offered(table, seat);
    let sheets = sheets(table, seat);
    let mut list = Vec::new();
    for _ in 0..2 + chance.below(4) {
        let order = match chance.below(4) {
            0 | 1 => chance.any(&now).map(|line| read(table, seat, &line)),
            2 => chance.any(known),
            _ => chance.any(&sheets),
        };
        list.extend(order);
    }
    list
}

/// Returns order sheets of Star Empires, whose orders cannot be listed.
fn sheets(table: &Table, seat: Seat) -> Vec<GameOrder> {
    if table.kind().id != "star-empires" {
        return Vec::new();
    }
    let texts = ["#", "POOL Nowhere", "MOVE Nothing TO 3 4", "DESIGN x"];
    texts.iter().filter_map(|text| table.parse(Some(seat), text).ok()).flatten().collect()
}

fn happened(entry: &Entry, viewer: Viewer) -> Vec<Event> {
    let of_the_game = |event: &Event| matches!(event.body, Some(event::Body::Game(_)));
    Table::events_for(entry, viewer)
        .filter(of_the_game)
        .map(|event| Event { number: 0, ..event })
        .collect()
}

/// Compares a list with its orders applied one by one until one is refused or the decision changes.
fn check_against_single_orders(table: &Table, seat: Seat, list: &[GameOrder]) {
    let (mut whole, mut single) = (table.clone(), table.clone());
    let before = whole.snapshot();
    let taken = match give(&mut whole, seat, list) {
        Ok(taken) => taken,
        Err(fault) => {
            assert!(before == whole.snapshot(), "a refused list has changed something: {fault}");
            let revisable =
                list.iter().all(|order| table.game().unwrap().is_revisable(order) == Ok(true));
            assert!(
                revisable || give(&mut single, seat, &list[..1]).is_err(),
                "the first would have been taken"
            );
            return;
        }
    };
    let (count, refused) = lists::applied(&taken.entry);
    let (mut rolls, mut events) = (Vec::new(), vec![Vec::new(); 64]);
    let phase = single.decision_state(seat).phase;
    for order in &list[..count as usize] {
        let now = single.decision_state(seat).phase;
        assert_eq!(now, phase, "an order was taken for a decision that its list does not name");
        let entry = give(&mut single, seat, std::slice::from_ref(order))
            .expect("it was taken as part of a list")
            .entry;
        for (index, viewer) in viewers(table).into_iter().enumerate() {
            events[index].extend(happened(&entry, viewer));
        }
        rolls.extend(entry.rolls);
    }
    assert!(whole.position() == single.position(), "after {count} of {}", list.len());
    assert_eq!(taken.entry.rolls, rolls, "the same dice");
    for (viewer, events) in viewers(table).into_iter().zip(events) {
        assert_eq!(happened(&taken.entry, viewer), events, "{viewer:?} receives the same events");
    }
    match refused {
        None => assert_eq!(count as usize, list.len()),
        Some(refused) if refused.refusal == "decision-closed" => {
            assert_ne!(single.decision_state(seat).phase, phase);
        }
        Some(refused) => {
            let next = &list[count as usize];
            let fault = give(&mut single, seat, std::slice::from_ref(next))
                .expect_err("the next is refused");
            assert_eq!(refused, fault.verdict(table.notate(next).unwrap()));
        }
    }
    replays(table, &whole, &taken.entry);
}

fn viewers(table: &Table) -> Vec<Viewer> {
    [Viewer::Spectator, Viewer::GameMaster]
        .into_iter()
        .chain(seats(table).into_iter().map(Viewer::Seat))
        .collect()
}

fn replays(before: &Table, after: &Table, entry: &Entry) {
    let mut again = before.clone();
    again.replay(entry).expect("the same comes of it");
    assert!(again.snapshot() == after.snapshot());
    if entry.stopped.is_some() {
        let touched = Entry { stopped: None, ..entry.clone() };
        assert!(
            before.clone().replay(&touched).is_err(),
            "an entry that says otherwise is found out"
        );
    }
}

fn sampled<G: Wire>(
    position: &G::PositionMessage,
    seat: Seat,
    chance: &mut Rng,
) -> G::PositionMessage {
    let game = G::read_position(position).expect("a position of the table's own");
    G::sample(&game.view(Viewer::Seat(seat)), &mut || chance.number()).write_position()
}

macro_rules! twins {
    ($($arm:ident: $game:ty;)+) => {
        pub(crate) fn twin(position: &GamePosition, seat: Seat, chance: &mut Rng) -> GamePosition {
            use game_position::Game;
            let game = match position.game.as_ref() {
                $(Some(Game::$arm(message)) => Game::$arm(sampled::<$game>(message, seat, chance)),)+
                _ => panic!("a position of a game that is played"),
            };
            GamePosition { game: Some(game) }
        }
    };
}
games!(twins);

#[derive(Debug, PartialEq)]
enum Answer {
    Refused(Fault),
    Taken(u32, Option<Box<Verdict>>, Vec<Event>),
}

fn answer(table: &Table, seat: Seat, list: &[GameOrder], is_worker: bool) -> Answer {
    let mut given = given(table, seat, list);
    if is_worker {
        "a worker".clone_into(&mut given.automation);
        given.memo = Some(vec![1].into());
    }
    match table.clone().apply(step(OWNER, Does::OrdersGiven(given)), 0) {
        Err(fault) => Answer::Refused(fault),
        Ok(taken) => {
            let (count, refused) = lists::applied(&taken.entry);
            Answer::Taken(count, refused.map(Box::new), happened(&taken.entry, Viewer::Seat(seat)))
        }
    }
}

fn lease(table: &Table, seat: Seat) -> String {
    let wanted = table.wanted().into_iter().filter(|wanted| wanted.seat == seat);
    let wanted: Vec<_> =
        wanted.map(|it| (it.by, it.kind, it.memo, it.seed, it.may_write)).collect();
    format!("{wanted:?} {:?} {:?}", table.briefing(seat), table.offers(seat))
}

/// Checks that indistinguishable states give the same responses until an event shows a difference.
fn check_answers_use_view_only(
    [one, other]: [&Table; 2],
    seat: Seat,
    list: &[GameOrder],
    is_worker: bool,
) {
    for order in list {
        assert_eq!(one.judge(seat, order), other.judge(seat, order), "dry runs");
        assert_eq!(one.preview(seat, order), other.preview(seat, order), "dry runs");
    }
    for length in 1..=list.len() {
        let list = &list[..length];
        match (answer(one, seat, list, is_worker), answer(other, seat, list, is_worker)) {
            (Answer::Taken(count, refused, events), Answer::Taken(others, other, other_events)) => {
                assert_eq!((count, refused), (others, other), "they differ, and no event does");
                if events != other_events {
                    return;
                }
            }
            (answer, other) => assert_eq!(answer, other, "whether a list is refused as a whole"),
        }
    }
}

proptest! {
    #![proptest_config(heliopause_testing::cases(12))]

    #[test]
    fn lists_equal_their_accepted_orders_one_by_one(number in any::<u64>()) {
        for kind in KINDS.iter() {
            let mut chance = Rng::new(number);
            let mut table = create(kind.id, players_of(kind), None, Vec::new());
            let known = play_on(&mut table, 25, &mut chance);
            for _ in 0..4 {
                let Some(seat) = chance.any(&seats(&table)) else { break };
                let seat = chance.any(&asked(&table)).filter(|_| !chance.one_in(5)).unwrap_or(seat);
                let list = random_list(&table, seat, &known, &mut chance);
                if !list.is_empty() {
                    check_against_single_orders(&table, seat, &list);
                }
            }
        }
    }

    #[test]
    fn leases_and_answers_depend_only_on_the_view(number in any::<u64>()) {
        for kind in KINDS.iter() {
            let mut chance = Rng::new(number);
            let mut table = create(kind.id, players_of(kind), None, Vec::new());
            let known = play_on(&mut table, 25, &mut chance);
            let Some(seat) = chance.any(&asked(&table)) else { continue };
            let position = table.position().expect("it is played");
            let twin = twin(&position, seat, &mut chance);
            let automated = vec![SandboxAutomation { seat: seat.number(), ..SandboxAutomation::default() }];
            for (automated, is_worker) in [(Vec::new(), false), (automated, true)] {
                let [one, other] = [&position, &twin]
                    .map(|position| create(kind.id, players_of(kind), Some(position.clone()), automated.clone()));
                assert_eq!(lease(&one, seat), lease(&other, seat), "{}", kind.id);
                for _ in 0..4 {
                    let list = random_list(&one, seat, &known, &mut chance);
                    check_answers_use_view_only([&one, &other], seat, &list, is_worker);
                }
            }
        }
    }

    #[test]
    fn refused_game_master_orders_are_hidden_from_seats(number in any::<u64>()) {
        let mut chance = Rng::new(number);
        let mut table = create("star-empires", 2, None, Vec::new());
        play_on(&mut table, 6, &mut chance);
        for _ in 0..6 {
            let list: Vec<&str> = (0..=chance.below(3)).filter_map(|_| chance.any(&MASTER)).collect();
            let orders = table.parse(None, &list.join("\n")).expect("they can be read");
            let before: Vec<_> = seats(&table).into_iter().map(|seat| table.view(Viewer::Seat(seat))).collect();
            let given = OrdersGiven { orders, ..OrdersGiven::default() };
            let Ok(taken) = table.apply(step(OWNER, Does::OrdersGiven(given)), 0) else { continue };
            for (seat, before) in seats(&table).into_iter().zip(before) {
                let events: Vec<Event> = Table::events_for(&taken.entry, Viewer::Seat(seat)).collect();
                assert!(events.is_empty(), "{list:?} published {events:?} to {seat}");
                assert!(table.view(Viewer::Seat(seat)) == before, "{list:?}");
            }
        }
    }
}

/// Orders of the game master that wait for the next update. Some can be refused immediately.
const MASTER: [&str; 6] = [
    "ADDSTORM (0,0) Squall 9",
    "ADDWORLD (0,1) Found 5 5",
    "REMOVEOBJECT WORLD Nowhere",
    "REMOVESHIP Nobody Nothing",
    "COLLAPSE Nowhere 3",
    "WITHDRAW 1",
];

/// Creates a game of Starships at Large with one starship of player A beside a face-down marker.
fn beside(marker: Marker) -> Table {
    let hex = |q, r| Some(starships::Hex { q, r });
    let hexes =
        vec![starships::HexState { hex: hex(1, 0), marker: marker.into(), ..Default::default() }];
    let players = vec![starships::Player::default(); 2];
    let position = starships::Position { hexes, players, ..Default::default() };
    let position = GamePosition { game: Some(game_position::Game::StarshipsAtLarge(position)) };
    create("starships-at-large", 2, Some(position), Vec::new())
}

fn parsed(table: &Table, text: &str) -> Vec<GameOrder> {
    table.parse(Some(Seat::at(0)), text).expect("orders that can be read")
}

const MARKERS: [Marker; 5] =
    [Marker::Friendly, Marker::Unfriendly, Marker::Dead, Marker::Asteroids, Marker::Empty];

#[test]
fn rules_27_later_refused_orders_do_not_undo_an_expedition() {
    for text in [
        "move A1 to (1,0)\ndiplomacy A1\nmove A1 to (0,0)",
        "move A1 to (1,0)\nforce A1\nmove A1 to (2,0)",
        "move A1 to (1,0)\nmove A9 to (1,0)",
    ] {
        for marker in MARKERS {
            let mut table = beside(marker);
            let orders = parsed(&table, text);
            let entry =
                give(&mut table, Seat::at(0), &orders).expect("the first order is legal").entry;
            let (taken, _) = lists::applied(&entry);
            assert!(taken >= 1, "{marker:?}: {text}");
            assert!(table.position() != beside(marker).position(), "the starship has moved");
            check_against_single_orders(&beside(marker), Seat::at(0), &orders);
        }
    }
}

#[test]
fn unreadable_orders_reject_the_whole_list() {
    for unreadable in [
        None,
        Some(game_order::Game::StarEmpires(heliopause_proto::star_empires::v1::Order::default())),
    ] {
        let mut table = beside(Marker::Friendly);
        let mut orders = parsed(&table, "move A1 to (1,0)");
        orders.push(GameOrder { game: unreadable });
        let before = table.snapshot();
        let fault = give(&mut table, Seat::at(0), &orders).expect_err("an order of nothing");
        assert_eq!(fault.reason, ErrorReason::InvalidField);
        assert!(fault.metadata.contains(&("order", "1".to_owned())), "{:?}", fault.metadata);
        assert!(before == table.snapshot());
    }
}

#[test]
fn lists_with_a_refused_first_order_change_nothing() {
    let mut table = beside(Marker::Friendly);
    let before = table.snapshot();
    let orders = parsed(&table, "move A9 to (1,0)\nmove A1 to (1,0)");
    let fault = give(&mut table, Seat::at(0), &orders).expect_err("there is no A9");
    assert_eq!(fault.reason, ErrorReason::OrderRefused);
    assert!(fault.metadata.contains(&("order", "0".to_owned())), "{:?}", fault.metadata);
    assert!(before == table.snapshot());
}

#[test]
fn orders_after_a_closed_decision_are_not_applied() {
    let mut table = create("starships-at-large", 1, None, Vec::new());
    let orders = parsed(&table, "end\nend\nend");
    let entry = give(&mut table, Seat::at(0), &orders).expect("the turn can end").entry;
    let (taken, refused) = lists::applied(&entry);
    assert_eq!((taken, refused.expect("a reason").refusal.as_str()), (1, "decision-closed"));
    assert_eq!(table.decision_state(Seat::at(0)).phase, 2, "one turn has ended, and no more");
    let events = Table::events_for(&entry, Viewer::Seat(Seat::at(0)));
    let accepted = events.filter_map(|event| match event.body {
        Some(event::Body::OrdersAccepted(accepted)) => {
            Some((event.text, accepted.notation.len(), accepted.rejected_count))
        }
        _ => None,
    });
    let [(text, 1, 2)] = &accepted.collect::<Vec<_>>()[..] else {
        panic!("one of three was taken")
    };
    assert!(
        text.starts_with("Ordered: end. Rejected: end (An earlier order of this list"),
        "{text}"
    );
    assert!(text.ends_with("). Skipped: 1."), "{text}");
}

#[test]
fn retries_return_where_the_list_stopped() {
    let mut table = create("starships-at-large", 1, None, Vec::new());
    let given = given(&table, Seat::at(0), &parsed(&table, "end\nend"));
    let mut asked = step(OWNER, Does::OrdersGiven(given));
    (asked.request_id, asked.request_digest) = ("once".to_owned(), vec![1; 32].into());
    let entry = table.apply(asked.clone(), 0).expect("the turn can end").entry;
    // A retry is recognized by its digest, so its orders may be anything.
    let retry = Step {
        kind: Some(Does::OrdersGiven(OrdersGiven { seat: 1, ..Default::default() })),
        ..asked
    };
    let restored = Table::load(&table.snapshot(), SECRET).expect("a snapshot loads");
    for table in [&table, &restored] {
        assert!(
            table.was_requested(Some(Seat::at(0)), "once") && !table.was_requested(None, "once")
        );
        assert_eq!(table.answered(&retry).unwrap().expect("it was answered").entry, entry.number);
        let other = Step { request_digest: vec![2; 32].into(), ..retry.clone() };
        assert_eq!(table.answered(&other).unwrap_err().reason, ErrorReason::RequestIdReused);
    }
    assert_eq!(lists::applied(&entry).0, 1);
}

#[test]
fn stopped_lists_drop_the_rest_of_a_workers_answer() {
    let automated = vec![SandboxAutomation { seat: 1, ..SandboxAutomation::default() }];
    let answer = |text: &str| {
        let mut table = create("starships-at-large", 1, None, automated.clone());
        let orders = parsed(&table, text);
        let memo = Some(vec![5].into());
        let automation = "captain (standard)".to_owned();
        let given = OrdersGiven { memo, automation, ..given(&table, Seat::at(0), &orders) };
        table.apply(step(OWNER, Does::OrdersGiven(given)), 0).expect("an answer");
        table.wanted().into_iter().next().expect("the next turn").memo
    };
    assert_eq!(answer("mark (0,0)\nend"), [5].as_slice());
    assert_eq!(answer("mark (0,0)\nend\nend"), [].as_slice());
}

#[test]
fn revisable_orders_are_accepted_all_or_none() {
    let mut table = create("diplomacy", 7, None, Vec::new());
    let seat = asked(&table)[0];
    let mut list: Vec<GameOrder> =
        offered(&table, seat)[..2].iter().map(|line| read(&table, seat, line)).collect();
    let other = asked(&table)[1];
    list.push(read(&table, other, &offered(&table, other)[0]));
    let before = table.snapshot();
    let fault = give(&mut table, seat, &list).expect_err("an order for a unit of another");
    assert!(fault.metadata.contains(&("order", "2".to_owned())), "{:?}", fault.metadata);
    assert!(before == table.snapshot());
    let entry = give(&mut table, seat, &list[..2]).expect("two orders").entry;
    assert_eq!(lists::applied(&entry), (2, None));
}
