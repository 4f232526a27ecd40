//! Rule 16: landings, and people above capacity.

use heliopause_kernel::{Refusal, Seat};

use crate::rules::campaign::hooks::colonisation::land_on_prize;
use crate::rules::colonies::change_colony;
use crate::rules::inspection::survey;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{
    Cause, Change, Colony, Hold, Load, Occupation, OwnEvent, SeatView, Ship, ShipNumber, Stage,
};
use crate::tables::{PlanetId, PlanetType};

/// Returns the seat to which captives are loyal, or `None` for the seat's own people. Fails if the
/// loyalties differ (rule 15.4).
fn peoples(loads: &[Load]) -> Result<Option<Seat>, Refusal> {
    let first = loads.first().and_then(|load| load.captives_of);
    if loads.iter().any(|load| load.captives_of != first) {
        return refuse!("peoples-mix/landing");
    }
    Ok(first)
}

impl SeatView<'_> {
    pub(crate) fn judge_land(&self, ships: &[ShipNumber], planet: PlanetId) -> Verdict {
        self.may_act(Stage::Planets, "16")?;
        self.judge_before_landing()?;
        let landing = self.together(ships)?;
        if landing[0].at != Some(planet.star.at()) {
            let place =
                landing[0].at.map_or_else(|| "off the board".to_owned(), |at| format!("in {at}"));
            return refuse!("not-there", place, star = planet.star);
        }
        let mut loads = Vec::with_capacity(landing.len());
        for ship in &landing {
            let Some(load) = ship.load() else {
                let number = ship.number;
                return refuse!("no-transport", number);
            };
            loads.push(load);
        }
        let Some(card) = self.power.chart(planet.star).card else {
            return refuse!("unexplored", star = planet.star);
        };
        let Some(world) = planet.on(card) else {
            return refuse!(
                "no-such-planet",
                star = planet.star,
                nth = planet.nth + 1,
                planets = card.planets().len()
            );
        };
        if world.kind == PlanetType::Barren && !loads.iter().all(|load| load.cet) {
            return refuse!("needs-cet", planet);
        }
        if loads.iter().any(|load| load.from == Some(planet)) {
            return refuse!("came-from-there", planet);
        }
        self.judge_policy_of(ships, planet)?;
        match peoples(&loads)? {
            Some(loyal_to) => self.judge_captives(loyal_to, planet),
            None => self.judge_settlers(ships, planet),
        }
    }

    fn is_taken(&self, planet: PlanetId) -> bool {
        self.power
            .chart(planet.star)
            .colonies
            .get(usize::from(planet.nth))
            .is_some_and(Option::is_some)
    }

    fn judge_captives(&self, loyal_to: Seat, planet: PlanetId) -> Verdict {
        if self.power.prize(planet).is_some_and(|prize| prize.owner == loyal_to) {
            return Ok(());
        }
        if self.power.colony(planet).is_some() || self.is_taken(planet) {
            return refuse!("peoples-mix/captives");
        }
        Ok(())
    }

    fn judge_settlers(&self, ships: &[ShipNumber], planet: PlanetId) -> Verdict {
        if let Some(prize) = self.power.prize(planet) {
            return self.judge_landing_on_prize(ships, prize);
        }
        match self.power.colony(planet) {
            Some(colony) if !colony.is_free() => refuse!("conquered/own", planet),
            Some(colony) if !self.table.campaign.may_join(colony) => {
                refuse!("garrison-complete", planet)
            }
            None if self.is_taken(planet) => refuse!("enemy-colony", planet),
            _ => Ok(()),
        }
    }
}

/// Lands transports (rule 16.1). The first landing of a turn publishes `OwnEvent::LandingBegan`,
/// which ends the attacks (rule 4).
pub(crate) fn land(referee: &mut Referee<'_>, seat: Seat, ships: &[ShipNumber], planet: PlanetId) {
    if is_secretly_taken(referee, seat, planet) {
        // Ships that withdraw to a star do not explore it (BR-11). They survey the star now.
        return survey(referee, seat, planet.star, &[]);
    }
    if !referee.power(seat).landing {
        referee.publish_to_owner(OwnEvent::LandingBegan { seat });
    }
    let power = referee.power(seat);
    let captives = ships.first().and_then(|&ship| power.ship(ship)).and_then(Ship::load);
    let captives_of = captives.and_then(|load| load.captives_of);
    if let Some(&prize) = power.prize(planet).filter(|_| captives_of.is_none()) {
        return land_on_prize(referee, ships, prize);
    }
    let millions = ships.len() as u16;
    referee.lose_ships(seat, ships.to_vec(), Cause::Landed);
    referee.show_groups(seat, planet.star.at());
    let owner = captives_of.unwrap_or(seat);
    let colony = match referee.power(owner).colony(planet) {
        Some(&colony) => {
            Colony { population: colony.population.saturating_add(millions), ..colony }
        }
        None => found(referee, seat, owner, planet, millions),
    };
    change_colony(referee, owner, colony, Change::Landed);
}

/// Creates a colony. A colony of conquered people can produce without waiting (BR-21).
fn found(
    referee: &Referee<'_>,
    seat: Seat,
    owner: Seat,
    planet: PlanetId,
    millions: u16,
) -> Colony {
    let world =
        *planet.on(referee.game.truth.secrets.card(planet.star)).expect("the planet was judged");
    let colony = Colony::new(planet, world, millions, referee.power(owner).next_colony);
    let hold = if owner == seat {
        Hold::Free
    } else {
        Hold::Occupied(Occupation { by: seat, waits: false })
    };
    Colony { control: hold, ..colony }
}

fn is_secretly_taken(referee: &Referee<'_>, seat: Seat, planet: PlanetId) -> bool {
    let power = referee.power(seat);
    let known = power.colony(planet).is_some() || power.prize(planet).is_some();
    !known && referee.owner_of(planet).is_some()
}

pub(crate) fn remove_excess_population(referee: &mut Referee<'_>, seat: Seat) {
    let power = referee.power(seat);
    let own = power.colonies.iter().filter(|colony| colony.is_free()).map(|&colony| (seat, colony));
    let held = power.conquered_colonies.iter().map(|prize| (prize.owner, prize.colony));
    let crowded: Vec<(Seat, Colony)> =
        own.chain(held).filter(|(_, colony)| colony.exceeds_capacity()).collect();
    for (owner, colony) in crowded {
        let population = colony.world.capacity;
        change_colony(referee, owner, Colony { population, ..colony }, Change::Overcrowded);
    }
}
