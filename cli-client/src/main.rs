//! cli-client: the command-line client of Heliopause.

#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use heliopause_cli::args::Cli;
use heliopause_cli::context::escaped_json;
use heliopause_cli::failure::{Failure, exit};
use heliopause_cli::run::run;
use heliopause_cli::terminal::Out;

fn main() -> ExitCode {
    let wants_json = std::env::args().any(|argument| argument == "--json");
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if wants_json && error.use_stderr() => {
            return tell(&Failure::usage(error.to_string().trim()), true);
        }
        Err(error) if error.kind() == ErrorKind::MissingSubcommand => {
            // Standard error never fails.
            let _ = Out::Aside.say(Cli::command().render_help().to_string().trim_end());
            return ExitCode::from(exit::USAGE);
        }
        Err(error) => error.exit(),
    };
    match run(cli) {
        Ok(()) => ExitCode::from(exit::OK),
        Err(failure) => tell(&failure, wants_json),
    }
}

/// Tells a failure on standard error.
fn tell(failure: &Failure, json: bool) -> ExitCode {
    let report = failure.report();
    // Standard error never fails.
    let _ = match (report.exit, json) {
        // The reader has read enough: there is nothing to tell.
        (exit::OK, _) => Ok(()),
        (_, true) => Out::Aside.line(&escaped_json(&failure.to_json().to_string())),
        (_, false) => Out::Aside.say(&format!("error: {failure}")),
    };
    ExitCode::from(report.exit)
}
