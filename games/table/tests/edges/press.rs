//! Limits on messages.

use heliopause_proto::diplomacy::v1 as diplomacy;

use super::*;

#[test]
fn messages_to_the_seat_on_turn_are_held() {
    let mut scene = Scene::new(created("starships-at-large", &["ann", "bob", "cid"]));
    let on_turn = scene.on_turn();
    let names = ["ann", "bob", "cid"];
    let other = Seat::at((on_turn.index() + 1) % 3);
    let third = Seat::at((on_turn.index() + 2) % 3);
    let letters = |scene: &Scene, seat: Seat| scene.table.message_entries(Some(seat)).len();
    let write = |to: &[Seat], text: &str| {
        let to_seats: Vec<u32> = to.iter().map(|seat| seat.number()).collect();
        Kind::MessageSent(message(other.number(), &to_seats, text))
    };
    scene.does(names[other.index()], write(&[on_turn, third], "Hold."));
    assert_eq!([on_turn, other, third].map(|seat| letters(&scene, seat)), [0, 1, 1]);
    let own = scene.events.iter().find_map(|event| match &event.body {
        Some(event::Body::Message(message)) if message.held => Some(message.clone()),
        _ => None,
    });
    assert!(own.is_some(), "the sender sees that the message is held");
    for _ in 1..200 {
        scene.does(names[other.index()], write(&[on_turn], "More."));
    }
    let refused = scene.refused(names[other.index()], write(&[on_turn], "Yet more."));
    assert_eq!(refused, "QuotaExceeded");
    scene.does(names[other.index()], write(&[third], "At once."));
    let resigned = Resigned { seat: on_turn.number() };
    scene.does(names[on_turn.index()], Kind::Resigned(resigned));
    scene.wait(2 * DAY);
    assert_ne!(scene.on_turn(), on_turn);
    assert_eq!(letters(&scene, on_turn), 200);
}

#[test]
fn seats_have_at_most_10_000_messages() {
    let mut scene = Scene::new(created("starships-at-large", &["ann", "bob", "cid"]));
    let sent = |to_seats: &[u32]| Kind::MessageSent(message(0, to_seats, "Once more."));
    for _ in 0..10_000 {
        scene.does("gm", sent(&[1]));
    }
    assert_eq!(scene.refused("gm", sent(&[2, 1])), "QuotaExceeded");
    scene.does("gm", sent(&[2]));
}

#[test]
fn d9_anonymous_messages_hide_other_receivers() {
    let anonymous_press = Some(true);
    let options = diplomacy::Options { anonymous_press, ..diplomacy::Options::default() };
    let options = Some(GameOptions { game: Some(game_options::Game::Diplomacy(options)) });
    let game = created("diplomacy", &["ann", "bob", "cid", "dan"]);
    let mut scene = Scene::new(Created { options, ..game });
    let sent = MessageSent { anonymous: true, ..message(1, &[2, 3], "Beware.") };
    scene.does("ann", Kind::MessageSent(sent));
    let entry = scene.entries.last().expect("it was taken");
    for seat in [2, 3] {
        let viewer = Viewer::Seat(Seat::numbered(seat).expect("a seat"));
        let read: Vec<_> =
            Table::events_for(entry, viewer).filter_map(|event| event.body).collect();
        match &read[..] {
            [event::Body::Message(message)] => {
                assert_eq!((message.from_seat, &message.to_seats[..]), (None, &[seat][..]));
            }
            other => panic!("{other:?}"),
        }
    }
}
