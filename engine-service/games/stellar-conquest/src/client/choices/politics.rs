//! Choices of Alone in Outer Space: raids, ships that must go on, production by decree.

use crate::client::choices::kinds::{Choices, DecreeChoices, PlaceChoices, RaidChoices};
use crate::state::order::Order;
use crate::state::power::Eyes;
use crate::state::sheet::DecreeSheet;
use crate::tables::board::Place;

impl Eyes<'_> {
    /// Space 7.1, 9.1: where ships go that may not stay.
    pub(super) fn offer_places(&self, choices: &mut Choices, at: Place) {
        if self.table.active != self.seat {
            return;
        }
        let (places, destinations) = (Self::places_beside(at), self.bound_beside(at));
        choices.places = Some(PlaceChoices { places, destinations });
        self.offer(choices, self.default_place(at), "They go on towards home.", "space-7.1");
    }

    /// Space 9.1: raids that can set out.
    pub(super) fn offer_raids(&self, choices: &mut Choices) {
        let Some(politics) = self.table.campaign.politics() else { return };
        if !politics.is_in_incident(self.seat) {
            return;
        }
        for from in
            politics.claims_of(self.seat).filter(|star| self.table.has_ships(self.seat, star.at()))
        {
            if let Some((ships, targets)) = self.raiders_at(from) {
                choices.raids.push(RaidChoices { from, ships, targets });
            }
        }
    }

    /// Space 6.2: what is left to choose.
    pub(super) fn offer_decree(&self, choices: &mut Choices) {
        let nothing = DecreeSheet::default();
        let Ok(usual) = self.judge_decree(&nothing).and_then(|()| self.draft(&nothing)) else {
            return;
        };
        self.offer(
            choices,
            Order::Decree(nothing),
            "Do what is decreed, and no more.",
            "space-6.2",
        );
        let posts = if self.table.options.hidden_posts { Vec::new() } else { self.post_stars() };
        choices.decree = Some(DecreeChoices { colonies: self.decree_colonies(), usual, posts });
    }
}
