//! The places of accounts in the chat of a table, and the channels of each place.

use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{AutomatedSeat, ChatChannel, ErrorReason};
use heliopause_table::ChatPlace;
use step::Kind;

use crate::scene::{DAY, Scene, created, hosted, open, person, reserved, taken};

const CHANNELS: [ChatChannel; 2] = [ChatChannel::Table, ChatChannel::Spectators];

/// Returns for each channel whether an account can read and write.
fn rights(scene: &Scene, id: &str) -> [(bool, bool); 2] {
    let place = scene.table.chat_place(id);
    CHANNELS.map(|channel| {
        let writes = scene.table.check_chat(place, channel, scene.now).is_ok();
        (scene.table.can_read_chat(place, channel), writes)
    })
}

const NONE: (bool, bool) = (false, false);
const READS: (bool, bool) = (true, false);
const BOTH: (bool, bool) = (true, true);

#[test]
fn each_place_has_its_channels() {
    let mut scene = Scene::new(created("stellar-conquest", &["ann", "bob", "carl"]));
    scene.does("carl", Kind::Resigned(Resigned { seat: 3 }));
    for (id, expected) in [
        ("ann", [BOTH, NONE]),
        ("gm", [BOTH, READS]),
        ("carl", [NONE, NONE]),
        ("eve", [NONE, BOTH]),
        ("", [NONE, NONE]),
    ] {
        assert_eq!(rights(&scene, id), expected, "{id}");
    }
    assert_eq!(scene.table.chat_place("ann"), ChatPlace::Seat(Seat::at(0)));
    assert_eq!(scene.table.chat_place("carl"), ChatPlace::NearTable);
    scene.does("gm", Kind::GameCancelled(GameCancelled {}));
    for (id, expected) in [
        ("ann", [BOTH, BOTH]),
        ("gm", [BOTH, BOTH]),
        ("carl", [READS, BOTH]),
        ("eve", [READS, BOTH]),
        ("", [READS, READS]),
    ] {
        assert_eq!(rights(&scene, id), expected, "{id} afterwards");
    }
    scene.now += 7 * DAY;
    assert_eq!(rights(&scene, "ann"), [BOTH, BOTH]);
    scene.now += 1;
    assert_eq!(rights(&scene, "ann"), [READS, READS], "it is closed");
}

#[test]
fn replacement_players_who_leave_do_not_become_spectators() {
    let mut scene = Scene::new(created("stellar-conquest", &["ann", "bob"]));
    scene.does("bob", Kind::Resigned(Resigned { seat: 2 }));
    for id in ["carl", "dora"] {
        let player = Some(person(id));
        scene.does(id, Kind::Joined(Joined { player, ..Joined::default() }));
        scene.does(id, Kind::Resigned(Resigned { seat: 2 }));
    }
    scene.reload();
    for id in ["bob", "carl", "dora"] {
        assert_eq!(scene.table.chat_place(id), ChatPlace::NearTable, "{id}");
    }
    assert_eq!(scene.table.chat_place("eve"), ChatPlace::Spectator);
}

#[test]
fn a_reserved_seat_and_a_host_without_a_seat() {
    let seats = vec![taken("ann"), reserved("bob"), open()];
    let created = Created { seats, ..hosted("stellar-conquest", &["host"]) };
    let mut scene = Scene::new(Created { start_when_full: false, ..created });
    assert_eq!(rights(&scene, "bob"), [NONE, NONE]);
    assert_eq!(rights(&scene, "host"), [NONE, BOTH]);
    scene.does("bob", Kind::InvitationDeclined(InvitationDeclined {}));
    assert_eq!(rights(&scene, "bob"), [NONE, BOTH]);
}

#[test]
fn starships_3_5_lines_are_held_from_the_player_on_turn() {
    let scene = Scene::new(created("starships-at-large", &["ann", "bob", "carl"]));
    let active = scene.on_turn();
    let others = SeatSet::first(3).without(active);
    let check = |seat| {
        let place = ChatPlace::Seat(seat);
        scene.table.check_chat(place, ChatChannel::Table, scene.now)
    };
    let refused = check(active).expect_err("it is the player's turn");
    assert_eq!(refused.reason, ErrorReason::MessageRefused);
    for seat in others.iter() {
        let held = check(seat).expect("the others negotiate");
        assert_eq!(held, SeatSet::one(active));
        assert!(scene.table.is_chat_held(ChatPlace::Seat(active), held));
        assert!(!scene.table.is_chat_held(ChatPlace::Seat(seat), held));
    }
    assert!(!scene.table.is_chat_held(ChatPlace::GameMaster, SeatSet::one(active)));
}

#[test]
fn lines_keep_their_authors_when_lots_move_them() {
    let others = (0..5).map(|_| open());
    let created = Created {
        seats: [taken("ann"), taken("bob")].into_iter().chain(others).collect(),
        lots: Some(Lots { chosen: vec![7, 5, 0, 0, 0, 0, 0] }),
        pace: None,
        start_when_full: false,
        ..hosted("diplomacy", &["ann"])
    };
    let mut scene = Scene::new(created);
    assert_eq!(scene.table.author_seat("ann", 1), 1);
    scene.start("ann", Some(AutomatedSeat::default()));
    assert_eq!(scene.table.author_seat("ann", 1), 7);
    assert_eq!(scene.table.author_seat("bob", 2), 5);
    scene.does("bob", Kind::Resigned(Resigned { seat: 5 }));
    assert_eq!(scene.table.author_seat("bob", 2), 5, "the seat at the start");
    assert_eq!(scene.table.author_seat("eve", 4), 4);
}
