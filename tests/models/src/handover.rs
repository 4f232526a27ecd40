//! Model: an actor publishes entries while a stream opens, falls behind, and continues after the
//! game is loaded again.

use std::cmp;

use loom::sync::atomic::{AtomicU64, Ordering};
use loom::sync::{Arc, Mutex};
use loom::thread;

use crate::channel::{Broadcast, StreamItem};

/// A mistake to inject into the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    None,
    /// `EventStream::open` subscribes after it has released the table.
    ListensLate,
    /// `Actor::attempt` publishes before the append.
    TellsBeforeDurable,
    /// `EventStream::receive` skips the entries that it missed.
    ForgetsLag,
    /// `EventStream::publish` accepts any entry as the next one.
    TakesAnyTurn,
    /// `EventStream::reopen` subscribes after it has read the state of the table.
    ComesBackLate,
    /// `Actor::end` does not close the channel.
    StaysOpen,
}

/// The capacity of the broadcast, which is small so that receivers fall behind.
const KEPT: usize = 1;

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

struct Host {
    journal: Mutex<u64>,
    live: Mutex<Arc<Live>>,
}

/// Runs an actor that another actor replaces after `ends_after` entries. Meanwhile, a stream opens.
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
        // Models `Draft::of`. The table that readers see stays locked until the entry is durable.
        let mut table = live.table.lock().unwrap();
        *host.journal.lock().unwrap() = entry;
        *table = entry;
        // Models `Draft::commit`.
        live.last.store(entry, Ordering::Release);
        drop(table);
        if mistake != Mistake::TellsBeforeDurable {
            tell(&live, entry);
        }
        if entry == ends_after {
            // Models `Actor::end`, after which the game is loaded again.
            let loaded = Live::at(entry);
            *host.live.lock().unwrap() = loaded.clone();
            if mistake != Mistake::StaysOpen {
                live.published.close();
            }
            live = loaded;
        }
    }
}

/// Models `Actor::tell`.
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

/// Models `EventStream::open` and `EventStream::next`, until all entries are published.
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
            // Models `EventStream::read_journal`.
            Mode::Journal { until } if told >= until => Mode::Live,
            Mode::Journal { until } => {
                let there = *host.journal.lock().unwrap();
                assert!(there > told, "the journal has what was heard of: {until}");
                told += 1;
                Mode::Journal { until }
            }
            Mode::Live => match live.published.recv(&mut place) {
                StreamItem::Entry(heard) => {
                    let turn = if mistake == Mistake::TakesAnyTurn {
                        cmp::Ordering::Equal
                    } else {
                        heard.cmp(&(told + 1))
                    };
                    match turn {
                        cmp::Ordering::Less => Mode::Live,
                        cmp::Ordering::Greater => Mode::Journal { until: heard },
                        cmp::Ordering::Equal => {
                            assert_eq!(heard, told + 1, "entries are told in order and once");
                            assert!(*host.journal.lock().unwrap() >= heard, "it is durable");
                            told = heard;
                            Mode::Live
                        }
                    }
                }
                StreamItem::Lagged if mistake == Mistake::ForgetsLag => Mode::Live,
                StreamItem::Lagged => Mode::Journal { until: live.last.load(Ordering::Acquire) },
                StreamItem::Closed => {
                    // Models `EventStream::reopen`.
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
