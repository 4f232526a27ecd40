//! A grid of characters with colours, for drawing in a terminal.

use crate::style::{Ink, Style};

/// A grid of characters.
#[derive(Clone, Debug)]
pub struct Canvas {
    columns: usize,
    cells: Vec<(char, Option<Ink>)>,
}

impl Canvas {
    /// An empty grid.
    pub fn new(columns: usize, rows: usize) -> Self {
        Self { columns, cells: vec![(' ', None); columns * rows] }
    }

    /// Writes a text from a place to the right; what falls outside is left out.
    pub fn put(&mut self, column: usize, row: usize, text: &str, ink: Option<Ink>) {
        for (offset, char) in text.chars().enumerate() {
            let column = column + offset;
            if column < self.columns
                && let Some(cell) = self.cells.get_mut(row * self.columns + column)
            {
                *cell = (char, ink);
            }
        }
    }

    /// Writes coloured pieces of text one after the other in the middle of a space.
    pub fn put_centered(&mut self, column: usize, row: usize, space: usize, pieces: &[(String, Option<Ink>)]) {
        let length: usize = pieces.iter().map(|(text, _)| text.chars().count()).sum();
        let mut column = column + space.saturating_sub(length) / 2;
        for (text, ink) in pieces {
            self.put(column, row, text, *ink);
            column += text.chars().count();
        }
    }

    /// The grid as lines, neighbours of one colour painted together.
    pub fn text(&self, style: &Style) -> String {
        let lines: Vec<String> = self.cells.chunks(self.columns).map(|row| line(style, row)).collect();
        lines.join("\n")
    }
}

fn line(style: &Style, row: &[(char, Option<Ink>)]) -> String {
    let end = row.iter().rposition(|(char, _)| *char != ' ').map_or(0, |last| last + 1);
    let mut line = String::new();
    for run in row[..end].chunk_by(|left, right| left.1 == right.1) {
        let text: String = run.iter().map(|(char, _)| *char).collect();
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
    fn pieces_are_centered_together() {
        let mut canvas = Canvas::new(6, 1);
        canvas.put_centered(0, 0, 6, &[("A".into(), None), ("1".into(), None)]);
        assert_eq!(canvas.text(&Style::PLAIN), "  A1");
    }
}
