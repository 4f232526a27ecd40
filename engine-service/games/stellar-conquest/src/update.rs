//! How an event changes what its audience knows. The game changes itself by the same functions, so a view that follows its
//! own events cannot drift from the game.

use heliopause_kernel::Seat;

use crate::attack_table::Arm;
use crate::battle::{Battle, Condition, Subject};
use crate::campaign::PoliticsEvent;
use crate::colony::Colony;
use crate::event::{Cause, Event};
use crate::power::{Glimpse, Killed, Power, Prize, Sighting};
use crate::secrets::{Kept, Secrets};
use crate::sheet::Sheet;
use crate::shields::ShieldState;
use crate::ship::{Ship, ShipNumber};
use crate::stars::StarId;
use crate::table::{Grouping, Stage, Table};
use crate::view::{Insight, Truth, View};

impl View {
    /// Brings the view up to date by one event of its own audience.
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
            Event::Explored { star, card, .. } if self.cards[star.index()].is_none() => {
                self.cards[star.index()] = Some(card);
                self.decks[star.colour() as usize].retain(|&other| other != card);
            }
            Event::GlimpseKept { seat, number, sighting } => self.kept.push(Kept { seat, number, sighting }),
            Event::GlimpseEnded { seat, number } => {
                self.kept.retain(|kept| (kept.seat, kept.number) != (seat, number));
            }
            _ => {}
        }
    }
}

impl Table {
    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::Seated { order, entries } => {
                self.order.clone_from(order);
                self.entries.clone_from(entries);
            }
            Event::TurnBegan { turn, seat } => {
                (self.turn, self.active) = (*turn, *seat);
                if let Some(politics) = self.campaign.politics_mut() {
                    politics.apply_turn();
                }
            }
            Event::StageChanged { stage } => self.stage = *stage,
            Event::Ended { ending } => {
                self.stage = Stage::Over;
                self.ending = Some(ending.clone());
            }
            Event::Grouped { groups: Grouping { seat, at, groups } } => {
                if let Some(shown) = self.groups.get_mut(seat.index()) {
                    shown.set(*at, *groups);
                }
            }
            Event::PostChanged { post, up } => set(&mut self.posts, *post, *up),
            Event::ColonyShown { colony } => set(&mut self.shown, *colony, true),
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
            _ => self.apply_to_battle(event),
        }
    }

    /// Who may not see a battle gets none of its events.
    fn apply_to_battle(&mut self, event: &Event) {
        match event {
            Event::BattleBegan { battle } => self.battle = Some(Box::new(battle.clone())),
            Event::BattleEnded { .. } => self.battle = None,
            _ => {}
        }
        let Some(battle) = &mut self.battle else { return };
        match event {
            Event::ColoniesAttacked { planets, bases, faltered } => {
                battle.subject = Subject::Colonies { planets: planets.clone() };
                let shields = bases.iter().filter(|unit| unit.arm == Arm::Shield).filter_map(|unit| unit.planet);
                let state = |planet| ShieldState { dry: faltered.contains(&planet).into(), ..ShieldState::new(planet) };
                battle.shields.extend(shields.map(state));
                battle.units.extend(bases);
            }
            Event::Aimed { shots, .. } => battle.shots.extend(shots),
            Event::RoundFought { volleys, destroyed } => {
                battle.rounds = battle.rounds.saturating_add(1);
                battle.shields = battle.shields_after(volleys, battle.rounds);
                battle.shots.clear();
                for unit in destroyed {
                    battle.set(*unit, Condition::Destroyed);
                }
            }
            Event::Seized { destroyed, .. } => {
                for unit in destroyed {
                    battle.set(*unit, Condition::Destroyed);
                }
            }
            Event::BattleStageChanged { stage } => battle.stage = *stage,
            Event::Withdrawing { units } => battle.leaving.extend(units),
            Event::RefugeChosen { side, at } => {
                battle.refuges[side.index()] = Some(*at);
                for unit in std::mem::take(&mut battle.leaving) {
                    battle.set(unit, Condition::Withdrawn);
                }
            }
            _ => {}
        }
    }
}

/// Puts something into a sorted list, or takes it out.
fn set<T: Ord>(list: &mut Vec<T>, item: T, there: bool) {
    match (list.binary_search(&item), there) {
        (Err(index), true) => list.insert(index, item),
        (Ok(index), false) => {
            list.remove(index);
        }
        _ => {}
    }
}

impl Power {
    /// What an event changes of a seat's own part. Nobody but those it concerns is told it.
    pub(crate) fn apply(&mut self, me: Seat, event: &Event) {
        match event {
            Event::TurnBegan { seat, .. } if *seat == me => self.begin_turn(),
            Event::StageChanged { .. } => self.sheet = Sheet::None,
            Event::BattleBegan { battle } if battle.attacker == me => self.note_attack(battle),
            Event::BattleEnded { .. } => self.engaged.clear(),
            Event::Politics(PoliticsEvent::ProductionEnded) => self.agenda.clear(),
            Event::ColonyChanged { owner, colony, .. } if *owner == me => self.put_colony(*colony),
            Event::ColonyChanged { owner, colony, .. } => self.put_prize(me, *owner, *colony),
            Event::ColonyGone { owner, planet, .. } if *owner == me => {
                self.colonies.retain(|colony| colony.planet != *planet);
            }
            Event::ColonyGone { planet, .. } => self.prizes.retain(|prize| prize.colony.planet != *planet),
            _ if event.private_to() == Some(me) => self.apply_own(event),
            _ => {}
        }
    }

    fn apply_own(&mut self, event: &Event) {
        match event {
            Event::ShipsCame { ships, .. } => self.add_ships(ships),
            Event::Sailed { .. } => self.sail(event),
            Event::Formed { ships, marker, .. } => self.each_ship(ships, |ship| ship.marker = *marker),
            Event::ShipsLost { ships, cause, .. } => self.lose_ships(ships, *cause),
            Event::Explored { star, card, .. } => self.charts[star.index()].card = Some(*card),
            Event::Surveyed { star, colonies, .. } => self.charts[star.index()].colonies = *colonies,
            Event::Sighted { sighting, .. } => self.see(*sighting),
            Event::Glimpsed { glimpse, .. } => self.glimpses.push(*glimpse),
            Event::GlimpseEnded { number, .. } => {
                self.glimpses.retain(|Glimpse { number: other, .. }| other != number);
            }
            Event::Researched { research, .. } => self.research = *research,
            Event::GrantChanged { points, .. } => self.grant = *points,
            Event::StandingChanged { standing, .. } => self.standing = *standing,
            Event::SheetStored { sheet, .. } => self.sheet = sheet.clone(),
            Event::LandingBegan { .. } => self.landing = true,
            Event::Slain { killed, .. } => self.count_killed(*killed),
            Event::Engaged { ships, .. } => self.engaged.clone_from(ships),
            Event::Repelled { planet, rounds, .. } => {
                self.faltered.retain(|other| other != planet);
                match rounds {
                    0 => {}
                    1 => self.faltered.push(*planet),
                    _ => self.repelled.push(*planet),
                }
            }
            Event::AgendaSet { titles, .. } => self.agenda.clone_from(titles),
            _ => {}
        }
    }

    /// 4: a new player-turn.
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

    /// BR-26: an attack on colonies closes the stars that were attacked before.
    fn note_attack(&mut self, battle: &Battle) {
        let star = StarId::in_hex(battle.at).filter(|_| matches!(battle.subject, Subject::Colonies { .. }));
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

    fn sail(&mut self, event: &Event) {
        let Event::Sailed { ships, to, steps, halted, destination, departed, .. } = event else { return };
        self.each_ship(ships, |ship| {
            ship.at = Some(*to);
            ship.steps = ship.steps.saturating_add(*steps);
            ship.halted = *halted;
            ship.destination = *destination;
            ship.departed = *departed;
        });
    }

    fn lose_ships(&mut self, numbers: &[ShipNumber], _cause: Cause) {
        self.ships.retain(|ship| !numbers.contains(&ship.number));
    }

    /// A sighting replaces the one of the same seat in the same hex; an empty one says that nobody is there any more.
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

    /// Somebody else's colony: kept while this seat holds it.
    fn put_prize(&mut self, me: Seat, owner: Seat, colony: Colony) {
        let found = self.prizes.binary_search_by_key(&colony.planet, |prize| prize.colony.planet);
        let prize = Prize { owner, colony };
        match (found, colony.conqueror() == Some(me)) {
            (Ok(index), true) => self.prizes[index] = prize,
            (Err(index), true) => self.prizes.insert(index, prize),
            (Ok(index), false) => {
                self.prizes.remove(index);
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

impl Event {
    /// The one seat that is told of it, if it is private to one.
    pub const fn private_to(&self) -> Option<Seat> {
        match self {
            Self::ShipsCame { seat, .. }
            | Self::Sailed { seat, .. }
            | Self::Formed { seat, .. }
            | Self::ShipsLost { seat, .. }
            | Self::RiskRolled { seat, .. }
            | Self::Explored { seat, .. }
            | Self::Surveyed { seat, .. }
            | Self::Sighted { seat, .. }
            | Self::Glimpsed { seat, .. }
            | Self::GlimpseEnded { seat, .. }
            | Self::Researched { seat, .. }
            | Self::GrantChanged { seat, .. }
            | Self::StandingChanged { seat, .. }
            | Self::SheetStored { seat, .. }
            | Self::LandingBegan { seat }
            | Self::Slain { seat, .. }
            | Self::Repelled { seat, .. }
            | Self::AgendaSet { seat, .. }
            | Self::Politics(PoliticsEvent::PriorityRolled { seat, .. })
            | Self::Engaged { seat, .. } => Some(*seat),
            _ => None,
        }
    }
}
