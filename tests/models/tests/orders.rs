//! Explores every order of threads, and checks that injected mistakes are found.

use std::process::{Command, Stdio};

use heliopause_models::{explore, handover, lanes, writer};

/// Returns whether loom finds a mistake. The model runs in a separate process, because loom aborts
/// the process.
fn is_found(model: &str, mistake: &str) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heliopause-models"));
    let ended = command.args([model, mistake]).stderr(Stdio::null()).status();
    !ended.expect("the program of the models can be started").success()
}

#[test]
fn a_stream_publishes_every_entry_once_and_in_order() {
    explore(|| handover::run(3, 0, handover::Mistake::None));
}

#[test]
fn a_stream_continues_after_the_game_is_reloaded() {
    explore(|| handover::run(3, 1, handover::Mistake::None));
    explore(|| handover::run(3, 2, handover::Mistake::None));
}

#[test]
fn writer_answers_are_durable_and_failed_batches_write_nothing() {
    explore(|| writer::run(2, None, writer::Mistake::None));
    explore(|| writer::run(2, Some(1), writer::Mistake::None));
}

#[test]
fn one_of_two_appends_at_the_same_position_wins() {
    explore(|| lanes::run(2, lanes::Mistake::None));
}

#[test]
fn injected_mistakes_are_found() {
    let mistakes = [
        ("handover", "ListensLate"),
        ("handover", "TellsBeforeDurable"),
        ("handover", "TakesAnyTurn"),
        ("handover", "ComesBackLate"),
        ("handover", "StaysOpen"),
        ("writer", "AnswersEarly"),
        ("writer", "GathersLate"),
        ("writer", "KeepsHalf"),
        ("writer", "LeavesJobs"),
        ("lanes", "LooksWithoutLock"),
        ("lanes", "BothAtOnce"),
        ("lanes", "AnswersFirstFlight"),
    ];
    let missed: Vec<_> =
        mistakes.into_iter().filter(|(model, mistake)| !is_found(model, mistake)).collect();
    assert!(missed.is_empty(), "{missed:?}");
    // This mistake alone is harmless, because the number of the next entry reveals the gap.
    assert!(!is_found("handover", "ForgetsLag"));
    for model in ["handover", "writer", "lanes"] {
        assert!(!is_found(model, "None"), "{model} as it is");
    }
}
