//! Hosts on a shared store whose responses arrive late or never: nothing is done twice, and nothing
//! that was done is reported as failed.

use crate::support::unreliable_store;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use heliopause_engine::accounts::{Accounts, Registration};
use heliopause_engine::host::{Done, EventStream, EventStreamStart, Host};
use heliopause_engine::store::Store as _;
use heliopause_engine::store::shared::Hint;
use heliopause_proto::store::v1::step::Kind;
use heliopause_proto::store::v1::{Joined, MessageSent, Step, VoteProposed};
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{Cursor, ErrorReason, StreamEventsResponse, VoteSubject, event};
use heliopause_table::{Fault, Table};
use prost::Message as _;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use unreliable_store::{Fate, GAME, PATIENCE, UnreliableStore, created, fast_game, host, person};

async fn take(host: &Host, by: &str, kind: Kind) -> Result<Done, Fault> {
    host.take(GAME, Step { by: by.to_owned(), kind: Some(kind), ..Step::default() }).await
}

fn begun(host: &Arc<Host>, kind: Kind) -> JoinHandle<Result<Done, Fault>> {
    let host = host.clone();
    tokio::spawn(async move { take(&host, "ann", kind).await })
}

fn join() -> Kind {
    Kind::Joined(Joined { player: Some(person("bob")), ..Joined::default() })
}

fn message(text: &str) -> Kind {
    let sent =
        MessageSent { from_seat: 1, to_all: true, text: text.to_owned(), ..MessageSent::default() };
    Kind::MessageSent(sent)
}

async fn entry(host: &Host) -> Result<u64, Fault> {
    host.read(GAME, Table::entry).await
}

async fn feed(host: &Host) -> EventStream {
    feed_after(host, None).await.expect("a feed")
}

async fn feed_after(host: &Host, after: Option<Cursor>) -> Result<EventStream, Fault> {
    host.feed(EventStreamStart { after, ..start("ann", Some(1)) }).await
}

fn start(player_id: &str, seat: Option<u32>) -> EventStreamStart {
    let (game_id, player_id) = (GAME.to_owned(), player_id.to_owned());
    EventStreamStart { game_id, player_id, seat, as_spectator: false, after: None, is_person: true }
}

async fn heard(feed: &mut EventStream) -> Result<String, Fault> {
    // Heartbeats never stop, so waiting for a message needs a timeout.
    timeout(PATIENCE, message_of(feed)).await.expect("a message arrives")
}

async fn message_of(feed: &mut EventStream) -> Result<String, Fault> {
    loop {
        let told = feed.next().await.expect("it goes on")?;
        let response =
            StreamEventsResponse::decode(&told[5..]).expect("one message behind its prefix");
        if let Some(Part::Event(event)) = response.part
            && let Some(event::Body::Message(message)) = event.body
        {
            return Ok(message.text);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unconfirmed_or_late_writes_happen_once_and_are_reported_done() {
    let fates: [&[Fate]; 3] = [
        &[Fate::Unconfirmed],
        &[Fate::Later(50), Fate::Slow(300)],
        &[Fate::Later(250), Fate::Slow(10)],
    ];
    for fates in fates {
        let store = UnreliableStore::new();
        let host = host(&store);
        let vote =
            VoteProposed { seat: 1, subject: VoteSubject::Draw.into(), ..VoteProposed::default() };
        store.inject(fates.iter().copied());
        created(&host).await.expect("a game");
        for (number, last, by, kind) in [
            (2, 3, "bob", join()),
            (4, 4, "ann", message("hello")),
            (5, 5, "ann", Kind::VoteProposed(vote)),
        ] {
            store.inject(fates.iter().copied());
            let done = take(&host, by, kind).await.expect("the step is applied and confirmed");
            assert_eq!(done.entry.number, number);
            // Late writes are made during this wait, after the step was confirmed.
            sleep(Duration::from_millis(300)).await;
            assert_eq!(entry(&host).await.unwrap(), last, "the step is applied once");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn last_durable_state_is_shown_during_an_append() {
    let store = UnreliableStore::new();
    let host = host(&store);
    created(&host).await.unwrap();
    store.inject([Fate::Slow(1_000)]);
    let taking = begun(&host, message("hello"));
    sleep(Duration::from_millis(200)).await;
    assert_eq!(entry(&host).await.unwrap(), 1);
    assert!(!taking.is_finished(), "the read waited for the append");
    taking.await.unwrap().unwrap();
    assert_eq!(entry(&host).await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn game_found_before_its_creation_is_confirmed_is_the_same() {
    let store = UnreliableStore::new();
    let host = host(&store);
    store.inject([Fate::ConfirmedLate(500)]);
    let making = tokio::spawn({
        let host = host.clone();
        async move { created(&host).await }
    });
    sleep(Duration::from_millis(200)).await;
    let mut feed = feed(&host).await;
    making.await.unwrap().expect("a game");
    take(&host, "ann", message("hello")).await.unwrap();
    assert_eq!(heard(&mut feed).await.unwrap(), "hello");
    let again = created(&host).await.expect_err("the game already exists");
    assert_eq!(again.reason, ErrorReason::LostRace);
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_step_is_not_read_from_memory() {
    let store = UnreliableStore::alone();
    let host = host(&store);
    created(&host).await.unwrap();
    store.inject([Fate::Failed(500)]);
    let taking = begun(&host, message("lost"));
    sleep(Duration::from_millis(200)).await;
    store.entries_fail.store(true, Ordering::Relaxed);
    let read = entry(&host).await.expect_err("the step in memory was not stored");
    assert_eq!(read.reason, ErrorReason::JournalUnavailable);
    let taken = taking.await.unwrap().expect_err("the step was not stored");
    assert_eq!(taken.reason, ErrorReason::JournalUnavailable);
    store.entries_fail.store(false, Ordering::Relaxed);
    assert_eq!(entry(&host).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn order_during_an_outage_leaves_the_game_unchanged() {
    let store = UnreliableStore::new();
    let host = host(&store);
    created(&host).await.unwrap();
    let mut feed = feed(&host).await;
    store.writes_fail.store(true, Ordering::Relaxed);
    store.entries_fail.store(true, Ordering::Relaxed);
    let refused = take(&host, "ann", message("lost")).await.unwrap_err();
    assert_eq!(refused.reason, ErrorReason::JournalUnavailable);
    assert_eq!(entry(&host).await.unwrap(), 1, "the durable state is read");
    store.writes_fail.store(false, Ordering::Relaxed);
    store.entries_fail.store(false, Ordering::Relaxed);
    take(&host, "ann", message("found")).await.unwrap();
    assert_eq!(heard(&mut feed).await.unwrap(), "found");
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_survives_eviction_and_ends_when_the_game_is_removed() {
    let store = UnreliableStore::new();
    let host = host(&store);
    created(&host).await.unwrap();
    let mut feed = feed(&host).await;
    store.heads_gone.store(true, Ordering::Relaxed);
    assert_eq!(entry(&host).await.unwrap_err().reason, ErrorReason::GameNotFound);
    store.heads_gone.store(false, Ordering::Relaxed);
    take(&host, "ann", message("hello")).await.unwrap();
    assert_eq!(heard(&mut feed).await.unwrap(), "hello");
    take(&host, "ann", message("again")).await.unwrap();
    assert_eq!(heard(&mut feed).await.unwrap(), "again");

    store.remove_games(vec![GAME.to_owned()]).await.unwrap();
    assert_eq!(entry(&host).await.unwrap_err().reason, ErrorReason::GameNotFound);
    assert_eq!(heard(&mut feed).await.unwrap_err().reason, ErrorReason::GameNotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_steps_of_racing_hosts_are_applied() {
    const STEPS: u64 = 40;
    let store = UnreliableStore::new();
    let hosts = [host(&store), host(&store), host(&store)];
    created(&hosts[0]).await.unwrap();
    let racing = hosts.clone().map(|host| {
        tokio::spawn(async move {
            for number in 0..STEPS {
                take(&host, "ann", message(&format!("{number}")))
                    .await
                    .expect("the step is applied eventually");
            }
        })
    });
    for racing in racing {
        racing.await.unwrap();
    }
    for host in &hosts {
        assert_eq!(entry(host).await.unwrap(), 1 + STEPS * hosts.len() as u64);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stale_state_is_shown_only_during_an_outage() {
    let store = UnreliableStore::new();
    let (here, there) = (host(&store), host(&store));
    created(&here).await.unwrap();
    assert_eq!(entry(&there).await.unwrap(), 1);
    store.entries_fail.store(true, Ordering::Relaxed);
    take(&here, "ann", message("hello")).await.unwrap();
    assert_eq!(entry(&there).await.unwrap_err().reason, ErrorReason::JournalUnavailable);
    store.set_available(false);
    assert_eq!(
        entry(&there).await.unwrap(),
        1,
        "the readiness check reports possibly outdated data"
    );
    store.entries_fail.store(false, Ordering::Relaxed);
    store.set_available(true);
    assert_eq!(entry(&there).await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_entries_of_another_host_do_not_stop_the_game() {
    let store = UnreliableStore::new();
    let (here, there) = (host(&store), host(&store));
    created(&here).await.unwrap();
    assert_eq!(entry(&there).await.unwrap(), 1);
    store.entries_damaged.store(true, Ordering::Relaxed);
    take(&here, "ann", message("hello")).await.unwrap();
    let read = timeout(PATIENCE, entry(&there)).await.expect("the call returns");
    // The notice of the new entry may have stopped the game before the call, which then loads it.
    let reason = read.unwrap_err().reason;
    assert!([ErrorReason::JournalUnavailable, ErrorReason::Internal].contains(&reason));
    store.entries_damaged.store(false, Ordering::Relaxed);
    assert_eq!(entry(&there).await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn player_who_joined_elsewhere_is_not_a_spectator_in_an_outage() {
    let store = UnreliableStore::new();
    let (here, there) = (host(&store), host(&store));
    created(&here).await.unwrap();
    assert_eq!(entry(&there).await.unwrap(), 1);
    store.set_available(false);
    store.entries_fail.store(true, Ordering::Relaxed);
    take(&here, "bob", join()).await.expect_err("it is away");
    store.set_available(true);
    take(&here, "bob", join()).await.unwrap();
    store.set_available(false);
    for seat in [None, Some(2)] {
        let refused =
            there.feed(start("bob", seat)).await.err().expect("the state may be outdated");
        assert_eq!(refused.reason, ErrorReason::JournalUnavailable, "{seat:?}");
    }
    let watches = EventStreamStart { as_spectator: true, ..start("bob", None) };
    assert!(there.feed(watches).await.is_ok(), "spectators see the known state");
    assert!(there.feed(start("ann", None)).await.is_ok(), "earlier players see the known state");
    store.entries_fail.store(false, Ordering::Relaxed);
    store.set_available(true);
    assert!(there.feed(start("bob", Some(2))).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn cursor_is_finally_rejected_only_if_the_journal_end_was_known() {
    // Every engine also polls its games, which can hide the race. In that case, try again.
    for _ in 0..50 {
        if news_arrives_during_the_cursor_check().await {
            return;
        }
    }
    panic!("in every attempt, the entries arrived too late");
}

async fn news_arrives_during_the_cursor_check() -> bool {
    let store = UnreliableStore::new();
    let (here, there) = (host(&store), host(&store));
    created(&here).await.unwrap();
    assert_eq!(entry(&there).await.unwrap(), 1);
    take(&here, "ann", message("hello")).await.unwrap();
    store.set_available(false);
    let seen = |table: &Table| table.cursor(table.viewer("ann", Some(1), false).unwrap());
    let cursor = here.read(GAME, seen).await.unwrap();
    // While the engine checks the cursor against its local state, a hint announces more entries.
    store.heads_delay.store(500, Ordering::Relaxed);
    let judged = tokio::spawn({
        let there = there.clone();
        async move { feed_after(&there, Some(cursor)).await }
    });
    sleep(Duration::from_millis(100)).await;
    store.hints.send(Hint::Game(GAME.to_owned(), 2)).expect("the hint has a subscriber");
    let known = async {
        while entry(&there).await.unwrap() < 2 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, known).await.expect("the entries arrive");
    if judged.is_finished() {
        assert!(judged.await.unwrap().is_ok(), "the end was known before");
        return false;
    }
    let refused = judged.await.unwrap().err().expect("the end was unknown");
    assert_eq!(refused.reason, ErrorReason::JournalUnavailable);

    store.heads_delay.store(0, Ordering::Relaxed);
    store.set_available(true);
    assert!(feed_after(&there, Some(cursor)).await.is_ok());
    let beyond = Cursor { number: cursor.number + 1, ..cursor };
    let refused = feed_after(&there, Some(beyond)).await.err().expect("the event does not exist");
    assert_eq!(refused.reason, ErrorReason::CursorInvalid);
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn account_with_unconfirmed_creation_is_reported_created() {
    let store = UnreliableStore::new();
    let accounts =
        Accounts::new(store.clone(), Registration::Open, 5, heliopause_engine::Time::default());
    store.inject([Fate::Unconfirmed]);
    let (account, _) = accounts.register("Ann", "", None).await.expect("the account is found");
    assert_eq!(store.account("Ann").await.unwrap(), account);
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_game_does_not_delay_deadlines_of_others() {
    let store = UnreliableStore::new();
    let host = host(&store);
    let games = ["one", "two", "three"];
    for game_id in games {
        fast_game(&host, game_id).await.expect("a game");
    }
    // Slow down the next write, which is the first deadline of one of the games.
    store.inject([Fate::Slow(2 * PATIENCE.as_millis() as u64)]);
    let moved = async || {
        let mut moved = 0;
        for game_id in games {
            moved += u64::from(host.read(game_id, Table::entry).await.unwrap() > 2);
        }
        moved
    };
    let both = async {
        while moved().await < 2 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, both).await.expect("the deadlines of the other games pass");
}
