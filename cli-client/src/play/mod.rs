//! The interactive mode.

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Play.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// A game's id to go on with it, or a kind of game to begin one at once; nothing opens a menu.
    #[arg(value_name = "GAME or KIND")]
    pub game: Option<String>,
}

/// Plays.
pub async fn play(_context: &mut Context, _args: &PlayArgs) -> Result<(), Failure> {
    Ok(())
}
