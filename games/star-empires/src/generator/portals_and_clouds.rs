//! Notes 11.2, steps 5 and 6: wormnets, storms and nebulae.

use super::GalaxyBuilder;
use crate::geometry::Sector;
use crate::ids::{Id, PortalId};
use crate::objects::{Pattern, Portal, Storm};

impl GalaxyBuilder {
    /// Step 5: adds the wormnets.
    pub(super) fn add_wormnets(&mut self) {
        let mut free = self.portal_sectors();
        for _ in 0..self.options.wormnets {
            let count = self.chance.between(2, u32::from(self.options.wormnet_portals_max));
            let places = self.wormnet_places(&mut free, count as usize);
            if places.len() >= 2 {
                free.retain(|at| !places.contains(at));
                self.add_wormnet(&places);
            }
        }
    }

    fn portal_sectors(&self) -> Vec<Sector> {
        let mut worlds: Vec<Sector> = self.galaxy.worlds.iter().map(|world| world.at).collect();
        worlds.sort_unstable();
        let distance = u32::from(self.options.portal_homeworld_distance_min);
        let fits = |at: &Sector| {
            worlds.binary_search(at).is_err() && self.distance_to_home(*at) >= distance
        };
        self.disc().filter(fits).collect()
    }

    /// Picks `count` sectors for one wormnet, or fewer if too few are far enough apart.
    fn wormnet_places(&mut self, free: &mut [Sector], count: usize) -> Vec<Sector> {
        self.chance.shuffle(free);
        let distance = u32::from(self.options.portal_distance_min);
        let mut places: Vec<Sector> = Vec::with_capacity(count);
        for &at in &*free {
            if places.len() < count && places.iter().all(|other| other.distance(at) >= distance) {
                places.push(at);
            }
        }
        places
    }

    /// Adds a wormnet with a portal in each of these sectors. All portals are connected in both
    /// directions. In a wormnet of three or more, one portal may be entrance-only or exit-only
    /// (R46).
    fn add_wormnet(&mut self, places: &[Sector]) {
        let first = self.galaxy.portals.len();
        let one_way = places.len() >= 3 && self.chance.percent(self.options.one_way_percent);
        let special = first + self.chance.below(places.len() as u32) as usize;
        let entrance_only = self.chance.percent(50);
        for (index, &at) in places.iter().enumerate() {
            let own = first + index;
            let leads = |&other: &usize| {
                let barred =
                    one_way && (if entrance_only { other == special } else { own == special });
                other != own && !barred
            };
            let exits = (first..first + places.len()).filter(leads).map(PortalId::at).collect();
            let name = self.names.portal();
            self.galaxy.portals.push(Portal { name, at, exits, ..Portal::default() });
        }
    }

    /// Step 6: adds storms and nebulae, which may share a sector with other objects.
    pub(super) fn add_clouds(&mut self) {
        let distance = u32::from(self.options.nebula_homeworld_distance_min);
        for at in self.disc() {
            if self.distance_to_home(at) < distance {
                continue;
            }
            if self.chance.percent(self.options.storm_percent) {
                let rating = self.chance.between(1, self.options.storm_rating_max);
                let pattern = self.pattern(rating);
                let name = self.names.storm();
                self.galaxy.storms.push(Storm { name, at, rating, initial: rating, pattern });
            } else if self.chance.percent(self.options.nebula_percent) {
                let name = self.names.storm();
                self.galaxy.storms.push(Storm { name, at, ..Storm::default() });
            }
        }
    }

    /// R48: returns the pattern of a new storm. Some storms fluctuate, randomly or in a cycle down
    /// to zero and back.
    fn pattern(&mut self, rating: u32) -> Pattern {
        if !self.chance.percent(self.options.storm_fluctuate_percent) {
            return Pattern::Constant;
        }
        if self.chance.percent(50) {
            return Pattern::Random;
        }
        let more = rating.div_ceil(2).cast_signed();
        let less = rating.cast_signed() - more;
        Pattern::Cyclic([-more, -less, less, more].into())
    }
}
