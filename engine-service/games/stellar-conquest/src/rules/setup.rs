//! Rule 3: setup. Fate 2: the Captain-General's commission is in `campaign::fate::commission`.

use heliopause_kernel::{Draw, Seat};

use crate::rules::arrivals::bring;
use crate::rules::campaign::seams::setup::roll_entry_hex;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::event::{OwnEvent, Source};
use crate::state::power::Eyes;
use crate::state::research::Research;
use crate::state::sheet::{LINES_MAX, Outfit, Payment, Sheet};
use crate::state::table::Stage;
use crate::tables::board::{ENTRY_HEXES, Place};
use crate::tables::prices::Item;
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::technology::TechSet;

/// 3.4: i.p. to spend at setup.
pub const BONUS: u32 = 25;

/// 3.3: scouts, transports, corvettes of every player before the bonus.
pub const STARTING_FLEET: Fleet = Fleet::new([4, 35, 4, 0, 0]);

/// 3.2: the seating order, by dice.
pub(super) fn seating(referee: &mut Referee<'_>) -> Vec<Seat> {
    let mut order: Vec<Seat> = referee.table().player_seats().collect();
    referee.dice.shuffle(Draw::new("seating"), &mut order);
    order
}

/// 2.7, BR-4: the entry hexes in seat order; who is first in the order of play enters at hex 1. The
/// Fate of Empire rolls for it (fate 2.2).
pub(super) fn entry_hexes(referee: &mut Referee<'_>, order: &[Seat]) -> Vec<Place> {
    if let Some(entry) = roll_entry_hex(referee) {
        return vec![entry];
    }
    let mut entries = vec![ENTRY_HEXES[0]; order.len()];
    for (nth, seat) in order.iter().enumerate() {
        entries[seat.index()] = ENTRY_HEXES[nth];
    }
    entries
}

/// 3.4: keeps the choices until all are ready.
pub(crate) fn store_outfit(referee: &mut Referee<'_>, seat: Seat, outfit: Outfit) {
    referee.whisper(OwnEvent::SheetStored { seat, sheet: Sheet::Outfit(outfit) });
}

pub(super) fn equip(referee: &mut Referee<'_>, seat: Seat, outfit: &Outfit) {
    let mut research = Research::default();
    let mut acquired = TechSet::NONE;
    let mut fleet = STARTING_FLEET;
    match outfit {
        Outfit::Bonus { scouts, corvettes, research: payments } => {
            fleet.add(ShipKind::Scout, *scouts);
            fleet.add(ShipKind::Corvette, *corvettes);
            for payment in payments {
                acquired =
                    research.pay(payment.tech, payment.points).iter().fold(acquired, TechSet::with);
            }
        }
        Outfit::Commission { corvettes, scouts, technologies } => {
            fleet = Fleet::new([
                *scouts,
                crate::rules::campaign::fate::commission::TRANSPORTS,
                *corvettes,
                0,
                0,
            ]);
            acquired = technologies.iter().copied().collect();
            research = Research::owning(acquired);
        }
    }
    referee.whisper(OwnEvent::Researched { seat, research, acquired });
    bring(referee, seat, fleet, None, Source::Start);
}

impl Eyes<'_> {
    /// 3.4: the choices at setup.
    pub(crate) fn judge_outfit(&self, outfit: &Outfit) -> Verdict {
        if self.table.stage != Stage::Setup || self.seat.index() >= self.table.players {
            return refuse("wrong-phase", "3.4", "That is chosen at setup.");
        }
        match (outfit, self.table.campaign.fate()) {
            (Outfit::Bonus { scouts, corvettes, research }, None) => {
                judge_bonus(*scouts, *corvettes, research)
            }
            (Outfit::Commission { corvettes, scouts, technologies }, Some(_)) => {
                crate::rules::campaign::fate::commission::judge(*corvettes, *scouts, *technologies)
            }
            _ => refuse("wrong-variant", "3.4", "This variant begins with other choices."),
        }
    }
}

/// 3.4: at most 25 i.p., and nothing above level 1.
fn judge_bonus(scouts: u32, corvettes: u32, payments: &[Payment]) -> Verdict {
    if payments.len() > LINES_MAX {
        return refuse("too-long", "3.4", "There are too many payments.");
    }
    let ships = Item::Scout
        .price(scouts, TechSet::NONE)
        .saturating_add(Item::Corvette.price(corvettes, TechSet::NONE));
    let Some(mut left) = BONUS.checked_sub(ships) else {
        return refuse(
            "too-expensive",
            "3.4",
            format!("These ships cost {ships} i.p., and you have {BONUS}."),
        );
    };
    let mut research = Research::default();
    for payment in payments {
        if payment.tech.title().level > 1 {
            return refuse(
                "level-closed",
                "3.4",
                "At setup you can pay into technologies of level 1 alone.",
            );
        }
        crate::rules::research::judge_payment(&research, *payment)?;
        let Some(rest) = left.checked_sub(payment.points) else {
            return refuse("too-expensive", "3.4", format!("You have only {BONUS} i.p."));
        };
        left = rest;
        research.pay(payment.tech, payment.points);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_kernel::{Dice, Setup};

    use crate::rules::turn::set_up;
    use crate::state::options::Options;
    use crate::state::position::StellarConquest;
    use crate::state::ship::Ship;
    use crate::tables::technology::Tech;

    fn pay(tech: Tech, points: u32) -> Payment {
        Payment { tech, points }
    }

    fn game(players: usize, seed: u8) -> StellarConquest {
        let setup = Setup { options: Options::default(), players };
        set_up(&setup, &mut Dice::new([seed; 32])).unwrap().0
    }

    #[test]
    fn bt_32_the_bonus_at_setup() {
        assert!(judge_bonus(2, 0, &[pay(Tech::Speed3, 15), pay(Tech::Fighter, 5)]).is_ok());
        assert!(judge_bonus(2, 0, &[pay(Tech::Speed3, 15), pay(Tech::Fighter, 6)]).is_err());
        assert!(judge_bonus(0, 0, &[pay(Tech::Speed3, 15), pay(Tech::Speed5, 10)]).is_err());
        assert!(judge_bonus(0, 3, &[]).is_ok());
        assert!(judge_bonus(0, 4, &[]).is_err());
        assert!(judge_bonus(u32::MAX, u32::MAX, &[]).is_err());
        assert!(judge_bonus(0, 0, &[pay(Tech::Speed3, 16)]).is_err());
    }

    #[test]
    fn rule_3_4_the_discount_of_4_hex_speed_applies_once_3_hex_speed_is_complete() {
        assert!(judge_bonus(0, 0, &[pay(Tech::Speed4, 25)]).is_ok());
        let mut research = Research::default();
        research.pay(Tech::Speed3, 15);
        assert_eq!(research.missing(Tech::Speed4), 30);
    }

    #[test]
    fn rule_3_2_the_order_of_play_gives_the_entry_hexes_br_4() {
        for players in 2..=4 {
            let table = game(players, 7).table;
            let entries: Vec<Place> =
                table.order.iter().map(|seat| table.entries[seat.index()]).collect();
            assert_eq!(entries, ENTRY_HEXES[..players]);
        }
    }

    #[test]
    fn rule_3_3_every_player_receives_a_fleet_off_the_board() {
        let mut game = game(2, 1);
        let mut dice = Dice::new([1; 32]);
        let mut referee = Referee::new(&mut game, &mut dice);
        let outfit = Outfit::Bonus {
            scouts: 1,
            corvettes: 1,
            research: vec![pay(Tech::ControlledEnvironment, 14)],
        };
        equip(&mut referee, Seat::at(0), &outfit);
        let power = game.power(Seat::at(0));
        let fleet: Fleet = power.ships.iter().map(Ship::kind).collect();
        assert_eq!(fleet, Fleet::new([5, 35, 5, 0, 0]));
        assert!(power.ships.iter().all(|ship| ship.at.is_none()));
        assert_eq!(power.research.paid(Tech::ControlledEnvironment), 14);
        assert!(power.ships.iter().filter_map(Ship::load).all(|load| !load.cet));
    }

    #[test]
    fn br_29_cet_bought_at_setup_equips_the_transports() {
        let mut game = game(2, 1);
        let mut dice = Dice::new([1; 32]);
        let outfit = Outfit::Bonus {
            scouts: 0,
            corvettes: 0,
            research: vec![pay(Tech::ControlledEnvironment, 25)],
        };
        equip(&mut Referee::new(&mut game, &mut dice), Seat::at(0), &outfit);
        assert!(game.power(Seat::at(0)).ships.iter().filter_map(Ship::load).all(|load| load.cet));
    }

    #[test]
    fn rule_3_1_decks_are_shuffled_by_the_seed() {
        assert_eq!(game(2, 1).truth.secrets, game(2, 1).truth.secrets);
        assert_ne!(game(2, 1).truth.secrets.decks, game(2, 2).truth.secrets.decks);
        assert_eq!(game(2, 1).integrity(), Ok(()));
    }
}
