//! Rules 10, 11.5: what seats see of the ships and colonies of others.

use heliopause_kernel::Seat;

use crate::rules::colonies::change_colony;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::colony::{Colony, Watch};
use crate::state::event::{Change, Event, OwnEvent, TableEvent};
use crate::state::power::{ColonySeen, Eyes, Glimpse, Sighting};
use crate::state::table::Post;
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::ships::Fleet;
use crate::tables::stars::{PLANETS_MAX, StarId};

impl Eyes<'_> {
    pub(crate) fn judge_watch(&self, planet: PlanetId) -> Verdict {
        match self.power.colony(planet) {
            Some(_) => Ok(()),
            None => refuse("no-such-colony", "10", "You have no colony there."),
        }
    }

    pub(crate) fn judge_inspect(&self, number: u32) -> Verdict {
        if self.power.glimpses.iter().any(|glimpse| glimpse.number == number) {
            return Ok(());
        }
        refuse("no-such-chance", "10", "There is nothing to look at under that number.")
    }
}

pub(crate) fn set_watch(referee: &mut Referee<'_>, seat: Seat, planet: PlanetId, watch: Watch) {
    let Some(&colony) = referee.power(seat).colony(planet) else { return };
    change_colony(referee, seat, Colony { watch, ..colony }, Change::Watch);
}

/// Looks at ships that passed: everybody learns of the colony. Or lets them go unseen.
pub(crate) fn inspect(referee: &mut Referee<'_>, seat: Seat, number: u32, look: bool) {
    let kept = &referee.game.truth.secrets.kept;
    let kept = kept.iter().find(|kept| (kept.seat, kept.number) == (seat, number)).copied();
    let glimpse =
        referee.power(seat).glimpses.iter().find(|glimpse| glimpse.number == number).copied();
    if let (Some(kept), Some(glimpse), true) = (kept, glimpse, look) {
        referee.announce(Event::Table(TableEvent::ColonyShown {
            colony: Post { seat, star: glimpse.star },
        }));
        sight(referee, seat, kept.sighting);
    }
    referee.whisper(OwnEvent::GlimpseEnded { seat, number });
}

/// 10: ships of `mover` entered a star hex: each owner of a free colony there looks, keeps the
/// chance to, or does not, as the colony's `watch` says. To be called for every star hex of a
/// movement. A seat keeps at most `GLIMPSES_MAX` chances; the oldest goes first.
pub(crate) fn be_watched(referee: &mut Referee<'_>, mover: Seat, at: Place, fleet: Fleet) {
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
                    referee.announce(Event::Table(TableEvent::ColonyShown {
                        colony: Post { seat, star },
                    }));
                }
                sight(referee, seat, sighting);
            }
            Watch::Ask => keep_chance(referee, seat, star, sighting),
        }
    }
}

/// The most watchful of a seat's free colonies at a star says what is done: one look is enough for
/// all.
fn watch_at(referee: &Referee<'_>, seat: Seat, star: StarId) -> Watch {
    let free = referee.power(seat).colonies_of(star).filter(|colony| colony.is_free());
    let watchful = |watch: &Watch| match watch {
        Watch::Never => 0,
        Watch::Ask => 1,
        Watch::Always => 2,
    };
    free.map(|colony| colony.watch).max_by_key(watchful).unwrap_or_default()
}

fn keep_chance(referee: &mut Referee<'_>, seat: Seat, star: StarId, sighting: Sighting) {
    let glimpses = &referee.power(seat).glimpses;
    let number = glimpses.last().map_or(1, |glimpse| glimpse.number.saturating_add(1));
    if let Some(oldest) = glimpses.first().filter(|_| glimpses.len() >= GLIMPSES_MAX) {
        let number = oldest.number;
        referee.whisper(OwnEvent::GlimpseEnded { seat, number });
    }
    let glimpse = Glimpse { number, star, of: sighting.of, turn: sighting.turn };
    referee.whisper(OwnEvent::Glimpsed { seat, glimpse });
    referee.record(Event::GlimpseKept { seat, number, sighting });
}

/// 10: both seats see each other's ships in a hex, at step 2 or 3 of a player-turn.
pub(crate) fn see_each_other(referee: &mut Referee<'_>, one: Seat, other: Seat, at: Place) {
    for (seat, of) in [(one, other), (other, one)] {
        let fleet = referee.power(of).fleet_at(at);
        let sighting = Sighting { at, of, fleet, turn: referee.table().turn };
        sight(referee, seat, sighting);
    }
}

/// Tells a seat what it sees of others' ships, unless it has seen just that in this turn.
pub(crate) fn sight(referee: &mut Referee<'_>, seat: Seat, sighting: Sighting) {
    if referee.power(seat).sightings.binary_search(&sighting).is_err() {
        referee.whisper(OwnEvent::Sighted { seat, sighting });
    }
}

/// How many chances to look a seat keeps.
pub const GLIMPSES_MAX: usize = 64;

/// 11.5: tells a seat which colonies of others are at a star. The bases of these planets are shown
/// to it (13.3); of the others it keeps what it knew.
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
    // Where there was nothing and is nothing, there is nothing to tell.
    if colonies != before {
        referee.whisper(OwnEvent::Surveyed { seat, star, colonies });
    }
}
