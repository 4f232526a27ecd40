//! The use of the store's clock by engines that share a store.

use crate::support::unreliable_store;

use std::sync::atomic::Ordering;
use std::time::Duration;

use heliopause_engine::Time;
use heliopause_engine::host::{Host, HostSettings};
use heliopause_engine::store::Millis;
use heliopause_proto::store::v1::{DeadlineSet, Step, step};
use heliopause_proto::v1::ErrorReason;
use tokio::time::sleep;
use unreliable_store::{PATIENCE, UnreliableStore, created, fast_game, host, machine_time};

#[tokio::test(flavor = "multi_thread")]
async fn host_uses_the_clock_of_its_store() {
    const HOUR: Millis = 3_600_000;
    let store = UnreliableStore::new();
    store.ahead.store(HOUR, Ordering::Relaxed);
    let host = host(&store);
    let begun = machine_time();
    wait_for(&host, |now| now >= begun + HOUR / 2).await;
    let done = created(&host).await.unwrap();
    let ahead = done.entry.time.as_ref().unwrap().seconds * 1000 - machine_time();
    assert!((HOUR - 10_000..HOUR + 10_000).contains(&ahead), "{ahead}");
}

async fn wait_for(host: &Host, time: impl Fn(Millis) -> bool) {
    let begun = machine_time();
    while !time(host.now()) {
        let patience = PATIENCE.as_millis() as Millis;
        assert!(machine_time() < begun + patience, "the clocks are never compared");
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn game_host_can_reset_deadlines_set_by_a_fast_clock() {
    const YEARS: Millis = 110 * 365 * 24 * 3_600_000;
    let store = UnreliableStore::new();
    store.ahead.store(YEARS, Ordering::Relaxed);
    let host = host(&store);
    let begun = machine_time();
    wait_for(&host, |now| now > begun + YEARS / 2).await;
    fast_game(&host, "jumped").await.unwrap();
    store.ahead.store(0, Ordering::Relaxed);
    wait_for(&host, |now| now < begun + YEARS / 2).await;
    sleep(Duration::from_millis(300)).await;
    let entry = || host.read("jumped", heliopause_table::Table::entry);
    let stands = entry().await.unwrap();
    sleep(Duration::from_secs(2)).await;
    assert_eq!(entry().await.unwrap(), stands, "the deadlines are in another century");
    let mend = |by: &str, millis: Millis| {
        let deadline = Some(prost_types::Timestamp { seconds: millis / 1000, nanos: 0 });
        let kind = Some(step::Kind::DeadlineSet(DeadlineSet { deadline }));
        host.take("jumped", Step { by: by.to_owned(), kind, ..Step::default() })
    };
    let refused =
        mend("bob", machine_time() + 3_000).await.expect_err("Bob does not lead the game");
    assert_eq!(refused.reason, ErrorReason::RoleRequired);
    mend("ann", machine_time() + 3_000).await.expect("a deadline of now");
    let mended = entry().await.unwrap();
    let patience = machine_time() + PATIENCE.as_millis() as Millis;
    while entry().await.unwrap() < mended + 2 {
        assert!(machine_time() < patience, "the game does not advance");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_starts_when_created_keeps_its_first_deadline() {
    let store = UnreliableStore::new();
    let host = host(&store);
    let begun = machine_time();
    // The engine looks for due games at its start, and then every 10 seconds.
    sleep(Duration::from_millis(300)).await;
    fast_game(&host, "prompt").await.unwrap();
    while host.read("prompt", heliopause_table::Table::entry).await.unwrap() < 2 {
        assert!(machine_time() < begun + 10_000, "the first deadline passes unnoticed");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn backoff_does_not_grow_when_the_clock_is_corrected() {
    const HOUR: Millis = 3_600_000;
    let store = UnreliableStore::new();
    let first = host(&store);
    let begun = machine_time();
    while fast_game(&first, "rested").await.is_err() {
        assert!(machine_time() < begun + PATIENCE.as_millis() as Millis, "the game is not created");
        sleep(Duration::from_millis(10)).await;
    }
    first.drain().await;
    // The second engine cannot read the store's clock and uses its own, which is an hour ahead.
    // Games appear due, but the engine applies no steps.
    store.time_fails.store(true, Ordering::Relaxed);
    let time = Time::of(|| machine_time() + HOUR);
    let second = Host::new(store.clone(), HostSettings { time, ..HostSettings::default() });
    sleep(Duration::from_secs(3)).await;
    assert!(second.now() > machine_time() + HOUR / 2);
    let entry = || second.read("rested", heliopause_table::Table::entry);
    let stands = entry().await.unwrap();
    store.time_fails.store(false, Ordering::Relaxed);
    wait_for(&second, |now| now < machine_time() + HOUR / 2).await;
    let patience = machine_time() + PATIENCE.as_millis() as Millis;
    while entry().await.unwrap() == stands {
        assert!(machine_time() < patience, "the deadlines wait for an hour");
        sleep(Duration::from_millis(50)).await;
    }
}
