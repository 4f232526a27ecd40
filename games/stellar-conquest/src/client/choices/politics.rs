//! Choices in Alone in Outer Space: raids, hexes for ships that may not stay, and decrees.

use crate::client::choices::kinds::{Choices, DecreeChoices, PlaceChoices, RaidChoices};
use crate::state::{DecreeSheet, Order, SeatView};
use crate::tables::Place;

impl SeatView<'_> {
    pub(super) fn offer_places(&self, choices: &mut Choices, at: Place) {
        if self.table.active != self.seat {
            return;
        }
        let (places, destinations) = (Self::places_beside(at), self.displaced_destinations(at));
        choices.places = Some(PlaceChoices { places, destinations });
        self.list(choices, self.default_place(at), "place-towards-home", &[]);
    }

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

    pub(super) fn offer_decree(&self, choices: &mut Choices) {
        let nothing = DecreeSheet::default();
        let Ok(usual) = self.judge_decree(&nothing).and_then(|()| self.draft(&nothing)) else {
            return;
        };
        self.list(choices, Order::Decree(nothing), "decree-as-usual", &[]);
        let posts = if self.table.options.hidden_posts { Vec::new() } else { self.post_stars() };
        choices.decree = Some(DecreeChoices { colonies: self.decree_colonies(), usual, posts });
    }
}
