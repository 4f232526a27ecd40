//! Warnings before something is done by a single command: a person at a terminal is asked, a script
//! says `--yes`.

use std::io::{BufRead as _, IsTerminal as _, stdin};

use heliopause_proto::v1::Warning;

use crate::context::Context;
use crate::failure::Failure;
use crate::terminal::Out;
use crate::wording;

/// Fails unless the player goes on although they are warned.
pub fn heed(context: &Context, warnings: &[Warning], yes: bool) -> Result<(), Failure> {
    if warnings.is_empty() || yes {
        return Ok(());
    }
    if context.json || !stdin().is_terminal() {
        return Err(unheeded(warnings));
    }
    let told = wording::warnings(&context.style, warnings);
    Out::Aside.ask(&format!("{told}\nGo on? (yes; anything else does nothing): "))?;
    let mut answer = String::new();
    let read = stdin().lock().read_line(&mut answer);
    if read.is_ok() && is_yes(&answer) {
        return Ok(());
    }
    Err(Failure::failed("Nothing was done.").because("NOT_CONFIRMED"))
}

/// Whether somebody agrees.
pub fn is_yes(answer: &str) -> bool {
    ["yes", "y"].contains(&answer.trim().to_lowercase().as_str())
}

/// Nobody is there to be asked.
fn unheeded(warnings: &[Warning]) -> Failure {
    let rule = |warning: &Warning| match warning.rule.as_str() {
        "" => String::new(),
        rule => format!(" ({rule})"),
    };
    let told = warnings.iter().map(|warning| format!("{}{}", warning.sentence, rule(warning)));
    let told = told.collect::<Vec<_>>().join(" ");
    Failure::failed(format!("Nothing was done, for there is something to consider. {told}"))
        .because("NOT_CONFIRMED")
        .advise("Give --yes to go on without being asked.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_told_of_every_warning_and_how_to_go_on() {
        let warning = |sentence: &str, rule: &str| Warning {
            sentence: sentence.into(),
            rule: rule.into(),
            ..Warning::default()
        };
        let failure = unheeded(&[warning("Two units hold.", "D3"), warning("RU are left.", "")]);
        let told = failure.to_string();
        assert!(told.contains("Two units hold. (D3) RU are left."), "{told}");
        assert!(told.contains("--yes"), "{told}");
        assert_eq!(failure.report().reason, "NOT_CONFIRMED");
    }

    #[test]
    fn only_a_yes_agrees() {
        assert!(is_yes(" Yes\n") && is_yes("y") && !is_yes("") && !is_yes("no") && !is_yes("1"));
    }
}
