//! Models of the points where threads of the engine interact. `loom` runs the threads of a model in
//! every possible order, with up to three preemptions.
//!
//! | model | modeled code | property |
//! | --- | --- | --- |
//! | [`handover`] | `host/{actor,live,stream}.rs` | streams have every entry once, in order |
//! | [`writer`] | `store/sqlite/writer.rs` | results are durable; failed batches write nothing |
//! | [`lanes`] | `store/postgres/appender.rs` | one of two appends wins; entries have no gaps |
//!
//! The steps of a model have the names of the functions that they model. Each model has mistakes to
//! inject. Tests check that loom finds every mistake.

mod channel;
pub mod handover;
pub mod lanes;
pub mod writer;

/// Runs a model in every order of its threads.
pub fn explore(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.max_branches = 50_000;
    builder.check(model);
}
