//! Finding room for what is written on the map, so that nothing covers anything else.

use crate::canvas::Canvas;
use crate::style::Ink;
use crate::text;

type Words = Vec<(String, Option<Ink>)>;

/// What is written of a hex: the symbol stands in it, the rest beside it, or above or below.
#[derive(Clone, Debug)]
pub(super) struct Label {
    /// The star, or the ships if there is none.
    pub(super) symbol: Words,
    pub(super) name: Words,
    pub(super) marks: Words,
}

impl Label {
    pub(super) fn symbol_width(&self) -> usize {
        length(&self.symbol)
    }
}

/// How many columns words take.
fn length(words: &Words) -> usize {
    words.iter().map(|(text, _)| text::width(text)).sum()
}

/// Which cells are written on.
pub(super) struct Labels {
    width: usize,
    taken: Vec<bool>,
}

impl Labels {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, taken: vec![false; width * height] }
    }

    /// Keeps cells free for a symbol.
    pub(super) fn hold(&mut self, x: usize, y: usize, length: usize) {
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

    /// Writes a label where there is room for all of it; or what there is room for.
    pub(super) fn place(&mut self, canvas: &mut Canvas, x: usize, y: usize, label: &Label) {
        write(canvas, x, y, &label.symbol);
        let behind = x + label.symbol_width();
        let all: Words = label.name.iter().chain(&label.marks).cloned().collect();
        if self.beside(canvas, x, behind, y, &all) {
            return;
        }
        if !label.name.is_empty() && !self.beside(canvas, x, behind, y, &label.name) {
            let short: Words = label
                .name
                .iter()
                .map(|(text, ink)| (text.chars().take(4).collect(), *ink))
                .collect();
            let _ = self.beside(canvas, x, behind, y, &short)
                || self.above_or_below(canvas, x, y, &short);
        }
        if !label.marks.is_empty() && !self.above_or_below(canvas, x, y, &label.marks) {
            self.beside(canvas, x, behind, y, &label.marks);
        }
    }

    /// To the right, or to the left.
    fn beside(
        &mut self,
        canvas: &mut Canvas,
        x: usize,
        behind: usize,
        y: usize,
        words: &Words,
    ) -> bool {
        let length = length(words);
        let right = (behind, y);
        let left = (x.saturating_sub(length), y);
        let places = if x >= length + 3 { vec![right, left] } else { vec![right] };
        self.first_free(canvas, &places, words)
    }

    fn above_or_below(&mut self, canvas: &mut Canvas, x: usize, y: usize, words: &Words) -> bool {
        let shift = length(words).saturating_sub(2);
        let (behind, before) = (x + 1, x.saturating_sub(shift));
        let mut places = vec![(x, y + 1), (behind, y + 1)];
        if y > 2 {
            places.extend([(x, y - 1), (behind, y - 1)]);
        }
        if x >= shift + 3 {
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
        write(canvas, x, y, words);
        // One cell more on both sides, so that two labels do not read as one.
        self.hold(x.saturating_sub(1), y, length + 2);
        true
    }
}

fn write(canvas: &mut Canvas, mut x: usize, y: usize, words: &Words) {
    for (text, ink) in words {
        canvas.put(x, y, text, *ink);
        x += text::width(text);
    }
}
