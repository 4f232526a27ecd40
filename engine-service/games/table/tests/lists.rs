//! Lists of orders, in every kind of game: no reveal and no die is ever taken back, and what is
//! refused is told by knowledge alone.

use heliopause_games::games;
use heliopause_kernel::{Seat, Viewer, Wire};
use heliopause_proto::starships_at_large::v1::{self as starships, Marker};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    ErrorReason, Event, GameOrder, GamePosition, SandboxAutomation, Verdict, event, game_order,
    game_position,
};
use heliopause_table::registry::{KINDS, Kind};
use heliopause_table::{Fault, Table, Taken, chain, lists};
use proptest::prelude::*;
use step::Kind as Does;

const SECRET: [u8; 32] = [7; 32];
const OWNER: &str = "ann";
/// Offers with more ways to fill them are left out.
const WAYS_MAX: u64 = 400;

/// A small generator, so that play is decided by one seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let index = self.below(items.len());
        items.get(index)
    }
}

/// A sandbox of some kind, whose owner holds every seat: at its beginning, or from a position.
fn lay(
    kind: &str,
    players: usize,
    position: Option<GamePosition>,
    automated: Vec<SandboxAutomation>,
) -> Table {
    let owner = Person { player_id: OWNER.to_owned(), name: "Ann".to_owned() };
    let taken = planned_seat::Plan::Taken(heliopause_proto::store::v1::Taken {
        player: Some(owner.clone()),
        ..Default::default()
    });
    let created = Created {
        kind: kind.to_owned(),
        seats: vec![PlannedSeat { plan: Some(taken) }; players],
        sandbox: Some(Sandbox { owner: Some(owner), position, automated, ..Sandbox::default() }),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        ..Created::default()
    };
    Table::lay(created, SECRET, OWNER, 0).expect("a sandbox").0
}

fn players_of(kind: &Kind) -> usize {
    let described = kind.describe();
    (described.players_min as usize + 1).min(described.players_max as usize)
}

fn step(kind: Does) -> Step {
    Step { by: OWNER.to_owned(), kind: Some(kind), ..Step::default() }
}

/// A list of orders for a seat where it stands now.
fn given(table: &Table, seat: Seat, orders: &[GameOrder]) -> OrdersGiven {
    let standing = table.standing(seat);
    OrdersGiven {
        seat: seat.number(),
        phase: standing.phase,
        revision: standing.revision,
        orders: orders.to_vec(),
        ..OrdersGiven::default()
    }
}

fn give(table: &mut Table, seat: Seat, orders: &[GameOrder]) -> Result<Taken, Fault> {
    let given = given(table, seat, orders);
    table.take(step(Does::OrdersGiven(given)), 0)
}

fn seats(table: &Table) -> Vec<Seat> {
    (1..=64).map_while(|number| table.acting_seat(OWNER, Some(number)).ok()).collect()
}

fn asked(table: &Table) -> Vec<Seat> {
    seats(table).into_iter().filter(|&seat| table.standing(seat).decision.is_some()).collect()
}

fn offered(table: &Table, seat: Seat) -> Vec<GameOrder> {
    let text: Vec<String> =
        table.offers(seat).iter().flat_map(|offers| offers.lines(WAYS_MAX)).collect();
    table.parse(Some(seat), &text.join("\n")).expect("what is offered is read")
}

/// Plays on at random: orders that are offered, or the defaults. Gathers orders that were possible
/// at some time.
fn play_on(table: &mut Table, steps: usize, chance: &mut Chance) -> Vec<GameOrder> {
    let mut known = Vec::new();
    for _ in 0..steps {
        let Some(&seat) = chance.pick(&asked(table)) else { break };
        let list = offered(table, seat);
        match chance.pick(&list).filter(|_| !chance.0.is_multiple_of(4)) {
            Some(order) => {
                known.push(order.clone());
                give(table, seat, std::slice::from_ref(order)).expect("what is offered is taken");
            }
            None => drop(
                table
                    .take(step(Does::PhaseClosed(PhaseClosed {})), 0)
                    .expect("a sandbox closes its phases"),
            ),
        }
    }
    known
}

/// A list of a few orders: some are possible now, some were or may be later, some never.
fn some_list(
    table: &Table,
    seat: Seat,
    known: &[GameOrder],
    chance: &mut Chance,
) -> Vec<GameOrder> {
    let now = offered(table, seat);
    let sheets = sheets(table, seat);
    let mut list = Vec::new();
    for _ in 0..2 + chance.below(4) {
        let from = [&now[..], &now[..], known, &sheets[..]][chance.below(4)];
        list.extend(chance.pick(from).cloned());
    }
    list
}

/// Sheets of Star Empires, whose orders cannot be listed.
fn sheets(table: &Table, seat: Seat) -> Vec<GameOrder> {
    if table.kind().id != "star-empires" {
        return Vec::new();
    }
    let texts = ["#", "POOL Nowhere", "MOVE Nothing TO 3 4", "DESIGN x"];
    texts.iter().filter_map(|text| table.parse(Some(seat), text).ok()).flatten().collect()
}

/// What an entry told a viewer of the game itself.
fn happened(entry: &Entry, viewer: Viewer) -> Vec<Event> {
    let of_the_game = |event: &Event| matches!(event.body, Some(event::Body::Game(_)));
    Table::events_for(entry, viewer)
        .filter(of_the_game)
        .map(|event| Event { number: 0, ..event })
        .collect()
}

/// Takes a list, and beside it its orders one by one as long as each of them is taken for the
/// decision that was open: both must come to the same.
fn comes_to_the_same_as_one_by_one(table: &Table, seat: Seat, list: &[GameOrder]) {
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
    let (count, refused) = lists::taken(&taken.entry);
    let (mut rolls, mut told) = (Vec::new(), vec![Vec::new(); 64]);
    let phase = single.standing(seat).phase;
    for order in &list[..count as usize] {
        assert_eq!(
            single.standing(seat).phase,
            phase,
            "an order was taken for a decision that its list does not name"
        );
        let entry = give(&mut single, seat, std::slice::from_ref(order))
            .expect("it was taken as part of a list")
            .entry;
        for (index, viewer) in viewers(table).into_iter().enumerate() {
            told[index].extend(happened(&entry, viewer));
        }
        rolls.extend(entry.rolls);
    }
    assert!(whole.position() == single.position(), "after {count} of {}", list.len());
    assert_eq!(taken.entry.rolls, rolls, "the same dice");
    for (index, viewer) in viewers(table).into_iter().enumerate() {
        assert_eq!(happened(&taken.entry, viewer), told[index], "{viewer:?} is told the same");
    }
    match refused {
        None => assert_eq!(count as usize, list.len()),
        Some(refused) if refused.refusal == "decision-closed" => {
            assert_ne!(single.standing(seat).phase, phase);
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

/// The journal says where a list stopped, and a replay stops there.
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
    chance: &mut Chance,
) -> G::PositionMessage {
    let game = G::read_position(position).expect("a position of the table's own");
    G::sample(&game.view(Viewer::Seat(seat)), &mut || chance.next()).write_position()
}

macro_rules! twins {
    ($($arm:ident: $game:ty;)+) => {
        /// Another state that a seat cannot tell from this one.
        fn twin(position: &GamePosition, seat: Seat, chance: &mut Chance) -> GamePosition {
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

/// All that a list comes to for its seat.
#[derive(Debug, PartialEq)]
enum Answer {
    Refused(Fault),
    Taken(u32, Option<Box<Verdict>>, Vec<Event>),
}

fn answer(table: &Table, seat: Seat, list: &[GameOrder]) -> Answer {
    match give(&mut table.clone(), seat, list) {
        Err(fault) => Answer::Refused(fault),
        Ok(taken) => {
            let (count, refused) = lists::taken(&taken.entry);
            Answer::Taken(count, refused.map(Box::new), happened(&taken.entry, Viewer::Seat(seat)))
        }
    }
}

fn worker_answer(table: &Table, seat: Seat, list: &[GameOrder]) -> Answer {
    let mut table = table.clone();
    let given = OrdersGiven {
        automation: "a worker".to_owned(),
        memo: Some(vec![1].into()),
        ..given(&table, seat, list)
    };
    match table.take(step(Does::OrdersGiven(given)), 0) {
        Err(fault) => Answer::Refused(fault),
        Ok(taken) => {
            let (count, refused) = lists::taken(&taken.entry);
            Answer::Taken(count, refused.map(Box::new), happened(&taken.entry, Viewer::Seat(seat)))
        }
    }
}

/// All that a worker is leased for a seat.
fn lease(table: &Table, seat: Seat) -> String {
    let wanted = table.wanted().into_iter().filter(|wanted| wanted.seat == seat);
    let wanted: Vec<_> =
        wanted.map(|it| (it.by, it.asked, it.memo, it.seed, it.may_write)).collect();
    format!("{wanted:?} {:?} {:?}", table.briefing(seat), table.offers(seat))
}

/// Two states that a seat cannot tell apart answer its lists alike, until it is truly told
/// something that differs.
fn answers_are_by_knowledge(
    [one, other]: [&Table; 2],
    seat: Seat,
    list: &[GameOrder],
    answer: fn(&Table, Seat, &[GameOrder]) -> Answer,
) {
    for order in list {
        assert_eq!(one.judge(seat, order), other.judge(seat, order), "dry runs");
        assert_eq!(one.foretell(seat, order), other.foretell(seat, order), "dry runs");
    }
    for length in 1..=list.len() {
        let list = &list[..length];
        match (answer(one, seat, list), answer(other, seat, list)) {
            (
                Answer::Taken(count, refused, told),
                Answer::Taken(others, other_refused, other_told),
            ) => {
                assert_eq!(
                    (count, refused),
                    (others, other_refused),
                    "nothing that was told differs so far"
                );
                if told != other_told {
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
    fn after_any_list_the_state_is_that_of_its_accepted_orders_one_by_one(number in any::<u64>()) {
        for kind in KINDS.iter() {
            let mut chance = Chance(number);
            let mut table = lay(kind.id, players_of(kind), None, Vec::new());
            let known = play_on(&mut table, 25, &mut chance);
            for _ in 0..4 {
                let Some(&seat) = chance.pick(&seats(&table)) else { break };
                let seat = chance.pick(&asked(&table)).copied().filter(|_| !chance.0.is_multiple_of(5)).unwrap_or(seat);
                let list = some_list(&table, seat, &known, &mut chance);
                if !list.is_empty() {
                    comes_to_the_same_as_one_by_one(&table, seat, &list);
                }
            }
        }
    }

    #[test]
    fn what_a_list_is_answered_follows_from_what_its_seat_knows(number in any::<u64>()) {
        for kind in KINDS.iter() {
            let mut chance = Chance(number);
            let mut table = lay(kind.id, players_of(kind), None, Vec::new());
            let known = play_on(&mut table, 25, &mut chance);
            let Some(&seat) = chance.pick(&asked(&table)) else { continue };
            let position = table.position().expect("it is played");
            let one = lay(kind.id, players_of(kind), Some(position.clone()), Vec::new());
            let other = lay(kind.id, players_of(kind), Some(twin(&position, seat, &mut chance)), Vec::new());
            for _ in 0..4 {
                let list = some_list(&one, seat, &known, &mut chance);
                answers_are_by_knowledge([&one, &other], seat, &list, answer);
            }
        }
    }

    #[test]
    fn what_a_worker_is_leased_and_answered_follows_from_what_its_seat_knows(number in any::<u64>()) {
        for kind in KINDS.iter() {
            let mut chance = Chance(number);
            let mut table = lay(kind.id, players_of(kind), None, Vec::new());
            let known = play_on(&mut table, 25, &mut chance);
            let Some(&seat) = chance.pick(&asked(&table)) else { continue };
            let position = table.position().expect("it is played");
            let twin = twin(&position, seat, &mut chance);
            let automated = vec![SandboxAutomation { seat: seat.number(), ..SandboxAutomation::default() }];
            let [one, other] = [position, twin]
                .map(|position| lay(kind.id, players_of(kind), Some(position), automated.clone()));
            assert_eq!(lease(&one, seat), lease(&other, seat), "{}", kind.id);
            for _ in 0..4 {
                let list = some_list(&one, seat, &known, &mut chance);
                answers_are_by_knowledge([&one, &other], seat, &list, worker_answer);
            }
        }
    }

    #[test]
    fn what_the_game_master_orders_and_is_refused_is_told_to_no_seat(number in any::<u64>()) {
        let mut chance = Chance(number);
        let mut table = lay("star-empires", 2, None, Vec::new());
        play_on(&mut table, 6, &mut chance);
        for _ in 0..6 {
            let list: Vec<&str> = (0..=chance.below(3)).filter_map(|_| chance.pick(&MASTER).copied()).collect();
            let orders = table.parse(None, &list.join("\n")).expect("they can be read");
            let before: Vec<_> = seats(&table).into_iter().map(|seat| table.view(Viewer::Seat(seat))).collect();
            let given = OrdersGiven { orders, ..OrdersGiven::default() };
            let Ok(taken) = table.take(step(Does::OrdersGiven(given)), 0) else { continue };
            for (seat, before) in seats(&table).into_iter().zip(before) {
                let told: Vec<Event> = Table::events_for(&taken.entry, Viewer::Seat(seat)).collect();
                assert!(told.is_empty(), "{list:?} told {seat} {told:?}");
                assert!(table.view(Viewer::Seat(seat)) == before, "{list:?}");
            }
        }
    }
}

/// Orders of the game master that wait for the next update; some of them can be refused when they
/// are given.
const MASTER: [&str; 6] = [
    "ADDSTORM (0,0) Squall 9",
    "ADDWORLD (0,1) Found 5 5",
    "REMOVEOBJECT WORLD Nowhere",
    "REMOVESHIP Nobody Nothing",
    "COLLAPSE Nowhere 3",
    "WITHDRAW 1",
];

/// Starships at Large with one starship of player A beside a face-down marker.
fn beside(marker: Marker) -> Table {
    let hex = |q, r| Some(starships::Hex { q, r });
    let hexes =
        vec![starships::Hexagon { hex: hex(1, 0), marker: marker.into(), ..Default::default() }];
    let players = vec![starships::Player::default(); 2];
    let position = starships::Position { hexes, players, ..Default::default() };
    let position = GamePosition { game: Some(game_position::Game::StarshipsAtLarge(position)) };
    lay("starships-at-large", 2, Some(position), Vec::new())
}

fn parsed(table: &Table, text: &str) -> Vec<GameOrder> {
    table.parse(Some(Seat::at(0)), text).expect("orders that can be read")
}

const MARKERS: [Marker; 5] =
    [Marker::Friendly, Marker::Unfriendly, Marker::Dead, Marker::Asteroids, Marker::Empty];

#[test]
fn rules_27_an_expedition_cannot_be_undone_by_a_refused_order_behind_it() {
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
            let (taken, _) = lists::taken(&entry);
            assert!(taken >= 1, "{marker:?}: {text}");
            assert!(table.position() != beside(marker).position(), "the starship has moved");
            comes_to_the_same_as_one_by_one(&beside(marker), Seat::at(0), &orders);
        }
    }
}

#[test]
fn an_order_that_cannot_be_read_refuses_the_whole_list_before_anything_is_played() {
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
fn a_list_whose_first_order_is_refused_changes_nothing() {
    let mut table = beside(Marker::Friendly);
    let before = table.snapshot();
    let orders = parsed(&table, "move A9 to (1,0)\nmove A1 to (1,0)");
    let fault = give(&mut table, Seat::at(0), &orders).expect_err("there is no A9");
    assert_eq!(fault.reason, ErrorReason::OrderRefused);
    assert!(fault.metadata.contains(&("order", "0".to_owned())), "{:?}", fault.metadata);
    assert!(before == table.snapshot());
}

#[test]
fn orders_behind_the_end_of_a_decision_are_not_taken_for_the_next_one() {
    let mut table = lay("starships-at-large", 1, None, Vec::new());
    let orders = parsed(&table, "end\nend\nend");
    let entry = give(&mut table, Seat::at(0), &orders).expect("the turn can end").entry;
    let (taken, refused) = lists::taken(&entry);
    assert_eq!((taken, refused.expect("a reason").refusal.as_str()), (1, "decision-closed"));
    assert_eq!(table.standing(Seat::at(0)).phase, 2, "one turn has ended, and no more");
    let told = Table::events_for(&entry, Viewer::Seat(Seat::at(0)));
    let accepted = told.filter_map(|event| match event.body {
        Some(event::Body::OrdersAccepted(accepted)) => {
            Some((event.text, accepted.notation.len(), accepted.untaken))
        }
        _ => None,
    });
    let [(text, 1, 2)] = &accepted.collect::<Vec<_>>()[..] else {
        panic!("one of three was taken")
    };
    assert!(text.starts_with("Ordered: end. Not taken: end (The orders before it"), "{text}");
    assert!(text.ends_with("), nor the 1 behind it."), "{text}");
}

#[test]
fn a_retry_is_answered_by_the_entry_that_says_where_its_list_stopped() {
    let mut table = lay("starships-at-large", 1, None, Vec::new());
    let given = given(&table, Seat::at(0), &parsed(&table, "end\nend"));
    let mut asked = step(Does::OrdersGiven(given));
    (asked.request_id, asked.request_digest) = ("once".to_owned(), vec![1; 32].into());
    let entry = table.take(asked.clone(), 0).expect("the turn can end").entry;
    // The orders of a retry are not read again, so they may be anything: what was asked counts.
    let retry = Step {
        kind: Some(Does::OrdersGiven(OrdersGiven { seat: 1, ..Default::default() })),
        ..asked
    };
    let restored = Table::load(&table.snapshot(), SECRET).expect("a snapshot loads");
    for table in [&table, &restored] {
        assert!(table.was_asked(Some(Seat::at(0)), "once") && !table.was_asked(None, "once"));
        assert_eq!(table.answered(&retry).unwrap().expect("it was answered").entry, entry.number);
        let other = Step { request_digest: vec![2; 32].into(), ..retry.clone() };
        assert_eq!(table.answered(&other).unwrap_err().reason, ErrorReason::RequestIdReused);
    }
    assert_eq!(lists::taken(&entry).0, 1);
}

#[test]
fn what_belongs_to_the_whole_answer_of_a_worker_is_dropped_where_its_list_stopped() {
    let automated = vec![SandboxAutomation { seat: 1, ..SandboxAutomation::default() }];
    let answer = |text: &str| {
        let mut table = lay("starships-at-large", 1, None, automated.clone());
        let orders = parsed(&table, text);
        let memo = Some(vec![5].into());
        let automation = "captain (standard)".to_owned();
        let given = OrdersGiven { memo, automation, ..given(&table, Seat::at(0), &orders) };
        table.take(step(Does::OrdersGiven(given)), 0).expect("an answer");
        table.wanted().into_iter().next().expect("the next turn").memo
    };
    assert_eq!(answer("mark (0,0)\nend"), [5].as_slice());
    assert_eq!(answer("mark (0,0)\nend\nend"), [].as_slice());
}

/// Sheets are kept until the turn is resolved: of several all are stored, or none.
#[test]
fn of_orders_that_are_kept_until_the_phase_closes_all_are_taken_or_none() {
    let mut table = lay("diplomacy", 7, None, Vec::new());
    let seat = asked(&table)[0];
    let offered = offered(&table, seat);
    let mut list = vec![offered[0].clone(), offered[1].clone()];
    let other = asked(&table)[1];
    list.push(self::offered(&table, other)[0].clone());
    let before = table.snapshot();
    let fault = give(&mut table, seat, &list).expect_err("an order for a unit of another");
    assert!(fault.metadata.contains(&("order", "2".to_owned())), "{:?}", fault.metadata);
    assert!(before == table.snapshot());
    let entry = give(&mut table, seat, &list[..2]).expect("two orders").entry;
    assert_eq!(lists::taken(&entry), (2, None));
}
