//! Lists, pages, what is due, what wants automation.

use std::sync::Arc;

use heliopause_proto::v1::GameStatus;

use super::{create, member, row, step};
use crate::store::{GameQuery, GameRow, Member, Store};

pub(super) async fn all(make: &impl Fn() -> Arc<dyn Store>) {
    games_are_listed_newest_first_in_pages(&*make()).await;
    private_games_are_listed_to_their_members(&*make()).await;
    lists_can_be_narrowed(&*make()).await;
    joinable_games_have_room_or_an_invitation(&*make()).await;
    search_ignores_case(&*make()).await;
    what_is_due_comes_earliest_first(&*make()).await;
    what_wants_automation_comes_by_id(&*make()).await;
    seats_are_counted_in_games_that_go_on(&*make()).await;
    all_games_come_by_id(&*make()).await;
}

fn ids(rows: &[GameRow]) -> Vec<&str> {
    rows.iter().map(|row| row.game_id.as_str()).collect()
}

fn everything() -> GameQuery {
    GameQuery { limit: 1_000, ..GameQuery::default() }
}

async fn expect(store: &dyn Store, query: GameQuery, expected: &[&str]) {
    let rows = store.games(query.clone()).await.unwrap();
    assert_eq!(ids(&rows), expected, "{query:?}");
}

async fn games_are_listed_newest_first_in_pages(store: &dyn Store) {
    for (id, created) in [("b", 5), ("a", 5), ("z", 9), ("m", 1), ("c", 5)] {
        create(store, row(id, created)).await;
    }
    let order = ["z", "a", "b", "c", "m"];
    expect(store, everything(), &order).await;
    for size in 1..=order.len() {
        let mut seen: Vec<GameRow> = Vec::new();
        loop {
            let after = seen.last().map(|row| (row.created, row.game_id.clone()));
            let page = store.games(GameQuery { limit: size, after, ..everything() }).await.unwrap();
            assert!(page.len() <= size);
            if page.is_empty() {
                break;
            }
            seen.extend(page);
        }
        assert_eq!(ids(&seen), order, "in pages of {size}");
    }
}

async fn private_games_are_listed_to_their_members(store: &dyn Store) {
    create(store, row("public", 1)).await;
    let members = vec![member("p", 1), member("gm", 0)];
    create(store, GameRow { private: true, members, ..row("private", 2) }).await;
    let visible_to = |player: &str| GameQuery { visible_to: Some(player.to_owned()), ..everything() };
    expect(store, visible_to("p"), &["private", "public"]).await;
    expect(store, visible_to("gm"), &["private", "public"]).await;
    expect(store, visible_to("stranger"), &["public"]).await;
    expect(store, everything(), &["private", "public"]).await;

    let left = GameRow { private: true, members: vec![member("gm", 0)], ..row("private", 2) };
    store.append(step(left, 1, "left")).await.unwrap();
    expect(store, visible_to("p"), &["public"]).await;
}

async fn lists_can_be_narrowed(store: &dyn Store) {
    create(store, GameRow { members: vec![member("p", 1), member("p", 2)], ..row("a", 1) }).await;
    let ended = GameStatus::Ended as i32;
    create(store, GameRow { status: ended, members: vec![member("p", 0)], ..row("b", 2) }).await;
    create(store, GameRow { status: GameStatus::Cancelled as i32, kind: "go".to_owned(), ..row("c", 3) }).await;
    create(store, GameRow { kind: "go".to_owned(), ..row("d", 4) }).await;

    let member = Some("p".to_owned());
    expect(store, GameQuery { member: member.clone(), ..everything() }, &["b", "a"]).await;
    expect(store, GameQuery { member: member.clone(), running_only: true, ..everything() }, &["a"]).await;
    let after = Some((2, "b".to_owned()));
    expect(store, GameQuery { after, member, ..everything() }, &["a"]).await;
    expect(store, GameQuery { running_only: true, ..everything() }, &["d", "a"]).await;
    expect(store, GameQuery { status: Some(ended), ..everything() }, &["b"]).await;
    let kind = Some("go".to_owned());
    expect(store, GameQuery { kind: kind.clone(), ..everything() }, &["d", "c"]).await;
    expect(store, GameQuery { kind, running_only: true, ..everything() }, &["d"]).await;
    expect(store, GameQuery { kind: Some("Go".to_owned()), ..everything() }, &[]).await;
    expect(store, GameQuery { limit: 0, ..everything() }, &[]).await;
}

async fn joinable_games_have_room_or_an_invitation(store: &dyn Store) {
    let forming = |id, created| GameRow { status: GameStatus::Forming as i32, ..row(id, created) };
    create(store, GameRow { open_seats: 1, ..forming("open", 1) }).await;
    create(store, forming("full", 2)).await;
    let invited = vec![Member { invited: true, ..member("p", 2) }, member("q", 1)];
    create(store, GameRow { private: true, members: invited, ..forming("kept", 3) }).await;
    create(store, GameRow { private: true, open_seats: 1, ..forming("hidden", 4) }).await;
    let joinable = GameQuery { joinable: true, ..everything() };
    expect(store, joinable.clone(), &["hidden", "open"]).await;
    for (player, expected) in [("p", &["kept", "open"][..]), ("q", &["open"]), ("r", &["open"])] {
        expect(store, GameQuery { visible_to: Some(player.to_owned()), ..joinable.clone() }, expected).await;
    }
    let to_p = GameQuery { visible_to: Some("p".to_owned()), ..joinable };
    expect(store, GameQuery { limit: 1, ..to_p.clone() }, &["kept"]).await;
    let after = Some((3, "kept".to_owned()));
    expect(store, GameQuery { limit: 1, after, ..to_p.clone() }, &["open"]).await;
    expect(store, GameQuery { search: Some("game OPEN".to_owned()), ..to_p.clone() }, &["open"]).await;
    expect(store, GameQuery { search: Some("game k".to_owned()), kind: Some("chess".to_owned()), ..to_p }, &["kept"])
        .await;
}

async fn search_ignores_case(store: &dyn Store) {
    create(store, GameRow { name: "The Battle of Sol".to_owned(), ..row("id-one", 1) }).await;
    create(store, GameRow { name: "100% _war_".to_owned(), ..row("ID-two", 2) }).await;
    let search = |text: &str| GameQuery { search: Some(text.to_owned()), ..everything() };
    expect(store, search("BATTLE"), &["id-one"]).await;
    expect(store, search("%"), &["ID-two"]).await;
    expect(store, search("_"), &["ID-two"]).await;
    expect(store, search("'"), &[]).await;
    expect(store, search("id-"), &["ID-two", "id-one"]).await;
    expect(store, GameQuery { visible_to: Some("p".to_owned()), ..search("id-") }, &[]).await;
}

async fn what_is_due_comes_earliest_first(store: &dyn Store) {
    for (id, due) in [("a", Some(30)), ("b", None), ("c", Some(10)), ("d", Some(10)), ("e", Some(20))] {
        create(store, GameRow { due, ..row(id, 1) }).await;
    }
    let due = async |limit| store.due(limit).await.unwrap();
    let pair = |id: &str, due| (id.to_owned(), due);
    assert_eq!(due(10).await, [pair("c", 10), pair("d", 10), pair("e", 20), pair("a", 30)]);
    assert_eq!(due(2).await, [pair("c", 10), pair("d", 10)]);
    store.append(step(row("c", 1), 1, "done")).await.unwrap();
    store.append(step(GameRow { due: Some(15), ..row("d", 1) }, 1, "moved")).await.unwrap();
    assert_eq!(due(2).await, [pair("d", 15), pair("e", 20)]);
}

async fn what_wants_automation_comes_by_id(store: &dyn Store) {
    for id in ["d", "b", "a", "c"] {
        create(store, GameRow { wants_automation: id != "b", ..row(id, 1) }).await;
    }
    assert_eq!(store.wanting("", 10).await.unwrap(), ["a", "c", "d"]);
    assert_eq!(store.wanting("", 2).await.unwrap(), ["a", "c"]);
    assert_eq!(store.wanting("a", 2).await.unwrap(), ["c", "d"]);
    store.append(step(row("c", 1), 1, "answered")).await.unwrap();
    assert_eq!(store.wanting("", 10).await.unwrap(), ["a", "d"]);
}

async fn seats_are_counted_in_games_that_go_on(store: &dyn Store) {
    let held = async || store.seats_held("p").await.unwrap();
    assert_eq!(held().await, 0);
    create(store, GameRow { members: vec![member("p", 1), member("p", 3)], ..row("a", 1) }).await;
    create(store, GameRow { members: vec![member("p", 2)], ..row("b", 1) }).await;
    create(store, GameRow { members: vec![member("p", 0)], ..row("master", 1) }).await;
    create(store, GameRow { members: vec![Member { invited: true, ..member("p", 1) }], ..row("kept", 1) }).await;
    let ended = GameStatus::Ended as i32;
    create(store, GameRow { status: ended, members: vec![member("p", 1)], ..row("over", 1) }).await;
    assert_eq!(held().await, 2);
    let cancelled = GameRow { status: GameStatus::Cancelled as i32, members: vec![member("p", 2)], ..row("b", 1) };
    store.append(step(cancelled, 1, "cancelled")).await.unwrap();
    assert_eq!(held().await, 1);
}

async fn all_games_come_by_id(store: &dyn Store) {
    for (id, created) in [("b", 3), ("a", 1), ("c", 2)] {
        create(store, GameRow { private: true, ..row(id, created) }).await;
    }
    assert_eq!(store.game_ids("", 10).await.unwrap(), ["a", "b", "c"]);
    assert_eq!(store.game_ids("", 2).await.unwrap(), ["a", "b"]);
    assert_eq!(store.game_ids("b", 2).await.unwrap(), ["c"]);
    assert_eq!(store.game_ids("c", 2).await.unwrap(), [""; 0]);
}
