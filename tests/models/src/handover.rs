//! A game's actor publishes entries while a stream opens, falls behind, and goes on with the game as
//! it is loaded anew.

use loom::sync::atomic::{AtomicU64, Ordering};
use loom::sync::{Arc, Mutex};
use loom::thread;

use crate::channel::{Broadcast, Heard};
use crate::turn::Turn;

/// A mistake that can be planted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    None,
    /// `Feed::open` listens after it let go of the table.
    ListensLate,
    /// `Actor::attempt` tells listeners before the append.
    TellsBeforeDurable,
    /// `Feed::hear` passes over what it lagged behind, which the turn of the next entry makes good.
    ForgetsLag,
    /// `Feed::publish` takes whatever it hears of as the next.
    TakesAnyTurn,
    /// `Feed::come_back` listens after it read where the table stands.
    ComesBackLate,
    /// `Actor::end` forgets to let go of the channel.
    StaysOpen,
}

/// How many entries a receiver may be behind: few, so that it happens.
const KEPT: usize = 1;

/// A game in memory.
struct Live {
    table: Mutex<u64>,
    last: AtomicU64,
    published: Broadcast,
}

impl Live {
    fn at(entry: u64) -> Arc<Self> {
        Arc::new(Self {
            table: Mutex::new(entry),
            last: AtomicU64::new(entry),
            published: Broadcast::new(KEPT),
        })
    }
}

/// The service: the journal, and the game as it is in memory.
struct Host {
    journal: Mutex<u64>,
    live: Mutex<Arc<Live>>,
}

/// Runs entries by an actor, which ends after `ends_after` of them and is followed by another, and a
/// stream that began before any of them or in between.
pub fn run(entries: u64, ends_after: u64, mistake: Mistake) {
    let live = Live::at(0);
    let host = Arc::new(Host { journal: Mutex::new(0), live: Mutex::new(live) });
    let actor = {
        let host = host.clone();
        thread::spawn(move || actor(&host, entries, ends_after, mistake))
    };
    stream(&host, entries, mistake);
    actor.join().unwrap();
}

fn actor(host: &Host, entries: u64, ends_after: u64, mistake: Mistake) {
    let mut live = host.live.lock().unwrap().clone();
    for entry in 1..=entries {
        if mistake == Mistake::TellsBeforeDurable {
            tell(&live, entry);
        }
        // `Draft::of`, on the table that readers see: nobody reads it before the entry is durable.
        let mut table = live.table.lock().unwrap();
        *host.journal.lock().unwrap() = entry;
        *table = entry;
        // `Draft::keep`.
        live.last.store(entry, Ordering::Release);
        drop(table);
        if mistake != Mistake::TellsBeforeDurable {
            tell(&live, entry);
        }
        if entry == ends_after {
            // `Actor::end`: the game leaves memory, and somebody loads it anew.
            let loaded = Live::at(entry);
            *host.live.lock().unwrap() = loaded.clone();
            if mistake != Mistake::StaysOpen {
                live.published.close();
            }
            live = loaded;
        }
    }
}

/// `Actor::tell`.
fn tell(live: &Live, entry: u64) {
    if live.published.receiver_count() > 0 {
        live.published.send(entry);
    }
}

#[derive(Clone, Copy)]
enum Mode {
    Journal { until: u64 },
    Live,
}

/// `Feed::open` and `Feed::next`, until all entries are told.
fn stream(host: &Host, entries: u64, mistake: Mistake) {
    let mut live = host.live.lock().unwrap().clone();
    let table = live.table.lock().unwrap();
    let until = *table;
    let mut place = if mistake == Mistake::ListensLate {
        drop(table);
        live.published.subscribe()
    } else {
        let place = live.published.subscribe();
        drop(table);
        place
    };
    let mut told = 0;
    let mut mode = Mode::Journal { until };
    while told < entries {
        mode = match mode {
            // `Feed::read_journal`.
            Mode::Journal { until } if told >= until => Mode::Live,
            Mode::Journal { until } => {
                let there = *host.journal.lock().unwrap();
                assert!(there > told, "the journal has what was heard of: {until}");
                // A page is one entry.
                told += 1;
                Mode::Journal { until }
            }
            Mode::Live => match live.published.recv(&mut place) {
                Heard::Entry(heard) => {
                    let turn = if mistake == Mistake::TakesAnyTurn {
                        Turn::Next
                    } else {
                        Turn::of(heard, told)
                    };
                    match turn {
                        Turn::Told => Mode::Live,
                        Turn::Later => Mode::Journal { until: heard },
                        Turn::Next => {
                            assert_eq!(heard, told + 1, "entries are told in order and once");
                            assert!(*host.journal.lock().unwrap() >= heard, "it is durable");
                            told = heard;
                            Mode::Live
                        }
                    }
                }
                Heard::Lagged if mistake == Mistake::ForgetsLag => Mode::Live,
                Heard::Lagged => Mode::Journal { until: live.last.load(Ordering::Acquire) },
                Heard::Closed => {
                    // `Feed::come_back`.
                    live = host.live.lock().unwrap().clone();
                    let table = live.table.lock().unwrap();
                    let until = *table;
                    if mistake == Mistake::ComesBackLate {
                        drop(table);
                        place = live.published.subscribe();
                    } else {
                        place = live.published.subscribe();
                        drop(table);
                    }
                    Mode::Journal { until }
                }
            },
        };
    }
}
