//! Rules 14, 15: sieges, conquered colonies and their people.

use heliopause_kernel::{Refusal, Seat};

use crate::rules::colonies::{change_colony, end_colony};
use crate::rules::inspection::survey;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{
    BattleEvent, Cause, Change, Colony, Gone, Hold, Hull, Killed, Load, Occupation, OwnEvent,
    Prize, SeatView, Ship, ShipNumber, Source, Stage,
};
use crate::tables::{Place, PlanetId, ShipKind, StarId};

impl SeatView<'_> {
    pub(crate) fn judge_raze(&self, planet: PlanetId, factories: u32) -> Verdict {
        self.is_on_turn("15.8")?;
        let prize = self.held(planet, "15.8")?;
        if factories == 0 || factories > prize.colony.factories {
            return wrong_factories(&prize.colony, factories, "15.8");
        }
        Ok(())
    }

    pub(crate) fn judge_kill(&self, planet: PlanetId, millions: u16) -> Verdict {
        self.may_act(Stage::Planets, "15.9")?;
        if self.power.landing {
            return refuse!("landing-began/kill");
        }
        let prize = self.held(planet, "15.9")?;
        let most = self.can_kill(planet.star).min(prize.colony.population);
        if millions == 0 || millions > most {
            return match most {
                0 => refuse!("too-many/kill-more", planet),
                _ => refuse!("too-many/kill", most, planet, millions),
            };
        }
        Ok(())
    }

    fn held(&self, planet: PlanetId, rule: &'static str) -> Result<&Prize, Refusal> {
        match self.power.prize(planet) {
            Some(prize) => Ok(prize),
            None => refuse!("not-held", rule, planet),
        }
    }

    fn can_kill(&self, star: StarId) -> u16 {
        let ships = self.power.ships_at(star.at()).map(Ship::kind);
        let most: u16 =
            ships.filter(|&kind| self.table.options.is_warship(kind)).map(ShipKind::kills).sum();
        let killed = self
            .power
            .killed
            .iter()
            .find(|killed| killed.star == star)
            .map_or(0, |killed| killed.millions);
        most.saturating_sub(killed)
    }
}

pub(crate) fn update_control(referee: &mut Referee<'_>) {
    let colonies = referee.game.truth.powers.iter().flat_map(|power| &power.colonies);
    let mut stars: Vec<StarId> = colonies.map(|colony| colony.planet.star).collect();
    stars.sort_unstable();
    stars.dedup();
    for star in stars {
        update_star_control(referee, star);
    }
}

pub(crate) fn wrong_factories(colony: &Colony, count: u32, rule: &str) -> Verdict {
    let planet = colony.planet;
    match colony.factories {
        0 => refuse!("no-such-factories/none", rule, planet),
        most => refuse!("no-such-factories", rule, planet, most, count),
    }
}

/// Updates sieges and conquests after ships left a star, entered it or were lost there (rules 14,
/// 15.5 to 15.7). While enemies share the hex before their battle, nothing changes.
pub(crate) fn update_star_control(referee: &mut Referee<'_>, star: StarId) {
    let table = referee.table();
    let at = star.at();
    if Seat::first(table.seats()).any(|seat| table.meets_enemies(seat, at)) {
        return;
    }
    let armed = |seat: &Seat| {
        table.has_ships(*seat, at) && referee.power(*seat).has_warship_at(at, &table.options)
    };
    let armed: Vec<Seat> = Seat::first(table.seats()).filter(armed).collect();
    for owner in Seat::first(referee.table().seats()) {
        for colony in referee.power(owner).colonies_of(star).copied().collect::<Vec<Colony>>() {
            settle(referee, owner, colony, &armed);
        }
    }
}

fn settle(referee: &mut Referee<'_>, owner: Seat, colony: Colony, armed: &[Seat]) {
    let (campaign, star) = (&referee.table().campaign, colony.planet.star);
    let besieger = campaign.besieger(owner, armed, star);
    let master = campaign.master(owner, armed, star);
    let free = match master {
        Some(by) => Hold::Occupied(Occupation { by, waits: false }),
        None if besieger.is_some() => Hold::Besieged,
        None => Hold::Free,
    };
    let (hold, change) = match colony.control {
        Hold::Occupied(Occupation { by, .. }) if armed.contains(&by) || Some(by) == master => {
            return;
        }
        Hold::Occupied(Occupation { by, .. }) if campaign.scores_without_guard(by, star) => {
            (free, Change::Freed)
        }
        // A new conqueror needs no attack (rule 15.6). Pirates take no planets.
        Hold::Occupied(_) => match besieger.filter(|seat| seat.index() < referee.table().players) {
            Some(by) => (Hold::Occupied(Occupation { by, waits: true }), Change::Conquered),
            None => (free, Change::Freed),
        },
        Hold::Free | Hold::Besieged => (free, Change::Siege),
    };
    if hold != colony.control {
        change_colony(referee, owner, Colony { control: hold, ..colony }, change);
    }
}

/// Gives transports with captives back to the captives' owner if no warship guards the transports
/// (rule 15.5, BR-20).
pub(crate) fn release_captives(referee: &mut Referee<'_>) {
    for seat in referee.table().player_seats().collect::<Vec<_>>() {
        let power = referee.power(seat);
        let is_left = |ship: &&Ship| {
            ship.load().is_some_and(|load| load.captives_of.is_some())
                && !ship.at.is_some_and(|at| power.has_warship_at(at, &referee.table().options))
        };
        let left: Vec<Ship> = power.ships.iter().filter(is_left).copied().collect();
        if left.is_empty() {
            continue;
        }
        let ships = left.iter().map(|ship| ship.number).collect();
        referee.lose_ships(seat, ships, Cause::Returned);
        for owner in Seat::first(referee.table().seats()) {
            let own = |ship: &&Ship| ship.load().and_then(|load| load.captives_of) == Some(owner);
            take_back(referee, owner, left.iter().filter(own));
        }
        for at in left.iter().filter_map(|ship| ship.at) {
            referee.show_groups(seat, at);
        }
    }
}

fn take_back<'s>(referee: &mut Referee<'_>, owner: Seat, ships: impl Iterator<Item = &'s Ship>) {
    let first = referee.power(owner).next_ship.0;
    let ships: Vec<Ship> = ships
        .zip(first..)
        .map(|(ship, number)| {
            let hull =
                Hull::Transport(Load { captives_of: None, ..ship.load().unwrap_or_default() });
            let Ship { at, destination, departed, .. } = *ship;
            Ship { destination, departed, ..Ship::new(ShipNumber(number), hull, at) }
        })
        .collect();
    if ships.is_empty() {
        return;
    }
    let places: Vec<Place> = ships.iter().filter_map(|ship| ship.at).collect();
    referee.publish_to_owner(OwnEvent::ShipsCame { seat: owner, ships, source: Source::Returned });
    for at in places {
        referee.show_groups(owner, at);
    }
}

pub(crate) fn conquer(referee: &mut Referee<'_>, planet: PlanetId, by: Seat) {
    let Some((owner, colony)) = referee.owner_of(planet) else { return };
    referee.publish_battle(BattleEvent::Conquered { planet, owner, by });
    let hold = Hold::Occupied(Occupation { by, waits: true });
    change_colony(referee, owner, Colony { control: hold, ..colony }, Change::Conquered);
}

pub(crate) fn raze(referee: &mut Referee<'_>, seat: Seat, planet: PlanetId, factories: u32) {
    let Some(&Prize { owner, colony }) = referee.power(seat).prize(planet) else { return };
    let factories = colony.factories.saturating_sub(factories);
    change_colony(referee, owner, Colony { factories, ..colony }, Change::Razed);
}

pub(crate) fn kill(referee: &mut Referee<'_>, seat: Seat, planet: PlanetId, millions: u16) {
    let Some(&Prize { owner, colony }) = referee.power(seat).prize(planet) else { return };
    referee.publish_to_owner(OwnEvent::PeopleKilled {
        seat,
        killed: Killed { star: planet.star, millions },
    });
    let population = colony.population.saturating_sub(millions);
    if population > 0 {
        change_colony(referee, owner, Colony { population, ..colony }, Change::Killed);
    } else {
        end_colony(referee, owner, planet, Gone::Abandoned);
        survey(referee, seat, planet.star, &[]);
    }
}
