//! 6.6.2 repair ships, notes 7.5.

use heliopause_kernel::Seat;

use crate::hull::Hull;
use crate::ids::{Id, ShipId, WorldId};
use crate::ledger::{LineId, Orders};
use crate::name::Name;
use crate::objects::Siege;
use crate::order::{Amount, Line, Phase};
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::update::Update;

impl Update<'_> {
    /// 6.6.2: cargo of orbitals, then REPAIR.
    pub(crate) fn repair_ships(&mut self, orders: &Orders) {
        self.repair_cargo_of_orbitals();
        for (line, seat, it) in orders.of(Phase::Repair) {
            let Line::Repair { ship, dp, worlds } = it else { continue };
            for id in self.muster_named(line, seat, std::slice::from_ref(ship)) {
                self.repair(line, seat, id, *dp, worlds);
            }
        }
    }

    /// Free and wholly, whatever the state of the sector.
    fn repair_cargo_of_orbitals(&mut self) {
        let section = Section::from(Phase::Repair);
        for place in 0..self.index.cargo().len() {
            let (carrier, id) = self.index.cargo()[place];
            let galaxy = self.galaxy();
            let is_orbital = galaxy.class_of(galaxy.ship(carrier)).hull == Hull::Orbital;
            let damage = galaxy.damage(galaxy.ship(id));
            if is_orbital && damage.dp < damage.class_dp {
                self.game.galaxy.ship_mut(id).dp = damage.class_dp;
                self.tell_of_repair(section, id, Deed::Repaired, damage.class_dp - damage.dp);
            }
        }
    }

    /// Repairs one ship with the RU of several worlds together, each of which pays what the ones
    /// before it left.
    fn repair(&mut self, line: LineId, seat: Seat, id: ShipId, dp: Amount, worlds: &[Name]) {
        let ship = *self.galaxy().ship(id);
        let damage = self.galaxy().damage(&ship);
        let missing = u32::from(damage.class_dp.saturating_sub(damage.dp));
        let rate = if self.galaxy().class_of(&ship).hull == Hull::Orbital { 3 } else { 2 };
        if missing == 0 {
            return self.ship_failed(line, id, Reason::NoDamage);
        }
        if self.is_interdicted_home(seat, ship.at) {
            return self.ship_failed(line, id, Reason::SectorInterdicted);
        }
        let wanted = match dp {
            Amount::Number(number) => number.min(missing),
            Amount::Max => missing,
        };
        let needed = wanted.div_ceil(rate);
        let (mut paid, mut skipped) = (0, Vec::new());
        for &name in worlds {
            if paid == needed {
                break;
            }
            match self.funds(seat, name, ship.at) {
                Ok(world) => {
                    let stockpile = &mut self.game.galaxy.world_mut(world).stockpile;
                    let share = (needed - paid).min(*stockpile);
                    *stockpile -= share;
                    paid += share;
                    skipped.push((name, Reason::NoFunds));
                }
                Err(reason) => skipped.push((name, reason)),
            }
        }
        // R41: every RU buys its full rate while damage remains.
        let repaired = missing.min(rate * paid) as u16;
        if repaired > 0 {
            self.game.galaxy.ship_mut(id).dp += repaired;
            self.ledger.done(line);
            self.tell_of_repair(Section::from(Phase::Repair), id, Deed::Repaired, repaired);
        }
        // What is done in full has no reason to have failed, whichever worlds could not pay.
        if paid < needed {
            for (name, reason) in skipped {
                self.ledger.failed(line, name, reason);
            }
        }
    }

    /// R42: at an interdicted world of its own empire no ship is repaired, wherever the RU come
    /// from.
    fn is_interdicted_home(&self, seat: Seat, at: crate::geometry::Sector) -> bool {
        let world = self.objects.world(at).map(|world| self.galaxy().world(world));
        world.is_some_and(|world| world.owner == Some(seat) && world.siege == Siege::Interdicted)
    }

    /// A world that can pay for repairs in a sector. RU do not leave a blockaded world.
    fn funds(
        &self,
        seat: Seat,
        name: Name,
        at: crate::geometry::Sector,
    ) -> Result<WorldId, Reason> {
        let id = self.works(seat, name)?;
        let world = self.galaxy().world(id);
        if world.siege != Siege::None && world.at != at {
            Err(Reason::Blockaded)
        } else if world.stockpile == 0 {
            Err(Reason::NoFunds)
        } else {
            debug_assert!(id.index() < self.worlds.len(), "no world comes after 6.1");
            Ok(id)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::hull::Hull;
    use crate::reason::Fate;
    use crate::report::Deed;
    use crate::testing::{Site, line};

    fn site() -> Site {
        let mut site = Site::new(2);
        for (world, place, stockpile) in [("Alpha", (0, 0), 20), ("Beta", (5, 0), 20)] {
            site.world(world, place, "A", 0, stockpile);
            site.ships("A", &format!("Guard{world}"), "battleship", place);
        }
        site.homeworld("Alpha");
        site
    }

    /// Damaged so that, after its automatic repair, it has this many points left.
    fn damaged(site: &mut Site, ship: &str, class: &str, place: (i16, i16), dp: u16) {
        let repairs = site.game.galaxy.class(site.class_id(class)).auto_repair();
        site.damaged("A", ship, class, place, dp - repairs);
    }

    #[test]
    fn situation_60_r41_two_points_for_an_ru_and_three_for_an_orbital() {
        let mut site = site();
        damaged(&mut site, "G", "gunship", (0, 0), 4);
        damaged(&mut site, "S", "station", (0, 0), 30);
        let played = site
            .orders("A", [line::repair("G", "3", "Alpha"), line::repair("S", "MAX", "Beta")])
            .play();
        assert_eq!(
            (played.fate("A", 0), site.dp("A", "G"), site.see("Alpha").stockpile),
            (Fate::Done, 8, 18)
        );
        assert_eq!((site.dp("A", "S"), site.see("Beta").stockpile), (40, 16));
    }

    #[test]
    fn several_worlds_share_one_repair() {
        let mut site = site();
        damaged(&mut site, "L", "battleship", (9, 0), 10);
        site.orders("A", [line::repair("L", "30", "Alpha Beta")]);
        site.galaxy().worlds[0].stockpile = 10;
        let played = site.play();
        assert_eq!((played.fate("A", 0), site.dp("A", "L")), (Fate::Done, 40));
        assert_eq!((site.see("Alpha").stockpile, site.see("Beta").stockpile), (0, 15));
        let mut again = self::site();
        damaged(&mut again, "L", "battleship", (9, 0), 10);
        again.orders("A", [line::repair("L", "4", "Alpha Beta Alpha")]).play();
        assert_eq!(
            (again.dp("A", "L"), again.see("Alpha").stockpile, again.see("Beta").stockpile),
            (14, 18, 20)
        );
    }

    #[test]
    fn rule_6_6_2_what_is_done_in_full_has_no_reason_to_have_failed() {
        let mut site = site();
        damaged(&mut site, "L", "battleship", (9, 0), 10);
        site.galaxy().worlds[0].stockpile = 5;
        site.world("Free", (7, 7), "", 1, 9);
        let played = site.orders("A", [line::repair("L", "20", "Free Alpha Beta")]).play();
        assert_eq!((played.fate("A", 0), played.said("A", 0).as_str()), (Fate::Done, ""));
    }

    #[test]
    fn too_few_ru_repair_a_part_and_reasons_are_told() {
        let mut site = site();
        damaged(&mut site, "L", "battleship", (9, 0), 10);
        site.world("Free", (7, 7), "", 1, 9);
        site.galaxy().worlds[0].stockpile = 3;
        let orders = [
            line::repair("L", "MAX", "Free Alpha"),
            line::repair("L", "2", "Free"),
            line::repair("GuardAlpha", "1", "Beta"),
        ];
        let played = site.orders("A", orders).play();
        assert_eq!(
            (played.fate("A", 0), played.said("A", 0).as_str()),
            (Fate::Partly, "Free world-not-owned, Alpha no-funds")
        );
        assert_eq!((played.fate("A", 1), site.dp("A", "L")), (Fate::Refused, 16));
        assert_eq!(played.said("A", 2), "GuardAlpha no-damage");
    }

    /// Beta is besieged by so many guns, where A has 40 damage points and a damaged ship besides.
    fn besieged(guns: u16) -> Site {
        let mut site = site();
        site.class("siege", Hull::CapitalShip, [guns, 400, 2, 2, 1], "B");
        site.damaged("B", "L", "siege", (5, 0), 300);
        site.ships("A", "Dock", "station", (5, 0));
        damaged(&mut site, "P", "gunship", (5, 0), 4);
        damaged(&mut site, "Far", "gunship", (9, 0), 4);
        damaged(&mut site, "Wing", "fighter", (5, 0), 2);
        site.load("A", "Wing", "Dock");
        site
    }

    #[test]
    fn situation_61_r42_no_repairs_at_an_interdicted_world_but_for_cargo_of_an_orbital() {
        let mut site = besieged(900);
        site.world("Gamma", (20, 0), "B", 0, 50);
        site.ships("B", "Guard", "battleship", (20, 0));
        site.orders("B", [line::repair("L", "10", "Gamma")]);
        let played = site
            .orders("A", [line::repair("P", "2", "Alpha"), line::repair("Far", "2", "Beta")])
            .play();
        assert_eq!(
            [played.said("A", 0), played.said("A", 1)],
            ["P sector-interdicted", "Beta interdicted"]
        );
        assert_eq!(site.dp("A", "Wing"), 5);
        assert_eq!(played.fate("B", 0), Fate::Done);
        assert!(played.deeds(Deed::Repaired).contains(&("L".to_owned(), 10)));
    }

    #[test]
    fn situation_62_ru_of_a_blockaded_world_repair_only_there() {
        let mut site = besieged(260);
        let played = site
            .orders("A", [line::repair("P", "2", "Beta"), line::repair("Far", "2", "Beta")])
            .play();
        assert_eq!(
            (played.fate("A", 0), played.said("A", 1).as_str()),
            (Fate::Done, "Beta blockaded")
        );
    }

    #[test]
    fn rule_6_6_2_cargo_of_an_orbital_is_repaired_wholly_and_only_if_it_is_damaged() {
        let mut site = site();
        site.class("dock", Hull::Orbital, [30, 40, 0, 1, 20], "A");
        site.class("rack", Hull::Transport, [5, 10, 2, 1, 9], "A");
        site.ships("A", "S", "dock", (0, 0));
        site.ships("A", "Mule", "rack", (0, 0));
        site.ships("A", "F", "fighter", (0, 0));
        site.damaged("A", "F2", "fighter", (0, 0), 1);
        site.damaged("A", "F3", "fighter", (0, 0), 1);
        site.load("A", "F F2", "S");
        site.load("A", "F3", "Mule");
        let played = site.play();
        let repaired = played.deeds(Deed::Repaired);
        let own = 1 + site.game.galaxy.class(site.class_id("fighter")).auto_repair();
        assert_eq!(repaired, [("F2".to_owned(), u32::from(5 - own))]);
        assert_eq!((site.dp("A", "F2"), site.dp("A", "F3")), (5, own));
    }
}
