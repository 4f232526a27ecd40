//! The interactive mode: a menu, and a table to play at.
//!
//! | module | concern |
//! | --- | --- |
//! | `account`, `menu` | who plays, and which game |
//! | `session` | the loop: events in, lines in, the screen out |
//! | `lines` | what a typed line means |
//! | `tutorial` | a first turn taught |
//! | `web` | opening the web page instead |
//! | `choices` | many choices on few lines |
//! | `input`, `screen` | the terminal, or a pipe in its place |

use std::io::{IsTerminal as _, stdin};

use clap::Args;
use heliopause_proto::v1::seat::Occupant;
use heliopause_proto::v1::seat_plan::Plan;
use heliopause_proto::v1::{
    AutomateSeatRequest, AutomatedSeat, CreateGameRequest, CreateSandboxGameRequest, Game,
    GameKind, GameStatus, ListKindsRequest, OpenSeat, SandboxAutomation, Seat, SeatPlan,
    StartGameRequest,
};
use heliopause_scenario::nearest::nearest;

use crate::commands::lobby::{my_games, seat_number};
use crate::context::Context;
use crate::engine::{Engine, once, request_id};
use crate::failure::Failure;

mod account;
mod choices;
mod input;
mod lines;
mod menu;
mod screen;
mod session;
mod tutorial;
pub mod web;

use input::Input;
use screen::Screen;
use session::Caution;

/// Play.
#[derive(Debug, Args)]
#[command(after_help = "\
At the table: type the number of a choice, or an order in the notation of the game; `help` tells \
what else there is.
Without an account one is opened for you. With a pipe for input, lines are read whenever something is asked of you.

Examples:
  cli-client play                                   a menu: new game, resume, join
  cli-client play starships-at-large --tutorial     a first turn, step by step
  cli-client play starships-at-large                at once, against three automated opponents
  cli-client play stellar-conquest --opponents 1 --level strong
  cli-client play fate-of-empire                    alone against pirates and Swarms
  cli-client play alone-in-outer-space              the same stars under politicians and dice
  cli-client play alone-in-outer-space --own 4      all four powers, one after the other
  cli-client play diplomacy --seat France           a power against six automated ones
  cli-client play GAME                              go on with a game
  cli-client play resume                            go on with the latest")]
pub struct PlayArgs {
    /// A game's id to go on with it, `resume` for the latest, or a kind of game to begin one at
    /// once; nothing opens a menu.
    #[arg(value_name = "GAME or KIND")]
    pub game: Option<String>,
    /// Teach the first turn of the named kind, step by step. Takes an engine with --sandbox.
    #[arg(long, requires = "game")]
    pub tutorial: bool,
    /// In a new game: how many seats are yours; you sit where something is asked. More than one
    /// take an engine with --sandbox.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub own: u32,
    /// In a new game: how many automated opponents
    /// [default: with you, as many as usually play such a game].
    #[arg(long, value_name = "N")]
    pub opponents: Option<u32>,
    /// In a new game: your seat, by its number, or by its name as `kinds` lists it
    /// [default: by lot].
    #[arg(long, value_name = "SEAT", visible_alias = "power")]
    pub seat: Option<String>,
    /// In a new game: how well they play, as `kinds` lists the levels.
    #[arg(long, value_name = "LEVEL", default_value = "standard")]
    pub level: String,
    /// Do not ask before an order or `ready` that leaves something undone.
    #[arg(long)]
    pub yes: bool,
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
    if let Some(kind) = args.game.as_ref().filter(|_| args.tutorial) {
        return tutorial::teach(&engine, kind, &mut screen).await;
    }
    let mut next = choose(&engine, args, &mut screen).await?;
    let caution = if args.yes { Caution::GoesOn } else { Caution::Asks };
    while let Some(game) = next {
        next = session::run(context, engine.clone(), &game, &mut screen, caution).await?;
    }
    Ok(())
}

/// The game to play: named, new, or chosen from the menu. None if the player leaves the menu.
async fn choose(
    engine: &Engine,
    args: &PlayArgs,
    screen: &mut Screen,
) -> Result<Option<String>, Failure> {
    let kinds = engine.games().list_kinds(ListKindsRequest {}).await?.into_inner().kinds;
    let Some(named) = &args.game else { return menu::choose(engine, &kinds, screen).await };
    match kinds.iter().find(|kind| kind.kind == *named) {
        Some(kind) => {
            let opponents = args
                .opponents
                .unwrap_or_else(|| (usual_opponents(kind) + 1).saturating_sub(args.own));
            let seat = args.seat.as_deref().map(|seat| seat_number(seat, &kind.roles));
            let seat = seat.transpose()?;
            if seat.is_some() && args.own > 1 {
                return Err(Failure::usage(
                    "--seat chooses one seat, and --own takes the first ones.",
                ));
            }
            let company = Company { own: args.own, seat, opponents, level: args.level.clone() };
            Ok(Some(company.begin(engine, kind).await?.game_id))
        }
        None if named == "resume" => latest(engine).await.map(Some),
        None => match nearest(named, kinds.iter().map(|kind| kind.kind.as_str())) {
            Some(kind) => Err(no_such_kind(named, kind)),
            None => Ok(Some(named.clone())),
        },
    }
}

/// Creates a game, and starts it unless it waits for people.
async fn started(engine: &Engine, request: CreateGameRequest) -> Result<Game, Failure> {
    let made = once(request, async |request| engine.games().create_game(request).await).await?;
    let game = made.game.unwrap_or_default();
    let waits =
        |seat: &Seat| matches!(seat.occupant, Some(Occupant::Open(_) | Occupant::ReservedFor(_)));
    if game.status() != GameStatus::Forming || game.seats.iter().any(waits) {
        return Ok(game);
    }
    let request = StartGameRequest { game_id: game.game_id, fill: None, request_id: request_id()? };
    Ok(engine.games().start_game(request).await?.into_inner().game.unwrap_or_default())
}

fn no_such_kind(named: &str, nearest: &str) -> Failure {
    Failure::usage(format!("`{named}` is neither a game nor a kind of game."))
        .because("NO_SUCH_KIND")
        .advise(format!("Did you mean `cli-client play {nearest}`?"))
}

/// Creates a game of the same kind, options and seats. Seats of other people are kept for them.
async fn rematch(engine: &Engine, game: &Game) -> Result<String, Failure> {
    let outcome = game.outcome.as_ref().ok_or_else(|| {
        Failure::failed("The game was cancelled.")
            .advise(format!("`cli-client play {}` starts a new one.", game.kind))
    })?;
    // The seats behind the players' are the game's own.
    let (seats, own) = game.seats.split_at_checked(outcome.points.len()).unwrap_or_default();
    let level = |seat: &Seat| match &seat.occupant {
        Some(Occupant::Automated(by)) => Some(by.level.clone()),
        _ => None,
    };
    let plan = |seat: &Seat| match &seat.occupant {
        Some(Occupant::Automated(by)) => Plan::Automated(by.clone()),
        Some(Occupant::Player(name)) if Some(seat.number) != game.your_seat && !name.is_empty() => {
            Plan::ReservedFor(name.clone())
        }
        _ => Plan::Open(OpenSeat {}),
    };
    let request = CreateGameRequest {
        kind: game.kind.clone(),
        name: game.name.clone(),
        options: game.options.clone(),
        seats: seats
            .iter()
            .map(|seat| SeatPlan { plan: Some(plan(seat)), ..SeatPlan::default() })
            .collect(),
        seats_in_order: true,
        automaton_level: own.first().and_then(level).unwrap_or_default(),
        pace: game.pace.clone(),
        is_private: true,
        request_id: request_id()?,
        ..CreateGameRequest::default()
    };
    started(engine, request).await.map(|game| game.game_id)
}

/// The game that the player sat at last: the latest of those that go on.
async fn latest(engine: &Engine) -> Result<String, Failure> {
    let games = my_games(engine, false).await?;
    games.into_iter().next().map(|game| game.game_id).ok_or_else(|| {
        Failure::failed("You are in no game that goes on.")
            .advise("`cli-client play` shows a menu: new game, resume, join.")
    })
}

/// How many automated opponents a game has by itself.
fn usual_opponents(kind: &GameKind) -> u32 {
    kind.players_usual.saturating_sub(1)
}

/// Who plays a new game.
#[derive(Clone, Debug)]
struct Company {
    /// How many seats the player has.
    own: u32,
    /// The seat that the player chose; by lot if they did not.
    seat: Option<u32>,
    opponents: u32,
    level: String,
}

impl Company {
    /// Begins a game.
    async fn begin(&self, engine: &Engine, kind: &GameKind) -> Result<Game, Failure> {
        if self.own > 1 {
            self.begin_sandbox(engine, kind).await
        } else {
            self.begin_usual(engine, kind).await
        }
    }

    fn automated(&self) -> AutomatedSeat {
        AutomatedSeat { level: self.level.clone(), ..AutomatedSeat::default() }
    }

    async fn begin_usual(&self, engine: &Engine, kind: &GameKind) -> Result<Game, Failure> {
        let others =
            std::iter::repeat_n(Plan::Automated(self.automated()), self.opponents as usize);
        let own = SeatPlan { plan: Some(Plan::Open(OpenSeat {})), seat: self.seat };
        let others = others.map(|plan| SeatPlan { plan: Some(plan), seat: None });
        let request = CreateGameRequest {
            kind: kind.kind.clone(),
            seats: std::iter::once(own).chain(others).collect(),
            automaton_level: self.level.clone(),
            is_private: true,
            request_id: request_id()?,
            ..CreateGameRequest::default()
        };
        started(engine, request).await
    }

    /// Only in a sandbox has a player more than one seat.
    async fn begin_sandbox(&self, engine: &Engine, kind: &GameKind) -> Result<Game, Failure> {
        let players = self.own + self.opponents;
        let opponent = |seat| SandboxAutomation { seat, by: Some(self.automated()) };
        let request = CreateSandboxGameRequest {
            kind: kind.kind.clone(),
            players: Some(players),
            automated: (self.own + 1..=players).map(opponent).collect(),
            ..CreateSandboxGameRequest::default()
        };
        let game = engine
            .sandbox()
            .create_sandbox_game(request)
            .await?
            .into_inner()
            .game
            .unwrap_or_default();
        // Seats that the game itself owns are played for it, as in every other game.
        for seat in game.seats.iter().map(|seat| seat.number).filter(|number| *number > players) {
            let by = Some(self.automated());
            engine
                .masters()
                .automate_seat(AutomateSeatRequest {
                    game_id: game.game_id.clone(),
                    seat,
                    by,
                    request_id: request_id()?,
                })
                .await?;
        }
        Ok(game)
    }
}
