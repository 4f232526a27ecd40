//! The column beside a map: headings, text and legend symbols.

use super::{Color, Font, Layer, Picture, Sheet};
use crate::text;

/// The column beside a map. It grows with its content.
#[derive(Debug)]
pub struct Column<'a> {
    picture: &'a mut Picture,
    x: f64,
    y: f64,
    width: f64,
}

/// The vertical distance between symbols, and the horizontal distance to their meanings.
const SIGN: (f64, f64) = (24.0, 34.0);

impl<'a> Column<'a> {
    pub fn new(picture: &'a mut Picture, (x, y): (f64, f64), width: f64) -> Self {
        Self { picture, x, y, width }
    }

    pub fn bottom(&self) -> f64 {
        self.y
    }

    pub fn skip(&mut self, room: f64) {
        self.y += room;
    }

    pub fn heading(&mut self, text: &str) {
        self.y += 14.0;
        let font = Font::new(16.0, self.picture.palette.color("text")).bold();
        let at = (self.x, self.y);
        self.sheet().text(at.0, at.1, font, text);
        self.y += 6.0;
    }

    pub fn lines(&mut self, size: f64, color: Color, bold: bool, told: &str) {
        let font = Font::new(size, color).bold_if(bold);
        let columns = (self.width / font.width("x")).max(8.0);
        for line in text::wrap(told, columns as usize, 0).lines() {
            self.y += size * 1.35;
            let at = (self.x, self.y);
            self.sheet().text(at.0, at.1, font, line);
        }
    }

    /// Adds a row. `draw` receives the left end of its baseline.
    pub fn row(&mut self, height: f64, draw: impl FnOnce(&mut Sheet, (f64, f64))) {
        self.y += height;
        let at = (self.x, self.y);
        draw(self.sheet(), at);
    }

    /// Adds a symbol and its meaning to the legend. `draw` receives the center of the symbol.
    pub fn sign(&mut self, meaning: &str, draw: impl FnOnce(&mut Sheet, (f64, f64))) {
        let (size, color) = (12.5, self.picture.palette.color("soft"));
        self.y += SIGN.0;
        let spot = (self.x + 14.0, self.y - 4.0);
        draw(self.sheet(), spot);
        let font = Font::new(size, color);
        let columns = ((self.width - SIGN.1) / font.width("x")).max(8.0);
        let (x, mut y) = (self.x + SIGN.1, self.y);
        for line in text::wrap(meaning, columns as usize, 0).lines() {
            self.sheet().text(x, y, font, line);
            self.y = y;
            y += size * 1.25;
        }
    }

    fn sheet(&mut self) -> &mut Sheet {
        self.picture.on(Layer::Legend)
    }
}
