//! Looking: maps, views, history, explanations, rules.

use std::path::PathBuf;

use clap::Args;
use heliopause_proto::json;
use heliopause_proto::v1::{Event, ExplainRequest, GetHistoryResponse, GetRuleRequest};
use serde_json::Value;

use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::failure::about;
use crate::render::{self, aim::Aim};
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::{text, wording};

/// Draw the map.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cli-client map GAME\n  cli-client map GAME --svg map.svg\n  \
        cli-client map GAME --spectator\n  \
                  cli-client map GAME --around Ember --radius 3\n  cli-client map GAME --around \
                  2,-1 --layer scans")]
pub struct MapArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// See what spectators see.
    #[arg(long)]
    pub spectator: bool,
    /// Write an SVG picture to this file instead (- for standard output).
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Show only what is around a place: coordinates, or the name of something there.
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    pub around: Option<String>,
    /// How far from there.
    #[arg(long, value_name = "N")]
    pub radius: Option<u32>,
    /// Show only this; star-empires has owners, ships, scans, storms, portals.
    #[arg(long, value_name = "LAYER")]
    pub layer: Option<String>,
}

/// All that you may know.
#[derive(Debug, Args)]
pub struct ViewArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// See what spectators see.
    #[arg(long)]
    pub spectator: bool,
}

/// What happened so far.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cli-client history GAME --last 20\n  cli-client history GAME --from \
        100 --json"
)]
pub struct HistoryArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// See what spectators were told.
    #[arg(long)]
    pub spectator: bool,
    /// Begin after this event.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    pub from: u64,
    /// Only so many, the latest.
    #[arg(long, value_name = "N")]
    pub last: Option<usize>,
}

/// Why a result came out so.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// The number of the event, as `history` shows it.
    pub event: u64,
}

/// The text of a rule.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cli-client rule starships-at-large 4.2\n  cli-client rule \
        star-empires MOVE    how that order is written")]
pub struct RuleArgs {
    /// The kind of game.
    pub kind: String,
    /// The number of the rule, or in games with order sheets the first word of an order.
    pub rule: String,
}

/// Draws the map.
pub async fn map(context: &Context, args: MapArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let response = table::fetch(&engine, &args.table, args.spectator).await?;
    let game = table::game(&engine, &args.table.game).await?;
    let no_map = || {
        Failure::failed("This client has no map for this game.")
            .advise("`cli-client view GAME` shows all as text.")
    };
    let view = response.view.as_ref().ok_or_else(no_map)?;
    let told = table::last_events(&engine, &args.table, args.spectator, &response).await?;
    let mut drawing = render::drawing_after(view, &game, &told).ok_or_else(no_map)?;
    let aim = Aim { around: args.around, radius: args.radius, layer: args.layer };
    if !aim.is_empty() {
        drawing = drawing.aimed(&aim).map_err(Failure::failed)?;
    }
    match &args.svg {
        None => context.answer(&response, |style| drawing.text(style)),
        Some(path) if path.as_os_str() == "-" => crate::context::print(&drawing.svg()),
        Some(path) => {
            std::fs::write(path, drawing.svg()).map_err(|error| about(path, &error))?;
            context.answer_value(&serde_json::json!({ "svg": path }), |_| {
                format!("The map is in {}.", path.display())
            })
        }
    }
}

/// Shows all that the viewer may know.
pub async fn view(context: &Context, args: ViewArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let response = table::fetch(&engine, &args.table, args.spectator).await?;
    context.answer(&response, |style| {
        let view = response.view.as_ref().map(json::to_value).unwrap_or_default();
        let mut text = outline(&crate::envelope::inner(view), 0);
        if let Some(decision) = &response.decision {
            text = format!("{text}\n{}", wording::decision(style, decision));
        }
        text
    })
}

/// JSON as indented text, one field a line.
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

/// Short JSON without its quotes.
fn compact(value: &Value) -> String {
    value.to_string().replace('"', "").replace(',', ", ").replace(':', ": ")
}

/// Shows what happened.
pub async fn history(context: &Context, args: HistoryArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let mut events = table::events(&engine, &args.table, args.spectator, args.from).await?;
    if let Some(last) = args.last {
        events.drain(..events.len().saturating_sub(last));
    }
    let response = GetHistoryResponse { events, next_page_token: String::new() };
    context.answer(&response, |style| lines(style, &response.events))
}

/// Events as lines.
pub fn lines(style: &Style, events: &[Event]) -> String {
    if events.is_empty() {
        return "Nothing happened yet.".into();
    }
    events.iter().map(|event| wording::event(style, event)).collect::<Vec<_>>().join("\n")
}

/// Explains an event.
pub async fn explain(context: &Context, args: ExplainArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let text = explanation(&context.style, &engine, &args.table, args.event).await?;
    context.answer(&text.0, |_| text.1)
}

/// Why an event came out so: the answer, and the same in words.
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
        text.push(style.paint("In the same step:", Ink::Faint));
        text.push(lines(style, &response.same_step));
    }
    Ok((response, text.join("\n")))
}

/// Shows a rule.
pub async fn rule(context: &Context, args: RuleArgs) -> Result<(), Failure> {
    if let Some(help) = render::help(&args.kind, &args.rule) {
        return context.answer_value(&serde_json::json!({ "help": help }), |_| help.clone());
    }
    let request = GetRuleRequest { kind: args.kind, rule: args.rule };
    let response = context.engine().await?.games().get_rule(request).await?.into_inner();
    context.answer(&response, |style| {
        response
            .rule
            .as_ref()
            .map(|rule| rule_text(style, &rule.number, &rule.text))
            .unwrap_or_default()
    })
}

/// A rule under its number.
pub fn rule_text(style: &Style, number: &str, text: &str) -> String {
    let heading = style.paint(format!("Rule {number}"), Ink::Heading);
    format!("{heading}\n{}", text::wrap(text, style.width.min(100), 0))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_outline_shows_small_things_in_one_line() {
        let value = json!({ "round": 3, "hex": [{ "q": 1, "r": -1 }] });
        assert_eq!(outline(&value, 0), "hex: [{q: 1, r: -1}]\nround: 3");
    }
}
