//! The current choices of a seat, for automation and as the basis of offers.
//!
//! Choices are checked by the functions that judge orders, so every listed choice is legal.

mod battle;
pub(crate) mod kinds;
mod movement;
mod planets;
mod politics;
mod production;
#[cfg(test)]
mod tests;

use crate::client::choices::kinds::Choices;
use crate::rules::campaign::fate::commission;
use crate::rules::setup::BONUS;
use crate::state::{Campaign, CampaignStage, Order, SeatView, Stage, Watch};
use crate::tables::Tech;

impl SeatView<'_> {
    pub(crate) fn choices(&self) -> Choices {
        let mut choices = Choices::default();
        match self.table.stage {
            Stage::Setup => self.offer_setup(&mut choices),
            Stage::Campaign(CampaignStage::Recall { half_points, .. }) => {
                self.offer_recall(&mut choices, half_points);
            }
            Stage::Campaign(CampaignStage::Place { at }) => self.offer_places(&mut choices, at),
            Stage::Movement => self.offer_movement(&mut choices),
            Stage::Combat => self.offer_battles(&mut choices),
            Stage::Battle => self.offer_battle(&mut choices),
            Stage::Planets => self.offer_planets(&mut choices),
            Stage::Production => self.offer_production(&mut choices),
            Stage::Over => {}
        }
        self.offer_posts(&mut choices);
        self.offer_conquests(&mut choices);
        self.offer_any_time(&mut choices);
        choices
    }

    fn offer_setup(&self, choices: &mut Choices) {
        if self.seat.index() >= self.table.players {
            return;
        }
        let (points, technologies, key) = match self.table.campaign {
            Campaign::Conquest | Campaign::OuterSpace(_) => (
                BONUS,
                Tech::ALL.into_iter().filter(|tech| tech.title().level == 1).collect(),
                "usual-start",
            ),
            Campaign::Fate(_) => {
                let technologies = commission::TECHNOLOGIES.to_vec();
                (commission::HALF_POINTS, technologies, "usual-start/commission")
            }
        };
        choices.setup = Some((points, technologies));
        let usual = self.table.campaign.default_outfit();
        self.list(choices, Order::Outfit(usual), key, &[]);
    }

    fn offer_recall(&self, choices: &mut Choices, owed: u32) {
        if self.table.active != self.seat {
            return;
        }
        let ships = self.recallable();
        choices.recall = Some((ships, self.recall_sum(owed)));
        let weakest = Order::Recall { ships: self.default_recall(owed) };
        self.list(choices, weakest, "recall-weakest", &[]);
    }

    fn offer_any_time(&self, choices: &mut Choices) {
        for glimpse in &self.power.glimpses {
            let (number, star) = (glimpse.number, glimpse.star);
            for (key, look) in [("look", true), ("pass", false)] {
                let order = Order::Inspect { glimpse: number, look };
                self.list(choices, order, key, &[("star", &star)]);
            }
        }
        for colony in &self.power.colonies {
            let planet = colony.planet;
            for watch in Watch::ALL.into_iter().filter(|&watch| watch != colony.watch) {
                let key = match watch {
                    Watch::Never => "watch-never",
                    Watch::Always => "watch-always",
                    Watch::Ask => "watch-ask",
                };
                self.list(choices, Order::Watch { planet, watch }, key, &[("planet", &planet)]);
            }
        }
    }

    fn offer_posts(&self, choices: &mut Choices) {
        if self.is_on_turn("7.2").is_err() {
            return;
        }
        let posts =
            self.post_stars().into_iter().filter(|&star| self.judge_post(star, true).is_ok());
        choices.posts = posts.collect();
        for star in self.table.posts_of(self.seat) {
            self.list(choices, Order::Post { star, up: false }, "unpost", &[("star", &star)]);
        }
    }
}
