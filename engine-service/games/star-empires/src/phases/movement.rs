//! 6.4 movement: ships, portals, storms; then worlds change hands. Wormnets are in `wormnet`.

use heliopause_kernel::SeatSet;

use crate::geometry::Sector;
use crate::ids::{Id, ShipId};
use crate::ledger::Orders;
use crate::order::{Line, Phase};
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::update::Update;

impl Update<'_> {
    /// The phases of chapter 6.4, in their order.
    pub(crate) fn movement(&mut self, orders: &Orders) {
        self.transmit_navigation_data(orders);
        self.move_ships(orders);
        let journeys = self.traverse_portals(orders);
        self.acquire_navigation_data(&journeys);
        self.weather_ion_storms();
        self.remove_destroyed(Section::of("6.4.6"), Deed::DestroyedByStorm);
        self.determine_ownership(Section::of("6.4.7"));
        self.relocate_homeworlds();
        self.establish_interdictions_and_blockades();
    }

    /// 6.4.2: MOVE. A ship that cannot go is dropped, the others go.
    fn move_ships(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Move);
        let mut arrived = Vec::new();
        for (line, seat, it) in orders.of(Phase::Move) {
            let Line::Move { ships, to } = it else { continue };
            let Some(to) = self.spot(seat, *to) else {
                self.ledger.refused(line, Reason::Vanished);
                continue;
            };
            let selected = self.muster(line, seat, ships);
            let Some(&first) = selected.ships.first() else { continue };
            let from = self.galaxy().ship(first).at;
            for id in selected.ships {
                if !selected.named && self.never_moves(id) {
                    continue;
                }
                if let Some(reason) = self.cannot_move(id, from, to) {
                    self.ship_failed(line, id, reason);
                    continue;
                }
                self.ledger.done(line);
                if from != to {
                    self.tell_of_ship(section, id, Deed::Departed, 0);
                    self.carry(id, to);
                    self.ships[id.index()].moved = true;
                    arrived.push(id);
                }
            }
        }
        self.arrive(section, arrived, Deed::Arrived);
    }

    /// Ships have come to where they are: who is there now sees it.
    pub(crate) fn arrive(&mut self, section: Section, ships: Vec<ShipId>, deed: Deed) {
        if ships.is_empty() {
            return;
        }
        self.index_ships();
        for id in ships {
            self.tell_of_ship(section, id, deed, 0);
        }
    }

    /// Notes 4.3: what a selection by place leaves out.
    pub(crate) fn never_moves(&self, id: ShipId) -> bool {
        let galaxy = self.galaxy();
        galaxy.class_of(galaxy.ship(id)).ratings.engines == 0
    }

    fn cannot_move(&self, id: ShipId, from: Sector, to: Sector) -> Option<Reason> {
        let (ship, turn) = (self.galaxy().ship(id), &self.ships[id.index()]);
        let engines = self.galaxy().engines(ship);
        if ship.is_loaded() {
            Some(Reason::Loaded)
        } else if turn.fired > 0 {
            Some(Reason::Fired)
        } else if turn.moved {
            // R78: the first order that moves a ship counts.
            Some(Reason::AlreadyMoved)
        } else if ship.at != from {
            Some(Reason::WrongSector)
        } else if engines == 0 {
            Some(Reason::NoEngines)
        } else {
            (ship.at.distance(to) > u32::from(engines)).then_some(Reason::TooFar)
        }
    }

    /// 6.4.5, R31: every loose ship takes what all storms of its sector do together, unless a
    /// starbase of its owner is in that very sector (R30).
    fn weather_ion_storms(&mut self) {
        let section = Section::of("6.4.5");
        for (at, rating) in self.objects.storm_ratings(self.galaxy()) {
            if rating == 0 {
                continue;
            }
            let there: Vec<ShipId> = self.index.in_sector(at).collect();
            let galaxy = self.galaxy();
            let bases =
                there.iter().map(|&id| galaxy.ship(id)).filter(|ship| galaxy.is_starbase(ship));
            let sheltered: SeatSet = bases.map(|ship| ship.owner).collect();
            for id in there {
                if sheltered.contains(self.galaxy().ship(id).owner) {
                    continue;
                }
                self.damage(id, rating);
                self.tell_of_ship(section, id, Deed::StormDamage, rating);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::objects::Pattern;
    use crate::order::Line;
    use crate::reason::Fate;
    use crate::report::Deed;
    use crate::testing::{Site, at, line};

    #[test]
    fn situation_40_engines_after_auto_repair_decide_and_the_rest_of_the_group_goes() {
        let mut site = Site::new(2);
        site.frigate();
        site.damaged("A", "K5", "frigate", (0, 0), 5);
        site.damaged("A", "K4", "frigate", (0, 0), 4);
        site.ships("A", "K15", "frigate", (0, 0));
        let played = site.orders("A", [line::go("K5 K4 K15", (3, 0))]).play();
        assert_eq!(
            (played.fate("A", 0), played.said("A", 0).as_str()),
            (Fate::Partly, "K4 too-far")
        );
        assert_eq!((site.ship("A", "K5").at, site.ship("A", "K4").at), (at((3, 0)), at((0, 0))));
        assert_eq!((played.deeds(Deed::Departed).len(), played.deeds(Deed::Arrived).len()), (2, 2));
    }

    #[test]
    fn situation_41_cargo_goes_along_but_not_by_itself() {
        let mut site = Site::new(2);
        site.ships("A", "M", "carrier", (0, 0));
        site.ships("A", "F1 F2", "fighter", (0, 0));
        site.load("A", "F1 F2", "M");
        let played = site.orders("A", [line::go("F1", (1, 0)), line::go("M", (2, 0))]).play();
        assert_eq!(
            (played.fate("A", 0), played.said("A", 0).as_str()),
            (Fate::Refused, "F1 loaded")
        );
        assert!(["M", "F1", "F2"].iter().all(|ship| site.ship("A", ship).at == at((2, 0))));
    }

    #[test]
    fn a_ship_that_was_loaded_this_turn_goes_along_too() {
        let mut site = Site::new(2);
        site.ships("A", "M", "carrier", (0, 0));
        site.ships("A", "F", "fighter", (0, 0));
        site.orders("A", [line::load("F", "M"), line::go("M", (1, 0))]).play();
        assert_eq!(site.ship("A", "F").at, at((1, 0)));
    }

    #[test]
    fn situation_25_who_fired_does_not_move_and_r78_the_first_order_counts() {
        let mut site = Site::new(2);
        site.ships("A", "L", "battleship", (0, 0));
        site.ships("A", "P Q", "probe", (0, 0));
        site.ships("B", "P9", "probe", (0, 0));
        let orders = [
            line::fire("L P", "B"),
            line::go("L P", (1, 0)),
            line::go("Q", (0, 1)),
            line::go("Q", (1, 0)),
        ];
        let played = site.orders("A", orders).play();
        assert_eq!(
            (played.fate("A", 0), played.said("A", 0).as_str()),
            (Fate::Done, "L not-needed")
        );
        assert_eq!((played.fate("A", 1), played.said("A", 1).as_str()), (Fate::Partly, "P fired"));
        assert_eq!(played.said("A", 3), "Q already-moved");
        assert_eq!((site.ship("A", "L").at, site.ship("A", "Q").at), (at((1, 0)), at((0, 1))));
    }

    #[test]
    fn a_place_leaves_out_what_has_no_engines_and_what_has_left() {
        let mut site = Site::new(2);
        site.ships("A", "Base", "starbase", (0, 0));
        site.ships("A", "P1 P2", "probe", (0, 0));
        let go =
            |to, except| Line::Move { ships: line::all_at((0, 0), except), to: line::spot(to) };
        let played = site.orders("A", [go((1, 0), "P2"), go((0, 1), "")]).play();
        assert_eq!([played.said("A", 0), played.said("A", 1)], ["", ""]);
        assert_eq!((site.ship("A", "P1").at, site.ship("A", "P2").at), (at((1, 0)), at((0, 1))));
    }

    #[test]
    fn movement_names_every_reason() {
        let mut site = Site::new(2);
        site.ships("A", "W", "fighter", (0, 0));
        site.ships("A", "Dead", "probe", (0, 0));
        site.ships("A", "P", "probe", (4, 0));
        site.ships("A", "Far", "probe", (5, 0));
        let orders = [
            line::go("Far P", (6, 0)),
            line::go("W Ghost", (1, 0)),
            line::destruct("Dead"),
            line::go("Dead", (1, 0)),
        ];
        let played = site.orders("A", orders).play();
        assert_eq!(
            (played.fate("A", 0), played.said("A", 0).as_str()),
            (Fate::Partly, "P wrong-sector")
        );
        assert_eq!(
            (played.fate("A", 1), played.said("A", 1).as_str()),
            (Fate::Refused, "Ghost vanished, W no-engines")
        );
        assert_eq!(played.said("A", 3), "Dead destroyed");
    }

    #[test]
    fn situation_47_r31_storms_of_a_sector_add_up_and_spare_cargo() {
        let mut site = Site::new(2);
        site.storm("S3", (0, 0), 3, Pattern::Constant);
        site.storm("S4", (0, 0), 4, Pattern::Constant);
        site.class("tug", crate::Hull::CapitalShip, [35, 40, 2, 2, 4], "A");
        site.ships("A", "L", "tug", (0, 0));
        site.ships("A", "F", "fighter", (0, 0));
        site.load("A", "F", "L");
        let played = site.play();
        assert_eq!(played.deeds(Deed::StormDamage), [("L".to_owned(), 7)]);
        assert_eq!((site.dp("A", "L"), site.dp("A", "F")), (33, 5));
    }

    #[test]
    fn situation_48_r30_a_starbase_shelters_its_owners_ships_in_its_sector() {
        let mut site = Site::new(2);
        site.storm("S", (0, 0), 30, Pattern::Constant);
        site.storm("T", (1, 0), 30, Pattern::Constant);
        site.ships("A", "Base", "starbase", (0, 0));
        site.ships("A", "L", "battleship", (0, 0));
        site.ships("A", "Near", "battleship", (1, 0));
        site.ships("B", "L", "battleship", (0, 0));
        site.play();
        assert_eq!((site.dp("A", "L"), site.dp("A", "Base")), (40, 200));
        assert_eq!((site.dp("A", "Near"), site.dp("B", "L")), (10, 10));
    }

    #[test]
    fn a_storm_destroys_a_ship_with_its_cargo_in_6_4_6() {
        let mut site = Site::new(2);
        site.storm("S", (0, 0), 10, Pattern::Constant);
        site.ships("A", "M", "carrier", (1, 0));
        site.ships("A", "F", "fighter", (1, 0));
        site.load("A", "F", "M");
        let played = site.orders("A", [line::go("M", (0, 0))]).play();
        assert_eq!(played.deeds(Deed::DestroyedByStorm).len(), 2);
        assert_eq!((site.find("A", "M"), site.find("A", "F")), (None, None));
    }
}
