//! A grid of characters with colours, for drawing in a terminal.

use unicode_width::UnicodeWidthChar as _;

use crate::style::{Ink, Style};
use crate::text::width;

/// What stands behind a character that takes two columns.
const TAKEN: char = '\0';

/// A grid of characters.
#[derive(Clone, Debug)]
pub struct Canvas {
    columns: usize,
    cells: Vec<(char, Option<Ink>)>,
}

impl Canvas {
    /// An empty grid.
    pub fn new(columns: usize, rows: usize) -> Self {
        assert!(columns > 0, "lines without a column cannot be told apart");
        Self { columns, cells: vec![(' ', None); columns * rows] }
    }

    /// Writes a text from a place to the right; what falls outside is left out.
    pub fn put(&mut self, column: usize, row: usize, text: &str, ink: Option<Ink>) {
        let mut column = column;
        for char in text.chars() {
            // What stands on another character has no cell; most such letters are one character
            // anyway.
            let room = char.width().unwrap_or(0);
            if room > 0 && column + room <= self.columns {
                self.set(column, row, char, ink);
            }
            if room == 2 && column + room <= self.columns {
                self.set(column + 1, row, TAKEN, ink);
            }
            column += room;
        }
    }

    /// Fills a cell. Of a wide character there that loses a half the other half becomes a space.
    fn set(&mut self, column: usize, row: usize, char: char, ink: Option<Ink>) {
        let at = row * self.columns + column;
        let is_taken = |cell: Option<&(char, _)>| cell.is_some_and(|(char, _)| *char == TAKEN);
        if char != TAKEN && column > 0 && is_taken(self.cells.get(at)) {
            self.cells[at - 1].0 = ' ';
        }
        if char != TAKEN && column + 1 < self.columns && is_taken(self.cells.get(at + 1)) {
            self.cells[at + 1].0 = ' ';
        }
        if let Some(cell) = self.cells.get_mut(at) {
            *cell = (char, ink);
        }
    }

    /// Writes coloured pieces of text one after the other in the middle of a space.
    pub fn put_centered(
        &mut self,
        column: usize,
        row: usize,
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

    /// So many rows above and below one, as far as there are any.
    #[must_use]
    pub fn around(&self, row: usize, reach: usize) -> Self {
        let rows = self.cells.len() / self.columns;
        let (from, to) = (row.saturating_sub(reach).min(rows), (row + reach + 1).min(rows));
        let cells = self.cells[from * self.columns..to.max(from) * self.columns].to_vec();
        Self { columns: self.columns, cells }
    }

    /// The grid as lines, neighbours of one colour painted together.
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
            run.iter().map(|(char, _)| *char).filter(|char| *char != TAKEN).collect();
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
    fn what_falls_outside_is_left_out() {
        let mut canvas = Canvas::new(4, 2);
        canvas.put(2, 0, "abc", None);
        canvas.put(0, 5, "x", None);
        assert_eq!(canvas.text(&Style::PLAIN), "  ab\n");
    }

    #[test]
    fn a_part_has_the_rows_around_one() {
        let mut canvas = Canvas::new(1, 4);
        (0..4).for_each(|row| canvas.put(0, row, &row.to_string(), None));
        let text = |row, reach| canvas.around(row, reach).text(&Style::PLAIN);
        assert_eq!([text(1, 1), text(0, 1), text(3, 9)], ["0\n1\n2", "0\n1", "0\n1\n2\n3"]);
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
        canvas.put_centered(0, 0, 6, &[("A".into(), None), ("1".into(), None)]);
        assert_eq!(canvas.text(&Style::PLAIN), "  A1");
    }
}
