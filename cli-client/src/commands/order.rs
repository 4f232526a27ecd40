//! Ordering.

use std::path::PathBuf;

use clap::Args;
use heliopause_proto::json;
use heliopause_proto::v1::{
    GameOrder, Orders, SetReadyRequest, SetWaitRequest, SubmitOrdersRequest,
    ValidateOrdersResponse, Verdict,
};

use super::sheet;
use super::warned::heed;
use crate::context::Context;
use crate::engine::{Engine, once, request_id};
use crate::envelope::in_envelope;
use crate::failure::Failure;
use crate::input::from_json;
use crate::menu::{Line, Menu};
use crate::render;
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::text::{count, table};
use crate::wording;

/// What you may order now.
#[derive(Debug, Args)]
pub struct OptionsArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// Only choices that hold this text.
    pub search: Option<String>,
}

/// Orders on the command line.
#[derive(Clone, Debug, Args)]
pub struct OrderInput {
    /// Orders in the notation of the game, one each; `options` shows examples.
    #[arg(value_name = "ORDER")]
    pub text: Vec<String>,
    /// Read orders from a file, one a line (- for standard input).
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The choice with this number in `options`; repeat for more.
    #[arg(long, value_name = "N")]
    pub pick: Vec<usize>,
    /// An order as JSON, in the words of the contract's GameOrder message; repeat for more.
    #[arg(long, value_name = "JSON")]
    pub typed: Vec<String>,
}

/// Give orders.
#[derive(Debug, Args)]
#[command(after_help = "\
Orders are taken in turn, and are durable when this command succeeds. Orders that are kept until
the phase closes are taken all or none. Of orders that are resolved at once those before the first
refused one stay, for no reveal and no die is taken back: then the command fails, and says how many
were taken and why the next was not. In games with order sheets one text is the whole sheet: it
replaces the stored one, unless you --add to it. `validate` tells beforehand what a check finds.

If an order leaves something undone or risks it, you are asked before it is given. A script is
refused, unless it says --yes.

Examples:
  cli-client orders GAME                    the stored sheet, in games that have one
  cli-client orders GAME --pick 3
  cli-client orders GAME \"end turn\"
  cli-client orders GAME --file orders.txt --ready
  echo \"end turn\" | cli-client orders GAME --file -")]
pub struct OrdersArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    #[command(flatten)]
    /// The orders.
    pub orders: OrderInput,
    /// Mark yourself ready too.
    #[arg(long)]
    pub ready: bool,
    /// Do it even if it leaves something undone or risks it, without being asked.
    #[arg(long)]
    pub yes: bool,
    /// Add to the stored order sheet instead of replacing it.
    #[arg(long)]
    pub add: bool,
    /// The phase that the orders are for [default: the current one].
    #[arg(long, value_name = "N", requires = "revision")]
    pub phase: Option<u64>,
    /// The revision that the orders build on [default: the current one].
    #[arg(long, value_name = "N", requires = "phase")]
    pub revision: Option<u64>,
    /// A name for this request; with the same name a retry is answered as the first time was.
    #[arg(long, value_name = "ID")]
    pub request_id: Option<String>,
}

/// Judge orders without giving them.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    #[command(flatten)]
    /// The orders.
    pub orders: OrderInput,
}

/// Said when orders are taken back.
pub const TAKEN_BACK: &str = "Your orders of this phase are taken back, and you are not ready.";

/// Set a mark.
#[derive(Debug, Args)]
pub struct ReadyArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// Take it back.
    #[arg(long)]
    pub off: bool,
    /// Be ready even if something is left undone, without being asked.
    #[arg(long)]
    pub yes: bool,
}

/// Keep the phase open.
#[derive(Debug, Args)]
pub struct WaitArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// Take it back.
    #[arg(long)]
    pub off: bool,
}

/// Take back the orders of the open phase.
#[derive(Debug, Args)]
pub struct TakeBackArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
}

/// Lists what may be ordered. As JSON that is the contract's answer, and beside it `list`: the
/// lines of the menu.
pub async fn options(context: &Context, args: OptionsArgs) -> Result<(), Failure> {
    let response = table::offers(&context.engine().await?, &args.table).await?;
    let menu = Menu::read(&response)?;
    let mut answer = json::to_whole_value(&response);
    if let Some(fields) = answer.as_object_mut() {
        fields.insert("list".into(), serde_json::json!(menu.lines));
    }
    context.answer_value(&answer, |style| {
        let mut lines: Vec<String> =
            response.decision.iter().map(|open| wording::decision(style, open)).collect();
        if menu.lines.is_empty() && !menu.complete && response.decision.is_some() {
            lines.push(
                "The choices of this game cannot be listed one by one; --json tells what each \
                 piece can do."
                    .into(),
            );
            return lines.join("\n");
        }
        lines.push(numbered(style, &menu.lines, args.search.as_deref().unwrap_or_default()));
        lines.join("\n")
    })
}

/// The lines of a menu with their numbers, those that hold a text.
pub fn numbered(style: &Style, list: &[Line], search: &str) -> String {
    let search = search.to_lowercase();
    let holds =
        |line: &Line| format!("{} {}", line.notation, line.label).to_lowercase().contains(&search);
    let row = |(index, line): (usize, &Line)| {
        vec![
            style.paint(format!("{:>3}", index + 1), Ink::Notice),
            line.notation.clone(),
            format!("{}{}", line.label, style.paint(rule_mark(line), Ink::Faint)),
        ]
    };
    let rows: Vec<Vec<String>> =
        list.iter().enumerate().filter(|(_, line)| holds(line)).map(row).collect();
    if rows.is_empty() {
        "There is nothing to order now.".into()
    } else {
        table(style, &["  #", "order", "what it does"], &rows)
    }
}

fn rule_mark(line: &Line) -> String {
    if line.rule.is_empty() { String::new() } else { format!(" ({})", line.rule) }
}

/// The orders that the command line means, read against the choices if some were picked.
async fn read(input: &OrderInput, engine: &Engine, table: &Table) -> Result<Orders, Failure> {
    let mut orders = Vec::new();
    if !input.pick.is_empty() {
        let menu = table::menu(engine, table).await?;
        for number in &input.pick {
            orders.push(table::typed(engine, table, &menu.pick(*number, &[])?).await?);
        }
    }
    if !input.typed.is_empty() {
        let kind = table::game(engine, &table.game).await?.kind;
        for json in &input.typed {
            let value: serde_json::Value = serde_json::from_str(json)
                .map_err(|error| Failure::usage(format!("--typed: {error}.")))?;
            orders.push(from_json::<GameOrder>("--typed", &in_envelope(&kind, value))?);
        }
    }
    let mut texts = input.text.clone();
    if let Some(path) = &input.file {
        texts.push(crate::input::read_file(path)?);
    }
    let text = texts.join("\n");
    if orders.is_empty() && text.trim().is_empty() {
        return Err(Failure::usage("There is no order.")
            .advise("Write one, or use --file FILE or --pick N."));
    }
    // Lines keep their numbers, so that what is said of them fits the file.
    Ok(Orders { orders, text: text.trim_end().to_owned() })
}

impl OrderInput {
    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.file.is_none() && self.pick.is_empty() && self.typed.is_empty()
    }
}

/// Shows the stored order sheet.
async fn show(context: &Context, engine: &Engine, table: &Table) -> Result<(), Failure> {
    let view = table::fetch(engine, table, false).await?.view;
    let lines = sheet::lines(view.as_ref())?;
    context.answer_value(&serde_json::json!({ "lines": lines }), |style| sheet::show(style, &lines))
}

/// Gives orders.
pub async fn orders(context: &Context, args: OrdersArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    if args.orders.is_empty() {
        return show(context, &engine, &args.table).await;
    }
    let mut orders = read(&args.orders, &engine, &args.table).await?;
    let before = table::fetch(&engine, &args.table, false).await?;
    let stored = before.view.as_ref().and_then(render::sheet);
    if args.add {
        let lines = sheet::lines(before.view.as_ref())?;
        let added = std::mem::take(&mut orders.text);
        orders.text = lines.into_iter().chain([added]).collect::<Vec<_>>().join("\n");
    }
    let text = orders.text.clone();
    let named = args.phase.zip(args.revision);
    let (phase, revision) = named
        .map_or((before.phase, before.revision), |(phase, revision)| (Some(phase), Some(revision)));
    // Who names an earlier place repeats what they were asked about then.
    if !args.yes && (phase, revision) == (before.phase, before.revision) {
        let warnings = table::warnings_of(&engine, &args.table, orders.clone(), args.ready).await;
        heed(context, &warnings, args.yes)?;
    }
    let request = SubmitOrdersRequest {
        game_id: args.table.game,
        seat: args.table.seat,
        phase,
        revision,
        request_id: args.request_id.map_or_else(request_id, Ok)?,
        orders: Some(orders),
        ready: args.ready,
    };
    let response = once(request, async |request| engine.games().submit_orders(request).await).await;
    let response = response.map_err(|status| Failure::from(status).pointing_into(&text))?;
    context.answer(&response, |style| {
        let mut lines = match sheet::stored(&response.events, &text) {
            Some(checked) => {
                vec![checked.text(style, false), replaced(stored.as_deref(), args.add)]
            }
            None => std::iter::once(accepted(style, response.refused.is_some()))
                .chain(response.events.iter().map(|event| wording::event(style, event)))
                .collect(),
        };
        lines.extend(response.decision.iter().map(|open| wording::decision(style, open)));
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    })?;
    table::whole(response.taken, response.refused.as_ref())
}

fn accepted(style: &Style, in_part: bool) -> String {
    if in_part {
        style.paint("Accepted in part.", Ink::Bad)
    } else {
        style.paint("Accepted.", Ink::Good)
    }
}

/// That an earlier sheet is gone, since whoever meant to add to it would not notice.
fn replaced(stored: Option<&[String]>, added: bool) -> String {
    match stored {
        Some(stored) if !stored.is_empty() && !added => {
            format!(
                "This replaced the earlier sheet of {}; --add would have kept it.",
                count(stored.len(), "order")
            )
        }
        _ => String::new(),
    }
}

/// Judges orders. Fails if one of them would be refused, so that scripts can tell.
pub async fn validate(context: &Context, args: ValidateArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let orders = read(&args.orders, &engine, &args.table).await?;
    let text = orders.text.clone();
    let number = orders.orders.len() + render::order_lines(&text).len();
    // Scripts get the place of the first fault as the error that it is.
    let faults_max = if context.json { 0 } else { sheet::FAULTS_MAX };
    let found = sheet::check(&engine, &args.table, orders, faults_max).await?;
    let response = ValidateOrdersResponse {
        verdicts: found.verdicts.clone(),
        warnings: found.warnings.clone(),
    };
    context.answer(&response, |style| sheet::findings(style, &text, &found))?;
    let refused = found.refused();
    if refused == 0 {
        return Ok(());
    }
    let told = format!("{} of {} would be refused.", refused, count(number, "order"));
    Err(Failure::failed(told)
        .because("WOULD_BE_REFUSED")
        .advise("`cli-client options GAME` lists what may be ordered now."))
}

/// A verdict as a line.
pub fn verdict(style: &Style, verdict: &Verdict) -> String {
    if verdict.accepted {
        return format!("{} {}", style.paint(style.symbol("✓", "ok"), Ink::Good), verdict.notation);
    }
    let rule =
        if verdict.rule.is_empty() { String::new() } else { format!(" (rule {})", verdict.rule) };
    format!(
        "{} {}: {}{rule}",
        style.paint(style.symbol("✗", "no"), Ink::Bad),
        verdict.notation,
        verdict.message
    )
}

/// Marks orders as ready.
pub async fn ready(context: &Context, args: ReadyArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let phase = table::fetch(&engine, &args.table, false).await?.phase;
    if !args.off && !args.yes {
        let warnings = table::warnings_when_ready(&engine, &args.table, phase).await?;
        heed(context, &warnings, args.yes)?;
    }
    let request = SetReadyRequest {
        game_id: args.table.game,
        seat: args.table.seat,
        phase,
        ready: !args.off,
        request_id: request_id()?,
        dry_run: false,
    };
    let response = engine.games().set_ready(request).await?.into_inner();
    context.answer(&response, |_| {
        if args.off { "You are not ready." } else { "You are ready." }.into()
    })
}

/// Takes back the orders of the open phase.
pub async fn take_back(context: &Context, args: TakeBackArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let phase = table::fetch(&engine, &args.table, false).await?.phase;
    let response = table::take_back(&engine, &args.table, phase).await?;
    context.answer(&response, |_| TAKEN_BACK.into())
}

/// Keeps the phase open until its deadline.
pub async fn wait(context: &Context, args: WaitArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let phase = table::fetch(&engine, &args.table, false).await?.phase;
    let request = SetWaitRequest {
        game_id: args.table.game,
        seat: args.table.seat,
        phase,
        wait: !args.off,
        request_id: request_id()?,
    };
    let response = engine.games().set_wait(request).await?.into_inner();
    let text = if args.off {
        "The phase may close early."
    } else {
        "The phase stays open until its deadline."
    };
    context.answer(&response, |_| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_keeps_the_numbers() {
        let list =
            ["move A1", "end turn"].map(|text| Line { notation: text.into(), ..Line::default() });
        let text = numbered(&Style::PLAIN, &list, "END");
        assert!(text.contains("  2  end turn") && !text.contains("move"), "{text}");
    }
}
