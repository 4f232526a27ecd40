//! Draws maps in text on which each area is a point, with labels beside it.

use super::screen::{Drawer, Words, length, put};
use super::subject::Subject;
use super::{SceneArea, has};
use crate::canvas::Canvas;
use crate::style::Ink;

/// The width of the row numbers at the left.
const MARGIN: usize = 3;
/// The number of lines with the letters of the columns.
const HEADS: usize = 2;
/// The space at the right for the labels of the last column.
const RIGHT: usize = 13;

/// The label of an area: a symbol in it, and text beside, above or below it.
struct Label {
    symbol: Words,
    name: Words,
    marks: Words,
}

pub(super) fn draw(drawer: &Drawer<'_>, areas: &[&SceneArea]) -> Canvas {
    let columns = areas.iter().map(|area| area.column + 1).max().unwrap_or(1);
    let columns = usize::try_from(columns).unwrap_or(1);
    let width = drawer.style.width;
    let stride = if width >= 150 {
        3
    } else {
        (width.saturating_sub(MARGIN + 5) / columns.max(1)).clamp(2, 3)
    };
    let top = areas.iter().map(|area| area.row).min().unwrap_or_default();
    let corner = |area: &SceneArea| {
        let column = usize::try_from(area.column).unwrap_or_default();
        let row = usize::try_from(area.row - top).unwrap_or_default();
        (MARGIN + column * stride, HEADS + row)
    };
    let bottom = areas.iter().map(|area| corner(area).1 + 2).max().unwrap_or(HEADS);
    let width = (MARGIN + stride * columns + RIGHT).min(width);
    let mut canvas = Canvas::new(width, bottom);
    let has_range = drawer.scene.areas.iter().any(|area| has(&area.states, "in-reach"));
    for area in areas {
        let at = corner(area);
        heads(&mut canvas, area, at, top);
        background(&mut canvas, drawer, area, at, (stride, has_range));
    }
    let mut space = Space { width, taken: vec![false; width * bottom] };
    let mut labels: Vec<((usize, usize), Label)> =
        areas.iter().filter_map(|area| Some((corner(area), label(drawer, area)?))).collect();
    // The longest labels need the most space.
    labels.sort_by_key(|(_, label)| std::cmp::Reverse(length(&label.marks)));
    for ((x, y), label) in &labels {
        space.hold(*x, *y, length(&label.symbol));
    }
    for (at, label) in &labels {
        space.place(&mut canvas, *at, label);
    }
    canvas
}

/// Writes the letters of a column above its first hex, and the number of a row at the left.
fn heads(canvas: &mut Canvas, area: &SceneArea, (x, y): (usize, usize), top: i32) {
    let ink = Some(Ink::Shade(244));
    let split = area.name.find(|char: char| char.is_ascii_digit()).unwrap_or(area.name.len());
    let (letters, number) = area.name.split_at(split);
    if area.row - top <= 1 {
        canvas.put(x, usize::from(y > HEADS), letters, ink);
    }
    if area.column == 0 {
        canvas.put(0, y, &format!("{number:>2}"), ink);
    }
}

/// Draws clouds, and dots that are brighter where the viewer's ships may go.
fn background(
    canvas: &mut Canvas,
    drawer: &Drawer<'_>,
    area: &SceneArea,
    (x, y): (usize, usize),
    (stride, has_range): (usize, bool),
) {
    let style = drawer.style;
    if area.terrain == "cloud" {
        let cloud = style.symbol("░", "%").repeat(stride);
        canvas.put(x, y, &cloud, Some(Ink::Shade(97)));
        canvas.put(x, y + 1, &cloud, Some(Ink::Shade(97)));
        return;
    }
    let dot = style.symbol("·", ".");
    match (has(&area.states, "in-reach"), style.color) {
        (true, _) => canvas.put(x, y, dot, Some(Ink::Shade(246))),
        (false, true) => canvas.put(x, y, dot, Some(Ink::Shade(237))),
        (false, false) if !has_range => canvas.put(x, y, dot, None),
        (false, false) => {}
    }
}

fn label(drawer: &Drawer<'_>, area: &SceneArea) -> Option<Label> {
    let star = drawer.places(area).iter().copied().find(|place| place.kind == "star");
    let mut marks: Vec<Words> = star.map(|star| drawer.claim(star)).into_iter().collect();
    marks.retain(|words| !words.is_empty());
    marks.extend(drawer.pieces(area).iter().map(|piece| drawer.piece(piece)));
    let (symbol, name) = match star {
        Some(star) => {
            let symbol = drawer.object(star);
            let ink = symbol.first().and_then(|(_, ink)| *ink);
            (symbol, vec![(star.name.clone(), ink)])
        }
        None if marks.is_empty() && has(&area.states, "entry") => {
            (drawer.glyph("entry", &Subject::area(area)), Words::new())
        }
        None if marks.is_empty() => return None,
        None => (first_sign(&mut marks), Words::new()),
    };
    Some(Label { symbol, name, marks: marks.into_iter().flatten().collect() })
}

/// Takes the first character from the first mark. Only this character must be in its hex.
fn first_sign(marks: &mut [Words]) -> Words {
    let Some((text, ink)) = marks.first_mut().and_then(|mark| mark.first_mut()) else {
        return Words::new();
    };
    let rest = text.split_off(text.chars().next().map_or(0, char::len_utf8));
    vec![(std::mem::replace(text, rest), *ink)]
}

/// The cells that labels occupy.
struct Space {
    width: usize,
    taken: Vec<bool>,
}

impl Space {
    fn hold(&mut self, x: usize, y: usize, length: usize) {
        for x in x..x + length {
            if let Some(cell) = self.taken.get_mut(y * self.width + x).filter(|_| x < self.width) {
                *cell = true;
            }
        }
    }

    fn is_free(&self, x: usize, y: usize, length: usize) -> bool {
        let start = y * self.width + x;
        x + length <= self.width
            && self.taken.get(start..start + length).is_some_and(|row| !row.contains(&true))
    }

    /// Writes as much of a label as fits.
    fn place(&mut self, canvas: &mut Canvas, at: (usize, usize), label: &Label) {
        put(canvas, at.0, at.1, &label.symbol);
        let symbol = length(&label.symbol);
        let all: Words = label.name.iter().chain(&label.marks).cloned().collect();
        let is_piece = label.name.is_empty();
        if is_piece && self.first_free(canvas, &[(at.0 + symbol, at.1)], &all)
            || !is_piece && self.beside(canvas, at, symbol, &all)
        {
            return;
        }
        if !is_piece && !self.beside(canvas, at, symbol, &label.name) {
            let short = |(text, ink): &(String, _)| (text.chars().take(4).collect(), *ink);
            let short: Words = label.name.iter().map(short).collect();
            let _ =
                self.beside(canvas, at, symbol, &short) || self.above_or_below(canvas, at, &short);
        }
        if !label.marks.is_empty() && !self.above_or_below(canvas, at, &label.marks) {
            self.beside(canvas, at, symbol, &label.marks);
        }
    }

    fn beside(
        &mut self,
        canvas: &mut Canvas,
        (x, y): (usize, usize),
        symbol: usize,
        words: &Words,
    ) -> bool {
        let length = length(words);
        let (right, left) = ((x + symbol, y), (x.saturating_sub(length), y));
        let places = if x >= length + MARGIN { vec![right, left] } else { vec![right] };
        self.first_free(canvas, &places, words)
    }

    fn above_or_below(
        &mut self,
        canvas: &mut Canvas,
        (x, y): (usize, usize),
        words: &Words,
    ) -> bool {
        let shift = length(words).saturating_sub(2);
        let (behind, before) = (x + 1, x.saturating_sub(shift));
        let mut places = vec![(x, y + 1), (behind, y + 1)];
        if y > HEADS {
            places.extend([(x, y - 1), (behind, y - 1)]);
        }
        if x >= shift + MARGIN {
            places.push((before, y + 1));
        }
        self.first_free(canvas, &places, words)
    }

    fn first_free(
        &mut self,
        canvas: &mut Canvas,
        places: &[(usize, usize)],
        words: &Words,
    ) -> bool {
        let length = length(words);
        let Some(&(x, y)) = places.iter().find(|(x, y)| self.is_free(*x, *y, length)) else {
            return false;
        };
        put(canvas, x, y, words);
        // Reserves a cell on both sides to separate labels.
        self.hold(x.saturating_sub(1), y, length + 2);
        true
    }
}
