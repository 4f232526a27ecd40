//! Application of events. The game and views use the same functions, so a view cannot diverge from
//! the game.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "random play compares every view with the game, so no event is overlooked"
)]

use heliopause_kernel::Seat;

use crate::state::battle::{Battle, Condition, Subject, UnitId};
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::colony::Colony;
use crate::state::event::{BattleEvent, ColonyEvent, Event, OwnEvent, TableEvent};
use crate::state::groups::Grouping;
use crate::state::power::{Glimpse, Killed, Power, Prize, Sighting};
use crate::state::secrets::{HiddenSighting, Secrets};
use crate::state::sheet::Sheet;
use crate::state::shields::ShieldState;
use crate::state::ship::{Ship, ShipNumber};
use crate::state::table::{Stage, Table};
use crate::state::view::{Insight, Truth, View};
use crate::tables::{Arm, StarId};

impl View {
    pub fn apply(&mut self, event: &Event) {
        self.table.apply(event);
        match &mut self.insight {
            Insight::Seat(seat, power) => power.apply(*seat, event),
            Insight::Spectator => {}
            Insight::GameMaster(truth) => truth.apply(event),
        }
    }
}

impl Truth {
    pub(crate) fn apply(&mut self, event: &Event) {
        self.secrets.apply(event);
        for (index, power) in self.powers.iter_mut().enumerate() {
            power.apply(Seat::at(index), event);
        }
    }
}

impl Secrets {
    fn apply(&mut self, event: &Event) {
        match *event {
            Event::GlimpseKept { seat, number, sighting } => {
                self.kept.push(HiddenSighting { seat, number, sighting });
            }
            Event::Own(ref event) => self.apply_own(event),
            _ => {}
        }
    }

    fn apply_own(&mut self, event: &OwnEvent) {
        match *event {
            OwnEvent::Explored { star, card, .. } if self.cards[star.index()].is_none() => {
                self.cards[star.index()] = Some(card);
                self.decks[star.color() as usize].retain(|&other| other != card);
            }
            OwnEvent::GlimpseEnded { seat, number } => {
                self.kept.retain(|kept| (kept.seat, kept.number) != (seat, number));
            }
            _ => {}
        }
    }
}

impl Table {
    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::Table(event) => self.apply_public(event),
            Event::Battle(event) => self.apply_to_battle(event),
            Event::Fate(event) => {
                if let Some(fate) = self.campaign.fate_mut() {
                    fate.apply(event);
                }
            }
            Event::Politics(event) => {
                if let Some(politics) = self.campaign.politics_mut() {
                    politics.apply(event);
                }
            }
            Event::Own(_) | Event::Colony(_) | Event::GlimpseKept { .. } => {}
        }
    }

    fn apply_public(&mut self, event: &TableEvent) {
        match event {
            TableEvent::Seated { order, entries } => {
                self.order.clone_from(order);
                self.entries.clone_from(entries);
            }
            TableEvent::TurnBegan { turn, seat } => {
                (self.turn, self.active) = (*turn, *seat);
                if let Some(politics) = self.campaign.politics_mut() {
                    politics.apply_turn();
                }
            }
            TableEvent::StageChanged { stage } => self.stage = *stage,
            TableEvent::Ended { ending } => {
                self.stage = Stage::Over;
                self.ending = Some(ending.clone());
            }
            TableEvent::Grouped { groups: Grouping { seat, at, groups } } => {
                if let Some(shown) = self.groups.get_mut(seat.index()) {
                    shown.set(*at, *groups);
                }
            }
            TableEvent::PostChanged { post, up } => set(&mut self.posts, *post, *up),
            TableEvent::ColonyShown { colony } => set(&mut self.shown, *colony, true),
            TableEvent::Passed { .. } => {}
        }
    }

    /// Applies an event of a battle. Must be called only for viewers who may see the battle.
    fn apply_to_battle(&mut self, event: &BattleEvent) {
        match event {
            BattleEvent::BattleBegan { battle } => self.battle = Some(Box::new(battle.clone())),
            BattleEvent::BattleEnded { .. } => self.battle = None,
            _ => {
                if let Some(battle) = &mut self.battle {
                    battle.apply(event);
                }
            }
        }
    }
}

impl Battle {
    fn apply(&mut self, event: &BattleEvent) {
        match event {
            BattleEvent::ColoniesAttacked { planets, bases, faltered } => {
                self.subject = Subject::Colonies { planets: planets.clone() };
                let shields = bases
                    .iter()
                    .filter(|unit| unit.arm == Arm::Shield)
                    .filter_map(|unit| unit.planet);
                let state = |planet| ShieldState {
                    rounds_without_hit: faltered.contains(&planet).into(),
                    ..ShieldState::new(planet)
                };
                self.shields.extend(shields.map(state));
                self.units.extend(bases);
            }
            BattleEvent::Aimed { shots, .. } => self.shots.extend(shots),
            BattleEvent::RoundFought { volleys, destroyed } => {
                self.rounds = self.rounds.saturating_add(1);
                self.shields = self.shields_after(volleys, self.rounds);
                self.shots.clear();
                self.set_all(destroyed, Condition::Destroyed);
            }
            BattleEvent::Seized { destroyed, .. } => self.set_all(destroyed, Condition::Destroyed),
            BattleEvent::BattleStageChanged { stage } => self.stage = *stage,
            BattleEvent::Withdrawing { units } => self.leaving.extend(units),
            BattleEvent::RefugeChosen { side, at } => {
                self.refuges[side.index()] = Some(*at);
                let leaving = std::mem::take(&mut self.leaving);
                self.set_all(&leaving, Condition::Withdrawn);
            }
            _ => {}
        }
    }

    fn set_all(&mut self, units: &[UnitId], condition: Condition) {
        for unit in units {
            self.set(*unit, condition);
        }
    }
}

fn set<T: Ord>(list: &mut Vec<T>, item: T, there: bool) {
    match (list.binary_search(&item), there) {
        (Err(index), true) => list.insert(index, item),
        (Ok(index), false) => {
            list.remove(index);
        }
        (Ok(_), true) | (Err(_), false) => {}
    }
}

impl Power {
    pub(crate) fn apply(&mut self, me: Seat, event: &Event) {
        match event {
            Event::Table(event) => self.apply_public(me, event),
            Event::Own(event) if event.seat() == me => self.apply_own(event),
            Event::Colony(event) => self.apply_to_colonies(me, event),
            Event::Battle(event) => self.apply_battle(me, event),
            Event::Politics(PoliticsEvent::ProductionEnded) => self.agenda.clear(),
            _ => {}
        }
    }

    fn apply_public(&mut self, me: Seat, event: &TableEvent) {
        match event {
            TableEvent::TurnBegan { seat, .. } if *seat == me => self.begin_turn(),
            TableEvent::StageChanged { .. } => self.sheet = Sheet::None,
            _ => {}
        }
    }

    fn apply_to_colonies(&mut self, me: Seat, event: &ColonyEvent) {
        match *event {
            ColonyEvent::ColonyChanged { owner, colony, .. } if owner == me => {
                self.put_colony(colony);
            }
            ColonyEvent::ColonyChanged { owner, colony, .. } => self.put_prize(me, owner, colony),
            ColonyEvent::ColonyGone { owner, planet, .. } if owner == me => {
                self.colonies.retain(|colony| colony.planet != planet);
            }
            ColonyEvent::ColonyGone { planet, .. } => {
                self.conquered_colonies.retain(|prize| prize.colony.planet != planet);
            }
        }
    }

    fn apply_battle(&mut self, me: Seat, event: &BattleEvent) {
        match event {
            BattleEvent::BattleBegan { battle } if battle.attacker == me => {
                self.record_attack(battle);
            }
            BattleEvent::BattleEnded { .. } => self.engaged.clear(),
            _ => {}
        }
    }

    fn apply_own(&mut self, event: &OwnEvent) {
        match event {
            OwnEvent::ShipsCame { ships, .. } => self.add_ships(ships),
            OwnEvent::ShipsMoved { ships, to, steps, halted, destination, departed, .. } => {
                self.each_ship(ships, |ship| {
                    ship.at = Some(*to);
                    ship.steps = ship.steps.saturating_add(*steps);
                    ship.halted = *halted;
                    ship.destination = *destination;
                    ship.departed = *departed;
                });
            }
            OwnEvent::Formed { ships, marker, .. } => {
                self.each_ship(ships, |ship| ship.marker = *marker);
            }
            OwnEvent::ShipsLost { ships, .. } => {
                self.ships.retain(|ship| !ships.contains(&ship.number));
            }
            OwnEvent::Explored { star, card, .. } => self.charts[star.index()].card = Some(*card),
            OwnEvent::Surveyed { star, colonies, .. } => {
                self.charts[star.index()].colonies = *colonies;
            }
            OwnEvent::Sighted { sighting, .. } => self.see(*sighting),
            OwnEvent::Glimpsed { glimpse, .. } => self.glimpses.push(*glimpse),
            OwnEvent::GlimpseEnded { number, .. } => {
                self.glimpses.retain(|Glimpse { number: other, .. }| other != number);
            }
            OwnEvent::Researched { research, .. } => self.research = *research,
            OwnEvent::GrantChanged { points, .. } => self.grant = *points,
            OwnEvent::StandingChanged { standing, .. } => self.standing = *standing,
            OwnEvent::SheetStored { sheet, .. } => self.sheet = sheet.clone(),
            OwnEvent::LandingBegan { .. } => self.landing = true,
            OwnEvent::PeopleKilled { killed, .. } => self.count_killed(*killed),
            OwnEvent::Engaged { ships, .. } => self.engaged.clone_from(ships),
            OwnEvent::Repelled { planet, rounds, .. } => {
                self.faltered.retain(|other| other != planet);
                match rounds {
                    0 => {}
                    1 => self.faltered.push(*planet),
                    _ => self.repelled.push(*planet),
                }
            }
            OwnEvent::AgendaSet { titles, .. } => self.agenda.clone_from(titles),
            OwnEvent::RiskRolled { .. } => {}
        }
    }

    fn begin_turn(&mut self) {
        self.landing = false;
        self.attacked.clear();
        self.killed.clear();
        self.repelled.clear();
        self.faltered.clear();
        for ship in &mut self.ships {
            (ship.steps, ship.halted) = (0, false);
        }
    }

    /// Records an attack on a star. Only the last star attacked can be attacked again (BR-26).
    fn record_attack(&mut self, battle: &Battle) {
        let star = StarId::in_hex(battle.at)
            .filter(|_| matches!(battle.subject, Subject::Colonies { .. }));
        if let Some(star) = star.filter(|&star| self.attacked.last() != Some(&star)) {
            self.attacked.push(star);
        }
    }

    fn add_ships(&mut self, ships: &[Ship]) {
        for ship in ships {
            debug_assert!(ship.number >= self.next_ship, "numbers of ships rise");
            self.next_ship = ShipNumber(ship.number.0.saturating_add(1));
            self.ships.push(*ship);
        }
    }

    fn each_ship(&mut self, numbers: &[ShipNumber], change: impl Fn(&mut Ship)) {
        for &number in numbers {
            if let Some(ship) = self.ship_mut(number) {
                change(ship);
            }
        }
    }

    /// Stores a sighting in place of an earlier one of the same seat and hex. An empty sighting
    /// means that the ships left.
    fn see(&mut self, sighting: Sighting) {
        let key = |seen: &Sighting| (seen.at, seen.of);
        match self.sightings.binary_search_by_key(&key(&sighting), key) {
            Ok(index) => self.sightings[index] = sighting,
            Err(index) => self.sightings.insert(index, sighting),
        }
    }

    fn put_colony(&mut self, colony: Colony) {
        match self.colonies.binary_search_by_key(&colony.planet, |other| other.planet) {
            Ok(index) => self.colonies[index] = colony,
            Err(index) => {
                self.next_colony = self.next_colony.max(colony.founded.saturating_add(1));
                self.colonies.insert(index, colony);
            }
        }
    }

    fn put_prize(&mut self, me: Seat, owner: Seat, colony: Colony) {
        let found = self
            .conquered_colonies
            .binary_search_by_key(&colony.planet, |prize| prize.colony.planet);
        let prize = Prize { owner, colony };
        match (found, colony.conqueror() == Some(me)) {
            (Ok(index), true) => self.conquered_colonies[index] = prize,
            (Err(index), true) => self.conquered_colonies.insert(index, prize),
            (Ok(index), false) => {
                self.conquered_colonies.remove(index);
            }
            (Err(_), false) => {}
        }
    }

    fn count_killed(&mut self, more: Killed) {
        match self.killed.iter_mut().find(|killed| killed.star == more.star) {
            Some(killed) => killed.millions = killed.millions.saturating_add(more.millions),
            None => self.killed.push(more),
        }
    }
}
