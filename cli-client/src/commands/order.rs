//! Commands that list choices, submit orders, and mark orders as ready.

use std::path::PathBuf;

use clap::Args;
use heliopause_proto::json;
use heliopause_proto::v1::{
    GameOrder, Orders, SetReadyRequest, SetWaitRequest, SubmitOrdersRequest,
    ValidateOrdersResponse, Verdict,
};

use super::confirmation::confirm_warnings;
use super::sheet;
use crate::context::Context;
use crate::engine::{Engine, once, request_id};
use crate::envelope::in_envelope;
use crate::failure::Failure;
use crate::input::from_json;
use crate::menu::{Line, Menu};
use crate::render;
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::text::table;
use crate::wording;
use crate::words::{Number, columns, say};

/// List the orders that you can give now.
#[derive(Debug, Args)]
pub struct OptionsArgs {
    #[command(flatten)]
    pub table: Table,
    /// Only choices that contain this text.
    pub search: Option<String>,
}

/// Orders from the command line.
#[derive(Clone, Debug, Args)]
pub struct OrderInput {
    /// Orders in the game's notation, one per argument; `options` shows examples.
    #[arg(value_name = "ORDER")]
    pub text: Vec<String>,
    /// Read orders from a file, one per line (- for standard input).
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The choice with this number in `options`; repeat for more.
    #[arg(long, value_name = "N")]
    pub pick: Vec<usize>,
    /// An order as JSON, as in the contract's GameOrder message; repeat for more.
    #[arg(long, value_name = "JSON")]
    pub typed: Vec<String>,
}

/// Submit orders.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/orders.txt"))]
pub struct OrdersArgs {
    #[command(flatten)]
    pub table: Table,
    #[command(flatten)]
    pub orders: OrderInput,
    /// Also mark yourself as ready.
    #[arg(long)]
    pub ready: bool,
    /// Submit without asking for confirmation, even if there are warnings.
    #[arg(long)]
    pub yes: bool,
    /// Add to the stored order sheet instead of replacing it.
    #[arg(long)]
    pub add: bool,
    /// The phase of the orders [default: the current one].
    #[arg(long, value_name = "N", requires = "revision")]
    pub phase: Option<u64>,
    /// The revision that the orders are based on [default: the current one].
    #[arg(long, value_name = "N", requires = "phase")]
    pub revision: Option<u64>,
    /// Idempotency key of this request: a retry with the same key returns the first response.
    #[arg(long, value_name = "ID")]
    pub request_id: Option<String>,
}

/// Check orders without submitting them.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    #[command(flatten)]
    pub table: Table,
    #[command(flatten)]
    pub orders: OrderInput,
}

pub fn taken_back() -> String {
    say!("order-withdrawn")
}

/// Mark your orders as ready.
#[derive(Debug, Args)]
pub struct ReadyArgs {
    #[command(flatten)]
    pub table: Table,
    /// Mark your orders as not ready.
    #[arg(long)]
    pub off: bool,
    /// Mark as ready without asking for confirmation, even if there are warnings.
    #[arg(long)]
    pub yes: bool,
}

/// Keep the phase open.
#[derive(Debug, Args)]
pub struct WaitArgs {
    #[command(flatten)]
    pub table: Table,
    /// Allow the phase to close early again.
    #[arg(long)]
    pub off: bool,
}

/// Lists possible orders. The JSON output is the engine's response, with the lines of the menu in
/// `list`.
pub async fn options(context: &Context, args: OptionsArgs) -> Result<(), Failure> {
    let response = table::offers(&context.engine().await?, &args.table).await?;
    let menu = Menu::read(&response)?;
    let mut answer = json::to_full_value(&response);
    if let Some(fields) = answer.as_object_mut() {
        fields.insert("list".into(), serde_json::json!(menu.lines));
    }
    context.answer_value(&answer, |style| {
        let mut lines: Vec<String> =
            response.decision.iter().map(|open| wording::decision(style, open)).collect();
        if menu.lines.is_empty() && !menu.complete && response.decision.is_some() {
            lines.push(say!("order-game-too-many-choices"));
            return lines.join("\n");
        }
        lines.push(numbered(style, &menu.lines, args.search.as_deref().unwrap_or_default()));
        lines.join("\n")
    })
}

/// Formats the lines of a menu that contain the search string, with their original numbers.
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
    match (rows.is_empty(), search.is_empty()) {
        (true, true) => say!("order-no-orders-possible"),
        (true, false) => say!("order-no-orders-contain", search = search),
        (false, _) => table(style, &columns("orders-columns"), &rows),
    }
}

fn rule_mark(line: &Line) -> String {
    if line.rule.is_empty() { String::new() } else { format!(" ({})", line.rule) }
}

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
            let value: serde_json::Value = serde_json::from_str(json).map_err(|error| {
                Failure::usage(say!("order-typed-not-valid-json", error = error))
            })?;
            orders.push(from_json::<GameOrder>("--typed", &in_envelope(&kind, value))?);
        }
    }
    let mut texts = input.text.clone();
    if let Some(path) = &input.file {
        texts.push(crate::input::read_file(path)?);
    }
    let text = texts.join("\n");
    if orders.is_empty() && text.trim().is_empty() {
        return Err(Failure::usage(say!("order-no-orders-given"))
            .advise(say!("order-write-order-use-file")));
    }
    // Keep leading blank lines: line numbers in errors must match the file.
    Ok(Orders { orders, text: text.trim_end().to_owned() })
}

impl OrderInput {
    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.file.is_none() && self.pick.is_empty() && self.typed.is_empty()
    }
}

async fn show(context: &Context, engine: &Engine, table: &Table) -> Result<(), Failure> {
    let view = table::fetch(engine, table, false).await?.view;
    let lines = sheet::stored_orders(view.as_ref())?;
    context.answer_value(&serde_json::json!({ "lines": lines }), |style| sheet::show(style, &lines))
}

/// Submits orders. Without orders, shows the stored ones.
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
    let typed = orders.orders.len();
    let lines: Vec<String> = render::order_lines(&text).into_iter().map(|(_, line)| line).collect();
    let is_named = args.phase.is_some() && args.revision.is_some();
    let given = (args.phase, args.revision);
    let (phase, revision) = if is_named { given } else { (before.phase, before.revision) };
    // A request with an earlier phase or revision is a retry, and was confirmed the first time.
    if !args.yes && (phase, revision) == (before.phase, before.revision) {
        let warnings = table::warnings_of(&engine, &args.table, orders.clone(), args.ready).await;
        confirm_warnings(context, &warnings, args.yes)?;
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
    let response = response.map_err(|status| {
        let failure = Failure::from(status).with_excerpt(&text);
        // A sheet is one order.
        if stored.is_some() { failure } else { failure.with_order(typed, &lines) }
    })?;
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
    table::whole(response.accepted_count, response.refused.as_ref())
}

fn accepted(style: &Style, in_part: bool) -> String {
    if in_part {
        style.paint(say!("order-partly-accepted"), Ink::Bad)
    } else {
        style.paint(say!("order-accepted"), Ink::Good)
    }
}

/// Returns a note that an earlier sheet was replaced, in case the player meant to add to it.
/// Returns an empty string otherwise.
fn replaced(stored: Option<&[String]>, added: bool) -> String {
    match stored {
        Some(stored) if !stored.is_empty() && !added => {
            say!("order-earlier-sheet-replaced-add", count = Number(stored.len()))
        }
        _ => String::new(),
    }
}

/// Checks orders. A rejected order is an error, so that scripts can test the exit code.
pub async fn validate(context: &Context, args: ValidateArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let orders = read(&args.orders, &engine, &args.table).await?;
    let text = orders.text.clone();
    let number = orders.orders.len() + render::order_lines(&text).len();
    // With --json, the first fault is reported as an error with its position.
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
    let told = say!("order-rejected", refused = refused, count = Number(number));
    Err(Failure::failed(told)
        .because("WOULD_BE_REFUSED")
        .advise(say!("order-cli-client-options-game-lists")))
}

pub fn verdict(style: &Style, verdict: &Verdict) -> String {
    let Verdict { notation, message, rule, .. } = verdict;
    if verdict.accepted {
        return format!("{} {notation}", style.paint(style.symbol("✓", "ok"), Ink::Good));
    }
    let mark = style.paint(style.symbol("✗", "no"), Ink::Bad);
    let rule = if rule.is_empty() {
        String::new()
    } else {
        format!(" {}", say!("order-by-rule", rule = rule))
    };
    format!("{mark} {notation}: {message}{rule}")
}

/// Marks orders as ready, or as not ready.
pub async fn ready(context: &Context, args: ReadyArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let phase = table::fetch(&engine, &args.table, false).await?.phase;
    if !args.off && !args.yes {
        let warnings = table::warnings_when_ready(&engine, &args.table, phase).await?;
        confirm_warnings(context, &warnings, args.yes)?;
    }
    let request = SetReadyRequest {
        game_id: args.table.game,
        seat: args.table.seat,
        phase,
        ready: !args.off,
        request_id: request_id()?,
        dry_run: false,
    };
    let text = if args.off { say!("order-not-ready") } else { say!("order-ready") };
    context.done(&engine.games().set_ready(request).await?, &text)
}

/// Withdraws the orders of the open phase.
pub async fn take_back(context: &Context, table: Table) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let phase = table::fetch(&engine, &table, false).await?.phase;
    let response = table::take_back(&engine, &table, phase).await?;
    context.answer(&response, |_| taken_back())
}

/// Keeps the phase open until its deadline, or lets it close early again.
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
    let text = if args.off {
        say!("order-phase-can-close-early")
    } else {
        say!("order-phase-stays-open-until")
    };
    context.done(&engine.games().set_wait(request).await?, &text)
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
