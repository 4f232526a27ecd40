//! Scenes: what a viewer sees of a game, as data, and the drawers that work for all games.
//!
//! Each game builds a scene from a view. [`picture`] draws the scene as SVG, [`screen`] draws it as
//! text, and [`sentences`] describes it.

use std::collections::HashMap;

use heliopause_kernel::Seat;
pub use heliopause_proto::v1::{
    Scene, SceneArea, SceneColumn, SceneFigure, SceneFrame, SceneGrid, SceneLabel, SceneMember,
    SceneOutcome, SceneOutline, ScenePanel, ScenePath, ScenePiece, ScenePlace, SceneRow, SceneSeat,
    SceneSight, SceneSign, scene_sign,
};

pub mod legend;
pub mod picture;
mod points;
pub mod report;
pub mod screen;
pub mod sentences;
mod side;
mod subject;
mod symbols;

/// Converts a length on the board to `f32`.
#[expect(clippy::cast_possible_truncation, reason = "boards are small")]
pub fn unit(length: f64) -> f32 {
    length as f32
}

/// Returns the points of a path or outline as a list of coordinates.
pub fn points(spots: &[(f64, f64)]) -> Vec<f32> {
    spots.iter().flat_map(|(x, y)| [unit(*x), unit(*y)]).collect()
}

/// Returns the points of a list of coordinates.
pub fn spots(points: &[f32]) -> Vec<(f64, f64)> {
    points.chunks_exact(2).map(|pair| (f64::from(pair[0]), f64::from(pair[1]))).collect()
}

pub fn number(seat: impl Into<Option<Seat>>) -> Option<u32> {
    seat.into().map(Seat::number)
}

#[expect(clippy::needless_pass_by_value, reason = "callers pass names of several types")]
pub fn place_at(name: impl ToString, kind: &str, (x, y): (f64, f64)) -> ScenePlace {
    let (name, kind) = (name.to_string(), kind.to_owned());
    ScenePlace { name, kind, x: unit(x), y: unit(y), ..ScenePlace::default() }
}

/// Returns a single piece.
pub fn piece_at(kind: &str, owner: impl Into<Option<Seat>>, (x, y): (f64, f64)) -> ScenePiece {
    let (kind, owner) = (kind.to_owned(), number(owner));
    ScenePiece { kind, owner, x: unit(x), y: unit(y), count: 1, ..ScenePiece::default() }
}

pub fn label_at(text: impl Into<String>, kind: &str, (x, y): (f64, f64)) -> SceneLabel {
    let (text, kind) = (text.into(), kind.to_owned());
    SceneLabel { text, kind, x: unit(x), y: unit(y), ..SceneLabel::default() }
}

/// Returns the names of the states whose flag is true.
pub fn states<const N: usize>(states: [(bool, &str); N]) -> Vec<String> {
    states.into_iter().filter(|(is, _)| *is).map(|(_, state)| state.to_owned()).collect()
}

pub(crate) fn has(states: &[String], state: &str) -> bool {
    states.iter().any(|one| one == state)
}

/// Formats the remark on a figure in parentheses, to follow its value.
fn remark(figure: &SceneFigure) -> String {
    if figure.note.is_empty() { String::new() } else { format!(" ({})", figure.note) }
}

/// Returns the first cell of a row, and the other cells with the titles of their columns.
fn titled_cells<'a>(panel: &ScenePanel, row: &'a SceneRow) -> (&'a str, Vec<String>) {
    let first = row.cells.first().map_or("", String::as_str);
    let rest = row.cells.iter().zip(&panel.columns).skip(1).filter(|(cell, _)| !cell.is_empty());
    let titled = rest.map(|(cell, column)| match column.title.as_str() {
        "" => cell.clone(),
        title => format!("{title} {cell}"),
    });
    (first, titled.collect())
}

/// The places, pieces and labels of a scene by area.
#[derive(Default)]
struct Contents<'a> {
    places: HashMap<&'a str, Vec<&'a ScenePlace>>,
    pieces: HashMap<&'a str, Vec<&'a ScenePiece>>,
    labels: HashMap<&'a str, Vec<&'a SceneLabel>>,
}

impl<'a> Contents<'a> {
    fn of(scene: &'a Scene) -> Self {
        let mut contents = Self::default();
        let mut areas: HashMap<&str, &str> = HashMap::new();
        for place in &scene.places {
            let area = if place.area.is_empty() { &place.name } else { &place.area };
            areas.insert(&place.name, area);
            contents.places.entry(area).or_default().push(place);
        }
        for area in &scene.areas {
            areas.insert(&area.name, &area.name);
        }
        for piece in &scene.pieces {
            let area = areas.get(piece.place.as_str()).copied().unwrap_or(&piece.place);
            contents.pieces.entry(area).or_default().push(piece);
        }
        for label in &scene.labels {
            contents.labels.entry(&label.place).or_default().push(label);
        }
        contents
    }

    fn places(&self, area: &str) -> &[&'a ScenePlace] {
        self.places.get(area).map_or(&[], Vec::as_slice)
    }

    fn pieces(&self, area: &str) -> &[&'a ScenePiece] {
        self.pieces.get(area).map_or(&[], Vec::as_slice)
    }
}

/// Returns a panel without figures. `columns` are titles, separated by `|`. A `#` marks a column of
/// numbers.
pub fn panel(key: &str, title: &str, columns: &str, rows: Vec<SceneRow>) -> ScenePanel {
    let column = |title: &str| {
        let title = title.trim();
        let numeric = title.starts_with('#');
        SceneColumn { title: title.trim_start_matches('#').to_owned(), numeric }
    };
    let columns = columns.split('|').filter(|title| !title.is_empty() || !rows.is_empty());
    ScenePanel {
        key: key.to_owned(),
        title: title.to_owned(),
        columns: columns.map(column).collect(),
        rows,
        ..ScenePanel::default()
    }
}

pub fn row(cells: impl Into<Vec<String>>) -> SceneRow {
    SceneRow { cells: cells.into(), ..SceneRow::default() }
}

#[expect(clippy::needless_pass_by_value, reason = "callers pass numbers and texts")]
pub fn figure(label: &str, value: impl ToString, note: &str) -> SceneFigure {
    SceneFigure { label: label.to_owned(), value: value.to_string(), note: note.to_owned() }
}
