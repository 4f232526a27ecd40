//! Runs one model with one mistake: `heliopause-models MODEL MISTAKE`. If loom finds the mistake,
//! the process aborts.

use heliopause_models::{explore, handover, lanes, writer};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [model, mistake] = &words[..] else { panic!("expected two arguments: MODEL MISTAKE") };
    macro_rules! named {
        ($model:ident: $($mistake:ident)+) => {
            match mistake.as_str() {
                $(stringify!($mistake) => $model::Mistake::$mistake,)+
                _ => panic!("the model {model} has no mistake {mistake}"),
            }
        };
    }
    match model.as_str() {
        "handover" => {
            let mistake = named!(handover: None ListensLate TellsBeforeDurable ForgetsLag
                TakesAnyTurn ComesBackLate StaysOpen);
            explore(move || handover::run(3, 0, mistake));
            explore(move || handover::run(2, 1, mistake));
        }
        "writer" => {
            let mistake = named!(writer: None AnswersEarly GathersLate KeepsHalf LeavesJobs);
            explore(move || writer::run(2, Some(1), mistake));
        }
        "lanes" => {
            let mistake = named!(lanes: None LooksWithoutLock BothAtOnce AnswersFirstFlight);
            explore(move || lanes::run(2, mistake));
        }
        _ => panic!("model {model} is unknown; expected handover, writer or lanes"),
    }
}
