//! The interactive mode: a menu, and the session of a game.

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
use crate::words::say;

mod account;
mod choices;
mod input;
mod lines;
mod menu;
mod screen;
mod session;
pub mod tutorial;
pub mod web;

use input::Input;
use screen::Screen;
use session::ConfirmMode;
use tutorial::LearnArgs;

/// Play in the terminal.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/play.txt"),
    // `play` rejects this global option, so its help hides it.
    arg(clap::Arg::new("json").long("json").action(clap::ArgAction::SetTrue).hide(true)))]
pub struct PlayArgs {
    /// Game to resume (its id, or `resume` for the latest one), or kind of game to start. Without
    /// it, a menu opens.
    #[arg(value_name = "GAME or KIND")]
    pub game: Option<String>,
    /// Teach the game step by step, as `learn` does.
    #[arg(long, requires = "game")]
    pub tutorial: bool,
    /// In a new game: number of seats that you play; the view switches to the seat with a decision.
    /// More than one needs an engine with --sandbox.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub own: u32,
    /// In a new game: number of automated opponents [default: enough for the usual
    /// number of players].
    #[arg(long, value_name = "N")]
    pub opponents: Option<u32>,
    /// In a new game: your seat, by its number or its name as listed by `kinds` [default: by lot].
    #[arg(long, value_name = "SEAT", visible_alias = "power")]
    pub seat: Option<String>,
    /// In a new game: level of the opponents, as listed by `kinds`.
    #[arg(long, value_name = "LEVEL", default_value = "standard")]
    pub level: String,
    /// Do not ask for confirmation when there are warnings.
    #[arg(long)]
    pub yes: bool,
}

/// Plays until the player leaves.
pub async fn play(context: &mut Context, args: &PlayArgs) -> Result<(), Failure> {
    if context.json {
        return Err(
            Failure::usage(say!("play-interactive")).advise(say!("play-scripts-use-watch-json"))
        );
    }
    let mut screen = screen(context)?;
    let engine = account::sign_in(context, &mut screen).await?;
    if let Some(kind) = args.game.as_ref().filter(|_| args.tutorial) {
        return tutorial::teach(&engine, kind, &mut screen).await;
    }
    let mut next = choose(&engine, args, &mut screen).await?;
    let caution = if args.yes { ConfirmMode::Skips } else { ConfirmMode::Asks };
    while let Some(game) = next {
        next = session::run(context, engine.clone(), &game, &mut screen, caution).await?;
    }
    Ok(())
}

/// Plays a tutorial.
pub async fn learn(context: &mut Context, args: &LearnArgs) -> Result<(), Failure> {
    let mut screen = screen(context)?;
    let engine = account::sign_in(context, &mut screen).await?;
    tutorial::teach(&engine, &args.kind, &mut screen).await
}

fn screen(context: &Context) -> Result<Screen, Failure> {
    let terminal = context.style.terminal && stdin().is_terminal();
    let history = context.profiles().file("history", "lines")?;
    Ok(Screen::new(context.style, Input::new(terminal, history)))
}

/// Returns the id of the game that the arguments name or create, or that the player chooses in the
/// menu. Returns `None` if the player leaves the menu.
async fn choose(
    engine: &Engine,
    args: &PlayArgs,
    screen: &mut Screen,
) -> Result<Option<String>, Failure> {
    let kinds = engine.games().list_kinds(ListKindsRequest {}).await?.into_inner().kinds;
    let Some(named) = &args.game else { return menu::choose(engine, &kinds, screen).await };
    match kinds.iter().find(|kind| kind.kind == *named) {
        Some(kind) => {
            let usual = (usual_opponents(kind) + 1).saturating_sub(args.own);
            let opponents = args.opponents.unwrap_or(usual);
            let seat = args.seat.as_deref().map(|seat| seat_number(seat, &kind.roles));
            let seat = seat.transpose()?;
            if seat.is_some() && args.own > 1 {
                return Err(Failure::usage(say!("play-seat-cannot-combined-own", own = args.own)));
            }
            let company =
                Participants { own: args.own, seat, opponents, level: args.level.clone() };
            Ok(Some(company.begin(engine, kind).await?.game_id))
        }
        None if named == "resume" => latest(engine).await.map(Some),
        None => match nearest(named, kinds.iter().map(|kind| kind.kind.as_str())) {
            Some(kind) => Err(no_such_kind(named, kind)),
            None => Ok(Some(named.clone())),
        },
    }
}

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
    Failure::usage(say!("play-neither-game-nor-kind", named = named))
        .because("NO_SUCH_KIND")
        .advise(say!("play-did-mean-cli-client-play", nearest = nearest))
}

async fn latest(engine: &Engine) -> Result<String, Failure> {
    let games = my_games(engine, false).await?;
    games.into_iter().next().map(|game| game.game_id).ok_or_else(|| {
        Failure::failed(say!("play-no-running-games"))
            .advise(say!("play-cli-client-play-shows-menu"))
    })
}

fn usual_opponents(kind: &GameKind) -> u32 {
    kind.players_usual.saturating_sub(1)
}

#[derive(Clone, Debug)]
struct Participants {
    own: u32,
    seat: Option<u32>,
    opponents: u32,
    level: String,
}

impl Participants {
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

    /// Creates a sandbox game, the only kind in which a player can have several seats.
    async fn begin_sandbox(&self, engine: &Engine, kind: &GameKind) -> Result<Game, Failure> {
        let players = self.own + self.opponents;
        let opponent = |seat| SandboxAutomation { seat, automation: Some(self.automated()) };
        let request = CreateSandboxGameRequest {
            kind: kind.kind.clone(),
            players: Some(players),
            automated: (self.own + 1..=players).map(opponent).collect(),
            ..CreateSandboxGameRequest::default()
        };
        let response = engine.sandbox().create_sandbox_game(request).await?.into_inner();
        let game = response.game.unwrap_or_default();
        // Automation plays the seats that belong to the game itself, as in other games.
        for seat in game.seats.iter().map(|seat| seat.number).filter(|number| *number > players) {
            let request = AutomateSeatRequest {
                game_id: game.game_id.clone(),
                seat,
                automation: Some(self.automated()),
                request_id: request_id()?,
            };
            engine.masters().automate_seat(request).await?;
        }
        Ok(game)
    }
}
