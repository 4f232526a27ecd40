//! The game told as a story.

use std::path::PathBuf;

use clap::Args;
use heliopause_proto::v1::{Event, Game, event};
use serde_json::{Value, json};

use super::look;
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::glance::{self, Glance, Look};
use crate::render::aim::Aim;
use crate::render::document::{Block, Document, Section, Words};
use crate::render::replay::{self, Leaf};
use crate::render::story;
use crate::style::Style;
use crate::table::{self, Table};
use crate::{text, wording};

/// The game told as a story.
#[derive(Debug, Args)]
#[command(after_help = "\
A chapter for each phase, a sentence for each event that matters. The page has one map and a slider \
over the phases.

Examples:
  cli-client chronicle GAME
  cli-client chronicle GAME --spectator
  cli-client chronicle GAME --html story.html
  cli-client chronicle GAME --revealed --html story.html      once the game is over")]
pub struct ChronicleArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// As spectators were told it.
    #[arg(long)]
    pub spectator: bool,
    /// With all that was secret, once the game is over.
    #[arg(long)]
    pub revealed: bool,
    /// Write a page with a map and a slider to this file instead (- for standard output). It needs
    /// no other file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Tells a game.
pub async fn chronicle(context: &Context, args: ChronicleArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let game = table::game(&engine, &args.table.game).await?;
    let glance = Glance { revealed: args.revealed, ..Glance::now(&args.table, args.spectator) };
    let leaves = leaves(&engine, &game, glance, args.html.is_some()).await?;
    if let Some(path) = &args.html {
        let page = page(&game, &leaves);
        return look::write(context, path, &page, "html", "chronicle");
    }
    let told: Vec<Value> = leaves.iter().map(plain).collect();
    context.answer_value(&json!({ "chapters": told }), |style| {
        let section = |leaf: &Leaf| Section {
            title: leaf.title.clone(),
            blocks: vec![Block::List(leaf.tidings.clone())],
        };
        let sections = leaves.iter().map(section).collect();
        Document { title: text::harmless(&game.name), lead: lead(&game, style), sections }
            .text(style)
    })
}

/// The page of a game with all its phases.
pub fn page(game: &Game, leaves: &[Leaf]) -> String {
    replay::page(&text::harmless(&game.name), &lead(game, &Style::PLAIN), leaves)
}

/// How it ended, or that it goes on.
fn lead(game: &Game, style: &Style) -> Vec<Words> {
    let told = match &game.outcome {
        Some(outcome) => wording::outcome(style, game, outcome),
        None => "The game so far.".to_owned(),
    };
    told.lines().map(Words::plain).collect()
}

/// What happened in each phase; with maps and reports if it is for a page.
pub async fn leaves(
    engine: &Engine,
    game: &Game,
    glance: Glance,
    illustrated: bool,
) -> Result<Vec<Leaf>, Failure> {
    let phases = glance::phases(engine, &game.game_id).await?;
    let titles = phases.into_iter().map(|phase| (phase.number, text::harmless(&phase.title)));
    let mut leaves = Vec::new();
    // What the reader saw at the end of the phase before.
    let mut before = None;
    for (number, title) in [(0, "The beginning".to_owned())].into_iter().chain(titles) {
        let then = Glance { at_phase: Some(number), ..glance.clone() };
        let tidings = story::tidings(before.as_ref(), &told(engine, game, &then).await?);
        before = then.view(engine).await?.view;
        let (map, report) = if illustrated {
            (
                then.picture(engine, &Aim::default(), &Look::default()).await?,
                report(engine, &then).await?,
            )
        } else {
            (String::new(), String::new())
        };
        // A phase in which nothing was told belongs to no story.
        if illustrated || !tidings.is_empty() {
            leaves.push(Leaf { title, tidings, map, report });
        }
    }
    Ok(leaves)
}

/// What happened in a phase. What is revealed holds no letters, unless the game lets everybody read
/// them: one's own are added.
async fn told(engine: &Engine, game: &Game, then: &Glance) -> Result<Vec<Event>, Failure> {
    let mut events = then.events(engine, 0).await?;
    if then.revealed && !game.open_letters && game.your_seat.is_some() {
        let own = Glance { revealed: false, ..then.clone() }.events(engine, 0).await?;
        let is_letter = |event: &Event| matches!(event.body, Some(event::Body::Message(_)));
        events.extend(own.into_iter().filter(is_letter));
    }
    Ok(events)
}

/// The report; empty where there is none for this viewer.
async fn report(engine: &Engine, glance: &Glance) -> Result<String, Failure> {
    let style = Style { unicode: true, width: 100, ..Style::PLAIN };
    match glance.report(engine, Some(&style)).await {
        Err(failure) if failure.report().reason == "NOT_FOUND" => Ok(String::new()),
        report => report,
    }
}

/// A chapter for programs.
fn plain(leaf: &Leaf) -> Value {
    let tidings: Vec<String> = leaf.tidings.iter().map(|words| words.text(&Style::PLAIN)).collect();
    json!({ "title": leaf.title, "tidings": tidings })
}
