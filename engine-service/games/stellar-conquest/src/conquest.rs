//! Rules 14, 15: sieges, conquered colonies and their people.

use heliopause_kernel::{Seat, SeatSet};

use crate::cards::PlanetId;
use crate::colony::Colony;
use crate::event::{Change, Event, Gone};
use crate::judge::Verdict;
use crate::power::Eyes;
use crate::referee::Referee;
use crate::stars::StarId;

impl Eyes<'_> {
    pub(crate) fn judge_raze(&self, _planet: PlanetId, _factories: u32) -> Verdict {
        todo!("15.8")
    }

    pub(crate) fn judge_kill(&self, _planet: PlanetId, _millions: u16) -> Verdict {
        todo!("15.9")
    }
}

impl Referee<'_> {
    /// Tells a colony's owner, and who held it before or holds it now, how it is.
    pub(crate) fn change_colony(&mut self, owner: Seat, colony: Colony, change: Change) {
        let held = |colony: &Colony| colony.conqueror().map_or(SeatSet::EMPTY, SeatSet::one);
        let before = self.power(owner).colony(colony.planet).map_or(SeatSet::EMPTY, held);
        let seats = before.union(held(&colony)).with(owner);
        self.confide(seats, Event::ColonyChanged { owner, colony, change });
        self.drop_posts(owner);
    }

    /// A colony is no more (15.10).
    pub(crate) fn end_colony(&mut self, owner: Seat, planet: PlanetId, gone: Gone) {
        let holder = self.power(owner).colony(planet).and_then(Colony::conqueror);
        let seats = holder.map_or(SeatSet::EMPTY, SeatSet::one).with(owner);
        self.confide(seats, Event::ColonyGone { owner, planet, gone });
        self.drop_posts(owner);
    }

    /// 14, 15.5 to 15.7: settles every star with a colony; at the end of a step.
    pub(crate) fn settle_holds(&mut self) {
        let colonies = self.game.truth.powers.iter().flat_map(|power| &power.colonies);
        let mut stars: Vec<StarId> = colonies.map(|colony| colony.planet.star).collect();
        stars.sort_unstable();
        stars.dedup();
        stars.into_iter().for_each(|star| self.settle_star(star));
    }

    /// 14, 15.5 to 15.7: after ships left, entered or were lost at a star: sieges begin and end, colonies without a guard are
    /// free at once, a third player who displaced the guard is the new conqueror. While enemies share the hex, before their
    /// battle, nothing changes.
    pub(crate) fn settle_star(&mut self, _star: StarId) {
        todo!("14, 15.5 to 15.7")
    }

    /// 15.5, BR-20: conquered transports without a warship of their conqueror in their hex return to their owner.
    pub(crate) fn release_captives(&mut self) {
        todo!("15.5, BR-20")
    }

    /// 13.6, 15.1: a colony is conquered.
    pub(crate) fn conquer(&mut self, _owner: Seat, _planet: PlanetId, _by: Seat) {
        todo!("13.6, 15.1")
    }

    pub(crate) fn raze(&mut self, _seat: Seat, _planet: PlanetId, _factories: u32) {
        todo!("15.8")
    }

    pub(crate) fn kill(&mut self, _seat: Seat, _planet: PlanetId, _millions: u16) {
        todo!("15.9, 15.10")
    }
}
