//! Hosts on a shared store whose answers come late or never: nothing is done twice, and nobody is
//! told that what was done was not.

use crate::support::unsure;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use heliopause_engine::accounts::{Accounts, Registration};
use heliopause_engine::host::{Done, Feed, FeedStart, Host};
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
use unsure::{Fate, GAME, PATIENCE, Unsure, created, host, hurried, person};

async fn take(host: &Host, by: &str, kind: Kind) -> Result<Done, Fault> {
    host.take(GAME, Step { by: by.to_owned(), kind: Some(kind), ..Step::default() }).await
}

/// A step of Ann's that is under way.
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

async fn feed(host: &Host) -> Feed {
    feed_after(host, None).await.expect("a feed")
}

async fn feed_after(host: &Host, after: Option<Cursor>) -> Result<Feed, Fault> {
    host.feed(FeedStart { after, ..start("ann", Some(1)) }).await
}

fn start(player_id: &str, seat: Option<u32>) -> FeedStart {
    let (game_id, player_id) = (GAME.to_owned(), player_id.to_owned());
    FeedStart { game_id, player_id, seat, as_spectator: false, after: None, is_person: true }
}

/// The next message that a feed tells of.
async fn heard(feed: &mut Feed) -> Result<String, Fault> {
    // Signs of life go on for ever.
    timeout(PATIENCE, message_of(feed)).await.expect("a message comes")
}

async fn message_of(feed: &mut Feed) -> Result<String, Fault> {
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
async fn what_was_done_unheard_or_late_is_done_once_and_told_as_done() {
    let fates: [&[Fate]; 3] = [
        &[Fate::Unheard],
        &[Fate::Later(50), Fate::Slowly(300)],
        &[Fate::Later(250), Fate::Slowly(10)],
    ];
    for fates in fates {
        let store = Unsure::new();
        let host = host(&store);
        let vote =
            VoteProposed { seat: 1, subject: VoteSubject::Draw.into(), ..VoteProposed::default() };
        store.meet(fates.iter().copied());
        created(&host).await.expect("a game");
        // The game begins with the second player, and its beginning is kept.
        for (number, last, by, kind) in [
            (2, 3, "bob", join()),
            (4, 4, "ann", message("hello")),
            (5, 5, "ann", Kind::VoteProposed(vote)),
        ] {
            store.meet(fates.iter().copied());
            let done = take(&host, by, kind).await.expect("it is done, and told so");
            assert_eq!(done.entry.number, number);
            // What is still to come comes too late.
            sleep(Duration::from_millis(300)).await;
            assert_eq!(entry(&host).await.unwrap(), last, "it is done once");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_an_append_is_under_way_the_last_durable_state_is_shown() {
    let store = Unsure::new();
    let host = host(&store);
    created(&host).await.unwrap();
    store.meet([Fate::Slowly(1_000)]);
    let taking = begun(&host, message("hello"));
    sleep(Duration::from_millis(200)).await;
    assert_eq!(entry(&host).await.unwrap(), 1);
    assert!(!taking.is_finished(), "the read waited for the append");
    taking.await.unwrap().unwrap();
    assert_eq!(entry(&host).await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_finds_a_game_before_its_maker_hears_of_it_has_the_same_game() {
    let store = Unsure::new();
    let host = host(&store);
    store.meet([Fate::HeardLate(500)]);
    let making = tokio::spawn({
        let host = host.clone();
        async move { created(&host).await }
    });
    sleep(Duration::from_millis(200)).await;
    let mut feed = feed(&host).await;
    making.await.unwrap().expect("a game");
    take(&host, "ann", message("hello")).await.unwrap();
    assert_eq!(heard(&mut feed).await.unwrap(), "hello");
    let again = created(&host).await.expect_err("it is laid already");
    assert_eq!(again.reason, ErrorReason::LostRace);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_step_that_is_not_kept_does_not_read_it() {
    let store = Unsure::alone();
    let host = host(&store);
    created(&host).await.unwrap();
    store.meet([Fate::Fails(500)]);
    let taking = begun(&host, message("lost"));
    sleep(Duration::from_millis(200)).await;
    store.entries_fail.store(true, Ordering::Relaxed);
    let read = entry(&host).await.expect_err("what is in memory was not kept");
    assert_eq!(read.reason, ErrorReason::JournalUnavailable);
    let taken = taking.await.unwrap().expect_err("it was not kept");
    assert_eq!(taken.reason, ErrorReason::JournalUnavailable);
    store.entries_fail.store(false, Ordering::Relaxed);
    assert_eq!(entry(&host).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_in_the_moment_of_an_outage_leaves_the_game_as_it_was() {
    let store = Unsure::new();
    let host = host(&store);
    created(&host).await.unwrap();
    let mut feed = feed(&host).await;
    store.writes_fail.store(true, Ordering::Relaxed);
    store.entries_fail.store(true, Ordering::Relaxed);
    let refused = take(&host, "ann", message("lost")).await.unwrap_err();
    assert_eq!(refused.reason, ErrorReason::JournalUnavailable);
    assert_eq!(entry(&host).await.unwrap(), 1, "the game is read as it was");
    store.writes_fail.store(false, Ordering::Relaxed);
    store.entries_fail.store(false, Ordering::Relaxed);
    take(&host, "ann", message("found")).await.unwrap();
    assert_eq!(heard(&mut feed).await.unwrap(), "found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_goes_on_when_its_game_left_memory_and_ends_when_it_is_removed() {
    let store = Unsure::new();
    let host = host(&store);
    created(&host).await.unwrap();
    let mut feed = feed(&host).await;
    store.heads_gone.store(true, Ordering::Relaxed);
    assert_eq!(
        entry(&host).await.unwrap_err().reason,
        ErrorReason::GameNotFound,
        "and it leaves memory"
    );
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
async fn of_hosts_that_race_for_a_game_neither_tells_anybody() {
    const STEPS: u64 = 40;
    let store = Unsure::new();
    let hosts = [host(&store), host(&store), host(&store)];
    created(&hosts[0]).await.unwrap();
    let racing = hosts.clone().map(|host| {
        tokio::spawn(async move {
            for number in 0..STEPS {
                take(&host, "ann", message(&format!("{number}")))
                    .await
                    .expect("it is taken sooner or later");
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
async fn what_is_known_to_be_old_is_shown_only_while_the_store_is_away() {
    let store = Unsure::new();
    let (here, there) = (host(&store), host(&store));
    created(&here).await.unwrap();
    assert_eq!(entry(&there).await.unwrap(), 1);
    store.entries_fail.store(true, Ordering::Relaxed);
    take(&here, "ann", message("hello")).await.unwrap();
    assert_eq!(entry(&there).await.unwrap_err().reason, ErrorReason::JournalUnavailable);
    store.set_available(false);
    assert_eq!(entry(&there).await.unwrap(), 1, "readiness says that it may be old");
    store.entries_fail.store(false, Ordering::Relaxed);
    store.set_available(true);
    assert_eq!(entry(&there).await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_joined_elsewhere_just_before_an_outage_is_no_spectator() {
    let store = Unsure::new();
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
        let refused = there.feed(start("bob", seat)).await.err().expect("it may be old");
        assert_eq!(refused.reason, ErrorReason::JournalUnavailable, "{seat:?}");
    }
    let watches = FeedStart { as_spectator: true, ..start("bob", None) };
    assert!(there.feed(watches).await.is_ok(), "whoever watches is shown what is known");
    assert!(there.feed(start("ann", None)).await.is_ok(), "and whoever played before");
    store.entries_fail.store(false, Ordering::Relaxed);
    store.set_available(true);
    assert!(there.feed(start("bob", Some(2))).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_is_refused_for_good_only_where_the_journal_was_known_to_end() {
    // Every engine looks at its games now and then; if it does so just then, it is tried anew.
    for _ in 0..50 {
        if a_cursor_from_elsewhere_is_judged_in_time().await {
            return;
        }
    }
    panic!("what became known came too late to tell");
}

/// Whether what was told elsewhere became known while the cursor from there was judged.
async fn a_cursor_from_elsewhere_is_judged_in_time() -> bool {
    let store = Unsure::new();
    let (here, there) = (host(&store), host(&store));
    created(&here).await.unwrap();
    assert_eq!(entry(&there).await.unwrap(), 1);
    take(&here, "ann", message("hello")).await.unwrap();
    store.set_available(false);
    let seen = |table: &Table| table.cursor(table.viewer("ann", Some(1), false).unwrap());
    let cursor = here.read(GAME, seen).await.unwrap();
    // It is judged by what is known there, and just then more comes to be known.
    store.heads_take.store(500, Ordering::Relaxed);
    let judged = tokio::spawn({
        let there = there.clone();
        async move { feed_after(&there, Some(cursor)).await }
    });
    sleep(Duration::from_millis(100)).await;
    store.hints.send(Hint::Game(GAME.to_owned(), 2)).expect("somebody listens");
    let known = async {
        while entry(&there).await.unwrap() < 2 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, known).await.expect("it becomes known");
    if judged.is_finished() {
        assert!(judged.await.unwrap().is_ok(), "it was known before");
        return false;
    }
    let refused = judged.await.unwrap().err().expect("it was not known");
    assert_eq!(refused.reason, ErrorReason::JournalUnavailable);

    store.heads_take.store(0, Ordering::Relaxed);
    store.set_available(true);
    assert!(feed_after(&there, Some(cursor)).await.is_ok());
    let beyond = Cursor { number: cursor.number + 1, ..cursor };
    let refused = feed_after(&there, Some(beyond)).await.err().expect("there is no such event");
    assert_eq!(refused.reason, ErrorReason::CursorInvalid);
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_was_opened_unheard_is_told_as_opened() {
    let store = Unsure::new();
    let accounts =
        Accounts::new(store.clone(), Registration::Open, 5, heliopause_engine::Time::default());
    store.meet([Fate::Unheard]);
    let (account, _) = accounts.register("Ann", "", None).await.expect("it is found out");
    assert_eq!(store.account("Ann").await.unwrap(), account);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_takes_its_time_holds_up_no_other_games_deadline() {
    let store = Unsure::new();
    let host = host(&store);
    let games = ["one", "two", "three"];
    for game_id in games {
        hurried(&host, game_id).await.expect("a game");
    }
    // One of the games waits that long for its first deadline.
    store.meet([Fate::Slowly(2 * PATIENCE.as_millis() as u64)]);
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
    timeout(PATIENCE, both).await.expect("the others' deadlines pass");
}
