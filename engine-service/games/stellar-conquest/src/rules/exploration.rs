//! Rule 11: exploration.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::event::{Cause, OwnEvent, RiskRoll};
use crate::state::power::ColonySeen;
use crate::state::ship::{Fleet, Ship, ShipNumber};
use crate::tables::cards::{CardId, PLANETS_MAX};
use crate::tables::stars::StarId;

impl Referee<'_> {
    /// 11: explores every star hex in which ships of a seat stand, in the order of the stars: risk (11.2), the card (11.4),
    /// discovery (11.5). BR-11 keeps out ships that withdrew there this turn: they come later.
    pub(crate) fn explore_all(&mut self, seat: Seat) {
        for star in StarId::all() {
            if self.table().has_ships(seat, star.at()) {
                self.explore(seat, star);
            }
        }
        self.after_exploration(seat);
    }

    fn explore(&mut self, seat: Seat, star: StarId) {
        if !self.power(seat).has_explored(star) {
            self.risk(seat, star);
            if !self.table().has_ships(seat, star.at()) {
                return;
            }
            let is_new = self.game.truth.secrets.cards[star.index()].is_none();
            let card: CardId = self.game.truth.secrets.card(star);
            self.whisper(OwnEvent::Explored { seat, star, card });
            if is_new {
                self.after_drawing(seat, star);
            }
        }
        self.survey(seat, star, &[]);
        for other in self.table().others_at(seat, star.at()).collect::<Vec<_>>() {
            self.see_each_other(seat, other, star.at());
        }
    }

    /// 11.2: where no warship of its own is, every ship rolls, and is destroyed by a 1. DR-2: armed scouts escort nobody.
    fn risk(&mut self, seat: Seat, star: StarId) {
        let at = star.at();
        if self.power(seat).ships_at(at).any(|ship| ship.kind().is_base_warship()) {
            return;
        }
        let ships: Vec<Ship> = self.power(seat).ships_at(at).copied().collect();
        let mut rolls: Vec<RiskRoll> = Vec::with_capacity(ships.len());
        for ship in &ships {
            rolls.push(RiskRoll { ship: ship.number, die: self.roll("risk", u64::from(ship.number.0), 0) });
        }
        let lost = ships.iter().zip(&rolls).filter(|(_, roll)| roll.die == 1).map(|(ship, _)| ship);
        let fleet: Fleet = lost.clone().map(Ship::kind).collect();
        let numbers: Vec<ShipNumber> = lost.map(|ship| ship.number).collect();
        self.whisper(OwnEvent::RiskRolled { seat, star, rolls });
        if !numbers.is_empty() {
            self.whisper(OwnEvent::ShipsLost { seat, ships: numbers, cause: Cause::Exploration });
            self.show_groups(seat, at);
            self.after_losses(seat, fleet);
        }
    }

    /// 11.5: tells a seat which colonies of others are at a star. The bases of these planets are shown to it (13.3); of the
    /// others it keeps what it knew.
    pub(crate) fn survey(&mut self, seat: Seat, star: StarId, shown: &[u8]) {
        let turn = self.table().turn;
        let before = self.power(seat).chart(star).colonies;
        let mut colonies = [None; PLANETS_MAX];
        for owner in Seat::first(self.table().seats()).filter(|&owner| owner != seat) {
            for colony in self.power(owner).colonies_of(star) {
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
            self.whisper(OwnEvent::Surveyed { seat, star, colonies });
        }
    }
}
