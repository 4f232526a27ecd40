//! The part and layer of the map to draw.

use heliopause_kernel::vocabulary;
use heliopause_star_empires::Coord;

use super::atlas::Atlas;
use crate::aim::MapRequest;

vocabulary! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(super) enum Layer {
        /// The most important items of every layer.
        #[default]
        All = "all",
        Owners = "owners",
        Ships = "ships",
        /// How well each sector is known.
        Scans = "scans",
        Storms = "storms",
        Portals = "portals",
    }
}

impl Layer {
    /// Returns whether this layer shows what `other` shows.
    pub(super) fn includes(self, other: Self) -> bool {
        self == Self::All || self == other
    }

    fn with_prefix(text: &str) -> Result<Self, String> {
        let begins = |layer: &Self| layer.as_str().starts_with(text.to_lowercase().as_str());
        let found = Self::ALL.into_iter().find(|layer| text.len() > 1 && begins(layer));
        found.ok_or_else(|| {
            let words = Self::ALL.map(Self::as_str).join(", ");
            format!("Layer `{}` does not exist; expected one of {words}.", text.to_lowercase())
        })
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    pub(super) around: Option<Coord>,
    pub(super) radius: Option<u32>,
    pub(super) layer: Layer,
}

impl Window {
    pub(super) fn for_request(atlas: &Atlas, aim: &MapRequest) -> Result<Self, String> {
        let around = aim.around.as_deref().map(|text| find(atlas, text)).transpose()?;
        let radius = aim.radius.map(|radius| radius.min(1000));
        let layer = aim.layer.as_deref().map(Layer::with_prefix).transpose()?.unwrap_or_default();
        Ok(Self { around, radius, layer })
    }

    pub(super) fn is_whole(&self) -> bool {
        self.around.is_none() && self.radius.is_none() && self.layer == Layer::All
    }

    pub(super) fn middle(&self, atlas: &Atlas) -> Coord {
        self.around.unwrap_or(atlas.home)
    }

    /// Returns the sectors to draw, nearest first. `most` limits the radius unless the request sets
    /// one.
    pub(super) fn places(&self, atlas: &Atlas, most: Option<u32>) -> Vec<Coord> {
        let middle = self.middle(atlas);
        let asked = self.radius.or(self.around.map(|_| AROUND));
        let radius = match (asked, most) {
            (Some(asked), _) if self.radius.is_some() => asked,
            (Some(asked), Some(most)) => asked.min(most),
            (asked, most) => asked.or(most).unwrap_or(u32::MAX),
        };
        let is_near = |at: &&Coord| at.distance(middle) <= radius;
        let mut places: Vec<Coord> = atlas.cells.keys().filter(is_near).copied().collect();
        places.sort_by_key(|at| (at.distance(middle), *at));
        places
    }
}

/// The default radius around a requested place.
const AROUND: u32 = 5;

fn find(atlas: &Atlas, text: &str) -> Result<Coord, String> {
    let bare = text.trim().trim_start_matches('@');
    let numbers = bare.trim_start_matches('(').trim_end_matches(')');
    if let Some((oblique, y)) = numbers.split_once(',')
        && let (Ok(oblique), Ok(y)) = (oblique.trim().parse(), y.trim().parse())
    {
        return Ok(Coord::new(oblique, y));
    }
    atlas.find(bare).ok_or_else(|| {
        format!(
            "`{bare}` is not on your map. Enter a world, portal, storm or ship of yours, or a \
             sector such as (2,-1)."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn for_request(text: &str) -> Result<Window, String> {
        Window::for_request(&sample::atlas(), &MapRequest::read(text))
    }

    #[test]
    fn windows_center_on_a_place_or_a_name() -> Result<(), String> {
        assert_eq!(for_request("(2, -1)")?.around, Some(Coord::new(2, -1)));
        assert_eq!(for_request("@ember 1")?.around, Some(Coord::new(1, 1)));
        let window = for_request("ember 1 layer:scan")?;
        assert_eq!(
            (window.places(&sample::atlas(), Some(5)).len(), window.layer),
            (7, Layer::Scans)
        );
        Ok(())
    }

    #[test]
    fn unknown_places_are_rejected() {
        assert!(for_request("Nowhere").is_err_and(|told| told.contains("`Nowhere`")));
        assert!(for_request("layer:x").is_err_and(|told| told.contains("owners, ships")));
    }

    #[test]
    fn maps_reach_as_far_as_they_fit_by_default() {
        let atlas = sample::atlas();
        assert_eq!(Window::default().places(&atlas, None).len(), atlas.cells.len());
        assert_eq!(Window::default().places(&atlas, Some(1)).len(), 7);
    }
}
