//! The trace of a run, as one hash of all recorded events and optional text.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::chance::mixed;
use crate::environment;
use crate::net::Node;

struct State {
    hash: u64,
    count: u64,
    said: bool,
    heard: BTreeMap<Node, u64>,
}

static STATE: Mutex<State> =
    Mutex::new(State { hash: 0, count: 0, said: false, heard: BTreeMap::new() });

/// Prints all further records to standard error, in addition to hashing them.
pub fn say() {
    STATE.lock().unwrap_or_else(PoisonError::into_inner).said = true;
}

/// Records an event with its bytes.
pub fn note(what: fmt::Arguments<'_>, bytes: &[u8]) {
    let now = environment::elapsed();
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut sink = Sink(mixed(state.hash ^ now.as_nanos() as u64));
    let _ = fmt::Write::write_fmt(&mut sink, what);
    sink.take(bytes);
    state.hash = sink.0;
    state.count += 1;
    if state.said {
        eprintln!("{:>12.6} {:016x} {what} ({} bytes)", now.as_secs_f64(), sink.0, bytes.len());
    }
}

/// Records what a client received, and when.
pub fn hear(node: Node, bytes: &[u8]) {
    let now = environment::elapsed();
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let hash = state.heard.entry(node).or_default();
    let mut sink = Sink(mixed(*hash ^ now.as_nanos() as u64));
    sink.take(bytes);
    *hash = sink.0;
}

/// Returns a hash of the data that each client received.
pub fn heard() -> BTreeMap<Node, u64> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner).heard.clone()
}

/// Returns the hash of all records so far, and their number.
pub fn hash() -> (u64, u64) {
    let state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    (state.hash, state.count)
}

struct Sink(u64);

impl Sink {
    fn take(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        for byte in words.remainder() {
            self.0 = (self.0.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }
}

impl fmt::Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.take(text.as_bytes());
        Ok(())
    }
}

#[macro_export]
macro_rules! traced {
    ($($what:tt)*) => { $crate::trace::note(format_args!($($what)*), &[]) };
}
