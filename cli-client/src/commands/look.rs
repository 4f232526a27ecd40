//! Commands that show maps, views, events, explanations and rules.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use heliopause_proto::json::to_value;
use heliopause_proto::v1::{
    Decision, Event, ExplainRequest, GetHistoryResponse, GetRuleRequest, Guide, ListPhasesResponse,
    ListRulesRequest, ListRulesResponse, MapTheme, Phase, RuleHeading, Term,
};
use serde_json::{Value, json};

use super::lobby::GameArg;
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::{Failure, about};
use crate::perspective::{self, Look, Perspective, When};
use crate::render::{self, aim::MapRequest};
use crate::style::{Ink, Style};
use crate::table::Table;
use crate::terminal::Out;
use crate::words::{columns, say};
use crate::{text, wording};

/// Draw the map.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/map.txt"))]
pub struct MapArgs {
    #[command(flatten)]
    pub table: Table,
    /// Show what spectators see.
    #[arg(long)]
    pub spectator: bool,
    #[command(flatten)]
    pub when: When,
    /// Write an SVG image to this file instead (- for standard output).
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Colors of the image.
    #[arg(long, value_enum, default_value_t)]
    pub theme: Theme,
    /// Omit this layer from the image, such as labels or orders; repeat for more.
    #[arg(long, value_name = "LAYER")]
    pub hide: Vec<String>,
    /// Show only the area around this place: coordinates, or the name of a place or piece.
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    pub around: Option<String>,
    /// With --around: the distance to show, in the game's unit.
    #[arg(long, value_name = "N")]
    pub radius: Option<u32>,
    /// Show only this layer; star-empires has owners, ships, scans, storms, portals.
    #[arg(long, value_name = "LAYER")]
    pub layer: Option<String>,
}

/// The colors of an image.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Theme {
    /// Light on a dark background.
    #[default]
    Dark = MapTheme::Dark as isize,
    /// Dark on a light background.
    Light = MapTheme::Light as isize,
    /// Colors that can be distinguished with any kind of color blindness.
    ColorBlind = MapTheme::ColorBlind as isize,
}

/// Show everything visible to you.
#[derive(Debug, Args)]
pub struct ViewArgs {
    #[command(flatten)]
    pub table: Table,
    /// Show what spectators see.
    #[arg(long)]
    pub spectator: bool,
    #[command(flatten)]
    pub when: When,
}

/// Show the events of a game so far, or of one phase.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/history.txt"))]
pub struct HistoryArgs {
    #[command(flatten)]
    pub table: Table,
    /// Show the events visible to spectators.
    #[arg(long)]
    pub spectator: bool,
    #[command(flatten)]
    pub when: When,
    /// Start after this event.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    pub from: u64,
    /// Only the latest N events.
    #[arg(long, value_name = "N")]
    pub last: Option<usize>,
}

/// Explain the cause of a result.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub table: Table,
    /// The number of the event, as `history` shows it.
    pub event: u64,
}

/// Print a rule, or the index of the rules.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/rule.txt"))]
pub struct RuleArgs {
    /// The kind of game.
    pub kind: String,
    /// The number of the rule or, in games with order sheets, the first word of an order; omit it
    /// for the index.
    pub rule: Option<String>,
}

pub async fn map(context: &Context, args: MapArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let perspective = Perspective::at(&engine, &args.table, args.spectator, &args.when).await?;
    let aim = MapRequest { around: args.around, radius: args.radius, layer: args.layer };
    let Some(path) = &args.svg else {
        let map = perspective.map(&engine, &aim, &context.plain()).await?;
        return context.answer_value(&json!({ "map": map }), |_| map.clone());
    };
    let theme = MapTheme::try_from(args.theme as i32).unwrap_or_default();
    let look = Look { theme, hidden: args.hide };
    let picture = perspective.picture(&engine, &aim, &look).await?;
    write(context, path, &picture, "svg", "map")
}

/// Writes an image or a page to a file, or to standard output for `-`.
pub fn write(
    context: &Context,
    path: &Path,
    written: &str,
    format: &str,
    what: &str,
) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return Out::Stdout.document(written);
    }
    std::fs::write(path, written).map_err(|error| about(path, &error))?;
    context.answer_value(&json!({ format: path }), |_| {
        say!("look-saved", what = what, path = path.display())
    })
}

/// Prints everything visible to the viewer.
pub async fn view(context: &Context, args: ViewArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let perspective = Perspective::at(&engine, &args.table, args.spectator, &args.when).await?;
    let response = perspective.view(&engine).await?;
    context.answer(&response, |style| {
        let view = response.view.as_ref().map(to_value).unwrap_or_default();
        let mut text = outline(&crate::envelope::inner(view), 0);
        if let Some(decision) = &response.decision {
            text = format!("{text}\n{}", wording::decision(style, decision));
        }
        text
    })
}

pub async fn phases(context: &Context, args: GameArg) -> Result<(), Failure> {
    let phases = perspective::phases(&context.engine().await?, &args.game).await?;
    let response = ListPhasesResponse { phases, next_page_token: String::new() };
    context.answer(&response, |style| phase_lines(style, &response.phases))
}

pub fn phase_lines(style: &Style, phases: &[Phase]) -> String {
    let row = |phase: &Phase| {
        let start = phase.start_time.as_ref().map(text::moment).unwrap_or_default();
        vec![phase.number.to_string(), text::harmless(&phase.title), start]
    };
    text::table(style, &columns("phases-columns"), &phases.iter().map(row).collect::<Vec<_>>())
}

fn outline(value: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let small = |value: &Value| {
        value.to_string().len() <= 90
            && !matches!(value, Value::Object(o) if depth == 0 && !o.is_empty())
    };
    match value {
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| match value {
                Value::Object(_) | Value::Array(_) if !small(value) => {
                    format!("{indent}{name}:\n{}", outline(value, depth + 1))
                }
                value => format!("{indent}{name}: {}", compact(value)),
            };
            fields.iter().map(field).collect::<Vec<_>>().join("\n")
        }
        Value::Array(items) => {
            let item = |item: &Value| {
                if small(item) {
                    format!("{indent}- {}", compact(item))
                } else {
                    format!("{indent}-\n{}", outline(item, depth + 1))
                }
            };
            items.iter().map(item).collect::<Vec<_>>().join("\n")
        }
        other => format!("{indent}{}", compact(other)),
    }
}

fn compact(value: &Value) -> String {
    value.to_string().replace('"', "").replace(',', ", ").replace(':', ": ")
}

pub async fn history(context: &Context, args: HistoryArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let perspective = Perspective::at(&engine, &args.table, args.spectator, &args.when).await?;
    let mut events = perspective.events(&engine, args.from).await?;
    if let Some(last) = args.last {
        events.drain(..events.len().saturating_sub(last));
    }
    let response = GetHistoryResponse { events, next_page_token: String::new() };
    context.answer(&response, |style| lines(style, &response.events))
}

/// Formats events, one per line.
pub fn lines(style: &Style, events: &[Event]) -> String {
    if events.is_empty() {
        return say!("look-no-events-yet");
    }
    events.iter().map(|event| wording::event(style, event)).collect::<Vec<_>>().join("\n")
}

pub async fn explain(context: &Context, args: ExplainArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let text = explanation(&context.style, &engine, &args.table, args.event).await?;
    context.answer(&text.0, |_| text.1)
}

/// Fetches the explanation of an event. Returns the engine's response, and its text for people.
pub async fn explanation(
    style: &Style,
    engine: &Engine,
    table: &Table,
    event: u64,
) -> Result<(heliopause_proto::v1::ExplainResponse, String), Failure> {
    let request = ExplainRequest { game_id: table.game.clone(), seat: table.seat, event };
    let response = engine.games().explain(request).await?.into_inner();
    let mut text: Vec<String> =
        response.event.iter().map(|event| wording::event(style, event)).collect();
    if let Some(rule) = &response.rule {
        text.push(rule_text(style, &rule.number, &rule.text));
    }
    if !response.same_step.is_empty() {
        text.push(style.paint(say!("look-same-step"), Ink::Faint));
        text.push(lines(style, &response.same_step));
    }
    Ok((response, text.join("\n")))
}

/// Prints a rule, or the index of the rules.
pub async fn rule(context: &Context, args: RuleArgs) -> Result<(), Failure> {
    let Some(rule) = args.rule else {
        let index = index(&context.engine().await?, args.kind).await?;
        return context.answer(&index, |style| index_text(style, &index));
    };
    if let Some(help) = render::help(&args.kind, &rule) {
        return context.answer_value(&json!({ "help": help }), |_| help.clone());
    }
    if let Some(term) = term(&context.engine().await?, &args.kind, &rule).await? {
        return context.answer(&term, |style| term_text(style, &term));
    }
    let request = GetRuleRequest { kind: args.kind, rule };
    let response = context.engine().await?.games().get_rule(request).await?.into_inner();
    context.answer(&response, |style| {
        let rule = response.rule.as_ref();
        rule.map(|rule| rule_text(style, &rule.number, &rule.text)).unwrap_or_default()
    })
}

/// Returns help on an order or table, the meaning of a term, the text of a rule, or the index if
/// `rule` is empty. Returns an error if the rule does not exist.
pub async fn ruling(
    style: &Style,
    engine: &Engine,
    kind: &str,
    rule: &str,
) -> Result<String, Failure> {
    if rule.is_empty() {
        return Ok(index_text(style, &index(engine, kind.to_owned()).await?));
    }
    if let Some(help) = render::help(kind, rule) {
        return Ok(help);
    }
    if let Some(term) = term(engine, kind, rule).await? {
        return Ok(term_text(style, &term));
    }
    let request = GetRuleRequest { kind: kind.to_owned(), rule: rule.to_owned() };
    let rule = engine.games().get_rule(request).await?.into_inner().rule.unwrap_or_default();
    Ok(rule_text(style, &rule.number, &rule.text))
}

async fn index(engine: &Engine, kind: String) -> Result<ListRulesResponse, Failure> {
    let request = ListRulesRequest { kind, without_rules: false };
    Ok(engine.games().list_rules(request).await?.into_inner())
}

/// Returns the terms and guides of a game.
async fn terms(engine: &Engine, kind: &str) -> Result<ListRulesResponse, Failure> {
    let request = ListRulesRequest { kind: kind.to_owned(), without_rules: true };
    Ok(engine.games().list_rules(request).await?.into_inner())
}

/// Returns a term by its word or its long form, in any case. The number of a rule is not a term.
async fn term(engine: &Engine, kind: &str, word: &str) -> Result<Option<Term>, Failure> {
    if word.contains(|sign: char| sign.is_ascii_digit()) {
        return Ok(None);
    }
    let terms = terms(engine, kind).await?.terms;
    Ok(terms.into_iter().find(|term| {
        [&term.term, &term.name].iter().any(|name| name.to_lowercase() == word.to_lowercase())
    }))
}

fn term_text(style: &Style, term: &Term) -> String {
    let Term { term: word, name, meaning, rule } = term;
    let mut heading = style.paint(word, Ink::Heading);
    if name != word {
        heading = format!("{heading} {name}");
    }
    let rule = if rule.is_empty() { String::new() } else { format!(" (rule {rule})") };
    format!("{heading}\n{}", text::wrap(&format!("{meaning}{rule}"), style.width.min(100), 0))
}

/// Returns the guide for a decision.
pub async fn guide(
    engine: &Engine,
    kind: &str,
    decision: &Decision,
) -> Result<Option<String>, Failure> {
    let applies = |guide: &Guide| {
        guide.decision == decision.kind && decision.prompt.starts_with(&guide.prompt)
    };
    let guide = terms(engine, kind).await?.guides.into_iter().find(applies);
    Ok(guide.map(|Guide { text, end, .. }| format!("{text} {end}").trim_end().to_owned()))
}

fn index_text(style: &Style, index: &ListRulesResponse) -> String {
    let width = index.rules.iter().map(|rule| rule.number.len()).max().unwrap_or(0) + 2;
    let line = |rule: &RuleHeading| {
        let RuleHeading { number, heading, .. } = rule;
        let line = text::wrap(&format!("{number:width$}{heading}"), style.width.min(100), width);
        format!("{}{}", style.paint(number, Ink::Heading), &line[number.len()..])
    };
    index.rules.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn rule_text(style: &Style, number: &str, text: &str) -> String {
    let heading = style.paint(say!("look-rule", number = number), Ink::Heading);
    format!("{heading}\n{}", text::wrap(text, style.width.min(100), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_shows_small_values_in_one_line() {
        let value = json!({ "round": 3, "hex": [{ "q": 1, "r": -1 }] });
        assert_eq!(outline(&value, 0), "hex: [{q: 1, r: -1}]\nround: 3");
    }
}
