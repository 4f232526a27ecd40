//! Commands that list, join, start and show games.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use heliopause_client::all_pages;
use heliopause_proto::v1::option_info::Type;
use heliopause_proto::v1::*;
use heliopause_scenario::convert::camel;
use heliopause_scenario::nearest::did_you_mean;
use sha2::{Digest as _, Sha256};

use crate::context::Context;
use crate::engine::{Engine, random, request_id};
use crate::failure::{Failure, about};
use crate::profile::write_private;
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::text::{self, day, due, harmless};
use crate::wording;
use crate::words::{columns, say};

pub use super::create::{NewArgs, automated, new, seat_number};
pub use super::search::Filters;

/// A game.
#[derive(Debug, Args)]
pub struct GameArg {
    /// The game's id.
    pub game: String,
}

/// List your games or games with an open seat, or search.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/games.txt"), args_conflicts_with_subcommands = true)]
pub struct GamesArgs {
    #[command(subcommand)]
    /// The games to list.
    pub which: Option<WhichGames>,
    /// The filters of a search without a subcommand.
    #[command(flatten)]
    pub filters: Filters,
}

/// The games to list.
#[derive(Debug, Subcommand)]
pub enum WhichGames {
    /// Games in which you have a seat, or which you host or manage (default).
    Mine {
        /// Include games that are over.
        #[arg(long)]
        all: bool,
    },
    /// Games with a seat that you can take.
    Open {
        /// Only this kind.
        #[arg(long)]
        kind: Option<String>,
    },
    /// All games that are visible to you.
    Search {
        /// Only games whose title contains this text.
        text: Option<String>,
        /// The other filters.
        #[command(flatten)]
        filters: Filters,
    },
}

/// Take a seat in a game.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/join.txt"))]
pub struct JoinArgs {
    /// The game's id.
    pub game: String,
    /// The seat: its number, or its name as listed by `show` [default: by lot at the start; in a
    /// game that has started, the first that is open to you].
    #[arg(long, value_name = "SEAT", visible_alias = "power")]
    pub seat: Option<String>,
    /// The invite code of a private game.
    #[arg(long, value_name = "CODE")]
    pub invite: Option<String>,
    /// Add your own randomness to the dice; reveal it with `reveal` at the start (`play` does so
    /// automatically).
    #[arg(long)]
    pub entropy: bool,
}

/// Start a game that you created.
#[derive(Debug, Args)]
pub struct StartArgs {
    /// The game's id.
    pub game: String,
    /// Fill open seats with automation of this level (LEVEL or PROFILE:LEVEL).
    #[arg(long, value_name = "LEVEL")]
    pub fill: Option<String>,
}

/// Show a game: its seats, its pace, and what it is waiting for.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The game's id.
    pub game: String,
    /// The invite code of a private game that you have not joined.
    #[arg(long, value_name = "CODE")]
    pub invite: Option<String>,
}

fn range_text(least: u32, most: u32) -> String {
    if least == most { least.to_string() } else { say!("lobby-range", least = least, most = most) }
}

/// List the kinds of games, or show one with its options.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cli-client kinds\n  cli-client kinds star-empires")]
pub struct KindsArgs {
    /// Show this kind with its options.
    pub kind: Option<String>,
}

pub async fn kinds(context: &Context, args: KindsArgs) -> Result<(), Failure> {
    let mut response =
        context.engine().await?.games().list_kinds(ListKindsRequest {}).await?.into_inner();
    let Some(wanted) = args.kind else {
        return context.answer(&response, |style| kinds_table(style, &response.kinds));
    };
    if !response.kinds.iter().any(|kind| kind.kind == wanted) {
        let names = || response.kinds.iter().map(|kind| kind.kind.as_str());
        let hint = did_you_mean(&wanted, names());
        let told = say!("lobby-unknown-kind-game", wanted = wanted, hint = hint);
        return Err(Failure::usage(told)
            .because("NO_SUCH_KIND")
            .advise(say!("lobby-kinds", kinds = names().collect::<Vec<_>>().join(", "))));
    }
    response.kinds.retain(|kind| kind.kind == wanted);
    context.answer(&response, |style| {
        response.kinds.iter().map(|kind| kind_text(style, kind)).collect::<Vec<_>>().join("\n\n")
    })
}

fn kinds_table(style: &Style, kinds: &[GameKind]) -> String {
    let row = |kind: &GameKind| {
        let players = range_text(kind.players_min, kind.players_max);
        vec![style.paint(&kind.kind, Ink::Heading), players, kind.summary.clone()]
    };
    let rows: Vec<Vec<String>> = kinds.iter().map(row).collect();
    let table = text::table(style, &columns("kinds-columns"), &rows);
    let hint = say!("lobby-cli-client-kinds-kind-shows");
    format!("{table}\n{}", style.paint(hint, Ink::Faint))
}

fn kind_text(style: &Style, kind: &GameKind) -> String {
    let players = range_text(kind.players_min, kind.players_max);
    let (profiles, levels) = (kind.profiles.join(", "), kind.levels.join(", "));
    let mut lines = vec![
        format!("{}  {}", style.paint(&kind.kind, Ink::Heading), kind.name),
        text::wrap(&format!("  {}", kind.summary), style.width, 2),
        format!(
            "  {}",
            say!("kind-players", players = players, profiles = profiles, levels = levels)
        ),
    ];
    if !kind.roles.is_empty() {
        let seats = format!("  {}", say!("kind-seats", seats = seat_names(&kind.roles)));
        lines.push(text::wrap(&seats, style.width, 4));
    }
    if !kind.phase_kinds.is_empty() {
        lines.push(format!("  {}", say!("kind-phases", phases = kind.phase_kinds.join(", "))));
    }
    lines.push(format!("  {}", say!("kind-options")));
    lines.extend(kind.options.iter().map(|option| {
        let line =
            format!("    {}  {} {}", option_text(option), option.sentence, default_text(option));
        text::wrap(line.trim_end(), style.width, 6)
    }));
    lines.join("\n")
}

fn option_text(option: &OptionInfo) -> String {
    let name = &camel(&option.name);
    match &option.r#type {
        Some(Type::Flag(_)) => format!("{name}=true|false"),
        Some(Type::Number(number)) => {
            let range = say!("option-range", least = number.least, most = number.most);
            let range = match number.zero.as_str() {
                "" => range,
                zero => say!("option-zero", meaning = zero, range = range),
            };
            match number.not_below.as_str() {
                "" => format!("{name}={range}"),
                bound => {
                    format!("{name}={}", say!("option-not-below", range = range, bound = bound))
                }
            }
        }
        Some(Type::Word(word)) => {
            let words = word
                .words
                .iter()
                .map(|known| format!("{} ({})", short_value(word, &known.value), known.meaning));
            format!("{name}={}", words.collect::<Vec<_>>().join(say!("option-or").as_str()))
        }
        Some(Type::Shares(shares)) => {
            let part = |share: &OptionShare| {
                format!("{name}.{}={}", camel(&share.name), share.default_value)
            };
            let parts: Vec<String> = shares.shares.iter().map(part).collect();
            say!("option-together", parts = parts.join(" "), sum = shares.sum)
        }
        Some(Type::Names(names)) => {
            let (most, length) = (names.most, names.max_length);
            format!("{name}=[...], {}", say!("option-names", most = most, length = length))
        }
        Some(Type::Message(_)) | None => format!("{name}={{...}}"),
    }
}

/// Returns an option's value as players type it: "full" for `PRESS_RULE_FULL`.
pub fn short_value(option: &WordOption, value: &str) -> String {
    let mut common = value;
    for known in &option.words {
        while !known.value.starts_with(common) {
            common = &common[..common.len() - 1];
        }
    }
    let start = common.rfind('_').map_or(0, |at| at + 1);
    value[start..].to_lowercase()
}

fn default_text(option: &OptionInfo) -> String {
    if !option.default_text.is_empty() {
        return say!("lobby-default", default = option.default_text);
    }
    let default = match &option.r#type {
        Some(Type::Flag(flag)) => flag.default_value.map(|value| value.to_string()),
        Some(Type::Number(number)) => number.default_value.map(|value| value.to_string()),
        Some(Type::Word(word)) => Some(short_value(word, &word.default_value)),
        _ => None,
    };
    default.map(|default| say!("lobby-default", default = default)).unwrap_or_default()
}

pub async fn games(context: &Context, args: GamesArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let which = match args.which {
        None if args.filters.is_empty() => WhichGames::Mine { all: false },
        None => WhichGames::Search { text: None, filters: args.filters },
        Some(which) => which,
    };
    let request = match which {
        WhichGames::Mine { all } => return mine(context, &engine, all).await,
        WhichGames::Open { kind } => {
            let kind = kind.unwrap_or_default();
            ListGamesRequest { kind, joinable: true, ..ListGamesRequest::default() }
        }
        WhichGames::Search { text, filters } => filters.request(text.unwrap_or_default()),
    };
    let is_search = !request.joinable;
    let response =
        ListGamesResponse { games: list(&engine, request).await?, next_page_token: String::new() };
    context.answer(&response, |style| match response.games.as_slice() {
        [] if is_search => say!("lobby-no-games-found"),
        games => summaries(style, games),
    })
}

async fn mine(context: &Context, engine: &Engine, all: bool) -> Result<(), Failure> {
    let response =
        ListMyGamesResponse { games: my_games(engine, all).await?, next_page_token: String::new() };
    context.answer(&response, |style| {
        if response.games.is_empty() && !all {
            return say!("lobby-no-running-games-cli-client");
        }
        my_games_table(style, &response.games)
    })
}

pub fn my_games_table(style: &Style, games: &[MyGame]) -> String {
    let rows: Vec<Vec<String>> = games.iter().map(|game| my_game_row(style, game)).collect();
    text::table(style, &columns("my-games-columns"), &rows)
}

/// Lists the names of seats. Writes consecutive numbers as a range: "Empire 13 to Empire 64".
pub fn seat_names(roles: &[String]) -> String {
    let numbered = |role: &String| {
        let (name, number) = role.rsplit_once(' ')?;
        Some((name.to_owned(), number.parse::<u32>().ok()?))
    };
    let follows = |left: &String, right: &String| {
        let next = numbered(left).map(|(name, number)| (name, number + 1));
        next.is_some() && next == numbered(right)
    };
    let run = |run: &[String]| match run {
        [first, _, .., last] => say!("lobby-seat-run", first = first, last = last),
        run => run.join(", "),
    };
    roles.chunk_by(follows).map(run).collect::<Vec<_>>().join(", ")
}

/// Formats one of the caller's games as a row: id, name, seat, current state.
pub fn my_game_row(style: &Style, game: &MyGame) -> Vec<String> {
    let mut now = harmless(&game.progress);
    if game.your_decision {
        now = format!("{now}, {}", style.paint(say!("lobby-decision"), Ink::Notice));
    }
    if let Some(deadline) = &game.due_time {
        now = say!("lobby-due-at", now = now, deadline = due(deadline));
    }
    if game.invited {
        let kept = style.paint(say!("lobby-seat-reserved-join-decline"), Ink::Notice);
        now = format!("{now}, {kept}");
    }
    if game.over {
        now = say!("lobby-ended", now = now);
    }
    let seat = game.seat.map_or_else(|| "-".to_owned(), |seat| seat.to_string());
    vec![game.game_id.clone(), harmless(&game.name), seat, now.trim().to_owned()]
}

/// Fetches all pages of the caller's games.
pub async fn my_games(engine: &Engine, all: bool) -> Result<Vec<MyGame>, Failure> {
    let request = ListMyGamesRequest { running_only: !all, ..ListMyGamesRequest::default() };
    Ok(all_pages!(engine.players(), list_my_games, request, games))
}

/// Fetches all pages of a list of games.
pub async fn list(engine: &Engine, request: ListGamesRequest) -> Result<Vec<GameSummary>, Failure> {
    Ok(all_pages!(engine.games(), list_games, request, games))
}

pub fn summaries(style: &Style, games: &[GameSummary]) -> String {
    if games.is_empty() {
        return say!("lobby-no-games-cli-client-new");
    }
    let row = |game: &GameSummary| {
        let (id, kind) = (game.game_id.clone(), game.kind.clone());
        let status = wording::status(game.status()).to_owned();
        let seats = match game.open_seats {
            0 => game.seats.to_string(),
            open => say!("lobby-seats-open", seats = game.seats, open = open),
        };
        let created = game.create_time.as_ref().map(day).unwrap_or_default();
        vec![id, kind, status, seats, created, harmless(&game.name)]
    };
    let rows: Vec<Vec<String>> = games.iter().map(row).collect();
    text::table(style, &columns("games-columns"), &rows)
}

pub async fn join(context: &Context, args: JoinArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let entropy = if args.entropy { Some(random::<32>()?) } else { None };
    let invite_code = args.invite.unwrap_or_default();
    let seat = match args.seat {
        None => None,
        Some(text) => Some(seat_in(&engine, &args.game, &invite_code, &text).await?),
    };
    let request = JoinGameRequest {
        game_id: args.game,
        seat,
        invite_code,
        entropy_commitment: commitment(entropy.as_ref()),
        request_id: request_id()?,
    };
    let response = engine.games().join_game(request).await?.into_inner();
    let game = response.game.clone().unwrap_or_default();
    keep_entropy(context, &game.game_id, entropy.as_ref())?;
    context.answer(&response, |style| {
        let forming = game.status() == GameStatus::Forming;
        let mut taken = seat_taken(&game);
        if forming {
            taken = format!("{taken} {}", say!("join-host-starts"));
        }
        let next = say!("lobby-next-cli-client-play", game_id = game.game_id);
        format!("{}\n{taken}\n{next}", wording::game(style, &game))
    })
}

async fn seat_in(engine: &Engine, game: &str, code: &str, text: &str) -> Result<u32, Failure> {
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let request = GetGameRequest { game_id: game.to_owned(), invite_code: code.to_owned() };
    let game = engine.games().get_game(request).await?.into_inner().game.unwrap_or_default();
    seat_number(text, &game.roles)
}

fn seat_taken(game: &Game) -> String {
    let number = game.your_seat.unwrap_or_default();
    let own = game.seats.iter().find(|seat| seat.number == number);
    match own.and_then(|seat| seat.chosen_seat) {
        _ if !game.lots_pending => say!("lobby-seat", number = number),
        None => say!("lobby-seat-drawn-lot-start"),
        Some(seat) => {
            let role = own.map(|seat| seat.role.clone()).unwrap_or_default();
            say!("lobby-chosen-seat", seat = seat, role = role)
        }
    }
}

pub(super) fn commitment(entropy: Option<&[u8; 32]>) -> bytes::Bytes {
    entropy
        .map(|entropy| bytes::Bytes::copy_from_slice(&Sha256::digest(entropy)))
        .unwrap_or_default()
}

pub(super) fn keep_entropy(
    context: &Context,
    game: &str,
    entropy: Option<&[u8; 32]>,
) -> Result<(), Failure> {
    let Some(entropy) = entropy else { return Ok(()) };
    write_private(&entropy_file(context, game)?, entropy)
}

/// Returns the path of the saved entropy. The path includes the profile, because two profiles can
/// play in the same game.
fn entropy_file(context: &Context, game: &str) -> Result<PathBuf, Failure> {
    context.profiles().file("entropy", &format!("{}.{}", context.profile_name(), file_name(game)))
}

/// Removes characters that are unsafe in a file name, because ids come from the engine.
fn file_name(game: &str) -> String {
    game.chars().filter(|char| char.is_ascii_alphanumeric() || *char == '-').collect()
}

pub async fn decline(context: &Context, args: GameArg) -> Result<(), Failure> {
    let request = DeclineInvitationRequest { game_id: args.game, request_id: request_id()? };
    context.done(
        &context.engine().await?.games().decline_invitation(request).await?,
        &say!("lobby-declined-seat-open-other"),
    )
}

pub async fn leave(context: &Context, args: GameArg) -> Result<(), Failure> {
    let request = LeaveGameRequest { game_id: args.game, request_id: request_id()? };
    context
        .done(&context.engine().await?.games().leave_game(request).await?, &say!("lobby-left-seat"))
}

pub async fn start(context: &Context, args: StartArgs) -> Result<(), Failure> {
    let request = StartGameRequest {
        game_id: args.game,
        fill: args.fill.as_deref().map(automated),
        request_id: request_id()?,
    };
    let response = context.engine().await?.games().start_game(request).await?.into_inner();
    let game = response.game.clone().unwrap_or_default();
    context.answer(&response, |style| {
        let next = say!("lobby-next-cli-client-play", game_id = game.game_id);
        format!("{}\n{next}", wording::game(style, &game))
    })
}

/// Reveals the entropy that was saved when the seat was taken.
pub async fn reveal(context: &Context, args: GameArg) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let Some(request) = kept_entropy(context, &args.game)? else {
        let profile = context.profile_name();
        let told = say!("lobby-profile-no-saved-entropy", profile = profile, game = args.game);
        let advice = say!("lobby-can-reveal-entropy-only");
        return Err(Failure::failed(told).because("NO_ENTROPY").advise(advice));
    };
    context.done(
        &engine.games().reveal_entropy(request).await?,
        &say!("lobby-entropy-revealed-dice-depend"),
    )
}

/// Returns a request to reveal the entropy that was saved for a game, or `None` if none was saved.
pub fn kept_entropy(
    context: &Context,
    game: &str,
) -> Result<Option<RevealEntropyRequest>, Failure> {
    let path = entropy_file(context, game)?;
    match std::fs::read(&path) {
        Ok(entropy) => Ok(Some(RevealEntropyRequest {
            game_id: game.to_owned(),
            entropy: entropy.into(),
            request_id: request_id()?,
        })),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(about(&path, &error)),
    }
}

async fn goals(engine: &Engine, game: &Game) -> Result<Vec<Goal>, Failure> {
    let table = Table { game: game.game_id.clone(), seat: None };
    Ok(table::fetch(engine, &table, false).await?.goals)
}

pub async fn show(context: &Context, args: ShowArgs) -> Result<(), Failure> {
    // A caller with an invite code sees the seats and settings, but not the course of the game.
    let is_guest = args.invite.is_some();
    let request =
        GetGameRequest { game_id: args.game, invite_code: args.invite.unwrap_or_default() };
    let engine = context.engine().await?;
    let response = engine.games().get_game(request).await?.into_inner();
    let game = response.game.clone().unwrap_or_default();
    let is_running = game.status() == GameStatus::Running && !is_guest;
    let goals = if is_running { goals(&engine, &game).await? } else { Vec::new() };
    context.answer(&response, |style| {
        let mut text = wording::game(style, &game);
        if !goals.is_empty() {
            text = format!("{text}\n\n{}", wording::goals(style, &game, &goals));
        }
        if let Some(decision) = &response.decision {
            let next = say!("lobby-next-cli-client-options", game_id = game.game_id);
            text = format!("{text}\n\n{}\n{next}", wording::decision(style, decision));
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_shown_as_typed() {
        let shown = |kind: &str| -> Vec<String> {
            let kind = heliopause_table::registry::kind(kind).expect("a kind").describe();
            kind.options
                .iter()
                .map(|option| format!("{} {}", option_text(option), default_text(option)))
                .collect()
        };
        let starships = shown("starships-at-large");
        assert_eq!(
            starships[0].trim_end(),
            "mix.friendly=8 mix.unfriendly=6 mix.dead=5 mix.asteroids=7 mix.empty=9, together 35"
        );
        assert_eq!(starships[1], "rounds=1 to 60 Default: 12.");
        assert!(starships.contains(&"edgesOpen=true|false Default: true.".to_owned()));
        let diplomacy = shown("diplomacy");
        let told = diplomacy.join("\n");
        for shown in
            ["lastYear=0 (never) or 1901 to 2100 Default: 0.", "or none (nothing) Default: full."]
        {
            assert!(told.contains(shown), "{told}");
        }
    }

    #[test]
    fn numbered_seats_are_a_range() {
        let roles = ["Zorgon", "Empire 9", "Empire 10", "Empire 11", "Side 1", "Side 2"];
        let told = seat_names(&roles.map(str::to_owned));
        assert_eq!(told, "Zorgon, Empire 9 to Empire 11, Side 1, Side 2");
    }

    #[test]
    fn a_game_id_stays_within_the_folder() {
        assert_eq!(file_name("../../etc/passwd"), "etcpasswd");
    }
}
