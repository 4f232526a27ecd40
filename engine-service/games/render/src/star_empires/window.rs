//! Which part of the map is drawn, and which layer of it.

use heliopause_kernel::vocabulary;
use heliopause_star_empires::Coord;

use super::atlas::Atlas;
use crate::aim::Aim;

vocabulary! {
    /// What is shown of the sectors.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(super) enum Layer {
        /// Of everything the most important.
        #[default]
        All = "all",
        /// Whose the worlds are.
        Owners = "owners",
        /// Ships and their tonnage.
        Ships = "ships",
        /// How well each sector is known.
        Scans = "scans",
        /// Storms and nebulae.
        Storms = "storms",
        Portals = "portals",
    }
}

impl Layer {
    /// The layer whose word begins so, in any case.
    fn beginning(text: &str) -> Result<Self, String> {
        let begins = |layer: &Self| layer.as_str().starts_with(text.to_lowercase().as_str());
        let found = Self::ALL.into_iter().find(|layer| text.len() > 1 && begins(layer));
        found.ok_or_else(|| {
            let words = Self::ALL.map(Self::as_str).join(", ");
            format!("The map has no layer `{}`; it has {words}.", text.to_lowercase())
        })
    }
}

/// Which part of the map is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    /// The middle, if one was asked for.
    pub(super) around: Option<Coord>,
    /// How far it reaches, if that was asked for.
    pub(super) radius: Option<u32>,
    /// What is shown.
    pub(super) layer: Layer,
}

impl Window {
    /// What is asked for, on this map.
    pub(super) fn aimed(atlas: &Atlas, aim: &Aim) -> Result<Self, String> {
        let around = aim.around.as_deref().map(|text| find(atlas, text)).transpose()?;
        let radius = aim.radius.map(|radius| radius.min(1000));
        let layer = aim.layer.as_deref().map(Layer::beginning).transpose()?.unwrap_or_default();
        Ok(Self { around, radius, layer })
    }

    /// The middle: what was asked for, else the homeworld.
    pub(super) fn middle(&self, atlas: &Atlas) -> Coord {
        self.around.unwrap_or(atlas.home)
    }

    /// The sectors to draw. `most` is how far the map may reach if nothing was asked for; none is
    /// as far as it goes.
    pub(super) fn places(&self, atlas: &Atlas, most: Option<u32>) -> Vec<Coord> {
        let middle = self.middle(atlas);
        // Around a place that was asked for, a smaller map than that of all says more.
        let asked = self.radius.or(self.around.map(|_| AROUND));
        let radius = match (asked, most) {
            (Some(asked), _) if self.radius.is_some() => asked,
            (Some(asked), Some(most)) => asked.min(most),
            (asked, most) => asked.or(most).unwrap_or(u32::MAX),
        };
        atlas.cells.keys().filter(|at| at.distance(middle) <= radius).copied().collect()
    }
}

/// How far a map reaches around a place if no radius is asked for.
const AROUND: u32 = 5;

/// A place by its coordinates or by the name of what is there.
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
            "Your map shows no `{bare}`. Name a world, portal, storm or ship of yours, or a \
            sector such as (2,-1)."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn aimed(text: &str) -> Result<Window, String> {
        Window::aimed(&sample::atlas(), &Aim::read(text))
    }

    #[test]
    fn a_window_goes_around_a_place_or_a_name() -> Result<(), String> {
        assert_eq!(aimed("(2, -1)")?.around, Some(Coord::new(2, -1)));
        assert_eq!(aimed("@ember 1")?.around, Some(Coord::new(1, 1)));
        let window = aimed("ember 1 layer:scan")?;
        assert_eq!(
            (window.places(&sample::atlas(), Some(5)).len(), window.layer),
            (7, Layer::Scans)
        );
        Ok(())
    }

    #[test]
    fn what_is_not_on_the_map_is_told() {
        assert!(aimed("Nowhere").is_err_and(|told| told.contains("`Nowhere`")));
        assert!(aimed("layer:x").is_err_and(|told| told.contains("owners, ships")));
    }

    #[test]
    fn without_a_wish_the_map_reaches_as_far_as_there_is_room() {
        let atlas = sample::atlas();
        assert_eq!(Window::default().places(&atlas, None).len(), atlas.cells.len());
        assert_eq!(Window::default().places(&atlas, Some(1)).len(), 7);
    }
}
