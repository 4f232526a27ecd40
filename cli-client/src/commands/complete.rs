//! Completion scripts for shells.

use clap::Args;
use clap_complete::Shell;

use crate::failure::Failure;
use crate::terminal::Out;

/// Print a shell completion script.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/completions.txt"))]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

pub fn print(args: &CompletionsArgs, cli: &mut clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, cli, "cli-client", &mut script);
    Out::Stdout.document(String::from_utf8_lossy(&script).trim_end())
}
