//! The confirmation prompt for warnings. A script passes `--yes` instead.

use std::io::{BufRead as _, IsTerminal as _, stdin};

use heliopause_proto::v1::Warning;

use crate::context::Context;
use crate::failure::Failure;
use crate::terminal::Out;
use crate::wording;
use crate::words::say;

/// Asks the player to confirm the warnings, unless there are none or `yes` confirms them. Returns
/// an error if the player declines, or if there is no terminal to ask.
pub fn confirm_warnings(context: &Context, warnings: &[Warning], yes: bool) -> Result<(), Failure> {
    if warnings.is_empty() || yes {
        return Ok(());
    }
    if context.json || !stdin().is_terminal() {
        return Err(unconfirmed(warnings));
    }
    let told = wording::warnings(&context.style, warnings);
    let question = say!("confirmation-continue-yes-anything-else");
    Out::Stderr.ask(&format!("{told}\n{question}"))?;
    let mut answer = String::new();
    let read = stdin().lock().read_line(&mut answer);
    if read.is_ok() && is_yes(&answer) {
        return Ok(());
    }
    Err(Failure::failed(say!("confirmation-canceled-nothing-submitted")).because("NOT_CONFIRMED"))
}

/// Returns whether the input is a confirmation.
pub fn is_yes(answer: &str) -> bool {
    ["yes", "y"].contains(&answer.trim().to_lowercase().as_str())
}

fn unconfirmed(warnings: &[Warning]) -> Failure {
    let rule = |warning: &Warning| match warning.rule.as_str() {
        "" => String::new(),
        rule => format!(" ({rule})"),
    };
    let told = warnings.iter().map(|warning| format!("{}{}", warning.sentence, rule(warning)));
    let told = told.collect::<Vec<_>>().join(" ");
    Failure::failed(say!("confirmation-nothing-submitted-because-there", told = told))
        .because("NOT_CONFIRMED")
        .advise(say!("confirmation-use-yes-submit-without"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_gets_every_warning_and_how_to_proceed() {
        let warning = |sentence: &str, rule: &str| Warning {
            sentence: sentence.into(),
            rule: rule.into(),
            ..Warning::default()
        };
        let failure = unconfirmed(&[warning("Two units hold.", "D3"), warning("RU are left.", "")]);
        let told = failure.to_string();
        assert!(told.contains("Two units hold. (D3) RU are left."), "{told}");
        assert!(told.contains("--yes"), "{told}");
        assert_eq!(failure.report().reason, "NOT_CONFIRMED");
    }

    #[test]
    fn only_yes_confirms() {
        assert!(is_yes(" Yes\n") && is_yes("y") && !is_yes("") && !is_yes("no") && !is_yes("1"));
    }
}
