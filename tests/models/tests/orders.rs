//! Every order of threads, and the mistakes that must be found in one of them.

use std::process::{Command, Stdio};

use heliopause_models::{explore, handover, lanes, writer};

/// Whether a model with a mistake goes wrong in some order. It does so in a process of its own, which
/// loom ends.
fn is_found(model: &str, mistake: &str) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heliopause-models"));
    let ended = command.args([model, mistake]).stderr(Stdio::null()).status();
    !ended.expect("the program of the models can be started").success()
}

#[test]
fn a_stream_tells_every_entry_once_and_in_order() {
    explore(|| handover::run(3, 0, handover::Mistake::None));
}

#[test]
fn a_stream_goes_on_with_the_game_as_it_is_loaded_anew() {
    explore(|| handover::run(3, 1, handover::Mistake::None));
    explore(|| handover::run(3, 2, handover::Mistake::None));
}

#[test]
fn an_answer_of_the_writer_is_durable_and_a_batch_that_fails_has_written_nothing() {
    explore(|| writer::run(2, None, writer::Mistake::None));
    explore(|| writer::run(2, Some(1), writer::Mistake::None));
}

#[test]
fn of_two_appends_to_one_place_one_wins() {
    explore(|| lanes::run(2, lanes::Mistake::None));
}

#[test]
fn planted_mistakes_are_found() {
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
    // By itself this harms nobody: the turn of the next entry shows what was passed over.
    assert!(!is_found("handover", "ForgetsLag"));
    for model in ["handover", "writer", "lanes"] {
        assert!(!is_found(model, "None"), "{model} as it is");
    }
}
