//! Commands for results, ratings and one's own data.

use clap::{Args, Subcommand, ValueEnum};
use heliopause_client::all_pages;
use heliopause_proto::text::composed;
use heliopause_proto::v1::leaderboard_entry::Who;
use heliopause_proto::v1::*;

use super::account::describe;
use super::sign_in;
use crate::context::{Context, escaped_json};
use crate::failure::Failure;
use crate::profile::Account;
use crate::style::Style;
use crate::terminal::Out;
use crate::text::{duration, from_proto, harmless, table};
use crate::wording;
use crate::words::{Number, columns, say};

/// The number of ratings in the line of history.
const HISTORY: usize = 32;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Show results and ratings.
#[derive(Debug, Args)]
pub struct ProfileArgs {
    /// The player's name or id [default: you].
    pub player: Option<String>,
}

/// List the best players and levels of automation.
#[derive(Debug, Args)]
pub struct LeaderboardArgs {
    /// The kind of game, as listed by `kinds`.
    pub kind: String,
    /// The number of seats. Required if the kind has games of both sizes.
    #[arg(long, value_enum)]
    pub seats: Option<Seats>,
}

/// The number of seats of a leaderboard.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Seats {
    /// Two seats.
    Two = LadderSize::Two as isize,
    /// Three or more seats.
    Several = LadderSize::Several as isize,
}

/// Manage your account.
#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("../help/account.txt"))]
pub enum AccountCommand {
    /// Change your name, at most once a day.
    Rename {
        /// The new name, as for `register`.
        name: String,
    },
    /// List your sign-in methods.
    Methods,
    /// Add an email address, to which the engine sends a code.
    AddMail {
        /// The email address.
        address: String,
    },
    /// Remove a sign-in method.
    Remove {
        /// The method's id, as `account methods` shows it.
        id: String,
        /// Remove it even if only your tokens remain.
        #[arg(long)]
        yes: bool,
    },
    /// Create recovery codes, shown only once; they replace earlier ones.
    RecoveryCodes,
    /// Choose what others see in your profile.
    Privacy {
        /// Your results, reliability and favorites.
        #[arg(long, value_enum)]
        results: Option<Shown>,
        /// Your ratings, also in leaderboards.
        #[arg(long, value_enum)]
        ratings: Option<Shown>,
        /// Your games, in searches. Hidden results hide them, too.
        #[arg(long, value_enum)]
        games: Option<Shown>,
        /// Your name in lists of spectators.
        #[arg(long, value_enum)]
        watching: Option<Shown>,
    },
    /// Print all data that the engine stores about you, as JSON lines.
    Export,
    /// Delete your account. Automation takes your seats.
    Delete {
        /// Your name, as confirmation: this cannot be undone.
        #[arg(long, value_name = "NAME")]
        confirm: String,
    },
}

/// Whether others see something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shown {
    /// Others see it.
    Show,
    /// Only you see it.
    Hide,
}

pub async fn profile(context: &Context, args: ProfileArgs) -> Result<(), Failure> {
    let request = GetProfileRequest { player: args.player.unwrap_or_default() };
    let response = context.engine().await?.profiles().get_profile(request).await?.into_inner();
    context.answer(&response, |style| {
        response.profile.as_ref().map(|profile| told(style, profile)).unwrap_or_default()
    })
}

fn told(style: &Style, profile: &Profile) -> String {
    let mut parts = Vec::new();
    parts.extend(profile.player.as_ref().map(|player| describe(style, player)));
    parts.extend(profile.reliability.as_ref().map(reliability));
    parts.extend(profile.head_to_head.as_ref().map(|between| {
        let HeadToHead { won, drawn, lost } = between;
        say!("profile-against-better-times-equal", won = won, drawn = drawn, lost = lost)
    }));
    if profile.results.is_empty() {
        // Hidden results hide the reliability, too.
        parts.push(if profile.reliability.is_some() {
            say!("profile-no-results-yet")
        } else {
            say!("profile-results-hidden")
        });
        return parts.join("\n");
    }
    let rows: Vec<Vec<String>> = profile.results.iter().map(|one| result(style, one)).collect();
    parts.push(table(style, &columns("results-columns"), &rows));
    for one in profile.results.iter().filter(|one| !one.favourites.is_empty()) {
        let favourites = one.favourites.iter().map(favourite).collect::<Vec<_>>().join("; ");
        parts.push(say!("profile-favorites", kind = one.kind, favourites = favourites));
    }
    parts.join("\n")
}

fn reliability(reliability: &Reliability) -> String {
    let Reliability { answered, missed, median_time } = reliability;
    match median_time.as_ref().map(|median| duration(from_proto(median))) {
        Some(median) => say!(
            "profile-reliability-median",
            count = Number(*answered),
            median = median,
            missed = missed
        ),
        None => say!("profile-reliability", count = Number(*answered), missed = missed),
    }
}

fn result(style: &Style, one: &LadderResult) -> Vec<String> {
    let seats = match one.size() {
        LadderSize::One => "1",
        LadderSize::Two => "2",
        LadderSize::Several | LadderSize::Unspecified => "3+",
    };
    let rating = one.rating.as_ref().map(|one| rating(style, one)).unwrap_or_default();
    let numbers = [one.won, one.drawn, one.lost, one.abandoned].map(|number| number.to_string());
    let mut row = vec![one.kind.clone(), seats.to_owned()];
    row.extend(numbers);
    let history = if style.unicode { history(&one.history) } else { String::new() };
    row.extend([rating, history]);
    row
}

/// Formats a rating, for example "1612 ± 45". A question mark means that it is provisional.
fn rating(style: &Style, rating: &Rating) -> String {
    let doubt = if rating.provisional { "?" } else { "" };
    let spread = style.symbol("±", "+-");
    format!("{:.0}{doubt} {spread} {:.0}", rating.value, rating.deviation)
}

fn history(samples: &[RatingSample]) -> String {
    let latest = &samples[samples.len().saturating_sub(HISTORY)..];
    let values = || latest.iter().map(|sample| sample.value);
    let (low, high) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
    let bar = |value: f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        BARS[(share * 7.0).round() as usize]
    };
    values().map(bar).collect()
}

fn favourite(one: &Favourite) -> String {
    let names = [&one.role, &one.opening].map(|name| harmless(name));
    let name = names.iter().filter(|name| !name.is_empty()).cloned().collect::<Vec<_>>();
    say!(
        "profile-favorite",
        name = name.join(": "),
        count = Number(one.games as usize),
        won = one.won
    )
}

pub async fn leaderboard(context: &Context, args: LeaderboardArgs) -> Result<(), Failure> {
    let request = ListLeaderboardRequest {
        kind: args.kind,
        size: args.seats.map_or(0, |seats| seats as i32),
        ..ListLeaderboardRequest::default()
    };
    let engine = context.engine().await?;
    let entries = all_pages!(engine.profiles(), list_leaderboard, request, entries);
    let response = ListLeaderboardResponse { entries, ..ListLeaderboardResponse::default() };
    context.answer(&response, |style| {
        let row = |(rank, entry): (usize, &LeaderboardEntry)| {
            let who = match &entry.who {
                Some(Who::Player(player)) => harmless(&player.name),
                Some(Who::Automated(by)) => wording::automated(by),
                None => String::new(),
            };
            let rated = entry.rating.unwrap_or_default();
            let numbers = [rated.games, entry.won, entry.drawn].map(|number| number.to_string());
            let mut row = vec![rank.to_string(), who, rating(style, &rated)];
            row.extend(numbers);
            row
        };
        if response.entries.is_empty() {
            return say!("profile-no-rating-certain-yet");
        }
        let rows: Vec<Vec<String>> = (1..).zip(&response.entries).map(row).collect();
        table(style, &columns("leaderboard-columns"), &rows)
    })
}

pub async fn account(context: &mut Context, command: AccountCommand) -> Result<(), Failure> {
    let mut profiles = context.engine().await?.profiles();
    match command {
        AccountCommand::Rename { name } => {
            let request = RenameMeRequest { name: composed(&name) };
            let response = profiles.rename_me(request).await?;
            let name = response.get_ref().player.clone().unwrap_or_default().name;
            if let Some(account) =
                context.account().cloned().filter(|_| !context.has_external_token())
            {
                context.keep(Account { name: name.clone(), ..account })?;
            }
            context.answer(response.get_ref(), |_| say!("profile-name", name = harmless(&name)))
        }
        AccountCommand::Methods => sign_in::list_methods(context).await,
        AccountCommand::AddMail { address } => sign_in::add_mail(context, address).await,
        AccountCommand::Remove { id, yes } => sign_in::remove_method(context, id, yes).await,
        AccountCommand::RecoveryCodes => sign_in::create_recovery_codes(context).await,
        AccountCommand::Privacy { results, ratings, games, watching } => {
            let own = GetProfileRequest::default();
            let known = profiles.get_profile(own).await?.into_inner().profile.unwrap_or_default();
            let known = known.privacy.unwrap_or_default();
            let hides = |shown: Option<Shown>, known| shown.map_or(known, |one| one == Shown::Hide);
            let privacy = Privacy {
                hide_results: hides(results, known.hide_results),
                hide_ratings: hides(ratings, known.hide_ratings),
                hide_games: hides(games, known.hide_games),
                hide_watching: hides(watching, known.hide_watching),
            };
            let request = SetPrivacyRequest { privacy: Some(privacy) };
            let response = profiles.set_privacy(request).await?;
            let seen =
                |hidden| if hidden { say!("profile-only-you") } else { say!("profile-everyone") };
            context.answer(response.get_ref(), |_| {
                say!(
                    "profile-visible",
                    results = seen(privacy.hide_results),
                    ratings = seen(privacy.hide_ratings),
                    games = seen(privacy.hide_games || privacy.hide_results),
                    watching = if privacy.hide_watching {
                        say!("profile-nobody")
                    } else {
                        say!("profile-everyone")
                    },
                )
            })
        }
        AccountCommand::Export => {
            let mut lines = profiles.export_my_data(ExportMyDataRequest {}).await?.into_inner();
            while let Some(part) = lines.message().await? {
                Out::Stdout.line(&escaped_json(&part.line))?;
            }
            Ok(())
        }
        AccountCommand::Delete { confirm } => {
            let request = DeleteMeRequest { name: composed(&confirm) };
            let response = profiles.delete_me(request).await?;
            context.forget()?;
            context.done(&response, &say!("profile-account-deleted"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_show_results_ratings_and_favorites() {
        let sample = |value| RatingSample { value, ..RatingSample::default() };
        let profile = Profile {
            results: vec![LadderResult {
                kind: "diplomacy".to_owned(),
                size: LadderSize::Several.into(),
                won: 3,
                rating: Some(Rating {
                    value: 1612.4,
                    deviation: 120.0,
                    provisional: true,
                    games: 5,
                }),
                history: vec![sample(1500.0), sample(1550.0), sample(1612.4)],
                favourites: vec![Favourite {
                    role: "Austria".to_owned(),
                    opening: "A Vie-Gal".to_owned(),
                    games: 2,
                    won: 1,
                }],
                ..LadderResult::default()
            }],
            reliability: Some(Reliability { answered: 7, missed: 1, median_time: None }),
            head_to_head: Some(HeadToHead { won: 1, drawn: 2, lost: 3 }),
            ..Profile::default()
        };
        let told = told(&Style { unicode: true, ..Style::PLAIN }, &profile);
        for expected in [
            "7 decisions answered in time; deadlines missed: 1.",
            "you were better 1 times, equal 2, worse 3",
            "1612? ± 120",
            "▁▄█",
            "Austria: A Vie-Gal (2 games, won 1)",
        ] {
            assert!(told.contains(expected), "{expected}: {told}");
        }
    }

    #[test]
    fn hidden_results_differ_from_none() {
        let profile = Profile::default();
        assert_eq!(told(&Style::PLAIN, &profile), "The player hides the results.");
        let profile = Profile { reliability: Some(Reliability::default()), ..profile };
        assert!(told(&Style::PLAIN, &profile).ends_with("No results yet."));
    }

    #[test]
    fn histories_of_one_rating_are_flat() {
        assert_eq!(history(&[]), "");
        assert_eq!(history(&[RatingSample::default()]), "▅");
    }
}
