//! The bots of Diplomacy and "...It Came From Outer Space!": always legal, the same on every
//! asking, and blind to what their seat may not know.

use heliopause_ai::bot::{Answer, Letter, Level, Question, Reply, Stop};
use heliopause_ai::chance::Chance;
use heliopause_ai::games::{self, Playable as _};
use heliopause_ai::tournament::{self, Plan};
use heliopause_diplomacy::{
    Code, Command, Diplomacy, Dislodged, Insight, Leftover, Options, Order, Phase, Place, Position,
    PressRule, Province, Table, Unit, Variant, View,
};
use heliopause_kernel::{Actor, Dice, Game as _, Seat, Setup, Viewer, Why, Wire as _};
use heliopause_proto::v1::{Event as TableEvent, GameView, Lease, Message, event, game_view};

/// No game of a few years has so many phases.
const MOST_PHASES: usize = 400;

fn options(variant: Variant, last_year: u16) -> Options {
    Options { last_year, ..Options::of(variant) }
}

fn new_game(options: Options, players: usize) -> Diplomacy {
    Diplomacy::new(&Setup { options, players }, &mut Dice::new([1; 32])).unwrap().0
}

fn profile(game: &Diplomacy, seat: Seat) -> &'static str {
    let Setup { options, players } = game.setup();
    Diplomacy::cast(&options, players).roles[seat.index()].profile
}

fn ask(profile: &str, view: &View, level: Level, seed: &[u8]) -> Answer<Diplomacy> {
    let question = Question { view, level, seed, memo: &[], recent: &[], stop: &Stop::new() };
    Diplomacy::bot(profile).unwrap().decide(&question)
}

/// Plays a whole game and shows each decision before it is taken. No order is ever refused.
fn play(
    mut game: Diplomacy,
    level: impl Fn(Seat) -> Level,
    mut look: impl FnMut(&Diplomacy, Seat, &[u8], &Answer<Diplomacy>),
) -> Diplomacy {
    let (mut seeds, mut dice) = (Chance::new(b"seeds", "test"), Dice::new([2; 32]));
    for _ in 0..MOST_PHASES {
        if game.outcome().is_some() {
            assert_eq!(game.check(), Ok(()));
            return game;
        }
        for seat in game.pending().into_iter().map(|decision| decision.seat).collect::<Vec<_>>() {
            let seed = seeds.seed();
            let answer =
                ask(profile(&game, seat), &game.view(Viewer::Seat(seat)), level(seat), &seed);
            look(&game, seat, &seed, &answer);
            assert!(answer.ready && !answer.orders.is_empty(), "{seat} answers every decision");
            for order in answer.orders {
                let done = game.submit(Actor::Seat(seat), order, &mut dice);
                let text = Diplomacy::notate(&order);
                assert!(
                    done.is_ok(),
                    "{text} of {seat}, {}, in {}: {done:?}",
                    level(seat),
                    game.progress()
                );
            }
        }
        game.close(Why::AllReady, &mut dice);
    }
    panic!("the game does not end: {}", game.progress());
}

/// Whoever thinks has something to say about every unit: nothing that they thought of was illegal
/// and left out.
fn sees_to_everything(game: &Diplomacy, seat: Seat, answer: &Answer<Diplomacy>) {
    let table = game.table();
    let due = match table.phase {
        Phase::SpringMovement | Phase::FallMovement => table.position.strength(seat),
        Phase::SpringRetreat | Phase::FallRetreat => table
            .dislodged
            .iter()
            .filter(|one| one.unit.owner == seat && !one.retreats.is_empty())
            .count(),
        Phase::Winter => return,
    };
    let orders: Vec<String> = answer.orders.iter().map(Diplomacy::notate).collect();
    assert_eq!(answer.orders.len(), due, "{seat} in {}: {orders:?}", game.progress());
}

#[test]
fn every_answer_is_legal_with_any_number_of_powers() {
    for players in [2, 3, 7] {
        play(
            new_game(options(Variant::Standard, 1908), players),
            |_| Level::Random,
            |_, _, _, _| {},
        );
        play(new_game(options(Variant::Standard, 1912), players), |_| Level::Standard, sees);
        play(
            new_game(options(Variant::Standard, 1904), players),
            |seat| Level::ALL[seat.index() % 3],
            |_, _, _, _| {},
        );
    }
    let automated = Options { leftover: Leftover::Automated, ..options(Variant::Standard, 1904) };
    play(new_game(automated, 3), |_| Level::Standard, sees);
}

#[test]
fn every_answer_is_legal_with_any_number_of_empires() {
    for players in [2, 7, 30, 64] {
        play(
            new_game(options(Variant::OuterSpace, 1906), players),
            |_| Level::Random,
            |_, _, _, _| {},
        );
        play(new_game(options(Variant::OuterSpace, 1910), players), |_| Level::Standard, sees);
    }
    play(
        new_game(options(Variant::OuterSpace, 1904), 5),
        |seat| Level::ALL[seat.index() % 3],
        |_, _, _, _| {},
    );
}

fn sees(game: &Diplomacy, seat: Seat, _seed: &[u8], answer: &Answer<Diplomacy>) {
    sees_to_everything(game, seat, answer);
}

#[test]
fn strong_powers_play_to_the_end() {
    let game = play(new_game(options(Variant::Standard, 1905), 7), |_| Level::Strong, sees);
    assert_eq!(game.outcome().unwrap().points.len(), 7);
}

#[test]
fn strong_empires_play_to_the_end() {
    for (players, last_year) in [(2, 1908), (4, 1904)] {
        let game = play(
            new_game(options(Variant::OuterSpace, last_year), players),
            |_| Level::Strong,
            sees,
        );
        assert_eq!(game.outcome().unwrap().points.len(), players);
    }
    let crowd = new_game(options(Variant::OuterSpace, 1901), 64);
    play(crowd, |seat| if seat.index() < 3 { Level::Strong } else { Level::Standard }, sees);
}

/// Positions that no sensible player gets into are answered as well.
#[test]
fn whoever_takes_over_from_a_random_player_answers_legally() {
    for (variant, players) in [(Variant::Standard, 7), (Variant::OuterSpace, 6)] {
        let mut asked = 0;
        play(
            new_game(options(variant, 1909), players),
            |_| Level::Random,
            |game, seat, seed, _| {
                asked += 1;
                let view = game.view(Viewer::Seat(seat));
                let levels = if asked % 7 == 0 {
                    &[Level::Standard, Level::Strong][..]
                } else {
                    &[Level::Standard]
                };
                for &level in levels {
                    let answer = ask(profile(game, seat), &view, level, seed);
                    sees_to_everything(game, seat, &answer);
                    assert!(
                        is_accepted(game, seat, &answer.orders),
                        "{level}: {:?}",
                        answer.orders
                    );
                }
            },
        );
    }
}

fn is_accepted(game: &Diplomacy, seat: Seat, orders: &[Command]) -> bool {
    let (mut game, mut dice) = (game.clone(), Dice::new([9; 32]));
    !orders.is_empty()
        && orders.iter().all(|&order| game.submit(Actor::Seat(seat), order, &mut dice).is_ok())
}

/// A seat whose player gave some orders, or all of them, is answered as one that has none.
#[test]
fn earlier_orders_are_taken_back() {
    for variant in [Variant::Standard, Variant::OuterSpace] {
        let mut game = new_game(options(variant, 0), 7);
        let seat = Seat::at(2);
        let first =
            ask(profile(&game, seat), &game.view(Viewer::Seat(seat)), Level::Standard, b"one");
        for order in first.orders {
            game.submit(Actor::Seat(seat), order, &mut Dice::new([3; 32])).unwrap();
        }
        for level in Level::ALL {
            let again = ask(profile(&game, seat), &game.view(Viewer::Seat(seat)), level, b"two");
            assert_eq!(again.orders[0], Command::Clear);
            assert!(again.orders.len() > 3 && is_accepted(&game, seat, &again.orders));
        }
    }
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for (variant, players) in [(Variant::Standard, 4), (Variant::OuterSpace, 4)] {
        let level = |seat: Seat| Level::ALL[(seat.index() + 2) % 3];
        play(new_game(options(variant, 1903), players), level, |game, seat, seed, answer| {
            let view = game.view(Viewer::Seat(seat));
            assert_eq!(ask(profile(game, seat), &view, level(seat), seed), *answer);
        });
    }
}

/// Another game of which the seat knows exactly as much: the orders of the others differ.
#[test]
fn a_bot_knows_no_more_than_its_seat() {
    let mut others = Chance::new(b"other orders", "test");
    let level = |seat: Seat| Level::ALL[(seat.index() + 1) % 3];
    play(new_game(options(Variant::OuterSpace, 1902), 4), level, |game, seat, seed, answer| {
        let other = Diplomacy::sample(&game.view(Viewer::Seat(seat)), &mut || others.number());
        let view = other.view(Viewer::Seat(seat));
        assert_eq!(ask(profile(game, seat), &view, level(seat), seed), *answer);
    });
}

/// A position with these units (`"FRA A Par"`) and centers (`"FRA Par Mar"`), as a seat of the
/// standard game sees it.
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
    View { table, insight: Insight::Seat(Seat::at(seat), Vec::new()) }
}

fn notated(view: &View, level: Level) -> Vec<String> {
    ask("power", view, level, b"tactics").orders.iter().map(Diplomacy::notate).collect()
}

/// Seats are in the order of the powers' names: Austria, England, France, Germany, Italy, Russia,
/// Turkey.
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
fn in_fall_who_is_driven_out_goes_to_a_free_center() {
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
fn what_is_built_can_be_built() {
    let view = view(Phase::Winter, FRANCE, &["FRA A Gas"], &["FRA Par Bre Mar Spa"]);
    for level in Level::ALL {
        let orders = ask("power", &view, level, b"winter").orders;
        assert!((1..=3).contains(&orders.len()), "{orders:?}");
    }
    for level in [Level::Standard, Level::Strong] {
        let orders = ask("power", &view, level, b"winter").orders;
        let builds = |command: &&Command| matches!(command, Command::Order(Order::Build { .. }));
        assert_eq!(orders.iter().filter(builds).count(), 3, "{orders:?}");
    }
}

/// The first landing of an empire: on centers, each on its own.
#[test]
fn an_empire_lands_on_centers() {
    let game = new_game(options(Variant::OuterSpace, 0), 5);
    for seat in Seat::first(5) {
        for level in [Level::Standard, Level::Strong] {
            let answer = ask("empire", &game.view(Viewer::Seat(seat)), level, &[7]);
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

/// Bots that are written to answer under full press, and keep silent where the game says so.
#[test]
fn proposals_are_answered_where_the_game_allows_it() {
    for (press, answers) in [(PressRule::Full, 1), (PressRule::Public, 0), (PressRule::None, 0)] {
        let game = new_game(Options { press, ..options(Variant::Standard, 0) }, 7);
        let (me, other) = (Seat::at(0), Seat::at(3));
        let view = game.view(Viewer::Seat(me));
        let letters = [Letter { number: 4, from: Some(other), text: "Hello\npeace?".to_owned() }];
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
                Diplomacy::bot("power").unwrap().correspond(&question, &letters);
            assert_eq!(replies.len(), answers, "{press:?}, {level}: {replies:?}");
            for Reply { to, text } in &replies {
                assert!(to == &[other] && (1..=500).contains(&text.chars().count()));
                assert!(game.press(me, other, false).is_ok() && !game.only_public_press());
            }
            assert!(is_accepted(&game, me, &answer.orders));
            let memo = answer.memo.unwrap_or_default();
            let again = Question { memo: &memo, ..question };
            assert_eq!(
                Diplomacy::bot("power").unwrap().correspond(&again, &letters).1,
                [],
                "once is enough"
            );
        }
    }
}

fn plan(players: &[Level], seats: usize, games: usize, turns: u32, threads: usize) -> Plan {
    let (players, turns) = (players.to_vec(), Some(turns));
    Plan {
        players,
        seats,
        games,
        automata: Level::Standard,
        seed: 3,
        turns,
        threads,
        progress: |_, _| {},
        stop: Stop::new(),
    }
}

#[test]
fn a_tournament_is_the_same_on_any_number_of_threads() {
    for kind in ["diplomacy", "it-came-from-outer-space"] {
        let run = |threads| {
            let plan = plan(&[Level::Standard, Level::Random], 3, 6, 8, threads);
            let report = tournament::play::<Diplomacy>(kind, &plan).unwrap();
            assert_eq!((report.games, report.sets), (6, 2));
            assert!(report.players.iter().all(|player| player.refused == 0));
            assert!(
                report.rounds.2 <= 8 && report.to_string().contains("share of all supply centers")
            );
            without_times(report.json())
        };
        assert_eq!(run(1), run(2), "{kind}");
    }
}

/// Levels are in order: the differences are so great that a few games show them.
#[test]
fn better_levels_hold_more_centers() {
    for kind in ["diplomacy", "it-came-from-outer-space"] {
        let share = |players: [Level; 2], games, years| {
            let plan = plan(&players, 2, games, years, 2);
            let report = tournament::play::<Diplomacy>(kind, &plan).unwrap();
            report.pairs[0].difference.mean
        };
        assert!(share([Level::Standard, Level::Random], 10, 10) > 0.2, "{kind}");
        assert!(share([Level::Strong, Level::Standard], 4, 7) > 0.0, "{kind}");
    }
}

fn without_times(mut report: serde_json::Value) -> serde_json::Value {
    for player in report["players"].as_array_mut().unwrap() {
        player["times_us"].take();
    }
    report
}

#[test]
fn a_lease_is_answered_and_a_malformed_one_is_an_error() {
    for (kind, variant, profile) in [
        ("diplomacy", Variant::Standard, "power"),
        ("it-came-from-outer-space", Variant::OuterSpace, "empire"),
    ] {
        let kit = games::find(kind).unwrap();
        assert_eq!(kit.profiles(), [profile]);
        let game = new_game(options(variant, 0), 5);
        let seat = Seat::at(1);
        let view = Diplomacy::write_view(&game.view(Viewer::Seat(seat)));
        let letter = Message {
            number: 1,
            from_seat: Some(4),
            text: "peace?".to_owned(),
            ..Message::default()
        };
        let lease = Lease {
            kind: kind.to_owned(),
            profile: profile.to_owned(),
            seat: seat.number(),
            view: Some(GameView { game: Some(game_view::Game::Diplomacy(view)) }),
            seed: vec![1; 32].into(),
            memo: vec![7; 60].into(),
            recent: vec![TableEvent {
                body: Some(event::Body::Message(letter)),
                ..TableEvent::default()
            }],
            ..Lease::default()
        };
        for level in Level::ALL {
            let draft = kit.think(&lease, level, &Stop::new()).unwrap();
            assert!(draft.ready && draft.orders.len() == 3, "{level}: {:?}", draft.orders);
            assert!(draft.messages.is_empty(), "a stand-in keeps silent");
        }
        let writing = Lease { may_write: true, memo: Vec::new().into(), ..lease.clone() };
        assert_eq!(kit.think(&writing, Level::Standard, &Stop::new()).unwrap().messages.len(), 1);
        for order in kit.fallbacks(&lease).unwrap() {
            let Some(heliopause_proto::v1::game_order::Game::Diplomacy(order)) = order.game else {
                panic!("an order")
            };
            assert!(is_accepted(&game, seat, &[Diplomacy::read_order(&order).unwrap()]));
        }
        let fault = |lease: &Lease| {
            kit.think(lease, Level::Standard, &Stop::new()).unwrap_err().field.into_owned()
        };
        assert_eq!(fault(&Lease { view: None, ..lease.clone() }), "view");
        assert_eq!(fault(&Lease { profile: "emperor".to_owned(), ..lease.clone() }), "profile");
    }
}
