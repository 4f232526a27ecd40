//! Rule 20: what is done when a deadline has passed.

use heliopause_kernel::{Seat, Why};

use crate::rules::battle::course;
use crate::rules::campaign::seams::turn::choose_refuge;
use crate::rules::movement::move_ships;
use crate::rules::orders::resolve;
use crate::rules::referee::Referee;
use crate::rules::turn::{
    end_movement, end_turn, fight, fight_battles, finish_production, finish_setup, follow,
};
use crate::state::battle::{Battle, BattleStage};
use crate::state::order::{Order, Voyage};
use crate::state::ship::ShipNumber;
use crate::state::table::Stage;
use crate::tables::stars::StarId;

/// Takes the default for everything that is owed now.
pub(crate) fn take_defaults(referee: &mut Referee<'_>) {
    let seat = referee.table().active;
    match referee.table().stage {
        Stage::Campaign(stage) => {
            let order = referee.eyes(seat).campaign_default(stage);
            resolve(referee, seat, order);
        }
        Stage::Movement => {
            enter_waiting(referee, seat);
            end_movement(referee);
        }
        Stage::Combat => match referee.eyes(seat).battle_hexes().first() {
            Some(&at) => fight(referee, seat, at),
            None => fight_battles(referee),
        },
        Stage::Battle => take_battle_defaults(referee),
        Stage::Planets => {
            end_turn(referee);
            // Fate 4.4: a debt that was paid lets the player land before they end their turn once
            // more.
            if referee.table().stage == Stage::Planets {
                end_turn(referee);
            }
        }
        Stage::Setup | Stage::Production | Stage::Over => {}
    }
}

/// 5.2: ships that wait stay in the entry hex, bound for the nearest star.
fn enter_waiting(referee: &mut Referee<'_>, seat: Seat) {
    let waiting = referee.power(seat).ships.iter().filter(|ship| ship.at.is_none());
    let ships: Vec<ShipNumber> = waiting.map(|ship| ship.number).collect();
    let Some(entry) = referee.table().entry(seat).filter(|_| !ships.is_empty()) else { return };
    let destination = StarId::ALL.into_iter().min_by_key(|star| star.at().distance(entry));
    let voyage = Voyage {
        ships,
        path: vec![entry],
        destination,
        avoiding: Vec::new(),
        round_clouds: false,
        accept_loss: true,
    };
    move_ships(referee, seat, &voyage);
}

/// Answers for everybody whom the battle waits for, as long as it waits for the same.
fn take_battle_defaults(referee: &mut Referee<'_>) {
    let Some(battle) = referee.table().battle.clone() else { return };
    for seat in battle.waits_for().iter() {
        let same = |now: &Battle| {
            let stage = std::mem::discriminant(&now.stage) == std::mem::discriminant(&battle.stage);
            stage
                && (now.at, now.rounds) == (battle.at, battle.rounds)
                && now.waits_for().contains(seat)
        };
        if !referee.table().battle.as_deref().is_some_and(same) {
            continue;
        }
        let answer = if matches!(referee.battle().stage, BattleStage::Refuge { .. }) {
            Order::SendTo { at: choose_refuge(referee, seat, &battle) }
        } else {
            referee.eyes(seat).default_answer(referee.battle())
        };
        let ended = course::answer(referee, seat, answer);
        if ended.is_some() {
            follow(referee, ended);
        }
    }
    follow(referee, None);
}

/// Closes everything that is open: sheets when all are ready; otherwise takes the defaults of those
/// who owe something.
pub(crate) fn close(referee: &mut Referee<'_>, _why: Why) {
    match referee.table().stage {
        Stage::Setup => finish_setup(referee),
        Stage::Production => finish_production(referee),
        Stage::Campaign(_)
        | Stage::Movement
        | Stage::Combat
        | Stage::Battle
        | Stage::Planets
        | Stage::Over => {
            take_defaults(referee);
        }
    }
}
