//! 6.5 research: classes become known.

use heliopause_kernel::{Seat, SeatSet};

use crate::class::{BadDesign, Design};
use crate::hull::Hull;
use crate::ids::{ClassId, Id, WorldId};
use crate::ledger::Orders;
use crate::name::Name;
use crate::news::What;
use crate::objects::Siege;
use crate::order::{Line, Phase};
use crate::reason::Reason;
use crate::report::Source;
use crate::section::Section;
use crate::update::Update;

impl Update<'_> {
    /// The phases of chapter 6.5, in their order.
    pub(crate) fn research(&mut self, orders: &Orders) {
        self.salvage_designs();
        self.create_designs(orders);
        self.give_designs(orders);
    }

    /// 6.5.1, notes 7.4, R37: classes of wrecks go to the one empire with most conquering guns in
    /// their sector now.
    fn salvage_designs(&mut self) {
        let section = Section::of("6.5.1");
        let galaxy = self.galaxy();
        let eligible = self.wrecks.iter().filter(|wreck| !wreck.self_destructed && !wreck.expended);
        let mut wrecks: Vec<_> = eligible
            .map(|wreck| galaxy.ship(wreck.ship))
            .map(|ship| (ship.at, ship.owner, ship.class))
            .collect();
        wrecks.sort_unstable();
        wrecks.dedup();
        let mut salvaged = Vec::new();
        for wrecks in wrecks.chunk_by(|one, other| one.0 == other.0) {
            let at = wrecks[0].0;
            let (mut guns, mut dp) = ([0_u64; Seat::MAX], [0_u64; Seat::MAX]);
            for ship in self
                .index
                .in_sector(at)
                .map(|id| galaxy.ship(id))
                .filter(|ship| galaxy.is_conquering(ship))
            {
                guns[ship.owner.index()] += u64::from(galaxy.guns(ship));
                dp[ship.owner.index()] += u64::from(ship.dp);
            }
            let most = guns.iter().copied().max().unwrap_or(0);
            let mut strongest = galaxy.seats().filter(|seat| guns[seat.index()] == most);
            let (Some(winner), None) = (strongest.next(), strongest.next()) else { continue };
            let beaten = wrecks.iter().filter(|(_, owner, _)| most > 3 * dp[owner.index()]);
            salvaged.extend(beaten.map(|&(_, _, class)| (at, winner, class)));
        }
        for (at, winner, class) in salvaged {
            self.learn_class(section, winner, class, Source::Salvaged, Some(at));
        }
    }

    /// An empire gets to know a class; it is news to it only if it did not know it.
    pub(crate) fn learn_class(
        &mut self,
        section: Section,
        seat: Seat,
        class: ClassId,
        source: Source,
        at: Option<crate::geometry::Sector>,
    ) {
        if self.game.galaxy.empire_mut(seat).classes.insert(class) {
            self.tell(section, at, SeatSet::one(seat), What::Class { class, source });
        }
    }

    /// 6.5.2: DESIGN. Empires design in registration order, so the first gets a name that two want
    /// (R38).
    fn create_designs(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Design);
        for (line, seat, it) in orders.of(Phase::Design) {
            let Line::Design { world, class, design } = it else { continue };
            match self.design(seat, *world, *class, *design) {
                Ok(id) => {
                    self.ledger.done(line);
                    self.learn_class(section, seat, id, Source::Designed, None);
                }
                Err((item, reason)) => self.ledger.failed(line, item, reason),
            }
        }
    }

    fn design(
        &mut self,
        seat: Seat,
        world: Name,
        name: Name,
        design: Design,
    ) -> Result<ClassId, (Name, Reason)> {
        let id = self.works(seat, world).map_err(|reason| (world, reason))?;
        let class = design.class(name).map_err(|bad| match bad {
            BadDesign::Rating => (name, Reason::BadRating),
            BadDesign::TooBig => (name, Reason::TooBig),
        })?;
        if name.as_str().parse::<Hull>().is_ok() {
            return Err((name, Reason::BadName));
        }
        if self.names.class(name).is_some() {
            return Err((name, Reason::NameTaken));
        }
        if self.galaxy().classes.len() >= usize::from(u16::MAX) {
            return Err((name, Reason::TooBig));
        }
        let stockpile = &mut self.game.galaxy.world_mut(id).stockpile;
        // R39: a missile needs the world, but no RU.
        *stockpile = stockpile.checked_sub(class.fee()).ok_or((world, Reason::NoFunds))?;
        Ok(self.add_class(class))
    }

    /// A class comes into the session.
    pub(crate) fn add_class(&mut self, class: crate::class::Class) -> ClassId {
        let id = ClassId::at(self.galaxy().classes.len());
        self.names.add_class(id, class.name);
        self.game.galaxy.classes.push(class);
        id
    }

    /// A world where an empire can design, build and pay for repairs this turn.
    pub(crate) fn works(&self, seat: Seat, name: Name) -> Result<WorldId, Reason> {
        let id = self.names.world(name).ok_or(Reason::Vanished)?;
        let world = self.galaxy().world(id);
        if world.owner != Some(seat) {
            Err(Reason::WorldNotOwned)
        } else if self.worlds[id.index()].taken {
            Err(Reason::JustTaken)
        } else if world.siege == Siege::Interdicted {
            Err(Reason::Interdicted)
        } else {
            Ok(id)
        }
    }

    /// 6.5.3, R77: GIVE, judged by what everybody knew when the phase began.
    fn give_designs(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Give);
        let mut gifts: Vec<(Seat, Seat, ClassId)> = Vec::new();
        for (line, seat, it) in orders.of(Phase::Give) {
            let Line::Give { classes, to } = it else { continue };
            let recipients = self.contacts_among(line, seat, to);
            for &name in classes {
                let class = self
                    .names
                    .class(name)
                    .filter(|&class| self.galaxy().empire(seat).classes.contains(class));
                let Some(class) = class else {
                    self.ledger.failed(line, name, Reason::UnknownClass);
                    continue;
                };
                for _ in &recipients {
                    self.ledger.done(line);
                }
                gifts.extend(recipients.iter().map(|&recipient| (seat, recipient, class)));
            }
        }
        for (from, to, class) in gifts {
            self.meet(section, to, from);
            self.learn_class(section, to, class, Source::Given(from), None);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::hull::Hull;
    use crate::reason::Fate;
    use crate::testing::{Site, line};

    fn knows(site: &mut Site, empire: &str, class: &str) -> bool {
        let id = site.class_id(class);
        site.empire(empire).classes.contains(id)
    }

    /// B's secret ship is shot by A's 30 guns, where B keeps so many damage points.
    fn salvage(left: u16) -> bool {
        let mut site = Site::new(2);
        site.class("secret", Hull::Scout, [1, 1, 3, 3, 1], "B");
        site.class("guard", Hull::CapitalShip, [1, left, 0, 0, 0], "B");
        site.class("thirty", Hull::CapitalShip, [30, 40, 2, 2, 1], "A");
        site.ships("A", "L", "thirty", (0, 0));
        site.ships("B", "Victim", "secret", (0, 0));
        site.ships("B", "Guard", "guard", (0, 0));
        site.orders("A", [line::fire_ascending("L", "B")]);
        // All 30 shots would fall on both, so the guard arrives afterwards.
        site.galaxy().ships.retain(|ship| ship.name != crate::testing::name("Guard"));
        site.class("runner", Hull::Gunship, [1, left, 4, 0, 0], "B");
        site.ships("B", "Runner", "runner", (2, 0));
        site.orders("B", [line::go("Runner", (0, 0))]);
        site.play();
        knows(&mut site, "A", "secret")
    }

    #[test]
    fn situation_53_salvage_takes_more_than_three_times_the_damage_points() {
        assert!(!salvage(10));
        assert!(salvage(9));
    }

    #[test]
    fn situation_54_a_tie_or_knowledge_of_the_strongest_leaves_nothing() {
        let mut site = Site::new(3);
        site.class("secret", Hull::Scout, [1, 1, 3, 3, 1], "B");
        site.ships("A", "L", "battleship", (0, 0));
        site.ships("C", "L", "battleship", (0, 0));
        site.ships("B", "Victim", "secret", (0, 0));
        let mut strongest_knows = site.clone();
        site.orders("A", [line::fire("L", "B")]).play();
        assert!(!knows(&mut site, "A", "secret") && !knows(&mut site, "C", "secret"));
        strongest_knows.ships("C", "L2", "battleship", (0, 0));
        let id = strongest_knows.class_id("secret");
        strongest_knows.empire("C").classes.insert(id);
        strongest_knows.orders("A", [line::fire("L", "B")]).play();
        assert!(!knows(&mut strongest_knows, "A", "secret"));
    }

    #[test]
    fn situation_55_fired_and_self_destructed_ships_tell_nothing_but_a_loose_missile_does() {
        let mut site = Site::new(2);
        site.missile("dart", 10, 1, "B");
        site.missile("lance", 12, 1, "B");
        site.class("secret", Hull::Wing, [5, 5, 0, 0, 0], "B");
        site.class("bulk", Hull::Transport, [5, 10, 2, 1, 5], "B");
        site.ships("A", "L", "battleship", (0, 0));
        site.ships("B", "M", "bulk", (0, 0));
        site.ships("B", "Dart", "dart", (0, 0));
        site.ships("B", "Lance", "lance", (0, 0));
        site.ships("B", "Bomb", "secret", (0, 0));
        site.load("B", "Dart", "M");
        site.orders("B", [line::fire("Dart", "A"), line::destruct("Bomb")]);
        site.orders("A", [line::fire("L", "B")]).play();
        assert!(knows(&mut site, "A", "lance") && knows(&mut site, "A", "bulk"));
        assert!(!knows(&mut site, "A", "dart") && !knows(&mut site, "A", "secret"));
    }

    fn shipyard(stockpile: u32) -> Site {
        let mut site = Site::new(3);
        site.world("Alpha", (0, 0), "A", 5, stockpile);
        site.ships("A", "Guard", "battleship", (0, 0));
        site.homeworld("Alpha");
        site
    }

    #[test]
    fn situation_56_a_design_costs_half_rounded_up() {
        let mut site = shipyard(11);
        let order = [line::design("Alpha", "raider", Hull::Gunship, [20, 10, 2, 2, 2])];
        let played = site.orders("A", order.clone()).play();
        assert_eq!(
            (played.fate("A", 0), played.said("A", 0).as_str()),
            (Fate::Refused, "Alpha no-funds")
        );
        assert_eq!(site.game.galaxy.class_named(crate::testing::name("raider")), None);
        let mut site = shipyard(12);
        assert_eq!(site.orders("A", order).play().fate("A", 0), Fate::Done);
        assert_eq!(site.see("Alpha").stockpile, 5, "12 paid, 5 produced");
    }

    #[test]
    fn situation_59_design_give_and_build_in_one_turn() {
        let mut site = shipyard(100);
        site.world("Beta", (5, 0), "B", 5, 100);
        site.ships("B", "Guard", "battleship", (5, 0));
        let orders = [
            line::design("Alpha", "frigate", Hull::Gunship, [20, 15, 4, 2, 0]),
            line::give("frigate", "B"),
        ];
        site.orders("A", orders);
        let orders = [line::build("Beta", "2", "frigate", "fox*"), line::give("frigate", "C")];
        let played = site.orders("B", orders).play();
        assert_eq!(
            (played.fate("A", 0), played.fate("A", 1), played.fate("B", 0)),
            (Fate::Done, Fate::Done, Fate::Done)
        );
        assert_eq!(played.said("B", 1), "frigate unknown-class", "R77: not before the next turn");
        assert!(site.find("B", "fox2").is_some());
    }

    #[test]
    fn r38_the_first_in_registration_order_gets_a_name_and_the_other_does_not_pay() {
        let mut site = shipyard(50);
        site.world("Beta", (5, 0), "B", 5, 50);
        site.ships("B", "Guard", "battleship", (5, 0));
        site.homeworld("Beta");
        site.orders("A", [line::design("Alpha", "Raider", Hull::Gunship, [20, 15, 4, 2, 0])]);
        site.orders("B", [line::design("Beta", "RAIDER", Hull::Gunship, [20, 15, 4, 2, 0])]);
        let played = site.play();
        assert_eq!(
            (played.fate("A", 0), played.said("B", 0).as_str()),
            (Fate::Done, "RAIDER name-taken")
        );
        assert_eq!(site.see("Beta").stockpile, 55);
    }

    #[test]
    fn designing_names_every_reason() {
        let mut site = shipyard(500);
        site.world("Far", (5, 0), "", 5, 50);
        let base = [20, 10, 2, 0, 0];
        let orders = [
            line::design("Far", "x", Hull::Gunship, base),
            line::design("Gone", "x", Hull::Gunship, base),
            line::design("Alpha", "x", Hull::Scout, [6, 1, 3, 3, 0]),
            line::design("Alpha", "x", Hull::CapitalShip, [9999, 40, 2, 2, 1]),
            line::design("Alpha", "WING", Hull::Gunship, base),
            line::design("Alpha", "nuke", Hull::Gunship, base),
            line::design_missile("Alpha", "dart", 20, 2),
        ];
        let played = site.orders("A", orders).play();
        let said: Vec<String> = (0..7).map(|index| played.said("A", index)).collect();
        assert_eq!(
            said,
            [
                "Far world-not-owned",
                "Gone vanished",
                "x bad-rating",
                "x too-big",
                "WING bad-name",
                "nuke name-taken",
                ""
            ]
        );
        assert_eq!(site.see("Alpha").stockpile, 505, "R39: a missile is designed for nothing");
    }

    #[test]
    fn rule_6_5_1_wrecks_of_one_sector_are_salvaged_there_and_not_elsewhere() {
        let mut site = Site::new(3);
        site.class("near", Hull::Scout, [1, 1, 3, 3, 1], "C");
        site.class("far", Hull::Scout, [1, 1, 3, 3, 2], "C");
        for (empire, class, place) in [("A", "near", (0, 0)), ("B", "far", (6, 0))] {
            site.ships(empire, "L", "battleship", place);
            site.ships("C", class, class, place);
            site.orders(empire, [line::fire("L", "C")]);
        }
        site.play();
        let known = [("A", "near"), ("A", "far"), ("B", "near"), ("B", "far")]
            .map(|(empire, class)| knows(&mut site, empire, class));
        assert_eq!(known, [true, false, false, true]);
    }
}
