//! The command that shows the story of a game, phase by phase.

use std::path::PathBuf;

use clap::Args;
use heliopause_proto::v1::{Event, Game, event};
use serde_json::{Value, json};

use super::look;
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::perspective::{self, Look, Perspective};
use crate::render::aim::MapRequest;
use crate::render::document::{Block, Document, Section, Words};
use crate::render::replay::{self, ReplayPhase};
use crate::render::story;
use crate::style::Style;
use crate::table::{self, Table};
use crate::words::say;
use crate::{text, wording};

/// Show a game as a story.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/chronicle.txt"))]
pub struct ChronicleArgs {
    #[command(flatten)]
    pub table: Table,
    /// Show what spectators saw.
    #[arg(long)]
    pub spectator: bool,
    /// Include everything that was secret, once the game is over.
    #[arg(long)]
    pub revealed: bool,
    /// Write a self-contained page with a map and a slider to this file instead (- for standard
    /// output).
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

pub async fn chronicle(context: &Context, args: ChronicleArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let game = table::game(&engine, &args.table.game).await?;
    let perspective =
        Perspective { revealed: args.revealed, ..Perspective::now(&args.table, args.spectator) };
    let leaves = leaves(&engine, &game, perspective, args.html.is_some()).await?;
    if let Some(path) = &args.html {
        let page = page(&game, &leaves);
        return look::write(context, path, &page, "html", "chronicle");
    }
    let told: Vec<Value> = leaves.iter().map(plain).collect();
    context.answer_value(&json!({ "chapters": told }), |style| {
        let section = |leaf: &ReplayPhase| Section {
            title: leaf.title.clone(),
            blocks: vec![Block::List(leaf.highlights.clone())],
        };
        let sections = leaves.iter().map(section).collect();
        Document { title: text::harmless(&game.name), lead: lead(&game, style), sections }
            .text(style)
    })
}

pub fn page(game: &Game, leaves: &[ReplayPhase]) -> String {
    replay::page(&text::harmless(&game.name), &lead(game, &Style::PLAIN), leaves)
}

fn lead(game: &Game, style: &Style) -> Vec<Words> {
    let told = match &game.outcome {
        Some(outcome) => wording::outcome(style, game, outcome),
        None => say!("chronicle-game-still-running"),
    };
    told.lines().map(Words::plain).collect()
}

/// Returns the highlights of each phase. `illustrated` adds maps, reports and empty phases.
pub async fn leaves(
    engine: &Engine,
    game: &Game,
    perspective: Perspective,
    illustrated: bool,
) -> Result<Vec<ReplayPhase>, Failure> {
    let phases = perspective::phases(engine, &game.game_id).await?;
    let titles = phases.into_iter().map(|phase| (phase.number, text::harmless(&phase.title)));
    let mut leaves = Vec::new();
    let mut before = None;
    for (number, title) in [(0, say!("chronicle-start"))].into_iter().chain(titles) {
        let then = Perspective { at_phase: Some(number), ..perspective.clone() };
        let highlights = story::highlights(before.as_ref(), &told(engine, game, &then).await?);
        before = then.view(engine).await?.view;
        let (map, report) = if illustrated {
            (
                then.picture(engine, &MapRequest::default(), &Look::default()).await?,
                report(engine, &then).await?,
            )
        } else {
            (String::new(), String::new())
        };
        if illustrated || !highlights.is_empty() {
            leaves.push(ReplayPhase { title, highlights, map, report });
        }
    }
    Ok(leaves)
}

/// Fetches the events of a phase. Adds the caller's own messages if the revealed game keeps
/// messages private.
async fn told(engine: &Engine, game: &Game, then: &Perspective) -> Result<Vec<Event>, Failure> {
    let mut events = then.events(engine, 0).await?;
    if then.revealed && !game.open_messages && game.your_seat.is_some() {
        let own = Perspective { revealed: false, ..then.clone() }.events(engine, 0).await?;
        let is_letter = |event: &Event| matches!(event.body, Some(event::Body::Message(_)));
        events.extend(own.into_iter().filter(is_letter));
    }
    Ok(events)
}

async fn report(engine: &Engine, perspective: &Perspective) -> Result<String, Failure> {
    let style = Style { unicode: true, width: 100, ..Style::PLAIN };
    perspective.report(engine, Some(&style)).await
}

fn plain(leaf: &ReplayPhase) -> Value {
    let highlights: Vec<String> =
        leaf.highlights.iter().map(|words| words.text(&Style::PLAIN)).collect();
    json!({ "title": leaf.title, "tidings": highlights })
}
