//! The rare events that the product logs under the target `heliopause::rare`.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, fmt as log};

const TARGET: &str = "heliopause::rare";

static SEEN: Mutex<Seen> =
    Mutex::new(Seen { met: BTreeSet::new(), refused: Vec::new(), rolled_back: Vec::new() });

struct Seen {
    met: BTreeSet<String>,
    refused: Vec<Refused>,
    rolled_back: Vec<String>,
}

/// A rejection that the engine returned.
#[derive(Clone, Debug)]
pub struct Refused {
    pub game_id: String,
    pub entry: u64,
    pub begun: Instant,
}

/// Starts to collect rare events, and to write the log that `HELIOPAUSE_LOG` selects.
pub fn collect() {
    let rare = Collector.with_filter(Targets::new().with_target(TARGET, LevelFilter::TRACE));
    let log = EnvFilter::try_from_env("HELIOPAUSE_LOG")
        .ok()
        .map(|filter| log::layer().with_writer(std::io::stderr).without_time().with_filter(filter));
    tracing_subscriber::registry().with(rare).with(log).init();
}

/// Returns the events logged since the start of the process.
pub fn met() -> BTreeSet<String> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).met.clone()
}

/// Returns the rejections logged since the start of the process.
pub fn refusals() -> Vec<Refused> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).refused.clone()
}

/// Returns the games for which engines logged a rollback of the store.
pub fn went_back_in() -> Vec<String> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).rolled_back.clone()
}

struct Collector;

impl<S: Subscriber> Layer<S> for Collector {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let Fields { message, game_id, entry, nanos } = fields;
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        match &*message {
            "a refusal was returned" => {
                let now = tokio::time::Instant::now().into_std();
                let begun = now.checked_sub(Duration::from_nanos(nanos)).unwrap_or(now);
                seen.refused.push(Refused { game_id, entry, begun });
            }
            "a store was rolled back" => seen.rolled_back.push(game_id),
            _ => drop(seen.met.insert(message)),
        }
    }
}

#[derive(Default)]
struct Fields {
    message: String,
    game_id: String,
    entry: u64,
    nanos: u64,
}

impl Visit for Fields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "entry" => self.entry = value,
            "nanos" => self.nanos = value,
            _ => {}
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "game_id" {
            value.clone_into(&mut self.game_id);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.message = format!("{value:?}");
        }
    }
}
