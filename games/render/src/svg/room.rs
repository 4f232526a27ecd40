//! Places names without overlaps.

use super::Font;
use super::finish::Anchor;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    /// Returns the area around a point, given half its width and height.
    pub fn around((x, y): (f64, f64), aside: f64, above: f64) -> Self {
        Self { left: x - aside, top: y - above, right: x + aside, bottom: y + above }
    }

    /// Returns an upper bound on the area of text.
    pub fn of_text((x, y): (f64, f64), font: &Font, text: &str) -> Self {
        let width = font.width(text);
        let left = match font.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        Self { left, top: y - 0.76 * font.size, right: left + width, bottom: y + 0.2 * font.size }
    }

    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn shared(&self, other: &Self) -> f64 {
        let wide = self.right.min(other.right) - self.left.max(other.left);
        let high = self.bottom.min(other.bottom) - self.top.max(other.top);
        wide.max(0.0) * high.max(0.0)
    }
}

/// The occupied areas of a picture.
#[derive(Clone, Debug, Default)]
pub struct LabelSpace {
    icons: Vec<Area>,
    names: Vec<Area>,
    reserved: Vec<Area>,
}

/// The cost of covering an icon, as a number of covered names.
const ICON_COST: f64 = 20.0;
/// The cost of covering a reserved area, as a number of covered names.
const RESERVED_COST: f64 = 0.5;

impl LabelSpace {
    pub fn take(&mut self, icon: Area) {
        self.icons.push(icon);
    }

    /// Marks an area that may be occupied later.
    pub fn reserve(&mut self, area: Area) {
        self.reserved.push(area);
    }

    /// Occupies the first free area, or the one with the least overlap, and returns it.
    pub fn stand(&mut self, areas: impl IntoIterator<Item = Area>) -> Area {
        let area = self.best(areas.into_iter().map(|area| (area, area)));
        self.take(area);
        area
    }

    /// Occupies and returns the first position with space for text, or the one with least overlap.
    pub fn place(
        &mut self,
        font: &Font,
        text: &str,
        spots: impl IntoIterator<Item = (f64, f64)>,
    ) -> (f64, f64) {
        let areas = spots.into_iter().map(|spot| (Area::of_text(spot, font, text), spot));
        let spot = self.best(areas);
        self.names.push(Area::of_text(spot, font, text));
        spot
    }

    fn best<T: Copy + Default>(&self, areas: impl IntoIterator<Item = (Area, T)>) -> T {
        let mut best: Option<(f64, T)> = None;
        for (area, what) in areas {
            let cost = self.cost(&area);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, what));
            }
            if cost <= 0.0 {
                break;
            }
        }
        best.map(|(_, what)| what).unwrap_or_default()
    }

    fn cost(&self, area: &Area) -> f64 {
        let covers = |taken: &[Area]| taken.iter().map(|it| it.shared(area)).sum::<f64>();
        ICON_COST * covers(&self.icons)
            + covers(&self.names)
            + RESERVED_COST * covers(&self.reserved)
    }
}

/// Returns positions for text near a point: below, above, beside, then farther away.
pub fn around((x, y): (f64, f64), font: &Font, text: &str, gap: f64) -> Vec<(f64, f64)> {
    let half = font.width(text) / 2.0;
    let mut spots = Vec::with_capacity(40);
    for far in [0.0, 5.0, 10.0, 16.0, 24.0] {
        let (below, above) = (y + gap + far + 0.76 * font.size, y - gap - far - 0.2 * font.size);
        let (right, left, level) =
            (x + gap + far + half, x - gap - far - half, y + 0.3 * font.size);
        spots.extend([(x, below), (x, above), (right, level), (left, level)]);
        let aside = half * 0.7 + far;
        spots.extend([
            (x + aside, below),
            (x - aside, below),
            (x + aside, above),
            (x - aside, above),
        ]);
    }
    spots
}

#[cfg(test)]
mod tests {
    use super::super::{Palette, Theme};
    use super::*;

    #[test]
    fn names_avoid_icons_and_other_names() {
        let font = Font::new(10.0, Palette::of(Theme::Dark).color("text")).centered();
        let mut room = LabelSpace::default();
        room.take(Area::around((50.0, 60.0), 8.0, 8.0));
        let spots = || around((50.0, 50.0), &font, "Kochab", 4.0);
        let first = room.place(&font, "Kochab", spots());
        let second = room.place(&font, "Kochab", spots());
        let [one, other] = [first, second].map(|spot| Area::of_text(spot, &font, "Kochab"));
        assert!(!one.meets(&other) && first.1 < 50.0, "{first:?} {second:?}");
    }
}
