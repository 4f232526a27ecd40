//! Notes 11.2, steps 3 and 4: the worlds.

use heliopause_kernel::Seat;

use super::GalaxyBuilder;
use crate::geometry::Sector;
use crate::name::Name;
use crate::objects::World;

impl GalaxyBuilder {
    pub(super) fn add_world(
        &mut self,
        name: Name,
        at: Sector,
        production: u32,
        owner: Option<Seat>,
    ) {
        let stockpile = if owner.is_some() { production } else { 0 };
        self.galaxy.worlds.push(World {
            name,
            at,
            production,
            stockpile,
            owner,
            ..World::default()
        });
    }

    fn add_free_world(&mut self, at: Sector, production: u32) {
        let name = self.names.world();
        self.add_world(name, at, production, None);
    }

    /// Step 3: adds worlds near every homeworld, with the same total production for each empire.
    pub(super) fn add_nearby_worlds(&mut self) {
        for index in 0..self.homes.len() {
            let home = self.homes[index];
            let near = home.within(self.options.nearby_radius).skip(1);
            let radius = u32::from(self.radius);
            let mut free: Vec<Sector> =
                near.filter(|at| at.distance(Sector::CENTER) <= radius).collect();
            self.chance.shuffle(&mut free);
            let mut rest = self.options.nearby_production;
            let worlds = u32::from(self.options.nearby_worlds).min(free.len() as u32).min(rest);
            for (left, at) in (1..=worlds).rev().zip(free) {
                let production = self.share(rest, left);
                rest -= production;
                self.add_free_world(at, production);
            }
        }
    }

    /// Returns the production of one world, the average of `rest` ±1. Leaves at least 1 for each
    /// other world.
    fn share(&mut self, rest: u32, worlds: u32) -> u32 {
        if worlds == 1 {
            return rest;
        }
        let production = (rest / worlds + self.chance.below(3)).saturating_sub(1);
        production.clamp(1, rest - (worlds - 1))
    }

    /// Step 4: adds worlds in free sectors away from the homeworlds.
    pub(super) fn add_other_worlds(&mut self) {
        for at in self.disc() {
            let far = self.distance_to_home(at) > u32::from(self.options.nearby_radius);
            if far && self.chance.percent(self.options.world_percent) {
                let production = self.chance.between(1, self.options.world_production_max);
                self.add_free_world(at, production);
            }
        }
    }
}
