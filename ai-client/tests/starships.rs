//! The bots of Starships at Large: always legal, the same on every asking, and blind to what their
//! seat may not know.

use heliopause_ai::bot::{Level, Question, Stop};
use heliopause_ai::chance::Chance;
use heliopause_ai::games::{self, Playable as _};
use heliopause_ai::tournament::{self, Plan};
use heliopause_games::Enveloped as _;
use heliopause_kernel::{Actor, Dice, Game as _, Seat, Setup, Viewer, Wire as _};
use heliopause_proto::v1::{GameView, Lease, game_view};
use heliopause_starships::{Options, Order, Starships, View};

/// Any game ends within so many decisions, random ones too.
const MOST_DECISIONS: usize = 20_000;

fn profile(game: &Starships, seat: Seat, players: usize) -> &'static str {
    let automaton = seat.index() == players;
    assert_eq!(automaton, game.view(Viewer::Spectator).table.death_star_seat() == seat);
    if automaton { "death-star" } else { "captain" }
}

fn ask(profile: &str, view: &View, level: Level, seed: &[u8]) -> Vec<Order> {
    let question = Question { view, level, seed, memo: &[], recent: &[], stop: &Stop::new() };
    Starships::bot(profile).unwrap().decide(&question).orders
}

fn new_game(players: usize, seed: u8) -> (Starships, Dice) {
    let mut dice = Dice::new([seed; 32]);
    let (game, _) =
        Starships::new(&Setup { options: Options::default(), players }, &mut dice).unwrap();
    (game, dice)
}

/// Plays a whole game and shows each decision before it is taken.
fn play(
    players: usize,
    seed: u8,
    level: impl Fn(Seat) -> Level,
    mut look: impl FnMut(&Starships, Seat, &[u8], &[Order]),
) {
    let (mut game, mut dice) = new_game(players, seed);
    let mut seeds = Chance::new(&[seed], "test");
    for _ in 0..MOST_DECISIONS {
        let Some(seat) = game.pending().first().map(|decision| decision.seat) else { return };
        let seed = seeds.seed();
        let orders =
            ask(profile(&game, seat, players), &game.view(Viewer::Seat(seat)), level(seat), &seed);
        look(&game, seat, &seed, &orders);
        assert!(!orders.is_empty(), "every decision is answered");
        for order in orders {
            let done = game.submit(Actor::Seat(seat), order, &mut dice);
            assert!(done.is_ok(), "{order:?} of {seat}, {}: {done:?}", level(seat));
        }
        dice.forget_rolled();
    }
    panic!("the game does not end: {}", game.progress());
}

#[test]
fn every_answer_is_legal_with_any_number_of_players() {
    for players in 1..=6 {
        for seed in 0..4 {
            play(players, seed, |_| Level::Random, |_, _, _, _| {});
            play(players, seed, |_| Level::Standard, |_, _, _, _| {});
        }
        play(players, 9, |seat| Level::ALL[seat.index() % 2], |_, _, _, _| {});
    }
}

#[test]
fn a_strong_player_answers_legally_too() {
    for players in [1, 2, 4] {
        play(
            players,
            5,
            |seat| if seat.index() == 0 { Level::Strong } else { Level::Standard },
            |_, _, _, _| {},
        );
    }
    play(
        3,
        6,
        |seat| if seat.index() == 3 { Level::Strong } else { Level::Random },
        |_, _, _, _| {},
    );
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let level = |seat: Seat| Level::ALL[seat.index() % 3];
    play(3, 7, level, |game, seat, seed, orders| {
        let view = game.view(Viewer::Seat(seat));
        assert_eq!(ask(profile(game, seat, 3), &view, level(seat), seed), orders);
    });
}

/// Another game of which the seat knows exactly as much: every hidden marker, every secret of the
/// others may differ.
#[test]
fn a_bot_knows_no_more_than_its_seat() {
    let level = |seat: Seat| Level::ALL[(seat.index() + 1) % 3];
    let mut others = Chance::new(b"other worlds", "test");
    play(3, 8, level, |game, seat, seed, orders| {
        let other = Starships::sample(&game.view(Viewer::Seat(seat)), &mut || others.number());
        let view = other.view(Viewer::Seat(seat));
        assert_eq!(ask(profile(game, seat, 3), &view, level(seat), seed), orders);
    });
}

fn plan(threads: usize) -> Plan {
    let players = vec![Level::Standard, Level::Random];
    Plan {
        players,
        seats: 3,
        games: 6,
        automata: Level::Standard,
        seed: 3,
        turns: None,
        threads,
        progress: |_, _| {},
        stop: Stop::new(),
    }
}

#[test]
fn a_tournament_is_the_same_on_any_number_of_threads() {
    let run = |threads| {
        let report = tournament::play::<Starships>(Starships::ID, &plan(threads)).unwrap();
        assert_eq!((report.games, report.sets), (6, 2));
        assert!(report.players.iter().all(|player| player.refused == 0));
        assert_eq!(report.automata_refused, 0);
        assert!(report.to_string().contains("standard over random"));
        without_times(report.json())
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn a_tournament_shows_each_seat_and_each_game() {
    let report = tournament::play::<Starships>(Starships::ID, &plan(1)).unwrap();
    let names: Vec<&str> = report.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["Player A", "Player B", "Player C"]);
    for place in &report.places {
        let games: usize = place.players.iter().map(|&(_, games, ..)| games).sum();
        assert_eq!(games, 6, "{place:?}");
    }
    let won: usize = report.places.iter().flat_map(|place| &place.players).map(|seat| seat.3).sum();
    let winners = report.list.iter().flat_map(|game| &game.seats).filter(|seat| seat.2).count();
    assert_eq!((won, report.list.len()), (winners, 6));
    let ended: usize = report.endings.iter().map(|(_, games)| games).sum();
    assert_eq!(ended, 6);
    let lines = report.each();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 6);
    for line in lines {
        let all = ["set ", "standard ", " rounds; ", "(rule "];
        assert!(all.iter().all(|part| line.contains(part)), "{line}");
    }
    let table = report.to_string();
    assert!(table.contains("\nPlayer C ") && table.contains("games ended: "), "{table}");
    assert!(report.is_complete() && !table.contains("interrupted"), "{table}");
}

#[test]
fn a_tournament_that_is_stopped_reports_the_complete_sets() {
    let stopped = plan(2);
    stopped.stop.stop();
    let report = tournament::play::<Starships>(Starships::ID, &stopped).unwrap();
    assert_eq!((report.games, report.sets, report.planned), (0, 0, 2));
    assert!(!report.is_complete() && report.to_string().contains("interrupted: 2 sets"));
}

fn without_times(mut report: serde_json::Value) -> serde_json::Value {
    for player in report["players"].as_array_mut().unwrap() {
        player["times_us"].take();
    }
    report
}

#[test]
fn a_tournament_refuses_what_cannot_be_played() {
    let message =
        |plan: &Plan| tournament::play::<Starships>(Starships::ID, plan).unwrap_err().to_string();
    assert!(message(&Plan { seats: 7, ..plan(1) }).contains("has seats for 1 to 6, not 7"));
    assert!(message(&Plan { games: 0, ..plan(1) }).contains("games"));
    assert!(message(&Plan { players: Vec::new(), ..plan(1) }).contains("players"));
}

#[test]
fn a_lease_is_answered_and_a_malformed_one_is_an_error() {
    let kit = games::find("starships-at-large").unwrap();
    let (game, _) = new_game(2, 1);
    let seat = game.on_turn().unwrap();
    let view = Starships::write_view(&game.view(Viewer::Seat(seat)));
    let lease = Lease {
        kind: kit.kind().to_owned(),
        profile: "captain".to_owned(),
        view: Some(GameView { game: Some(game_view::Game::StarshipsAtLarge(view)) }),
        seed: vec![1; 32].into(),
        ..Lease::default()
    };
    for level in Level::ALL {
        assert_eq!(kit.think(&lease, level, &Stop::new()).unwrap().orders.len(), 1);
    }
    let fault = |lease: &Lease| {
        kit.think(lease, Level::Standard, &Stop::new()).unwrap_err().field.into_owned()
    };
    assert_eq!(fault(&Lease { view: None, ..lease.clone() }), "view");
    assert_eq!(fault(&Lease { profile: "pirate".to_owned(), ..lease.clone() }), "profile");
    assert_eq!(kit.fallbacks(&Lease { view: None, ..lease }).unwrap_err().field, "view");
}

#[test]
fn fallbacks_are_all_choices_the_harmless_ones_first() {
    let kit = games::find("starships-at-large").unwrap();
    let (game, _) = new_game(2, 1);
    let view = game.view(Viewer::Seat(game.on_turn().unwrap()));
    let count = Starships::choices_of(&view).list.len();
    let view =
        GameView { game: Some(game_view::Game::StarshipsAtLarge(Starships::write_view(&view))) };
    let orders = kit.fallbacks(&Lease { view: Some(view), ..Lease::default() }).unwrap();
    assert_eq!(orders.len(), count);
    assert_eq!(orders[0], Starships::seal_order(Starships::write_order(&Order::End)));
}
