//! cli-client: the command-line client of Heliopause.

#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use heliopause_cli::advice::{self, exit_code};
use heliopause_cli::args::Cli;
use heliopause_cli::context::escaped_json;
use heliopause_cli::failure::{Failure, Kind, advise_by};
use heliopause_cli::run::run;
use heliopause_cli::terminal::Out;

fn main() -> ExitCode {
    advise_by(advice::advice);
    let wants_json = std::env::args().any(|argument| argument == "--json");
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if wants_json && error.use_stderr() => {
            return tell(&Failure::usage(usage_error(error).to_string().trim()), true);
        }
        Err(error) if error.kind() == ErrorKind::MissingSubcommand => {
            let _ = Out::Stderr.say(group().render_help().to_string().trim_end());
            return ExitCode::from(advice::USAGE);
        }
        Err(error) if error.use_stderr() => usage_error(error).exit(),
        Err(error) => error.exit(),
    };
    match run(cli) {
        Ok(()) => ExitCode::from(advice::OK),
        Err(failure) => tell(&failure, wants_json),
    }
}

/// Returns the error of the arguments alone, because an error shows options from the environment as
/// if the user had typed them.
fn usage_error(error: clap::Error) -> clap::Error {
    let typed = Cli::command().mut_args(|argument| argument.env(None::<&'static str>));
    typed.try_get_matches().err().unwrap_or(error)
}

/// Returns the program, or the group of commands that the arguments name.
fn group() -> clap::Command {
    let mut group = Cli::command();
    group.build();
    for word in std::env::args().skip(1) {
        if let Some(found) = group.find_subcommand(&word) {
            group = found.clone();
        }
    }
    group
}

fn tell(failure: &Failure, json: bool) -> ExitCode {
    let kind = failure.report().kind;
    // Writing to standard error never fails.
    let _ = match (kind, json) {
        (Kind::OutputClosed, _) => Ok(()),
        (_, true) => Out::Stderr.line(&escaped_json(&advice::to_json(failure).to_string())),
        (_, false) => Out::Stderr.say(&format!("error: {failure}")),
    };
    ExitCode::from(exit_code(kind))
}
