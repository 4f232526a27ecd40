//! Offers: the possible orders of a seat, as sentences with slots.
//!
//! Every offer has been judged, and its slots are independent of each other. Where the range of
//! one slot depends on another, there are several offers. Functions that return a `bool` return
//! whether all orders of their kind are offered.
//!
//! Offers are complete with these exceptions:
//!
//! - in movement, while a ship can still move: routes other than the fastest, given hex by hex or
//!   around stars (8.4); groups of ships that are not identical; the route of a raid;
//! - in a production turn, if its i.p. complete a title: the use of a title that another colony, or
//!   two payments of the same colony, have completed; payments into a title that such a payment
//!   has made available;
//! - in a decree: named weapons (space 6.2);
//! - ships for the Empire, if very many combinations make up the sum (fate 4.4);
//! - in Alone in Outer Space: joint landings of transports that could each settle a better planet
//!   (space 7.2).

mod battle;
mod campaign;
mod landings;
mod movement;
mod planets;
mod production;
mod slots;

use heliopause_kernel::offer::{Draft, Offers, ValueId};

use crate::client::choices::kinds::Choices;
use crate::client::notation::words::write_planet;
use crate::client::offers::slots::{offer, several, star_slot, star_value};
use crate::state::{
    CampaignStage, FirePolicy, Order, RefugePolicy, ScuttlePolicy, SeatView, Stage, StayPolicy,
    Watch,
};
use crate::tables::StarId;

impl SeatView<'_> {
    pub(crate) fn offers(&self) -> Offers<Order> {
        if self.table.is_over() {
            return Offers::default();
        }
        let choices = self.choices();
        let mut draft = Draft::new();
        let mut complete = true;
        match self.table.stage {
            Stage::Setup => self.offer_outfits(&mut draft, &choices),
            Stage::Campaign(CampaignStage::Recall { half_points, .. }) => {
                complete = self.offer_recalls(&mut draft, &choices, half_points);
            }
            Stage::Campaign(CampaignStage::Place { .. }) => {
                Self::offer_placements(&mut draft, &choices);
            }
            Stage::Movement => complete = self.offer_voyages(&mut draft, &choices),
            Stage::Combat => Self::offer_fights(&mut draft, &choices),
            Stage::Battle => complete = self.offer_battle_orders(&mut draft, &choices),
            Stage::Planets => complete = self.offer_planet_orders(&mut draft, &choices),
            Stage::Production => complete = self.offer_sheet_lines(&mut draft, &choices),
            Stage::Over => {}
        }
        self.offer_post_changes(&mut draft, &choices);
        Self::offer_conquest_orders(&mut draft, &choices);
        self.offer_at_any_time(&mut draft);
        let sheet = self.table.stage == Stage::Production;
        let offers = if complete { draft.complete() } else { draft.incomplete() };
        Offers { sheet, ..offers }
    }

    fn offer_post_changes(&self, draft: &mut Draft<Order>, choices: &Choices) {
        if self.is_on_turn("7.2").is_err() {
            return;
        }
        draft.group("Command posts");
        let standing: Vec<StarId> = self
            .table
            .posts_of(self.seat)
            .filter(|&star| self.judge_post(star, false).is_ok())
            .collect();
        for (key, stars) in [("post", &choices.posts), ("unpost", &standing)] {
            if !stars.is_empty() {
                let slot = star_slot(draft, "star", "where", stars);
                offer!(draft, key).slot(slot);
            }
        }
    }

    fn offer_at_any_time(&self, draft: &mut Draft<Order>) {
        for glimpse in &self.power.glimpses {
            draft.group("Ships that passed");
            let star = star_value(draft, glimpse.star);
            for (key, look, what) in
                [("look", true, "Look at the ships"), ("pass", false, "Do not look at the ships")]
            {
                let order = Order::Inspect { glimpse: glimpse.number, look };
                let label = format!("{what} that passed {} on turn {}", glimpse.star, glimpse.turn);
                draft
                    .offer(key, crate::client::notation::notate(&order), label, "10")
                    .at([star])
                    .is(order);
            }
        }
        self.offer_watches(draft);
        Self::offer_standing_orders(draft);
    }

    fn offer_watches(&self, draft: &mut Draft<Order>) {
        if self.power.colonies.is_empty() {
            return;
        }
        draft.group("Colonies");
        let words: Vec<ValueId> = Watch::ALL.map(|watch| draft.value(watch.as_str(), "")).to_vec();
        let what = draft.word("when", "when", words);
        let colonies = self.power.colonies.iter();
        let colonies: Vec<ValueId> =
            colonies.map(|colony| draft.value(write_planet(colony.planet), "")).collect();
        let colony = draft.piece("colony", "where", colonies);
        offer!(draft, "watch").slot(colony).slot(what);
    }

    /// Offers the standing orders. Omitted settings get their defaults. If a setting is repeated,
    /// the last one applies (rule 20).
    fn offer_standing_orders(draft: &mut Draft<Order>) {
        let [_, fire @ ..] = FirePolicy::ALL.map(|word| format!("fire {word}"));
        let [_, stay @ ..] = StayPolicy::ALL.map(|word| format!("stay {word}"));
        let leave = ["scouts leave", "transports leave"].map(str::to_owned);
        let [_, refuge @ ..] = RefugePolicy::ALL.map(|word| format!("refuge {word}"));
        let [_, scuttle @ ..] = ScuttlePolicy::ALL.map(|word| format!("scuttle {word}"));
        let all = fire.into_iter().chain(stay).chain(leave).chain(refuge).chain(scuttle);
        let values: Vec<ValueId> = all.map(|word| draft.value(word, "")).collect();
        let picks = several(draft, values, 1);
        draft.group("Standing orders");
        let slot = slots::words("words", "which", picks).within(" {}", " {}").optional();
        offer!(draft, "standing").slot(slot);
    }
}
