//! 6.3.6, 6.4.7 to 6.4.10, notes 7: who holds a world, and how safe it is: shared by combat,
//! movement and maintenance.

use heliopause_kernel::{Draw, Seat, SeatSet};

use crate::geometry::Sector;
use crate::ids::{Id, WorldId};
use crate::news::What;
use crate::objects::Siege;
use crate::section::Section;
use crate::ship::Ship;
use crate::update::Update;

/// Notes 1: how one empire stands in a sector. Only conquering ships count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Situation {
    /// Operational guns of the empire.
    pub friendly_guns: u64,
    /// Damage points of the empire.
    pub friendly_dp: u64,
    /// Operational guns of all others together.
    pub foreign_guns: u64,
    /// Damage points of all others together.
    pub foreign_dp: u64,
}

impl Situation {
    /// Compares safety: friendly damage points to foreign guns, without foreign guns the safest of
    /// all.
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
    /// 6.3.6, 6.4.7, notes 7.1: whoever alone has conquering ships at a world holds it; among
    /// several only its owner.
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
            self.tell(
                section,
                Some(world.at),
                readers,
                What::Owner { world: id, from: world.owner, to },
            );
        }
    }

    /// 6.4.8, notes 7.2: an empire whose homeworld is not its own any more gets the safest world it
    /// has.
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
                self.tell(section, None, SeatSet::one(seat), What::Homeworld(chosen));
            }
        }
    }

    /// The own world with the highest safety ratio; ties by damage points, production, nearness to
    /// the last homeworld, and at last by chance.
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

    /// 6.4.9, 6.4.10, notes 7.3: which worlds are hindered.
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
            self.tell(section, Some(world.at), readers, What::Siege { world: id, siege });
        }
    }

    /// How a world of an empire is hindered (R32). A starbase keeps it free, and a homeworld is
    /// never interdicted.
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

    /// The situation of an empire in a sector now.
    pub(crate) fn situation(&self, seat: Seat, at: Sector) -> Situation {
        let galaxy = self.galaxy();
        let mut situation = Situation::default();
        for ship in self.index.in_sector(at).map(|id| galaxy.ship(id)) {
            let guns = if galaxy.class_of(ship).is_missile() || !ship.is_loose() {
                0
            } else {
                galaxy.guns(ship)
            };
            let (guns, dp) =
                if guns == 0 { continue } else { (u64::from(guns), u64::from(ship.dp)) };
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
    use crate::hull::Hull;
    use crate::master::{Astronomics, ObjectKind};
    use crate::testing::{Site, at, line, name};
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
    fn situation_37_a_world_without_ships_is_nobodys_and_keeps_its_stockpile() {
        let mut site = Site::new(2);
        site.world("W", (0, 0), "A", 5, 30);
        site.ships("A", "P", "probe", (0, 0));
        site.orders("A", [line::go("P", (1, 0))]).play();
        assert_eq!((site.owner("W").as_str(), site.see("W").stockpile), ("", 30));
    }

    #[test]
    fn situation_38_of_several_only_the_owner_keeps_a_world() {
        let mut site = Site::new(3);
        site.world("W", (0, 0), "", 5, 0);
        site.world("V", (5, 0), "A", 5, 0);
        for (empire, ships) in [("A", "W1"), ("B", "W2")] {
            site.ships(empire, ships, "probe", (1, 0));
            site.orders(empire, [line::go(ships, (0, 0))]);
        }
        for (empire, ship) in [("A", "V1"), ("B", "V2"), ("C", "V3")] {
            site.ships(empire, ship, "probe", (5, 0));
        }
        site.play();
        assert_eq!((site.owner("W").as_str(), site.owner("V").as_str()), ("", "A"));
    }

    #[test]
    fn situation_39_missiles_and_loaded_ships_hold_nothing() {
        let mut site = Site::new(2);
        site.world("W", (0, 0), "A", 5, 0);
        site.ships("A", "N", "nuke", (0, 0));
        site.class("hulk", Hull::Transport, [1, 50, 2, 1, 30], "A");
        site.damaged("A", "H", "hulk", (0, 0), 1);
        site.ships("A", "F", "fighter", (0, 0));
        site.load("A", "F", "H");
        site.play();
        assert_eq!(site.owner("W"), "");
    }

    #[test]
    fn situation_14_r61_an_owner_without_ships_does_not_stay() {
        let mut site = Site::new(2);
        site.world("W", (0, 0), "", 5, 7);
        let order = Astronomics::ModifyWorld {
            name: name("W"),
            production: 5,
            stockpile: 7,
            owner: crate::master::NewOwner::Empire(name("B")),
        };
        let played = site.master([order]).play();
        assert_eq!(played.master[0].0, crate::reason::Fate::Done);
        assert_eq!(site.owner("W"), "");
    }

    /// The siege of a world whose owner has so many damage points, under so many foreign guns.
    fn siege(dp: u16, guns: &[u16], homeworld: bool, extra: impl Fn(&mut Site)) -> Siege {
        let mut site = Site::new(4);
        site.world("W", (0, 0), "A", 5, 0);
        site.class("guard", Hull::CapitalShip, [1, dp, 0, 0, 0], "A");
        site.ships("A", "Guard", "guard", (0, 0));
        site.world("Capital", (50, 0), "A", 5, 0);
        site.ships("A", "Warden", "probe", (50, 0));
        site.homeworld(if homeworld { "W" } else { "Capital" });
        for (index, &guns) in guns.iter().enumerate() {
            let empire = ["B", "C", "D"][index];
            let class = format!("raider{index}");
            site.class(&class, Hull::CapitalShip, [guns, 40, 0, 0, 0], empire);
            site.ships(empire, "R", &class, (0, 0));
        }
        extra(&mut site);
        site.play();
        site.see("W").siege
    }

    #[test]
    fn situation_49_the_table_of_sieges() {
        let nothing = |_: &mut Site| ();
        let table = [
            (40, Siege::None, Siege::None),
            (41, Siege::Blockaded, Siege::Blockaded),
            (60, Siege::Blockaded, Siege::Blockaded),
            (61, Siege::Interdicted, Siege::Blockaded),
        ];
        for (guns, ordinary, homeworld) in table {
            assert_eq!(siege(20, &[guns], false, nothing), ordinary, "{guns}");
            assert_eq!(siege(20, &[guns], true, nothing), homeworld, "{guns} at a homeworld");
        }
        assert_eq!(
            siege(20, &[20, 20, 1], false, nothing),
            Siege::Blockaded,
            "R32: all foreign guns together"
        );
        let missiles = |site: &mut Site| {
            site.ships("A", "N1 N2", "nuke", (0, 0));
            site.ships("B", "N1 N2", "nuke", (0, 0));
        };
        assert_eq!(siege(20, &[40], false, missiles), Siege::None);
        assert_eq!(siege(20, &[41], false, missiles), Siege::Blockaded);
    }

    #[test]
    fn situation_50_a_starbase_keeps_its_world_free() {
        let starbase = |site: &mut Site| site.ships("A", "Base", "starbase", (0, 0));
        assert_eq!(siege(20, &[9_000], true, starbase), Siege::None);
        let elsewhere = |site: &mut Site| site.ships("A", "Base", "starbase", (1, 0));
        assert_eq!(siege(20, &[61], true, elsewhere), Siege::Blockaded);
    }

    /// A world of A: its name and sector, its production, and the DP and foreign guns there.
    type Candidate<'a> = (&'a str, (i16, i16), u32, u16, u16);

    /// A lost its homeworld at (0,0); which of its other worlds is the next?
    fn next_home(worlds: &[Candidate]) -> String {
        let mut site = Site::new(2);
        site.world("Home", (0, 0), "A", 12, 0);
        site.homeworld("Home");
        for (index, &(world, place, production, dp, guns)) in worlds.iter().enumerate() {
            site.world(world, place, "A", production, 0);
            let (own, foreign) = (format!("own{index}"), format!("foreign{index}"));
            site.class(&own, Hull::CapitalShip, [1, dp, 0, 0, 0], "A");
            site.ships("A", &format!("G{index}"), &own, place);
            if guns > 0 {
                site.class(&foreign, Hull::CapitalShip, [guns, 1, 0, 0, 0], "B");
                site.ships("B", &format!("G{index}"), &foreign, place);
            }
        }
        site.play();
        let home = site.empire("A").homeworld;
        home.map_or(String::new(), |home| site.game.galaxy.world(home).name.to_string())
    }

    #[test]
    fn situation_51_the_safest_world_becomes_the_homeworld() {
        assert_eq!(next_home(&[("X", (1, 0), 5, 40, 10), ("Y", (5, 0), 1, 10, 0)]), "Y");
        assert_eq!(next_home(&[("Y", (1, 0), 5, 10, 0), ("Z", (5, 0), 1, 15, 0)]), "Z");
        assert_eq!(next_home(&[("Y", (1, 0), 1, 10, 0), ("Z", (5, 0), 5, 10, 0)]), "Z");
        assert_eq!(next_home(&[("Y", (5, 0), 5, 10, 0), ("Z", (0, 1), 5, 10, 0)]), "Z");
        let drawn = next_home(&[("Y", (1, 0), 5, 10, 0), ("Z", (0, 1), 5, 10, 0)]);
        assert!(["Y", "Z"].contains(&drawn.as_str()));
        assert_eq!(next_home(&[]), "", "homeless");
    }

    #[test]
    fn rule_6_4_8_nearness_is_measured_from_where_a_moved_homeworld_stands() {
        let mut site = Site::new(2);
        for (world, place) in [("Home", (0, 0)), ("Old", (1, 0)), ("New", (20, 0))] {
            site.world(world, place, "A", 5, 0);
        }
        site.homeworld("Home");
        site.ships("A", "G1", "battleship", (1, 0));
        site.ships("A", "G2", "battleship", (20, 0));
        let moved = Astronomics::RelocateObject {
            kind: ObjectKind::World,
            name: name("Home"),
            to: at((21, 0)),
        };
        site.master([moved]).play();
        let home = site.empire("A").homeworld;
        assert_eq!(home, Some(site.world_id("New")), "the homeworld was lost at (21,0)");
    }

    #[test]
    fn situation_52_r35_a_new_homeworld_produces_double_once() {
        let mut site = Site::new(2);
        site.world("W", (0, 0), "", 5, 0);
        site.ships("A", "P", "probe", (0, 0));
        site.play();
        assert_eq!((site.owner("W").as_str(), site.see("W").stockpile), ("A", 10));
        site.play();
        assert_eq!(site.see("W").stockpile, 15);
    }

    #[test]
    fn r34_a_homeworld_that_was_regained_stays_and_is_not_doubled() {
        let mut site = Site::new(2);
        site.world("Home", (0, 0), "A", 12, 0);
        site.homeworld("Home");
        site.ships("A", "Last", "probe", (0, 0));
        site.ships("A", "Relief", "probe", (1, 0));
        site.orders("A", [line::destruct("Last"), line::go("Relief", (0, 0))]);
        site.play();
        let home = Some(site.world_id("Home"));
        assert_eq!((site.owner("Home").as_str(), site.empire("A").homeworld), ("A", home));
        assert_eq!(site.see("Home").stockpile, 12);
    }

    #[test]
    fn an_empire_without_worlds_is_homeless_and_the_game_goes_on() {
        let mut site = Site::new(2);
        site.world("Home", (0, 0), "A", 12, 0);
        site.homeworld("Home");
        site.ships("B", "G", "gunship", (0, 0));
        let played = site.play();
        assert_eq!(site.owner("Home"), "B");
        assert!(site.empire("A").is_homeless());
        assert!(played.news.iter().any(|news| matches!(news.what, What::Homeworld(None))));
        assert!(
            !site.play().news.iter().any(|news| matches!(news.what, What::Homeworld(_))),
            "told once"
        );
    }

    #[test]
    fn rule_6_4_9_an_interdiction_and_its_end_are_told_there_and_a_blockade_in_6_4_10() {
        let told = |before, guns| {
            let mut site = Site::new(2);
            site.world("W", (0, 0), "A", 5, 0);
            site.class("guard", Hull::CapitalShip, [1, 20, 0, 0, 0], "A");
            site.ships("A", "Guard", "guard", (0, 0));
            site.world("Capital", (50, 0), "A", 5, 0);
            site.ships("A", "Warden", "probe", (50, 0));
            site.homeworld("Capital");
            site.class("raider", Hull::CapitalShip, [guns, 40, 0, 0, 0], "B");
            site.ships("B", "R", "raider", (0, 0));
            site.galaxy().worlds[0].siege = before;
            let news = site.play().news;
            let mut sieges = news.iter().filter(|news| matches!(news.what, What::Siege { .. }));
            let section = sieges.next().map(|news| news.section.as_str());
            assert!(sieges.next().is_none());
            section
        };
        assert_eq!(told(Siege::None, 61), Some("6.4.9"));
        assert_eq!(told(Siege::Interdicted, 50), Some("6.4.9"));
        assert_eq!(told(Siege::Interdicted, 1), Some("6.4.9"));
        assert_eq!(told(Siege::None, 50), Some("6.4.10"));
        assert_eq!(told(Siege::Blockaded, 1), Some("6.4.10"));
        assert_eq!(told(Siege::Blockaded, 50), None, "it is no news");
    }

    #[test]
    fn notes_7_2_safety_counts_guns_and_damage_points_of_both_sides_in_a_sector() {
        let mut site = Site::new(2);
        site.ships("A", "L", "battleship", (0, 0));
        site.damaged("A", "G", "gunship", (0, 0), 6);
        site.ships("B", "P Q", "probe", (0, 0));
        site.damaged("B", "M", "battleship", (0, 0), 30);
        site.ships("B", "N", "nuke", (0, 0));
        site.game.galaxy.settle_ships();
        let (ledger, master) = (crate::ledger::Ledger::new(0), crate::ledger::Ledger::new(0));
        let guns =
            |ship: &str, empire: &str| u64::from(site.game.galaxy.guns(&site.ship(empire, ship)));
        let (own, hurt) = (guns("L", "A") + guns("G", "A"), guns("M", "B"));
        let mut dice = site.dice.clone();
        let update = Update::begin(&mut site.game, &mut dice, ledger, master);
        let seen = update.situation(Seat::at(0), at((0, 0)));
        assert_eq!((seen.friendly_guns, seen.friendly_dp), (own, 46));
        assert_eq!((seen.foreign_guns, seen.foreign_dp), (hurt + 2, 32));
    }

    #[test]
    fn notes_7_2_chance_decides_between_worlds_that_are_equal_in_all() {
        let mut chosen = std::collections::BTreeSet::new();
        for seed in 0..20 {
            let mut site = Site::new(2);
            site.dice = heliopause_kernel::Dice::new([seed; 32]);
            for (world, place) in [("V", (3, 0)), ("W", (-3, 0))] {
                site.world(world, place, "A", 5, 0);
                site.ships("A", &format!("L{world}"), "battleship", place);
            }
            site.play();
            chosen.insert(site.empire("A").homeworld);
        }
        assert_eq!(chosen.len(), 2);
        assert!(!chosen.contains(&None));
    }
}
