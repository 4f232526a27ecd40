//! Rule 11: exploration of stars, with its risks and discoveries.

use heliopause_kernel::Seat;

use crate::rules::campaign::hooks::exploration::{after_drawing, after_exploration};
use crate::rules::campaign::hooks::losses::after_losses;
use crate::rules::inspection::{reveal_ships, survey};
use crate::rules::referee::Referee;
use crate::state::{Cause, OwnEvent, RiskRoll, Ship, ShipNumber};
use crate::tables::{CardId, Fleet, StarId};

/// Explores all stars where the seat has ships. Ships that withdraw to a star later do not explore
/// it (rule 11, BR-11).
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
        referee.publish_to_owner(OwnEvent::Explored { seat, star, card });
        if is_new {
            after_drawing(referee, seat, star);
        }
    }
    survey(referee, seat, star, &[]);
    for other in referee.table().others_at(seat, star.at()).collect::<Vec<_>>() {
        reveal_ships(referee, seat, other, star.at());
    }
}

/// Rolls for the loss of each ship at an unexplored star, unless a warship is there. Armed scouts
/// are not warships here (rule 11.2, DR-2).
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
    referee.publish_to_owner(OwnEvent::RiskRolled { seat, star, rolls });
    if !numbers.is_empty() {
        referee.lose_ships(seat, numbers, Cause::Exploration);
        referee.show_groups(seat, at);
        after_losses(referee, seat, fleet);
    }
}
