//! Making a game.

use clap::{Args, ValueEnum};
use heliopause_proto::v1::seat_plan::Plan;
use heliopause_proto::v1::{
    AutomatedSeat, CreateGameRequest, DelegationRule, GameOptions, OpenSeat, SeatPlan,
};
use serde_json::{Map, Value};

use super::lobby::{commitment, keep_entropy};
use super::pace::PaceArgs;
use crate::context::Context;
use crate::engine::{once, random, request_id};
use crate::envelope::in_envelope;
use crate::failure::Failure;
use crate::input::from_json;
use crate::wording;

/// Make a new game.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(after_help = "\
You take the first seat, unless --gm or --spectate. Then come the open seats, the kept ones, the \
automated ones.

Examples:
  cli-client new starships-at-large --ai strong --ai standard
  cli-client new starships-at-large --open 2 --reserve Bob --deadline 24h --at 20:00 --missed automate
  cli-client new starships-at-large --open 3 --private --anonymous -o rounds=14 -o mix.dead=6
  cli-client new starships-at-large --gm --open 4 --options '{\"rounds\": 10}'")]
pub struct NewArgs {
    /// The kind of game, as `kinds` lists them.
    pub kind: String,
    /// A name for people.
    #[arg(long)]
    pub name: Option<String>,
    /// An option of the rules; repeat for more. `kinds` lists them with their defaults.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE")]
    pub option: Vec<String>,
    /// Options of the rules as JSON; single ones given with -o are put over it.
    #[arg(long, value_name = "JSON")]
    pub options: Option<String>,
    /// So many seats for anybody, beside your own.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub open: usize,
    /// Keep a seat for a player; repeat for more.
    #[arg(long, value_name = "NAME")]
    pub reserve: Vec<String>,
    /// A seat for automation of this level (or PROFILE:LEVEL); repeat for more.
    #[arg(long, value_name = "LEVEL")]
    pub ai: Vec<String>,
    /// The level of the seats that the game itself owns, such as the Death Star.
    #[arg(long, value_name = "LEVEL")]
    pub automaton: Option<String>,
    /// You become its game master: you see everything and play nothing.
    #[arg(long, conflicts_with = "spectate")]
    pub gm: bool,
    /// You take no seat.
    #[arg(long)]
    pub spectate: bool,
    /// List it only for those who are in it; others need the invite code.
    #[arg(long)]
    pub private: bool,
    /// Hide players' names until it ends.
    #[arg(long)]
    pub anonymous: bool,
    /// Tell nobody who is ready and who has ordered.
    #[arg(long)]
    pub hide_ready: bool,
    /// Let everybody read all letters once the game is over.
    #[arg(long)]
    pub open_letters: bool,
    /// When players may hand their seats to automation.
    #[arg(long, value_enum)]
    pub delegation: Option<Delegation>,
    /// Start as soon as no seat is open.
    #[arg(long)]
    pub start_when_full: bool,
    /// Add randomness of your own to the dice; reveal it with `reveal` at the start (`play` does
    /// that for you).
    #[arg(long)]
    pub entropy: bool,
    #[command(flatten)]
    /// How fast it is played.
    pub pace: PaceArgs,
}

/// When players may delegate.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Delegation {
    /// Never.
    None,
    /// Only while on vacation.
    Absence,
    /// Whenever they like.
    Free,
}

/// Makes a game.
pub async fn new(context: &Context, args: NewArgs) -> Result<(), Failure> {
    let entropy = if args.entropy { Some(random::<32>()?) } else { None };
    let request =
        CreateGameRequest { entropy_commitment: commitment(entropy.as_ref()), ..request(&args)? };
    let engine = context.engine().await?;
    let response = once(request, async |request| engine.games().create_game(request).await).await?;
    let game = response.game.clone().unwrap_or_default();
    keep_entropy(context, &game.game_id, entropy.as_ref())?;
    context.answer(&response, |style| {
        let id = &game.game_id;
        let is_open = game.seats.iter().any(|seat| wording::occupant(seat) == "open");
        let fill = if is_open { " --fill strong" } else { "" };
        let start = if args.start_when_full {
            String::new()
        } else {
            format!("cli-client start {id}{fill}, then ")
        };
        format!("{}\nNext: {start}cli-client play {id}", wording::game(style, &game))
    })
}

fn request(args: &NewArgs) -> Result<CreateGameRequest, Failure> {
    Ok(CreateGameRequest {
        kind: args.kind.clone(),
        name: heliopause_text::composed(args.name.as_deref().unwrap_or_default()),
        options: game_options(&args.kind, args.options.as_deref(), &args.option)?,
        seats: seats(args),
        pace: args.pace.pace()?,
        is_private: args.private,
        anonymous: args.anonymous,
        hide_ready: args.hide_ready,
        open_letters: args.open_letters,
        game_master: args.gm,
        spectate: args.spectate,
        delegation: match args.delegation {
            None => DelegationRule::Unspecified,
            Some(Delegation::None) => DelegationRule::None,
            Some(Delegation::Absence) => DelegationRule::Absence,
            Some(Delegation::Free) => DelegationRule::Free,
        }
        .into(),
        start_when_full: args.start_when_full,
        automaton_level: args.automaton.clone().unwrap_or_default(),
        request_id: request_id()?,
        ..CreateGameRequest::default()
    })
}

/// The players' seats: the creator's own, then open, kept and automated ones.
fn seats(args: &NewArgs) -> Vec<SeatPlan> {
    let own = usize::from(!args.gm && !args.spectate);
    let open = std::iter::repeat_n(Plan::Open(OpenSeat {}), own + args.open);
    let reserved = args.reserve.iter().cloned().map(Plan::ReservedFor);
    let automated = args.ai.iter().map(|level| Plan::Automated(automated(level)));
    open.chain(reserved).chain(automated).map(|plan| SeatPlan { plan: Some(plan) }).collect()
}

/// Automation from "LEVEL" or "PROFILE:LEVEL"; without a profile the engine takes the seat's own.
pub fn automated(text: &str) -> AutomatedSeat {
    let (profile, level) = text.split_once(':').unwrap_or(("", text));
    AutomatedSeat { profile: profile.to_owned(), level: level.to_owned(), end_time: None }
}

/// The rules options from JSON and single settings, as the message of the kind of game.
pub fn game_options(
    kind: &str,
    json: Option<&str>,
    settings: &[String],
) -> Result<Option<GameOptions>, Failure> {
    if json.is_none() && settings.is_empty() {
        return Ok(None);
    }
    let json = json.unwrap_or("{}");
    let mut options: Value = serde_json::from_str(json)
        .map_err(|error| Failure::usage(format!("--options: {error}.")))?;
    for setting in settings {
        put(&mut options, setting)?;
    }
    from_json("The options", &in_envelope(kind, options)).map(Some)
}

/// Puts a KEY=VALUE setting into JSON; a key with dots goes into a message inside.
fn put(options: &mut Value, setting: &str) -> Result<(), Failure> {
    let wrong = || {
        Failure::usage(format!("`{setting}` is no option; write KEY=VALUE, for example rounds=14."))
    };
    let (key, value) = setting.split_once('=').ok_or_else(wrong)?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
    let mut place = options;
    let mut names = key.split('.').peekable();
    while let Some(name) = names.next() {
        let object = place.as_object_mut().ok_or_else(wrong)?;
        place = object.entry(name).or_insert_with(|| Value::Object(Map::new()));
        if names.peek().is_none() {
            *place = value;
            return Ok(());
        }
    }
    Err(wrong())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_go_over_json_and_into_messages() -> Result<(), Failure> {
        let mut options = json!({ "rounds": 10 });
        put(&mut options, "rounds=14")?;
        put(&mut options, "mix.dead=6")?;
        put(&mut options, "name=x")?;
        assert_eq!(options, json!({ "rounds": 14, "mix": { "dead": 6 }, "name": "x" }));
        assert!(put(&mut options, "rounds").is_err());
        Ok(())
    }

    #[test]
    fn an_unknown_option_is_told_by_name() {
        let failure = game_options("starships-at-large", None, &["sails=3".into()]).err();
        assert!(failure.is_some_and(|failure| failure.to_string().contains("sails")));
    }

    #[test]
    fn automation_may_name_a_profile() {
        assert_eq!(automated("strong").level, "strong");
        assert_eq!(automated("captain:strong").profile, "captain");
    }
}
