//! A grid of colored characters, for drawing in a terminal.

use unicode_width::UnicodeWidthChar as _;

use crate::style::{Ink, Style};
use crate::text::width;

/// Marker for the second cell of a character that is two columns wide.
const WIDE_TAIL: char = '\0';

#[derive(Clone, Debug)]
pub struct Canvas {
    columns: usize,
    cells: Vec<(char, Option<Ink>)>,
}

impl Canvas {
    pub fn new(columns: usize, rows: usize) -> Self {
        assert!(columns > 0, "lines without a column cannot be told apart");
        Self { columns, cells: vec![(' ', None); columns * rows] }
    }

    /// Writes text to the right of a cell, clipped to the grid.
    pub fn put(&mut self, column: usize, row: usize, text: &str, ink: Option<Ink>) {
        let mut column = column;
        for char in text.chars() {
            // Combining characters are dropped, because they have no cell.
            let room = char.width().unwrap_or(0);
            if room > 0 && column + room <= self.columns {
                self.set(column, row, char, ink);
            }
            if room == 2 && column + room <= self.columns {
                self.set(column + 1, row, WIDE_TAIL, ink);
            }
            column += room;
        }
    }

    /// Fills a cell. If the cell belongs to a wide character, its other half becomes a space.
    fn set(&mut self, column: usize, row: usize, char: char, ink: Option<Ink>) {
        let at = row * self.columns + column;
        let is_taken = |cell: Option<&(char, _)>| cell.is_some_and(|(char, _)| *char == WIDE_TAIL);
        if char != WIDE_TAIL && column > 0 && is_taken(self.cells.get(at)) {
            self.cells[at - 1].0 = ' ';
        }
        if char != WIDE_TAIL && column + 1 < self.columns && is_taken(self.cells.get(at + 1)) {
            self.cells[at + 1].0 = ' ';
        }
        if let Some(cell) = self.cells.get_mut(at) {
            *cell = (char, ink);
        }
    }

    /// Writes colored pieces of text, centered in the `space` columns from `column`.
    pub fn put_centered(
        &mut self,
        (column, row): (usize, usize),
        space: usize,
        pieces: &[(String, Option<Ink>)],
    ) {
        let length: usize = pieces.iter().map(|(text, _)| width(text)).sum();
        let mut column = column + space.saturating_sub(length) / 2;
        for (text, ink) in pieces {
            self.put(column, row, text, *ink);
            column += width(text);
        }
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// Returns the grid as lines. Adjacent cells of one color share an escape sequence.
    pub fn text(&self, style: &Style) -> String {
        let lines: Vec<String> =
            self.cells.chunks(self.columns).map(|row| line(style, row)).collect();
        lines.join("\n")
    }
}

fn line(style: &Style, row: &[(char, Option<Ink>)]) -> String {
    let end = row.iter().rposition(|(char, _)| *char != ' ').map_or(0, |last| last + 1);
    let mut line = String::new();
    for run in row[..end].chunk_by(|left, right| left.1 == right.1) {
        let text: String =
            run.iter().map(|(char, _)| *char).filter(|char| *char != WIDE_TAIL).collect();
        match run[0].1 {
            Some(ink) => line.push_str(&style.paint(text, ink)),
            None => line.push_str(&text),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_outside_the_canvas_is_clipped() {
        let mut canvas = Canvas::new(4, 2);
        canvas.put(2, 0, "abc", None);
        canvas.put(0, 5, "x", None);
        assert_eq!(canvas.text(&Style::PLAIN), "  ab\n");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let mut canvas = Canvas::new(6, 1);
        canvas.put(0, 0, "李李李李", None);
        canvas.put(3, 0, "|", None);
        assert_eq!(canvas.text(&Style::PLAIN), "李 |李");
        canvas.put(4, 0, "é|", None);
        assert_eq!(canvas.text(&Style::PLAIN), "李 |é|");
        let mut narrow = Canvas::new(3, 1);
        narrow.put(0, 0, "e\u{301}李李", None);
        assert_eq!(narrow.text(&Style::PLAIN), "e李", "the accent has no cell, the last no room");
    }

    #[test]
    fn pieces_are_centered_together() {
        let mut canvas = Canvas::new(6, 1);
        canvas.put_centered((0, 0), 6, &[("A".into(), None), ("1".into(), None)]);
        assert_eq!(canvas.text(&Style::PLAIN), "  A1");
    }
}
