//! Dispatch of each order to the chapter that judges and resolves the order.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::battle::assault::{attack, break_off};
use crate::rules::campaign::fate::recall::recall;
use crate::rules::campaign::outer_space::decree::store_decree;
use crate::rules::campaign::outer_space::latecomers::place;
use crate::rules::campaign::outer_space::raids::raid;
use crate::rules::colonisation::land;
use crate::rules::conquest::{kill, raze};
use crate::rules::inspection::{inspect, set_watch};
use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::move_ships;
use crate::rules::movement::posts::set_post;
use crate::rules::movement::task_forces::form;
use crate::rules::production::store_production;
use crate::rules::referee::Referee;
use crate::rules::setup::store_outfit;
use crate::rules::turn::{answer_in_battle, end_movement, end_turn, fight, fight_battles, proceed};
use crate::state::{Order, OwnEvent, SeatView, Stage, StellarConquest};

impl SeatView<'_> {
    pub(crate) fn judge(&self, order: &Order) -> Verdict {
        if self.table.is_over() {
            return refuse!("game-over");
        }
        let campaign = &self.table.campaign;
        let fate_events = matches!(order, Order::Recall { .. });
        let of_space = matches!(order, Order::Raid(_) | Order::Place { .. } | Order::Decree(_));
        if (fate_events && campaign.fate().is_none()) || (of_space && campaign.politics().is_none())
        {
            let variant = if fate_events { "The Fate of Empire" } else { "Alone in Outer Space" };
            return refuse!("wrong-variant", variant);
        }
        match order {
            Order::Outfit(outfit) => self.judge_outfit(outfit),
            Order::Standing(_) => Ok(()),
            Order::Watch { planet, .. } => self.judge_watch(*planet),
            Order::Inspect { glimpse, .. } => self.judge_inspect(*glimpse),
            Order::Recall { ships } => self.judge_recall(ships),
            Order::Move(voyage) => self.judge_move(voyage),
            Order::Form { ships, marker } => self.judge_form(ships, *marker),
            Order::Post { star, up } => self.judge_post(*star, *up),
            Order::EndMovement => self.judge_end_movement(),
            Order::Fight { at } => self.judge_fight(*at),
            Order::Aim { shots } => self.judge_aim(shots),
            Order::Withdraw { groups } => self.judge_withdraw(groups),
            Order::SendTo { at } => self.judge_send_to(*at),
            Order::Attack { planets } => self.judge_attack(planets),
            Order::BreakOff => self.judge_break_off(),
            Order::Scuttle { factories } => self.judge_scuttle(factories),
            Order::Raze { factories } => self.judge_raze(factories.planet, factories.count),
            Order::Kill { planet, millions } => self.judge_kill(*planet, *millions),
            Order::Land { ships, planet } => self.judge_land(ships, *planet),
            Order::EndTurn => self.may_act(Stage::Planets, "4"),
            Order::Raid(sortie) => self.judge_raid(sortie),
            Order::Place { at, destination } => self.judge_place(*at, *destination),
            Order::Decree(sheet) => self.judge_decree(sheet),
            Order::Produce(sheet) => self.judge_production(sheet),
        }
    }
}

pub(crate) fn resolve(referee: &mut Referee<'_>, seat: Seat, order: Order) {
    match order {
        Order::Outfit(outfit) => store_outfit(referee, seat, outfit),
        Order::Standing(standing) => {
            referee.publish_to_owner(OwnEvent::StandingChanged { seat, standing });
        }
        Order::Watch { planet, watch } => set_watch(referee, seat, planet, watch),
        Order::Inspect { glimpse, look } => inspect(referee, seat, glimpse, look),
        Order::Recall { ships } => recall(referee, &ships),
        Order::Move(voyage) => move_ships(referee, seat, &voyage),
        Order::Form { ships, marker } => form(referee, seat, ships, marker),
        Order::Post { star, up } => set_post(referee, seat, star, up),
        Order::EndMovement => end_movement(referee),
        Order::Fight { at } => fight(referee, seat, at),
        Order::Aim { .. }
        | Order::Withdraw { .. }
        | Order::SendTo { .. }
        | Order::Scuttle { .. } => {
            answer_in_battle(referee, seat, order);
        }
        Order::Attack { planets } => {
            let step = attack(referee, seat, &planets);
            proceed(referee, step);
        }
        Order::BreakOff => {
            let step = break_off(referee);
            proceed(referee, Some(step));
        }
        Order::Raze { factories } => raze(referee, seat, factories.planet, factories.count),
        Order::Kill { planet, millions } => kill(referee, seat, planet, millions),
        Order::Land { ships, planet } => land(referee, seat, &ships, planet),
        Order::EndTurn => end_turn(referee),
        Order::Raid(sortie) => raid(referee, seat, &sortie),
        Order::Place { at, destination } => {
            place(referee, at, destination);
            fight_battles(referee);
        }
        Order::Decree(sheet) => store_decree(referee, seat, sheet),
        Order::Produce(sheet) => store_production(referee, seat, sheet),
    }
}

impl StellarConquest {
    pub(crate) fn pending_seats(&self) -> SeatSet {
        match self.table.stage {
            // Players without colonies submit empty sheets to hide that fact (rules 10, 17.11).
            Stage::Setup | Stage::Production => {
                self.table.player_seats().filter(|&seat| self.table.campaign.plays(seat)).collect()
            }
            Stage::Battle => {
                self.table.battle.as_ref().map_or(SeatSet::EMPTY, |battle| battle.waits_for())
            }
            Stage::Campaign(_) | Stage::Movement | Stage::Combat | Stage::Planets => {
                SeatSet::one(self.table.active)
            }
            Stage::Over => SeatSet::EMPTY,
        }
    }
}
