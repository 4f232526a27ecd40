//! The command that creates games.

use clap::{Args, ValueEnum};
use heliopause_proto::v1::option_info::Type;
use heliopause_proto::v1::seat_plan::Plan;
use heliopause_proto::v1::{
    AutomatedSeat, CreateGameRequest, DelegationRule, GameOptions, ListKindsRequest, OpenSeat,
    OptionWord, SeatPlan,
};
use heliopause_scenario::convert::camel;
use serde_json::{Map, Value};

use super::lobby::{commitment, keep_entropy, short_value};
use super::pace::PaceArgs;
use crate::context::Context;
use crate::engine::{Engine, once, random, request_id};
use crate::envelope::{field, in_envelope};
use crate::failure::Failure;
use crate::input::from_json;
use crate::wording;
use crate::words::say;

/// Create a game.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(after_help = include_str!("../help/new.txt"))]
pub struct NewArgs {
    /// The kind of game, as listed by `kinds`.
    pub kind: String,
    /// Title of the game.
    #[arg(long)]
    pub name: Option<String>,
    /// A rules option; repeat for more. `kinds` lists them with their defaults.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE")]
    pub option: Vec<String>,
    /// Rules options as JSON; those given with -o override them.
    #[arg(long, value_name = "JSON")]
    pub options: Option<String>,
    /// Your seat: its number, or its name as listed by `kinds` [default: by lot].
    #[arg(long, value_name = "SEAT", visible_alias = "power", conflicts_with_all = ["gm", "spectate"])]
    pub seat: Option<String>,
    /// Assign seats in order instead of by lot: yours first, then the open, reserved and automated
    /// ones.
    #[arg(long, conflicts_with = "seat")]
    pub in_order: bool,
    /// Number of open seats in addition to yours.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub open: usize,
    /// Reserve a seat for a player; repeat for more. NAME@SEAT selects the seat.
    #[arg(long, value_name = "NAME")]
    pub reserve: Vec<String>,
    /// Add an automated seat of this level (or PROFILE:LEVEL); repeat for more. LEVEL@SEAT
    /// selects the seat.
    #[arg(long, value_name = "LEVEL")]
    pub ai: Vec<String>,
    /// Level of the seats that belong to the game itself, such as the Death Star.
    #[arg(long = "automaton", value_name = "LEVEL")]
    pub always_automated: Option<String>,
    /// Join as game master instead of playing; a game master sees everything.
    #[arg(long, conflicts_with = "spectate")]
    pub gm: bool,
    /// Create the game without taking a seat.
    #[arg(long)]
    pub spectate: bool,
    /// Hide the game from lists; other players need the invite code to join.
    #[arg(long)]
    pub private: bool,
    /// Hide players' names until the game ends.
    #[arg(long)]
    pub anonymous: bool,
    /// Hide who is ready and who has submitted orders.
    #[arg(long)]
    pub hide_ready: bool,
    /// Change the players' ratings by the result. Requires that all seats are drawn by lot, and no
    /// game master.
    #[arg(long, conflicts_with_all = ["gm", "seat", "in_order"])]
    pub rated: bool,
    /// Reveal all messages once the game is over.
    #[arg(long)]
    pub open_letters: bool,
    /// Forbid `analyze` until the game is over.
    #[arg(long)]
    pub no_analysis: bool,
    /// When players can delegate their seats to automation.
    #[arg(long, value_enum)]
    pub delegation: Option<Delegation>,
    /// Start as soon as every seat is taken.
    #[arg(long)]
    pub start_when_full: bool,
    /// Add your own randomness to the dice; reveal it with `reveal` at the start (`play` does so
    /// automatically).
    #[arg(long)]
    pub entropy: bool,
    #[command(flatten)]
    pub pace: PaceArgs,
}

/// When players can delegate.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Delegation {
    /// Never.
    None = DelegationRule::None as isize,
    /// Only while on vacation.
    Absence = DelegationRule::Absence as isize,
    /// At any time.
    Free = DelegationRule::Free as isize,
}

pub async fn new(context: &Context, args: NewArgs) -> Result<(), Failure> {
    let entropy = if args.entropy { Some(random::<32>()?) } else { None };
    let engine = context.engine().await?;
    let request = CreateGameRequest {
        entropy_commitment: commitment(entropy.as_ref()),
        seats: seats(&engine, &args).await?,
        ..request(&args)?
    };
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
            say!("create-cli-client-start-then", id = id, fill = fill)
        };
        let next = say!("create-next-cli-client-play", start = start, id = id);
        format!("{}\n{next}", wording::game(style, &game))
    })
}

fn request(args: &NewArgs) -> Result<CreateGameRequest, Failure> {
    Ok(CreateGameRequest {
        kind: args.kind.clone(),
        name: heliopause_proto::text::composed(args.name.as_deref().unwrap_or_default()),
        options: game_options(&args.kind, args.options.as_deref(), &args.option)?,
        seats_in_order: args.in_order,
        pace: args.pace.pace()?,
        is_private: args.private,
        anonymous: args.anonymous,
        hide_ready: args.hide_ready,
        open_messages: args.open_letters,
        rated: args.rated,
        no_analysis: args.no_analysis,
        game_master: args.gm,
        spectate: args.spectate,
        delegation: args.delegation.map_or(0, |rule| rule as i32),
        start_when_full: args.start_when_full,
        automaton_level: args.always_automated.clone().unwrap_or_default(),
        request_id: request_id()?,
        ..CreateGameRequest::default()
    })
}

async fn seats(engine: &Engine, args: &NewArgs) -> Result<Vec<SeatPlan>, Failure> {
    let own =
        (!args.gm && !args.spectate).then_some((Plan::Open(OpenSeat {}), args.seat.as_deref()));
    let open = std::iter::repeat_n((Plan::Open(OpenSeat {}), None), args.open);
    let reserved = args.reserve.iter().map(|text| {
        let (name, seat) = with_seat(text);
        (Plan::ReservedFor(name.to_owned()), seat)
    });
    let levels = args.ai.iter().map(|text| {
        let (level, seat) = with_seat(text);
        (Plan::Automated(automated(level)), seat)
    });
    let plans: Vec<_> = own.into_iter().chain(open).chain(reserved).chain(levels).collect();
    let is_name = |seat: Option<&str>| seat.is_some_and(|seat| seat.parse::<u32>().is_err());
    let roles = if plans.iter().any(|(_, seat)| is_name(*seat)) {
        let kinds = engine.games().list_kinds(ListKindsRequest {}).await?.into_inner().kinds;
        kinds.into_iter().find(|kind| kind.kind == args.kind).unwrap_or_default().roles
    } else {
        Vec::new()
    };
    let plan = |(plan, seat): (Plan, Option<&str>)| -> Result<SeatPlan, Failure> {
        let seat = seat.map(|seat| seat_number(seat, &roles)).transpose()?;
        Ok(SeatPlan { plan: Some(plan), seat })
    };
    plans.into_iter().map(plan).collect()
}

fn with_seat(text: &str) -> (&str, Option<&str>) {
    text.rsplit_once('@').map_or((text, None), |(who, seat)| (who, Some(seat)))
}

/// Parses a seat's number, or the start of its name, ignoring case. Does not check that a seat with
/// the number exists.
pub fn seat_number(text: &str, roles: &[String]) -> Result<u32, Failure> {
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let wanted = text.trim().to_lowercase();
    let begins = |role: &&String| !wanted.is_empty() && role.to_lowercase().starts_with(&wanted);
    let named = roles.iter().filter(begins).collect::<Vec<_>>();
    let exact = roles.iter().position(|role| role.to_lowercase() == wanted);
    let unique = match named.as_slice() {
        [one] => roles.iter().position(|role| role == *one),
        _ => None,
    };
    if let Some(index) = exact.or(unique) {
        return Ok(index as u32 + 1);
    }
    Err(Failure::usage(match (roles, named.as_slice()) {
        ([], _) => say!("create-not-a-seat-number", text = text),
        (_, []) => say!("create-not-a-seat", text = text, seats = roles.join(", ")),
        (_, several) => {
            let several = several.iter().map(|role| role.as_str()).collect::<Vec<_>>();
            let several = several.join(", ");
            say!("create-matches-several-seats-write", text = text, several = several)
        }
    }))
}

/// Parses "LEVEL" or "PROFILE:LEVEL". Without a profile, the engine uses the default for the seat.
pub fn automated(text: &str) -> AutomatedSeat {
    let (profile, level) = text.split_once(':').unwrap_or(("", text));
    AutomatedSeat { profile: profile.to_owned(), level: level.to_owned(), end_time: None }
}

/// Builds the rules options of a kind of game from JSON and single settings, or `None` without
/// either.
pub fn game_options(
    kind: &str,
    json: Option<&str>,
    settings: &[String],
) -> Result<Option<GameOptions>, Failure> {
    if json.is_none() && settings.is_empty() {
        return Ok(None);
    }
    let json = json.unwrap_or("{}");
    let options: Value = serde_json::from_str(json)
        .map_err(|error| Failure::usage(say!("create-options-not-valid-json", error = error)))?;
    let mut options = in_envelope(kind, options);
    for setting in settings {
        put(&mut options[field(kind)], &spelled_out(kind, setting)?)?;
    }
    from_json("--options", &options).map(Some)
}

/// Replaces the short value of an option: "press=none" becomes "press=PRESS_RULE_NONE".
fn spelled_out(kind: &str, setting: &str) -> Result<String, Failure> {
    let as_typed = || Ok(setting.to_owned());
    let Some((key, value)) = setting.split_once('=') else { return as_typed() };
    let options = heliopause_table::registry::kind(kind).map(|kind| kind.describe().options);
    let mut options = options.unwrap_or_default().into_iter();
    let found = options.find(|option| camel(&option.name) == key || option.name == key);
    let Some(Type::Word(words)) = found.and_then(|option| option.r#type) else { return as_typed() };
    let short = value.to_lowercase();
    let is_meant =
        |known: &&OptionWord| known.value == value || short_value(&words, &known.value) == short;
    if let Some(full) = words.words.iter().find(is_meant) {
        return Ok(format!("{key}={}", full.value));
    }
    let known = words.words.iter().map(|known| short_value(&words, &known.value));
    let known = known.collect::<Vec<_>>().join(", ");
    Err(Failure::usage(say!("create-option-value", key = key, value = value, known = known)))
}

/// Sets KEY=VALUE in JSON. Dots in the key address nested messages.
fn put(options: &mut Value, setting: &str) -> Result<(), Failure> {
    let wrong = || Failure::usage(say!("create-not-option-expected-key", setting = setting));
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
    fn settings_override_json_and_reach_nested_messages() -> Result<(), Failure> {
        let mut options = json!({ "rounds": 10 });
        put(&mut options, "rounds=14")?;
        put(&mut options, "mix.dead=6")?;
        put(&mut options, "name=x")?;
        assert_eq!(options, json!({ "rounds": 14, "mix": { "dead": 6 }, "name": "x" }));
        assert!(put(&mut options, "rounds").is_err());
        Ok(())
    }

    #[test]
    fn a_short_value_of_an_option_means_the_full_one() {
        let press =
            |value: &str| game_options("diplomacy", None, &[format!("press={value}")]).unwrap();
        assert_eq!(press("none"), press("PRESS_RULE_NONE"));
        let failure = game_options("diplomacy", None, &["press=shout".into()]).unwrap_err();
        assert_eq!(
            failure.to_string(),
            "press: `shout` is unknown; expected one of full, public, none."
        );
    }

    #[test]
    fn an_unknown_option_is_reported_by_name() {
        let failure = game_options("starships-at-large", None, &["sails=3".into()]).err();
        assert!(failure.is_some_and(|failure| failure.to_string().contains("sails")));
    }

    #[test]
    fn a_seat_is_found_by_number_or_name() {
        let roles = ["Austria", "England", "Empire", "France"].map(str::to_owned);
        let number = |text: &str| seat_number(text, &roles);
        let failure = |text: &str, roles: &[String]| {
            seat_number(text, roles).err().map(|failure| failure.to_string()).unwrap_or_default()
        };
        assert_eq!(number("3").ok(), Some(3));
        assert_eq!(number("france").ok(), Some(4));
        assert_eq!(number("aus").ok(), Some(1));
        assert!(failure("E", &roles).contains("several seats: England, Empire"));
        assert!(failure("Mars", &roles).contains("Austria, England, Empire, France"));
        assert!(failure("Mars", &[]).contains("expected a seat number"));
        assert_eq!(with_seat("strong@Germany"), ("strong", Some("Germany")));
        assert_eq!(with_seat("strong"), ("strong", None));
    }

    #[test]
    fn options_are_read_with_or_without_the_envelope() {
        let options = |json: Option<&str>, settings: &[&str]| {
            let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
            game_options("star-empires", json, &settings).unwrap()
        };
        let set = options(None, &["lastTurn=8", "radius=4"]);
        assert_eq!(set, options(None, &["last_turn=8", "radius=4"]));
        assert_eq!(set, options(Some(r#"{"lastTurn": 8}"#), &["radius=4"]));
        assert_eq!(set, options(Some(r#"{"starEmpires": {"lastTurn": 8}}"#), &["radius=4"]));
    }

    #[test]
    fn automation_can_name_a_profile() {
        assert_eq!(automated("strong").level, "strong");
        assert_eq!(automated("captain:strong").profile, "captain");
    }
}
