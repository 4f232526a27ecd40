//! Conformance of lists, paging, due games, and games waiting for automation.

use std::sync::Arc;

use heliopause_proto::v1::GameStatus;

use super::{assert_not_found, create, creation, member, race, row, step};
use crate::store::{
    Append, GameQuery, GameRow, Member, Millis, Quota, QuotaKind, Result, Size, Store, StoreError,
};

pub(super) async fn all(make: &impl Fn() -> Arc<dyn Store>) {
    games_are_listed_newest_first_in_pages(&*make()).await;
    private_games_are_listed_to_their_members(&*make()).await;
    lists_can_be_filtered(&*make()).await;
    joinable_games_have_an_open_seat_or_an_invitation(&*make()).await;
    search_ignores_case(&*make()).await;
    due_games_are_listed_earliest_first(&*make()).await;
    games_waiting_for_automation_are_listed_by_id(&*make()).await;
    running_games_count_for_their_hosts_and_players(&*make()).await;
    a_game_over_the_quota_is_rejected_without_a_trace(&*make()).await;
    racing_appends_cannot_exceed_a_quota(make()).await;
    open_invitations_are_limited(&*make()).await;
    sizes_are_returned_in_order(&*make()).await;
    host_and_sleep_time_are_stored(&*make()).await;
    ended_games_are_listed_by_their_end(&*make()).await;
    searches_find_seats_and_ratings(&*make()).await;
    searches_find_times(&*make()).await;
    all_games_are_listed_by_id(&*make()).await;
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
    let visible_to =
        |player: &str| GameQuery { visible_to: Some(player.to_owned()), ..everything() };
    expect(store, visible_to("p"), &["private", "public"]).await;
    expect(store, visible_to("gm"), &["private", "public"]).await;
    expect(store, visible_to("stranger"), &["public"]).await;
    expect(store, everything(), &["private", "public"]).await;

    let left = GameRow { private: true, members: vec![member("gm", 0)], ..row("private", 2) };
    store.append(step(left, 1, "left")).await.unwrap();
    expect(store, visible_to("p"), &["public"]).await;
}

async fn lists_can_be_filtered(store: &dyn Store) {
    create(store, GameRow { members: vec![member("p", 1), member("p", 2)], ..row("a", 1) }).await;
    let ended = GameStatus::Ended as i32;
    create(store, GameRow { status: ended, members: vec![member("p", 0)], ..row("b", 2) }).await;
    create(
        store,
        GameRow { status: GameStatus::Cancelled as i32, kind: "go".to_owned(), ..row("c", 3) },
    )
    .await;
    create(store, GameRow { kind: "go".to_owned(), ..row("d", 4) }).await;

    let member = Some("p".to_owned());
    expect(store, GameQuery { member: member.clone(), ..everything() }, &["b", "a"]).await;
    expect(store, GameQuery { member: member.clone(), running_only: true, ..everything() }, &["a"])
        .await;
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

async fn joinable_games_have_an_open_seat_or_an_invitation(store: &dyn Store) {
    let forming = |id, created| GameRow { status: GameStatus::Forming as i32, ..row(id, created) };
    create(store, GameRow { open_seats: 1, ..forming("open", 1) }).await;
    create(store, forming("full", 2)).await;
    let invited = vec![Member { invited: true, ..member("p", 2) }, member("q", 1)];
    create(store, GameRow { private: true, members: invited, ..forming("kept", 3) }).await;
    create(store, GameRow { private: true, open_seats: 1, ..forming("hidden", 4) }).await;
    let joinable = GameQuery { joinable: true, ..everything() };
    expect(store, joinable.clone(), &["hidden", "open"]).await;
    for (player, expected) in [("p", &["kept", "open"][..]), ("q", &["open"]), ("r", &["open"])] {
        expect(
            store,
            GameQuery { visible_to: Some(player.to_owned()), ..joinable.clone() },
            expected,
        )
        .await;
    }
    let to_p = GameQuery { visible_to: Some("p".to_owned()), ..joinable };
    expect(store, GameQuery { limit: 1, ..to_p.clone() }, &["kept"]).await;
    let after = Some((3, "kept".to_owned()));
    expect(store, GameQuery { limit: 1, after, ..to_p.clone() }, &["open"]).await;
    expect(store, GameQuery { search: Some("game OPEN".to_owned()), ..to_p.clone() }, &["open"])
        .await;
    expect(
        store,
        GameQuery { search: Some("game k".to_owned()), kind: Some("chess".to_owned()), ..to_p },
        &["kept"],
    )
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

async fn due_games_are_listed_earliest_first(store: &dyn Store) {
    for (id, due) in
        [("a", Some(30)), ("b", None), ("c", Some(10)), ("d", Some(10)), ("e", Some(20))]
    {
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

async fn games_waiting_for_automation_are_listed_by_id(store: &dyn Store) {
    for id in ["d", "b", "a", "c"] {
        create(store, GameRow { wants_automation: id != "b", ..row(id, 1) }).await;
    }
    assert_eq!(store.waiting_for_automation("", 10).await.unwrap(), ["a", "c", "d"]);
    assert_eq!(store.waiting_for_automation("", 2).await.unwrap(), ["a", "c"]);
    assert_eq!(store.waiting_for_automation("a", 2).await.unwrap(), ["c", "d"]);
    store.append(step(row("c", 1), 1, "answered")).await.unwrap();
    assert_eq!(store.waiting_for_automation("", 10).await.unwrap(), ["a", "d"]);
}

async fn running_games_count_for_their_hosts_and_players(store: &dyn Store) {
    let counted = async || store.games_counted("p").await.unwrap();
    assert_eq!(counted().await, 0);
    create(store, GameRow { members: vec![member("p", 1), member("p", 3)], ..row("a", 1) }).await;
    create(store, GameRow { members: vec![member("p", 2)], ..row("b", 1) }).await;
    create(store, GameRow { members: vec![member("p", 0)], ..row("neither", 1) }).await;
    create(
        store,
        GameRow { members: vec![Member { invited: true, ..member("p", 1) }], ..row("kept", 1) },
    )
    .await;
    let ended = GameStatus::Ended as i32;
    create(store, GameRow { status: ended, members: vec![member("p", 1)], ..row("over", 1) }).await;
    create(store, GameRow { sandbox: true, ..hosted("sandbox") }).await;
    assert_eq!(counted().await, 2);
    create(store, GameRow { members: vec![member("p", 0)], ..hosted("master") }).await;
    create(store, GameRow { members: vec![member("p", 1)], ..hosted("both") }).await;
    assert_eq!(counted().await, 4, "a game counts once for a player who hosts and plays it");
    let canceled = GameRow {
        status: GameStatus::Cancelled as i32,
        members: vec![member("p", 2)],
        ..row("b", 1)
    };
    store.append(step(canceled, 1, "canceled")).await.unwrap();
    assert_eq!(counted().await, 3);
    let of_p = GameQuery { host: Some("p".to_owned()), ..everything() };
    expect(store, of_p, &["both", "master", "sandbox"]).await;
}

fn hosted(game_id: &str) -> GameRow {
    GameRow { host: "p".to_owned(), ..row(game_id, 1) }
}

fn quota(games: u32) -> Quota {
    Quota { player_id: "p".to_owned(), games, sent: 5, sent_to_one: 2, received: 3 }
}

async fn lay(store: &dyn Store, row: GameRow, quota: Quota) -> Result<()> {
    store.append(Append { quotas: vec![quota], ..creation(row) }).await
}

fn assert_over(result: Result<()>, of: QuotaKind, limit: u32) {
    let Err(StoreError::OverQuota(excess)) = result else { panic!("{result:?}, not over a quota") };
    assert_eq!((excess.player_id.as_str(), excess.of, excess.limit), ("p", of, limit));
}

async fn a_game_over_the_quota_is_rejected_without_a_trace(store: &dyn Store) {
    lay(store, hosted("a"), quota(2)).await.unwrap();
    create(store, row("b", 1)).await;
    let seated = GameRow { members: vec![member("p", 1)], ..row("b", 1) };
    let join = |row: &GameRow, games| Append {
        quotas: vec![quota(games)],
        ..step(row.clone(), 1, "joined")
    };
    assert_over(store.append(join(&seated, 1)).await, QuotaKind::Games, 1);
    assert_eq!(store.load("b").await.unwrap().last, 1);
    store.append(join(&seated, 2)).await.unwrap();
    assert_over(lay(store, hosted("c"), quota(2)).await, QuotaKind::Games, 2);
    assert_not_found(&store.game("c").await);
    let taken = GameRow { members: vec![member("p", 1)], ..hosted("a") };
    store.append(join(&taken, 2)).await.expect("a game that already counts is not counted again");
    lay(store, GameRow { sandbox: true, ..hosted("d") }, quota(2))
        .await
        .expect("sandbox games do not count");
    store
        .append(Append { quotas: vec![quota(2)], ..step(seated, 1, "late") })
        .await
        .expect_err("the lost race is reported first");
}

async fn racing_appends_cannot_exceed_a_quota(store: Arc<dyn Store>) {
    let results = race(&store, 60, move |store, racer| async move {
        lay(&*store, hosted(&format!("g{racer:02}")), quota(7)).await.is_ok()
    });
    let laid = results.await.into_iter().filter(|laid| *laid).count();
    assert_eq!((laid, store.games_counted("p").await.unwrap()), (7, 7));
}

async fn open_invitations_are_limited(store: &dyn Store) {
    let inviting = |game_id: &str, whom: &[&str]| {
        let members = whom.iter().map(|player| Member { invited: true, ..member(player, 0) });
        GameRow { members: members.collect(), ..hosted(game_id) }
    };
    lay(store, inviting("a", &["q", "r"]), quota(9)).await.unwrap();
    lay(store, inviting("b", &["q", "s"]), quota(9)).await.unwrap();
    assert_over(lay(store, inviting("c", &["q"]), quota(9)).await, QuotaKind::Received, 2);
    assert_over(lay(store, inviting("c", &["r", "t"]), quota(9)).await, QuotaKind::Sent, 5);
    let of_others = |game_id: &str| GameRow { host: "o".to_owned(), ..inviting(game_id, &["t"]) };
    for game_id in ["d", "e", "f"] {
        create(store, of_others(game_id)).await;
    }
    assert_over(lay(store, inviting("c", &["t"]), quota(9)).await, QuotaKind::Received, 2);
    lay(store, inviting("c", &["u"]), quota(9)).await.unwrap();
    assert_over(lay(store, inviting("g", &["v"]), quota(9)).await, QuotaKind::Sent, 5);
    store.append(step(inviting("a", &["r"]), 1, "declined")).await.unwrap();
    let over = GameRow { status: GameStatus::Ended as i32, ..of_others("d") };
    store.append(step(over, 1, "over")).await.unwrap();
    lay(store, inviting("g", &["t"]), quota(9))
        .await
        .expect("one invitation of each kind is no longer open");
    let joins = GameRow { members: vec![member("p", 1)], ..of_others("h") };
    lay(store, joins, quota(9))
        .await
        .expect("invitations from others do not count for a joining player");
}

async fn sizes_are_returned_in_order(store: &dyn Store) {
    create(store, row("a", 1)).await;
    create(store, row("b", 1)).await;
    store.append(step(row("b", 1), 1, "12345")).await.unwrap();
    let sizes = store.sizes(["b", "none", "a"].map(str::to_owned).to_vec()).await.unwrap();
    let size = |entries, bytes| Size { entries, bytes };
    assert_eq!(sizes, [size(2, 12), size(0, 0), size(1, 7)]);
}

async fn host_and_sleep_time_are_stored(store: &dyn Store) {
    let row = GameRow { asleep_since: Some(17), ..hosted("a") };
    create(store, row.clone()).await;
    assert_eq!(store.game("a").await.unwrap(), row);
    let awake = GameRow { asleep_since: None, host: "q".to_owned(), ..row };
    store.append(step(awake.clone(), 1, "woken")).await.unwrap();
    assert_eq!(store.game("a").await.unwrap(), awake);
}

async fn ended_games_are_listed_by_their_end(store: &dyn Store) {
    for (id, ended) in [("b", Some(5)), ("a", Some(5)), ("c", None), ("d", Some(3)), ("e", Some(9))]
    {
        create(store, row(id, 1)).await;
        store.append(step(GameRow { ended, ..row(id, 1) }, 1, "over")).await.unwrap();
        assert_eq!(store.game(id).await.unwrap().ended, ended);
    }
    let listed = |after: Millis, id: &str, limit| {
        let ended_after = Some((after, id.to_owned()));
        store.games(GameQuery { limit, ended_after, ..GameQuery::default() })
    };
    let ids = |rows: Vec<GameRow>| rows.into_iter().map(|row| row.game_id).collect::<String>();
    assert_eq!(ids(listed(Millis::MIN, "", 9).await.unwrap()), "dabe");
    assert_eq!(ids(listed(Millis::MIN, "", 2).await.unwrap()), "da");
    assert_eq!(ids(listed(5, "a", 9).await.unwrap()), "be");
    assert_eq!(ids(listed(9, "e", 9).await.unwrap()), "");
}

async fn searches_find_seats_and_ratings(store: &dyn Store) {
    let seat = |player: &str| vec![member(player, 1)];
    create(store, GameRow { members: seat("p"), rated: true, ..row("a", 1) }).await;
    create(store, GameRow { members: seat("p"), names_hidden: true, ..row("masked", 2) }).await;
    create(store, GameRow { members: seat("p"), private: true, ..row("private", 3) }).await;
    create(store, GameRow { members: vec![member("p", 0)], ..row("hosted", 4) }).await;
    let invited = vec![Member { invited: true, ..member("p", 2) }];
    create(store, GameRow { members: invited, ..row("invited", 5) }).await;
    create(store, GameRow { members: seat("q"), kind: "go".to_owned(), ..row("other", 6) }).await;
    let of_p = |reader: &str| {
        let (seated, visible_to) = (Some("p".to_owned()), Some(reader.to_owned()));
        GameQuery { visible_to, seated, ..everything() }
    };
    expect(store, of_p("q"), &["a"]).await;
    expect(store, of_p(""), &["a"]).await;
    expect(store, of_p("p"), &["private", "masked", "a"]).await;
    expect(store, GameQuery { rated: Some(true), ..everything() }, &["a"]).await;
    expect(store, GameQuery { rated: Some(false), ..of_p("p") }, &["private", "masked"]).await;
    let search = Some("game A".to_owned());
    expect(store, GameQuery { rated: Some(true), search, ..of_p("q") }, &["a"]).await;
    let kind = Some("go".to_owned());
    expect(store, GameQuery { kind, ..of_p("q") }, &[]).await;

    let ended = GameRow { members: seat("p"), ..row("masked", 2) };
    store.append(step(ended.clone(), 1, "over")).await.unwrap();
    assert_eq!(store.game("masked").await.unwrap(), ended);
    expect(store, of_p("q"), &["masked", "a"]).await;
}

async fn searches_find_times(store: &dyn Store) {
    for (id, created, ended) in
        [("a", 1, Some(9)), ("b", 2, Some(7)), ("c", 3, None), ("d", 4, Some(7)), ("e", 5, Some(8))]
    {
        create(store, GameRow { ended, ..row(id, created) }).await;
    }
    create(store, GameRow { kind: "go".to_owned(), ended: Some(6), ..row("go", 6) }).await;
    let created = |times| GameQuery { created: Some(times), ..everything() };
    expect(store, created(2..4), &["c", "b"]).await;
    expect(store, created(Millis::MIN..3), &["b", "a"]).await;
    let ended = |times| GameQuery { ended: Some(times), ..everything() };
    expect(store, ended(Millis::MIN..Millis::MAX), &["a", "e", "d", "b", "go"]).await;
    expect(store, ended(7..9), &["e", "d", "b"]).await;
    let kind = Some("go".to_owned());
    expect(store, GameQuery { kind, ..ended(0..10) }, &["go"]).await;
    expect(store, GameQuery { created: Some(2..5), ..ended(0..10) }, &["d", "b"]).await;
    let after = |end, id: &str| GameQuery { after: Some((end, id.to_owned())), ..ended(0..10) };
    expect(store, after(7, "d"), &["b", "go"]).await;
    expect(store, GameQuery { limit: 1, ..after(8, "e") }, &["d"]).await;
    let unrated = GameQuery { rated: Some(false), ..after(9, "a") };
    expect(store, unrated, &["e", "d", "b", "go"]).await;
}

async fn all_games_are_listed_by_id(store: &dyn Store) {
    for (id, created) in [("b", 3), ("a", 1), ("c", 2)] {
        create(store, GameRow { private: true, ..row(id, created) }).await;
    }
    assert_eq!(store.game_ids("", 10).await.unwrap(), ["a", "b", "c"]);
    assert_eq!(store.game_ids("", 2).await.unwrap(), ["a", "b"]);
    assert_eq!(store.game_ids("b", 2).await.unwrap(), ["c"]);
    assert_eq!(store.game_ids("c", 2).await.unwrap(), [""; 0]);
}
