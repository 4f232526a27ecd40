//! Rule 16: landings, and people above capacity.

use heliopause_kernel::{Refusal, Seat};

use crate::rules::campaign::seams::colonisation::land_on_prize;
use crate::rules::colonies::change_colony;
use crate::rules::inspection::survey;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::colony::{Colony, Hold, Occupation};
use crate::state::event::{Cause, Change, OwnEvent};
use crate::state::power::Eyes;
use crate::state::ship::{Load, Ship, ShipNumber};
use crate::state::table::Stage;
use crate::tables::cards::{PlanetId, PlanetType};

/// 15.4: to whom all of them are loyal, if they are conquered; peoples do not mix.
fn peoples(loads: &[Load]) -> Result<Option<Seat>, Refusal> {
    let first = loads.first().and_then(|load| load.captives_of);
    if loads.iter().any(|load| load.captives_of != first) {
        return refuse("peoples-mix", "15.4", "People of different loyalty never land together.");
    }
    Ok(first)
}

impl Eyes<'_> {
    /// 16.1 to 16.3, 16.7, 15.4; garrisons: fate 8.5.
    pub(crate) fn judge_land(&self, ships: &[ShipNumber], planet: PlanetId) -> Verdict {
        self.may_act(Stage::Planets, "16")?;
        self.judge_before_landing()?;
        let landing = self.together(ships)?;
        if landing[0].at != Some(planet.star.at()) {
            return refuse("not-there", "16.1", format!("These ships are not at {}.", planet.star));
        }
        let mut loads = Vec::with_capacity(landing.len());
        for ship in &landing {
            match ship.load() {
                Some(load) => loads.push(load),
                None => {
                    return refuse(
                        "no-transport",
                        "16.1",
                        format!("Ship {} carries nobody.", ship.number),
                    );
                }
            }
        }
        let Some(card) = self.power.chart(planet.star).card else {
            return refuse("unexplored", "16.1", format!("You have not explored {}.", planet.star));
        };
        let Some(world) = planet.on(card) else {
            return refuse(
                "no-such-planet",
                "16.1",
                format!("{} has no such planet.", planet.star),
            );
        };
        if world.kind == PlanetType::Barren && !loads.iter().all(|load| load.cet) {
            let message = "Only transports built since your Controlled Environment Technology land \
                on a barren planet.";
            return refuse("needs-cet", "16.3", message);
        }
        if loads.iter().any(|load| load.from == Some(planet)) {
            return refuse("came-from-there", "16.7", "These people left that very planet.");
        }
        self.judge_policy_of(ships, planet)?;
        match peoples(&loads)? {
            Some(loyal_to) => self.judge_captives(loyal_to, planet),
            None => self.judge_settlers(ships, planet),
        }
    }

    /// Whether this seat knows of somebody else's colony on a planet.
    fn is_taken(&self, planet: PlanetId) -> bool {
        self.power
            .chart(planet.star)
            .colonies
            .get(usize::from(planet.nth))
            .is_some_and(Option::is_some)
    }

    /// 15.4: conquered people settle free planets, or join those of their own who are held as well.
    fn judge_captives(&self, loyal_to: Seat, planet: PlanetId) -> Verdict {
        if self.power.prize(planet).is_some_and(|prize| prize.owner == loyal_to) {
            return Ok(());
        }
        if self.power.colony(planet).is_some() || self.is_taken(planet) {
            let message = "Conquered people land on unoccupied planets, or with others of their \
                own that you hold.";
            return refuse("peoples-mix", "15.4", message);
        }
        Ok(())
    }

    /// 16.1, 16.2: an unoccupied planet, or a free colony of one's own.
    fn judge_settlers(&self, ships: &[ShipNumber], planet: PlanetId) -> Verdict {
        if let Some(prize) = self.power.prize(planet) {
            return self.judge_landing_on_prize(ships, prize);
        }
        match self.power.colony(planet) {
            Some(colony) if !colony.is_free() => {
                refuse("conquered", "16.2", "That colony is conquered.")
            }
            Some(colony) if !self.table.campaign.may_join(colony) => refuse(
                "garrison-complete",
                "fate-8.5",
                "A garrison lands by one order, and nobody joins it later.",
            ),
            None if self.is_taken(planet) => {
                refuse("enemy-colony", "16.2", "An enemy colony is on that planet.")
            }
            _ => Ok(()),
        }
    }
}

/// 16.1: lands transports. The first landing ends the attacks of the turn (4):
/// `OwnEvent::LandingBegan`.
pub(crate) fn land(referee: &mut Referee<'_>, seat: Seat, ships: &[ShipNumber], planet: PlanetId) {
    if is_taken_unknown_to(referee, seat, planet) {
        // BR-11 brings ships to stars that they do not explore; what they find there, they learn
        // now.
        return survey(referee, seat, planet.star, &[]);
    }
    if !referee.power(seat).landing {
        referee.whisper(OwnEvent::LandingBegan { seat });
    }
    let power = referee.power(seat);
    let captives = ships.first().and_then(|&ship| power.ship(ship)).and_then(Ship::load);
    let captives_of = captives.and_then(|load| load.captives_of);
    if let Some(&prize) = power.prize(planet).filter(|_| captives_of.is_none()) {
        return land_on_prize(referee, ships, prize);
    }
    let millions = ships.len() as u16;
    referee.whisper(OwnEvent::ShipsLost { seat, ships: ships.to_vec(), cause: Cause::Landed });
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

/// A new colony. BR-21: one of conquered people waits for nothing.
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
    Colony { hold, ..colony }
}

/// Whether somebody else has a colony on a planet that a seat takes for unoccupied.
fn is_taken_unknown_to(referee: &Referee<'_>, seat: Seat, planet: PlanetId) -> bool {
    let power = referee.power(seat);
    let known = power.colony(planet).is_some() || power.prize(planet).is_some();
    !known && referee.owner_of(planet).is_some()
}

/// 16.6: people above capacity die, on the colonies that a seat commands.
pub(crate) fn cull(referee: &mut Referee<'_>, seat: Seat) {
    let power = referee.power(seat);
    let own = power.colonies.iter().filter(|colony| colony.is_free()).map(|&colony| (seat, colony));
    let held = power.prizes.iter().map(|prize| (prize.owner, prize.colony));
    let crowded: Vec<(Seat, Colony)> =
        own.chain(held).filter(|(_, colony)| colony.is_crowded()).collect();
    for (owner, colony) in crowded {
        let population = colony.world.capacity;
        change_colony(referee, owner, Colony { population, ..colony }, Change::Overcrowded);
    }
}
