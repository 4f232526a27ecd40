//! Rule 3: setup. For the Captain-General's commission (fate 2) see `campaign::fate::commission`.

use heliopause_kernel::{Draw, Seat};

use crate::rules::arrivals::bring;
use crate::rules::campaign::hooks::setup::roll_entry_hex;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{
    LINES_MAX, Outfit, OwnEvent, Payment, Research, SeatView, Sheet, Source, Stage,
};
use crate::tables::{ENTRY_HEXES, Fleet, Item, Place, ShipKind, TechSet};

/// i.p. to spend at setup (rule 3.4).
pub const BONUS: u32 = 25;

/// Scouts, transports and corvettes of each player before the bonus (rule 3.3).
pub const STARTING_FLEET: Fleet = Fleet::new([4, 35, 4, 0, 0]);

pub(super) fn seating(referee: &mut Referee<'_>) -> Vec<Seat> {
    let mut order: Vec<Seat> = referee.table().player_seats().collect();
    referee.dice.shuffle(Draw::new("seating"), &mut order);
    order
}

/// Returns the entry hexes in seat order. The first player enters at hex 1 (rule 2.7, BR-4).
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

pub(crate) fn store_outfit(referee: &mut Referee<'_>, seat: Seat, outfit: Outfit) {
    referee.publish_to_owner(OwnEvent::SheetStored { seat, sheet: Sheet::Outfit(outfit) });
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
    referee.publish_to_owner(OwnEvent::Researched { seat, research, acquired });
    bring(referee, seat, fleet, None, Source::Start);
}

impl SeatView<'_> {
    pub(crate) fn judge_outfit(&self, outfit: &Outfit) -> Verdict {
        if self.table.stage != Stage::Setup || self.seat.index() >= self.table.players {
            return refuse!("wrong-phase/setup");
        }
        match (outfit, self.table.campaign.fate()) {
            (Outfit::Bonus { scouts, corvettes, research }, None) => {
                judge_bonus(*scouts, *corvettes, research)
            }
            (Outfit::Commission { corvettes, scouts, technologies }, Some(_)) => {
                crate::rules::campaign::fate::commission::judge(*corvettes, *scouts, *technologies)
            }
            (Outfit::Bonus { .. }, Some(_)) => refuse!("wrong-variant/bonus"),
            (Outfit::Commission { .. }, None) => refuse!("wrong-variant/commission"),
        }
    }
}

fn judge_bonus(scouts: u32, corvettes: u32, payments: &[Payment]) -> Verdict {
    if payments.len() > LINES_MAX {
        return refuse!("too-long/payments", count = payments.len(), LINES_MAX);
    }
    let ships = Item::Scout
        .price(scouts, TechSet::NONE)
        .saturating_add(Item::Corvette.price(corvettes, TechSet::NONE));
    let Some(mut left) = BONUS.checked_sub(ships) else {
        return refuse!("too-expensive/ships", ships, BONUS);
    };
    let mut research = Research::default();
    for payment in payments {
        if payment.tech.title().level > 1 {
            return refuse!(
                "level-closed/setup",
                tech = payment.tech,
                level = payment.tech.title().level
            );
        }
        crate::rules::research::judge_payment(&research, *payment)?;
        let Some(rest) = left.checked_sub(payment.points) else {
            return refuse!(
                "too-expensive/setup",
                points = payment.points,
                tech = payment.tech,
                left,
                BONUS
            );
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
    use crate::state::{Options, Ship, StellarConquest};
    use crate::tables::Tech;

    fn pay(tech: Tech, points: u32) -> Payment {
        Payment { tech, points }
    }

    fn game(players: usize, seed: u8) -> StellarConquest {
        let setup = Setup { options: Options::default(), players };
        set_up(&setup, &mut Dice::new([seed; 32])).unwrap().0
    }

    #[test]
    fn rule_3_2_the_order_of_play_determines_entry_hexes_br_4() {
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
