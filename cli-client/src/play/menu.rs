//! The menu that starts, resumes and joins games.

use clap::ValueEnum as _;
use heliopause_proto::v1::{
    GameKind, GameSummary, GetGameRequest, JoinGameRequest, JoinQueueRequest, LeaveQueueRequest,
    ListGamesRequest, MyGame,
};

use super::Participants;
use super::screen::Screen;
use super::tutorial;
use crate::commands::lobby::{list, my_game_row, my_games, seat_names, seat_number};
use crate::commands::quick_play::{self, QuickPaceArg};
use crate::engine::{Engine, request_id};
use crate::failure::Failure;
use crate::input::{parse_duration, to_proto};
use crate::style::{Ink, Style};
use crate::text::{harmless, table};
use crate::words::say;

const JOINABLE_MAX: usize = 8;
const FINISHED_MAX: usize = 4;

/// The progress of a canceled game, which has no result to review.
const CANCELED: &str = "canceled";

const HELP: &str = include_str!("../help/menu.txt");

enum Entry {
    New(Box<GameKind>),
    Resume(MyGame),
    LookBack(MyGame),
    Join(GameSummary),
}

pub(super) async fn choose(
    engine: &Engine,
    kinds: &[GameKind],
    screen: &mut Screen,
) -> Result<Option<String>, Failure> {
    let mut entries = Vec::new();
    let mut is_shown = false;
    loop {
        // After an error, the numbers on the screen stay valid.
        if !std::mem::replace(&mut is_shown, true) {
            entries = self::entries(engine, kinds).await?;
            let text = show(screen, &entries);
            screen.print(&text);
        }
        let Some(answer) = screen.question(&say!("menu-choice-number-q-leave")).await else {
            return Ok(None);
        };
        if matches!(answer.as_str(), "q" | "quit" | "exit") {
            return Ok(None);
        }
        if matches!(answer.to_lowercase().as_str(), "help" | "?" | "h") {
            screen.print(HELP);
            continue;
        }
        if answer.is_empty() {
            is_shown = false;
            continue;
        }
        let lesson = answer.strip_prefix("learn ").and_then(|text| entry(&entries, text));
        if answer.starts_with("learn") && !matches!(lesson, Some(Entry::New(_))) {
            screen.print(&screen.style.paint(say!("menu-learn-needs-number-new"), Ink::Bad));
            continue;
        }
        let quick = answer.strip_prefix("quick ").and_then(|text| entry(&entries, text));
        if answer.starts_with("quick") && !matches!(quick, Some(Entry::New(_))) {
            screen.print(&screen.style.paint(say!("menu-quick-needs-number"), Ink::Bad));
            continue;
        }
        let entered = match (lesson, quick, entry(&entries, &answer)) {
            (Some(Entry::New(kind)), ..) => {
                let taught = tutorial::teach(engine, &kind.kind, screen).await;
                taught.map(|()| None)
            }
            (_, Some(Entry::New(kind)), _) => find(engine, kind, screen).await,
            (.., Some(entry)) => enter(engine, entry, screen).await.map(Some),
            _ => {
                let last = entries.len();
                let told = say!("menu-not-a-choice", answer = answer, last = last);
                screen.print(&screen.style.paint(told, Ink::Bad));
                continue;
            }
        };
        match entered {
            Ok(Some(game)) => return Ok(Some(game)),
            Ok(None) => is_shown = false,
            Err(failure) => screen.print(&screen.style.paint(failure.to_string(), Ink::Bad)),
        }
    }
}

/// Returns the entry with a number, or the game with an id.
fn entry<'a>(entries: &'a [Entry], text: &str) -> Option<&'a Entry> {
    let text = text.trim();
    match text.parse::<usize>() {
        Ok(number) => entries.get(number.checked_sub(1)?),
        Err(_) => entries.iter().find(|entry| match entry {
            Entry::New(_) => false,
            Entry::Resume(game) | Entry::LookBack(game) => game.game_id == text,
            Entry::Join(game) => game.game_id == text,
        }),
    }
}

async fn enter(engine: &Engine, entry: &Entry, screen: &mut Screen) -> Result<String, Failure> {
    match entry {
        Entry::Resume(game) | Entry::LookBack(game) => Ok(game.game_id.clone()),
        Entry::Join(game) => {
            let asked =
                GetGameRequest { game_id: game.game_id.clone(), ..GetGameRequest::default() };
            let found = engine.games().get_game(asked).await?.into_inner().game.unwrap_or_default();
            let seat = if found.lots_pending { seat(screen, &found.roles).await? } else { None };
            let game_id = game.game_id.clone();
            let request = JoinGameRequest { game_id, seat, ..JoinGameRequest::default() };
            engine.games().join_game(request).await?;
            Ok(game.game_id.clone())
        }
        Entry::New(kind) => new(engine, kind, screen).await,
    }
}

async fn entries(engine: &Engine, kinds: &[GameKind]) -> Result<Vec<Entry>, Failure> {
    let (over, mine): (Vec<MyGame>, Vec<MyGame>) =
        my_games(engine, true).await?.into_iter().partition(|game| game.over);
    let request = ListGamesRequest { joinable: true, ..ListGamesRequest::default() };
    let others = list(engine, request).await?;
    let known: Vec<String> = mine.iter().map(|game| game.game_id.clone()).collect();
    let joinable =
        others.into_iter().filter(|game| !known.contains(&game.game_id)).take(JOINABLE_MAX);
    let finished = over.into_iter().filter(|game| game.progress != CANCELED);
    let resume = mine.into_iter().map(Entry::Resume);
    Ok(resume
        .chain(kinds.iter().cloned().map(Box::new).map(Entry::New))
        .chain(joinable.map(Entry::Join))
        .chain(finished.take(FINISHED_MAX).map(Entry::LookBack))
        .collect())
}

/// Returns the menu. Omits the summaries of the games if they do not fit the screen.
fn show(screen: &Screen, entries: &[Entry]) -> String {
    let whole = menu(&screen.style, entries, true);
    // The question and the line above it come after the menu.
    match screen.rows() {
        Some(rows) if whole.lines().count() + 2 > rows => menu(&screen.style, entries, false),
        _ => whole,
    }
}

fn menu(style: &Style, entries: &[Entry], with_summaries: bool) -> String {
    let row = |(index, entry): (usize, &Entry)| {
        let number = style.paint(format!("{:>3}", index + 1), Ink::Notice);
        match entry {
            Entry::New(kind) => {
                let name = if with_summaries {
                    format!("{}: {}", kind.name, kind.summary)
                } else {
                    kind.name.clone()
                };
                vec![number, say!("menu-new-game"), name]
            }
            Entry::Resume(game) => {
                let [_, name, _, now] = my_game_row(style, game).try_into().unwrap_or_default();
                vec![number, style.paint(say!("menu-resume"), Ink::Good), format!("{name}: {now}")]
            }
            Entry::LookBack(game) => {
                let [_, name, _, now] = my_game_row(style, game).try_into().unwrap_or_default();
                vec![number, style.paint(say!("menu-review"), Ink::Faint), format!("{name}: {now}")]
            }
            Entry::Join(game) => {
                let seats =
                    say!("menu-seats-open", open_seats = game.open_seats, seats = game.seats);
                vec![
                    number,
                    say!("menu-join"),
                    format!("{} ({}): {seats}", harmless(&game.name), game.kind),
                ]
            }
        }
    };
    let rows: Vec<Vec<String>> = entries.iter().enumerate().map(row).collect();
    format!(
        "\n{}\n{}\n{}",
        style.paint("Heliopause", Ink::Heading),
        table(style, &["", "", ""], &rows).trim_start_matches('\n'),
        style.paint(say!("menu-learn-number-new-game"), Ink::Faint)
    )
}

async fn new(engine: &Engine, kind: &GameKind, screen: &mut Screen) -> Result<String, Failure> {
    let most = kind.players_max.saturating_sub(1);
    let usual = super::usual_opponents(kind);
    let opponents = match most {
        0 => 0,
        _ => number(screen, &say!("menu-automated-opponents"), 0, most, usual).await?,
    };
    // With fewer opponents than usual, the player may want to play the other seats too.
    let own = match kind.players_max - opponents {
        seats if opponents < usual => {
            number(screen, &say!("menu-seats-play-yourself"), 1, seats, 1).await?
        }
        _ => 1,
    };
    let players = kind.roles.len().min((own + opponents) as usize);
    let seat = if own == 1 { seat(screen, &kind.roles[..players]).await? } else { None };
    if opponents == 0 && own == kind.players_max {
        let company = Participants { own, seat, opponents, level: "standard".to_owned() };
        return Ok(company.begin(engine, kind).await?.game_id);
    }
    let level = level(screen, kind).await?;
    Ok(Participants { own, seat, opponents, level }.begin(engine, kind).await?.game_id)
}

/// Waits in the queue of quick play. Returns `None` if the player leaves it.
async fn find(
    engine: &Engine,
    kind: &GameKind,
    screen: &mut Screen,
) -> Result<Option<String>, Failure> {
    let pace =
        ask(screen, "Pace, fast, live, daily or slow [live]: ", QuickPaceArg::Live, |answer| {
            QuickPaceArg::from_str(answer, true).map_err(|_| {
                format!("`{answer}` is not a pace; the paces are fast, live, daily, slow.")
            })
        })
        .await?;
    let rated = ask(screen, "Rated, yes or no [no]: ", false, |answer| match answer {
        "yes" | "y" => Ok(true),
        "no" | "n" => Ok(false),
        _ => Err("Type yes or no.".to_owned()),
    })
    .await?;
    let question = "Automated opponents after, for example 2m [never]: ";
    let bots_after = ask(screen, question, None, |answer| parse_duration(answer).map(Some)).await?;
    let request = JoinQueueRequest {
        kind: kind.kind.clone(),
        pace: pace as i32,
        rated,
        bots_after: bots_after.map(to_proto),
        request_id: request_id()?,
        ..JoinQueueRequest::default()
    };
    let joined = quick_play::join(engine, request).await?;
    screen.print(&quick_play::told(joined.entry.as_ref()));
    tokio::select! {
        ready = quick_play::ready(engine) => Ok(Some(ready?.game_id)),
        _ = screen.question("Press Enter to leave the queue: ") => {
            engine.quick_play().leave_queue(LeaveQueueRequest {}).await?;
            Ok(None)
        }
    }
}

/// Asks until `read` accepts the answer. An empty answer means the default.
async fn ask<T>(
    screen: &mut Screen,
    question: &str,
    default: T,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, Failure> {
    loop {
        let answer = screen.question(question).await;
        let answer = answer.ok_or_else(|| Failure::failed(say!("menu-no-game-created")))?;
        if answer.is_empty() {
            return Ok(default);
        }
        match read(&answer) {
            Ok(value) => return Ok(value),
            Err(told) => screen.print(&screen.style.paint(told, Ink::Bad)),
        }
    }
}

async fn seat(screen: &mut Screen, roles: &[String]) -> Result<Option<u32>, Failure> {
    if roles.is_empty() {
        return Ok(None);
    }
    let question = say!("menu-seat-lot", seats = seat_names(roles));
    ask(screen, &question, None, |answer| match seat_number(answer, roles) {
        Ok(seat) if (1..=roles.len() as u32).contains(&seat) => Ok(Some(seat)),
        Ok(seat) => Err(say!("menu-seat-does-not-exist", seat = seat, last = roles.len())),
        Err(failure) => Err(failure.to_string()),
    })
    .await
}

async fn level(screen: &mut Screen, kind: &GameKind) -> Result<String, Failure> {
    let levels = kind.levels.join(", ");
    let question = say!("menu-level-opponents-standard", levels = levels);
    ask(screen, &question, "standard".to_owned(), |answer| {
        let known = kind.levels.iter().find(|level| *level == answer).cloned();
        known.ok_or_else(|| say!("menu-not-a-level", answer = answer, levels = levels))
    })
    .await
}

async fn number(
    screen: &mut Screen,
    what: &str,
    least: u32,
    most: u32,
    usual: u32,
) -> Result<u32, Failure> {
    let question =
        say!("menu-number-question", what = what, least = least, most = most, usual = usual);
    ask(screen, &question, usual, |answer| {
        let number = answer.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| say!("menu-not-a-number", answer = answer, least = least, most = most))
    })
    .await
}
