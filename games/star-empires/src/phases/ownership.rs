//! 6.3.6, 6.4.7 to 6.4.10, notes 7: ownership of worlds, homeworlds, blockades and interdictions.

use heliopause_kernel::{Draw, Seat, SeatSet};

use crate::geometry::Sector;
use crate::ids::{Id, WorldId};
use crate::news::What;
use crate::objects::Siege;
use crate::section::Section;
use crate::ship::Ship;
use crate::update::Update;

/// Notes 1: the strength of one empire and of all others in a sector. Only conquering ships count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Situation {
    pub friendly_guns: u64,
    pub friendly_dp: u64,
    pub foreign_guns: u64,
    pub foreign_dp: u64,
}

impl Situation {
    /// Compares ratios of friendly damage points to foreign guns. A sector without foreign guns is
    /// the safest.
    pub(crate) fn cmp_safety(&self, other: &Self) -> std::cmp::Ordering {
        match (self.foreign_guns, other.foreign_guns) {
            (0, 0) => std::cmp::Ordering::Equal,
            (0, _) => std::cmp::Ordering::Greater,
            (_, 0) => std::cmp::Ordering::Less,
            (own, others) => (self.friendly_dp * others).cmp(&(other.friendly_dp * own)),
        }
    }
}

impl Update<'_> {
    /// 6.3.6, 6.4.7, notes 7.1: gives a world to the empire with the only conquering ships there.
    /// If several empires have conquering ships there, only the current owner can keep the world.
    pub(crate) fn determine_ownership(&mut self, section: Section) {
        for id in (0..self.galaxy().worlds.len()).map(WorldId::at) {
            let world = *self.galaxy().world(id);
            let there = self.conquerors(world.at);
            let to = match (there.len(), world.owner) {
                (0, _) => None,
                (1, _) => there.iter().next(),
                (_, owner) => owner.filter(|&owner| there.contains(owner)),
            };
            if to == world.owner {
                continue;
            }
            let turn = &mut self.worlds[id.index()];
            turn.taken = to.is_some();
            if let Some(loser) = world.owner {
                turn.lost_by.insert(loser);
            }
            self.game.galaxy.world_mut(id).owner = to;
            let readers: SeatSet = self.index.present(world.at).iter().chain(world.owner).collect();
            let what = What::Owner { world: id, from: world.owner, to };
            self.add_news(section, Some(world.at), readers, what);
        }
    }

    /// 6.4.8, notes 7.2: makes the safest world of each empire that lost its homeworld the new one.
    pub(crate) fn relocate_homeworlds(&mut self) {
        let section = Section::of("6.4.8");
        for seat in self.galaxy().seats() {
            let former = self.galaxy().empire(seat).homeworld;
            if former.is_some_and(|world| self.galaxy().world(world).owner == Some(seat)) {
                continue;
            }
            let chosen = self.safest_world(seat);
            let galaxy = &mut self.game.galaxy;
            let place = chosen.or(former).map(|world| galaxy.world(world).at);
            let empire = galaxy.empire_mut(seat);
            empire.homeworld = chosen;
            empire.last_homeworld = place.or(empire.last_homeworld);
            if let Some(world) = chosen {
                self.worlds[world.index()].doubled = true;
            }
            if chosen != former {
                self.add_news(section, None, SeatSet::one(seat), What::Homeworld(chosen));
            }
        }
    }

    /// Returns the empire's safest world, or `None` if it has no worlds. Ties are broken by
    /// friendly damage points, production, distance to the last homeworld, then chance.
    fn safest_world(&mut self, seat: Seat) -> Option<WorldId> {
        let last = self.galaxy().empire(seat).last_homeworld;
        let candidates = self.galaxy().worlds_of(seat).map(|(id, world)| {
            let distance = last.map_or(0, |last| last.distance(world.at));
            (id, self.situation(seat, world.at), world.production, distance)
        });
        let candidates: Vec<_> = candidates.collect();
        let compare = |one: &(WorldId, Situation, u32, u32),
                       other: &(WorldId, Situation, u32, u32)| {
            let safety =
                one.1.cmp_safety(&other.1).then(one.1.friendly_dp.cmp(&other.1.friendly_dp));
            safety.then(one.2.cmp(&other.2)).then(other.3.cmp(&one.3))
        };
        let best = *candidates.iter().max_by(|one, other| compare(one, other))?;
        let equal: Vec<WorldId> = candidates
            .iter()
            .filter(|other| compare(other, &best).is_eq())
            .map(|&(id, ..)| id)
            .collect();
        if equal.len() == 1 {
            return Some(best.0);
        }
        let draw = Draw::new("homeworld").at(u64::from(self.turn())).of(u64::from(seat.number()));
        Some(equal[self.dice.roll(draw, equal.len() as u32) as usize - 1])
    }

    /// 6.4.9, 6.4.10, notes 7.3: sets blockades and interdictions.
    pub(crate) fn establish_interdictions_and_blockades(&mut self) {
        for id in (0..self.galaxy().worlds.len()).map(WorldId::at) {
            let world = *self.galaxy().world(id);
            let siege = world.owner.map_or(Siege::None, |owner| self.siege(owner, id, world.at));
            if siege == world.siege {
                continue;
            }
            self.game.galaxy.world_mut(id).siege = siege;
            let Some(owner) = world.owner else { continue };
            let is_interdiction = siege.max(world.siege) == Siege::Interdicted;
            let section = Section::of(if is_interdiction { "6.4.9" } else { "6.4.10" });
            let readers = self.index.present(world.at).with(owner);
            self.add_news(section, Some(world.at), readers, What::Siege { world: id, siege });
        }
    }

    /// Returns the siege (R32). A starbase prevents any siege. A homeworld cannot be interdicted.
    fn siege(&self, owner: Seat, id: WorldId, at: Sector) -> Siege {
        let is_guard = |ship: &Ship| ship.owner == owner && self.galaxy().is_starbase(ship);
        if self.index.in_sector(at).any(|id| is_guard(self.galaxy().ship(id))) {
            return Siege::None;
        }
        let situation = self.situation(owner, at);
        let is_home = self.galaxy().empire(owner).homeworld == Some(id);
        if situation.foreign_guns > 3 * situation.friendly_dp && !is_home {
            Siege::Interdicted
        } else if situation.foreign_guns > 2 * situation.friendly_dp {
            Siege::Blockaded
        } else {
            Siege::None
        }
    }

    pub(crate) fn situation(&self, seat: Seat, at: Sector) -> Situation {
        let galaxy = self.galaxy();
        let mut situation = Situation::default();
        for ship in self.index.in_sector(at).map(|id| galaxy.ship(id)) {
            if !galaxy.is_conquering(ship) {
                continue;
            }
            let (guns, dp) = (u64::from(galaxy.guns(ship)), u64::from(ship.dp));
            if ship.owner == seat {
                situation.friendly_guns += guns;
                situation.friendly_dp += dp;
            } else {
                situation.foreign_guns += guns;
                situation.foreign_dp += dp;
            }
        }
        situation
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Site, at};
    use std::cmp::Ordering;

    #[test]
    fn situation_51_safety_is_damage_points_to_foreign_guns() {
        let situation = |friendly_dp, foreign_guns| Situation {
            friendly_dp,
            foreign_guns,
            ..Situation::default()
        };
        assert_eq!(situation(40, 10).cmp_safety(&situation(10, 0)), Ordering::Less);
        assert_eq!(situation(40, 10).cmp_safety(&situation(8, 2)), Ordering::Equal);
        assert_eq!(situation(1, 0).cmp_safety(&situation(9, 0)), Ordering::Equal);
        assert_eq!(situation(5, 1).cmp_safety(&situation(9, 2)), Ordering::Greater);
    }

    #[test]
    fn notes_7_2_safety_counts_guns_and_damage_points_of_both_sides_in_a_sector() {
        let mut site = Site::of(
            "ships A battleship (0,0) L; hurt A gunship (0,0) 6 G; ships B probe (0,0) P Q; \
             hurt B battleship (0,0) 30 M; ships B nuke (0,0) N",
        );
        site.game.galaxy.compact_ships();
        let (ledger, master) = (crate::ledger::Ledger::new(0), crate::ledger::Ledger::new(0));
        let guns =
            |ship: &str, empire: &str| u64::from(site.game.galaxy.guns(&site.ship(empire, ship)));
        let (own, hurt) = (guns("L", "A") + guns("G", "A"), guns("M", "B"));
        let mut dice = site.dice.clone();
        let update = Update::begin(&mut site.game, &mut dice, ledger, master);
        let seen = update.situation(Seat::at(0), at("(0,0)"));
        assert_eq!((seen.friendly_guns, seen.friendly_dp), (own, 46));
        assert_eq!((seen.foreign_guns, seen.foreign_dp), (hurt + 2, 32));
    }

    #[test]
    fn notes_7_2_chance_breaks_ties_between_equal_worlds() {
        let mut chosen = std::collections::BTreeSet::new();
        for seed in 0..20 {
            let mut site = Site::of(
                "world V (3,0) 5 0 A; ships A battleship (3,0) LV; world W (-3,0) 5 0 A; \
                 ships A battleship (-3,0) LW",
            );
            site.dice = heliopause_kernel::Dice::new([seed; 32]);
            site.close();
            chosen.insert(site.empire("A").homeworld);
        }
        assert_eq!(chosen.len(), 2);
        assert!(!chosen.contains(&None));
    }
}
