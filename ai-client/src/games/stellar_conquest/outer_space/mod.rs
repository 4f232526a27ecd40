//! The profile of the powers of Alone in Outer Space: what politics leave to choose, and how to
//! make the most of it.
//!
//! | module | what it is |
//! | --- | --- |
//! | `race` | who explores a star first claims it |
//! | `settlers` | where people multiply, and how they get there by the policy for transports |
//! | `quarrels` | who may be fought where, raids, and how strong others look |
//! | `war` | stars that are worth going to while there is somebody to fight, and stars to stand at in the end |
//! | `decree` | production turns |
//!
//! Battles and attacks on colonies are those of the base game. Orders are tried one after the other
//! on a state that is made of the view alone: what the rules of the day refuse is left out.

mod decree;
mod quarrels;
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
use crate::chance::Chance;

/// A decision of a power.
pub(super) struct Command<'a> {
    pub(super) survey: &'a Survey<'a>,
    pub(super) politics: &'a Politics,
    pub(super) level: Level,
    pub(super) stakes: Stakes,
}

impl Command<'_> {
    /// The orders at this stage; `doctrine` gives those of the base game.
    pub(super) fn orders(
        &self,
        chance: &mut Chance,
        doctrine: impl FnOnce(&mut Chance) -> Vec<Order>,
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
            Stage::Battle if quarrels::turns_the_other_cheek(self) => {
                vec![Order::Aim { shots: Vec::new() }]
            }
            _ => doctrine(chance),
        }
    }

    fn movement(&self, chance: &mut Chance) -> Vec<Order> {
        let survey = self.survey;
        let posts = turn::posts(survey, 4);
        if !posts.is_empty() {
            return posts;
        }
        if let Some(raid) = quarrels::raid(self, chance) {
            return vec![raid];
        }
        let mut moves = Moves::holding(survey, |ship| settlers::waits(survey, ship));
        moves.keep_guards();
        settlers::send(&mut moves);
        if self.politics.era == Era::Expansion && self.level == Level::Strong {
            race::race(&mut moves);
        }
        let musters = survey.musters(|kind| survey.is_warship(kind));
        let mut targets = war::targets(self, &moves);
        for muster in &musters {
            strike::strike(&mut moves, muster, &mut targets, self.stakes, chance);
        }
        race::explore(&mut moves);
        settlers::found_outposts(&mut moves);
        if self.level == Level::Strong {
            war::be_present(self, &mut moves);
        }
        match war::front(self) {
            Some(front) => strike::rally_at(&mut moves, &musters, front),
            None => strike::rally(&mut moves, &musters),
        }
        moves.finish()
    }
}

/// What is accepted of these orders, one after the other. Orders that do not end the step are only
/// the first ones.
fn allowed(survey: &Survey<'_>, wanted: Vec<Order>, chance: &mut Chance) -> Vec<Order> {
    let mut game = StellarConquest::sample(survey.view, &mut || chance.below(1 << 30) as u64);
    let mut dice = Dice::new([0; 32]);
    let mut orders = Vec::new();
    for order in wanted {
        // What ends the step is not tried: what follows it is not known.
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
