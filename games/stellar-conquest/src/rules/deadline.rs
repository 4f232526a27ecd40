//! Rule 20: defaults after a deadline.

use heliopause_kernel::{CloseCause, Seat};

use crate::rules::battle::course;
use crate::rules::campaign::hooks::turn::default_refuge_hex;
use crate::rules::movement::move_ships;
use crate::rules::orders::resolve;
use crate::rules::referee::Referee;
use crate::rules::turn::{
    end_movement, end_turn, fight, fight_battles, finish_production, finish_setup, follow,
};
use crate::state::{Battle, BattleStage, Order, ShipNumber, Stage, Voyage};
use crate::tables::StarId;

pub(crate) fn apply_defaults(referee: &mut Referee<'_>) {
    let seat = referee.table().active;
    match referee.table().stage {
        Stage::Campaign(stage) => {
            let order = referee.seat_view(seat).campaign_default(stage);
            resolve(referee, seat, order);
        }
        Stage::Movement => {
            enter_waiting(referee, seat);
            end_movement(referee);
        }
        Stage::Combat => match referee.seat_view(seat).battle_hexes().first() {
            Some(&at) => fight(referee, seat, at),
            None => fight_battles(referee),
        },
        Stage::Battle => apply_battle_defaults(referee),
        Stage::Planets => {
            end_turn(referee);
            // A debt was paid. The player may still land, so the turn must end again (fate 4.4).
            if referee.table().stage == Stage::Planets {
                end_turn(referee);
            }
        }
        Stage::Setup | Stage::Production | Stage::Over => {}
    }
}

fn enter_waiting(referee: &mut Referee<'_>, seat: Seat) {
    let waiting = referee.power(seat).ships.iter().filter(|ship| ship.at.is_none());
    let ships: Vec<ShipNumber> = waiting.map(|ship| ship.number).collect();
    let Some(entry) = referee.table().entry(seat).filter(|_| !ships.is_empty()) else { return };
    let destination = StarId::ALL.into_iter().min_by_key(|star| star.at().distance(entry));
    let path = vec![entry];
    let voyage = Voyage { path, destination, accept_loss: true, ..Voyage::new(ships) };
    move_ships(referee, seat, &voyage);
}

fn apply_battle_defaults(referee: &mut Referee<'_>) {
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
            Order::SendTo { at: default_refuge_hex(referee, seat, &battle) }
        } else {
            referee.seat_view(seat).default_answer(referee.battle())
        };
        let ended = course::answer(referee, seat, answer);
        if ended.is_some() {
            follow(referee, ended);
        }
    }
    follow(referee, None);
}

pub(crate) fn close(referee: &mut Referee<'_>, _why: CloseCause) {
    match referee.table().stage {
        Stage::Setup => finish_setup(referee),
        Stage::Production => finish_production(referee),
        Stage::Campaign(_)
        | Stage::Movement
        | Stage::Combat
        | Stage::Battle
        | Stage::Planets
        | Stage::Over => {
            apply_defaults(referee);
        }
    }
}
