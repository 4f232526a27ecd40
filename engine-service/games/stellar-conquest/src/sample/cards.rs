//! Rule 1: which card each star has.

use super::Sampler;
use super::colonies::Wanted;
use crate::cards::CardId;
use crate::stars::{Colour, StarId};

impl Sampler<'_> {
    /// Gives cards to the stars that have one: those that the viewer knows, then those where colonies are wanted, then those
    /// where somebody else's ships have been long enough to explore.
    pub(super) fn deal(&mut self, wanted: &[Wanted]) {
        for star in StarId::all() {
            self.secrets.cards[star.index()] = self.known_card(star);
        }
        for star in StarId::all() {
            let here = || wanted.iter().filter(move |row| row.star == star);
            let named = here().filter_map(|row| row.nth).map(|nth| usize::from(nth) + 1).max().unwrap_or(0);
            let planets = named.max(here().count());
            if planets > 0 {
                self.draw(star, planets);
            }
        }
        for star in StarId::all() {
            let explored = self.others().any(|seat| self.table.has_ships(seat, star.at()));
            if explored {
                self.draw(star, 0);
            }
        }
    }

    /// The card that the viewer knows, by his chart or by the planets of his colonies.
    fn known_card(&self, star: StarId) -> Option<CardId> {
        let own = self.own?;
        if let Some(card) = own.chart(star).card {
            return Some(card);
        }
        let prizes = own.prizes.iter().map(|prize| &prize.colony);
        let colonies: Vec<_> = own.colonies.iter().chain(prizes).filter(|colony| colony.planet.star == star).collect();
        if colonies.is_empty() {
            return None;
        }
        let charted = |card: CardId| own.charts.iter().any(|chart| chart.card == Some(card));
        let taken = |card: CardId| self.secrets.cards.contains(&Some(card)) || charted(card);
        let fits = |card: &CardId| colonies.iter().all(|colony| colony.planet.on(*card) == Some(&colony.world));
        CardId::deck(star.colour()).filter(|&card| !taken(card)).find(fits)
    }

    /// The cards of a colour that lie nowhere yet.
    fn pool(&self, colour: Colour) -> Vec<CardId> {
        CardId::deck(colour).filter(|card| !self.secrets.cards.contains(&Some(*card))).collect()
    }

    /// Draws a card for a star that has none, with so many planets if there is one.
    fn draw(&mut self, star: StarId, planets: usize) {
        if self.secrets.cards[star.index()].is_some() {
            return;
        }
        let pool = self.pool(star.colour());
        let enough: Vec<CardId> = pool.iter().copied().filter(|card| card.planets().len() >= planets).collect();
        let pool = if enough.is_empty() { pool } else { enough };
        if !pool.is_empty() {
            let card = pool[self.below(pool.len())];
            self.secrets.cards[star.index()] = Some(card);
        }
    }

    /// 3.1: shuffles what was not drawn.
    pub(super) fn stack(&mut self) {
        for colour in Colour::ALL {
            let mut deck = self.pool(colour);
            self.shuffle(&mut deck);
            self.secrets.decks[colour as usize] = deck;
        }
    }
}
