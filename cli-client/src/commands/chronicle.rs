//! The game told as a story.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::report;
use crate::context::Context;
use crate::failure::Failure;
use crate::render;
use crate::render::document::{Block, Document, Section, Words};
use crate::render::story::{self, Chapter};
use crate::style::Style;
use crate::table::{self, Table};

/// The game told as a story.
#[derive(Debug, Args)]
#[command(after_help = "\
A chapter for each turn, a sentence for each event that matters. Maps are drawn of games that can \
be followed back turn by turn:
Stellar Conquest and its variants.

Examples:
  cli-client chronicle GAME
  cli-client chronicle GAME --spectator
  cli-client chronicle GAME --html story.html")]
pub struct ChronicleArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// As spectators were told it.
    #[arg(long)]
    pub spectator: bool,
    /// Write a page with a map for every turn to this file instead (- for standard output). It
    /// needs no other file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Tells a game.
pub async fn chronicle(context: &Context, args: ChronicleArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let game = table::game(&engine, &args.table.game).await?;
    let view = table::fetch(&engine, &args.table, args.spectator).await?.view.unwrap_or_default();
    let events = table::events(&engine, &args.table, args.spectator, 0).await?;
    let chapters = story::story(&view, &events);
    let picture = |chapter: &Chapter| {
        let drawing = render::drawing(chapter.scene.as_ref()?, &game)?;
        Some(Block::Picture(drawing.svg()))
    };
    let illustrated = args.html.is_some();
    let section = |chapter: &Chapter| {
        let mut blocks = vec![Block::List(chapter.tidings.clone())];
        blocks.extend(Some(chapter).filter(|_| illustrated).and_then(picture));
        Section { title: chapter.title.clone(), blocks }
    };
    let lead =
        if chapters.is_empty() { "Nothing happened yet." } else { "The chronicle of this game." };
    let document = Document {
        title: crate::text::harmless(&game.name),
        lead: vec![Words::plain(lead)],
        sections: chapters.iter().map(section).collect(),
    };
    if let Some(path) = &args.html {
        return report::write_page(context, path, &document.html(""), "chronicle");
    }
    let told: Vec<Value> = chapters.iter().map(plain).collect();
    context.answer_value(&json!({ "chapters": told }), |style| document.text(style))
}

/// A chapter for programs.
fn plain(chapter: &Chapter) -> Value {
    let tidings: Vec<String> =
        chapter.tidings.iter().map(|words| words.text(&Style::PLAIN)).collect();
    json!({ "title": chapter.title, "tidings": tidings })
}
