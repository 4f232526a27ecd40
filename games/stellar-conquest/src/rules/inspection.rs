//! Rules 10, 11.5: observation of other seats' ships and colonies.

use heliopause_kernel::Seat;

use crate::rules::colonies::change_colony;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{
    Change, Colony, ColonySeen, Event, Glimpse, OwnEvent, Post, SeatView, Sighting, TableEvent,
    Watch,
};
use crate::tables::{Fleet, PLANETS_MAX, Place, PlanetId, StarId};

impl SeatView<'_> {
    pub(crate) fn judge_watch(&self, planet: PlanetId) -> Verdict {
        match self.power.colony(planet) {
            Some(_) => Ok(()),
            None => {
                refuse!("no-such-colony", planet)
            }
        }
    }

    pub(crate) fn judge_inspect(&self, number: u32) -> Verdict {
        if self.power.glimpses.iter().any(|glimpse| glimpse.number == number) {
            return Ok(());
        }
        let numbers: Vec<String> =
            self.power.glimpses.iter().map(|glimpse| glimpse.number.to_string()).collect();
        match numbers.join(", ").as_str() {
            "" => refuse!("no-such-chance/none"),
            numbers => refuse!("no-such-chance", number, numbers),
        }
    }
}

pub(crate) fn set_watch(referee: &mut Referee<'_>, seat: Seat, planet: PlanetId, watch: Watch) {
    let Some(&colony) = referee.power(seat).colony(planet) else { return };
    change_colony(referee, seat, Colony { watch, ..colony }, Change::Watch);
}

/// Ends an inspection chance. If `look` is set, the seat sees the ships, and the colony is revealed
/// to all players.
pub(crate) fn inspect(referee: &mut Referee<'_>, seat: Seat, number: u32, look: bool) {
    let kept = &referee.game.truth.secrets.kept;
    let kept = kept.iter().find(|kept| (kept.seat, kept.number) == (seat, number)).copied();
    let glimpse =
        referee.power(seat).glimpses.iter().find(|glimpse| glimpse.number == number).copied();
    if let (Some(kept), Some(glimpse), true) = (kept, glimpse, look) {
        referee.publish_to_all(Event::Table(TableEvent::ColonyShown {
            colony: Post { seat, star: glimpse.star },
        }));
        sight(referee, seat, kept.sighting);
    }
    referee.publish_to_owner(OwnEvent::GlimpseEnded { seat, number });
}

/// Applies the `watch` settings of colonies at a star to passing ships (rule 10). Must be called
/// for every star hex of a movement.
pub(crate) fn notify_watchers(referee: &mut Referee<'_>, mover: Seat, at: Place, fleet: Fleet) {
    let Some(star) = StarId::in_hex(at) else { return };
    if fleet.is_empty() {
        return;
    }
    let sighting = Sighting { at, of: mover, fleet, turn: referee.table().turn };
    for seat in Seat::first(referee.table().seats()).filter(|&seat| seat != mover) {
        match watch_at(referee, seat, star) {
            Watch::Never => {}
            Watch::Always => {
                if !referee.table().shown.contains(&Post { seat, star }) {
                    referee.publish_to_all(Event::Table(TableEvent::ColonyShown {
                        colony: Post { seat, star },
                    }));
                }
                sight(referee, seat, sighting);
            }
            Watch::Ask => keep_glimpse(referee, seat, star, sighting),
        }
    }
}

fn watch_at(referee: &Referee<'_>, seat: Seat, star: StarId) -> Watch {
    let free = referee.power(seat).colonies_of(star).filter(|colony| colony.is_free());
    let watchful = |watch: &Watch| match watch {
        Watch::Never => 0,
        Watch::Ask => 1,
        Watch::Always => 2,
    };
    free.map(|colony| colony.watch).max_by_key(watchful).unwrap_or_default()
}

fn keep_glimpse(referee: &mut Referee<'_>, seat: Seat, star: StarId, sighting: Sighting) {
    let glimpses = &referee.power(seat).glimpses;
    let number = glimpses.last().map_or(1, |glimpse| glimpse.number.saturating_add(1));
    if let Some(oldest) = glimpses.first().filter(|_| glimpses.len() >= GLIMPSES_MAX) {
        let number = oldest.number;
        referee.publish_to_owner(OwnEvent::GlimpseEnded { seat, number });
    }
    let glimpse = Glimpse { number, star, of: sighting.of, turn: sighting.turn };
    referee.publish_to_owner(OwnEvent::Glimpsed { seat, glimpse });
    referee.publish_to_game_master(Event::GlimpseKept { seat, number, sighting });
}

/// Shows two seats each other's ships in a hex, at step 2 or 3 of a player-turn (rule 10).
pub(crate) fn reveal_ships(referee: &mut Referee<'_>, one: Seat, other: Seat, at: Place) {
    for (seat, of) in [(one, other), (other, one)] {
        let fleet = referee.power(of).fleet_at(at);
        let sighting = Sighting { at, of, fleet, turn: referee.table().turn };
        sight(referee, seat, sighting);
    }
}

pub(crate) fn sight(referee: &mut Referee<'_>, seat: Seat, sighting: Sighting) {
    if referee.power(seat).sightings.binary_search(&sighting).is_err() {
        referee.publish_to_owner(OwnEvent::Sighted { seat, sighting });
    }
}

/// Maximum number of inspection chances that a seat keeps.
pub const GLIMPSES_MAX: usize = 64;

/// Shows a seat the colonies of others at a star (rule 11.5). Bases are shown for the planets in
/// `shown` (rule 13.3). For other planets, the seat keeps its earlier knowledge of the bases.
pub(crate) fn survey(referee: &mut Referee<'_>, seat: Seat, star: StarId, shown: &[u8]) {
    let turn = referee.table().turn;
    let before = referee.power(seat).chart(star).colonies;
    let mut colonies = [None; PLANETS_MAX];
    for owner in Seat::first(referee.table().seats()).filter(|&owner| owner != seat) {
        for colony in referee.power(owner).colonies_of(star) {
            let nth = usize::from(colony.planet.nth);
            let known = before[nth].filter(|seen| seen.owner == owner);
            let bases = known.and_then(|seen| seen.bases);
            let bases = if shown.contains(&colony.planet.nth) { Some(colony.bases) } else { bases };
            let people = known.and_then(|seen| seen.people);
            let (conqueror, shield) = (colony.conqueror(), colony.shield);
            colonies[nth] = Some(ColonySeen { owner, conqueror, shield, bases, people, turn });
        }
    }
    if colonies != before {
        referee.publish_to_owner(OwnEvent::Surveyed { seat, star, colonies });
    }
}
