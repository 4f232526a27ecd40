//! The measurements, one module for each group of figures.

mod calls;
mod cold_start;
mod database;
mod fan_out;
mod latency;
mod past;

use bytes::Bytes;

pub(crate) use self::calls::{durable, get_game, submit};
pub(crate) use self::cold_start::cold_start;
pub(crate) use self::database::database;
pub(crate) use self::fan_out::fan_out;
pub(crate) use self::latency::latency;
pub(crate) use self::past::past;

const GET_GAME: &str = "/heliopause.v1.GameService/GetGame";
const STREAM_EVENTS: &str = "/heliopause.v1.GameService/StreamEvents";
pub(crate) const IN_FLIGHT: usize = 64;

/// Returns whether a message of the stream is an event, by its tag.
fn is_event(message: &Bytes) -> bool {
    message.first() == Some(&0x12)
}

fn tell(figure: &str, round: usize, ours: f64, bare: f64) {
    println!(
        "{figure}: round {round}: engine {ours:.2}, baseline {bare:.2}, ratio {:.2}",
        ours / bare
    );
}
