//! The profile of the powers of Alone in Outer Space, for choices that the rules leave to players.
//!
//! Battles and attacks on colonies use the base game's profile. Orders are tried in sequence on a
//! state sampled from the view, and those that the rules reject are omitted.

mod conflicts;
mod decree;
mod race;
mod settlers;
mod war;

use heliopause_kernel::{Actor, Dice, Game as _};
use heliopause_stellar_conquest::outer_space::Era;
use heliopause_stellar_conquest::{Order, Politics, Stage, StellarConquest};

use super::moves::Moves;
use super::strike::{self, Stakes};
use super::survey::Survey;
use super::turn;
use crate::bot::Level;
use crate::chance::Rng;

pub(super) struct Command<'a> {
    pub(super) survey: &'a Survey<'a>,
    pub(super) politics: &'a Politics,
    pub(super) level: Level,
    pub(super) stakes: Stakes,
}

impl Command<'_> {
    pub(super) fn orders(
        &self,
        chance: &mut Rng,
        doctrine: impl FnOnce(&mut Rng) -> Vec<Order>,
    ) -> Vec<Order> {
        let survey = self.survey;
        match survey.table.stage {
            Stage::Campaign(_) => StellarConquest::default_order(survey.view).into_iter().collect(),
            Stage::Production => vec![Order::Decree(decree::decree(self))],
            Stage::Movement => {
                let wanted = self.movement(chance);
                allowed(survey, wanted, chance)
            }
            Stage::Planets => {
                let mut wanted = doctrine(chance);
                if !matches!(wanted[..], [Order::Attack { .. }]) {
                    wanted = settlers::landings(survey);
                }
                allowed(survey, wanted, chance)
            }
            Stage::Battle if conflicts::holds_fire_at_raiders(self) => {
                vec![Order::Aim { shots: Vec::new() }]
            }
            _ => doctrine(chance),
        }
    }

    fn movement(&self, chance: &mut Rng) -> Vec<Order> {
        let survey = self.survey;
        let posts = turn::posts(survey, 4);
        if !posts.is_empty() {
            return posts;
        }
        if let Some(raid) = conflicts::raid(self, chance) {
            return vec![raid];
        }
        let mut moves = Moves::holding(survey, |ship| settlers::waits(survey, ship));
        moves.keep_guards();
        settlers::send(&mut moves);
        if self.politics.era == Era::Expansion && self.level == Level::Strong {
            race::race(&mut moves);
        }
        let ship_groups = survey.ship_groups(|kind| survey.is_warship(kind));
        let mut targets = war::targets(self, &moves);
        for muster in &ship_groups {
            strike::strike(&mut moves, muster, &mut targets, self.stakes, chance);
        }
        race::explore(&mut moves);
        settlers::found_outposts(&mut moves);
        if self.level == Level::Strong {
            war::occupy_planets(self, &mut moves);
        }
        match war::gathering_star(self) {
            Some(gathering_star) => strike::rally_at(&mut moves, &ship_groups, gathering_star),
            None => strike::rally(&mut moves, &ship_groups),
        }
        moves.finish()
    }
}

fn allowed(survey: &Survey<'_>, wanted: Vec<Order>, chance: &mut Rng) -> Vec<Order> {
    let mut game = StellarConquest::sample(survey.view, &mut || chance.below(1 << 30) as u64);
    let mut dice = Dice::new([0; 32]);
    let mut orders = Vec::new();
    for order in wanted {
        // Orders that end the step are not tried, because their results are unknown.
        let ends = matches!(order, Order::EndMovement | Order::EndTurn | Order::Attack { .. });
        let actor = Actor::Seat(survey.me);
        let refused = if ends {
            game.judge(actor, &order).is_err()
        } else {
            game.submit(actor, order.clone(), &mut dice).is_err()
        };
        if !refused {
            orders.push(order);
            if ends {
                return orders;
            }
        }
    }
    orders
}
