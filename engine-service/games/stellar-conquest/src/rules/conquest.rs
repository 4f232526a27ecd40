//! Rules 14, 15: sieges, conquered colonies and their people.

use heliopause_kernel::{Refusal, Seat};

use crate::rules::colonies::{change_colony, end_colony};
use crate::rules::inspection::survey;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::colony::{Colony, Hold, Occupation};
use crate::state::event::{BattleEvent, Cause, Change, Gone, OwnEvent, Source};
use crate::state::power::{Eyes, Killed, Prize};
use crate::state::ship::{Hull, Load, Ship, ShipNumber};
use crate::state::table::Stage;
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::ships::ShipKind;
use crate::tables::stars::StarId;

impl Eyes<'_> {
    /// 15.8: the conqueror may destroy factories at any time of their player-turn.
    pub(crate) fn judge_raze(&self, planet: PlanetId, factories: u32) -> Verdict {
        self.is_on_turn("15.8")?;
        let prize = self.held(planet, "15.8")?;
        if factories == 0 || factories > prize.colony.factories {
            return refuse(
                "no-such-factories",
                "15.8",
                format!("There are {} factories.", prize.colony.factories),
            );
        }
        Ok(())
    }

    /// 15.9: in step 4, no more than the warships in the hex can kill in a turn.
    pub(crate) fn judge_kill(&self, planet: PlanetId, millions: u16) -> Verdict {
        self.may_act(Stage::Planets, "15.9")?;
        if self.power.landing {
            return refuse(
                "landing-began",
                "4",
                "You have begun to land: the attacks of this turn are over.",
            );
        }
        let prize = self.held(planet, "15.9")?;
        let most = self.can_kill(planet.star).min(prize.colony.population);
        if millions == 0 || millions > most {
            return refuse(
                "too-many",
                "15.9",
                format!("You can kill {most}M more there in this turn."),
            );
        }
        Ok(())
    }

    fn held(&self, planet: PlanetId, rule: &'static str) -> Result<&Prize, Refusal> {
        match self.power.prize(planet) {
            Some(prize) => Ok(prize),
            None => refuse("not-held", rule, "You hold no conquered colony there."),
        }
    }

    /// 15.9: how many millions more the warships at a star can kill in this player-turn.
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

/// 14, 15.5 to 15.7: settles every star with a colony; at the end of a step.
pub(crate) fn settle_holds(referee: &mut Referee<'_>) {
    let colonies = referee.game.truth.powers.iter().flat_map(|power| &power.colonies);
    let mut stars: Vec<StarId> = colonies.map(|colony| colony.planet.star).collect();
    stars.sort_unstable();
    stars.dedup();
    for star in stars {
        settle_star(referee, star);
    }
}

/// 14, 15.5 to 15.7: after ships left, entered or were lost at a star: sieges begin and end,
/// colonies without a guard are free at once, a third player who displaced the guard is the new
/// conqueror. While enemies share the hex, before their battle, nothing changes.
pub(crate) fn settle_star(referee: &mut Referee<'_>, star: StarId) {
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

/// Settles one colony, given who has warships in its hex.
fn settle(referee: &mut Referee<'_>, owner: Seat, colony: Colony, armed: &[Seat]) {
    let (campaign, star) = (&referee.table().campaign, colony.planet.star);
    let besieger = campaign.besieger(owner, armed, star);
    let master = campaign.master(owner, armed, star);
    let free = match master {
        Some(by) => Hold::Occupied(Occupation { by, waits: false }),
        None if besieger.is_some() => Hold::Besieged,
        None => Hold::Free,
    };
    let (hold, change) = match colony.hold {
        Hold::Occupied(Occupation { by, .. }) if armed.contains(&by) || Some(by) == master => {
            return;
        }
        Hold::Occupied(Occupation { by, .. }) if campaign.scores_without_guard(by, star) => {
            (free, Change::Freed)
        }
        // 15.6: no attack is needed; pirates take no planets.
        Hold::Occupied(_) => match besieger.filter(|seat| seat.index() < referee.table().players) {
            Some(by) => (Hold::Occupied(Occupation { by, waits: true }), Change::Conquered),
            None => (free, Change::Freed),
        },
        Hold::Free | Hold::Besieged => (free, Change::Siege),
    };
    if hold != colony.hold {
        change_colony(referee, owner, Colony { hold, ..colony }, change);
    }
}

/// 15.5, BR-20: conquered transports without a warship of their conqueror in their hex return to
/// their owner.
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
        referee.whisper(OwnEvent::ShipsLost { seat, ships, cause: Cause::Returned });
        for owner in Seat::first(referee.table().seats()) {
            let own = |ship: &&Ship| ship.load().and_then(|load| load.captives_of) == Some(owner);
            take_back(referee, owner, left.iter().filter(own));
        }
        for at in left.iter().filter_map(|ship| ship.at) {
            referee.show_groups(seat, at);
        }
    }
}

/// The owner of conquered people has their transports again.
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
    referee.whisper(OwnEvent::ShipsCame { seat: owner, ships, source: Source::Returned });
    for at in places {
        referee.show_groups(owner, at);
    }
}

/// 13.6, 15.1: a colony is conquered.
pub(crate) fn conquer(referee: &mut Referee<'_>, planet: PlanetId, by: Seat) {
    let Some((owner, colony)) = referee.owner_of(planet) else { return };
    referee.report_battle(BattleEvent::Conquered { planet, owner, by });
    let hold = Hold::Occupied(Occupation { by, waits: true });
    change_colony(referee, owner, Colony { hold, ..colony }, Change::Conquered);
}

pub(crate) fn raze(referee: &mut Referee<'_>, seat: Seat, planet: PlanetId, factories: u32) {
    let Some(&Prize { owner, colony }) = referee.power(seat).prize(planet) else { return };
    let factories = colony.factories.saturating_sub(factories);
    change_colony(referee, owner, Colony { factories, ..colony }, Change::Razed);
}

/// 15.9, 15.10: a colony without people is abandoned.
pub(crate) fn kill(referee: &mut Referee<'_>, seat: Seat, planet: PlanetId, millions: u16) {
    let Some(&Prize { owner, colony }) = referee.power(seat).prize(planet) else { return };
    referee.whisper(OwnEvent::Slain { seat, killed: Killed { star: planet.star, millions } });
    let population = colony.population.saturating_sub(millions);
    if population > 0 {
        change_colony(referee, owner, Colony { population, ..colony }, Change::Killed);
    } else {
        end_colony(referee, owner, planet, Gone::Abandoned);
        survey(referee, seat, planet.star, &[]);
    }
}
