//! cli-client: the command-line client of Heliopause.

use std::io::{IsTerminal as _, stderr};
use std::process::ExitCode;

use clap::Parser as _;
use heliopause_cli::args::Cli;
use heliopause_cli::failure::{Failure, exit};
use heliopause_cli::run::run;
use heliopause_cli::terminal::{as_typed, width};
use heliopause_cli::text::{fitted, sealed};

fn main() -> ExitCode {
    let wants_json = std::env::args().any(|argument| argument == "--json");
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if wants_json && error.use_stderr() => {
            return tell(&Failure::usage(error.to_string().trim()), true);
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
    match (report.exit, json) {
        // Nobody reads on: there is nothing to tell.
        (exit::OK, _) => {}
        (_, true) => eprintln!("{}", failure.to_json()),
        (_, false) => {
            let told = as_typed(&sealed(&format!("error: {failure}")));
            // A pipe has no width.
            let columns = if stderr().is_terminal() { width() } else { usize::MAX };
            eprintln!("{}", fitted(&told, columns));
        }
    }
    ExitCode::from(report.exit)
}
