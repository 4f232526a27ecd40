//! Converts scenes to documents with a section for each panel.

use super::{Scene, SceneFigure, ScenePanel, SceneRow, remark};
use crate::document::{Block, Document, Section, Tone, Words};

pub fn document(scene: &Scene) -> Document {
    Document {
        title: scene.title.clone(),
        lead: scene.news.iter().map(Words::plain).collect(),
        sections: scene.panels.iter().filter_map(section).collect(),
    }
}

/// Returns the section of a panel, or `None` if the panel is empty.
pub fn section(panel: &ScenePanel) -> Option<Section> {
    let figure = |figure: &SceneFigure| {
        Words::plain(format!("{}: ", figure.label))
            .and(&figure.value, Tone::Strong)
            .and(remark(figure), Tone::Faint)
    };
    let mut blocks = Vec::new();
    if !panel.figures.is_empty() {
        blocks.push(Block::List(panel.figures.iter().map(figure).collect()));
    }
    if !panel.rows.is_empty() {
        let headings = panel.columns.iter().map(|column| column.title.clone()).collect();
        let rows = panel.rows.iter().map(|row| words(row, panel.columns.len())).collect();
        blocks.push(Block::Table(headings, rows));
    }
    if !blocks.is_empty() && !panel.note.is_empty() {
        blocks.push(Block::Text(Words::new(&panel.note, Tone::Faint)));
    }
    Section::new(&panel.title, blocks)
}

fn words(row: &SceneRow, columns: usize) -> Vec<Words> {
    let tone = match row.states.iter().map(String::as_str).find(|state| *state != "own") {
        Some("good") => Tone::Good,
        Some("bad") => Tone::Bad,
        Some("out") => Tone::Faint,
        _ => Tone::Strong,
    };
    let tones = std::iter::once(tone).chain(std::iter::repeat(Tone::Plain));
    let cells = row.cells.iter().map(String::as_str).chain(std::iter::repeat("")).take(columns);
    cells.zip(tones).map(|(cell, tone)| Words::new(cell, tone)).collect()
}
