//! Rule 11: exploration.

use heliopause_kernel::Seat;

use crate::rules::campaign::seams::exploration::{after_drawing, after_exploration};
use crate::rules::campaign::seams::losses::after_losses;
use crate::rules::inspection::{see_each_other, survey};
use crate::rules::referee::Referee;
use crate::state::event::{Cause, OwnEvent, RiskRoll};
use crate::state::ship::{Ship, ShipNumber};
use crate::tables::cards::CardId;
use crate::tables::ships::Fleet;
use crate::tables::stars::StarId;

/// 11: explores every star hex in which ships of a seat stand, in the order of the stars: risk
/// (11.2), the card (11.4), discovery (11.5). BR-11 keeps out ships that withdrew there this turn:
/// they come later.
pub(crate) fn explore_all(referee: &mut Referee<'_>, seat: Seat) {
    for star in StarId::ALL {
        if referee.table().has_ships(seat, star.at()) {
            explore(referee, seat, star);
        }
    }
    after_exploration(referee, seat);
}

fn explore(referee: &mut Referee<'_>, seat: Seat, star: StarId) {
    if !referee.power(seat).has_explored(star) {
        risk(referee, seat, star);
        if !referee.table().has_ships(seat, star.at()) {
            return;
        }
        let is_new = referee.game.truth.secrets.cards[star.index()].is_none();
        let card: CardId = referee.game.truth.secrets.card(star);
        referee.whisper(OwnEvent::Explored { seat, star, card });
        if is_new {
            after_drawing(referee, seat, star);
        }
    }
    survey(referee, seat, star, &[]);
    for other in referee.table().others_at(seat, star.at()).collect::<Vec<_>>() {
        see_each_other(referee, seat, other, star.at());
    }
}

/// 11.2: where no warship of its own is, every ship rolls, and is destroyed by a 1. DR-2: armed
/// scouts escort nobody.
fn risk(referee: &mut Referee<'_>, seat: Seat, star: StarId) {
    let at = star.at();
    if referee.power(seat).ships_at(at).any(|ship| ship.kind().is_base_warship()) {
        return;
    }
    let ships: Vec<Ship> = referee.power(seat).ships_at(at).copied().collect();
    let mut rolls: Vec<RiskRoll> = Vec::with_capacity(ships.len());
    for ship in &ships {
        rolls.push(RiskRoll {
            ship: ship.number,
            die: referee.roll("risk", u64::from(ship.number.0), 0),
        });
    }
    let lost = ships.iter().zip(&rolls).filter(|(_, roll)| roll.die == 1).map(|(ship, _)| ship);
    let fleet: Fleet = lost.clone().map(Ship::kind).collect();
    let numbers: Vec<ShipNumber> = lost.map(|ship| ship.number).collect();
    referee.whisper(OwnEvent::RiskRolled { seat, star, rolls });
    if !numbers.is_empty() {
        referee.whisper(OwnEvent::ShipsLost { seat, ships: numbers, cause: Cause::Exploration });
        referee.show_groups(seat, at);
        after_losses(referee, seat, fleet);
    }
}
