//! The bots of Starships at Large.

use std::io::{Read as _, Seek as _};
use std::sync::{Arc, Mutex};

use heliopause_ai::bot::{Level, Stop};
use heliopause_ai::games;
use heliopause_ai::tournament::{self, Plan, Sprt, Verdict};
use heliopause_games::Enveloped as _;
use heliopause_kernel::{Dice, Game as _, Seat, Viewer, Wire as _};
use heliopause_starships::{Options, Order, Starships};
use serde_json::{Value, json};

use crate::play::{
    BotTurn, check_determinism, check_hidden_information, check_malformed_leases, lease, new_game,
    play, profile, tournaments_agree, unseen,
};

fn game(players: usize, seed: u8) -> (Starships, Dice) {
    new_game(Options::default(), players, seed)
}

#[test]
fn every_answer_is_legal_with_any_number_of_players() {
    let always_automated = |asked: &BotTurn<'_, Starships>, _: &_| {
        let death_star = asked.game.view(Viewer::Spectator).table.death_star_seat();
        assert_eq!(profile(asked.game, asked.seat) == "death-star", asked.seat == death_star);
    };
    for players in 1..=6 {
        for seed in 0..4 {
            play(game(players, seed), |_| Level::Random, always_automated);
            play(game(players, seed), |_| Level::Standard, unseen);
        }
        play(game(players, 9), |seat| Level::ALL[seat.index() % 2], unseen);
    }
}

#[test]
fn a_strong_player_answers_legally_too() {
    let strong = |which: usize, others: Level| {
        move |seat: Seat| if seat.index() == which { Level::Strong } else { others }
    };
    for players in [1, 2, 4] {
        play(game(players, 5), strong(0, Level::Standard), unseen);
    }
    play(game(3, 6), strong(3, Level::Random), unseen);
}

#[test]
fn the_same_question_gets_the_same_answer() {
    check_determinism(game(3, 7), |seat| Level::ALL[seat.index() % 3]);
}

#[test]
fn bots_do_not_use_hidden_information() {
    check_hidden_information(game(3, 8), |seat| Level::ALL[(seat.index() + 1) % 3], 1);
}

fn plan(threads: usize) -> Plan {
    crate::play::plan(&[Level::Standard, Level::Random], 3, 6, threads)
}

#[test]
fn tournaments_do_not_depend_on_the_number_of_threads() {
    tournaments_agree::<Starships>(Starships::ID, plan, |report| {
        assert_eq!(report.automata.refused, 0);
        assert!(report.to_string().contains("standard over random"));
    });
}

#[test]
fn a_tournament_shows_each_seat_and_each_game() {
    let report = tournament::play::<Starships>(Starships::ID, &plan(1)).unwrap();
    let names: Vec<&str> = report.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["Player A", "Player B", "Player C"]);
    for place in &report.places {
        let games: usize = place.players.iter().map(|player| player.games).sum();
        assert_eq!(games, 6, "{place:?}");
    }
    let won: usize =
        report.places.iter().flat_map(|place| &place.players).map(|seat| seat.won).sum();
    let winners = report.list.iter().flat_map(|game| &game.seats).filter(|seat| seat.won).count();
    assert_eq!((won, report.list.len()), (winners, 6));
    let ended: usize = report.endings.iter().map(|(_, games)| games).sum();
    assert_eq!(ended, 6);
    let lines = report.each();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 6);
    for line in lines {
        let all = ["seed 3, set ", "standard ", " rounds; ", "(rule "];
        assert!(all.iter().all(|part| line.contains(part)), "{line}");
    }
    let table = report.to_string();
    assert!(table.contains("\nPlayer C ") && table.contains("games ended: "), "{table}");
    assert!(report.is_complete() && !table.contains("interrupted"), "{table}");
}

#[test]
fn a_stopped_tournament_reports_completed_sets() {
    let stopped = plan(2);
    stopped.stop.stop();
    let report = tournament::play::<Starships>(Starships::ID, &stopped).unwrap();
    assert_eq!((report.games, report.sets, report.planned), (0, 0, 2));
    assert!(!report.is_complete() && report.to_string().contains("interrupted: 2 sets"));
}

#[test]
fn a_sequential_test_ends_a_tournament_on_any_number_of_threads() {
    let run = |threads| {
        let sprt = Some(Sprt { effect: 0.5 });
        let plan = crate::play::plan(&[Level::Standard, Level::Random], 2, 400, threads);
        tournament::play::<Starships>(Starships::ID, &Plan { sprt, ..plan }).unwrap()
    };
    let (one, two) = (run(1), run(2));
    let verdict = one.sprt.unwrap().verdict;
    assert_eq!(verdict, Verdict::Better, "{one}");
    assert!(one.sets < 50 && one.is_complete(), "{one}");
    assert!(one.to_string().contains("the first player is better"), "{one}");
    assert_eq!(one.each(), two.each());
    assert!(one.players[0].rating.mean > one.players[1].rating.mean, "{one}");
}

#[test]
fn games_are_written_to_a_file_and_can_be_repeated() {
    let file = Arc::new(Mutex::new(tempfile::tempfile().unwrap()));
    let plan = Plan { out: Some(file.clone()), ..plan(2) };
    let report = tournament::play::<Starships>(Starships::ID, &plan).unwrap();
    let mut text = String::new();
    let mut file = file.lock().unwrap();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(lines.len(), 6);
    for line in &lines {
        assert_eq!((&line["game"], &line["seed"]), (&json!(Starships::ID), &json!(3)));
    }
    assert!(lines.iter().any(|line| line["set"] == 2 && line["seats"][0]["player"] == "random"));
    let again = Plan { games: 1, first_set: 1, out: None, ..plan.clone() };
    let again = tournament::play::<Starships>(Starships::ID, &again).unwrap();
    assert_eq!(again.each(), report.each().lines().skip(3).collect::<Vec<_>>().join("\n"));
}

#[test]
fn tournaments_reject_invalid_plans() {
    let message =
        |plan: &Plan| tournament::play::<Starships>(Starships::ID, plan).unwrap_err().to_string();
    let seats = message(&Plan { seats: 7, ..plan(1) });
    assert!(seats.contains("--seats: 7 is not possible; Starships at Large takes 1 to 6"));
    assert!(message(&Plan { games: 0, ..plan(1) }).contains("games"));
    assert!(message(&Plan { players: Vec::new(), ..plan(1) }).contains("players"));
    let one =
        Plan { players: vec![Level::Strong.into()], sprt: Some(Sprt { effect: 0.5 }), ..plan(1) };
    assert!(message(&one).contains("two different"));
}

#[test]
fn a_lease_is_answered_and_a_malformed_one_is_an_error() {
    let adapter = games::find("starships-at-large").unwrap();
    let (game, _) = game(2, 1);
    let lease = lease(&game, game.on_turn().unwrap(), "captain");
    for level in Level::ALL {
        assert_eq!(adapter.think(&lease, level, &Stop::new()).unwrap().orders.len(), 1);
    }
    check_malformed_leases(adapter, &lease);
}

#[test]
fn fallbacks_are_all_choices_most_harmless_first() {
    let adapter = games::find("starships-at-large").unwrap();
    let (game, _) = game(2, 1);
    let seat = game.on_turn().unwrap();
    let count = Starships::choices_of(&game.view(Viewer::Seat(seat))).list.len();
    let orders = adapter.fallbacks(&lease(&game, seat, "captain")).unwrap();
    assert_eq!(orders.len(), count);
    assert_eq!(orders[0], Starships::seal_order(Starships::write_order(&Order::End)));
}
