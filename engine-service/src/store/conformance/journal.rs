//! Conformance of appends, races, entries and snapshots.

use std::sync::Arc;

use bytes::Bytes;

use super::{
    assert_lost, assert_not_found, create, creation, entry, journal_of, member, race, row, step,
};
use crate::store::{Append, End, GameRow, Store, StoreError, Tags};

pub(super) async fn all(make: &impl Fn() -> Arc<dyn Store>) {
    an_append_is_read_back(&*make()).await;
    an_append_at_another_number_changes_nothing(&*make()).await;
    of_racing_appends_one_wins(make()).await;
    concurrent_games_do_not_interfere(make()).await;
    entries_are_returned_in_pages(&*make()).await;
    the_newest_snapshot_is_kept(&*make()).await;
    a_shared_store_distinguishes_histories(&*make()).await;
    a_snapshot_at_the_last_entry_settles_a_game(&*make()).await;
    an_append_changes_everything_atomically(&*make()).await;
    a_removed_game_is_gone(&*make()).await;
}

async fn an_append_is_read_back(store: &dyn Store) {
    assert_not_found(&store.load("g").await);
    assert_not_found(&store.game("g").await);
    assert_not_found(&store.entries("g", 0, 1, 1).await);
    create(store, row("g", 1)).await;
    store.append(step(row("g", 1), 1, "second")).await.unwrap();
    let loaded = store.load("g").await.unwrap();
    assert_eq!((loaded.secret, loaded.last, loaded.snapshot), ([7; 32], 2, None));
    assert_eq!(journal_of(store, "g").await, [entry("created"), entry("second")]);
    assert_eq!(store.game("g").await.unwrap(), row("g", 1));
}

async fn an_append_at_another_number_changes_nothing(store: &dyn Store) {
    assert_not_found(&store.append(step(row("g", 1), 0, "no game")).await);
    assert_not_found(&store.append(step(row("g", 1), 1, "no game")).await);
    assert_lost(&store.append(Append { expected: 1, ..creation(row("g", 1)) }).await, 0);
    assert_not_found(&store.load("g").await);

    create(store, row("g", 1)).await;
    let other =
        GameRow { progress: "elsewhere".to_owned(), members: vec![member("p", 1)], ..row("g", 1) };
    assert_lost(&store.append(creation(other.clone())).await, 1);
    assert_lost(&store.append(step(other.clone(), 0, "too early")).await, 1);
    let late = Append {
        snapshot: Some(entry("wrong")),
        ratings: vec![("p".to_owned(), 5)],
        ..step(other.clone(), 2, "too late")
    };
    assert_lost(&store.append(late).await, 1);
    assert_eq!(store.game("g").await.unwrap(), row("g", 1));
    assert_eq!(journal_of(store, "g").await, [entry("created")]);
    assert_eq!(store.load("g").await.unwrap().snapshot, None);
}

async fn of_racing_appends_one_wins(store: Arc<dyn Store>) {
    const RACERS: usize = 32;
    const ROUNDS: u64 = 10;
    create(&*store, row("g", 1)).await;
    for round in 1..=ROUNDS {
        let racing = race(&store, RACERS, move |store, racer| async move {
            store.append(step(row("g", 1), round, &format!("by {racer}"))).await
        });
        let mut won = Vec::new();
        for (racer, result) in racing.await.into_iter().enumerate() {
            match result {
                Ok(()) => won.push(racer),
                Err(StoreError::LostRace { expected, actual }) => assert!(actual > expected),
                Err(error) => panic!("{error}"),
            }
        }
        let [winner] = won[..] else { panic!("round {round} was won by {won:?}") };
        let written = store.entries("g", round, 10, usize::MAX).await.unwrap();
        assert_eq!(written, [entry(&format!("by {winner}"))]);
    }
}

async fn concurrent_games_do_not_interfere(store: Arc<dyn Store>) {
    const GAMES: usize = 64;
    const STEPS: u64 = 20;
    let playing = race(&store, GAMES, move |store, game| async move {
        let id = format!("g{game:02}");
        create(&*store, row(&id, 1)).await;
        for number in 1..=STEPS {
            let text = format!("{id} {number}");
            store.append(step(row(&id, 1), number, &text)).await.unwrap();
            // A rejected append must not affect the other games.
            assert_lost(&store.append(step(row(&id, 1), number, "again")).await, number + 1);
        }
    });
    playing.await;
    for game in 0..GAMES {
        let id = format!("g{game:02}");
        let steps = (1..=STEPS).map(|number| entry(&format!("{id} {number}")));
        let expected: Vec<_> = std::iter::once(entry("created")).chain(steps).collect();
        assert_eq!(journal_of(&*store, &id).await, expected);
    }
}

async fn entries_are_returned_in_pages(store: &dyn Store) {
    create(store, row("g", 1)).await;
    create(store, row("h", 1)).await;
    let entries = (2..=10).map(|number| Bytes::from(vec![number; 100])).collect();
    store.append(Append { entries, ..step(row("g", 1), 1, "") }).await.unwrap();
    let page = async |after, limit, bytes_max| {
        let entries = store.entries("g", after, limit, bytes_max).await.unwrap();
        entries.iter().map(|entry| entry[0]).collect::<Vec<_>>()
    };
    assert_eq!(page(1, 3, usize::MAX).await, [2, 3, 4]);
    assert_eq!(page(4, 100, usize::MAX).await, [5, 6, 7, 8, 9, 10]);
    assert_eq!(page(1, 100, 300).await, [2, 3, 4]);
    assert_eq!(page(1, 100, 1).await, [2], "at least one entry of any size");
    assert_eq!(page(10, 100, usize::MAX).await, [0; 0]);
    assert_eq!(page(u64::MAX, 100, usize::MAX).await, [0; 0]);
    assert_eq!(page(1, 0, usize::MAX).await, [0; 0]);
}

async fn the_newest_snapshot_is_kept(store: &dyn Store) {
    assert_not_found(&store.put_snapshot("g", End::at(1), entry("no game")).await);
    create(store, row("g", 1)).await;
    for number in 1..5 {
        store.append(step(row("g", 1), number, "more")).await.unwrap();
    }
    let snapshot = async || store.load("g").await.unwrap().snapshot;
    store.put_snapshot("g", End::at(3), entry("three")).await.unwrap();
    assert_eq!(snapshot().await, Some((3, entry("three"))));
    store.put_snapshot("g", End::at(2), entry("two")).await.unwrap();
    assert_eq!(
        snapshot().await,
        Some((3, entry("three"))),
        "an older snapshot does not replace a newer one"
    );
    assert_lost(&store.put_snapshot("g", End::at(6), entry("of what is not there")).await, 5);
    store
        .append(Append { snapshot: Some(entry("six")), ..step(row("g", 1), 5, "sixth") })
        .await
        .unwrap();
    assert_eq!(snapshot().await, Some((6, entry("six"))));
}

async fn a_shared_store_distinguishes_histories(store: &dyn Store) {
    let Some(shared) = store.shared() else { return };
    let tagged = |before, after, append| Append { tags: Tags { before, after }, ..append };
    let end = |last, tag| End { last, tag };
    store.append(tagged(None, Some(-1), creation(row("g", 1)))).await.unwrap();
    store.append(tagged(Some(-1), Some(2), step(row("g", 1), 1, "second"))).await.unwrap();
    assert_eq!(shared.head("g").await.unwrap(), end(2, Some(2)));
    let heads = shared.heads(vec!["g".to_owned()], Vec::new()).await.unwrap();
    assert_eq!(heads, [("g".to_owned(), end(2, Some(2)))]);
    assert_lost(&store.append(tagged(Some(9), Some(3), step(row("g", 1), 2, "third"))).await, 2);
    for elsewhere in [end(2, Some(9)), end(1, Some(-1)), end(3, Some(3))] {
        assert_lost(&store.put_snapshot("g", elsewhere, entry("of another history")).await, 2);
    }
    assert_eq!(store.load("g").await.unwrap().snapshot, None);
    assert_eq!(journal_of(store, "g").await, [entry("created"), entry("second")]);
    store.put_snapshot("g", end(2, Some(2)), entry("two")).await.unwrap();
    // Changing the members uses a different SQL statement.
    let joined = GameRow { members: vec![member("p", 1)], ..row("g", 1) };
    store.append(tagged(Some(2), Some(3), step(joined.clone(), 2, "third"))).await.unwrap();
    assert_eq!(shared.head("g").await.unwrap(), end(3, Some(3)));
    store.append(step(joined.clone(), 3, "fourth")).await.unwrap();
    store.append(tagged(Some(9), Some(5), step(joined, 4, "fifth"))).await.unwrap();
    assert_eq!(shared.head("g").await.unwrap(), end(5, Some(5)));
}

async fn a_snapshot_at_the_last_entry_settles_a_game(store: &dyn Store) {
    for game in ["a", "b", "c", "d"] {
        create(store, row(game, 1)).await;
    }
    store.put_snapshot("b", End::at(1), Bytes::from_static(b"b at 1")).await.unwrap();
    store.put_snapshot("c", End::at(1), Bytes::from_static(b"c at 1")).await.unwrap();
    store.append(step(row("c", 1), 1, "second")).await.unwrap();
    assert_eq!(store.games_without_snapshot("", 10).await.unwrap(), ["a", "c", "d"]);
    assert_eq!(store.games_without_snapshot("", 2).await.unwrap(), ["a", "c"]);
    assert_eq!(store.games_without_snapshot("a", 1).await.unwrap(), ["c"]);
    let snapshot = Some(Bytes::from_static(b"c at 3"));
    store.append(Append { snapshot, ..step(row("c", 1), 2, "third") }).await.unwrap();
    store.put_snapshot("d", End::at(1), Bytes::from_static(b"d at 1")).await.unwrap();
    assert_eq!(store.games_without_snapshot("", 10).await.unwrap(), ["a"]);
    store.remove_games(vec!["a".to_owned()]).await.unwrap();
    assert!(store.games_without_snapshot("", 10).await.unwrap().is_empty());
}

async fn an_append_changes_everything_atomically(store: &dyn Store) {
    super::accounts::open(store, "p", "Ann").await;
    create(store, row("g", 1)).await;
    let mut next = GameRow {
        progress: "move 2".to_owned(),
        due: Some(99),
        wants_automation: true,
        open_seats: 1,
        members: vec![member("p", 1), member("q", 2)],
        ..row("g", 1)
    };
    let ratings = vec![("p".to_owned(), 1), ("nobody".to_owned(), 1), ("p".to_owned(), -3)];
    store.append(Append { ratings, ..step(next.clone(), 1, "second") }).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), next);
    assert_eq!(store.account("p").await.unwrap().dedication, -2);

    next.members = vec![member("q", 1), member("q", 2)];
    next.members[1].your_decision = true;
    next.due = None;
    store.append(Append { entries: Vec::new(), ..step(next.clone(), 2, "") }).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), next);
    assert_eq!(
        store.load("g").await.unwrap().last,
        2,
        "without an entry, the number does not change"
    );

    // The appends change nothing, then one part of the row after another, and finally all parts.
    store.append(step(next.clone(), 2, "third")).await.unwrap();
    assert_eq!(
        (store.load("g").await.unwrap().last, store.game("g").await.unwrap()),
        (3, next.clone())
    );
    "move 3".clone_into(&mut next.progress);
    store.append(step(next.clone(), 3, "fourth")).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), next);
    next.members[0].deadline = Some(7);
    store.append(step(next.clone(), 4, "fifth")).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), next);
    store.append(step(row("g", 1), 5, "sixth")).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), row("g", 1));
}

async fn a_removed_game_is_gone(store: &dyn Store) {
    let mut doomed = row("g", 1);
    doomed.members = vec![member("p", 1)];
    create(store, doomed.clone()).await;
    create(store, row("h", 1)).await;
    store.put_snapshot("g", End::at(1), entry("one")).await.unwrap();
    store.remove_games(vec!["g".to_owned(), "unknown".to_owned(), "g".to_owned()]).await.unwrap();
    assert_not_found(&store.load("g").await);
    assert_not_found(&store.append(step(doomed.clone(), 1, "late")).await);
    assert_eq!(store.games_counted("p").await.unwrap(), 0);
    assert_eq!(store.counts().await.unwrap().games, 1);

    create(store, row("g", 2)).await;
    let again = store.load("g").await.unwrap();
    assert_eq!((again.last, again.snapshot), (1, None), "nothing of the old game is left");
    assert_eq!(journal_of(store, "h").await.len(), 1);
}
