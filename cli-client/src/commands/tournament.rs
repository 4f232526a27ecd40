//! Commands for tournaments and the ladder of bots.

use clap::{Args, Subcommand, ValueEnum};
use heliopause_client::all_pages;
use heliopause_proto::text::composed;
use heliopause_proto::v1::tournament_standing::Who;
use heliopause_proto::v1::*;
use jiff::SignedDuration;

use super::create::{automated, game_options};
use super::pace::PaceArgs;
use crate::context::Context;
use crate::engine::{once, request_id};
use crate::failure::Failure;
use crate::input::{parse_duration, parse_moment, to_proto};
use crate::style::Style;
use crate::text::{harmless, moment, table};
use crate::wording;

/// Enter, host and watch tournaments.
#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("../help/tournament.txt"))]
pub enum TournamentCommand {
    /// List tournaments.
    List {
        /// Only tournaments with this status.
        #[arg(long, value_enum)]
        status: Option<Status>,
        /// Only tournaments of this kind of game, as listed by `kinds`.
        #[arg(long)]
        kind: Option<String>,
    },
    /// Show a tournament: standings, rounds and games.
    Show(TournamentArg),
    /// Create a tournament. You become its host.
    Create(Box<CreateArgs>),
    /// Enter a tournament, or enter a bot as its host.
    Join {
        #[command(flatten)]
        which: TournamentArg,
        /// The level of a bot to enter (or PROFILE:LEVEL), instead of yourself.
        #[arg(long, value_name = "LEVEL")]
        bot: Option<String>,
    },
    /// Withdraw from a tournament.
    Withdraw {
        #[command(flatten)]
        which: TournamentArg,
        /// The number of another entry, as its host.
        #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
        entry: u32,
    },
    /// Start a tournament that you host.
    Start(TournamentArg),
    /// Cancel a tournament that you host. Its running games continue.
    Cancel(TournamentArg),
    /// List the registered bots and their ratings.
    Bots,
    /// Register a bot that only your workers can play.
    RegisterBot {
        /// The name: lower-case letters, digits and hyphens.
        name: String,
        /// The kind of game, as listed by `kinds`.
        kind: String,
        /// The profile that it plays [default: the first of the kind].
        #[arg(long, default_value = "", hide_default_value = true)]
        profile: String,
        /// A description for players.
        #[arg(long, default_value = "", hide_default_value = true)]
        description: String,
    },
    /// Remove a registered bot.
    UnregisterBot {
        /// The level of the bot, for example @hal.
        level: String,
    },
}

/// The id of a tournament.
#[derive(Debug, Args)]
pub struct TournamentArg {
    /// The id, as `tournament list` shows it.
    #[arg(value_name = "TOURNAMENT")]
    pub id: String,
}

/// The options of a new tournament.
#[derive(Debug, Args)]
pub struct CreateArgs {
    /// The kind of game, as listed by `kinds`.
    pub kind: String,
    /// Title of the tournament.
    #[arg(long)]
    pub name: String,
    /// Text for the entrants.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub description: String,
    /// The rule by which entrants meet.
    #[arg(long, value_enum, default_value_t = System::Swiss)]
    pub system: System,
    /// A rules option of the games; repeat for more. `kinds` lists them with their defaults.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE")]
    pub option: Vec<String>,
    /// Rules options as JSON; those given with -o override them.
    #[arg(long, value_name = "JSON")]
    pub options: Option<String>,
    /// Number of seats of each game, for rotating tables.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub seats: u32,
    /// Number of rounds, except for a round robin.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub rounds: u32,
    /// Play a round robin twice, with seats exchanged.
    #[arg(long)]
    pub twice: bool,
    /// Maximum number of entries.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub entries: u32,
    /// Allow bots to enter.
    #[arg(long)]
    pub bots: bool,
    /// Change the players' ratings by the results.
    #[arg(long)]
    pub rated: bool,
    /// Time of the start: from now (12h, 2d), or a date; without it you start the tournament.
    #[arg(long, value_name = "WHEN", value_parser = parse_moment)]
    pub start: Option<prost_types::Timestamp>,
    /// Time after which the games of a round are decided at the latest [default: 30d].
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub round_limit: Option<SignedDuration>,
    #[command(flatten)]
    pub pace: PaceArgs,
}

/// The rule by which entrants meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum System {
    /// Games for two between entrants with equal points.
    Swiss = TournamentSystem::Swiss as isize,
    /// Games for two between all pairs of entrants.
    RoundRobin = TournamentSystem::RoundRobin as isize,
    /// Games for several with changing opponents and seats.
    RotatingTables = TournamentSystem::RotatingTables as isize,
}

/// The status of a tournament.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Status {
    /// It accepts entries.
    Open = TournamentStatus::Open as isize,
    /// It is being played.
    Running = TournamentStatus::Running as isize,
    /// It has ended.
    Ended = TournamentStatus::Ended as isize,
    /// It was canceled.
    Canceled = TournamentStatus::Cancelled as isize,
}

#[expect(clippy::too_many_lines, reason = "one arm per command")]
pub async fn run(context: &Context, command: TournamentCommand) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let mut calls = engine.tournaments();
    match command {
        TournamentCommand::List { status, kind } => {
            let request = ListTournamentsRequest {
                status: status.map_or(0, |status| status as i32),
                kind: kind.unwrap_or_default(),
                ..ListTournamentsRequest::default()
            };
            let tournaments =
                all_pages!(engine.tournaments(), list_tournaments, request, tournaments);
            let response =
                ListTournamentsResponse { tournaments, ..ListTournamentsResponse::default() };
            context.answer(&response, |style| listed(style, &response.tournaments))
        }
        TournamentCommand::Show(which) => {
            let request = GetTournamentRequest { tournament_id: which.id };
            let response = calls.get_tournament(request).await?.into_inner();
            context.answer(&response, |style| shown(style, &response))
        }
        TournamentCommand::Create(args) => {
            let request = request(&args)?;
            let response = once(request, async |request| {
                engine.tournaments().create_tournament(request).await
            })
            .await?;
            let id = response.tournament.clone().unwrap_or_default().tournament_id;
            context.answer(&response, |_| {
                format!("Tournament {id} accepts entries.\nNext: cli-client tournament join {id}")
            })
        }
        TournamentCommand::Join { which, bot } => {
            let bot = bot.as_deref().map(automated);
            let request = JoinTournamentRequest { tournament_id: which.id, bot };
            let response = calls.join_tournament(request).await?;
            let entries = response.get_ref().tournament.clone().unwrap_or_default().entry_count;
            context.answer(response.get_ref(), |_| format!("Entered. Entries: {entries}."))
        }
        TournamentCommand::Withdraw { which, entry } => {
            let shown = GetTournamentRequest { tournament_id: which.id.clone() };
            let shown = calls.get_tournament(shown).await?.into_inner().tournament;
            let is_entered = entry > 0 || shown.is_some_and(|shown| shown.your_entry > 0);
            let request = WithdrawFromTournamentRequest { tournament_id: which.id, entry };
            let response = calls.withdraw_from_tournament(request).await?;
            let text = if is_entered { "Withdrawn." } else { "You have not entered." };
            context.done(&response, text)
        }
        TournamentCommand::Start(which) => {
            let request = StartTournamentRequest { tournament_id: which.id };
            context.done(&calls.start_tournament(request).await?, "The tournament has started.")
        }
        TournamentCommand::Cancel(which) => {
            let request = CancelTournamentRequest { tournament_id: which.id };
            context.done(&calls.cancel_tournament(request).await?, "The tournament is canceled.")
        }
        TournamentCommand::Bots => {
            let mut response = calls.list_bots(ListBotsRequest::default()).await?.into_inner();
            let request = ListBotsRequest::default();
            response.bots = all_pages!(engine.tournaments(), list_bots, request, bots);
            response.next_page_token.clear();
            context.answer(&response, |style| bots(style, &response))
        }
        TournamentCommand::RegisterBot { name, kind, profile, description } => {
            let description = composed(&description);
            let request = RegisterBotRequest { name, kind, profile, description };
            let response = calls.register_bot(request).await?;
            let bot = response.get_ref().bot.clone().unwrap_or_default();
            context.answer(response.get_ref(), |_| {
                format!("Your workers can now play {}:{}.", bot.profile, bot.level)
            })
        }
        TournamentCommand::UnregisterBot { level } => {
            let response = calls.unregister_bot(UnregisterBotRequest { level }).await?;
            context.done(&response, "The bot is removed.")
        }
    }
}

fn request(args: &CreateArgs) -> Result<CreateTournamentRequest, Failure> {
    Ok(CreateTournamentRequest {
        name: composed(&args.name),
        description: composed(&args.description),
        system: args.system as i32,
        kind: args.kind.clone(),
        options: game_options(&args.kind, args.options.as_deref(), &args.option)?,
        pace: args.pace.pace()?,
        seats: args.seats,
        rounds: args.rounds,
        entries_max: args.entries,
        bots_allowed: args.bots,
        rated: args.rated,
        twice: args.twice,
        start_time: args.start,
        round_limit: args.round_limit.map(to_proto),
        request_id: request_id()?,
    })
}

fn listed(style: &Style, tournaments: &[Tournament]) -> String {
    if tournaments.is_empty() {
        return "No tournament matches.".to_owned();
    }
    let row = |one: &Tournament| {
        vec![
            one.tournament_id.clone(),
            harmless(&one.name),
            one.kind.clone(),
            system(one.system()).to_owned(),
            state(one),
            format!("{}/{}", one.entry_count, one.entries_max),
            one.start_time.as_ref().map(moment).unwrap_or_default(),
        ]
    };
    let rows: Vec<Vec<String>> = tournaments.iter().map(row).collect();
    table(style, &["id", "name", "kind", "system", "status", "entries", "start"], &rows)
}

fn system(system: TournamentSystem) -> &'static str {
    match system {
        TournamentSystem::Swiss => "Swiss",
        TournamentSystem::RoundRobin => "round robin",
        TournamentSystem::RotatingTables => "rotating tables",
        TournamentSystem::Unspecified => "",
    }
}

fn state(tournament: &Tournament) -> String {
    match tournament.status() {
        TournamentStatus::Open => "open".to_owned(),
        TournamentStatus::Running => {
            format!("round {} of {}", tournament.round, tournament.rounds)
        }
        TournamentStatus::Ended => "ended".to_owned(),
        TournamentStatus::Cancelled => "canceled".to_owned(),
        TournamentStatus::Unspecified => String::new(),
    }
}

fn shown(style: &Style, response: &GetTournamentResponse) -> String {
    let tournament = response.tournament.clone().unwrap_or_default();
    let mut parts = vec![format!(
        "{} ({}, {}, {})",
        harmless(&tournament.name),
        tournament.kind,
        system(tournament.system()),
        state(&tournament)
    )];
    let host = tournament.host.as_ref().map(|host| format!("Host: {}.", harmless(&host.name)));
    parts.extend(host);
    if tournament.status() == TournamentStatus::Open {
        parts.push(match &tournament.start_time {
            Some(time) => format!("Start: {}.", moment(time)),
            None => "The host starts it.".to_owned(),
        });
    }
    for text in [&tournament.cancel_reason, &tournament.description] {
        if !text.is_empty() {
            parts.push(harmless(text));
        }
    }
    parts.push(standings(style, &response.standings));
    for round in &response.rounds {
        parts.push(format!("Round {}", round.number));
        let games = round.games.iter().map(|game| game_line(game, &response.standings));
        parts.extend(games.map(|line| format!("  {line}")));
        let byes = round.byes.iter().map(|&entry| name(&response.standings, entry));
        parts.extend(byes.map(|name| format!("  {name}: bye")));
    }
    parts.join("\n")
}

fn standings(style: &Style, standings: &[TournamentStanding]) -> String {
    if standings.is_empty() {
        return "No entries.".to_owned();
    }
    let row = |one: &TournamentStanding| {
        let rank = if one.rank == 0 { String::new() } else { one.rank.to_string() };
        let mut who = entrant(one);
        if one.withdrawn {
            who.push_str(" (withdrawn)");
        }
        let numbers = [one.points, one.buchholz, one.sonneborn_berger, one.direct_encounter];
        let mut row = vec![rank, one.entry.to_string(), who];
        row.extend(numbers.map(|number| number.to_string()));
        row.extend([one.won, one.drawn, one.games].map(|number| number.to_string()));
        row
    };
    let headings =
        ["rank", "entry", "who", "points", "Buchholz", "S.-B.", "direct", "won", "drawn", "games"];
    table(style, &headings, &standings.iter().map(row).collect::<Vec<_>>())
}

fn entrant(standing: &TournamentStanding) -> String {
    match &standing.who {
        Some(Who::Player(player)) => harmless(&player.name),
        Some(Who::Automated(by)) => wording::automated(by),
        None => "deleted account".to_owned(),
    }
}

fn name(standings: &[TournamentStanding], entry: u32) -> String {
    let found = standings.iter().find(|one| one.entry == entry);
    found.map(entrant).unwrap_or_default()
}

fn game_line(game: &TournamentGame, standings: &[TournamentStanding]) -> String {
    let is_decided = game.state() != TournamentGameState::Playing;
    let seat = |seat: &TournamentSeat| {
        let name = name(standings, seat.entry);
        if is_decided { format!("{name} {}", seat.points) } else { name }
    };
    let seats = game.seats.iter().map(seat).collect::<Vec<_>>().join(" - ");
    let note = match game.state() {
        TournamentGameState::Playing => ": playing",
        TournamentGameState::Forfeited => ": forfeited",
        TournamentGameState::Cancelled => ": canceled",
        TournamentGameState::TimedOut => ": time limit",
        TournamentGameState::Ended | TournamentGameState::Unspecified => "",
    };
    let id = if game.game_id.is_empty() { "no game" } else { &game.game_id };
    format!("{id}  {seats}{note}")
}

fn bots(style: &Style, response: &ListBotsResponse) -> String {
    let ladder = match response.games_per_hour {
        0 => "The ladder is off.".to_owned(),
        games => {
            let running = response.game_ids.len();
            format!("The ladder starts up to {games} games per hour; running: {running}.")
        }
    };
    if response.bots.is_empty() {
        return format!("{ladder}\nNo bot is registered.");
    }
    let row = |bot: &Bot| {
        let rating = |size| {
            let found = bot.ratings.iter().find(|one| one.size() == size);
            found.and_then(|one| one.rating).map_or_else(String::new, |rating| {
                format!("{:.0}{}", rating.value, if rating.provisional { "?" } else { "" })
            })
        };
        vec![
            format!("{}:{}", bot.profile, bot.level),
            bot.kind.clone(),
            bot.owner.as_ref().map(|owner| harmless(&owner.name)).unwrap_or_default(),
            if bot.connected { "yes" } else { "no" }.to_owned(),
            rating(LadderSize::Two),
            rating(LadderSize::Several),
            harmless(&bot.description),
        ]
    };
    let headings = ["bot", "kind", "owner", "connected", "two seats", "several", "description"];
    let rows: Vec<Vec<String>> = response.bots.iter().map(row).collect();
    format!("{ladder}\n{}", table(style, &headings, &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(entry: u32, name: &str) -> TournamentStanding {
        let player = Player { name: name.to_owned(), ..Player::default() };
        TournamentStanding {
            entry,
            who: Some(Who::Player(player)),
            ..TournamentStanding::default()
        }
    }

    #[test]
    fn a_tournament_is_shown_with_standings_and_games() {
        let seat = |entry, points| TournamentSeat { entry, place: 1, points };
        let mut game = TournamentGame {
            game_id: "g1".to_owned(),
            seats: vec![seat(2, 0.5), seat(1, 0.5)],
            ..TournamentGame::default()
        };
        game.set_state(TournamentGameState::Ended);
        let mut tournament = Tournament {
            name: "Cup".to_owned(),
            kind: "star-empires".to_owned(),
            round: 1,
            rounds: 3,
            ..Tournament::default()
        };
        tournament.set_system(TournamentSystem::RoundRobin);
        tournament.set_status(TournamentStatus::Running);
        let response = GetTournamentResponse {
            tournament: Some(tournament),
            standings: vec![
                TournamentStanding { rank: 1, points: 0.5, ..standing(1, "Ann") },
                TournamentStanding { rank: 1, withdrawn: true, ..standing(2, "Bob") },
                standing(3, "Cid"),
            ],
            rounds: vec![TournamentRound {
                number: 1,
                games: vec![game],
                byes: vec![3],
                ..TournamentRound::default()
            }],
        };
        let text = shown(&Style::PLAIN, &response);
        for expected in [
            "Cup (star-empires, round robin, round 1 of 3)",
            "Bob (withdrawn)",
            "g1  Bob 0.5 - Ann 0.5",
            "Cid: bye",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }
}
