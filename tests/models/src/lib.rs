//! Models of the places where threads of the engine meet. `loom` runs them in every order in which
//! they can run (with up to three preemptions).
//!
//! | model | of | holds |
//! | --- | --- | --- |
//! | [`handover`] | `host/{actor,live,stream}.rs` | a stream tells every entry once and in order, whatever it missed |
//! | [`writer`] | `store/sqlite/writer.rs` | an answer is durable; a failed batch wrote nothing; nobody waits for ever |
//! | [`lanes`] | `store/postgres/appender.rs` | of two appends to one place one wins, and entries stay dense |
//!
//! A model's steps have the names of the functions that they stand for. What can be used as it is, is:
//! the turn of an entry (`host/turn.rs`) is the engine's own code. Each model has mistakes that can be
//! planted; its tests show that they are found.

mod channel;
pub mod handover;
pub mod lanes;
pub mod writer;

#[path = "../../../engine-service/src/host/turn.rs"]
mod turn;

/// Tries a model in every order of its threads.
pub fn explore(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.max_branches = 50_000;
    builder.check(model);
}
