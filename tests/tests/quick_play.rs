//! Quick play and rematches with the real programs.

use std::thread;

use heliopause_tests::{AiClient, Engine, Person, STARSHIPS, wait_until};
use serde_json::Value;

const TWO: [&str; 4] = ["quick-play", "star-empires", "--players", "2"];

fn game_of(answer: &Value) -> String {
    assert_eq!(answer["entry"]["state"], "QUEUE_STATE_READY", "{answer}");
    answer["entry"]["gameId"].as_str().expect("an id").to_owned()
}

/// Lets two people enter the queue at the same time. Returns their game.
fn matched(people: &[Person; 2], arguments: &[&str]) -> String {
    let arguments = [&TWO[..], arguments].concat();
    let games = thread::scope(|scope| {
        let waits = people.each_ref().map(|one| scope.spawn(|| game_of(&one.does(&arguments))));
        waits.map(|wait| wait.join().expect("a match"))
    });
    assert_eq!(games[0], games[1]);
    let [game, _] = games;
    game
}

fn seat(person: &Person, game: &str) -> u64 {
    person.does(&["show", game])["game"]["yourSeat"].as_u64().expect("a seat")
}

#[test]
fn two_people_find_each_other_and_play_a_rematch() {
    let (_engine, people) = Engine::with_people(["Ann", "Bob"]);
    let game = matched(&people, &["--rated"]);
    let [ann, bob] = &people;
    let shown = ann.does(&["show", &game]);
    assert_eq!(shown["game"]["rated"], true);
    assert_eq!(shown["game"]["host"], "", "nobody can change the pace");
    let (told, _) = ann.reads(&["quick-play"]);
    assert!(told.contains(&format!("cli-client play {game}")), "{told}");

    assert!(bob.fails(&["rematch", &game]).contains("WRONG_STATUS"));
    ann.does(&["vote", "propose", &game, "draw"]);
    bob.does(&["vote", "cast", &game, "1", "yes"]);
    let before = [seat(ann, &game), seat(bob, &game)];
    let rematch = |one: &Person| {
        one.does(&["rematch", &game])["game"]["gameId"].as_str().expect("an id").to_owned()
    };
    let asked = rematch(ann);
    assert_eq!((rematch(bob), rematch(ann)), (asked.clone(), asked.clone()));
    assert_eq!([seat(bob, &asked), seat(ann, &asked)], before, "the seats rotate");
}

#[test]
fn automation_fills_the_seats_of_a_quick_game() {
    let (engine, [ann]) = Engine::with_people(["Ann"]);
    let _ai = AiClient::start(&engine);
    let asked = ["quick-play", STARSHIPS, "--players", "3", "--bots-after", "0s"];
    let game = game_of(&ann.does(&asked));
    let shown = ann.does(&["show", &game]);
    let seats = shown["game"]["seats"].as_array().expect("seats");
    let automated = seats.iter().filter(|seat| seat["automated"].is_object());
    assert_eq!(automated.count(), 3, "two players and the Death Star: {seats:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_survives_a_killed_engine() {
    let engine = Engine::start();
    let tokens = engine.players(["Ann", "Bob"]).await.map(|player| player.token);
    let people =
        |engine: &Engine| tokens.each_ref().map(|token| Person::with_token(&engine.url(), token));
    let daily = [&TWO[..], &["--pace", "daily", "--no-wait"]].concat();
    let [ann, _] = people(&engine);
    let entered = ann.does(&daily);
    assert_eq!(entered["entry"]["state"], "QUEUE_STATE_WAITING");
    let engine = engine.kill_and_restart();
    let [ann, bob] = people(&engine);
    let entry = |one: &Person| one.does(&["quick-play"])["entry"].clone();
    assert_eq!(entry(&ann)["joinTime"], entered["entry"]["joinTime"]);
    bob.does(&daily);
    wait_until("the match", || entry(&bob)["state"] == "QUEUE_STATE_READY");
    assert_eq!(entry(&ann)["gameId"], entry(&bob)["gameId"]);
    bob.does(&["quick-play", "--leave"]);
    assert_eq!(entry(&bob), Value::Null);
    ann.does(&["quick-play", "--leave"]);
    ann.does(&daily);
    assert!(ann.reads(&["quick-play", "--leave"]).0.contains("You have left the queue."));
    assert!(ann.reads(&["quick-play", "--leave"]).0.contains("You are not in the queue."));
}

#[test]
fn the_menu_finds_opponents() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    let told = ann.plays(&[], "quick 1\nfast\nno\n\n\nquick x\nq\n");
    assert!(told.contains("Waiting for opponents: 1 player in the queue"), "{told}");
    assert!(told.contains("`quick` needs the number of a new game"), "{told}");
    assert_eq!(ann.does(&["quick-play"])["entry"], Value::Null, "Enter leaves the queue");
}
