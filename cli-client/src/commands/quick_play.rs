//! Commands for quick play and rematches.

use std::time::Duration;

use clap::{Args, ValueEnum};
use heliopause_proto::v1::*;
use jiff::SignedDuration;
use prost_types::Timestamp;
use tokio::time::sleep;

use super::create::seat_number;
use super::lobby::GameArg;
use crate::context::Context;
use crate::engine::{Engine, once, request_id};
use crate::failure::Failure;
use crate::input::{parse_duration, to_proto};
use crate::style::Ink;
use crate::terminal::Out;
use crate::text::{count, due, harmless};
use crate::wording;

/// The interval of calls while waiting.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

const LEFT: &str = "You have left the queue.";

/// Find opponents who are waiting now, and start a game.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/quick_play.txt"))]
pub struct QuickPlayArgs {
    /// The kind of game, as listed by `kinds` [default: show your entry in the queue].
    pub kind: Option<String>,
    /// The deadlines of the game.
    #[arg(long, value_enum, default_value_t = QuickPaceArg::Live)]
    pub pace: QuickPaceArg,
    /// Play for ratings.
    #[arg(long)]
    pub rated: bool,
    /// Number of players, for example 3 or 2-4 [default: the usual number].
    #[arg(long, value_name = "N", value_parser = players)]
    pub players: Option<(u32, u32)>,
    /// Time after which automation takes the seats for which there are no players; 0s for at once
    /// [default: never].
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub bots_after: Option<SignedDuration>,
    /// A preferred seat, by its number or its name; repeat for more, best first.
    #[arg(long, value_name = "SEAT")]
    pub prefer: Vec<String>,
    /// Do not wait for the match. The entry of a live game ends after two minutes.
    #[arg(long)]
    pub no_wait: bool,
    /// Leave the queue.
    #[arg(long, conflicts_with = "kind")]
    pub leave: bool,
}

/// The deadlines of a quick game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QuickPaceArg {
    /// One minute for each phase.
    Fast = QuickPace::Fast as isize,
    /// Five minutes for each phase.
    Live = QuickPace::Live as isize,
    /// One day for each phase.
    Daily = QuickPace::Daily as isize,
    /// Three days for each phase.
    Slow = QuickPace::Slow as isize,
}

fn players(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.trim().parse(), most.trim().parse()) {
        (Ok(least), Ok(most)) if (1..=most).contains(&least) => Ok((least, most)),
        _ => Err("expected a number such as 3, or a range such as 2-4".to_owned()),
    }
}

pub async fn quick_play(context: &Context, args: QuickPlayArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    if args.leave {
        let was_in = look(&engine).await?.entry.is_some();
        let response = engine.quick_play().leave_queue(LeaveQueueRequest {}).await?;
        let text = if was_in { LEFT } else { "You are not in the queue." };
        return context.done(&response, text);
    }
    let Some(kind) = args.kind.clone() else {
        let response = look(&engine).await?;
        return context.answer(&response, |_| told(response.entry.as_ref()));
    };
    let request = request(&engine, kind, &args).await?;
    let mut response = join(&engine, request).await?;
    if !args.no_wait {
        if !context.json {
            let told = told(response.entry.as_ref());
            Out::Stderr.say(&context.style.paint(told, Ink::Faint))?;
        }
        let ready = tokio::select! {
            ready = ready(&engine) => ready?,
            _ = tokio::signal::ctrl_c() => {
                engine.quick_play().leave_queue(LeaveQueueRequest {}).await?;
                return Out::Stderr.say(LEFT);
            }
        };
        response.entry = Some(ready);
    }
    context.answer(&response, |_| told(response.entry.as_ref()))
}

async fn request(
    engine: &Engine,
    kind: String,
    args: &QuickPlayArgs,
) -> Result<JoinQueueRequest, Failure> {
    let mut preferences = Vec::new();
    if !args.prefer.is_empty() {
        let kinds = engine.games().list_kinds(ListKindsRequest {}).await?.into_inner().kinds;
        let found = kinds.into_iter().find(|one| one.kind == kind).unwrap_or_default();
        for seat in &args.prefer {
            preferences.push(seat_number(seat, &found.roles)?);
        }
    }
    let (players_min, players_max) = args.players.unwrap_or_default();
    Ok(JoinQueueRequest {
        kind,
        players_min,
        players_max,
        pace: args.pace as i32,
        rated: args.rated,
        bots_after: args.bots_after.map(to_proto),
        preferences,
        request_id: request_id()?,
    })
}

/// Enters the queue.
pub async fn join(
    engine: &Engine,
    request: JoinQueueRequest,
) -> Result<JoinQueueResponse, Failure> {
    Ok(once(request, async |request| engine.quick_play().join_queue(request).await).await?)
}

async fn look(engine: &Engine) -> Result<GetQueueResponse, Failure> {
    let get = async |request: GetQueueRequest| engine.quick_play().get_queue(request).await;
    Ok(once(GetQueueRequest {}, get).await?)
}

/// Waits until the game of a match exists.
pub async fn ready(engine: &Engine) -> Result<QueueEntry, Failure> {
    loop {
        let entry = look(engine).await?.entry.ok_or_else(|| {
            Failure::failed("You are no longer in the queue.")
                .advise("You may have too many unfinished games, or the wait was too long.")
        })?;
        if entry.state() == QueueState::Ready {
            return Ok(entry);
        }
        sleep(POLL_INTERVAL).await;
    }
}

/// Describes an entry in the queue.
pub fn told(entry: Option<&QueueEntry>) -> String {
    let Some(entry) = entry else { return "You are not in the queue.".to_owned() };
    match entry.state() {
        QueueState::Ready => {
            let (kind, game_id) = (harmless(&entry.kind), harmless(&entry.game_id));
            format!("Your game of {kind} is ready.\nNext: cli-client play {game_id}")
        }
        QueueState::Matched => "Opponents found. The game is being created.".to_owned(),
        QueueState::Waiting | QueueState::Unspecified => {
            let waiting = count(entry.waiting as usize, "player");
            let ratings = match entry.rating_difference {
                0 => "any rating".to_owned(),
                points => format!("ratings within {points} points"),
            };
            let end = match (&entry.bots_after, &entry.join_time, &entry.expire_time) {
                (Some(after), Some(joined), _) => {
                    let seconds = joined.seconds.saturating_add(after.seconds);
                    let bots = due(&Timestamp { seconds, nanos: joined.nanos });
                    format!("automated players join at {bots}")
                }
                (_, _, Some(end)) => format!("until {}", due(end)),
                _ => String::new(),
            };
            format!("Waiting for opponents: {waiting} in the queue, {ratings}, {end}.")
        }
    }
}

/// Creates or joins the rematch of a finished game.
pub async fn rematch(context: &Context, args: GameArg) -> Result<(), Failure> {
    let response = rematch_of(&context.engine().await?, args.game).await?;
    let game = response.game.clone().unwrap_or_default();
    context.answer(&response, |style| {
        format!("{}\nNext: cli-client play {}", wording::game(style, &game), game.game_id)
    })
}

pub(crate) async fn rematch_of(
    engine: &Engine,
    game_id: String,
) -> Result<RematchGameResponse, Failure> {
    let call = async |request: RematchGameRequest| engine.quick_play().rematch_game(request).await;
    Ok(once(RematchGameRequest { game_id }, call).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_players_are_numbers_or_ranges() {
        assert_eq!(players("3"), Ok((3, 3)));
        assert_eq!(players("2-4"), Ok((2, 4)));
        for wrong in ["", "x", "0", "4-2", "2-", "-2"] {
            assert!(players(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn entries_say_what_comes_next() {
        let entry = |state: QueueState| QueueEntry {
            kind: "diplomacy".to_owned(),
            state: state.into(),
            waiting: 2,
            rating_difference: 150,
            game_id: "g7".to_owned(),
            ..QueueEntry::default()
        };
        let waiting = told(Some(&entry(QueueState::Waiting)));
        assert!(waiting.contains("2 players") && waiting.contains("within 150"), "{waiting}");
        let with_bots = QueueEntry {
            join_time: Some(Timestamp { seconds: 1_700_000_000, nanos: 0 }),
            bots_after: Some(prost_types::Duration { seconds: 30, nanos: 0 }),
            ..entry(QueueState::Waiting)
        };
        let joined = due(&Timestamp { seconds: 1_700_000_030, nanos: 0 });
        let waiting = told(Some(&with_bots));
        assert!(waiting.contains(&format!("automated players join at {joined}")), "{waiting}");
        assert!(told(Some(&entry(QueueState::Ready))).contains("cli-client play g7"));
        assert_eq!(told(None), "You are not in the queue.");
    }
}
