//! The bots of Diplomacy and "...It Came From Outer Space!".

use heliopause_ai::bot::{Answer, Level, Question, ReceivedMessage, Reply, Stop};
use heliopause_ai::games::{self, Playable as _};
use heliopause_ai::tournament::{self, Plan};
use heliopause_diplomacy::{
    Code, Command, Diplomacy, Dislodged, Insight, Leftover, Options, Order, Phase, Place, Position,
    PressRule, Province, Sheet, Table, Unit, Variant, View,
};
use heliopause_kernel::{Actor, Dice, Game as _, Seat, Viewer, Wire as _};
use heliopause_proto::v1::{Event as TableEvent, Lease, Message, event};

use crate::play::{
    BotTurn, ask, check_determinism, check_hidden_information, check_malformed_leases, is_accepted,
    lease, new_game, plan, play, profile, tournaments_agree, unseen,
};

fn options(variant: Variant, last_year: u16) -> Options {
    Options { last_year, ..Options::of(variant) }
}

fn game(variant: Variant, last_year: u16, players: usize) -> (Diplomacy, Dice) {
    new_game(options(variant, last_year), players, 1)
}

/// Checks that every unit has an order. A bot omits illegal orders, so a missing one shows a fault.
fn sees(asked: &BotTurn<'_, Diplomacy>, answer: &Answer<Diplomacy>) {
    let (game, seat) = (asked.game, asked.seat);
    assert!(answer.ready, "{seat} is ready");
    let table = game.table();
    let due = match table.phase {
        Phase::SpringMovement | Phase::FallMovement => table.position.strength(seat),
        Phase::SpringRetreat | Phase::FallRetreat => {
            table.dislodged.iter().filter(|one| one.unit.owner == seat).count()
        }
        Phase::Winter => return,
    };
    let orders: Vec<String> = answer.orders.iter().map(Diplomacy::notate).collect();
    assert_eq!(answer.orders.len(), due, "{seat} in {}: {orders:?}", game.progress());
}

#[test]
fn every_answer_is_legal_with_any_number_of_powers() {
    for players in [2, 3, 7] {
        play(game(Variant::Standard, 1908, players), |_| Level::Random, unseen);
        play(game(Variant::Standard, 1912, players), |_| Level::Standard, sees);
        let mixed = |seat: Seat| Level::ALL[seat.index() % 3];
        play(game(Variant::Standard, 1904, players), mixed, unseen);
    }
    let automated = Options { leftover: Leftover::Automated, ..options(Variant::Standard, 1904) };
    play(new_game(automated, 3, 1), |_| Level::Standard, sees);
}

#[test]
fn every_answer_is_legal_with_any_number_of_empires() {
    for players in [2, 7, 30, 64] {
        play(game(Variant::OuterSpace, 1906, players), |_| Level::Random, unseen);
        play(game(Variant::OuterSpace, 1910, players), |_| Level::Standard, sees);
    }
    play(game(Variant::OuterSpace, 1904, 5), |seat| Level::ALL[seat.index() % 3], unseen);
}

#[test]
fn strong_powers_play_to_the_end() {
    let game = play(game(Variant::Standard, 1905, 7), |_| Level::Strong, sees);
    assert_eq!(game.outcome().unwrap().points.len(), 7);
}

#[test]
fn strong_empires_play_to_the_end() {
    for (players, last_year) in [(2, 1908), (4, 1904)] {
        let game = play(game(Variant::OuterSpace, last_year, players), |_| Level::Strong, sees);
        assert_eq!(game.outcome().unwrap().points.len(), players);
    }
    let strong = |seat: Seat| if seat.index() < 3 { Level::Strong } else { Level::Standard };
    play(game(Variant::OuterSpace, 1901, 64), strong, sees);
}

/// Random play leads to positions that a sensible player never reaches.
#[test]
fn bots_answer_legally_after_random_play() {
    for (variant, players) in [(Variant::Standard, 7), (Variant::OuterSpace, 6)] {
        let mut count = 0;
        play(
            game(variant, 1909, players),
            |_| Level::Random,
            |asked, _| {
                count += 1;
                let levels = [Level::Standard, Level::Strong];
                for &level in &levels[..if count % 7 == 0 { 2 } else { 1 }] {
                    let answer = asked.answer(&asked.view(), level);
                    sees(asked, &answer);
                    let orders = answer.orders;
                    assert!(is_accepted(asked.game, asked.seat, &orders), "{level}: {orders:?}");
                }
            },
        );
    }
}

#[test]
fn earlier_orders_are_taken_back() {
    for variant in [Variant::Standard, Variant::OuterSpace] {
        let (mut game, _) = game(variant, 0, 7);
        let seat = Seat::at(2);
        let asked = |game: &Diplomacy, level, seed: &[u8]| {
            ask::<Diplomacy>(profile(game, seat), &game.view(Viewer::Seat(seat)), level, seed)
        };
        let first = asked(&game, Level::Standard, b"one");
        for order in first.orders {
            game.submit(Actor::Seat(seat), order, &mut Dice::new([3; 32])).unwrap();
        }
        for level in Level::ALL {
            let again = asked(&game, level, b"two");
            assert_eq!(again.orders[0], Command::Clear);
            assert!(again.orders.len() > 3 && is_accepted(&game, seat, &again.orders));
        }
    }
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for variant in [Variant::Standard, Variant::OuterSpace] {
        check_determinism(game(variant, 1903, 4), |seat| Level::ALL[(seat.index() + 2) % 3]);
    }
}

#[test]
fn bots_do_not_use_hidden_information() {
    let level = |seat: Seat| Level::ALL[(seat.index() + 1) % 3];
    check_hidden_information(game(Variant::OuterSpace, 1902, 4), level, 1);
}

/// Returns a view with units such as `"FRA A Par"` and centers such as `"FRA Par Mar"`.
fn view(phase: Phase, seat: usize, units: &[&str], centers: &[&str]) -> View {
    let mut table = Table::start(&Options::of(Variant::Standard), 7);
    table.position =
        Position::empty(Variant::Standard, table.position.powers.iter().map(|power| power.code));
    let called = |table: &Table, code: &str| {
        table.position.power_called(code.parse::<Code>().unwrap()).unwrap()
    };
    for text in units {
        let (code, unit) = text.split_once(' ').unwrap();
        let owner = called(&table, code);
        table.position.put(Unit::read(owner, unit).unwrap());
    }
    for text in centers {
        let (code, provinces) = text.split_once(' ').unwrap();
        let owner = called(&table, code);
        for name in provinces.split(' ') {
            table.position.centers[name.parse::<Province>().unwrap().index()] = Some(owner);
        }
    }
    table.phase = phase;
    View { table, insight: Insight::Seat(Seat::at(seat), Sheet::default()) }
}

fn notated(view: &View, level: Level) -> Vec<String> {
    ask::<Diplomacy>("power", view, level, b"tactics")
        .orders
        .iter()
        .map(Diplomacy::notate)
        .collect()
}

/// The index of the French seat. Seats are in the alphabetical order of their powers.
const FRANCE: usize = 2;

#[test]
fn in_fall_a_free_center_is_taken() {
    let view = view(
        Phase::FallMovement,
        FRANCE,
        &["FRA A Gas", "FRA F MAO", "TUR A Ank"],
        &["FRA Par", "TUR Ank"],
    );
    for level in [Level::Standard, Level::Strong] {
        let orders = notated(&view, level);
        let taken = orders.iter().filter(|order| {
            [" - Spa", " - Por", " - Bre", " - Mar"].iter().any(|to| order.contains(to))
        });
        assert_eq!(taken.count(), 2, "{level}: {orders:?}");
    }
}

#[test]
fn in_fall_dislodged_units_retreat_to_a_free_center() {
    let mut view = view(
        Phase::FallRetreat,
        FRANCE,
        &["GER A Bur", "TUR A Ank"],
        &["FRA Par", "GER Mun", "TUR Ank"],
    );
    let node = |name: &str| Place::Earth(name.parse::<Province>().unwrap().node());
    view.table.dislodged.push(Dislodged {
        unit: Unit::read(Seat::at(FRANCE), "A Bur").unwrap(),
        by: Seat::at(3),
        from: "Mun".parse::<Province>().ok(),
        by_convoy: false,
        retreats: ["Gas", "Mar", "Pic"].map(node).to_vec(),
    });
    for level in [Level::Standard, Level::Strong] {
        assert_eq!(notated(&view, level), ["A Bur R Mar"], "{level}");
    }
}

#[test]
fn builds_are_legal() {
    let view = view(Phase::Winter, FRANCE, &["FRA A Gas"], &["FRA Par Bre Mar Spa"]);
    for level in Level::ALL {
        let orders = ask::<Diplomacy>("power", &view, level, b"winter").orders;
        assert!((1..=3).contains(&orders.len()), "{orders:?}");
    }
    for level in [Level::Standard, Level::Strong] {
        let orders = ask::<Diplomacy>("power", &view, level, b"winter").orders;
        let builds = |command: &&Command| matches!(command, Command::Order(Order::Build { .. }));
        assert_eq!(orders.iter().filter(builds).count(), 3, "{orders:?}");
    }
}

#[test]
fn an_empire_lands_on_centers() {
    let (game, _) = game(Variant::OuterSpace, 0, 5);
    for seat in Seat::first(5) {
        for level in [Level::Standard, Level::Strong] {
            let view = game.view(Viewer::Seat(seat));
            let answer = ask::<Diplomacy>("empire", &view, level, &[7]);
            let mut targets: Vec<Province> = Vec::new();
            for command in &answer.orders {
                if let Command::Order(Order::Move { to: Place::Earth(to), .. }) = command {
                    assert!(
                        to.province().is_center() && !targets.contains(&to.province()),
                        "{:?}",
                        answer.orders
                    );
                    targets.push(to.province());
                }
            }
            assert_eq!(targets.len(), 3, "{level}: {:?}", answer.orders);
        }
    }
}

#[test]
fn proposals_are_answered_where_the_game_allows_it() {
    for (press, answers) in [(PressRule::Full, 1), (PressRule::Public, 0), (PressRule::None, 0)] {
        let options = Options { press, ..options(Variant::Standard, 0) };
        let (game, _) = new_game::<Diplomacy>(options, 7, 1);
        let (me, other) = (Seat::at(0), Seat::at(3));
        let view = game.view(Viewer::Seat(me));
        let incoming =
            [ReceivedMessage { number: 4, from: Some(other), text: "Hello\npeace?".to_owned() }];
        for (level, answers) in
            [(Level::Random, 0), (Level::Standard, answers), (Level::Strong, answers)]
        {
            let question = Question {
                view: &view,
                level,
                seed: b"press",
                memo: &[],
                recent: &[],
                stop: &Stop::new(),
            };
            let (answer, replies) =
                Diplomacy::bot("power").unwrap().correspond(&question, &incoming);
            assert_eq!(replies.len(), answers, "{press:?}, {level}: {replies:?}");
            for Reply { to, text } in &replies {
                assert!(to == &[other] && (1..=500).contains(&text.chars().count()));
                assert!(game.press(me, other, false).is_ok() && !game.only_public_press());
            }
            assert!(is_accepted(&game, me, &answer.orders));
            let memo = answer.memo.unwrap_or_default();
            let again = Question { memo: &memo, ..question };
            assert_eq!(
                Diplomacy::bot("power").unwrap().correspond(&again, &incoming).1,
                [],
                "once is enough"
            );
        }
    }
}

#[test]
fn tournaments_do_not_depend_on_the_number_of_threads() {
    for kind in ["diplomacy", "it-came-from-outer-space"] {
        let players = [Level::Standard, Level::Random];
        let plan = |threads| Plan { turns: Some(8), ..plan(&players, 3, 6, threads) };
        tournaments_agree::<Diplomacy>(kind, plan, |report| {
            let text = report.to_string();
            assert!(report.rounds.longest <= 8 && text.contains("share of all supply centers"));
        });
    }
}

#[test]
fn better_levels_hold_more_centers() {
    for kind in ["diplomacy", "it-came-from-outer-space"] {
        let share = |players: [Level; 2], games, years| {
            let plan = Plan { turns: Some(years), ..plan(&players, 2, games, 2) };
            let report = tournament::play::<Diplomacy>(kind, &plan).unwrap();
            report.pairs[0].difference.mean
        };
        assert!(share([Level::Standard, Level::Random], 10, 10) > 0.2, "{kind}");
        assert!(share([Level::Strong, Level::Standard], 4, 7) > 0.0, "{kind}");
    }
}

#[test]
fn a_lease_is_answered_and_a_malformed_one_is_an_error() {
    for (kind, variant, profile) in [
        ("diplomacy", Variant::Standard, "power"),
        ("it-came-from-outer-space", Variant::OuterSpace, "empire"),
    ] {
        let adapter = games::find(kind).unwrap();
        assert_eq!(adapter.profiles(), [profile]);
        let (game, _) = game(variant, 0, 5);
        let seat = Seat::at(1);
        let letter = Message {
            number: 1,
            from_seat: Some(4),
            text: "peace?".to_owned(),
            ..Message::default()
        };
        let lease = Lease {
            memo: vec![7; 60].into(),
            recent: vec![TableEvent {
                body: Some(event::Body::Message(letter)),
                ..TableEvent::default()
            }],
            ..lease(&game, seat, profile)
        };
        for level in Level::ALL {
            let draft = adapter.think(&lease, level, &Stop::new()).unwrap();
            assert!(draft.ready && draft.orders.len() == 3, "{level}: {:?}", draft.orders);
            assert!(draft.messages.is_empty(), "a stand-in keeps silent");
        }
        let writing = Lease { may_write: true, memo: Vec::new().into(), ..lease.clone() };
        assert_eq!(
            adapter.think(&writing, Level::Standard, &Stop::new()).unwrap().messages.len(),
            1
        );
        for order in adapter.fallbacks(&lease).unwrap() {
            let Some(heliopause_proto::v1::game_order::Game::Diplomacy(order)) = order.game else {
                panic!("an order")
            };
            assert!(is_accepted(&game, seat, &[Diplomacy::read_order(&order).unwrap()]));
        }
        check_malformed_leases(adapter, &lease);
    }
}
