//! Seats that players choose, and seats drawn by lot, with a real engine.

use std::time::Duration;

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{Engine, OfGame as _, Player, reason, violation};
use tonic::{Status, Streaming};

async fn create(player: &Player, kind: &str, seats: Vec<Option<u32>>) -> Result<Game, Status> {
    let plan = |seat| SeatPlan { seat, ..SeatPlan::default() };
    let request = CreateGameRequest {
        kind: kind.to_owned(),
        seats: seats.into_iter().map(plan).collect(),
        start_when_full: true,
        ..CreateGameRequest::default()
    };
    Ok(player.call(request).await?.game.expect("a game"))
}

async fn write(player: &Player, game_id: &str, from: u32, to: u32, text: &str) {
    let request = SendMessageRequest {
        seat: Some(from),
        to_seats: vec![to],
        text: text.to_owned(),
        request_id: text.to_owned(),
        ..SendMessageRequest::of(game_id)
    };
    player.does(request).await;
}

async fn letters(player: &Player, game_id: &str) -> Vec<(Option<u32>, Vec<u32>, String)> {
    let found = player.does(ListMessagesRequest::of(game_id)).await;
    let letter = |letter: Message| (letter.from_seat, letter.to_seats, letter.text);
    found.messages.into_iter().map(letter).collect()
}

async fn part(stream: &mut Streaming<StreamEventsResponse>) -> Part {
    let next = tokio::time::timeout(Duration::from_secs(30), stream.message());
    next.await.expect("in time").expect("it goes on").expect("a message").part.expect("a part")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_follows_its_player_to_the_drawn_seat_without_a_gap() {
    let (engine, [ann, bob]) = Engine::with_players(["Ann", "Bob"]).await;
    let game = create(&ann, "starships-at-large", vec![Some(2), None, None]).await.unwrap();
    let id = game.game_id;
    assert!(game.lots_pending);
    bob.try_join(&id, None).await.unwrap();
    let mut stream = ann.events(&id, Some(Cursor::default())).await;
    let mut numbers = Vec::new();
    let cursor = loop {
        match part(&mut stream).await {
            Part::Event(event) => numbers.push(event.number),
            Part::CaughtUp(caught) => break caught.cursor.unwrap_or_default(),
            _ => {}
        }
    };
    write(&bob, &id, 2, 1, "to Ann").await;
    write(&bob, &id, 2, 3, "to the third place").await;
    let cid = engine.player("Cid").await;
    let started = cid.try_join(&id, Some(1)).await.unwrap();
    assert_eq!((started.your_seat, started.lots_pending), (Some(1), false));
    let mut moved = None;
    loop {
        match part(&mut stream).await {
            Part::Snapshot(opening) => moved = Some(opening),
            Part::Event(event) => numbers.push(event.number),
            Part::CaughtUp(caught) if moved.is_some() => {
                let seat = audience::Kind::Seat(2);
                let audience = caught.cursor.and_then(|cursor| cursor.audience?.kind);
                assert_eq!(audience, Some(seat));
                break;
            }
            _ => {}
        }
    }
    let opened = moved.and_then(|opening| opening.game).expect("its game");
    assert_eq!(opened.your_seat, Some(2));
    let all = ann.all_events(&id).await;
    assert!(numbers.iter().copied().eq(1..=all.len() as u64), "{numbers:?}");
    let drawn = |event: &Event| match &event.body {
        Some(event::Body::SeatChanged(changed)) if changed.change() == SeatChange::Drawn => {
            Some(event.text.clone())
        }
        _ => None,
    };
    let drawn: Vec<String> = all.iter().filter_map(drawn).collect();
    assert_eq!(
        drawn,
        ["Cid has seat 1: Player A.", "Ann has seat 2: Player B.", "Bob has seat 3: Player C."]
    );
    let mut again = ann.events(&id, Some(cursor)).await;
    assert!(matches!(part(&mut again).await, Part::Snapshot(_)));
    match part(&mut again).await {
        Part::Event(event) => assert_eq!(event.number, cursor.number + 1),
        other => panic!("{other:?}"),
    }
    assert_eq!(letters(&ann, &id).await, [(Some(3), vec![2], "to Ann".to_owned())]);
    let third = (Some(3), vec![1], "to the third place".to_owned());
    assert_eq!(
        letters(&cid, &id).await,
        std::slice::from_ref(&third),
        "who takes a place has its letters"
    );
    assert_eq!(letters(&bob, &id).await[1], third);
    let read = cid.does(GetHistoryRequest::of(&id)).await.events;
    assert!(read.iter().all(|event| !event.text.contains("to Ann")), "not Cid's letter");
}

#[tokio::test(flavor = "multi_thread")]
async fn powers_are_chosen_or_drawn_and_invalid_choices_are_rejected() {
    let (_engine, [ann, bob]) = Engine::with_players(["Ann", "Bob"]).await;
    let kinds = ann.does(ListKindsRequest {}).await.kinds;
    let roles = |kind: &str| {
        let found = kinds.iter().find(|known| known.kind == kind);
        found.map(|kind| kind.roles.clone()).unwrap_or_default()
    };
    assert_eq!(roles("diplomacy")[2], "France");
    assert!(roles("star-empires").is_empty(), "empires differ only in their number");
    for (seats, field) in [
        (vec![Some(9), None], "seats[0].seat"),
        (vec![Some(0), None], "seats[0].seat"),
        (vec![Some(2), Some(2)], "seats[1].seat"),
    ] {
        let refused = create(&ann, "starships-at-large", seats).await.unwrap_err();
        assert_eq!((reason(&refused), violation(&refused)), ("INVALID_FIELD".into(), field.into()));
    }
    let mixed = CreateGameRequest {
        kind: "starships-at-large".to_owned(),
        seats: vec![SeatPlan { seat: Some(1), ..SeatPlan::default() }, SeatPlan::default()],
        seats_in_order: true,
        ..CreateGameRequest::default()
    };
    let refused = ann.refused(mixed).await;
    assert_eq!(violation(&refused), "seats[0].seat");
    let game = create(&ann, "diplomacy", vec![Some(3), None, None]).await.unwrap();
    let refused = bob.try_join(&game.game_id, Some(3)).await.unwrap_err();
    assert_eq!(reason(&refused), "NO_OPEN_SEAT");
    let seats = bob.try_join(&game.game_id, None).await.unwrap().seats;
    assert_eq!(
        seats.iter().map(|seat| seat.role.as_str()).collect::<Vec<_>>()[..3],
        ["France", "by lot", "by lot"]
    );
}

#[test]
fn the_command_line_chooses_powers_by_name() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let made = ann.does(&[
        "new",
        "diplomacy",
        "--seat",
        "france",
        "--open",
        "1",
        "--ai",
        "random@4",
        "--ai",
        "random",
    ]);
    let game = made["game"]["gameId"].as_str().expect("an id").to_owned();
    assert!(bob.fails(&["join", &game, "--seat", "Mars"]).contains("Austria, England, France"));
    assert!(bob.fails(&["join", &game, "--seat", "France"]).contains("NO_OPEN_SEAT"));
    let (told, _) = bob.reads(&["join", &game, "--power", "England"]);
    assert!(told.contains("You have chosen seat 2, England."), "{told}");
    ann.does(&["start", &game]);
    let shown = ann.does(&["show", &game])["game"].clone();
    assert_eq!(shown["yourSeat"], 3);
    assert_eq!(shown["seats"][1]["player"], "Bob");
    assert!(ann.fails(&["new", "star-empires", "--seat", "red"]).contains("a seat number"));
}
