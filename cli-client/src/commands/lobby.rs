//! Finding and making games, taking seats, starting.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use heliopause_proto::v1::option_info::Type;
use heliopause_proto::v1::{
    DeclineInvitationRequest, Game, GameKind, GameStatus, GameSummary, GetGameRequest, Goal,
    JoinGameRequest, LeaveGameRequest, ListGamesRequest, ListGamesResponse, ListKindsRequest,
    ListMyGamesRequest, ListMyGamesResponse, MyGame, OptionInfo, RevealEntropyRequest,
    StartGameRequest,
};
use heliopause_scenario::nearest::did_you_mean;
use sha2::{Digest as _, Sha256};

use crate::context::Context;
use crate::engine::{Engine, random, request_id};
use crate::failure::Failure;
use crate::failure::about;
use crate::profile::write_private;
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::text::{self, day, due, harmless};
use crate::wording;

pub use super::create::{NewArgs, automated, new, seat_number};

/// A game.
#[derive(Debug, Args)]
pub struct GameArg {
    /// The game's id.
    pub game: String,
}

/// Your games, games with an open seat, or a search.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cli-client games\n  cli-client games open --kind \
        starships-at-large\n  cli-client games search \"friday\"")]
pub struct GamesArgs {
    #[command(subcommand)]
    /// Which games.
    pub which: Option<WhichGames>,
}

/// Which games.
#[derive(Debug, Subcommand)]
pub enum WhichGames {
    /// The games you hold a seat in, host, or lead [the default].
    Mine {
        /// Those that ended, too.
        #[arg(long)]
        all: bool,
    },
    /// Games with a seat that you could take.
    Open {
        /// Only this kind.
        #[arg(long)]
        kind: Option<String>,
    },
    /// All games that you may see.
    Search {
        /// Only games whose name holds this text.
        text: Option<String>,
        /// Only this kind.
        #[arg(long)]
        kind: Option<String>,
    },
}

/// Take a seat.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cli-client join GAME\n  cli-client join GAME --seat France\n  \
        cli-client join GAME --seat 2 --invite CODE"
)]
pub struct JoinArgs {
    /// The game's id.
    pub game: String,
    /// The seat: its number, or its name as `show` lists it [default: by lot at the start; in a game
    /// that has started, the first that is open to you].
    #[arg(long, value_name = "SEAT", visible_alias = "power")]
    pub seat: Option<String>,
    /// The invite code of a private game.
    #[arg(long, value_name = "CODE")]
    pub invite: Option<String>,
    /// Add randomness of your own to the dice; reveal it with `reveal` at the start (`play` does
    /// that for you).
    #[arg(long)]
    pub entropy: bool,
}

/// Start a game that you made.
#[derive(Debug, Args)]
pub struct StartArgs {
    /// The game's id.
    pub game: String,
    /// Let automation of this level (or PROFILE:LEVEL) take the seats that are still open.
    #[arg(long, value_name = "LEVEL")]
    pub fill: Option<String>,
}

/// A game: its seats, its pace, and what it waits for.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The game's id.
    pub game: String,
    /// The invite code of a private game that you are not in.
    #[arg(long, value_name = "CODE")]
    pub invite: Option<String>,
}

/// A range as people write it.
fn from_to(least: u32, most: u32) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// The games that can be played.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cli-client kinds\n  cli-client kinds star-empires")]
pub struct KindsArgs {
    /// Show this kind with its options.
    pub kind: Option<String>,
}

/// Lists the games that can be played, or shows one of them with its options.
pub async fn kinds(context: &Context, args: KindsArgs) -> Result<(), Failure> {
    let mut response =
        context.engine().await?.games().list_kinds(ListKindsRequest {}).await?.into_inner();
    let Some(wanted) = args.kind else {
        return context.answer(&response, |style| kinds_table(style, &response.kinds));
    };
    if !response.kinds.iter().any(|kind| kind.kind == wanted) {
        let names = || response.kinds.iter().map(|kind| kind.kind.as_str());
        let hint = did_you_mean(&wanted, names());
        let told = format!("There is no kind of game `{wanted}`{hint}.");
        return Err(Failure::usage(told)
            .because("NO_SUCH_KIND")
            .advise(format!("There are: {}.", names().collect::<Vec<_>>().join(", "))));
    }
    response.kinds.retain(|kind| kind.kind == wanted);
    context.answer(&response, |style| {
        response.kinds.iter().map(|kind| kind_text(style, kind)).collect::<Vec<_>>().join("\n\n")
    })
}

fn kinds_table(style: &Style, kinds: &[GameKind]) -> String {
    let row = |kind: &GameKind| {
        let players = from_to(kind.players_min, kind.players_max);
        vec![style.paint(&kind.kind, Ink::Heading), players, kind.summary.clone()]
    };
    let rows: Vec<Vec<String>> = kinds.iter().map(row).collect();
    let table = text::table(style, &["kind", "players", "what it is"], &rows);
    let hint = "`cli-client kinds KIND` shows the options and levels of one.";
    format!("{table}\n{}", style.paint(hint, Ink::Faint))
}

fn kind_text(style: &Style, kind: &GameKind) -> String {
    let mut lines = vec![
        format!("{}  {}", style.paint(&kind.kind, Ink::Heading), kind.name),
        text::wrap(&format!("  {}", kind.summary), style.width, 2),
        format!(
            "  players: {}; automation: {}; levels: {}",
            from_to(kind.players_min, kind.players_max),
            kind.profiles.join(", "),
            kind.levels.join(", ")
        ),
    ];
    if !kind.roles.is_empty() {
        let seats = format!("  seats for --seat: {}", kind.roles.join(", "));
        lines.push(text::wrap(&seats, style.width, 4));
    }
    if !kind.phase_kinds.is_empty() {
        lines.push(format!("  phases for --phase: {}", kind.phase_kinds.join(", ")));
    }
    lines.push("  options for -o:".to_owned());
    lines.extend(kind.options.iter().map(|option| {
        let line = format!("    {}  {} {}", option_text(option), option.sentence, usual(option));
        text::wrap(line.trim_end(), style.width, 6)
    }));
    lines.join("\n")
}

/// The name of a field in JSON, which is the spelling of options: `lastTurn` for `last_turn`.
fn json_name(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        name + &letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default()
            + letters.as_str()
    })
}

/// The form that `new -o` takes for an option: its name and its values.
fn option_text(option: &OptionInfo) -> String {
    let name = &json_name(&option.name);
    match &option.r#type {
        Some(Type::Flag(_)) => format!("{name}=true|false"),
        Some(Type::Number(number)) => {
            let zero = if number.zero.is_empty() {
                String::new()
            } else {
                format!("0 ({}) or ", number.zero)
            };
            let bound = if number.not_below.is_empty() {
                String::new()
            } else {
                format!(", not below {}", number.not_below)
            };
            format!("{name}={zero}{} to {}{bound}", number.least, number.most)
        }
        Some(Type::Word(word)) => {
            let words: Vec<String> = word
                .words
                .iter()
                .map(|word| format!("{} ({})", word.value, word.meaning))
                .collect();
            format!("{name}={}", words.join(" or "))
        }
        Some(Type::Shares(shares)) => {
            let parts = shares
                .shares
                .iter()
                .map(|share| format!("{name}.{}={}", json_name(&share.name), share.default_value));
            format!("{}, together {}", parts.collect::<Vec<_>>().join(" "), shares.sum)
        }
        Some(Type::Names(names)) => {
            format!(
                "{name}=[...] with at most {} names of {} characters",
                names.most, names.max_length
            )
        }
        Some(Type::Message(_)) | None => format!("{name}={{...}}"),
    }
}

/// What an option is if nobody says it.
fn usual(option: &OptionInfo) -> String {
    if !option.unsaid.is_empty() {
        return format!("Default: {}.", option.unsaid);
    }
    let usual = match &option.r#type {
        Some(Type::Flag(flag)) => flag.default_value.map(|value| value.to_string()),
        Some(Type::Number(number)) => number.default_value.map(|value| value.to_string()),
        Some(Type::Word(word)) => Some(word.default_value.clone()),
        _ => None,
    };
    usual.map(|usual| format!("Default: {usual}.")).unwrap_or_default()
}

/// Lists games.
pub async fn games(context: &Context, args: GamesArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let request = match args.which.unwrap_or(WhichGames::Mine { all: false }) {
        WhichGames::Mine { all } => return mine(context, &engine, all).await,
        WhichGames::Open { kind } => ListGamesRequest {
            kind: kind.unwrap_or_default(),
            joinable: true,
            ..ListGamesRequest::default()
        },
        WhichGames::Search { text, kind } => ListGamesRequest {
            kind: kind.unwrap_or_default(),
            search: text.unwrap_or_default(),
            ..ListGamesRequest::default()
        },
    };
    let response =
        ListGamesResponse { games: list(&engine, request).await?, next_page_token: String::new() };
    context.answer(&response, |style| summaries(style, &response.games))
}

async fn mine(context: &Context, engine: &Engine, all: bool) -> Result<(), Failure> {
    let response =
        ListMyGamesResponse { games: my_games(engine, all).await?, next_page_token: String::new() };
    context.answer(&response, |style| {
        if response.games.is_empty() && !all {
            return "You are in no game that goes on. `cli-client play` starts one; `cli-client games open` \
                shows games to join; `cli-client games mine --all` shows those that ended."
                .into();
        }
        my_games_table(style, &response.games)
    })
}

/// The caller's games as a table.
pub fn my_games_table(style: &Style, games: &[MyGame]) -> String {
    let rows: Vec<Vec<String>> = games.iter().map(|game| my_game_row(style, game)).collect();
    text::table(style, &["game", "name", "seat", "now"], &rows)
}

/// One of the caller's games as a row: id, name, seat, what is up.
pub fn my_game_row(style: &Style, game: &MyGame) -> Vec<String> {
    let mut now = harmless(&game.progress);
    if game.your_decision {
        now = format!("{now} {}", style.paint("your decision", Ink::Notice));
    }
    if let Some(deadline) = &game.due_time {
        now = format!("{now}, due {}", due(deadline));
    }
    if game.invited {
        let kept = style.paint("a seat is kept for you: join it, or decline it", Ink::Notice);
        now = format!("{now} {kept}");
    }
    if game.over {
        now = format!("{now} (ended)");
    }
    let seat = game.seat.map_or_else(|| "-".to_owned(), |seat| seat.to_string());
    vec![game.game_id.clone(), harmless(&game.name), seat, now.trim().to_owned()]
}

/// All pages of the caller's games.
pub async fn my_games(engine: &Engine, all: bool) -> Result<Vec<MyGame>, Failure> {
    let mut request =
        ListMyGamesRequest { running_only: !all, page_size: 200, page_token: String::new() };
    let mut games = Vec::new();
    loop {
        let page = engine.players().list_my_games(request.clone()).await?.into_inner();
        games.extend(page.games);
        if page.next_page_token.is_empty() {
            return Ok(games);
        }
        request.page_token = page.next_page_token;
    }
}

/// All pages of a list of games.
pub async fn list(
    engine: &Engine,
    mut request: ListGamesRequest,
) -> Result<Vec<GameSummary>, Failure> {
    request.page_size = 200;
    let mut games = Vec::new();
    loop {
        let page = engine.games().list_games(request.clone()).await?.into_inner();
        games.extend(page.games);
        if page.next_page_token.is_empty() {
            return Ok(games);
        }
        request.page_token = page.next_page_token;
    }
}

/// Games as a table.
pub fn summaries(style: &Style, games: &[GameSummary]) -> String {
    if games.is_empty() {
        return "There are none. `cli-client new KIND` makes one.".into();
    }
    let row = |game: &GameSummary| {
        vec![
            game.game_id.clone(),
            game.kind.clone(),
            wording::status(game.status()).to_owned(),
            if game.open_seats == 0 {
                game.seats.to_string()
            } else {
                format!("{}, {} open", game.seats, game.open_seats)
            },
            game.create_time.as_ref().map(day).unwrap_or_default(),
            harmless(&game.name),
        ]
    };
    text::table(
        style,
        &["game", "kind", "status", "seats", "created", "name"],
        &games.iter().map(row).collect::<Vec<_>>(),
    )
}

/// Takes a seat.
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
        let next = if game.status() == GameStatus::Forming {
            "It starts when its host starts it."
        } else {
            ""
        };
        format!(
            "{}\n{} {next}\nNext: cli-client play {}",
            wording::game(style, &game),
            seat_taken(&game),
            game.game_id
        )
    })
}

/// The number of a seat of a game, from its number or its name.
async fn seat_in(engine: &Engine, game: &str, code: &str, text: &str) -> Result<u32, Failure> {
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let request = GetGameRequest { game_id: game.to_owned(), invite_code: code.to_owned() };
    let game = engine.games().get_game(request).await?.into_inner().game.unwrap_or_default();
    seat_number(text, &game.roles)
}

/// What a player has who joined.
fn seat_taken(game: &Game) -> String {
    let number = game.your_seat.unwrap_or_default();
    let own = game.seats.iter().find(|seat| seat.number == number);
    match own.and_then(|seat| seat.chosen_seat) {
        _ if !game.lots_pending => format!("You have seat {number}."),
        None => "Lots decide your seat at the start.".to_owned(),
        Some(seat) => {
            let role = own.map(|seat| seat.role.clone()).unwrap_or_default();
            format!("You have chosen seat {seat}, {role}.")
        }
    }
}

/// What is sent of one's entropy before the start.
pub(super) fn commitment(entropy: Option<&[u8; 32]>) -> bytes::Bytes {
    entropy
        .map(|entropy| bytes::Bytes::copy_from_slice(&Sha256::digest(entropy)))
        .unwrap_or_default()
}

/// Keeps one's entropy until it is revealed.
pub(super) fn keep_entropy(
    context: &Context,
    game: &str,
    entropy: Option<&[u8; 32]>,
) -> Result<(), Failure> {
    let Some(entropy) = entropy else { return Ok(()) };
    write_private(&entropy_file(context, game)?, entropy)
}

/// Two profiles may sit at one table, so each has a file of its own.
fn entropy_file(context: &Context, game: &str) -> Result<PathBuf, Failure> {
    context.profiles().file("entropy", &format!("{}.{}", context.profile_name(), file_name(game)))
}

/// The id of a game comes from outside; only its harmless characters name a file.
fn file_name(game: &str) -> String {
    game.chars().filter(|char| char.is_ascii_alphanumeric() || *char == '-').collect()
}

/// Declines an invitation.
pub async fn decline(context: &Context, args: GameArg) -> Result<(), Failure> {
    let request = DeclineInvitationRequest { game_id: args.game, request_id: request_id()? };
    let response = context.engine().await?.games().decline_invitation(request).await?.into_inner();
    context.answer(&response, |_| "You declined; the seat is open to others now.".into())
}

/// Gives a seat up before the start.
pub async fn leave(context: &Context, args: GameArg) -> Result<(), Failure> {
    let request = LeaveGameRequest { game_id: args.game, request_id: request_id()? };
    let response = context.engine().await?.games().leave_game(request).await?.into_inner();
    context.answer(&response, |_| "You gave your seat up.".into())
}

/// Starts a game.
pub async fn start(context: &Context, args: StartArgs) -> Result<(), Failure> {
    let request = StartGameRequest {
        game_id: args.game,
        fill: args.fill.as_deref().map(automated),
        request_id: request_id()?,
    };
    let response = context.engine().await?.games().start_game(request).await?.into_inner();
    let game = response.game.clone().unwrap_or_default();
    context.answer(&response, |style| {
        format!("{}\nNext: cli-client play {}", wording::game(style, &game), game.game_id)
    })
}

/// Reveals the entropy that was kept when the seat was taken.
pub async fn reveal(context: &Context, args: GameArg) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let Some(request) = kept_entropy(context, &args.game)? else {
        return Err(Failure::failed("No entropy of yours is kept for this game.")
            .because("NO_ENTROPY")
            .advise("Only who joined with --entropy, on this machine, has something to reveal."));
    };
    let response = engine.games().reveal_entropy(request).await?.into_inner();
    context.answer(&response, |_| "Your entropy is revealed; the dice are made of it too.".into())
}

/// The entropy that was kept for a game, ready to be revealed.
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

/// Shows a game.
pub async fn show(context: &Context, args: ShowArgs) -> Result<(), Failure> {
    // Who looks in by an invite code sees the table, and nothing of the game on it.
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
            text = format!(
                "{text}\n\n{}\nNext: cli-client options {}",
                wording::decision(style, decision),
                game.game_id
            );
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_shown_as_they_are_typed() {
        let shown = |kind: &str| -> Vec<String> {
            let kind = heliopause_table::registry::kind(kind).expect("a kind").describe();
            kind.options
                .iter()
                .map(|option| format!("{} {}", option_text(option), usual(option)))
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
        assert!(
            diplomacy.contains(&"lastYear=0 (never) or 1901 to 2100 Default: 0.".to_owned()),
            "{diplomacy:?}"
        );
        assert!(
            diplomacy
                .iter()
                .any(|shown| shown.contains("PRESS_RULE_NONE (nothing) Default: PRESS_RULE_FULL."))
        );
    }

    #[test]
    fn a_game_id_names_a_file_inside_the_folder() {
        assert_eq!(file_name("../../etc/passwd"), "etcpasswd");
    }
}
