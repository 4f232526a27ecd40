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
        let (points, technologies, rule) = match self.table.campaign {
            Campaign::Conquest | Campaign::OuterSpace(_) => (
                BONUS,
                Tech::ALL.into_iter().filter(|tech| tech.title().level == 1).collect(),
                "3.4",
            ),
            Campaign::Fate(_) => {
                (commission::HALF_POINTS, commission::TECHNOLOGIES.to_vec(), "fate-2.3")
            }
        };
        choices.setup = Some((points, technologies));
        let usual = self.table.campaign.default_outfit();
        self.offer(choices, Order::Outfit(usual), "The default start.", rule);
    }

    fn offer_recall(&self, choices: &mut Choices, owed: u32) {
        if self.table.active != self.seat {
            return;
        }
        let ships = self.recallable();
        choices.recall = Some((ships, self.recall_sum(owed)));
        let weakest = Order::Recall { ships: self.default_recall(owed) };
        let label = "Send back the weakest ships that are worth enough.";
        self.offer(choices, weakest, label, "fate-4.4");
    }

    fn offer_any_time(&self, choices: &mut Choices) {
        for glimpse in &self.power.glimpses {
            let (number, star) = (glimpse.number, glimpse.star);
            let look = Order::Inspect { glimpse: number, look: true };
            self.offer(choices, look, format!("Look at the ships that passed {star}."), "10");
            let pass = Order::Inspect { glimpse: number, look: false };
            let label = format!("Do not look at the ships that passed {star}.");
            self.offer(choices, pass, label, "10");
        }
        for colony in &self.power.colonies {
            let at = colony.planet;
            for watch in [Watch::Never, Watch::Always, Watch::Ask]
                .into_iter()
                .filter(|&watch| watch != colony.watch)
            {
                let what = match watch {
                    Watch::Never => "stays hidden",
                    Watch::Always => "inspects all ships",
                    Watch::Ask => "asks about passing ships",
                };
                let label = format!("The colony on {at} {what}.");
                self.offer(choices, Order::Watch { planet: at, watch }, label, "10");
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
            let label = format!("Remove the command post at {star}.");
            self.offer(choices, Order::Post { star, up: false }, label, "7.2");
        }
    }
}
