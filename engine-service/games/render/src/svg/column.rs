//! What stands beside a map: headings, lines and signs, one below the other.

use super::{Color, Font, Layer, Palette, Picture, Sheet};
use crate::text;

/// A column of the legend. It grows with what it holds.
#[derive(Debug)]
pub struct Column<'a> {
    picture: &'a mut Picture,
    x: f64,
    y: f64,
    width: f64,
}

/// How far signs are apart, and how far their meaning stands from them.
const SIGN: (f64, f64) = (24.0, 34.0);

impl<'a> Column<'a> {
    /// A column that begins there.
    pub fn new(picture: &'a mut Picture, (x, y): (f64, f64), width: f64) -> Self {
        Self { picture, x, y, width }
    }

    /// Where it ends.
    pub fn bottom(&self) -> f64 {
        self.y
    }

    /// Its colours.
    pub fn palette(&self) -> &'static Palette {
        self.picture.palette
    }

    /// Leaves some room.
    pub fn skip(&mut self, room: f64) {
        self.y += room;
    }

    /// A heading.
    pub fn heading(&mut self, text: &str) {
        self.y += 14.0;
        let font = Font::new(16.0, self.picture.palette.text).bold();
        let at = (self.x, self.y);
        self.sheet().text(at.0, at.1, font, text);
        self.y += 6.0;
    }

    /// A text, broken into lines.
    pub fn lines(&mut self, size: f64, color: Color, bold: bool, told: &str) {
        let font = Font::new(size, color).bold_if(bold);
        let columns = (self.width / font.width("x")).max(8.0);
        for line in text::wrap(told, columns as usize, 0).lines() {
            self.y += size * 1.35;
            let at = (self.x, self.y);
            self.sheet().text(at.0, at.1, font, line);
        }
    }

    /// A row that is drawn at its base line.
    pub fn row(&mut self, height: f64, draw: impl FnOnce(&mut Sheet, (f64, f64))) {
        self.y += height;
        let at = (self.x, self.y);
        draw(self.sheet(), at);
    }

    /// A sign and what it means. It is drawn around the spot that it gets.
    pub fn sign(&mut self, meaning: &str, draw: impl FnOnce(&mut Sheet, (f64, f64))) {
        let (size, color) = (12.5, self.picture.palette.soft);
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
