//! The interactive mode: a menu, and a table to play at.
//!
//! | module | concern |
//! | --- | --- |
//! | `account`, `menu` | who plays, and which game |
//! | `session` | the loop: events in, lines in, the screen out |
//! | `lines` | what a typed line means |
//! | `choices` | many choices on few lines |
//! | `input`, `screen` | the terminal, or a pipe in its place |

use std::io::{IsTerminal as _, stdin};

use clap::Args;
use heliopause_proto::v1::seat_plan::Plan;
use heliopause_proto::v1::{
    AutomatedSeat, CreateGameRequest, Game, GameKind, GameStatus, ListKindsRequest, OpenSeat, SeatPlan,
    StartGameRequest,
};

use crate::connect::Engine;
use crate::context::Context;
use crate::failure::Failure;

mod account;
mod choices;
mod input;
mod lines;
mod menu;
mod screen;
mod session;

use input::Input;
use screen::Screen;

/// Play.
#[derive(Debug, Args)]
#[command(after_help = "\
At the table: type the number of a choice, or an order in the notation of the game; `help` tells what else there is.
Without an account one is opened for you. With a pipe for input, lines are read whenever something is asked of you.

Examples:
  cli-client play                                   a menu: new game, resume, join
  cli-client play starships-at-large                at once, against three automated opponents
  cli-client play stellar-conquest --opponents 1 --level strong
  cli-client play fate-of-empire                    alone against pirates and Swarms
  cli-client play alone-in-outer-space              the same stars under politicians and dice
  cli-client play diplomacy --opponents 6           a power against six automated ones
  cli-client play GAME                              go on with a game")]
pub struct PlayArgs {
    /// A game's id to go on with it, or a kind of game to begin one at once; nothing opens a menu.
    #[arg(value_name = "GAME or KIND")]
    pub game: Option<String>,
    /// In a new game: how many automated opponents [default: 3, or as many as the game takes].
    #[arg(long, value_name = "N")]
    pub opponents: Option<u32>,
    /// In a new game: how well they play, as `kinds` lists the levels.
    #[arg(long, value_name = "LEVEL", default_value = "standard")]
    pub level: String,
}

/// Plays until the player leaves.
pub async fn play(context: &mut Context, args: &PlayArgs) -> Result<(), Failure> {
    if context.json {
        return Err(Failure::usage("`play` is for people; it has no --json.")
            .advise("Scripts use `watch --json`, `options --json` and `orders --json`."));
    }
    let terminal = context.style.terminal && stdin().is_terminal();
    let history = context.profiles().file("history", "lines")?;
    let mut screen = Screen::new(context.style, Input::new(terminal, history));
    let engine = account::enter(context, &mut screen, args.game.is_none()).await?;
    let Some(game) = choose(&engine, args, &mut screen).await? else { return Ok(()) };
    session::run(context, engine, &game, &mut screen).await
}

/// The game to play: named, new, or chosen from the menu. None if the player leaves the menu.
async fn choose(engine: &Engine, args: &PlayArgs, screen: &mut Screen) -> Result<Option<String>, Failure> {
    let kinds = engine.games().list_kinds(ListKindsRequest {}).await?.into_inner().kinds;
    let Some(named) = &args.game else { return menu::choose(engine, &kinds, screen).await };
    match kinds.iter().find(|kind| kind.kind == *named) {
        Some(kind) => {
            let opponents = args.opponents.unwrap_or_else(|| usual_opponents(kind));
            Ok(Some(begin(engine, kind, opponents, &args.level).await?.game_id))
        }
        None => Ok(Some(named.clone())),
    }
}

/// How many automated opponents a game has by itself.
fn usual_opponents(kind: &GameKind) -> u32 {
    kind.players_max.saturating_sub(1).min(3)
}

/// Begins a game against automated opponents.
async fn begin(engine: &Engine, kind: &GameKind, opponents: u32, level: &str) -> Result<Game, Failure> {
    let automated = AutomatedSeat { level: level.to_owned(), ..AutomatedSeat::default() };
    let others = std::iter::repeat_n(Plan::Automated(automated), opponents as usize);
    let seats = std::iter::once(Plan::Open(OpenSeat {})).chain(others);
    let request = CreateGameRequest {
        kind: kind.kind.clone(),
        seats: seats.map(|plan| SeatPlan { plan: Some(plan) }).collect(),
        automaton_level: level.to_owned(),
        private: true,
        ..CreateGameRequest::default()
    };
    let game = engine.games().create_game(request).await?.into_inner().game.unwrap_or_default();
    if game.status() != GameStatus::Forming {
        return Ok(game);
    }
    let request = StartGameRequest { game_id: game.game_id, fill: None };
    Ok(engine.games().start_game(request).await?.into_inner().game.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_for_one_has_no_opponents_by_itself() {
        let opponents = |players_max| usual_opponents(&GameKind { players_max, ..GameKind::default() });
        assert_eq!([1, 2, 4, 60].map(opponents), [0, 1, 3, 3]);
    }
}
