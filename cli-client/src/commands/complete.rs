//! Completion scripts for shells.

use std::io::stdout;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::Failure;

/// Print the completion script of a shell.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cli-client completions bash > ~/.local/share/bash-completion/completions/cli-client"
)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Prints the script.
pub fn print(args: &CompletionsArgs) -> Result<(), Failure> {
    clap_complete::generate(args.shell, &mut Cli::command(), "cli-client", &mut stdout());
    Ok(())
}
