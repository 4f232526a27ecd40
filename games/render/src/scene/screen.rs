//! Draws scenes as text, with a map, panels and a legend.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::scene_sign::Sample;
use super::subject::{self, Subject, Symbols};
use super::{
    Contents, Scene, SceneArea, SceneGrid, SceneLabel, ScenePanel, ScenePiece, ScenePlace,
    SceneRow, SceneSight, SceneSign, has, points, remark,
};
use crate::canvas::Canvas;
use crate::style::{Ink, Style, seat_ink};
use crate::text;

pub(super) type Words = Vec<(String, Option<Ink>)>;

/// The minimum width of the panels beside a map.
const BESIDE: usize = 44;
/// The maximum number of areas on a map with large hexes.
const LARGE_HEXES: usize = 40;
const TILE: usize = 8;
/// The maximum number of rows of a panel.
const ROWS_MAX: usize = 40;

/// The words of symbols: in Unicode, in ASCII, and their ink.
static GLYPHS: LazyLock<Symbols<[&str; 3]>> = LazyLock::new(|| {
    subject::read(include_str!("glyphs.txt"), |line| {
        let mut cells = line.split(" | ");
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    })
});

/// Draws a scene with its panels and its legend, or as much as fits into the rows of the style.
pub fn draw(scene: &Scene, style: &Style) -> String {
    let contents = Contents::of(scene);
    let drawer = Drawer { scene, style, contents: &contents, small: false };
    let all = drawer.all();
    match style.rows {
        Some(rows) if all.lines().count() > rows => drawer.fitting(rows),
        _ => all,
    }
}

/// Draws only the map around an area, up to a distance in hexes or in rows of the map.
pub fn draw_part(scene: &Scene, style: &Style, around: &str, radius: u32) -> String {
    let contents = Contents::of(scene);
    let drawer = Drawer { scene, style, contents: &contents, small: false };
    let middle = scene.areas.iter().find(|area| area.name == around);
    let shown = |area: &SceneArea| {
        middle.is_none_or(|middle| distance(scene.grid(), middle, area) <= radius)
    };
    format!("{}\n{}", drawer.heading(), drawer.map(&shown).text(style))
}

/// Returns the distance in hexes. On other maps, only the distance in rows counts.
pub(super) fn distance(grid: SceneGrid, one: &SceneArea, other: &SceneArea) -> u32 {
    let (columns, rows) = (one.column - other.column, one.row - other.row);
    match grid {
        SceneGrid::Hexes | SceneGrid::Unspecified => {
            columns.unsigned_abs().max(rows.unsigned_abs()).max((columns + rows).unsigned_abs())
        }
        SceneGrid::Tiles => rows.unsigned_abs(),
        SceneGrid::Points => rows.unsigned_abs() / 2,
    }
}

#[derive(Clone, Copy)]
pub(super) struct Drawer<'a> {
    pub(super) scene: &'a Scene,
    pub(super) style: &'a Style,
    contents: &'a Contents<'a>,
    /// Whether hexes are small even if large ones fit into the width.
    small: bool,
}

impl<'a> Drawer<'a> {
    fn all(&self) -> String {
        let style = self.style;
        let map = self.map(&|_| true).text(style);
        let heading = self.heading();
        let wide = map.lines().map(text::width).max().unwrap_or_default();
        let room = style.width.saturating_sub(wide + 3);
        if room >= BESIDE {
            let narrow = Style { width: room, ..*style };
            let beside = Drawer { style: &narrow, ..*self };
            let side = format!("{}\n{}", beside.panels().join("\n\n"), beside.legend());
            // Tables with many columns may not fit.
            if side.lines().all(|line| text::width(line) <= room) {
                return format!("{heading}\n{}", text::beside(&map, side.trim_end(), 3));
            }
        }
        let parts = [heading, map, self.panels().join("\n\n"), self.legend()];
        let parts = parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("\n")
    }

    /// Draws the heading, a map that fits into the rows, and the panels that fit below it.
    fn fitting(&self, rows: usize) -> String {
        let mut parts = vec![self.heading()];
        let room = rows.saturating_sub(parts[0].lines().count() + 1);
        let (map, hidden) = self.fitting_map(room);
        let mut free = room.saturating_sub(map.height());
        parts.push(map.text(self.style).trim_end().to_owned());
        for panel in self.panels() {
            let lines = panel.lines().count();
            if lines <= free {
                free -= lines;
                parts.push(panel);
            }
        }
        let what = if hidden { "the whole map, " } else { "" };
        let hint = format!("`map` shows {what}all panels and the legend.");
        parts.push(self.style.paint(hint, Ink::Faint));
        parts.join("\n")
    }

    /// Draws the map in at most `room` lines if possible: with small hexes, or else without the
    /// rows that are farthest from the pieces. Returns whether a part of the map is missing.
    fn fitting_map(&self, room: usize) -> (Canvas, bool) {
        let whole = self.map(&|_| true);
        if whole.height() <= room {
            return (whole, false);
        }
        let drawer = Self { small: true, ..*self };
        let whole = drawer.map(&|_| true);
        if whole.height() <= room {
            return (whole, false);
        }
        let level = |area: &SceneArea| match self.scene.grid() {
            SceneGrid::Hexes | SceneGrid::Unspecified => 2 * area.row + area.column,
            SceneGrid::Tiles | SceneGrid::Points => area.row,
        };
        let named = self.scene.areas.iter().filter(|area| !area.name.is_empty());
        let mut weights: BTreeMap<i32, u32> = BTreeMap::new();
        for area in named {
            let weight = |piece: &&ScenePiece| if has(&piece.states, "own") { 100 } else { 1 };
            let pieces: u32 = self.pieces(area).iter().map(weight).sum();
            *weights.entry(level(area)).or_default() += pieces;
        }
        let weights: Vec<(i32, u32)> = weights.into_iter().collect();
        let part = |count: usize| {
            let middle = |from: usize| (2 * from + count).abs_diff(weights.len());
            let weight = |from: usize| weights[from..][..count].iter().map(|it| it.1).sum::<u32>();
            let from = (0..=weights.len() - count)
                .max_by_key(|from| (weight(*from), Reverse(middle(*from))))
                .unwrap_or_default();
            let (first, last) = (weights[from].0, weights[from + count - 1].0);
            drawer.map(&|area| (first..=last).contains(&level(area)))
        };
        // A row of areas has nearly the same height everywhere.
        let most = weights.len() * room / whole.height().max(1) + 2;
        let counts = 1..=most.min(weights.len().saturating_sub(1));
        let fits = counts.rev().map(part).find(|map| map.height() <= room);
        fits.map_or((whole, false), |map| (map, true))
    }

    fn heading(&self) -> String {
        let title = self.style.paint(&self.scene.title, Ink::Heading);
        text::wrap(&format!("{title}  {}", self.scene.news.join(" ")), self.style.width, 0)
    }

    fn map(&self, is_shown: &dyn Fn(&SceneArea) -> bool) -> Canvas {
        let named = |area: &&SceneArea| !area.name.is_empty() && is_shown(area);
        let areas: Vec<&SceneArea> = self.scene.areas.iter().filter(named).collect();
        match self.scene.grid() {
            SceneGrid::Hexes | SceneGrid::Unspecified => self.hexes(areas),
            SceneGrid::Tiles => self.tiles(&areas),
            SceneGrid::Points => points::draw(self, &areas),
        }
    }

    fn ink(&self, seat: Option<u32>) -> Ink {
        ink(self.scene, seat)
    }

    fn code(&self, seat: Option<u32>) -> String {
        let Some(number) = seat else { return "?".into() };
        let seat = self.scene.seats.iter().find(|seat| seat.seat == number);
        seat.map_or_else(|| number.to_string(), |seat| seat.code.clone())
    }

    pub(super) fn places(&self, area: &SceneArea) -> &[&'a ScenePlace] {
        self.contents.places(&area.name)
    }

    /// Returns the pieces in an area, or at a place in it.
    pub(super) fn pieces(&self, area: &SceneArea) -> &[&'a ScenePiece] {
        self.contents.pieces(&area.name)
    }

    fn label(&self, area: &SceneArea, kind: &str) -> Option<&'a SceneLabel> {
        let labels = self.contents.labels.get(area.name.as_str())?;
        labels.iter().copied().find(|label| label.kind == kind)
    }

    fn hexes(&self, mut areas: Vec<&SceneArea>) -> Canvas {
        let longest = areas.iter().map(|area| length(&self.coordinates(area))).max();
        let longest = longest.unwrap_or_default();
        let row = |area: &SceneArea| 2 * area.row + area.column;
        let left = areas.iter().map(|area| area.column).min().unwrap_or_default();
        let steps = areas.iter().map(|area| area.column - left).max().unwrap_or_default();
        let width = (usize::try_from(steps).unwrap_or_default() + 1) * (longest.max(7) + 2) + 2;
        let is_large =
            !self.small && self.scene.areas.len() <= LARGE_HEXES && width <= self.style.width;
        let half = if is_large { 2 } else { 1 };
        let flat = longest.max(if is_large { 7 } else { 6 });
        let top = areas.iter().map(|area| row(area)).min().unwrap_or_default();
        let corner = |area: &SceneArea| {
            let column = usize::try_from(area.column - left).unwrap_or_default();
            let row = usize::try_from(row(area) - top).unwrap_or_default();
            (column * (flat + half), row * half)
        };
        let ends = areas.iter().map(|area| corner(area));
        let (right, bottom) =
            ends.fold((0, 0), |(right, bottom), (x, y)| (right.max(x), bottom.max(y)));
        let mut canvas = Canvas::new(right + flat + 2 * half + 1, bottom + 2 * half + 1);
        // Adjacent hexes share an edge. Drawing the better known hex last gives the edge its style.
        areas.sort_by_key(|area| clarity(area.sight()));
        for area in &areas {
            self.outline(&mut canvas, corner(area), (flat, half), area.sight());
        }
        for area in &areas {
            let (x, y) = corner(area);
            let lines = if half == 2 {
                self.large_hex(area, flat).to_vec()
            } else {
                self.small_hex(area, flat).to_vec()
            };
            for (line, nth) in lines.iter().zip(1..) {
                let depth = nth.min(2 * half + 1 - nth);
                let (from, width) = (x + half + 1 - depth, flat + 2 * (depth - 1));
                canvas.put_centered((from, y + nth), width, line);
            }
        }
        canvas
    }

    fn outline(
        &self,
        canvas: &mut Canvas,
        (x, y): (usize, usize),
        (flat, half): (usize, usize),
        sight: SceneSight,
    ) {
        let (rising, falling) = (self.style.symbol("╱", "/"), self.style.symbol("╲", "\\"));
        let ink = Some(match sight {
            SceneSight::Visible => Ink::Shade(252),
            SceneSight::Known | SceneSight::Unspecified => Ink::Shade(244),
            SceneSight::Stale | SceneSight::Hidden => Ink::Shade(238),
        });
        let line = "_".repeat(flat);
        let right = x + half + flat;
        canvas.put(x + half, y, &line, ink);
        for nth in 1..=half {
            canvas.put(x + half - nth, y + nth, rising, ink);
            canvas.put(right + nth - 1, y + nth, falling, ink);
            canvas.put(x + nth - 1, y + half + nth, falling, ink);
            canvas.put(right + half - nth, y + half + nth, rising, ink);
        }
        canvas.put(x + half, y + 2 * half, &line, ink);
    }

    fn coordinates(&self, area: &SceneArea) -> Words {
        let faint = area.sight() == SceneSight::Hidden;
        let label = self.label(area, "coordinates").map_or(&area.name, |label| &label.text);
        vec![(label.clone(), Some(Ink::Shade(if faint { 238 } else { 244 })))]
    }

    /// Returns the two lines of a small hex: objects above pieces. A note replaces the pieces,
    /// which then move up if there are no objects. Names need a free line.
    fn small_hex(&self, area: &SceneArea, room: usize) -> [Words; 2] {
        let is_unknown = self.places(area).iter().all(|place| place.kind == "unknown");
        let objects = if is_unknown { Words::new() } else { self.objects(area) };
        let mut pieces = self.pieces(area).to_vec();
        pieces.sort_by_key(|piece| piece.kind == "base");
        let pieces: Words = pieces.into_iter().flat_map(|piece| self.piece(piece)).collect();
        let note = self.note(area);
        let (mut upper, lower) = match (objects.is_empty(), pieces.is_empty(), note) {
            (true, false, Some(note)) => (self.fitted(pieces, room), note),
            (true, _, note) => (self.coordinates(area), note.unwrap_or(pieces)),
            (false, true, note) => {
                let name = || self.place_name(area, room).unwrap_or_default();
                (self.fitted(objects, room), note.unwrap_or_else(name))
            }
            (false, false, note) => {
                let all = pieces.into_iter().chain(note.unwrap_or_default());
                (self.fitted(objects, room), all.collect())
            }
        };
        if has(&area.states, "focus") {
            upper.insert(0, self.focus());
        }
        [upper, self.fitted(lower, room)]
    }

    /// Formats the natural objects in an area, with storms and nebulae last.
    fn objects(&self, area: &SceneArea) -> Words {
        let is_cloud = |place: &ScenePlace| place.kind == "storm" || place.kind == "nebula";
        let mut places = self.places(area).to_vec();
        places.sort_by_key(|place| is_cloud(place));
        places.into_iter().flat_map(|place| self.object(place)).collect()
    }

    fn focus(&self) -> (String, Option<Ink>) {
        (self.style.symbol("›", ">").to_owned(), Some(Ink::Bright(231)))
    }

    fn note(&self, area: &SceneArea) -> Option<Words> {
        let note = self.label(area, "note")?;
        Some(vec![(note.text.clone(), Some(self.ink(note.owner)))])
    }

    /// Returns the name of the labeled place in the area, cut to `room` characters.
    fn place_name(&self, area: &SceneArea, room: usize) -> Option<Words> {
        let label = self.label(area, "name")?;
        let name = if label.full_text.is_empty() { &label.text } else { &label.full_text };
        let place = self.places(area).iter().find(|place| place.name == *name)?;
        let ink = self.object(place).first().and_then(|(_, ink)| *ink);
        Some(vec![(name.chars().take(room).collect(), ink)])
    }

    /// Returns the four lines of a large hex: coordinates, body, pieces, owners.
    fn large_hex(&self, area: &SceneArea, room: usize) -> [Words; 4] {
        let of = |kinds: &[&str]| -> Words {
            let pieces = self.pieces(area).iter();
            let found = pieces.filter(|piece| kinds.contains(&piece.kind.as_str()));
            found.flat_map(|piece| self.piece(piece)).collect()
        };
        let bases = of(&["base"]);
        let ships = of(&["ship", "ships", "wreck"]);
        let all: Words = bases.iter().chain(&ships).cloned().collect();
        let is_separate = bases.len() > 1 || (!bases.is_empty() && length(&all) > room + 2);
        let (mut top, pieces) =
            if is_separate { (bases, ships) } else { (self.coordinates(area), all) };
        let objects = self.objects(area);
        let mut marks: Words = if area.terrain == "waste" {
            vec![(self.style.symbol("▒ZONE▒", "XZONEX").into(), Some(Ink::Bright(196)))]
        } else {
            Words::new()
        };
        let name = self.place_name(area, room);
        if area.owner.is_some() && name.is_none() {
            let text = format!("{}{}", self.style.symbol("★", "*"), self.code(area.owner));
            marks.push((text, Some(self.ink(area.owner))));
        }
        marks.extend(of(&["flag"]));
        if area.terrain != "waste" {
            marks.extend(self.note(area).or(name).unwrap_or_default());
        }
        if has(&area.states, "focus") {
            top.insert(0, self.focus());
        }
        [top, self.fitted(objects, room + 2), self.fitted(pieces, room + 2), marks]
    }

    fn tiles(&self, areas: &[&SceneArea]) -> Canvas {
        let mut rows: Vec<i32> = areas.iter().map(|area| area.row).collect();
        rows.sort_unstable();
        rows.dedup();
        let third = |area: &SceneArea| -> Words {
            let pieces = self.pieces(area).iter();
            let driven = pieces.filter(|piece| has(&piece.states, "dislodged"));
            let mut words: Words = driven.flat_map(|piece| self.piece(piece)).collect();
            if let (true, Some(seat)) = (words.is_empty(), area.claim) {
                words.push((format!("={}", self.code(Some(seat))), Some(self.ink(Some(seat)))));
            }
            words
        };
        let height = |row: &i32| {
            let mut row = areas.iter().filter(|area| area.row == *row);
            if row.any(|area| !third(area).is_empty()) { 3 } else { 2 }
        };
        let columns = areas.iter().map(|area| area.column + 1).max().unwrap_or(1);
        let width = TILE * usize::try_from(columns).unwrap_or(1);
        let mut canvas = Canvas::new(width, rows.iter().map(height).sum());
        let mut top = 0;
        for row in &rows {
            for area in areas.iter().filter(|area| area.row == *row) {
                let x = TILE * usize::try_from(area.column).unwrap_or_default();
                put(&mut canvas, x, top, &self.tile_name(area));
                let unit = self.pieces(area).iter().find(|it| !has(&it.states, "dislodged"));
                let inside = unit.map_or_else(|| self.ground(area), |unit| self.piece(unit));
                put(&mut canvas, x, top + 1, &inside);
                put(&mut canvas, x, top + 2, &third(area));
            }
            top += height(row);
        }
        canvas
    }

    fn tile_name(&self, area: &SceneArea) -> Words {
        let mut name = area.name.clone();
        if let Some(center) = self.places(area).iter().find(|place| place.kind == "center") {
            name.push_str(self.style.symbol("•", "*"));
            name.push_str(&center.owner.map_or_else(String::new, |seat| self.code(Some(seat))));
        }
        let plain = if area.terrain == "sea" { Ink::Shade(67) } else { Ink::Shade(250) };
        vec![(name, Some(area.owner.map_or(plain, |seat| self.ink(Some(seat)))))]
    }

    fn ground(&self, area: &SceneArea) -> Words {
        if !self.style.color {
            return Words::new();
        }
        let dot = if area.terrain == "sea" { "~" } else { self.style.symbol("·", ".") };
        vec![(dot.to_owned(), Some(Ink::Shade(238)))]
    }

    /// Formats a natural object. Bodies that only the viewer knows are in lower case.
    pub(super) fn object(&self, place: &ScenePlace) -> Words {
        let subject = Subject::place(place);
        self.with_guess(self.glyph(&place.kind, &subject), &subject)
    }

    /// Adds a question mark to the words of a guess.
    fn with_guess(&self, mut words: Words, subject: &Subject<'_>) -> Words {
        if subject.has("guess") {
            words.extend(self.glyph("guess", subject));
        }
        words
    }

    pub(super) fn piece(&self, piece: &ScenePiece) -> Words {
        let mut subject = Subject::piece(piece);
        subject.states.extend((self.scene.grid() == SceneGrid::Points).then_some("points"));
        let kind = if GLYPHS.contains_key(piece.kind.as_str()) { &piece.kind } else { "other" };
        self.with_guess(self.glyph(kind, &subject), &subject)
    }

    /// Formats the claimant of a star. Returns no words for an uncontested claim away from a border
    /// if a colony already shows the claimant.
    pub(super) fn claim(&self, star: &ScenePlace) -> Words {
        let is_settled = self.scene.pieces.iter().any(|piece| {
            piece.kind == "colony" && piece.place == star.name && piece.owner == star.owner
        });
        let mut subject = Subject::place(star);
        subject.states.extend(is_settled.then_some("settled"));
        self.glyph("claim", &subject)
    }

    pub(super) fn glyph(&self, name: &str, subject: &Subject<'_>) -> Words {
        let word = |[unicode, ascii, ink]: &[&str; 3]| {
            let text = self.filled(self.style.symbol(unicode, ascii), subject);
            let color = |number: &str| number.parse().unwrap_or_default();
            let ink = match ink.split_once(' ') {
                Some(("bright", number)) => Ink::Bright(color(number)),
                Some((_, number)) => Ink::Shade(color(number)),
                None if *ink == "owner" => self.ink(subject.owner),
                None if *ink == "bad" => Ink::Bad,
                None => Ink::Faint,
            };
            (text, Some(ink))
        };
        let words = subject.lines(&GLYPHS, name).into_iter().map(word);
        words.filter(|(text, _)| !text.is_empty()).collect()
    }

    /// Replaces the names in braces with their values.
    fn filled(&self, text: &str, subject: &Subject<'_>) -> String {
        let mut parts = text.split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for (name, rest) in parts.filter_map(|part| part.split_once('}')) {
            filled = filled + &self.value(name, subject) + rest;
        }
        filled
    }

    fn value(&self, name: &str, subject: &Subject<'_>) -> String {
        // Without color, numbers, codes and letters tell the owners and stars apart.
        let owner = subject.owner.filter(|_| !self.style.color);
        let number = owner.filter(|_| !subject.has("own")).map(|seat| seat.to_string());
        match name {
            "value" => subject.value.to_string(),
            "count" if subject.count == 0 => "?".to_owned(),
            "count" => subject.count.to_string(),
            "label" => subject.label.to_owned(),
            "age" => subject.age.to_string(),
            "seat" => self.code(subject.owner),
            "code" => owner.map(|seat| self.code(Some(seat))).unwrap_or_default(),
            "n" => number.unwrap_or_default(),
            "n:" => number.map(|number| number + ":").unwrap_or_default(),
            "coast" => subject.place.split_once('/').map_or("", |(_, coast)| coast).to_owned(),
            "bound" => self.destination(subject),
            "letter" if self.style.color => String::new(),
            _ => subject.color.chars().take(1).collect(),
        }
    }

    /// Formats the destination of ships as the first letters of a star. A `+` means that there are
    /// more destinations.
    fn destination(&self, piece: &Subject<'_>) -> String {
        let mut courses = self.scene.paths.iter().filter(|path| {
            path.kind == "course" && path.origin == piece.place && path.owner == piece.owner
        });
        let Some(first) = courses.next() else { return String::new() };
        let name: String = first.destination.chars().take(3).collect();
        let more = if courses.next().is_some() { "+" } else { "" };
        format!("{}{name}{more}", self.style.symbol("→", ">"))
    }

    /// Removes words that do not fit and marks the cut. If all words fit, adds spaces where
    /// possible.
    fn fitted(&self, mut words: Words, room: usize) -> Words {
        let mut is_cut = false;
        while length(&words) + usize::from(is_cut) > room && words.len() > 1 {
            words.pop();
            is_cut = true;
        }
        if is_cut {
            words.push((self.style.symbol("…", "+").to_owned(), Some(Ink::Shade(250))));
        } else if length(&words) + words.len().saturating_sub(1) <= room && words.len() > 1 {
            let spaced = words.into_iter().flat_map(|word| [word, (" ".to_owned(), None)]);
            words = spaced.collect();
            words.pop();
        }
        words
    }

    fn panels(&self) -> Vec<String> {
        let panels = self.scene.panels.iter().filter(|panel| !panel.folded);
        let panels = panels.map(|panel| self.panel(panel)).filter(|panel| !panel.is_empty());
        let written = |text: String| {
            if self.style.unicode {
                text
            } else {
                text.replace(" ½", " 1/2").replace('½', " 1/2")
            }
        };
        panels.map(written).collect()
    }

    fn panel(&self, panel: &ScenePanel) -> String {
        let style = self.style;
        let mut parts = Vec::new();
        if !panel.figures.is_empty() {
            let figures: Vec<String> = panel
                .figures
                .iter()
                .map(|figure| format!("{} {}{}", figure.label, figure.value, remark(figure)))
                .collect();
            parts.push(text::items(&figures, style.width.min(100)));
        }
        if !panel.rows.is_empty() {
            let row = |row: &SceneRow| self.row(row, panel.columns.len());
            let rows: Vec<Vec<String>> = panel.rows.iter().take(ROWS_MAX).map(row).collect();
            let headings: Vec<&str> =
                panel.columns.iter().map(|column| column.title.as_str()).collect();
            parts.push(text::table(style, &headings, &rows));
        }
        if panel.rows.len() > ROWS_MAX {
            let more = format!("and {} more", panel.rows.len() - ROWS_MAX);
            parts.push(style.paint(more, Ink::Faint));
        }
        if !panel.note.is_empty() {
            parts.push(style.paint(text::wrap(&panel.note, style.width.min(100), 0), Ink::Faint));
        }
        if parts.is_empty() {
            return String::new();
        }
        format!("{}\n{}", style.paint(&panel.title, Ink::Heading), parts.join("\n"))
    }

    fn row(&self, row: &SceneRow, columns: usize) -> Vec<String> {
        let is = |state: &str| has(&row.states, state);
        let ink = match row.seat {
            _ if is("out") => Some(Ink::Faint),
            _ if is("good") => Some(Ink::Good),
            _ if is("bad") => Some(Ink::Bad),
            Some(_) => Some(self.ink(row.seat)),
            None => None,
        };
        let mut cells = row.cells.clone();
        cells.resize(columns, String::new());
        if let Some(first) = cells.first_mut() {
            if is("active") {
                *first = format!("{} {first}", self.style.symbol("▶", ">"));
            }
            if let Some(ink) = ink {
                *first = self.style.paint(&first, ink);
            }
        }
        cells
    }

    fn legend(&self) -> String {
        let style = self.style;
        let entry = |sign: &SceneSign| {
            let words = match sign.sample.as_ref()? {
                Sample::Place(place) => [self.object(place), self.claim(place)].concat(),
                Sample::Piece(piece) => self.piece(piece),
                Sample::Area(area) => {
                    let kind = match area.terrain.as_str() {
                        "cloud" => "cloud",
                        _ if has(&area.states, "entry") => "entry",
                        _ if has(&area.states, "in-reach") => "in-reach",
                        _ => area.claim.map_or("", |_| "claimed"),
                    };
                    self.glyph(kind, &Subject::area(area))
                }
                Sample::Path(_) => return None,
            };
            let symbol: String = words.into_iter().map(|(text, _)| text).collect();
            (!symbol.is_empty()).then(|| format!("{symbol} {}", sign.meaning))
        };
        let entries: Vec<String> = self.scene.legend.iter().filter_map(entry).collect();
        if entries.is_empty() {
            return String::new();
        }
        let lines = text::items(&entries, style.width.min(100));
        lines.lines().map(|line| style.paint(line, Ink::Faint)).collect::<Vec<_>>().join("\n")
    }
}

/// Returns the terminal color of a seat in a scene.
pub fn ink(scene: &Scene, seat: Option<u32>) -> Ink {
    /// The traditional colors of the great powers.
    const POWERS: [u8; 7] = [203, 69, 117, 244, 71, 183, 221];
    let color = scene.seats.iter().find(|it| Some(it.seat) == seat).map(|it| it.color.as_str());
    match color {
        Some("enemy") => Ink::Bright(196),
        Some(power) if power.starts_with("power-") => {
            let power: usize = power["power-".len()..].parse().unwrap_or(1);
            Ink::Bright(POWERS[power.saturating_sub(1) % POWERS.len()])
        }
        _ => seat_ink(seat),
    }
}

fn clarity(sight: SceneSight) -> u8 {
    match sight {
        SceneSight::Hidden => 0,
        SceneSight::Stale => 1,
        SceneSight::Known | SceneSight::Unspecified => 2,
        SceneSight::Visible => 3,
    }
}

pub(super) fn length(words: &Words) -> usize {
    words.iter().map(|(text, _)| text::width(text)).sum()
}

pub(super) fn put(canvas: &mut Canvas, mut x: usize, y: usize, words: &Words) {
    for (text, ink) in words {
        canvas.put(x, y, text, *ink);
        x += text::width(text);
    }
}
