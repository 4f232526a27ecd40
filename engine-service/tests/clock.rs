//! Whoever shares a store goes by its clock.

#[path = "support/unsure.rs"]
mod unsure;

use std::sync::atomic::Ordering;
use std::time::Duration;

use heliopause_engine::host::Host;
use heliopause_engine::store::Millis;
use tokio::time::sleep;
use unsure::{PATIENCE, Unsure, created, host, machine_time};

#[tokio::test(flavor = "multi_thread")]
async fn a_host_goes_by_the_clock_of_its_store() {
    const HOUR: Millis = 3_600_000;
    let store = Unsure::new();
    store.ahead.store(HOUR, Ordering::Relaxed);
    let host = host(&store);
    let begun = machine_time();
    while Host::now() < begun + HOUR / 2 {
        assert!(machine_time() < begun + PATIENCE.as_millis() as Millis, "the clocks are never compared");
        sleep(Duration::from_millis(10)).await;
    }
    let done = created(&host).await.unwrap();
    let ahead = done.entry.time.as_ref().unwrap().seconds * 1000 - machine_time();
    assert!((HOUR - 10_000..HOUR + 10_000).contains(&ahead), "{ahead}");
}
